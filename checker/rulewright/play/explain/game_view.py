"""A game as it is shown, whoever found it: a witness, a counterexample, a way to a difference.

For people it is lines, with the last position drawn; for programs it is JSON, or a trace that
replays. Reports on a terminal, HTML reports and JSON all take their games from here; the pages of
`site` draw the same events in pictures and sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

from rulewright.play.explain.text_picture import picture
from rulewright.play.io.json_codec import encode_event, encode_position
from rulewright.play.io.notation import write, write_line
from rulewright.play.io.trace import TraceWriter, encode_start
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import start_of
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position
from rulewright.report.text_width import counted
from rulewright.syntax.node import Node


class GameView(Node):
    """A game of an instance: where it begins, what happens, where it ends. From the event with the
    number `loop` on it repeats itself; `stopped` says what its last event has no value for."""

    instance: Instance
    start: Mapping[str, Any]
    events: Sequence[Event]
    end: Mapping[str, Any]
    loop: int | None = None
    stopped: str | None = None

    def lines(self) -> Iterator[str]:
        """All of it: what was chosen to begin with, the events, the last position."""
        yield from (f"    begins with {line}" for line in self.beginning())
        for number, line in enumerate(event_lines(self.instance, self.events)):
            if number == self.loop:
                yield "  again and again:"
            yield f"    {line}"
        if self.stopped is not None:
            yield f"    which stops: {self.stopped}"
        yield ""
        yield from position_lines(self.instance, self.end)

    def beginning(self) -> list[str]:
        """What was chosen to begin with, `name = value`."""
        instance = self.instance
        return [
            f"{name} = {write(value, instance.variables[name].type, instance)}"
            for name, value in start_of(instance, dict(self.start)).items()
        ]

    def data(self) -> dict[str, object]:
        """The game in JSON; `start` is what the header of a trace calls so."""
        return {
            "trace": events_data(self.instance, self.events),
            "start": encode_start(self.instance, dict(self.start)),
            "position": encode_position(dict(self.end), self.instance),
            "loop": self.loop,
        }

    def save(self, stream: IO[str], spec_hash: str | None) -> None:
        """Writes the game as a trace."""
        writer = TraceWriter(stream, spec_hash)
        writer.begin(self.instance, dict(self.start))
        for event in self.events:
            writer.event(self.instance, event)


def event_lines(
    instance: Instance, events: Sequence[Event], most: int | None = None
) -> Iterator[str]:
    """Events in the language's own notation; with `most`, of a long game only the last."""
    hidden = 0 if most is None else max(0, len(events) - most)
    if hidden:
        yield f"… {counted(hidden, 'event')}"
    yield from (write_line(event, instance) for event in events[hidden:])


def events_data(instance: Instance, events: Sequence[Event]) -> list[dict[str, Any]]:
    """Events in JSON."""
    return [encode_event(each, instance) for each in events]


def position_lines(instance: Instance, position: Position | Mapping[str, Any]) -> Iterator[str]:
    """A position, drawn and indented."""
    for line in picture(instance, dict(position)):
        yield f"    {line}".rstrip()
    yield ""
