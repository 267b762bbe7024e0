"""Positions that nobody played: one of a game with something changed, as the invariants allow.

One value is changed or two; or, where a game has things in bags, some of them change places, since
a position in which a tile is there twice or not at all satisfies no invariant.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from checker.conform.candidates import variations
from checker.conform.marked import DONE
from checker.conform.referee import Referee
from checker.meaning import types as y
from checker.play.compile.layout import Layout, Slots, State
from checker.play.errors import EvaluationError

REARRANGED = 0.6
"""How often things change places, in a game that has any in bags."""
ALIKE = 0.5
"""How often a thing is exchanged for one that somebody else has, too."""


FEW = 5
"""Things that are moved, or left behind."""


def made_up(referee: Referee, state: State, random: Random) -> State | None:
    """A state like another that is allowed; None if what was tried is not."""
    holders = list(_holders(referee))
    if holders and random.random() < REARRANGED:
        kept = random.choice(holders)
        changed = (_exchanged if random.random() < 0.5 else _moved)(kept, state, random)
    else:
        changed = _with_other_values(referee, state, random)
    return changed if changed is not None and is_allowed(referee, changed) else None


def is_allowed(referee: Referee, state: State) -> bool:
    """Whether a state satisfies every invariant, and no step is due."""
    try:
        broken = referee.machine.broken_claims("invariant", state, state)
        return not broken and not referee.is_stepping(state)
    except (EvaluationError, IndexError, KeyError):
        return False


def _with_other_values(referee: Referee, state: State, random: Random) -> State | None:
    """A state with one or two values changed."""
    changed = state[:]
    kept = ("phase", "answered", DONE)
    slots = [each for name, each in referee.machine.layout.slots.items() if name not in kept]
    for _ in range(random.randint(1, 2)):
        slot = random.choice(slots)
        at = slot.base + random.randrange(slot.count)
        others = variations(changed[at], slot.inner, referee.machine.layout)
        if not others:
            return None
        changed[at] = random.choice(others)
    return changed


# ---- things that change places


def _holders(referee: Referee) -> Iterator[list[Slots]]:
    """For each kind of thing that there are bags of, the variables that hold such things."""
    layout = referee.machine.layout
    every = layout.slots.values()
    for bag in dict.fromkeys(each.inner for each in every if isinstance(each.inner, y.Bag)):
        yield [each for each in every if _thing(each.inner, layout) == bag.element]


def _thing(type: y.Type, layout: Layout) -> y.Type | None:
    """What a place of a type holds."""
    match type:
        case y.Bag(element):
            return element
        case y.Option(inner):
            return inner
        case y.Map(value=y.Option(inner)) if layout.is_sparse(type):
            return inner
        case _:
            return None


def _places(value: Any) -> list[Any]:
    """Where in a value of a state something lies: what is in a bag, the squares of a board; an
    optional value has one place."""
    if isinstance(value, dict):
        return list(value)
    return [] if value is None else [value]


def _exchanged(holders: list[Slots], state: State, random: Random) -> State | None:
    """A state in which two things have changed places."""
    one, other = random.choice(holders), random.choice(holders)
    here, there = _slot(one, random), _slot(other, random)
    if here == there or not _places(state[here]) or not _places(state[there]):
        return None
    changed = state[:]
    out = random.choice(_places(state[here]))
    into = random.choice(_places(state[there]))
    if random.random() < ALIKE and isinstance(other.inner, y.Bag):
        known = {each for at in _slots(one) for each in _lying(one, state[at])}
        into = random.choice([each for each in state[there] if each in known] or [into])
    first, second = _at(one, state[here], out), _at(other, state[there], into)
    changed[here] = _replaced(one, state[here], out, second)
    changed[there] = _replaced(other, state[there], into, first)
    return changed


def _moved(holders: list[Slots], state: State, random: Random) -> State | None:
    """A state in which some things have gone from one bag to another."""
    bags = [each for each in holders if isinstance(each.inner, y.Bag)]
    here, there = _slot(random.choice(bags), random), _slot(random.choice(bags), random)
    things = [each for each, times in state[here].items() for _ in range(times)]
    if here == there or not things:
        return None
    changed = state[:]
    random.shuffle(things)
    few = random.randrange(FEW)
    for thing in things[: random.choice((few + 1, len(things) // 2, max(len(things) - few, 0)))]:
        changed[here] = _less(changed[here], thing)
        changed[there] = _more(changed[there], thing)
    return changed


def _slots(holder: Slots) -> range:
    return range(holder.base, holder.base + holder.count)


def _slot(holder: Slots, random: Random) -> int:
    return random.choice(_slots(holder))


def _lying(holder: Slots, value: Any) -> list[Any]:
    """The things in a value."""
    return [_at(holder, value, place) for place in _places(value)]


def _at(holder: Slots, value: Any, place: Any) -> Any:
    """The thing at a place."""
    return value[place] if isinstance(holder.inner, y.Map) else place


def _replaced(holder: Slots, value: Any, place: Any, thing: Any) -> Any:
    """A value with another thing at a place."""
    match holder.inner:
        case y.Bag():
            return _more(_less(value, place), thing)
        case y.Map():
            return {**value, place: thing}
        case _:
            return thing


def _less(bag: dict[Any, int], thing: Any) -> dict[Any, int]:
    left = {**bag, thing: bag[thing] - 1}
    return {each: times for each, times in left.items() if times}


def _more(bag: dict[Any, int], thing: Any) -> dict[Any, int]:
    return {**bag, thing: bag.get(thing, 0) + 1}
