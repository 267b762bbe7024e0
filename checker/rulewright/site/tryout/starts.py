"""Where a reader can begin besides the beginning: worked examples, games that show a hole, and
positions where the readings of an open question part. Each is a position, with events that lead on
from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.meaning import core as c
from rulewright.play.explain.examples import PlayedExample
from rulewright.play.io.json_codec import (
    decode_event,
    decode_position,
    decode_variables,
    encode_event,
    encode_position,
)
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position
from rulewright.site.model.book import Book
from rulewright.site.model.example_steps import given, steps, tried
from rulewright.site.model.verdicts import PublishedVerdict
from rulewright.site.pages.questions_page import holes
from rulewright.site.words.links import expectation
from rulewright.site.words.markdown import spoken
from rulewright.syntax.node import Node

MOST_EVENTS = 400
"""A longer game is not offered: nobody would go through it."""


class Start(Node):
    """A position to begin with, and what happens there. A step that the rules refuse names the
    requirements that an example expects to do so."""

    kind: str
    name: str
    title: str
    players: int
    readings: Mapping[str, str]
    variant: str | None
    seats: tuple[str, ...]
    position: Mapping[str, Any]
    steps: tuple[Mapping[str, Any], ...]
    note: str = ""

    @property
    def address(self) -> str:
        """What stands after the `#` of a link to it."""
        return f"{self.kind}-{self.name}"

    def json(self) -> dict[str, Any]:
        """The start as the page has it."""
        return {field: getattr(self, field) for field in self._fields}


def starts(book: Book) -> list[Start]:
    """Examples, then holes, then open questions."""
    examples = [_example(each) for each in book.played if each.passed]
    return [*examples, *_holes(book), *_partings(book)]


def _example(played: PlayedExample) -> Start:
    shown, instance = played.example, played.instance
    lines: list[Mapping[str, Any]] = []
    for step in steps(played):
        match step.line:
            case c.ExampleEvent() if step.happened and step.happened[0].event is not None:
                lines.append({"event": encode_event(step.happened[0].event, instance)})
            case c.ExpectedRefusal():
                event = tried(step.line.event, instance, step.before)
                refused = list(step.line.because)
                lines.append({"event": encode_event(event, instance), "refused": refused})
            case _:
                pass
    title = shown.prose or spoken(shown.name)
    return _start("example", shown.name, title, instance, given(played), lines, shown.seats)


def _start(
    kind: str, name: str, title: str, instance: Instance, position: Position,
    lines: list[Mapping[str, Any]], seats: tuple[str, ...] = (), note: str = "",
) -> Start:  # fmt: skip
    return Start(
        kind, name, title, instance.players, instance.readings, instance.spec.variant, seats,
        encode_position(position, instance), tuple(lines), note,
    )  # fmt: skip


def _holes(book: Book) -> Iterator[Start]:
    """The shortest game that the prover found for each hole, where it found one."""
    for each in holes(book):
        readings = {} if each.under is None else {each.under[0]: each.under[1]}
        found = [one for one in book.status(each.subject, readings).verdicts if one.trace]
        found = [one for one in found if len(one.trace or ()) <= MOST_EVENTS]
        if not found:
            continue
        verdict = min(found, key=lambda one: len(one.trace or ()))
        try:
            instance, position, events = _game(book, verdict)
        except (UsageError, EvaluationError):
            continue  # its page says that it cannot be read
        expected = expectation(book.spec, each.subject, book.wording)
        title = book.wording("try_not_always", what=expected)
        lines: list[Mapping[str, Any]] = [{"event": encode_event(e, instance)} for e in events]
        name = f"{each.subject} {' '.join(each.under or ())}".strip()
        yield _start("hole", name, title, instance, position, lines, (), each.reason)


def _game(book: Book, verdict: PublishedVerdict) -> tuple[Instance, Position, list[Event]]:
    instance = _instance(book, verdict.players, verdict.readings, verdict.variant)
    chosen = decode_variables(verdict.start, instance) if verdict.start else {}
    events = [
        decode_event(each, instance)
        for each in verdict.trace or ()
        if isinstance(each, dict) and {"move", "chance"} & each.keys()
    ]
    return instance, initial_position(instance, chosen), events


def _partings(book: Book) -> Iterator[Start]:
    """For each other answer to an open question the first position where it makes a difference,
    played by the default answer."""
    for reading in book.spec.readings:
        for parting in book.verdicts.partings(book.hash, reading.name):
            try:
                found = next(_positions(book, reading, parting.differences), None)
            except (UsageError, EvaluationError, KeyError, TypeError, AttributeError):
                found = None  # its page says that it cannot be read
            if found is None:
                continue
            options = {each.name: each.prose for each in reading.options}
            note = options.get(parting.option, parting.option)
            instance, position, lines = found
            name = f"{reading.name} {parting.option}"
            yield _start("parting", name, reading.prose, instance, position, lines, (), note)


def _positions(
    book: Book, reading: c.Reading, differences: Any
) -> Iterator[tuple[Instance, Position, list[Mapping[str, Any]]]]:
    for difference in differences:
        witness = difference.get("witness")
        if witness is None:
            continue
        readings = {**witness["readings"], reading.name: reading.default}
        instance = _instance(book, witness["players"], readings, witness["variant"])
        position = decode_position(witness["position"], instance)
        lines: list[Mapping[str, Any]] = []
        if witness["move"] is not None:
            event = decode_event(witness["move"], instance)
            lines.append({"event": encode_event(event, instance)})
        yield instance, position, lines


def _instance(
    book: Book, players: int | None, readings: Mapping[str, str], variant: str | None
) -> Instance:
    core = book.spec if variant is None else book.checked.variant(variant)
    return Instance(core, players, dict(readings))
