"""Recorded games checked: what is wrong is told with its line, the rest is still checked."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from rulewright.play.io.json_codec import decode_event, encode_event
from rulewright.play.io.trace import LONGEST_LINE
from rulewright.play.semantics.errors import UsageError
from rulewright.simulate.compiled.compiled_game import CompiledGame
from rulewright.simulate.compiled.parse_events import Unfit
from rulewright.simulate.game import Rules
from rulewright.simulate.recording import recorder
from rulewright.simulate.replay import RecordedGame, TraceNotice, replay
from rulewright.simulate.watched_games import WatchedGames
from tests.play.games import bundled

QWIXX = Rules(bundled("qwixx"))


def recorded(seed: int = 1, players: int = 3, games: int = 1, name: str = "qwixx") -> list[str]:
    """The lines of games at random."""
    rules = QWIXX if name == "qwixx" else Rules(bundled(name))
    instance = rules.compiled(players).instance
    stream = io.StringIO()
    record, watched = recorder(stream, "games.jsonl", bundled(name)), WatchedGames(instance)
    for number in range(1, games + 1):
        heard = record.game(instance)
        assert heard is not None
        watched.listen(number, seed, heard)
    return stream.getvalue().splitlines()


def checked(lines: Iterable[str], strict: bool = False) -> list[RecordedGame | TraceNotice]:
    stream = io.StringIO("".join(f"{line}\n" for line in lines))
    return list(
        replay(
            stream,
            "qwixx",
            bundled("qwixx").hash,
            lambda header: QWIXX.compiled(header.players, header.readings, header.variant),
            strict,
        )
    )


def only(found: list[RecordedGame | TraceNotice]) -> RecordedGame:
    (game,) = (each for each in found if isinstance(each, RecordedGame))
    return game


def changed(line: str, **members: Any) -> str:
    return json.dumps({**json.loads(line), **members})


def test_a_recorded_game_is_legal_to_its_end():
    lines = recorded()
    game = only(checked(lines))
    assert game.wrong is None
    assert game.finished
    assert game.events == len(lines) - 1
    assert game.players == 3


def test_an_empty_line_is_passed_over_and_stands_for_no_event():
    lines = recorded()
    spaced = [lines[0]] + [each for line in lines[1:] for each in ("", line, "  ", "")]
    game = only(checked(spaced))
    assert (game.wrong, game.events) == (None, len(lines) - 1)
    refused = [lines[0], lines[1], "", lines[1]]
    assert only(checked(refused)).wrong is not None, "an illegal event after an empty line is told"


@pytest.mark.parametrize("name", ["twenty_one", "matte_kryss", "kubbar"])
def test_every_bundled_game_can_be_replayed(name: str):
    rules = Rules(bundled(name))
    stream = io.StringIO("\n".join(recorded(2, 2, name=name)) + "\n")
    game = only(
        list(
            replay(stream, name, bundled(name).hash, lambda header: rules.compiled(header.players))
        )
    )
    assert game.wrong is None
    assert game.finished


def test_a_game_cut_short_is_legal_but_not_finished():
    game = only(checked(recorded()[:20]))
    assert game.wrong is None
    assert not game.finished


def test_the_first_illegal_event_is_told_with_its_requirements():
    lines = recorded()
    throw = next(n for n, line in enumerate(lines) if '"throw"' in line)
    lines[throw] = changed(
        lines[throw],
        args={"w": [[1, 6], [2, 6]], "d": dict.fromkeys(("red", "yellow", "green", "blue"), 1)},
    )
    lines.insert(throw + 1, '{"move": "cross_sum", "by": 1, "args": {"row": "red", "at": 11}}')
    game = only(checked(lines))
    assert game.wrong is not None
    assert game.wrong.kind == "illegal"
    assert game.wrong.line == throw + 2
    assert [each.label for each in game.wrong.refused_by] == ["may_cross.five_first"]
    assert "close.five" in game.wrong.refused_by[0].clauses


def test_the_rest_of_a_batch_is_checked():
    one, two, three = recorded(1), recorded(2, 4), recorded(3)
    two.insert(5, two[5])
    found = checked([*one, *two, *three])
    games = [each for each in found if isinstance(each, RecordedGame)]
    assert [game.wrong is None for game in games] == [True, False, True]
    assert games[1].wrong is not None
    assert games[1].wrong.line == len(one) + 7
    assert games[2].line == len(one) + len(two) + 1


@pytest.mark.parametrize("size", [1, 2, 7])
def test_nothing_depends_on_how_many_events_are_checked_together(
    size: int, monkeypatch: pytest.MonkeyPatch
):
    one, two, three = recorded(1), recorded(2, 4), recorded(3)
    two.insert(9, two[9])
    two.insert(12, "{")  # not told: something is wrong before
    three.insert(10, '{"move": "fly"}')
    lines = [*one, *two, *three]
    together = checked(lines)
    games = [each for each in together if isinstance(each, RecordedGame)]
    assert [each.wrong.line - each.line for each in games if each.wrong is not None] == [10, 10]
    monkeypatch.setattr("rulewright.simulate.replay.BATCH", size)
    assert checked(lines) == together


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "this is not JSON"),
        ("[1]", "an event should be an object"),
        ('{"move": "cros_sum", "by": 1}', "`qwixx` has no move `cros_sum`"),
        ('{"move": "pass_sum"}', "the move does not say whose it is"),
        ('{"move": "pass_sum", "by": 4}', "`by` should be a player from 1 to 3"),
        ('{"move": "pass_sum", "by": true}', "`by` should be a player"),
        ('{"chance": "throw", "by": 1, "args": {}}', "a chance event is nobody's"),
        ('{"by": 1}', "an event has either `move` or `chance`"),
        ('{"move": "cross_sum", "by": 1, "args": {"row": "red"}}', "`cross_sum` also needs `at`"),
        (
            '{"move": "cross_sum", "by": 1, "args": {"row": "pink", "at": 1}}',
            "`args.row` should be a Colour",
        ),
        (
            '{"move": "cross_sum", "by": 1, "args": {"row": "red", "at": 12}}',
            "`args.at` should be a number 1..11",
        ),
        ("x" * (LONGEST_LINE + 10), "the line is longer than"),
    ],
)
def test_a_line_that_is_no_event_is_told(line: str, message: str):
    lines = recorded()
    game = only(checked([*lines[:3], line, *lines[3:]]))
    assert game.wrong is not None
    assert game.wrong.kind == "unreadable"
    assert game.wrong.line == 4
    assert message in game.wrong.message


def test_a_trace_cut_off_in_a_line_is_told():
    text = "\n".join(recorded()[:5])[:-10]
    machine = QWIXX.compiled(3)
    game = only(list(replay(io.StringIO(text), "qwixx", None, lambda _: machine)))
    assert game.wrong is not None
    assert "cut off" in game.wrong.message


def test_a_trace_of_another_spec_is_refused():
    lines = recorded()
    lines[0] = changed(lines[0], spec="chess")
    game = only(checked(lines))
    assert game.wrong is not None
    assert game.wrong.message == "this is a trace of `chess`, not of `qwixx`"


def test_a_trace_of_another_version_is_noticed_or_if_strict_refused():
    lines = recorded()
    lines[0] = changed(lines[0], spec_hash="0" * 16)
    notice, game = checked(lines)
    assert isinstance(notice, TraceNotice)
    assert isinstance(game, RecordedGame)
    assert game.wrong is None
    refused = only(checked(lines, strict=True))
    assert refused.wrong is not None
    assert refused.wrong.kind == "unreadable"


def test_a_trace_without_a_header_or_anything_is_unreadable():
    game = only(checked(recorded()[1:]))
    assert game.wrong is not None
    assert "does not begin with a header" in game.wrong.message
    empty = only(checked([]))
    assert empty.wrong is not None
    assert empty.wrong.message == "the trace is empty"


def test_a_recorded_state_is_compared():
    lines = recorded()
    lines[2] = changed(lines[2], state={"misthrows": [[1, 0], [2, 0], [3, 0]]})
    assert only(checked(lines)).wrong is None
    lines[2] = changed(lines[2], state={"misthrows": [[1, 0], [2, 3], [3, 0]]})
    game = only(checked(lines))
    assert game.wrong is not None
    assert game.wrong.kind == "differs"
    assert "`misthrows`" in game.wrong.message


def test_lines_may_be_empty_or_indented():
    lines = recorded()
    game = only(checked([lines[0], "", *(f"  {line}" for line in lines[1:])]))
    assert game.wrong is None
    assert game.events == len(lines) - 1


def test_memory_does_not_grow_with_the_number_of_games():
    import tracemalloc

    few, many = recorded(1, games=20), recorded(1, games=20) * 20

    def peak(lines: list[str]) -> int:
        text = "\n".join(lines) + "\n"
        machine = QWIXX.compiled(3)
        stream = io.StringIO(text)
        tracemalloc.start()
        for _ in replay(stream, "qwixx", None, lambda _: machine):
            pass
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(few)
    assert peak(many) < 1.5 * peak(few) + 100_000


STRANGE = [None, True, 0, 1, 7, -1, 1.5, "", "red", "A1", [], [1], [[1, 2]], {}, {"red": 1}]


@pytest.mark.parametrize("name", ["qwixx", "twenty_one", "matte_kryss", "kubbar"])
def test_events_are_read_as_the_slow_reader_reads_them(name: str):
    """Law: what one reader refuses the other does, and else they read the same."""
    machine = Rules(bundled(name)).compiled(3)
    random = Random(11)
    state = machine.begin(random)
    for _ in range(120):
        event = machine.choose(state, random)
        if event is None:
            state = machine.begin(random)
            continue
        written = encode_event(machine.decode(event), machine.instance)
        assert machine.parse(json.loads(json.dumps(written))) == event
        for _ in range(6):
            compare_readers(machine, strange(written, random))
        machine.apply(state, event)


def strange(written: dict[str, Any], random: Random) -> dict[str, Any]:
    """The event with something in it replaced or left out."""
    changed = json.loads(json.dumps(written))
    holder, place = changed, random.choice([*changed, "by", "move", "chance"])
    if place == "args" and changed["args"] and random.random() < 0.8:
        holder, place = changed["args"], random.choice(list(changed["args"]))
        if isinstance(holder[place], list) and holder[place] and random.random() < 0.7:
            holder, place = holder[place], random.randrange(len(holder[place]))
    if isinstance(holder, dict) and random.random() < 0.2:
        holder.pop(place, None)
    else:
        holder[place] = random.choice(STRANGE)
    return changed  # type: ignore[no-any-return]


def compare_readers(machine: CompiledGame, line: dict[str, Any]) -> None:
    try:
        slow = machine.encode(decode_event(line, machine.instance))
    except UsageError:
        with pytest.raises(Unfit):
            machine.parse(line)
    else:
        assert machine.parse(line) == slow


@pytest.mark.parametrize("file", ["games.jsonl", "game.itf.json"])
def test_a_game_that_begins_again_is_recorded_once(file: str):
    """What the module gives up is played from the beginning by another player."""
    instance = QWIXX.compiled(2).instance

    def text(*starts: int) -> str:
        stream = io.StringIO()
        record, watched = recorder(stream, file, bundled("qwixx")), WatchedGames(instance)
        heard = record.game(instance)
        assert heard is not None
        for number in starts:
            watched.listen(number, 1, heard)
        record.close()
        return stream.getvalue()

    assert text(1) != text(2) == text(1, 2)
