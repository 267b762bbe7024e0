"""Positions that games at random seldom get to, kept so that other games can go on from there.

A position is rare if some variable has a value that few others had in the same phase; of a bag or a
set count its size and how many are in it of what the rules call by name. From the shortest game
with two tiles on a rack one gets to a single one: a way that no game at random goes by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from checker.meaning import core as c
from checker.meaning import types as y
from checker.meaning.purity import walk
from checker.play.compile.layout import Layout, State

SMALL = 8


class Copied(Protocol):
    """A game so far."""

    def copy(self: Line) -> Line: ...

    def __len__(self) -> int: ...


Line = TypeVar("Line", bound=Copied)


class Rarities(Generic[Line]):
    """What has been seen, how often, and the shortest game that showed it."""

    def __init__(
        self, layout: Layout, names: Collection[str], transitions: Collection[c.Transition]
    ) -> None:
        """Looks at the variables of these names, at all if there are none; `transitions` are the
        rules that call things by name."""
        literals = {
            (node.type, node.value)
            for each in transitions
            for requirement in each.requirements
            for node in walk(requirement.condition)
            if isinstance(node, c.Literal) and isinstance(node.type, y.Enum)
        }
        self._features = [
            (slots.base + number, feature)
            for name, slots in layout.slots.items()
            if not names or name in names
            for feature in (_feature(slots.inner, layout, literals),)
            if feature is not None
            for number in range(slots.count)
        ]
        self._phases = {
            number
            for number, phase in enumerate(layout.instance.spec.phases)
            if not transitions or any(phase.name in each.phases for each in transitions)
        }
        self._seen: list[dict[Any, list[Any]]] = [{} for _ in self._features]
        """For each feature, by phase and value: how often it was seen, in how many events, the
        game."""

    def note(self, state: State, line: Line) -> None:
        """Counts what a position has, and keeps the game where none got there sooner."""
        if state[0] not in self._phases:
            return
        length = len(line)
        kept: Line | None = None
        for (slot, feature), seen in zip(self._features, self._seen):
            value = state[0], feature(state[slot])
            known = seen.get(value)
            if known is None:
                kept = kept or line.copy()
                seen[value] = [1, length, kept]
                continue
            known[0] += 1
            if length < known[1]:
                kept = kept or line.copy()
                known[1:] = length, kept

    def pick(self, random: Random) -> Line | None:
        """A game to go on with: of any variable, the more likely the rarer its value."""
        choices = [seen for seen in self._seen if len(seen) > 1]
        if not choices:
            return None
        kept = list(random.choice(choices).values())
        (chosen,) = random.choices(kept, [1 / times for times, _, _ in kept])
        line: Line = chosen[2]
        return line.copy()


def _feature(
    type: y.Type, layout: Layout, literals: Collection[tuple[y.Type, Any]]
) -> Callable[[Any], Any] | None:
    """What is looked at of a value of some type, None if it says little by itself."""
    match type:
        case y.Set(element):
            named = [layout.encode(value, of) for of, value in literals if of == element]
            if layout.is_bits(element):
                mask = sum(1 << each for each in named)
                return lambda held: (_coarse(held.bit_count()), (held & mask).bit_count())
            return lambda held: (_coarse(len(held)), sum(each in held for each in named))
        case y.Bag(element):
            named = [layout.encode(value, of) for of, value in literals if of == element]
            return lambda held: (
                _coarse(sum(held.values())), sum(held.get(each, 0) for each in named)
            )  # fmt: skip
        case y.Map():
            return None
        case y.Int():
            return _coarse
        case _:
            return lambda held: held


def _coarse(number: int) -> int:
    """A small number, or about how large it is: that there are few is worth a detour, whether there
    are fifty or fifty-one is not."""
    return number if number <= SMALL else SMALL + number.bit_length()
