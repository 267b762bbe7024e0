"""Rare states: positions that random games seldom reach, kept as starts of other games.

A position is rare if a variable has a value that was seldom seen in the same phase. Of a bag or a
set the size counts, and how many of the things are in it that the rules mention by name. Going on
from rare positions reaches rarer ones: from a rack of two tiles to a rack of one, say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import walk
from rulewright.simulate.compiled.compiled_game import CompiledGame, State

SMALL = 8
BOARD = 40
"""Maps of optionals with more keys than this are boards, and say little key by key."""
MOST_KNOWN = 20_000
"""Values of which it is remembered what is looked at."""


class Copyable(Protocol):
    """A game so far."""

    def copy(self: Line) -> Line: ...

    def __len__(self) -> int: ...


Line = TypeVar("Line", bound=Copyable)


class RareStates(Generic[Line]):
    """What has been seen, how often, and the shortest game that showed it."""

    def __init__(
        self, game: CompiledGame, names: Collection[str], transitions: Collection[c.Transition]
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
        self._game = game
        places = game.portable.layout.places
        self._variables = {
            name: (place.type, [value for of, value in literals if of == _element(place.type)])
            for name, place in places.items()
            if not names or name in names
        }
        """The variables that are looked at, each with what the rules call by name of its things."""
        self._known: dict[tuple[str, bytes], list[tuple[Any, Any]]] = {}
        self._phases = {
            number
            for number, phase in enumerate(game.phases)
            if not transitions or any(phase.name in each.phases for each in transitions)
        }
        self._seen: dict[Any, dict[Any, list[Any]]] = {}
        """For each feature, by phase and value: how often it was seen, in how many events, the
        game."""

    def note(self, state: State, line: Line) -> None:
        """Counts what a position has, and keeps the game where none got there sooner."""
        phase = self._game.phase(state)
        if phase not in self._phases:
            return
        length = len(line)
        kept: Line | None = None
        for place, feature in self._features(state):
            seen = self._seen.setdefault(place, {})
            value = phase, feature
            known = seen.get(value)
            if known is None:
                kept = kept or line.copy()
                seen[value] = [1, length, kept]
                continue
            known[0] += 1
            if length < known[1]:
                kept = kept or line.copy()
                known[1:] = length, kept

    def _features(self, state: State) -> Iterator[tuple[Any, Any]]:
        portable = self._game.portable
        for name, (type, named) in self._variables.items():
            part = portable.part(state, name)
            known = self._known.get((name, part))
            if known is None:
                value = portable.value(part, type)
                known = self._known[name, part] = [*_features(value, type, named, (name,))]
                if len(self._known) > MOST_KNOWN:
                    self._known.clear()
            yield from known

    def pick(self, random: Random) -> Line | None:
        """A game to go on with: of any variable, the more likely the rarer its value."""
        choices = [seen for seen in self._seen.values() if len(seen) > 1]
        if not choices:
            return None
        kept = list(random.choice(choices).values())
        (chosen,) = random.choices(kept, [1 / times for times, _, _ in kept])
        line: Line = chosen[2]
        return line.copy()


def _element(type: y.Type) -> y.Type | None:
    """What is in a collection, or in those of a map."""
    match type:
        case y.Map(_, inside):
            return _element(inside)
        case y.Set(element) | y.Bag(element):
            return element
        case _:
            return None


def _features(
    value: Any, type: y.Type, named: Collection[Any], at: tuple[Any, ...]
) -> Iterator[tuple[Any, Any]]:
    """What is looked at of a value, part by part of a map; nothing that says little by itself."""
    match type:
        case y.Map(_, y.Option()) if len(value) > BOARD:
            return
        case y.Map(_, inside):
            for key, each in value.items():
                yield from _features(each, inside, named, (*at, key))
        case y.Set():
            yield at, (_coarse(len(value)), sum(each in value for each in named))
        case y.Bag():
            yield at, (_coarse(len(value)), sum(value[each] for each in named))
        case y.Int():
            yield at, _coarse(value)
        case _:
            yield at, value


def _coarse(number: int) -> int:
    """A small number, or about how large it is: that there are few is worth a detour, whether there
    are fifty or fifty-one is not."""
    return number if number <= SMALL else SMALL + number.bit_length()
