"""Recorded games: written, read back, and what is said of traces that are not as they should be."""

from __future__ import annotations

import io
import json
import tracemalloc
from typing import Any

import pytest

from rulewright.play.io.trace import (
    LONGEST_LINE,
    Header,
    OpenedGame,
    RecordedEvent,
    TraceError,
    TraceWriter,
    read_trace,
)
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import Instance
from tests.play.games import bundled, game, random_play

HASH = "0123456789abcdef"
HEADER = json.dumps({"rulewright": 1, "spec": "pig", "spec_hash": HASH, "players": 2})
ROLL = '{"move": "roll", "by": 1, "args": {}}'
FALL = '{"chance": "fall", "args": {"pips": 4}}'


def instance_of(header: Header) -> Instance:
    if header.variant is not None:
        raise UsageError(f"there is no variant `{header.variant}`")
    spec = bundled("pig").spec
    assert spec is not None
    return Instance(spec, header.players, header.readings)


def read(text: str, strict: bool = False) -> list[OpenedGame | RecordedEvent | TraceError]:
    return list(read_trace(io.StringIO(text), "pig", HASH, instance_of, strict))


def errors(text: str, strict: bool = False) -> list[tuple[int, str]]:
    return [(e.line, e.message) for e in read(text, strict) if isinstance(e, TraceError)]


@pytest.mark.parametrize("with_state", [False, True])
def test_a_game_is_read_as_it_was_written(with_state):
    instance = game("qwixx", 3, ties="undecided")
    played = random_play(instance, 6, 40)
    stream = io.StringIO()
    writer = TraceWriter(stream, HASH)
    writer.begin(instance, played[0][1])
    for event, position in played[1:]:
        assert event is not None
        writer.event(instance, event, position if with_state else None)
    stream.seek(0)
    asked: list[Header] = []

    def same(header: Header) -> Instance:
        asked.append(header)
        return instance

    opened, *rest = read_trace(stream, "qwixx", HASH, same)
    assert isinstance(opened, OpenedGame) and opened.position == played[0][1]
    recorded = [each for each in rest if isinstance(each, RecordedEvent)]
    assert asked[0].players == 3 and asked[0].readings["ties"] == "undecided"
    assert asked[0].start == {"active": 1} and asked[0].variant is None
    assert [each.event for each in recorded] == [event for event, _ in played[1:]]
    states = [position if with_state else None for _, position in played[1:]]
    assert [each.state for each in recorded] == states
    assert [each.line for each in recorded] == list(range(2, len(played) + 1))


def test_a_file_may_hold_several_games_and_empty_lines():
    found = read("\n".join([HEADER, ROLL, "", HEADER, ROLL, FALL, ""]))
    assert [type(each).__name__ for each in found] == [
        "OpenedGame", "RecordedEvent", "OpenedGame", "RecordedEvent", "RecordedEvent",
    ]  # fmt: skip


WRONG = [
    ("", 1, "the trace is empty"),
    ("\n\n", 1, "the trace is empty"),
    (ROLL, 1, "the trace does not begin with a header"),
    ("hello\n", 1, 'this is not JSON: "hello"'),
    ("[1, 2]\n", 1, "an event should be an object, but this is a list of 2"),
    (f"{HEADER}\n{ROLL}\n{FALL[:20]}", 3, "the trace is cut off in the middle of this line"),
    (HEADER[:30], 1, "the trace is cut off in the middle of this line"),
    (HEADER.replace("pig", "qwixx"), 1, "this is a trace of `qwixx`, not of `pig`"),
    (HEADER.replace(": 1", ": 2", 1), 1,
     "the trace is in version 2 of the format, this reads 1"),
    (HEADER.replace(": 2}", ": 9}"), 1, "`pig` cannot be played by 9"),
    (HEADER.replace(": 2}", ': "2"}'), 1, '`players` should be a number of players, but is "2"'),
    (HEADER.replace("}", ', "readings": {"a": "b"}}'), 1, "`pig` has no reading `a`"),
    (HEADER.replace("}", ', "variant": "big"}'), 1, "there is no variant `big`"),
    (HEADER.replace("}", ', "start": {"active": 3}}'), 1,
     "`start.active` should be a player from 1 to 2, but is 3"),
    (HEADER.replace("}", ', "start": {"total": 3}}'), 1, "`total` has an initial value of its own"),
    (f'{HEADER}\n{{"move": "fly", "by": 1}}', 2, "`pig` has no move `fly`"),
    (f'{HEADER}\n{{"move": "roll", "by": 3}}', 2, "`by` should be a player from 1 to 2, but is 3"),
    (f'{HEADER}\n{{"chance": "fall", "args": {{"pips": 7}}}}', 2,
     "`args.pips` should be a number 1..6, but is 7"),
    (f'{HEADER}\n{ROLL[:-1]}, "state": {{"total": "many"}}}}', 2,
     '`total` should be a number 0..105, but is "many"'),
    (f"{HEADER}\n{'[' * 100_000}\n", 2, f'this is not JSON: "{"[" * 58}…'),
    (f"{HEADER}\n{'9' * 5000}\n", 2, f'this is not JSON: "{"9" * 58}…'),
    (f"{HEADER}\n{'x' * 1_000_000}\n", 2, "the line is longer than 500,000 characters"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "message"), WRONG)
def test_what_is_wrong_with_a_trace_is_said_with_its_line(text, line, message):
    assert errors(text) == [(line, message)]


@pytest.mark.parametrize(("text", "line", "message"), WRONG[5:])
def test_after_a_broken_game_the_next_one_is_read(text, line, message):
    found = read(f"{text}\n{HEADER}\n{ROLL}\n")
    assert isinstance(found[-1], RecordedEvent)
    if "cut off" not in message:  # with a line end after it, it is no longer cut off
        assert [e.message for e in found if isinstance(e, TraceError)] == [message]


def test_a_game_of_another_version_is_read_with_a_warning():
    text = HEADER.replace(HASH, "fedcba") + "\n" + ROLL
    warning, opened, recorded = read(text)
    assert isinstance(warning, TraceError) and warning.warning
    assert warning.message == (
        f'the game was recorded with version "fedcba" of the rules, these are "{HASH}"'
    )
    assert warning.help is not None and "record it again" in warning.help
    assert isinstance(opened, OpenedGame) and isinstance(recorded, RecordedEvent)


def test_strictly_a_game_of_another_version_is_left_out():
    (error,) = read(HEADER.replace(HASH, "fedcba") + "\n" + ROLL, strict=True)
    assert isinstance(error, TraceError) and not error.warning


def test_a_long_trace_is_read_with_little_memory():
    class Endless(io.TextIOBase):
        """A game of twenty thousand events, made as it is read."""

        def __init__(self) -> None:
            self.left = 20_000

        def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
            self.left -= 1
            if self.left == 19_999:
                return HEADER + "\n"
            return ROLL + "\n" if self.left > 0 else ""

    stream: Any = Endless()
    tracemalloc.start()
    count = 0
    for _ in read_trace(stream, "pig", HASH, instance_of):
        count += 1
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 19_999 and most < 1_000_000


def test_a_line_of_a_big_board_is_not_too_long():
    assert len(json.dumps([[f"AA{n}", "yellow 14"] for n in range(1000)])) < LONGEST_LINE
