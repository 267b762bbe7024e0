"""Positions and events that a rulebook thought worth showing: those of the worked examples.

Every event that an example plays, and every one that it says is refused, is something two sets of
rules may disagree on; and a position from a rulebook is one that people recognise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from checker.change.subject import Subject, choices
from checker.change.witness import Witness, judged, shared
from checker.meaning import core as c
from checker.play.beginning import initial_position
from checker.play.errors import EvaluationError, UsageError
from checker.play.evaluate import Scene, evaluate, perform
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.rules import apply, failing
from checker.play.values import Position


def precedents(spec: c.Spec) -> Iterator[tuple[c.Example, Instance, Position, Event]]:
    """Each event of the examples, with the position it is tried in."""
    for example in spec.examples:
        if example.variant != spec.variant:
            continue
        try:
            instance = Instance(spec, example.players, dict(example.readings))
            position = initial_position(instance)
            scene = Scene(instance, position, dict(position))
            perform(example.given, scene)
            for found, event in _lines(example, instance, scene.now):
                yield example, instance, found, event
        except (UsageError, EvaluationError):
            continue


def _lines(
    example: c.Example, instance: Instance, position: Position
) -> Iterator[tuple[Position, Event]]:
    for line in example.lines:
        if isinstance(line, c.Expectation):
            continue
        tried = _event(line.event if isinstance(line, c.Refusal) else line, instance, position)
        yield position, tried
        if isinstance(line, c.Event):
            if failing(instance, position, tried):
                return
            position = apply(instance, position, tried)[-1].after


def _event(line: c.Event, instance: Instance, position: Position) -> Event:
    params = instance.transitions[line.transition].params
    scene = Scene(instance, position)
    given = {each.name: evaluate(value, scene) for each, value in zip(params, line.arguments)}
    return Event(line.transition, line.by, given)


def from_precedents(
    spec: c.Spec, subject: Subject, other_side: Callable[[Instance], Instance | None], new: bool
) -> Iterator[tuple[c.Example, Witness]]:
    """The events of a spec's examples of which the other side says something else. `other_side`
    gives the other spec in the same setting; `new` says that the examples are the new ones."""
    shape = subject.new if new else subject.old
    if not isinstance(shape, c.Transition) or shape.kind == "step":
        return
    for example, instance, position, event in precedents(spec):
        if event.name != shape.name:
            continue
        other = other_side(instance)
        if other is None:
            continue
        instances = (other, instance) if new else (instance, other)
        theirs = carried(position, instances, other)
        positions = (theirs, position) if new else (position, theirs)
        witness = judged(subject, instances, positions, choices(subject, event, int(new)))
        if witness is not None:
            yield example, witness


def carried(
    position: Mapping[str, Any], instances: tuple[Instance, Instance], other: Instance
) -> Position:
    """The position as the other side has it; variables of its own are as at the start."""
    names = shared(instances)
    start = initial_position(other)
    return {name: position[name] if name in names else start[name] for name in other.variables}
