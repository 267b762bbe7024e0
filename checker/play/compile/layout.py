"""How values and positions are kept while playing fast.

    Bool bool      numbers, Player int      names, cases, squares their place in the type, an int
    T? also None   Set[T] an int, a bit per element; over big types a frozenset
    Bag[T] dict of counts      maps tuple, or over big boards a dict of what is not `none`

A state is one flat list: a map takes a slot for each of its keys, down to what is no map any
more. All values are treated as never changing, so that a copy of the list is a copy of the state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from checker.meaning import types as y
from checker.play.instance import Instance
from checker.play.values import (
    Bag,
    Position,
    SparseMap,
    entries,
    is_sparse,
)
from checker.syntax.node import Node

Encoded: TypeAlias = Any
State: TypeAlias = "list[Encoded]"

WIDEST_BITS = 256
"""Sets over types with more values than this are no longer kept as bits."""
SPARSE = 40
"""Maps of optionals with more keys than this keep only the keys that are not `none`."""
MOST_SLOTS = 512
"""A map with more places than this stays whole, in one slot."""
WIDEST_PADDING = 16


class Slots(Node):
    """Where a variable is kept: from `base` on, one slot for each choice of `keys`; what is in
    a slot is of the type `inner`."""

    base: int
    keys: tuple[y.Type, ...]
    strides: tuple[int, ...]
    inner: y.Type
    count: int


class Layout:
    """The representation of every type and variable of an instance."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.players = instance.players
        self.slots: dict[str, Slots] = {}
        self.length = 0
        self._encoders: dict[y.Type, Callable[[Any], Encoded]] = {}
        self._decoders: dict[y.Type, Callable[[Encoded], Any]] = {}
        for name, variable in instance.variables.items():
            slots = self._slots(variable.type)
            self.slots[name] = slots
            self.length += slots.count

    # ---- scalars

    def first(self, type: y.Type) -> int:
        """The least encoded value of a type that is not optional."""
        match type:
            case y.Int(int() as low, _):
                return low
            case y.Player():
                return 1
            case _:
                return 0

    def size(self, type: y.Type) -> int | None:
        """How many values a type has; None for no end, or more than anybody would go through."""
        match type:
            case y.Player():
                return self.players
            case y.Option(inner):
                inside = self.size(inner)
                return None if inside is None else inside + 1
            case y.Set(element):
                inside = self.size(element)
                return None if inside is None or inside > 20 else 1 << inside
            case _:
                return y.most_values(type)

    def values(self, type: y.Type) -> list[Encoded]:
        """The encoded values of a finite type in order; sets count in binary."""
        match type:
            case y.Bool():
                return [False, True]
            case y.Option(inner):
                return [None, *self.values(inner)]
            case y.Set(element):
                inside = self.values(element)
                step = 1 << (inside[0] if inside else 0)
                return [step * number for number in range(1 << len(inside))]
            case _:
                size = self.size(type)
                assert size is not None
                first = self.first(type)
                return list(range(first, first + size))

    def is_bits(self, element: y.Type) -> bool:
        """Whether sets of such elements are kept as bits."""
        match element:
            case y.Bool() | y.Player() | y.Never():
                return True
            case y.Int(int() as low, int() as high):
                return low >= 0 and high <= WIDEST_BITS
            case y.Enum() | y.Grid():
                return (y.most_values(element) or 0) <= WIDEST_BITS
            case _:
                return False

    def all_bits(self, type: y.Type) -> int:
        """The set of all values of a type, as bits."""
        return sum(1 << int(value) for value in self.values(type))

    def is_sparse(self, type: y.Map) -> bool:
        """Whether maps of this type keep only what is not `none`."""
        keys = self.size(type.key)
        return isinstance(type.value, y.Option) and (keys is None or keys > SPARSE)

    def padding(self, type: y.Type) -> int | None:
        """How many unused places a table over this type begins with so that an encoded value is
        its own index; None if it must be shifted."""
        first = self.first(type)
        return first if 0 <= first <= WIDEST_PADDING else None

    # ---- to and from the values of the evaluator

    def encoder(self, type: y.Type) -> Callable[[Any], Encoded]:
        """From a value of the evaluator to ours."""
        if type not in self._encoders:
            self._encoders[type] = self._make_encoder(type)
        return self._encoders[type]

    def decoder(self, type: y.Type) -> Callable[[Encoded], Any]:
        """From our value to one of the evaluator."""
        if type not in self._decoders:
            self._decoders[type] = self._make_decoder(type)
        return self._decoders[type]

    def encode(self, value: Any, type: y.Type) -> Encoded:
        return self.encoder(type)(value)

    def decode(self, value: Encoded, type: y.Type) -> Any:
        return self.decoder(type)(value)

    def load(self, position: Position) -> State:
        """A position as a state."""
        state: State = []
        for name, slots in self.slots.items():
            encode = self.encoder(slots.inner)
            state += [encode(each) for each in _flat(position[name], len(slots.keys))]
        return state

    def position(self, state: State) -> Position:
        """A state as a position."""
        found = {}
        for name, slots in self.slots.items():
            decode = self.decoder(slots.inner)
            inside = [decode(each) for each in state[slots.base : slots.base + slots.count]]
            found[name] = self._nested(inside, slots.keys)
        return found

    def _nested(self, leaves: list[Any], keys: tuple[y.Type, ...]) -> Any:
        if not keys:
            return leaves[0]
        order = self.instance.order(keys[0])
        width = len(leaves) // max(len(order), 1)
        return {
            key: self._nested(leaves[place * width : (place + 1) * width], keys[1:])
            for key, place in order.items()
        }

    def _slots(self, type: y.Type) -> Slots:
        keys: list[y.Type] = []
        inner, count = type, 1
        while isinstance(inner, y.Map) and not self.is_sparse(inner):
            size = self.size(inner.key) or 0
            if count * size > MOST_SLOTS:
                break
            keys.append(inner.key)
            count *= size
            inner = inner.value
        strides, stride = [], count
        for key in keys:
            stride //= max(self.size(key) or 0, 1)
            strides.append(stride)
        return Slots(self.length, tuple(keys), tuple(strides), inner, count)

    def _make_encoder(self, type: y.Type) -> Callable[[Any], Encoded]:
        match type:
            case y.Enum(_, members):
                return {member: place for place, member in enumerate(members)}.__getitem__
            case y.Grid(_, width, _):
                return lambda square: _square_number(square, width)
            case y.Option(inner):
                inside = self.encoder(inner)
                return lambda value: None if value is None else inside(value)
            case y.Set(element):
                inside = self.encoder(element)
                if not self.is_bits(element):
                    return lambda value: frozenset(map(inside, value))
                return lambda value: sum(1 << inside(each) for each in value)
            case y.Bag(element):
                inside = self.encoder(element)
                return lambda bag: {inside(each): bag[each] for each in bag}
            case y.Map(key, value_type):
                inside = self.encoder(value_type)
                if self.is_sparse(type):
                    place = self.encoder(key)
                    return lambda map: {
                        place(each): inside(value) for each, value in entries(map).items()
                    }
                order = list(self.instance.order(key))
                return lambda map: tuple(inside(map[each]) for each in order)
            case _:
                return _same

    def _make_decoder(self, type: y.Type) -> Callable[[Encoded], Any]:
        match type:
            case y.Enum(_, members):
                return members.__getitem__
            case y.Grid(_, width, _):
                return lambda number: y.square_name(number % width + 1, number // width + 1)
            case y.Option(inner):
                inside = self.decoder(inner)
                return lambda value: None if value is None else inside(value)
            case y.Set(element):
                inside = self.decoder(element)
                if not self.is_bits(element):
                    return lambda value: frozenset(map(inside, value))
                if isinstance(element, y.Bool):
                    return lambda value: frozenset(each != 0 for each in bits(value))
                return lambda value: frozenset(inside(each) for each in bits(value))
            case y.Bag(element):
                inside = self.decoder(element)
                return lambda bag: Bag.counted({inside(each): bag[each] for each in bag})
            case y.Map():
                return self._map_decoder(type)
            case _:
                return _same

    def _map_decoder(self, type: y.Map) -> Callable[[Encoded], Any]:
        inside = self.decoder(type.value)
        order = self.instance.order(type.key)
        if not self.is_sparse(type):
            return lambda map: {key: inside(map[place]) for key, place in order.items()}
        name = self.decoder(type.key)
        if is_sparse(type):
            return lambda map: SparseMap(order, {name(key): inside(map[key]) for key in map})
        number = self.encoder(type.key)
        return lambda map: {
            key: inside(map[number(key)]) if number(key) in map else None for key in order
        }


def bits(mask: int) -> list[int]:
    """The elements of a set kept as bits, in order."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


def _same(value: Any) -> Any:
    return value


def _square_number(square: str, width: int) -> int:
    place = y.square_place(square)
    assert place is not None
    return (place[1] - 1) * width + place[0] - 1


def _flat(value: Any, depth: int) -> list[Any]:
    if depth == 0:
        return [value]
    return [leaf for inside in value.values() for leaf in _flat(inside, depth - 1)]
