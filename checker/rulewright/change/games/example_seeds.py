"""Seeds of searches: the positions and events of the worked examples.

Every event that an example plays, and every one that it says is refused, is something two sets of
rules may disagree on; and a position from a rulebook is one that people recognise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rulewright.change.semantic.witness import Witness, judge_witness, shared
from rulewright.change.text.subject import choices
from rulewright.meaning import core as c
from rulewright.meaning.counterparts import Subject
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate, perform
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import apply, failing
from rulewright.play.semantics.values import Position


def example_seeds(spec: c.Spec) -> Iterator[tuple[c.Example, Instance, Position, Event]]:
    """Each event of the examples, with the position it is tried in."""
    for example in spec.examples:
        if example.variant != spec.variant:
            continue
        try:
            instance = Instance(spec, example.players, dict(example.readings))
            position = initial_position(instance)
            env = Environment(instance, position, dict(position))
            perform(example.given, env)
            for found, event in _lines(example, instance, env.now):
                yield example, instance, found, event
        except (UsageError, EvaluationError):
            continue


def _lines(
    example: c.Example, instance: Instance, position: Position
) -> Iterator[tuple[Position, Event]]:
    for line in example.lines:
        if isinstance(line, c.Expectation):
            continue
        tried = _event(
            line.event if isinstance(line, c.ExpectedRefusal) else line, instance, position
        )
        yield position, tried
        if isinstance(line, c.ExampleEvent):
            if failing(instance, position, tried):
                return
            position = apply(instance, position, tried)[-1].after


def _event(line: c.ExampleEvent, instance: Instance, position: Position) -> Event:
    params = instance.transitions[line.transition].params
    env = Environment(instance, position)
    given = {each.name: evaluate(value, env) for each, value in zip(params, line.arguments)}
    return Event(line.transition, line.by, given)


def from_example_seeds(
    spec: c.Spec, subject: Subject, other_side: Callable[[Instance], Instance | None], new: bool
) -> Iterator[tuple[c.Example, Witness]]:
    """The events of a spec's examples of which the other side says something else. `other_side`
    gives the other spec in the same setting; `new` says that the examples are the new ones."""
    shape = subject.new if new else subject.old
    if not isinstance(shape, c.Transition) or shape.kind == "step":
        return
    for example, instance, position, event in example_seeds(spec):
        if event.name != shape.name:
            continue
        other = other_side(instance)
        if other is None:
            continue
        instances = (other, instance) if new else (instance, other)
        theirs = carried(position, instances, other)
        positions = (theirs, position) if new else (position, theirs)
        witness = judge_witness(subject, instances, positions, choices(subject, event, int(new)))
        if witness is not None:
            yield example, witness


def carried(
    position: Mapping[str, Any], instances: tuple[Instance, Instance], other: Instance
) -> Position:
    """The position as the other side has it; variables of its own are as at the start."""
    names = shared(instances)
    start = initial_position(other)
    return {name: position[name] if name in names else start[name] for name in other.variables}
