"""An example line by line: the position before each, and what happened by it."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.meaning import core as c
from rulewright.play.explain.examples import PlayedExample
from rulewright.play.semantics import evaluate as evaluation
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import TakenTransition
from rulewright.play.semantics.values import Position
from rulewright.syntax.node import Node


class ExampleStep(Node):
    """One line of an example, the position before it, and what happened by it (nothing, if it is
    no event)."""

    line: c.ExampleEvent | c.ExpectedRefusal | c.Expectation
    before: Position
    happened: tuple[TakenTransition, ...]


def steps(played: PlayedExample) -> Iterator[ExampleStep]:
    """The lines of an example, each event with the transitions it set off."""
    happened = list(played.happened)
    position = given(played)
    for line in played.example.lines:
        mine: list[TakenTransition] = []
        before = position
        if isinstance(line, c.ExampleEvent):
            if not happened:
                return
            mine.append(happened.pop(0))
            while happened and happened[0].event is None:
                mine.append(happened.pop(0))
            position = mine[-1].after
        yield ExampleStep(line, before, tuple(mine))


def given(played: PlayedExample) -> Position:
    """The position an example begins with."""
    if played.happened:
        return played.happened[0].before
    assert played.position is not None
    return played.position


def position_after(played: PlayedExample, number: int) -> Position:
    """The position after so many lines of an example; 0 is what is given."""
    position = given(played)
    for step in list(steps(played))[:number]:
        if step.happened:
            position = step.happened[-1].after
    return position


def tried(line: c.ExampleEvent, instance: Instance, position: Position) -> Event:
    """An event of an example with its arguments worked out in a position."""
    scene = evaluation.Environment(instance, position)
    params = instance.transitions[line.transition].params
    values = {
        param.name: evaluation.evaluate(argument, scene)
        for param, argument in zip(params, line.arguments)
    }
    return Event(line.transition, line.by, values)
