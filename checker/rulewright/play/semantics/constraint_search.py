"""Goes through choices of values and gives up on one as soon as a condition rules it out.

Values are chosen place by place: a plain parameter, or one key of a map. After each choice the
conditions still open are tried on what is known so far: one that needs something not yet chosen
stays open, one that fails ends the branch. Used for moves, chance events and initial positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError, Unbound, UsageError
from rulewright.play.semantics.evaluate import Environment, choices, evaluate
from rulewright.play.semantics.instance import Instance, Order
from rulewright.play.semantics.values import Value, make_map
from rulewright.syntax.node import Node

MOST_PLACES = 256
LARGEST_SET = 12
"""Elements; sets of more are not gone through."""
WIDEST = 64
"""A condition over all of so many is taken apart into one for each."""


class ChoicePoint(Node):
    """Something to be chosen: a name, or in a map the value at some keys."""

    name: str
    keys: tuple[Any, ...]
    values: tuple[Any, ...]


class ChoiceCondition(Node):
    """An expression, and the values of names bound around it."""

    expression: c.Expr
    names: Mapping[str, Value]


class PartialMap(Mapping[Any, Any]):
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


class PartialChoice:
    """The values chosen so far for some names of given types."""

    def __init__(self, types: Mapping[str, y.Type], instance: Instance) -> None:
        self.types = types
        self.instance = instance
        self.chosen: dict[str, Any] = {
            name: _draft(type, instance) for name, type in types.items() if isinstance(type, y.Map)
        }

    def places(self) -> list[ChoicePoint]:
        """Everything there is to be chosen, in order."""
        found: list[ChoicePoint] = []
        for name, type in self.types.items():
            found += _places(name, type, self.instance)
        if len(found) > MOST_PLACES:
            raise too_many(next(iter(self.types)))
        return found

    def put(self, place: ChoicePoint, value: Any) -> None:
        """Chooses a value for a place."""
        self._holder(place)[_last(place)] = value

    def clear(self, place: ChoicePoint) -> None:
        """Takes a choice back."""
        del self._holder(place)[_last(place)]

    def values(self) -> dict[str, Value]:
        """The values, all chosen."""
        return {
            name: _finished(self.chosen[name], type, self.instance)
            for name, type in self.types.items()
        }

    def _holder(self, place: ChoicePoint) -> dict[Any, Any]:
        holder = self.chosen
        for step in (place.name, *place.keys)[:-1]:
            holder = holder[step]
            assert isinstance(holder, PartialMap)
            holder = holder.chosen
        return holder


def search(
    types: Mapping[str, y.Type],
    conditions: Sequence[ChoiceCondition],
    known: Environment,
    in_state: bool,
    random: Random | None = None,
) -> Iterator[dict[str, Value]]:
    """Every choice of values for the names that no condition rules out, in order, or with a random
    source in any. Conditions that wait for yet other names are left to the caller. The names are
    local names, or (`in_state`) state variables, on top of those the scene knows."""
    choice = PartialChoice(types, known.instance)
    places = choice.places()
    env = scene_of(choice, known, in_state)

    def extend(
        depth: int, open_conditions: Sequence[ChoiceCondition]
    ) -> Iterator[dict[str, Value]]:
        still_open = remaining(open_conditions, env, last=depth == len(places))
        if still_open is None:
            return
        if depth == len(places):
            yield choice.values()
            return
        values = places[depth].values
        for value in values if random is None else random.sample(values, len(values)):
            choice.put(places[depth], value)
            yield from extend(depth + 1, still_open)
            choice.clear(places[depth])

    return extend(0, conditions)


def scene_of(choice: PartialChoice, known: Environment, in_state: bool) -> Environment:
    """The scene with whatever is chosen at the time it is looked at."""
    chosen = choice.chosen
    if in_state:
        chosen.update(known.now)
        return Environment(known.instance, chosen, chosen, known.locals)
    chosen.update(known.locals)
    return Environment(known.instance, known.before, known.now, chosen)


def remaining(
    conditions: Sequence[ChoiceCondition], env: Environment, last: bool = False
) -> list[ChoiceCondition] | None:
    """The conditions that what is known does not decide, None if one of them fails. One without
    a value may lean on another that fails later; if there is nothing more to choose (`last`),
    its error is raised."""
    found: list[ChoiceCondition] = []
    errors: list[EvaluationError] = []
    for condition in conditions:
        inside = env.enter({**env.locals, **condition.names}) if condition.names else env
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


def conditions_of(needed: Sequence[c.Requirement], env: Environment) -> list[ChoiceCondition]:
    """Requirements taken apart into conditions that are decided as early as possible."""
    return [part for each in needed for part in _parts(ChoiceCondition(each.condition, {}), env)]


def too_many(name: str) -> UsageError:
    return UsageError(
        f"`{name}` has too many possible values to go through",
        "give the move a `propose` line, or the variable an initial value",
    )


def _parts(condition: ChoiceCondition, env: Environment) -> Iterator[ChoiceCondition]:
    """`a and b` is two conditions, `all x: T: c` one for each x."""
    match condition.expression:
        case c.Binary(operator="and", left=left, right=right):
            yield from _parts(ChoiceCondition(left, condition.names), env)
            yield from _parts(ChoiceCondition(right, condition.names), env)
        case c.Quantify(kind="all", binders=binders, where=where, body=body, span=span) if (
            _width(binders, env.instance) <= WIDEST
        ):
            if where is not None:
                body = c.Binary(span, y.BOOL, "implies", where, body)
            for inside in choices(
                binders, None, Environment(env.instance, {}, locals=condition.names)
            ):
                yield from _parts(ChoiceCondition(body, inside.locals), env)
        case _:
            yield condition


def _width(binders: Sequence[c.Binder], instance: Instance) -> int:
    """How many choices there are; more than can be counted where a name is drawn from a value."""
    width = 1
    for binder in binders:
        width *= WIDEST + 1 if binder.low is not None else len(instance.order(binder.type))
    return width


def _places(name: str, type: y.Type, instance: Instance) -> list[ChoicePoint]:
    match type:
        case y.Map(key, inside):
            if (y.most_values(key) or 0) > MOST_PLACES:
                raise too_many(name)
            return [
                ChoicePoint(name, (each, *inner.keys), inner.values)
                for each in instance.order(key)
                for inner in _places(name, inside, instance)
            ]
        case y.Set(element) if (y.most_values(element) or LARGEST_SET + 1) > LARGEST_SET:
            raise too_many(name)
        case y.Bag() | y.Int(None, _) | y.Int(_, None):
            raise too_many(name)
        case _:
            return [ChoicePoint(name, (), tuple(instance.order(type)))]


def _draft(type: y.Type, instance: Instance) -> Any:
    assert isinstance(type, y.Map)
    draft = PartialMap(instance.order(type.key))
    if isinstance(type.value, y.Map):
        draft.chosen = {key: _draft(type.value, instance) for key in draft.order}
    return draft


def _last(place: ChoicePoint) -> Any:
    return place.keys[-1] if place.keys else place.name


def _finished(value: Any, type: y.Type, instance: Instance) -> Any:
    if not isinstance(type, y.Map):
        return value
    return make_map(type, instance, lambda key: _finished(value[key], type.value, instance))
