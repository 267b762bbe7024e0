"""Where a game begins: the initial positions.

Variables with an initial value have it; the others begin with any values that the requirements
under `start` allow. The first allowed choice, in the order of the types, is the usual one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from rulewright.meaning import types as y
from rulewright.play.semantics.constraint_search import conditions_of, search
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.instance import Instance, listed, nearest
from rulewright.play.semantics.rules import unmet
from rulewright.play.semantics.values import Position, Value, stray, text


class Beginnings:
    """The positions that games can begin with, some values being chosen already."""

    def __init__(self, instance: Instance, chosen: Mapping[str, Value] | None = None) -> None:
        chosen = chosen or {}
        self._instance = instance
        self._fixed = {**_fixed(instance), **chosen}
        open_ = open_variables(instance)
        self._types = {name: type for name, type in open_.items() if name not in chosen}
        self._scene = Environment(instance, self._fixed)
        self._conditions = conditions_of(instance.spec.start, self._scene)

    def choices(self, random: Random | None = None) -> Iterator[dict[str, Value]]:
        """What can be chosen, in the order of the types or in any order."""
        return search(self._types, self._conditions, self._scene, in_state=True, random=random)

    def positions(self, random: Random | None = None) -> Iterator[Position]:
        """The positions, in the order of the types or in any order."""
        for values in self.choices(random):
            yield _position(self._instance, {**self._fixed, **values})


def initial_positions(instance: Instance, random: Random | None = None) -> Iterator[Position]:
    """Every position a game can begin with, in the order of the types or in any order."""
    return Beginnings(instance).positions(random)


def initial_position(instance: Instance, start: Mapping[str, Value] | None = None) -> Position:
    """The first position that a game can begin with, given the chosen values of `start`."""
    chosen = start or {}
    for name in chosen:
        _check_open(instance, name)
    found = next(Beginnings(instance, chosen).positions(), None)
    if found is not None:
        return found
    whole = _position(instance, {**_fixed(instance), **chosen})
    if len(whole) == len(instance.variables):
        labels = listed(
            each.label for each in unmet(instance.spec.start, Environment(instance, whole))
        )
        raise UsageError("the game cannot begin like that", f"this is refused by {labels}")
    raise UsageError(
        "there is no way to begin the game" + (" like that" if chosen else ""),
        "the requirements under `start` refuse every choice",
    )


def open_variables(instance: Instance) -> dict[str, y.Type]:
    """The variables whose first value is a choice."""
    return {
        name: variable.type
        for name, variable in instance.variables.items()
        if variable.initial is None
    }


def start_of(instance: Instance, position: Position) -> dict[str, Value]:
    """What was chosen to begin with a position."""
    return {name: position[name] for name in open_variables(instance)}


def _fixed(instance: Instance) -> Position:
    """The initial values that are given."""
    nowhere = Environment(instance, {})
    fixed: Position = {}
    for name, variable in instance.variables.items():
        if variable.initial is not None:
            value = fixed[name] = evaluate(variable.initial, nowhere)
            beyond = stray(value, variable.type, instance)
            if beyond is not None:
                raise EvaluationError(
                    f"`{name}` begins with {text(beyond[0])}, outside {y.show(beyond[1])}",
                    variable.initial.span,
                )
    return fixed


def _position(instance: Instance, values: Mapping[str, Value]) -> Position:
    return {name: values[name] for name in instance.variables if name in values}


def _check_open(instance: Instance, name: str) -> None:
    known = open_variables(instance)
    if name in known:
        return
    if name in instance.variables:
        raise UsageError(f"`{name}` has an initial value of its own", "leave it out of `start`")
    raise UsageError(
        f"`{instance.spec.name}` has no state variable `{name}`",
        nearest(name, known, f"open at the start are {listed(known) or 'none'}"),
    )
