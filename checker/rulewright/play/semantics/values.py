"""The values that expressions have in play, by type:

    Bool bool      numbers, Player int      names, cases, squares str      T? also None
    Set[T] frozenset      Bag[T] Bag      maps dict, or SparseMap for big boards

All are treated as never changing: a write makes a new value. That values are of the right kind
is trusted to the type checker; `stray` finds those that leave a range.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from rulewright.meaning import types as y
from rulewright.play.semantics.instance import Instance, Order

Plain: TypeAlias = y.Value
Value: TypeAlias = Any
"""Any of the above: which one, only the type in the language knows."""
Position: TypeAlias = "dict[str, Value]"
"""The value of each state variable. Once it is somebody's position it is not changed."""

DENSE = 1000
"""Maps of optionals with more keys than this keep only the keys that are not `none`."""


class BagValue:
    """How many there are of each element: a multiset that never changes."""

    __slots__ = ("counts",)

    def __init__(self, elements: Iterable[Plain] = ()) -> None:
        self.counts: dict[Plain, int] = dict(Counter(elements))

    @classmethod
    def counted(cls, counts: Mapping[Plain, int]) -> BagValue:
        """So many of each; elements of which there are none are left out."""
        bag = cls()
        bag.counts = {element: count for element, count in counts.items() if count > 0}
        return bag

    def __getitem__(self, element: Plain) -> int:
        return self.counts.get(element, 0)

    def __contains__(self, element: Plain) -> bool:
        return element in self.counts

    def __len__(self) -> int:
        return sum(self.counts.values())

    def __iter__(self) -> Iterator[Plain]:
        """Its different elements."""
        return iter(self.counts)

    def __add__(self, other: BagValue) -> BagValue:
        return BagValue.counted(Counter(self.counts) + Counter(other.counts))

    def __sub__(self, other: BagValue) -> BagValue:
        return BagValue.counted(Counter(self.counts) - Counter(other.counts))

    def __and__(self, other: BagValue) -> BagValue:
        return BagValue.counted(Counter(self.counts) & Counter(other.counts))

    def __le__(self, other: BagValue) -> bool:
        return all(count <= other[element] for element, count in self.counts.items())

    def __lt__(self, other: BagValue) -> bool:
        return self <= other and self != other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BagValue) and self.counts == other.counts

    def __hash__(self) -> int:
        return hash(frozenset(self.counts.items()))

    def __repr__(self) -> str:
        return f"Bag({self.counts!r})"


class SparseMap(Mapping[Plain, Any]):
    """A map of optionals that costs only the keys that are not `none`."""

    __slots__ = ("entries", "order")

    def __init__(self, order: Order, entries: Mapping[Plain, Any]) -> None:
        self.order = order
        self.entries = {key: value for key, value in entries.items() if value is not None}

    def __getitem__(self, key: Plain) -> Any:
        if key not in self.order:
            raise KeyError(key)
        return self.entries.get(key)

    def __contains__(self, key: object) -> bool:
        return key in self.order

    def __iter__(self) -> Iterator[Any]:
        return iter(self.order)

    def __len__(self) -> int:
        return len(self.order)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SparseMap):
            return self.entries == other.entries
        return Mapping.__eq__(self, other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"SparseMap({self.entries!r})"


def is_sparse(type: y.Map) -> bool:
    """Whether maps of this type keep only the keys that are not `none`."""
    keys = y.most_values(type.key)
    return isinstance(type.value, y.Option) and keys is not None and keys > DENSE


def make_map(
    type: y.Map, instance: Instance, value_at: Callable[[Any], Value]
) -> Mapping[Plain, Value]:
    """The map of that type with these values."""
    order = instance.order(type.key)
    entries: dict[Any, Value] = {key: value_at(key) for key in order}
    return SparseMap(order, entries) if is_sparse(type) else entries


def uniform_map(type: y.Map, instance: Instance, value: Value) -> Mapping[Plain, Value]:
    """The map of that type with one value at all keys."""
    if value is None and is_sparse(type):
        return SparseMap(instance.order(type.key), {})
    return make_map(type, instance, lambda _: value)


def changed(map: Mapping[Plain, Value], key: Plain, value: Value) -> Mapping[Plain, Value]:
    """The map with another value at one key."""
    if isinstance(map, SparseMap):
        return SparseMap(map.order, {**map.entries, key: value})
    return {**map, key: value}


def entries(map: Mapping[Plain, Value]) -> Mapping[Any, Any]:
    """The keys and values of a map, those that are `none` left out."""
    if isinstance(map, SparseMap):
        return map.entries
    return {key: value for key, value in map.items() if value is not None}


def ordered(elements: Iterable[Plain], type: y.Type, instance: Instance) -> list[Any]:
    """Plain values in the order of their type, those that are not of it last."""
    match type:
        case y.Enum() | y.Grid() | y.Option():
            order = instance.order(type)
            last = len(order)
            return sorted(elements, key=lambda each: (order.get(each, last), text(each)))
        case _:
            return sorted(elements)


def stray(value: Any, type: y.Type, instance: Instance) -> tuple[Plain, y.Type] | None:
    """The first part of a value that is not of its type, with the type it should be of."""
    match type:
        case y.Option(inner):
            return None if value is None else stray(value, inner, instance)
        case y.Set(element) | y.Bag(element):
            # Only what is wrong is put in order: nearly always there is nothing.
            wrong = [each for each in value if stray(each, element, instance) is not None]
            return stray(ordered(wrong, element, instance)[0], element, instance) if wrong else None
        case y.Map(key, inner):
            if not is_sparse(type) and any(each not in value for each in instance.order(key)):
                return None, type
            kept = entries(value) if is_sparse(type) else value
            wrong = [each for each in kept if stray(kept[each], inner, instance) is not None]
            return stray(kept[ordered(wrong, key, instance)[0]], inner, instance) if wrong else None
        case y.Int(low, high):
            fits = (low is None or low <= value) and (high is None or value <= high)
            return None if fits else (value, type)
        case y.Never() | y.ErrorType():
            return value, type
        case _:
            return None if value in instance.order(type) else (value, type)


def frozen(value: Any) -> Hashable:
    """The same for equal values, different for different ones of a type, and hashable."""
    if isinstance(value, Mapping):
        return frozenset((key, frozen(each)) for key, each in entries(value).items())
    return value  # type: ignore[no-any-return]


def text(value: Plain) -> str:
    """A plain value as a person reads it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
