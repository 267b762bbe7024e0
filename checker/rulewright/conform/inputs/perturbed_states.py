"""Perturbed states: a position of a game with something changed, as the invariants allow.

One value is changed or two; or, where a game has things in bags, some of them change places, since
a position in which a tile is there twice or not at all satisfies no invariant.
"""

from __future__ import annotations

from random import Random
from typing import Any

from rulewright.conform.inputs.near_misses import variations
from rulewright.conform.inputs.state_leaves import StateLeaf, is_board, leaves
from rulewright.conform.oracle.oracle import Oracle
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.values import BagValue, Position, changed, entries, ordered
from rulewright.simulate.compiled.compiled_game import State

REARRANGED = 0.6
"""How often things change places, in a game that has any in bags."""
ALIKE = 0.5
"""How often a thing is exchanged for one that somebody else has, too."""


FEW = 5
"""Things that are moved, or left behind."""


def perturbed_states(oracle: Oracle, state: State, random: Random) -> State | None:
    """A state like another that is allowed; None if what was tried is not."""
    holders, position = _holders(oracle), oracle.position(state)
    if holders and random.random() < REARRANGED:
        kept = random.choice(holders)
        exchange = _exchanged if random.random() < 0.5 else _moved
        found = exchange(kept, position, oracle, random)
    else:
        found = _with_other_values(oracle, position, random)
    if found is None:
        return None
    try:
        made = oracle.state(found)
    except (UsageError, KeyError, ValueError):
        return None
    return made if is_allowed(oracle, made) else None


def is_allowed(oracle: Oracle, state: State) -> bool:
    """Whether a state satisfies every invariant, and no step is due."""
    try:
        broken = oracle.machine.broken_claims("invariant", state, state)
        return not broken and not oracle.is_stepping(state)
    except EvaluationError:
        return False


def _with_other_values(oracle: Oracle, position: Position, random: Random) -> Position | None:
    """A position with one or two values changed."""
    instance = oracle.instance
    names = [name for name in instance.variables if name not in ("phase", "answered")]
    if not names:
        return None
    for _ in range(random.randint(1, 2)):
        name = random.choice(names)
        leaf = random.choice(leaves(name, instance.variables[name].type, instance))
        others = variations(leaf.of(position), leaf.type, instance)
        if not others:
            return None
        position = leaf.put(position, random.choice(others))
    return position


# ---- things that change places

Holder = list[StateLeaf]
"""The places of a variable that hold things of a kind."""


def _holders(oracle: Oracle) -> list[list[Holder]]:
    """For each kind of thing that there are bags of, the variables that hold such things."""
    if oracle.holders is None:
        instance = oracle.instance
        every = [leaves(n, each.type, instance) for n, each in instance.variables.items()]
        types = [each[0].type for each in every if each]
        bags = dict.fromkeys(type for type in types if isinstance(type, y.Bag))
        oracle.holders = [
            [each for each in every if each and _thing(each[0].type, oracle) == bag.element]
            for bag in bags
        ]
    return oracle.holders


def _thing(type: y.Type, oracle: Oracle) -> y.Type | None:
    """What a place of a type holds."""
    match type:
        case y.Bag(element):
            return element
        case y.Option(inner):
            return inner
        case y.Map(_, y.Option(inner)) if is_board(type, oracle.instance):
            return inner
        case _:
            return None


def _places(value: Any, type: y.Type, oracle: Oracle) -> list[Any]:
    """Where in a value something lies: what is in a bag, the squares of a board; an optional value
    has one place."""
    match type:
        case y.Bag(element):
            return ordered(value, element, oracle.instance)
        case y.Map(key, _):
            return ordered(entries(value), key, oracle.instance)
        case _:
            return [] if value is None else [value]


def _exchanged(
    holders: list[Holder], position: Position, oracle: Oracle, random: Random
) -> Position | None:
    """A position in which two things have changed places."""
    mine, theirs = random.choice(holders), random.choice(holders)
    one, other = random.choice(mine), random.choice(theirs)
    here, there = one.of(position), other.of(position)
    ways, others = _places(here, one.type, oracle), _places(there, other.type, oracle)
    if one == other or not ways or not others:
        return None
    out, into = random.choice(ways), random.choice(others)
    if random.random() < ALIKE and isinstance(other.type, y.Bag):
        known = {
            _at(each.type, value, place)
            for each in mine
            for value in (each.of(position),)
            for place in _places(value, each.type, oracle)
        }
        into = random.choice([each for each in others if each in known] or [into])
    first, second = _at(one.type, here, out), _at(other.type, there, into)
    position = one.put(position, _replaced(one.type, here, out, second))
    return other.put(position, _replaced(other.type, there, into, first))


def _moved(
    holders: list[Holder], position: Position, oracle: Oracle, random: Random
) -> Position | None:
    """A position in which some things have gone from one bag to another."""
    bags = [each for each in holders if isinstance(each[0].type, y.Bag)]
    here, there = random.choice(random.choice(bags)), random.choice(random.choice(bags))
    bag: BagValue = here.of(position)
    different = _places(bag, here.type, oracle)
    things = [each for each in different for _ in range(bag[each])]
    if here == there or not things:
        return None
    random.shuffle(things)
    few = random.randrange(FEW)
    count = random.choice((few + 1, len(things) // 2, max(len(things) - few, 0)))
    gone = BagValue(things[:count])
    position = here.put(position, bag - gone)
    return there.put(position, there.of(position) + gone)


def _at(type: y.Type, value: Any, place: Any) -> Any:
    """The thing at a place."""
    return value[place] if isinstance(type, y.Map) else place


def _replaced(type: y.Type, value: Any, place: Any, thing: Any) -> Any:
    """A value with another thing at a place."""
    match type:
        case y.Bag():
            return (value - BagValue((place,))) + BagValue((thing,))
        case y.Map():
            return changed(value, place, thing)
        case _:
            return thing
