"""Goes through choices of values and gives up on one as soon as a condition rules it out.

Values are chosen place by place: a plain parameter, or one key of a map. After each choice the
conditions still open are tried on what is known so far: one that needs something not yet chosen
stays open, one that fails ends the branch. Used for moves, chance events and initial positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.errors import EvaluationError, Unbound, UsageError
from checker.play.evaluate import Scene, choices, evaluate
from checker.play.instance import Instance, Order
from checker.play.values import Value, make_map
from checker.syntax.node import Node

MOST_PLACES = 256
LARGEST_SET = 12
"""Elements; sets of more are not gone through."""
WIDEST = 64
"""A condition over all of so many is taken apart into one for each."""


class Place(Node):
    """Something to be chosen: a name, or in a map the value at some keys."""

    name: str
    keys: tuple[Any, ...]
    values: tuple[Any, ...]


class Condition(Node):
    """An expression, and the values of names bound around it."""

    expression: c.Expr
    names: Mapping[str, Value]


class Draft(Mapping[Any, Any]):
    """A map of which some values are not chosen yet."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.chosen: dict[Any, Any] = {}

    def __getitem__(self, key: Any) -> Any:
        if key in self.order and key not in self.chosen:
            raise Unbound(key)
        return self.chosen[key]

    def __contains__(self, key: object) -> bool:
        return key in self.order

    def __iter__(self) -> Iterator[Any]:
        return iter(self.order)

    def __len__(self) -> int:
        return len(self.order)


class Choice:
    """The values chosen so far for some names of given types."""

    def __init__(self, types: Mapping[str, y.Type], instance: Instance) -> None:
        self.types = types
        self.instance = instance
        self.chosen: dict[str, Any] = {
            name: _draft(type, instance) for name, type in types.items() if isinstance(type, y.Map)
        }

    def places(self) -> list[Place]:
        """Everything there is to be chosen, in order."""
        found: list[Place] = []
        for name, type in self.types.items():
            found += _places(name, type, self.instance)
        if len(found) > MOST_PLACES:
            raise too_many(next(iter(self.types)))
        return found

    def put(self, place: Place, value: Any) -> None:
        """Chooses a value for a place."""
        self._holder(place)[_last(place)] = value

    def clear(self, place: Place) -> None:
        """Takes a choice back."""
        del self._holder(place)[_last(place)]

    def values(self) -> dict[str, Value]:
        """The values, all chosen."""
        return {
            name: _finished(self.chosen[name], type, self.instance)
            for name, type in self.types.items()
        }

    def _holder(self, place: Place) -> dict[Any, Any]:
        holder = self.chosen
        for step in (place.name, *place.keys)[:-1]:
            holder = holder[step]
            assert isinstance(holder, Draft)
            holder = holder.chosen
        return holder


def search(
    types: Mapping[str, y.Type], conditions: Sequence[Condition], known: Scene, in_state: bool
) -> Iterator[dict[str, Value]]:
    """Every choice of values for the names that no condition rules out, in order. Conditions
    that wait for yet other names are left to the caller. The names are local names, or
    (`in_state`) state variables, on top of those the scene knows."""
    choice = Choice(types, known.instance)
    places = choice.places()
    scene = scene_of(choice, known, in_state)

    def extend(depth: int, open_conditions: Sequence[Condition]) -> Iterator[dict[str, Value]]:
        still_open = remaining(open_conditions, scene, last=depth == len(places))
        if still_open is None:
            return
        if depth == len(places):
            yield choice.values()
            return
        for value in places[depth].values:
            choice.put(places[depth], value)
            yield from extend(depth + 1, still_open)
            choice.clear(places[depth])

    return extend(0, conditions)


def scene_of(choice: Choice, known: Scene, in_state: bool) -> Scene:
    """The scene with whatever is chosen at the time it is looked at."""
    chosen = choice.chosen
    if in_state:
        chosen.update(known.now)
        return Scene(known.instance, chosen, chosen, known.locals)
    chosen.update(known.locals)
    return Scene(known.instance, known.before, known.now, chosen)


def remaining(
    conditions: Sequence[Condition], scene: Scene, last: bool = False
) -> list[Condition] | None:
    """The conditions that what is known does not decide, None if one of them fails. One without
    a value may lean on another that fails later; if there is nothing more to choose (`last`),
    its error is raised."""
    found: list[Condition] = []
    errors: list[EvaluationError] = []
    for condition in conditions:
        inside = scene.enter({**scene.locals, **condition.names}) if condition.names else scene
        try:
            if not evaluate(condition.expression, inside):
                return None
        except Unbound:
            found.append(condition)
        except EvaluationError as error:
            found.append(condition)
            errors.append(error)
    if last and errors:
        raise errors[0]
    return found


def conditions_of(needed: Sequence[c.Requirement], scene: Scene) -> list[Condition]:
    """Requirements taken apart into conditions that are decided as early as possible."""
    return [part for each in needed for part in _parts(Condition(each.condition, {}), scene)]


def too_many(name: str) -> UsageError:
    return UsageError(
        f"`{name}` has too many possible values to go through",
        "give the move a `propose` line, or the variable an initial value",
    )


def _parts(condition: Condition, scene: Scene) -> Iterator[Condition]:
    """`a and b` is two conditions, `all x: T: c` one for each x."""
    match condition.expression:
        case c.Binary(operator="and", left=left, right=right):
            yield from _parts(Condition(left, condition.names), scene)
            yield from _parts(Condition(right, condition.names), scene)
        case c.Quantify(kind="all", binders=binders, where=where, body=body, span=span) if (
            _width(binders, scene.instance) <= WIDEST
        ):
            if where is not None:
                body = c.Binary(span, y.BOOL, "implies", where, body)
            for inside in choices(binders, None, Scene(scene.instance, {}, locals=condition.names)):
                yield from _parts(Condition(body, inside.locals), scene)
        case _:
            yield condition


def _width(binders: Sequence[c.Binder], instance: Instance) -> int:
    """How many choices there are; more than can be counted where a name is drawn from a value."""
    width = 1
    for binder in binders:
        width *= WIDEST + 1 if binder.low is not None else len(instance.order(binder.type))
    return width


def _places(name: str, type: y.Type, instance: Instance) -> list[Place]:
    match type:
        case y.Map(key, inside):
            if (y.most_values(key) or 0) > MOST_PLACES:
                raise too_many(name)
            return [
                Place(name, (each, *inner.keys), inner.values)
                for each in instance.order(key)
                for inner in _places(name, inside, instance)
            ]
        case y.Set(element) if (y.most_values(element) or LARGEST_SET + 1) > LARGEST_SET:
            raise too_many(name)
        case y.Bag() | y.Int(None, _) | y.Int(_, None):
            raise too_many(name)
        case _:
            return [Place(name, (), tuple(instance.order(type)))]


def _draft(type: y.Type, instance: Instance) -> Any:
    assert isinstance(type, y.Map)
    draft = Draft(instance.order(type.key))
    if isinstance(type.value, y.Map):
        draft.chosen = {key: _draft(type.value, instance) for key in draft.order}
    return draft


def _last(place: Place) -> Any:
    return place.keys[-1] if place.keys else place.name


def _finished(value: Any, type: y.Type, instance: Instance) -> Any:
    if not isinstance(type, y.Map):
        return value
    return make_map(type, instance, lambda key: _finished(value[key], type.value, instance))
