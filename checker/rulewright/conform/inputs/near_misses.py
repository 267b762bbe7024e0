"""Events that may well be illegal: the near misses that an engine has to refuse.

A legal event with one argument changed, the same by another player, a move of another phase, and
now and then something that is no event of the game at all: a space beyond the last, a player too
many. Whether a candidate is illegal, the referee says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from random import Random
from typing import Any

from rulewright.conform.engine.protocol import Json
from rulewright.conform.inputs.board_changes import rearranged
from rulewright.conform.inputs.state_leaves import is_board
from rulewright.conform.oracle.oracle import Oracle
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import changed, entries, ordered
from rulewright.simulate.compiled.compiled_game import Happening, State
from rulewright.wasm.runtime.portable_states import Portable

MOST_LISTED = 64
"""Types with more values than this are not listed to choose from."""
MOST_CHANGED = 6
"""Values of a map that are changed, one at a time."""
MOST_ARGUMENTS = 1 << 16
MALFORMED = 0.35
"""How often nonsense is of the wrong form, and not only beyond a range."""
FEW, FEWER = 20, 256
"""Possible elements of sets of which all are listed, or one is made at random."""


def near_miss(
    oracle: Oracle, state: State, event: Happening, random: Random
) -> Happening | Mapping[str, Json] | None:
    """Something close to a legal event that the spec refuses; None if none was found at once."""
    kind = random.random()
    if kind < 0.08:
        return _nonsense(oracle, event, random)
    if kind < 0.5:
        found = _other_argument(oracle, state, event, random)
    elif kind < 0.7:
        found = _other_player(oracle, event, random)
    else:
        found = _any_move(oracle, random)
    return found if found is not None and is_illegal(oracle, state, found) else None


def is_illegal(oracle: Oracle, state: State, event: Happening) -> bool:
    """Whether the spec refuses an event; not if it cannot tell."""
    try:
        return not oracle.allows(state, event)
    except EvaluationError:
        return False


def variations(value: Any, type: y.Type, instance: Instance) -> list[Any]:
    """Other values of a type, close to a value; for lists too long to make, a few of them."""
    match type:
        case y.Option(inner):
            if value is None:
                return _listed(inner, instance)[:MOST_LISTED]
            return [None, *variations(value, inner, instance)]
        case y.Set(element) if y.is_scalar(element):
            return [value ^ {each} for each in _listed(element, instance)]
        case y.Map() if is_board(type, instance):
            kept = ordered(entries(value), type.key, instance)[:MOST_LISTED]
            return [changed(value, gone, None) for gone in kept]
        case y.Map(_, inside):
            return [
                changed(value, key, other)
                for key, each in value.items()
                for other in variations(each, inside, instance)[:MOST_CHANGED]
            ]
        case y.Set() | y.Bag():
            return []
        case y.Int(int() as low, int() as high) if high - low >= MOST_LISTED:
            near = {low, value - 2, value - 1, value + 1, value + 2, high}
            return sorted(each for each in near - {value} if low <= each <= high)
        case _:
            return [each for each in _listed(type, instance) if each != value]


def arguments(type: y.Type, portable: Portable) -> list[Any]:
    """All values of a type as arguments of events, in order; none if they are too many or there is
    no end of them."""
    instance = portable.instance
    match type:
        case y.Set(element) if y.is_scalar(element) and (y.most_values(element) or FEW) < FEW:
            found = [frozenset[Any]()]
            for each in instance.order(element):
                found += [some | {each} for some in found]
            return [portable.raw(each, type) for each in found]
        case y.Set() | y.Bag() | y.Map():
            return []
        case _ if (y.most_values(type) or MOST_ARGUMENTS) < MOST_ARGUMENTS:
            return [portable.raw(each, type) for each in instance.order(type)]
        case _:
            return []


def _other_argument(
    oracle: Oracle, state: State, event: Happening, random: Random
) -> Happening | None:
    portable = oracle.machine.portable
    types = portable.types[event[0]]
    if not types:
        return None
    at = random.randrange(len(types))
    type = types[at]
    given = portable.plain(event[2 + at], type)
    if isinstance(type, y.Bag) or is_board(type, oracle.instance):
        other = rearranged(given, type, oracle, state, event[1], random)
    else:
        others = variations(given, type, oracle.instance)
        other = random.choice(others) if others else None
        if other is None and not (others and isinstance(type, y.Option)):
            return None
    if other is None and not isinstance(type, y.Option):
        return None
    return (*event[: 2 + at], portable.raw(other, type), *event[3 + at :])


def _other_player(oracle: Oracle, event: Happening, random: Random) -> Happening | None:
    if event[1] is None:
        return None
    return (event[0], random.randint(1, oracle.setup.players), *event[2:])


def _any_move(oracle: Oracle, random: Random) -> Happening | None:
    transitions = oracle.instance.spec.transitions
    number = random.randrange(len(transitions))
    transition = transitions[number]
    if transition.kind == "step":
        return None
    given = []
    for param in transition.params:
        found = _any_value(param.type, oracle.instance, random)
        if found is _NONE_AT_HAND:
            return None
        given.append(oracle.machine.portable.raw(found, param.type))
    by = None if transition.kind == "chance" else random.randint(1, oracle.setup.players)
    return (number, by, *given)


_NONE_AT_HAND = object()


def _any_value(type: y.Type, instance: Instance, random: Random) -> Any:
    match type:
        case y.Option(inner):
            return None if random.random() < 0.2 else _any_value(inner, instance, random)
        case y.Set(element) if y.is_scalar(element) and (y.most_values(element) or FEWER) < FEWER:
            return frozenset(each for each in instance.order(element) if random.random() < 0.4)
        case y.Map(key, inside) if not is_board(type, instance):
            parts = {each: _any_value(inside, instance, random) for each in instance.order(key)}
            return _NONE_AT_HAND if _NONE_AT_HAND in parts.values() else parts
        case y.Set() | y.Bag() | y.Map():
            return _NONE_AT_HAND
        case y.Int(int() as low, int() as high):
            return random.randint(low, high)
        case _:
            listed = _listed(type, instance)
            return random.choice(listed) if listed else _NONE_AT_HAND


def _listed(type: y.Type, instance: Instance) -> list[Any]:
    """The values of a type, of very many numbers only those at both ends."""
    match type:
        case y.Int(int() as low, int() as high) if high - low >= MOST_LISTED:
            return [low, low + 1, high - 1, high]
        case y.Int(None, _) | y.Int(_, None):
            return []
        case _:
            return list(instance.order(type)) if y.is_scalar(type) else []


def beyond_range(oracle: Oracle, state: State) -> Iterator[dict[str, Json]]:
    """Moves of the present phase with one number just beyond its range, whatever else they say;
    of moves that could say too much, none."""
    instance, raw = oracle.instance, oracle.machine.portable.raw
    phase = instance.spec.phases[oracle.machine.phase(state)].name
    for number, transition in enumerate(oracle.instance.spec.transitions):
        if transition.kind != "move" or phase not in transition.phases:
            continue
        types = [param.type for param in transition.params]
        for at, type in enumerate(types):
            others = [_listed(each, instance)[: 1 if each is type else None] for each in types]
            if not isinstance(type, y.Int) or not 0 < prod(map(len, others)) <= MOST_LISTED:
                continue
            for by in range(1, oracle.setup.players + 1):
                for given in product(*others):
                    json = oracle.event_json((number, by, *map(raw, given, types)))
                    yield from _with(json, transition.params[at].name, type, oracle)


def _nonsense(oracle: Oracle, event: Happening, random: Random) -> dict[str, Json] | None:
    """A player or a number just beyond those there are, or something of the wrong form."""
    json = oracle.event_json(event)
    players = oracle.setup.players
    choices: list[dict[str, Json]] = []
    if "by" in json:
        choices += [{**json, "by": 0}, {**json, "by": players + 1}]
    args, params = json["args"], oracle.instance.spec.transitions[event[0]].params
    for param in params:
        choices += _with(json, param.name, param.type, oracle)
    if random.random() < MALFORMED:
        return random.choice(_malformed(json))
    if params and random.random() < MALFORMED:
        param = random.choice(params)
        return {**json, "args": random.choice(_ill_given(args, param.name, param.type))}
    return random.choice(choices) if choices else None


def _malformed(event: dict[str, Json]) -> list[dict[str, Json]]:
    """An event that lacks its name or its mover, or has something that it should not have."""
    kind = "move" if "move" in event else "chance"
    without = {name: each for name, each in event.items() if name != "by"}
    found = [
        {**event, kind: f"{event[kind]}_"},
        {**event, kind: None},
        {**event, "args": {**event["args"], "more": 1}},
    ]
    if kind == "move":
        found += [without, {**event, "by": None}, {**event, "by": str(event["by"])}]
    return found


def _ill_given(args: dict[str, Json], name: str, type: y.Type) -> list[dict[str, Json]]:
    """Arguments of which one is missing, empty, doubled or of another kind."""
    without = {each: value for each, value in args.items() if each != name}
    found = [without, {**args, name: [args[name], args[name]]}, {**args, name: {"": args[name]}}]
    return found if isinstance(type, y.Option) else [*found, {**args, name: None}]


def _with(event: dict[str, Json], name: str, type: y.Type, oracle: Oracle) -> list[dict[str, Json]]:
    """An event with one argument just beyond its range."""
    args = event["args"]
    wrong = _beyond(args[name], type, oracle.setup.players)
    return [{**event, "args": {**args, name: each}} for each in wrong]


def _beyond(json: Json, type: y.Type, players: int) -> list[Json]:
    """Values just beyond a type, as near to one of its values as can be."""
    match type:
        case y.Int(int() as low, int() as high):
            return [low - 1, high + 1]
        case y.Player():
            return [0, players + 1]
        case y.Option(inner) if json is not None:
            return _beyond(json, inner, players)
        case y.Map(_, inner) if isinstance(json, dict):
            return [
                {**json, key: wrong}
                for key in list(json)[:MOST_CHANGED]
                for wrong in _beyond(json[key], inner, players)
            ]
        case y.Map(_, inner):
            return [
                [*json[:at], [key, wrong], *json[at + 1 :]]
                for at, (key, value) in enumerate(json[:MOST_CHANGED])
                for wrong in _beyond(value, inner, players)
            ]
        case _:
            return []
