"""What there is to choose from: every start of a game, every choice of mover and parameters.

Everything is listed value by value. Where that would be too much, `TooManyError` says so, and
nothing is concluded from what was left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import unmet
from rulewright.play.semantics.values import BagValue, Position, changed, frozen, stray, uniform_map

MOST_CHOICES = 300
"""Choices of mover and parameters of one transition; one with more is not gone through."""
MOST_STARTS = 128


class TooManyError(Exception):
    """There is more than is gone through."""


def beginnings(instance: Instance) -> tuple[list[Position], bool]:
    """The positions a game can begin with, and whether everything asked on the way has a value."""
    nowhere = Environment(instance, {})
    fixed: Position = {}
    safe = True
    for name, variable in instance.variables.items():
        if variable.initial is not None:
            try:
                fixed[name] = evaluate(variable.initial, nowhere)
            except EvaluationError:
                return [], False
            if stray(fixed[name], variable.type, instance) is not None:
                return [], False
    open_types = {n: v.type for n, v in instance.variables.items() if v.initial is None}
    found = []
    for values in choices(open_types, instance, MOST_STARTS):
        position = {name: {**fixed, **values}[name] for name in instance.variables}
        try:
            if not unmet(instance.spec.start, Environment(instance, position)):
                found.append(position)
        except EvaluationError:
            safe = False
    return found, safe


def choices(types: Mapping[str, y.Type], instance: Instance, most: int) -> Iterator[dict[str, Any]]:
    """Every choice of values of these types, if there are not too many."""
    every = [_values(each, instance, most) for each in types.values()]
    count = 1
    for each in every:
        count *= len(each)
    if count > most:
        raise TooManyError
    for values in product(*every):
        yield dict(zip(types, values))


def _values(type: y.Type, instance: Instance, most: int) -> list[Any]:
    match type:
        case y.Option(inner):
            return [None, *_values(inner, instance, most)]
        case y.Map(key, inner):
            keys = list(instance.order(key))
            inside = _values(inner, instance, most)
            if len(inside) ** len(keys) > most:
                raise TooManyError
            maps = []
            for each in product(inside, repeat=len(keys)):
                map = uniform_map(type, instance, inside[0])
                for one, value in zip(keys, each):
                    map = changed(map, one, value)
                maps.append(map)
            return maps
        case y.Set(element):
            if 2 ** len(instance.order(element)) > most:
                raise TooManyError
            return list(instance.order(type))
        case y.Bag() | y.Int(None, _) | y.Int(_, None):
            raise TooManyError
        case _:
            return list(instance.order(type))


def event_of(transition: c.Transition, values: Mapping[str, Any]) -> Event:
    """The event of a transition with these values for its mover and parameters."""
    by = values[transition.mover] if transition.mover else None
    return Event(transition.name, by, {each.name: values[each.name] for each in transition.params})


def key_of(position: Position) -> tuple[Any, ...]:
    """The same for the same position."""
    return tuple([_frozen(each) for each in position.values()])


def _frozen(value: Any) -> Any:
    if isinstance(value, BagValue):
        return frozenset(value.counts.items())
    if isinstance(value, Mapping):
        return frozenset((key, _frozen(each)) for key, each in value.items())
    return frozen(value)
