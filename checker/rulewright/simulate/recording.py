"""Records games while they are played: as JSON lines, or one of them in another tool's format."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Protocol

from rulewright.frontend import LoadedSpec
from rulewright.play.io.itf import itf_text
from rulewright.play.io.trace import TraceWriter
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position
from rulewright.simulate.watched_games import Listener


class Recorder(Protocol):
    """Records games one after the other."""

    def game(self, instance: Instance) -> Listener | None:
        """What listens to the next game; None if it is not recorded."""

    def close(self) -> None:
        """Nothing more will come."""


def recorder(stream: IO[str], file: str, checked: LoadedSpec, states: bool = False) -> Recorder:
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

    def game(self, instance: Instance) -> Listener:
        writer, states = self.writer, self.states
        begins = writer.stream.tell()

        def heard(event: Event | None, position: Callable[[], Position]) -> None:
            if event is None:
                writer.stream.seek(begins)  # it may begin again, played by another player
                writer.stream.truncate()
                writer.begin(instance, position())
            else:
                writer.event(instance, event, position() if states else None)

        return heard

    def close(self) -> None:
        """Every line is written already."""


class _Itf:
    """The first game, in the Informal Trace Format."""

    def __init__(self, stream: IO[str], source: str) -> None:
        self.stream = stream
        self.source = source
        self.instance: Instance | None = None
        self.states: list[tuple[Event | None, Position]] = []

    def game(self, instance: Instance) -> Listener | None:
        if self.instance is not None:
            return None
        self.instance = instance

        def heard(event: Event | None, position: Callable[[], Position]) -> None:
            if event is None:
                self.states.clear()
            self.states.append((event, position()))

        return heard

    def close(self) -> None:
        if self.instance is not None:
            self.stream.writelines(itf_text(self.instance, self.source, self.states))
