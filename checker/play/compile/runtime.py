"""What generated code calls: operations on bags, sets and boards that are no single expression.

Values are as `layout` keeps them. Nothing here checks anything: generated code does that first,
with the place in the spec at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from checker.play.compile.layout import bits

Counts = Mapping[Any, int]
"""A bag."""
MOST_REMEMBERED = 4096
"""So many sets have their elements remembered."""

__all__ = [
    "bag_common",
    "bag_difference",
    "bag_extend",
    "bag_of",
    "bag_union",
    "components",
    "first_lacking",
    "flat",
    "in_order",
    "is_sub_bag",
    "nested",
    "pick",
    "product",
    "put",
    "shuffled",
    "size_of_bag",
    "sparse",
    "tally",
    "to_bits",
]


def bag_of(elements: Iterable[Any]) -> dict[Any, int]:
    """So many of each element."""
    counts: dict[Any, int] = {}
    for each in elements:
        counts[each] = counts.get(each, 0) + 1
    return counts


def bag_union(one: Counts, other: Counts) -> dict[Any, int]:
    """Both together."""
    counts = dict(one)
    for each, count in other.items():
        counts[each] = counts.get(each, 0) + count
    return counts


def bag_extend(counts: dict[Any, int], other: Counts) -> None:
    """Adds to a bag that nobody else has."""
    for each, count in other.items():
        counts[each] = counts.get(each, 0) + count


def bag_difference(bag: Counts, taken: Counts) -> dict[Any, int]:
    """A bag without what is taken, all of which it holds."""
    counts = dict(bag)
    for each, count in taken.items():
        if counts[each] == count:
            del counts[each]
        else:
            counts[each] -= count
    return counts


def first_lacking(bag: Counts, taken: Counts) -> Any:
    """An element of which a bag holds fewer than are taken, in a tuple; None if there is none."""
    for each, count in taken.items():
        if count > bag.get(each, 0):
            return (each,)
    return None


def bag_common(one: Counts, other: Counts) -> dict[Any, int]:
    """What two bags share."""
    return {each: min(count, other[each]) for each, count in one.items() if each in other}


def is_sub_bag(part: Counts, whole: Counts) -> bool:
    """Whether one bag holds all of another."""
    return all(count <= whole.get(each, 0) for each, count in part.items())


def size_of_bag(bag: Counts) -> int:
    return sum(bag.values())


def in_order(elements: Iterable[Any]) -> list[Any]:
    """Values in the order of their type, `none` first."""
    found = list(elements)
    if None in found:
        return [None, *sorted(each for each in found if each is not None)]
    return sorted(found)


def to_bits(elements: Iterable[int]) -> int:
    """A set as bits."""
    mask = 0
    for each in elements:
        mask |= 1 << each
    return mask


def sparse(map: Mapping[Any, Any]) -> dict[Any, Any]:
    """A map without what is `none`."""
    return {key: value for key, value in map.items() if value is not None}


def put(map: Mapping[Any, Any], key: Any, value: Any) -> dict[Any, Any]:
    """A map kept without what is `none`, with another value at one key."""
    changed = dict(map)
    if value is None:
        changed.pop(key, None)
    else:
        changed[key] = value
    return changed


def tally(values: Iterable[Any]) -> dict[Any, int]:
    """How often each value occurs, `none` left out."""
    return bag_of(each for each in values if each is not None)


def components(squares: Iterable[int], width: int) -> int:
    """Into how many parts squares fall; neighbours share a side."""
    left = set(squares)
    count = 0
    while left:
        count += 1
        reached = [left.pop()]
        while reached:
            square = reached.pop()
            column = square % width
            for neighbour in (
                square - width,
                square + width,
                square - 1 if column else -1,
                square + 1 if column + 1 < width else -1,
            ):
                if neighbour in left:
                    left.remove(neighbour)
                    reached.append(neighbour)
    return count


def shuffled(elements: Iterable[Any], random: Callable[[], float] | None) -> list[Any]:
    """In any order; with no random source as they are given."""
    found = list(elements)
    if random is not None and len(found) > 1:
        for last in range(len(found) - 1, 0, -1):
            other = int(random() * (last + 1))
            found[last], found[other] = found[other], found[last]
    return found


def pick(weighted: Sequence[tuple[int, Any]], random: Callable[[], float]) -> Any:
    """One of some things, each as likely as its weight; None if nothing weighs anything."""
    number = int(random() * sum(weight for weight, _ in weighted))
    for weight, each in weighted:
        if number < weight:
            return each
        number -= weight
    return None


def nested(leaves: Sequence[Any], strides: Sequence[int]) -> tuple[Any, ...]:
    """Slots of the state as maps in a map; `strides` are how many belong to each."""
    if not strides:
        return tuple(leaves)
    width, *rest = strides
    return tuple(
        nested(leaves[start : start + width], rest) for start in range(0, len(leaves), width)
    )


class Elements(dict[int, tuple[int, ...]]):
    """The elements of sets kept as bits, remembered once they have been asked for."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        found = tuple(bits(mask))
        if len(self) < MOST_REMEMBERED:
            self[mask] = found
        return found


def flat(map: Sequence[Any], depth: int) -> list[Any]:
    """Maps in a map as slots of the state, one after the other."""
    if depth == 1:
        return list(map)
    return [leaf for inside in map for leaf in flat(inside, depth - 1)]
