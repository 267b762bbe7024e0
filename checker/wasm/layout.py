"""How values and positions are kept: in registers while they are worked with, and in memory.

    Bool, Player, names, squares   an i32: 0 or 1, the seat, the place in the type
    numbers                        an i32 where the range is small enough, else an i64
    T?                             the same, `none` being -1, or the least number if T has negatives
    Set[T]                         up to 64 possible elements an i64 of bits, else words in memory
    Bag[T]                         in memory, a count of 16 bits for each possible element
    maps                           in memory, one value after the other; of big boards of optionals
                                   also a bit for each key that is not `none`

What is in memory is worked with by its address and never changed, but for the state itself. Whole
types too big to be kept are refused with `Unsupported`, and left to the evaluator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from checker.meaning import types as y
from checker.play.instance import Instance
from checker.play.values import Bag, Position, SparseMap, entries, is_sparse
from checker.syntax.node import Node
from checker.wasm.code import I32, I64, Unsupported

MASK = 64
"""Possible elements of a set that is kept in one register."""
WIDEST = 1 << 17
"""Possible elements of sets, bags and keys of maps; with more they are not kept."""
SMALL = 1 << 30
"""Numbers from minus this to this are kept in 32 bits."""
COUNT_WIDTH = 2
MOST_COUNT = 65535
LEAST = {I32: -(1 << 31), I64: -(1 << 63)}


class Scalar(Node):
    """A plain value: its register, its bytes in memory, and what stands for `none`."""

    register: str
    size: int
    sign: bool
    none: int | None


class Mask(Node):
    """A set as bits; the lowest stands for the element `base`."""

    base: int
    size: int


class Words(Node):
    """A set as so many words of bits in memory."""

    base: int
    count: int
    size: int


class Counts(Node):
    """A bag as counts in memory; the first is of the element `base`."""

    base: int
    count: int
    size: int


class Array(Node):
    """A map as values in memory, so many bytes apart; the first is of the key `first`."""

    first: int
    count: int
    inner: Kept
    stride: int
    size: int


class Board(Node):
    """A map of optionals with `words` words of bits, one for each key that is not `none`, and
    behind them the values; those of other keys mean nothing, and are zero in the state."""

    first: int
    count: int
    inner: Scalar
    words: int
    values: int
    size: int


Kept: TypeAlias = "Scalar | Mask | Words | Counts | Array | Board"


def register(kept: Kept) -> str:
    """Where a value is while it is worked with; what is in memory by its address."""
    if isinstance(kept, Scalar):
        return kept.register
    return I64 if isinstance(kept, Mask) else I32


def in_memory(kept: Kept) -> bool:
    """Whether values are worked with by their address."""
    return not isinstance(kept, Scalar | Mask)


class Place(Node):
    """Where a state variable is, counted from the beginning of the state."""

    offset: int
    type: y.Type
    kept: Kept


class Layout:
    """The representation of every type and variable of an instance."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.players = instance.players
        self._known: dict[y.Type, Kept] = {}
        self._near: dict[int, tuple[y.Type, Kept]] = {}
        self.places: dict[str, Place] = {}
        offset = 0
        for name, variable in instance.variables.items():
            kept = self.kept(variable.type)
            step = min(8, kept.size) if isinstance(kept, Scalar | Mask) else 8
            offset += -offset % step
            self.places[name] = Place(offset, variable.type, kept)
            offset += kept.size
        self.size = offset + -offset % 8
        """The bytes of a state."""

    def kept(self, type: y.Type) -> Kept:
        """How values of a type are kept."""
        near = self._near.get(id(type))
        if near is not None:
            return near[1]
        if type not in self._known:
            self._known[type] = self._keep(type)
        found = self._known[type]
        self._near[id(type)] = (type, found)
        return found

    def universe(self, type: y.Type) -> tuple[int, int]:
        """The least value of a plain type as a number, and how many there are."""
        match type:
            case y.Bool():
                return 0, 2
            case y.Int(int() as low, int() as high):
                size = max(0, high - low + 1)
                if size > WIDEST or low < -SMALL or high > SMALL:
                    raise Unsupported(f"all of {y.show(type)}")
                return low, size
            case y.Player():
                return 1, self.players
            case y.Enum(_, members):
                return 0, len(members)
            case y.Grid(_, width, height):
                return 0, width * height
            case y.Never():
                return 0, 0
            case _:
                raise Unsupported(f"all of {y.show(type)}")

    def elements(self, type: y.Type) -> tuple[int, int]:
        """The same for the elements of sets and bags, where a seat that is not taken may turn
        up: naming it is no mistake before it is looked up or written somewhere."""
        return (1, type.most) if isinstance(type, y.Player) else self.universe(type)

    # ---- types

    def _keep(self, type: y.Type) -> Kept:
        match type:
            case y.Option(inner):
                return self._scalar(inner, optional=True)
            case y.Set(element):
                first, count = self.elements(element)
                last = first + count - 1
                if first >= 0 and last < MASK:
                    return Mask(0, _set_width(last + 1))
                if count <= MASK:
                    return Mask(first, _set_width(count))
                base = 0 if 0 <= first < MASK else first
                words = (last - base) // 64 + 1
                return Words(base, words, 8 * words)
            case y.Bag(element):
                first, count = self.elements(element)
                base = 0 if 0 <= first <= MASK else first
                held = max(first + count - base, 1)
                return Counts(base, held, COUNT_WIDTH * held + -COUNT_WIDTH * held % 8)
            case y.Map(key, inside):
                return self._map(type, key, inside)
            case _:
                return self._scalar(type, optional=False)

    def _map(self, type: y.Map, key: y.Type, inside: y.Type) -> Kept:
        first, count = self.universe(key)
        inner = self.kept(inside)
        if is_sparse(type):
            assert isinstance(inner, Scalar)
            words = (count + 63) // 64
            size = 8 * words + count * inner.size
            return Board(first, count, inner, words, 8 * words, size + -size % 8)
        size = count * inner.size
        return Array(first, count, inner, inner.size, max(size + -size % 8, 8))

    def _scalar(self, type: y.Type, optional: bool) -> Scalar:
        match type:
            case y.Int(low, high):
                return _number(low, high, optional)
            case y.Bool():
                high = 1
            case y.Player(_, most):
                high = most
            case y.Enum(_, members):
                high = len(members)
            case y.Grid(_, width, height):
                high = width * height
            case y.Never():
                high = 0
            case _:
                raise Unsupported(f"an optional {y.show(type)}" if optional else y.show(type))
        least = -1 if optional else 0
        return Scalar(I32, *_width(least, high), -1 if optional else None)

    # ---- to and from the values of the evaluator

    def number(self, value: Any, type: y.Type) -> int:
        """A plain value as a number."""
        match type:
            case y.Option(inner):
                if value is not None:
                    return self.number(value, inner)
                kept = self.kept(type)
                assert isinstance(kept, Scalar) and kept.none is not None
                return kept.none
            case y.Enum() | y.Grid():
                return self.instance.order(type)[value]
            case _:
                return int(value)

    def plain(self, number: int, type: y.Type) -> Any:
        """The plain value that a number stands for."""
        match type:
            case y.Option(inner):
                kept = self.kept(type)
                assert isinstance(kept, Scalar)
                return None if number == kept.none else self.plain(number, inner)
            case y.Bool():
                return bool(number)
            case y.Enum(_, members):
                return members[number]
            case y.Grid(_, width, _):
                return y.square_name(number % width + 1, number // width + 1)
            case _:
                return number

    def encode(self, value: Any, type: y.Type, memory: memoryview, at: int) -> None:
        """Writes a value to memory."""
        kept = self.kept(type)
        match kept, type:
            case Scalar(size=size), _:
                _put(memory, at, size, self.number(value, type))
            case ((Mask() | Words()), y.Set(element)):
                bits = 0
                for each in value:
                    bits |= 1 << (self.number(each, element) - kept.base)
                memory[at : at + kept.size] = bits.to_bytes(kept.size, "little")
            case Counts(base, _, size), y.Bag(element):
                memory[at : at + size] = bytes(size)
                for each in value:
                    if value[each] > MOST_COUNT:
                        raise Unsupported("a bag with too many of one element")
                    place = at + COUNT_WIDTH * (self.number(each, element) - base)
                    _put(memory, place, COUNT_WIDTH, value[each])
            case Array(first, _, _, stride, size), y.Map(key, inside):
                memory[at : at + size] = bytes(size)
                for each in self.instance.order(key):
                    place = at + stride * (self.number(each, key) - first)
                    self.encode(value[each], inside, memory, place)
            case Board(first, _, inner, _, values, size), y.Map(key, inside):
                memory[at : at + size] = bytes(size)
                for each, held in entries(value).items():
                    number = self.number(each, key) - first
                    memory[at + number // 8] |= 1 << (number % 8)
                    self.encode(held, inside, memory, at + values + inner.size * number)
            case _:
                raise AssertionError(type)

    def decode(self, type: y.Type, memory: memoryview, at: int) -> Any:
        """Reads a value from memory."""
        kept = self.kept(type)
        match kept, type:
            case Scalar(size=size, sign=sign), _:
                raw = int.from_bytes(memory[at : at + size], "little", signed=sign)
                return self.plain(raw, type)
            case ((Mask(base, size) | Words(base, _, size)), y.Set(element)):
                bits = int.from_bytes(memory[at : at + size], "little")
                return frozenset(self.plain(base + each, element) for each in ones(bits))
            case Counts(base, count, _), y.Bag(element):
                found = {}
                for number in range(count):
                    many = int.from_bytes(
                        memory[at + COUNT_WIDTH * number : at + COUNT_WIDTH * (number + 1)],
                        "little",
                    )
                    if many:
                        found[self.plain(base + number, element)] = many
                return Bag.counted(found)
            case Array(_, _, _, stride, _), y.Map(key, inside):
                return {
                    each: self.decode(inside, memory, at + stride * number)
                    for number, each in enumerate(self.instance.order(key))
                }
            case Board(first, _, inner, words, values, _), y.Map(key, inside):
                bits = int.from_bytes(memory[at : at + 8 * words], "little")
                held = {
                    self.plain(first + each, key): self.decode(
                        inside, memory, at + values + inner.size * each
                    )
                    for each in ones(bits)
                }
                return SparseMap(self.instance.order(key), held)
            case _:
                raise AssertionError(type)

    def load(self, position: Mapping[str, Any], memory: memoryview, at: int) -> None:
        """Writes a position to memory."""
        memory[at : at + self.size] = bytes(self.size)
        for name, place in self.places.items():
            self.encode(position[name], place.type, memory, at + place.offset)

    def position(self, memory: memoryview, at: int) -> Position:
        """Reads a position from memory."""
        return {
            name: self.decode(place.type, memory, at + place.offset)
            for name, place in self.places.items()
        }


def ones(bits: int) -> list[int]:
    """The places of the ones in a number, lowest first."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found


def _put(memory: memoryview, at: int, size: int, number: int) -> None:
    memory[at : at + size] = (number & ((1 << 8 * size) - 1)).to_bytes(size, "little")


def _number(low: int | None, high: int | None, optional: bool) -> Scalar:
    natural = low is not None and low >= 0
    if low is None or high is None or low < -SMALL or high > SMALL:
        return Scalar(I64, 8, True, (-1 if natural else LEAST[I64]) if optional else None)
    if not optional:
        return Scalar(I32, *_width(low, high), None)
    return Scalar(I32, *_width(-1, high), -1) if natural else Scalar(I32, 4, True, LEAST[I32])


def _width(low: int, high: int) -> tuple[int, bool]:
    """The bytes that numbers from one to the other take, and whether they have a sign."""
    for size in (1, 2):
        if low >= 0 and high < 1 << 8 * size:
            return size, False
        if low >= -(1 << (8 * size - 1)) and high < 1 << (8 * size - 1):
            return size, True
    return 4, True


def _set_width(count: int) -> int:
    return next(size for size in (1, 2, 4, 8) if count <= 8 * size)
