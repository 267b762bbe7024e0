"""Where a game begins: the initial positions.

Variables with an initial value have it; the others begin with any values that the requirements
under `start` allow. The first allowed choice, in the order of the types, is the usual one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from checker.meaning import types as y
from checker.play.errors import EvaluationError, UsageError
from checker.play.evaluate import Scene, evaluate
from checker.play.instance import Instance, listed, nearest
from checker.play.rules import unmet
from checker.play.search import conditions_of, search
from checker.play.values import Position, Value, stray, text


def initial_positions(instance: Instance) -> Iterator[Position]:
    """Every position a game can begin with, in the order of the types."""
    return _beginnings(instance, {})


def initial_position(instance: Instance, start: Mapping[str, Value] | None = None) -> Position:
    """The first position that a game can begin with, given the chosen values of `start`."""
    chosen = start or {}
    for name in chosen:
        _check_open(instance, name)
    found = next(_beginnings(instance, chosen), None)
    if found is not None:
        return found
    whole = _position(instance, {**_fixed(instance), **chosen})
    if len(whole) == len(instance.variables):
        labels = listed(each.label for each in unmet(instance.spec.start, Scene(instance, whole)))
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


def _beginnings(instance: Instance, chosen: Mapping[str, Value]) -> Iterator[Position]:
    fixed = {**_fixed(instance), **chosen}
    types = {name: type for name, type in open_variables(instance).items() if name not in chosen}
    scene = Scene(instance, fixed)
    conditions = conditions_of(instance.spec.start, scene)
    for values in search(types, conditions, scene, in_state=True):
        yield _position(instance, {**fixed, **values})


def _fixed(instance: Instance) -> Position:
    """The initial values that are given."""
    nowhere = Scene(instance, {})
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
