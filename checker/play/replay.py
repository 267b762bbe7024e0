"""Recorded games checked against the rules, line by line: a million lines cost no more memory
than one.

Of each game the first thing that is wrong is told: an event that the rules refuse, with the
requirements and clauses; a state that is not as recorded; a line that cannot be read. The rest of
that game is passed over, the other games in the stream are still checked.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any, cast

from checker.meaning.core import Requirement
from checker.play.compile.layout import State
from checker.play.compile.parsing import Unfit
from checker.play.compiled import Happening, Machine
from checker.play.encoding import decode_event, decode_variables
from checker.play.errors import EvaluationError, UsageError
from checker.play.instance import Instance
from checker.play.notation import write, write_line
from checker.play.trace import (
    HEADER_HELP,
    LONGEST_LINE,
    Header,
    Opened,
    TraceError,
    json_lines,
    read_trace,
)
from checker.syntax.node import Node

MOST_KNOWN = 20_000
LONGEST_KNOWN = 500
"""So many lines up to so long are remembered: the same moves come again and again."""
MOST_OPENINGS = 1000
"""So many headers are remembered."""


class Game(Node):
    """One recorded game: the line it begins at, how many events were checked, and whether it
    came to an end. `wrong` is the first thing wrong with it."""

    line: int
    players: int | None
    events: int
    finished: bool
    wrong: Wrong | None


class Wrong(Node):
    """What is wrong, at which line: `kind` is illegal, differs, error or unreadable."""

    line: int
    kind: str
    message: str
    help: str | None
    refused_by: tuple[Requirement, ...] = ()
    event: Mapping[str, Any] | None = None


class Notice(Node):
    """Something worth saying about a line that does not make the game wrong."""

    line: int
    message: str
    help: str | None


def replay(
    stream: IO[str],
    spec: str,
    spec_hash: str | None,
    machine_of: Callable[[Header], Machine],
    strict: bool = False,
) -> Iterator[Game | Notice]:
    """Checks the games in a stream. `machine_of` gives the compiled game that a header asks for
    or raises a UsageError; `strict` refuses games of another version of the rules."""
    reader = _Replay(spec, spec_hash, machine_of, strict)
    known = reader.known
    number = 0
    while text := stream.readline(LONGEST_LINE + 1):
        number += 1
        if reader.going:
            event = known.get(text)
            if event is not None:
                reader.happen(number, event, text)
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
        yield Game(1, None, 0, False, _unreadable(TraceError(1, "the trace is empty", HEADER_HELP)))


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
        self, spec: str, spec_hash: str | None, machine_of: Callable[[Header], Machine],
        strict: bool,
    ) -> None:  # fmt: skip
        self.spec = spec
        self.spec_hash = spec_hash
        self.machine_of = machine_of
        self.strict = strict
        self.begun = False
        self.going = False
        self.machine: Machine | None = None
        self.state: State = []
        self.line = 1
        self.events = 0
        self.wrong: Wrong | None = None
        self.known: dict[str, Happening] = {}
        """Lines that have been read before, for the present machine."""
        self.openings: dict[str, tuple[Machine, State]] = {}
        """Headers that have been read before, and what they stand for."""
        self._known: dict[Machine, dict[str, Happening]] = {}

    def open(self, number: int, line: Mapping[str, Any], text: str) -> Iterator[Game | Notice]:
        """A game begins."""
        self.begun = self.going = True
        self.line, self.events, self.wrong, self.machine = number, 0, None, None
        noticed = False
        for found in self._read(line):
            if isinstance(found, Opened):
                machine = self._opened()
                self._begin(machine, machine.load(found.position))
            elif isinstance(found, TraceError):
                noticed = True
                if found.warning:
                    yield Notice(number, found.message, found.help)
                else:
                    found.line = number
                    self._stop(_unreadable(found))
        if not noticed and self.machine is not None and len(self.openings) < MOST_OPENINGS:
            self.openings[text] = (self.machine, self.state[:])

    def open_again(self, number: int, text: str) -> None:
        """A game begins like one before."""
        machine, state = self.openings[text]
        self.begun = self.going = True
        self.line, self.events, self.wrong, self.machine = number, 0, None, machine
        self._begin(machine, state[:])

    def _begin(self, machine: Machine, state: State) -> None:
        self.state = state
        self.known = self._known.setdefault(machine, {})

    def _read(self, line: Mapping[str, Any]) -> Iterator[Any]:
        def instance_of(header: Header) -> Instance:
            self.machine = self.machine_of(header)
            return self.machine.instance

        alone = io.StringIO(json.dumps(line) + "\n")
        return read_trace(alone, self.spec, self.spec_hash, instance_of, self.strict)

    def event(self, number: int, line: Mapping[str, Any], text: str) -> None:
        """Reads one event, checks it and makes it happen."""
        machine = self._opened()
        try:
            event = machine.parse(line)
        except Unfit:
            self._unfit(number, line, machine)
            return
        self.happen(number, event, text)
        if "state" in line:
            if self.going:
                self._compare(number, line["state"])
        elif len(text) <= LONGEST_KNOWN:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            self.known[text] = event

    def happen(self, number: int, event: Happening, text: str) -> None:
        """Checks one event and makes it happen."""
        machine, state = self.machine, self.state
        assert machine is not None
        try:
            if machine.allow[event[0]](state, event):
                machine.do[event[0]](state, event)
                self.events += 1
            else:
                self._refused(number, json.loads(text), event)
        except EvaluationError as error:
            self._stop(Wrong(number, "error", f"the rules give up: {error.message}", None))

    def unreadable(self, error: TraceError) -> Iterator[Game]:
        """A line that is not even JSON; before any header it is a game of its own."""
        if self.going:
            self._stop(_unreadable(error))
        elif not self.begun:
            self.begun = True
            yield Game(error.line, None, 0, False, _unreadable(error))

    def close(self) -> Iterator[Game]:
        """The game before the next header, or before the end."""
        machine = self.machine
        if machine is not None:
            finished = self.wrong is None and machine.is_final(self.state)
            yield Game(self.line, machine.instance.players, self.events, finished, self.wrong)
        elif self.wrong is not None:
            yield Game(self.line, None, self.events, False, self.wrong)
        self.machine, self.wrong = None, None

    def _opened(self) -> Machine:
        assert self.machine is not None
        return self.machine

    def _stop(self, wrong: Wrong) -> None:
        self.wrong, self.going = wrong, False

    def _refused(self, number: int, line: Mapping[str, Any], event: Happening) -> None:
        machine = self._opened()
        said = write_line(machine.decode(event), machine.instance)
        if machine.is_final(self.state):
            help: str | None = "the game was over before"
        else:
            help = None
        broken = tuple(machine.broken(self.state, event))
        self._stop(Wrong(number, "illegal", f"`{said}` is not legal", help, broken, line))

    def _unfit(self, number: int, line: Mapping[str, Any], machine: Machine) -> None:
        """Says in words why a line is no event of this game."""
        try:
            decode_event(line, machine.instance)
        except UsageError as error:
            self._stop(Wrong(number, "unreadable", error.message, error.help))
            return
        raise AssertionError(f"line {number}: the fast reader and the slow one differ")

    def _compare(self, number: int, recorded: Any) -> None:
        """Compares the state with what the recorder says of it."""
        machine = self._opened()
        try:
            said = decode_variables(recorded, machine.instance)
        except UsageError as error:
            self._stop(Wrong(number, "unreadable", error.message, error.help))
            return
        position = machine.position(self.state)
        wrong = [name for name, value in said.items() if position[name] != value]
        if wrong:
            name = wrong[0]
            type = machine.instance.variables[name].type
            there, then = (write(each[name], type, machine.instance) for each in (position, said))
            message = f"after this event `{name}` is not what was recorded"
            help = f"the event is legal and leads to {name} = {there}; recorded is {then}"
            self._stop(Wrong(number, "differs", message, help))


def _unreadable(error: TraceError) -> Wrong:
    return Wrong(error.line, "unreadable", error.message, error.help)
