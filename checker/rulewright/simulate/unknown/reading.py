"""Recorded games with parts unknown: read from a stream, each held to the rules as a whole.

A line may leave out what is unknown or have null there. What a record says of a state variable, an
event or an argument that is named as unknown is not looked at; an argument that is only put into
an unknown variable counts where it is recorded.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, Any

from rulewright.play.io.json_codec import (
    DecodeError,
    decode,
    decode_event,
    decode_variables,
)
from rulewright.play.io.notation import write_line
from rulewright.play.io.trace import (
    HEADER_HELP,
    Header,
    TraceError,
    TraceWriter,
    json_lines,
    outdated,
    read_header,
    start_position,
)
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.event import named
from rulewright.play.semantics.initial_states import initial_position, open_variables
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position
from rulewright.simulate.replay import RecordedGame, TraceFault, TraceNotice
from rulewright.simulate.unknown.deals import Deals, Found, Line
from rulewright.simulate.unknown.fresh import fresh
from rulewright.simulate.unknown.names import Unknown
from rulewright.simulate.unknown.symbols import Condition, both


def replay_unknown(
    stream: IO[str],
    spec: str,
    spec_hash: str | None,
    instance_of: Callable[[Header], Instance],
    strict: bool,
    names: Sequence[str],
) -> Iterator[RecordedGame | TraceNotice]:
    """Checks the games in a stream of which the names are unknown."""
    game: _Game | None = None
    begun = False
    for found in json_lines(stream):
        if isinstance(found, TraceError):
            if game is None:
                begun = True
                yield RecordedGame(found.line, None, 0, False, _unreadable(found.line, found))
            else:
                game.stop(found.line, found)
            continue
        number, line = found
        if "rulewright" in line:
            if game is not None:
                yield game.result(spec_hash)
            begun, game = True, _Game(number, names)
            yield from game.open(line, spec, spec_hash, instance_of, strict)
        elif game is not None:
            game.add(number, line)
        elif not begun:
            begun = True
            error = TraceError(number, "the trace does not begin with a header", HEADER_HELP)
            yield RecordedGame(number, None, 0, False, _unreadable(number, error))
    if game is not None:
        yield game.result(spec_hash)
    elif not begun:
        error = TraceError(1, "the trace is empty", HEADER_HELP)
        yield RecordedGame(1, None, 0, False, _unreadable(1, error))


class _Game:
    """One game, read to its end before anything is asked."""

    def __init__(self, line: int, names: Sequence[str]) -> None:
        self.line = line
        self.names = names
        self.instance: Instance | None = None
        self.wrong: TraceFault | None = None
        self.lines: list[Line] = []
        self.numbers: list[tuple[int, Mapping[str, Any]]] = []

    def open(
        self, line: Mapping[str, Any], spec: str, spec_hash: str | None,
        instance_of: Callable[[Header], Instance], strict: bool,
    ) -> Iterator[TraceNotice]:  # fmt: skip
        """The game begins."""
        try:
            header = read_header(line, self.line, spec)
            old = outdated(header, spec_hash, strict)
            if old is not None and not old.warning:
                raise old
            if old is not None:
                yield TraceNotice(self.line, old.message, old.help)
            self.instance = instance_of(header)
            self.unknown = Unknown(self.instance, self.names)
            self.midway = header.position is not None
            self.begin, self.condition = _beginning(header, self.instance, self.unknown)
        except UsageError as error:
            self.stop(self.line, error)

    def add(self, number: int, line: Mapping[str, Any]) -> None:
        """One more event."""
        if self.wrong is not None or self.instance is None:
            return
        try:
            self.lines.append(_line(line, self.instance, self.unknown))
            self.numbers.append((number, line))
        except UsageError as error:
            self.stop(number, error)

    def stop(self, number: int, error: UsageError) -> None:
        """A line that cannot be read: what came before it is still looked at."""
        if self.wrong is None:
            self.wrong = _unreadable(number, error)

    def result(self, spec_hash: str | None) -> RecordedGame:
        """What comes of the game."""
        instance = self.instance
        if instance is None or (self.wrong is not None and self.wrong.line == self.line):
            return RecordedGame(self.line, None, 0, False, self.wrong)
        start = () if self.midway else instance.spec.start
        deals = Deals(instance, self.begin, self.condition, start, self.unknown, self.midway)
        try:
            found = deals.find(self.lines)
        except UsageError as error:
            wrong = _unreadable(self.line, error)
            return RecordedGame(self.line, instance.players, 0, False, wrong)
        players = instance.players
        if found.start is not None:
            deal = None if self.wrong else _written(instance, found, self.midway, spec_hash)
            return RecordedGame(self.line, players, found.events, found.finished, self.wrong, deal)
        return RecordedGame(self.line, players, found.events, False, self._fault(found))

    def _fault(self, found: Found) -> TraceFault:
        names = ", ".join(f"`{each}`" for each in self.names)
        if not self.numbers:
            message = f"no values of {names} let the game begin like this"
            return TraceFault(self.line, "illegal", message, None)
        number, line = self.numbers[found.events]
        if found.given_up:
            message = "whether there is a deal that allows the game was not decided"
            help = "record more of it, or name less"
            return TraceFault(number, "undecided", message, help, (), line)
        said = self._said(line)
        if found.differs and not found.refused_by:
            message = f"no values of {names} lead to the state recorded after {said}"
            return TraceFault(number, "differs", message, None, (), line)
        message = f"no values of {names} allow {said}, with all that came before"
        return TraceFault(number, "illegal", message, None, found.refused_by, line)

    def _said(self, line: Mapping[str, Any]) -> str:
        """A recorded event in words, as far as it is known."""
        assert self.instance is not None
        try:
            event = decode_event(line, self.instance)
        except UsageError:
            return f"`{line.get('move') or line.get('chance')}`"
        return f"`{write_line(event, self.instance)}`"


def _unreadable(number: int, error: UsageError) -> TraceFault:
    return TraceFault(number, "unreadable", error.message, error.help)


def _beginning(header: Header, instance: Instance, unknown: Unknown) -> tuple[Position, Condition]:
    """The position a game begins in, and what holds of what is unknown of it."""
    if header.position is None:
        known = {k: v for k, v in header.start.items() if k not in unknown.variables}
        position = start_position(known, instance)
        sought = [name for name in open_variables(instance) if name in unknown.variables]
    else:
        known = {k: v for k, v in header.position.items() if k not in unknown.variables}
        given = decode_variables(known, instance)
        missing = [name for name in instance.variables if name not in given]
        sought = [name for name in missing if name in unknown.variables]
        for name in missing:
            if name not in unknown.variables:
                help = "give every state variable but those that are unknown"
                raise DecodeError(f"the position does not say `{name}`", help)
        position = {**initial_position(instance), **given}
    conditions = []
    for name in sought:
        variable = instance.variables[name]
        position[name], condition = fresh(variable.type, name, instance, unknown.context)
        conditions.append(condition)
    return {name: position[name] for name in instance.variables}, both(*conditions)


def _line(line: Mapping[str, Any], instance: Instance, unknown: Unknown) -> Line:
    """An event, short of what is unknown."""
    kind = "move" if "move" in line else "chance"
    name = line.get(kind)
    arguments = line.get("args", {})
    if not isinstance(name, str) or not isinstance(arguments, dict):
        decode_event(line, instance)  # says what is wrong
        raise DecodeError("this is no event", 'like {"move": "NAME", "by": 1, "args": {}}')
    transition = named(instance, kind, name)
    types = {param.name: param.type for param in transition.params}
    known = {
        key: value for key, value in arguments.items()
        if not unknown.is_secret(name, key)
        and (value is not None or not unknown.may_miss(name, key))
    }  # fmt: skip
    missing = {key for key in types if key not in known and unknown.may_miss(name, key)}
    rest = [key for key in types if key not in missing and key not in known]
    if kind == "move" and "by" not in line:
        raise DecodeError("the move does not say whose it is", 'add "by": a player\'s number')
    by = decode(line["by"], instance.player, instance, "by") if kind == "move" else None
    if rest or (set(arguments) - set(types)) or not missing:
        decode_event({**line, "args": known}, instance)
    values = {key: decode(value, types[key], instance, f"args.{key}")
              for key, value in known.items()}  # fmt: skip
    said = decode_variables(line.get("state") or {}, instance)
    state = {key: value for key, value in said.items() if key not in unknown.variables}
    return Line(transition, by, values, state)


def _written(
    instance: Instance, found: Found, midway: bool, spec_hash: str | None
) -> tuple[str, ...]:
    """A game with what was found, as the lines of a trace that `replay` can read."""
    stream = io.StringIO()
    writer = TraceWriter(stream, spec_hash)
    assert found.start is not None
    writer.begin(instance, found.start, midway)
    for event in found.played:
        writer.event(instance, event)
    return tuple(stream.getvalue().splitlines())
