"""Recorded games: JSON lines, a header for each game and then its events.

Reading goes line by line and keeps one at a time, so a million lines cost no more memory than one.
What is wrong with a line is handed on as a TraceError with its number, and reading goes on with
the next game in the file. Whether the events are legal is not asked here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any

from rulewright.play.io.json_codec import (
    DecodeError,
    decode,
    decode_event,
    decode_position,
    decode_variables,
    encode,
    encode_event,
    encode_position,
    excerpt,
)
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position, start_of
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position, Value
from rulewright.syntax.node import Node

VERSION = 1
LONGEST_LINE = 500_000
"""Characters; a position of a big board takes a tenth of it."""
HEADER_HELP = 'its first line should be like {"rulewright": 1, "spec": "NAME", "players": 2}'


class Header(Node):
    """What a game was recorded with; `start` and `position` are still JSON. A game that begins in
    the middle has its `position`."""

    line: int
    spec: str
    spec_hash: str | None
    players: int | None
    readings: Mapping[str, str]
    variant: str | None
    start: Mapping[str, Any]
    position: Mapping[str, Any] | None = None


class OpenedGame(Node):
    """A game begins."""

    header: Header
    instance: Instance
    position: Position


class RecordedEvent(Node):
    """An event, and what the recorder says of the state after it."""

    line: int
    event: Event
    state: Mapping[str, Value] | None


class TraceError(UsageError):
    """What is wrong with a line. After a warning the game goes on, else it is left out."""

    def __init__(
        self, line: int, message: str, help: str | None = None, warning: bool = False
    ) -> None:
        super().__init__(message, help)
        self.line = line
        self.warning = warning


def read_trace(
    stream: IO[str],
    spec: str,
    spec_hash: str | None,
    instance_of: Callable[[Header], Instance],
    strict: bool = False,
) -> Iterator[OpenedGame | RecordedEvent | TraceError]:
    """The games in a stream, one thing after the other. `instance_of` gives the game that a
    header asks for or raises a UsageError; `strict` refuses games of another version."""
    reader = _Reader(spec, spec_hash, instance_of, strict)
    for found in json_lines(stream):
        if isinstance(found, TraceError):
            reader.leave_out = True
            yield found
            continue
        number, line = found
        try:
            yield from (reader.header if "rulewright" in line else reader.event)(number, line)
        except UsageError as error:
            reader.leave_out = True
            yield TraceError(number, error.message, error.help)
    if not reader.began and not reader.leave_out:
        yield TraceError(1, "the trace is empty", HEADER_HELP)


class _Reader:
    """Knows which game a line belongs to, and whether the rest of it is left out."""

    def __init__(
        self,
        spec: str,
        spec_hash: str | None,
        instance_of: Callable[[Header], Instance],
        strict: bool,
    ) -> None:
        self.spec = spec
        self.spec_hash = spec_hash
        self.instance_of = instance_of
        self.strict = strict
        self.instance: Instance | None = None
        self.began = False
        self.leave_out = False

    def header(self, number: int, line: Mapping[str, Any]) -> Iterator[OpenedGame | TraceError]:
        self.began, self.leave_out = True, False
        header = read_header(line, number, self.spec)
        old = outdated(header, self.spec_hash, self.strict)
        if old is not None:
            yield old
            self.leave_out = not old.warning
        if not self.leave_out:
            self.instance = self.instance_of(header)
            yield OpenedGame(header, self.instance, _start(header, self.instance))

    def event(self, number: int, line: Mapping[str, Any]) -> Iterator[RecordedEvent]:
        if self.leave_out:
            return
        if self.instance is None:
            raise UsageError("the trace does not begin with a header", HEADER_HELP)
        state = line.get("state")
        after = None if state is None else decode_variables(state, self.instance)
        yield RecordedEvent(number, decode_event(line, self.instance), after)


def json_lines(stream: IO[str]) -> Iterator[tuple[int, dict[str, Any]] | TraceError]:
    """The JSON objects of a stream with their line numbers; empty lines are passed over."""
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            while line and not line.endswith("\n"):
                line = stream.readline(LONGEST_LINE)
            message = f"the line is longer than {LONGEST_LINE:,} characters"
            yield TraceError(number, message, "a trace has one event on each line")
        elif line.strip():
            yield _parsed(line, number)


def read_header(line: Mapping[str, Any], number: int, spec: str) -> Header:
    """The header of a game of this spec."""
    version = line["rulewright"]
    if version != VERSION or isinstance(version, bool):
        message = f"the trace is in version {excerpt(version)} of the format, this reads {VERSION}"
        raise TraceError(number, message, "record the game again")
    name = _member(line, "spec", str, "the name of a game", number)
    if name != spec:
        raise TraceError(
            number, f"this is a trace of `{name}`, not of `{spec}`", f"replay it with `{name}`"
        )
    readings = _member(line, "readings", dict, "an object", number) or {}
    if not all(isinstance(option, str) for option in readings.values()):
        raise TraceError(number, "`readings` should give the name of an option for each reading")
    return Header(
        number,
        name,
        _member(line, "spec_hash", str, "a text", number),
        _member(line, "players", int, "a number of players", number),
        readings,
        _member(line, "variant", str, "the name of a variant", number),
        _member(line, "start", dict, "an object", number) or {},
        _member(line, "position", dict, "an object", number),
    )


class TraceWriter:
    """Writes games to a stream, each with its header."""

    def __init__(self, stream: IO[str], spec_hash: str | None) -> None:
        self.stream = stream
        self.spec_hash = spec_hash

    def begin(self, instance: Instance, position: Position, midway: bool = False) -> None:
        """A game begins in this position, which `midway` says is not one that games begin in."""
        self._write(
            {
                "rulewright": VERSION,
                "spec": instance.spec.name,
                "spec_hash": self.spec_hash,
                "players": instance.players,
                "readings": instance.readings,
                "variant": instance.spec.variant,
                "start": encode_start(instance, position),
                **({"position": encode_position(position, instance)} if midway else {}),
            }
        )

    def event(self, instance: Instance, event: Event, after: Position | None = None) -> None:
        """An event, if wanted with the position after it."""
        state = {} if after is None else {"state": encode_position(after, instance)}
        self._write({**encode_event(event, instance), **state})

    def _write(self, line: Mapping[str, Any]) -> None:
        self.stream.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")


def encode_start(instance: Instance, position: Position) -> dict[str, Any]:
    """What a game that begins in a position chooses to begin with, in JSON."""
    return {
        name: encode(value, instance.variables[name].type, instance)
        for name, value in start_of(instance, position).items()
    }


def _parsed(line: str, number: int) -> tuple[int, dict[str, Any]] | TraceError:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        if not line.endswith("\n"):
            return TraceError(
                number, "the trace is cut off in the middle of this line", "record the game again"
            )
        message = f"this is not JSON: {excerpt(line.strip())}"
        return TraceError(number, message, "each line is a JSON object")
    if not isinstance(found, dict):
        message = f"an event should be an object, but this is {excerpt(found)}"
        return TraceError(number, message, "each line is a JSON object")
    return number, found


def outdated(header: Header, spec_hash: str | None, strict: bool) -> TraceError | None:
    """What to say of a game that was recorded with other rules than the present ones."""
    if header.spec_hash is None or spec_hash is None or header.spec_hash == spec_hash:
        return None
    return TraceError(
        header.line,
        f"the game was recorded with version {excerpt(header.spec_hash)} of the rules, these are "
        f"{excerpt(spec_hash)}",
        "record it again, or replay it with the spec of that version"
        if strict
        else "it is checked against the present rules; record it again to be sure",
        warning=not strict,
    )


def _start(header: Header, instance: Instance) -> Position:
    """The position that a game begins with; one that it is said to begin in is taken as it is."""
    if header.position is not None:
        return decode_position(header.position, instance)
    return start_position(header.start, instance)


def start_position(start: Mapping[str, Any], instance: Instance) -> Position:
    """The first position that a game can begin with, given the chosen values of `start`."""
    chosen = {}
    for name, value in start.items():
        variable = instance.variables.get(name)
        if variable is None:
            raise DecodeError(f"`{instance.spec.name}` has no state variable `{name}`")
        chosen[name] = decode(value, variable.type, instance, f"start.{name}")
    return initial_position(instance, chosen)


def _member(line: Mapping[str, Any], name: str, kind: type, what: str, number: int) -> Any:
    """A member of a header, None if it is not there."""
    value = line.get(name)
    if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
        raise TraceError(number, f"`{name}` should be {what}, but is {excerpt(value)}")
    return value
