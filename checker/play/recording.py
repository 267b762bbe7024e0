"""Records games while they are played: as JSON lines, or one of them in another tool's format."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Protocol, TypeAlias

from checker.front import Checked
from checker.play.compile.layout import State
from checker.play.compiled import Happening, Machine
from checker.play.event import Event
from checker.play.itf import itf_text
from checker.play.trace import TraceWriter
from checker.play.values import Position

Listener: TypeAlias = "Callable[[Happening | None, State], None]"
"""Told of each event and the state after it, first (with no event) of the beginning."""


class Recorder(Protocol):
    """Records games one after the other."""

    def game(self, machine: Machine) -> Listener | None:
        """What listens to the next game; None if it is not recorded."""

    def close(self) -> None:
        """Nothing more will come."""


def recorder(stream: IO[str], file: str, checked: Checked, states: bool = False) -> Recorder:
    """A recorder for a file, in the format that its name asks for; JSON lines have the `states`
    after the events only if they are asked for."""
    if file.endswith(".itf.json"):
        return _Itf(stream, checked.file)
    return _Lines(stream, checked.hash, states)


class _Lines:
    """All games, as JSON lines."""

    def __init__(self, stream: IO[str], spec_hash: str | None, states: bool) -> None:
        self.writer = TraceWriter(stream, spec_hash)
        self.states = states

    def game(self, machine: Machine) -> Listener:
        instance, writer, states = machine.instance, self.writer, self.states

        def heard(event: Happening | None, state: State) -> None:
            if event is None:
                writer.begin(instance, machine.position(state))
            else:
                after = machine.position(state) if states else None
                writer.event(instance, machine.decode(event), after)

        return heard

    def close(self) -> None:
        """Every line is written already."""


class _Itf:
    """The first game, in the Informal Trace Format."""

    def __init__(self, stream: IO[str], source: str) -> None:
        self.stream = stream
        self.source = source
        self.machine: Machine | None = None
        self.states: list[tuple[Event | None, Position]] = []

    def game(self, machine: Machine) -> Listener | None:
        if self.machine is not None:
            return None
        self.machine = machine

        def heard(event: Happening | None, state: State) -> None:
            plain = None if event is None else machine.decode(event)
            self.states.append((plain, machine.position(state)))

        return heard

    def close(self) -> None:
        if self.machine is not None:
            self.stream.writelines(itf_text(self.machine.instance, self.source, self.states))
