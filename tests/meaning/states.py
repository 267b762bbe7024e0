"""Random values and positions, drawn by Hypothesis or, many times faster, from dice.

All choices come down to a whole number below another, 0 being the simplest: that is what
Hypothesis shrinks to, and what a seed repeats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import Any, Protocol, TypeVar

from hypothesis import strategies as some
from hypothesis.strategies import DrawFn, SearchStrategy

from rulewright.frontend import read
from rulewright.meaning import types as y
from rulewright.meaning.core import Spec
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import BagValue, SparseMap, is_sparse, make_map

PLAYGROUND = Path(__file__).parent / "playground.rules"
LARGEST_BAG = 5
LARGEST_SEED = 2**32 - 1
T = TypeVar("T")


class Source(Protocol):
    """Where choices come from."""

    def below(self, limit: int) -> int:
        """A number from 0 to one less than the limit."""
        ...


class Drawn:
    """Choices that Hypothesis makes, and can make simpler."""

    def __init__(self, draw: DrawFn) -> None:
        self.draw = draw

    def below(self, limit: int) -> int:
        return self.draw(some.integers(0, limit - 1))


class Dice:
    """Choices that follow from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def below(self, limit: int) -> int:
        return self.random.randrange(limit)


def pick(source: Source, options: Sequence[T]) -> T:
    """One of the options, the first being the simplest."""
    return options[source.below(len(options))]


@cache
def playground() -> Spec:
    """The core of the game that expressions are made for."""
    spec = read(PLAYGROUND).spec
    assert spec is not None
    return spec


def any_instance(source: Source) -> Instance:
    """The playground with any number of players and any reading."""
    return _instance(2 + source.below(2), pick(source, ["sweet", "sour"]))


@cache
def _instance(players: int, taste: str) -> Instance:
    return Instance(playground(), players, {"taste": taste})


def any_value(type: y.Type, instance: Instance, source: Source) -> Any:
    """Any value of a type; bags and unlimited numbers stay small."""
    match type:
        case y.Option(inner):
            return any_value(inner, instance, source) if source.below(3) else None
        case y.Set(element):
            return frozenset(each for each in instance.order(element) if source.below(2))
        case y.Bag(element):
            count = source.below(LARGEST_BAG + 1)
            return BagValue(any_value(element, instance, source) for _ in range(count))
        case y.Map(key, y.Option(inner)) if is_sparse(type):
            order = instance.order(key)
            chosen = [pick(source, list(order)) for _ in range(source.below(LARGEST_BAG + 1))]
            found: dict[Any, Any] = {each: any_value(inner, instance, source) for each in chosen}
            return SparseMap(order, found)
        case y.Map(_, inner):
            return make_map(type, instance, lambda _: any_value(inner, instance, source))
        case y.Int(low, high):
            first = low if low is not None else -5 if high is None else high - 10
            return first + source.below((first + 10 if high is None else high) - first + 1)
        case _:
            return pick(source, list(instance.order(type)))


class First:
    """Always the simplest choice."""

    def below(self, limit: int) -> int:
        return 0


@lru_cache(maxsize=2048)
def any_position(instance: Instance, seed: int) -> dict[str, Any]:
    """Any position in range, reachable or not; for seed 0, the simplest."""
    source = Dice(seed) if seed else First()
    return {
        name: any_value(each.type, instance, source) for name, each in instance.variables.items()
    }


def instances() -> SearchStrategy[Instance]:
    """The playground with any number of players and any reading."""
    return some.composite(lambda draw: any_instance(Drawn(draw)))()


def positions(instance: Instance) -> SearchStrategy[Mapping[str, Any]]:
    """Any position of an instance."""
    return some.integers(0, LARGEST_SEED).map(lambda seed: any_position(instance, seed))


def values(type: y.Type, instance: Instance) -> SearchStrategy[Any]:
    """Any value of a type."""
    return some.composite(lambda draw: any_value(type, instance, Drawn(draw)))()
