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

from checker.conform.engine import Json
from checker.conform.rearranged import rearranged
from checker.conform.referee import Referee
from checker.meaning import types as y
from checker.play.compile.layout import Layout, State
from checker.play.compiled import Happening
from checker.play.errors import EvaluationError

MOST_LISTED = 64
"""Types with more values than this are not listed to choose from."""
MOST_CHANGED = 6
"""Values of a map that are changed, one at a time."""


def near_miss(
    referee: Referee, state: State, event: Happening, random: Random
) -> Happening | Mapping[str, Json] | None:
    """Something close to a legal event that the spec refuses; None if none was found at once."""
    kind = random.random()
    if kind < 0.08:
        return _nonsense(referee, event, random)
    if kind < 0.5:
        found = _other_argument(referee, state, event, random)
    elif kind < 0.7:
        found = _other_player(referee, event, random)
    else:
        found = _any_move(referee, random)
    return found if found is not None and is_illegal(referee, state, found) else None


def is_illegal(referee: Referee, state: State, event: Happening) -> bool:
    """Whether the spec refuses an event; not if it cannot tell."""
    try:
        return not referee.allows(state, event)
    except EvaluationError:
        return False


def variations(value: Any, type: y.Type, layout: Layout) -> list[Any]:
    """Other values of a type, close to a value; for lists too long to make, a few of them."""
    match type:
        case y.Option(inner):
            if value is None:
                return _listed(inner, layout)[:MOST_LISTED]
            return [None, *variations(value, inner, layout)]
        case y.Set(element) if layout.is_bits(element):
            return [value ^ (1 << int(each)) for each in layout.values(element)]
        case y.Map(_, inside) if isinstance(value, tuple):
            return [
                (*value[:at], other, *value[at + 1 :])
                for at, each in enumerate(value)
                for other in variations(each, inside, layout)[:6]
            ]
        case y.Map() if isinstance(value, dict):
            kept = list(value)[:MOST_LISTED]
            return [{key: value[key] for key in value if key != gone} for gone in kept]
        case y.Set() | y.Bag() | y.Map():
            return []
        case y.Int(int() as low, int() as high) if high - low >= MOST_LISTED:
            near = {low, value - 2, value - 1, value + 1, value + 2, high}
            return sorted(each for each in near - {value} if low <= each <= high)
        case _:
            return [each for each in _listed(type, layout) if each != value]


def _other_argument(
    referee: Referee, state: State, event: Happening, random: Random
) -> Happening | None:
    params = referee.instance.spec.transitions[event[0]].params
    if not params:
        return None
    at = random.randrange(len(params))
    given, type = event[2 + at], params[at].type
    if isinstance(given, dict):
        other = rearranged(given, type, referee, state, event[1], random)
        others = [] if other is None else [other]
    else:
        others = variations(given, type, referee.machine.layout)
    if not others:
        return None
    return (*event[: 2 + at], random.choice(others), *event[3 + at :])


def _other_player(referee: Referee, event: Happening, random: Random) -> Happening | None:
    if event[1] is None:
        return None
    return (event[0], random.randint(1, referee.setup.players), *event[2:])


def _any_move(referee: Referee, random: Random) -> Happening | None:
    transitions = referee.instance.spec.transitions
    number = random.randrange(len(transitions))
    transition = transitions[number]
    if transition.kind == "step":
        return None
    layout = referee.machine.layout
    given = []
    for param in transition.params:
        found = _any_value(param.type, layout, random)
        if found is _NONE_AT_HAND:
            return None
        given.append(found)
    by = None if transition.kind == "chance" else random.randint(1, referee.setup.players)
    return (number, by, *given)


_NONE_AT_HAND = object()


def _any_value(type: y.Type, layout: Layout, random: Random) -> Any:
    match type:
        case y.Option(inner):
            return None if random.random() < 0.2 else _any_value(inner, layout, random)
        case y.Set(element) if layout.is_bits(element):
            return sum(1 << int(each) for each in layout.values(element) if random.random() < 0.4)
        case y.Map(key, inside) if not layout.is_sparse(type):
            parts = [_any_value(inside, layout, random) for _ in layout.values(key)]
            return _NONE_AT_HAND if _NONE_AT_HAND in parts else tuple(parts)
        case y.Set() | y.Bag() | y.Map():
            return _NONE_AT_HAND
        case y.Int(int() as low, int() as high):
            return random.randint(low, high)
        case _:
            return random.choice(_listed(type, layout))


def _listed(type: y.Type, layout: Layout) -> list[Any]:
    """The values of a type, of very many numbers only those at both ends."""
    match type:
        case y.Int(int() as low, int() as high) if high - low >= MOST_LISTED:
            return [low, low + 1, high - 1, high]
        case _:
            return layout.values(type) if y.is_scalar(type) else []


def beyond_range(referee: Referee, state: State) -> Iterator[dict[str, Json]]:
    """Moves of the present phase with one number just beyond its range, whatever else they say;
    of moves that could say too much, none."""
    layout = referee.machine.layout
    phase = referee.instance.spec.phases[state[0]].name
    for number, transition in enumerate(referee.instance.spec.transitions):
        if transition.kind != "move" or phase not in transition.phases:
            continue
        types = [param.type for param in transition.params]
        for at, type in enumerate(types):
            others = [_listed(each, layout)[: 1 if each is type else None] for each in types]
            if not isinstance(type, y.Int) or not 0 < prod(map(len, others)) <= MOST_LISTED:
                continue
            for by in range(1, referee.setup.players + 1):
                for given in product(*others):
                    json = referee.event_json((number, by, *given))
                    yield from _with(json, transition.params[at].name, type, referee)


def _nonsense(referee: Referee, event: Happening, random: Random) -> dict[str, Json] | None:
    """A player or a number just beyond those there are."""
    json = referee.event_json(event)
    players = referee.setup.players
    choices: list[dict[str, Json]] = []
    if "by" in json:
        choices += [{**json, "by": 0}, {**json, "by": players + 1}]
    for param in referee.instance.spec.transitions[event[0]].params:
        choices += _with(json, param.name, param.type, referee)
    return random.choice(choices) if choices else None


def _with(
    event: dict[str, Json], name: str, type: y.Type, referee: Referee
) -> list[dict[str, Json]]:
    """An event with one argument just beyond its range."""
    args = event["args"]
    wrong = _beyond(args[name], type, referee.setup.players)
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
