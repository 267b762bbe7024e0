"""How chance decides: each outcome is as likely as its weight says, compared with all others.

`outcomes` goes through all of them and is exact. `draw` picks one with the same odds without
going through all: parameters and keys of maps are first narrowed one by one, then chosen freely
and kept if all requirements hold. The random source is passed in and used for whole numbers only,
so that a seed gives the same game everywhere.
"""

from __future__ import annotations

from math import prod
from random import Random
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.constraint_search import (
    ChoicePoint,
    PartialChoice,
    conditions_of,
    remaining,
    scene_of,
)
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.legal_moves import legal_events, parameter_types
from rulewright.play.semantics.rules import failing
from rulewright.play.semantics.values import Position
from rulewright.syntax.node import Node

FEW = 256
"""So many outcomes are quicker gone through than narrowed."""
PATIENCE = 1000
"""So many choices in a row that requirements refuse, and all outcomes are gone through."""


def outcomes(instance: Instance, position: Position) -> list[tuple[Event, int]]:
    """Everything that chance can decide here, with its weight."""
    found = []
    for transition in instance.of_kind("chance"):
        for event in legal_events(instance, position, transition):
            found.append((event, weight_of(instance, position, event)))
    return found


def weight_of(instance: Instance, position: Position, event: Event) -> int:
    """How likely an event is, compared with others."""
    transition = instance.transitions[event.name]
    if transition.weight is None:
        return 1
    env = Environment(instance, position, locals=event.locals(transition))
    weight: int = evaluate(transition.weight, env)
    if weight < 0:
        message = f"the weight of `{event.name}` is {weight}, less than nothing"
        raise EvaluationError(message, transition.weight.span)
    return weight


def draw(instance: Instance, position: Position, random: Random) -> Event | None:
    """One outcome at random with its true odds; None if chance has nothing to decide."""
    urns = [
        urn
        for transition in instance.of_kind("chance")
        if (urn := _urn(instance, position, transition)) is not None
    ]
    if sum(urn.size for urn in urns) > FEW and all(urn.heaviest for urn in urns):
        for _ in range(PATIENCE):
            event = _try(instance, position, urns, random)
            if event is not None:
                return event
    weighted = outcomes(instance, position)
    total = sum(weight for _, weight in weighted)
    return _pick(weighted, random.randrange(total)) if total else None


class _Urn(Node):
    """A chance event with what each of its places can be, taken by itself; no outcome weighs
    more than `heaviest` (None: no limit is known)."""

    transition: c.Transition
    places: tuple[ChoicePoint, ...]
    heaviest: int | None

    @property
    def size(self) -> int:
        return prod(len(place.values) for place in self.places)


def _urn(instance: Instance, position: Position, transition: c.Transition) -> _Urn | None:
    """A chance event narrowed place by place, None if it cannot happen now."""
    env = Environment(instance, position)
    conditions = remaining(conditions_of(transition.requirements, env), env)
    if conditions is None:
        return None
    choice = PartialChoice(parameter_types(transition, instance), instance)
    inside = scene_of(choice, env, in_state=False)

    def possible(place: ChoicePoint, value: Any) -> bool:
        """Whether nothing rules the value out, whatever is chosen elsewhere."""
        choice.put(place, value)
        ruled_out = remaining(conditions, inside) is None
        choice.clear(place)
        return not ruled_out

    places = tuple(
        ChoicePoint(place.name, place.keys, tuple(v for v in place.values if possible(place, v)))
        for place in choice.places()
    )
    heaviest: int | None = 1
    if transition.weight is not None:
        assert isinstance(transition.weight.type, y.Int)
        heaviest = transition.weight.type.high
    return _Urn(transition, places, heaviest)


def _try(instance: Instance, position: Position, urns: list[_Urn], random: Random) -> Event | None:
    """One choice of all places, kept as often as its weight says; None if it is not kept."""
    sizes = [(urn, urn.size * (urn.heaviest or 0)) for urn in urns]
    urn = _pick(sizes, random.randrange(sum(size for _, size in sizes)))
    choice = PartialChoice(parameter_types(urn.transition, instance), instance)
    for place in urn.places:
        choice.put(place, place.values[random.randrange(len(place.values))])
    event = Event(urn.transition.name, None, choice.values())
    if failing(instance, position, event):
        return None
    weight = weight_of(instance, position, event)
    return event if random.randrange(urn.heaviest or 1) < weight else None


def _pick(weighted: list[tuple[Any, int]], number: int) -> Any:
    """What a number falls on when each has as many numbers as its weight."""
    for each, weight in weighted:
        if number < weight:
            return each
        number -= weight
    raise AssertionError(number)
