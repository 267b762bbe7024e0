"""Recorded games checked against the rules, line by line: a million lines cost no more memory
than one.

Of each game the first thing that is wrong is told: an event that the rules refuse, with the
requirements and clauses; a state that is not as recorded; a line that cannot be read. The rest of
that game is passed over, the other games in the stream are still checked.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, Any, cast

from rulewright.meaning.core import Requirement
from rulewright.play.io.json_codec import decode_event, decode_variables
from rulewright.play.io.notation import write, write_line
from rulewright.play.io.trace import (
    HEADER_HELP,
    LONGEST_LINE,
    Header,
    OpenedGame,
    TraceError,
    json_lines,
    read_trace,
)
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.instance import Instance
from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State
from rulewright.simulate.compiled.parse_events import Unfit
from rulewright.syntax.node import Node
from rulewright.wasm.assembler.instructions import Unsupported

MOST_KNOWN = 20_000
LONGEST_KNOWN = 500
"""So many lines up to so long are remembered: the same moves come again and again."""
BATCH = 1000
"""So many events at most are checked in one call."""
MOST_OPENINGS = 1000
"""So many headers are remembered."""


class RecordedGame(Node):
    """One recorded game: the line it begins at, how many events were checked, and whether it
    came to an end. `wrong` is the first thing wrong with it. `deal` is the whole game as a trace,
    where parts of it were unknown and have been found."""

    line: int
    players: int | None
    events: int
    finished: bool
    wrong: TraceFault | None
    deal: tuple[str, ...] | None = None


class TraceFault(Node):
    """What is wrong, at which line: `kind` is illegal, differs, error, unreadable or undecided."""

    line: int
    kind: str
    message: str
    help: str | None
    refused_by: tuple[Requirement, ...] = ()
    event: Mapping[str, Any] | None = None


class TraceNotice(Node):
    """Something worth saying about a line that does not make the game wrong."""

    line: int
    message: str
    help: str | None


def replay(
    stream: IO[str],
    spec: str,
    spec_hash: str | None,
    game_of: Callable[[Header], CompiledGame],
    strict: bool = False,
) -> Iterator[RecordedGame | TraceNotice]:
    """Checks the games in a stream. `game_of` gives the compiled game that a header asks for
    or raises a UsageError; `strict` refuses games of another version of the rules."""
    reader = _Replay(spec, spec_hash, game_of, strict)
    known = reader.known
    number = 0
    while text := stream.readline(LONGEST_LINE + 1):
        number += 1
        if reader.going:
            record = known.get(text)
            if record is not None:
                reader.wait(number, text, record)
                continue
        if text in reader.openings:
            yield from reader.close()
            reader.open_again(number, text)
            known = reader.known
            continue
        found = _parsed(text, stream)
        if found is None:
            continue
        if isinstance(found, TraceError):
            found.line = number
            yield from reader.unreadable(found)
        elif "rulewright" in found:
            yield from reader.close()
            yield from reader.open(number, found, text)
            known = reader.known
        elif reader.going:
            reader.event(number, found, text)
        elif not reader.begun:
            message = "the trace does not begin with a header"
            yield from reader.unreadable(TraceError(number, message, HEADER_HELP))
    yield from reader.close()
    if not reader.begun:
        yield RecordedGame(
            1, None, 0, False, _unreadable(TraceError(1, "the trace is empty", HEADER_HELP))
        )


_scan: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().raw_decode


def _parsed(text: str, stream: IO[str]) -> dict[str, Any] | TraceError | None:
    """The object in a line, what is wrong with it, or None for an empty one."""
    try:
        found, end = _scan(text, 0)
        if isinstance(found, dict) and text[end:] == "\n":
            return found
    except (StopIteration, ValueError, RecursionError):
        pass
    if not text.strip():
        return None
    for each in json_lines(cast("IO[str]", _Again(text, stream))):
        return each if isinstance(each, TraceError) else each[1]
    return None


class _Again:
    """A stream from which the last line is read once more, and then nothing but its rest."""

    def __init__(self, text: str, stream: IO[str]) -> None:
        self.text = text
        self.stream = stream

    def readline(self, limit: int) -> str:
        if self.text:
            text, self.text = self.text, ""
            return text
        return self.stream.readline(limit)


class _Replay:
    """The game being checked."""

    def __init__(
        self, spec: str, spec_hash: str | None, game_of: Callable[[Header], CompiledGame],
        strict: bool,
    ) -> None:  # fmt: skip
        self.spec = spec
        self.spec_hash = spec_hash
        self.game_of = game_of
        self.strict = strict
        self.begun = False
        self.going = False
        self.game: CompiledGame | None = None
        self.state: State = b""
        self.line = 1
        self.events = 0
        self.wrong: TraceFault | None = None
        self.known: dict[str, bytes] = {}
        """Lines that have been read before, for the present game, as the module takes them."""
        self._records: list[bytes] = []
        self._lines: list[tuple[int, str]] = []
        """Events that wait to be made to happen all in one call, and their lines."""
        self.openings: dict[str, tuple[CompiledGame, State]] = {}
        """Headers that have been read before, and what they stand for."""
        self._known: dict[CompiledGame, dict[str, bytes]] = {}

    def open(
        self, number: int, line: Mapping[str, Any], text: str
    ) -> Iterator[RecordedGame | TraceNotice]:
        """A game begins."""
        self.begun = self.going = True
        self.line, self.events, self.wrong, self.game = number, 0, None, None
        noticed = False
        for found in self._read(line):
            if isinstance(found, OpenedGame):
                game = self._opened()
                self._begin(game, game.load(found.position))
            elif isinstance(found, TraceError):
                noticed = True
                if found.warning:
                    yield TraceNotice(number, found.message, found.help)
                else:
                    found.line = number
                    self._stop(_unreadable(found))
        if not noticed and self.game is not None and len(self.openings) < MOST_OPENINGS:
            self.openings[text] = (self.game, self.state)

    def open_again(self, number: int, text: str) -> None:
        """A game begins like one before."""
        game, state = self.openings[text]
        self.begun = self.going = True
        self.line, self.events, self.wrong, self.game = number, 0, None, game
        self._begin(game, state)

    def _begin(self, game: CompiledGame, state: State) -> None:
        self.state = state
        self.known = self._known.setdefault(game, {})

    def _read(self, line: Mapping[str, Any]) -> Iterator[Any]:
        def instance_of(header: Header) -> Instance:
            self.game = self.game_of(header)
            return self.game.instance

        alone = io.StringIO(json.dumps(line) + "\n")
        return read_trace(alone, self.spec, self.spec_hash, instance_of, self.strict)

    def event(self, number: int, line: Mapping[str, Any], text: str) -> None:
        """Reads one event, checks it and makes it happen, now or with others."""
        game = self._opened()
        try:
            event = game.parse(line)
        except Unfit:
            if self.caught_up():
                self._unfit(number, line, game)
            return
        record = game.record(event)
        if record is None or "state" in line:
            if self.caught_up():
                self._happen(number, event, text)
            if self.going and "state" in line:
                self._compare(number, line["state"])
            return
        if len(text) <= LONGEST_KNOWN:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            self.known[text] = record
        self.wait(number, text, record)

    def wait(self, number: int, text: str, record: bytes) -> None:
        """Lets an event wait for others."""
        self._records.append(record)
        self._lines.append((number, text))
        if len(self._records) >= BATCH:
            self.caught_up()

    def caught_up(self) -> bool:
        """Checks the events that wait and makes them happen; whether the game goes on."""
        if not self._records:
            return self.going
        game, lines = self._opened(), self._lines
        try:
            state, done, error = game.follow(self.state, self._records)
        except Unsupported:
            return self._one_by_one(lines)
        finally:
            self._records, self._lines = [], []
        self.state = state
        self.events += done
        if error is not None:
            self._give_up(lines[done][0], error)
        elif done < len(lines):
            number, text = lines[done]
            line = json.loads(text)
            self._refused(number, line, game.parse(line))
        return self.going

    def _one_by_one(self, lines: Sequence[tuple[int, str]]) -> bool:
        """The same where the module needs the evaluator's help."""
        for number, text in lines:
            if self.going:
                self._happen(number, self._opened().parse(json.loads(text)), text)
        return self.going

    def _happen(self, number: int, event: Happening, text: str) -> None:
        """Checks one event and makes it happen."""
        game = self._opened()
        try:
            found = game.attempt(self.state, event)
        except EvaluationError as error:
            self._give_up(number, error)
            return
        if isinstance(found, list):
            self._refused(number, json.loads(text), event)
        else:
            self.state = found
            self.events += 1

    def _give_up(self, number: int, error: EvaluationError) -> None:
        self._stop(TraceFault(number, "error", f"the rules give up: {error.message}", None))

    def unreadable(self, error: TraceError) -> Iterator[RecordedGame]:
        """A line that is not even JSON; before any header it is a game of its own."""
        if self.caught_up():
            self._stop(_unreadable(error))
        elif not self.begun:
            self.begun = True
            yield RecordedGame(error.line, None, 0, False, _unreadable(error))

    def close(self) -> Iterator[RecordedGame]:
        """The game before the next header, or before the end."""
        self.caught_up()
        game = self.game
        if game is not None:
            finished = self.wrong is None and game.is_final(self.state)
            yield RecordedGame(self.line, game.instance.players, self.events, finished, self.wrong)
        elif self.wrong is not None:
            yield RecordedGame(self.line, None, self.events, False, self.wrong)
        self.game, self.wrong = None, None

    def _opened(self) -> CompiledGame:
        assert self.game is not None
        return self.game

    def _stop(self, wrong: TraceFault) -> None:
        self.wrong, self.going = wrong, False

    def _refused(self, number: int, line: Mapping[str, Any], event: Happening) -> None:
        game = self._opened()
        said = write_line(game.decode(event), game.instance)
        if game.is_final(self.state):
            help: str | None = "the game was over before"
        else:
            help = None
        broken = tuple(game.broken(self.state, event))
        self._stop(TraceFault(number, "illegal", f"`{said}` is not legal", help, broken, line))

    def _unfit(self, number: int, line: Mapping[str, Any], game: CompiledGame) -> None:
        """Says in words why a line is no event of this game."""
        try:
            decode_event(line, game.instance)
        except UsageError as error:
            self._stop(TraceFault(number, "unreadable", error.message, error.help))
            return
        raise AssertionError(f"line {number}: the fast reader and the slow one differ")

    def _compare(self, number: int, recorded: Any) -> None:
        """Compares the state with what the recorder says of it."""
        game = self._opened()
        try:
            said = decode_variables(recorded, game.instance)
        except UsageError as error:
            self._stop(TraceFault(number, "unreadable", error.message, error.help))
            return
        position = game.position(self.state)
        wrong = [name for name, value in said.items() if position[name] != value]
        if wrong:
            name = wrong[0]
            type = game.instance.variables[name].type
            there, then = (write(each[name], type, game.instance) for each in (position, said))
            message = f"after this event `{name}` is not what was recorded"
            help = f"the event is legal and leads to {name} = {there}; recorded is {then}"
            self._stop(TraceFault(number, "differs", message, help))


def _unreadable(error: TraceError) -> TraceFault:
    return TraceFault(error.line, "unreadable", error.message, error.help)
