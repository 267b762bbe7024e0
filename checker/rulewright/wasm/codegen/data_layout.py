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

from rulewright.meaning import types as y
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import BagValue, Position, SparseMap, entries, is_sparse
from rulewright.syntax.node import Node
from rulewright.wasm.assembler.instructions import I32, I64, Unsupported

MASK = 64
"""Possible elements of a set that is kept in one register."""
WIDEST = 1 << 20
"""Possible elements of sets, bags and keys of maps; with more they are not kept."""
SMALL = 1 << 30
"""Numbers from minus this to this are kept in 32 bits."""
COUNT_WIDTH = 2
MOST_COUNT = 65535
TOO_WIDE = "a number that 64 bits do not hold"
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


class WordSet(Node):
    """A set as so many words of bits in memory."""

    base: int
    count: int
    size: int


class CountArray(Node):
    """A bag as counts in memory; the first is of the element `base`."""

    base: int
    count: int
    size: int


class ValueArray(Node):
    """A map as values in memory, so many bytes apart; the first is of the key `first`."""

    first: int
    count: int
    inner: Kept
    stride: int
    size: int


class SparseArray(Node):
    """A map of optionals with `words` words of bits, one for each key that is not `none`, and
    behind them the values; those of other keys mean nothing, and are zero in the state."""

    first: int
    count: int
    inner: Scalar
    words: int
    values: int
    size: int


Kept: TypeAlias = "Scalar | Mask | WordSet | CountArray | ValueArray | SparseArray"


def register(kept: Kept) -> str:
    """Where a value is while it is worked with; what is in memory by its address."""
    if isinstance(kept, Scalar):
        return kept.register
    return I64 if isinstance(kept, Mask) else I32


def in_memory(kept: Kept) -> bool:
    """Whether values are worked with by their address."""
    return not isinstance(kept, Scalar | Mask)


class StateSlot(Node):
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
        types = {name: variable.type for name, variable in instance.variables.items()}
        places: dict[str, StateSlot] = {}
        self._once: dict[Kept, Kept] = {}
        offset = 0
        for name in sorted(types, key=lambda each: bool(boards(self.kept(types[each])))):
            kept = self.kept(types[name])
            step = min(8, kept.size) if isinstance(kept, Scalar | Mask) else 8
            offset += -offset % step
            places[name] = StateSlot(offset, types[name], kept)
            offset += kept.size
        self.places: dict[str, StateSlot] = {name: places[name] for name in types}
        """Where each variable is; boards, which are large and nearly empty, come last."""
        self.size = offset + -offset % 8
        """The bytes of a state."""
        firsts = [each.offset for each in self.places.values() if boards(each.kept)]
        self.fixed = min(firsts, default=self.size)
        """The bytes before the first board."""

    def kept(self, type: y.Type) -> Kept:
        """How values of a type are kept: the same object for what is kept in the same way."""
        near = self._near.get(id(type))
        if near is not None:
            return near[1]
        if type not in self._known:
            kept = self._keep(type)
            self._known[type] = self._once.setdefault(kept, kept)
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
                return WordSet(base, words, 8 * words)
            case y.Bag(element):
                first, count = self.elements(element)
                base = 0 if 0 <= first <= MASK else first
                held = max(first + count - base, 1)
                return CountArray(base, held, COUNT_WIDTH * held + -COUNT_WIDTH * held % 8)
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
            return SparseArray(first, count, inner, words, 8 * words, size + -size % 8)
        size = count * inner.size
        return ValueArray(first, count, inner, inner.size, max(size + -size % 8, 8))

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
                kept = self.kept(type)
                assert isinstance(kept, Scalar) and kept.none is not None
                number = kept.none if value is None else self.number(value, inner)
                if number == kept.none and value is not None:
                    raise Unsupported(TOO_WIDE)
                return number
            case y.Enum() | y.Grid():
                return self.instance.order(type)[value]
            case _:
                number = int(value)
                if not LEAST[I64] <= number < -LEAST[I64]:
                    raise Unsupported(TOO_WIDE)
                return number

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
            case ((Mask() | WordSet()), y.Set(element)):
                bits = 0
                for each in value:
                    bits |= 1 << (self.number(each, element) - kept.base)
                memory[at : at + kept.size] = bits.to_bytes(kept.size, "little")
            case CountArray(base, _, size), y.Bag(element):
                memory[at : at + size] = bytes(size)
                for each in value:
                    if value[each] > MOST_COUNT:
                        raise Unsupported("a bag with too many of one element")
                    place = at + COUNT_WIDTH * (self.number(each, element) - base)
                    _put(memory, place, COUNT_WIDTH, value[each])
            case ValueArray(first, _, _, stride, size), y.Map(key, inside):
                memory[at : at + size] = bytes(size)
                for each in self.instance.order(key):
                    place = at + stride * (self.number(each, key) - first)
                    self.encode(value[each], inside, memory, place)
            case SparseArray(first, _, inner, _, values, size), y.Map(key, inside):
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
            case ((Mask(base, size) | WordSet(base, _, size)), y.Set(element)):
                bits = int.from_bytes(memory[at : at + size], "little")
                return frozenset(self.plain(base + each, element) for each in ones(bits))
            case CountArray(base, count, _), y.Bag(element):
                found = {}
                for number in range(count):
                    many = int.from_bytes(
                        memory[at + COUNT_WIDTH * number : at + COUNT_WIDTH * (number + 1)],
                        "little",
                    )
                    if many:
                        found[self.plain(base + number, element)] = many
                return BagValue.counted(found)
            case ValueArray(_, _, _, stride, _), y.Map(key, inside):
                return {
                    each: self.decode(inside, memory, at + stride * number)
                    for number, each in enumerate(self.instance.order(key))
                }
            case SparseArray(first, _, inner, words, values, _), y.Map(key, inside):
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


def boards(kept: Kept, at: int = 0) -> list[tuple[int, SparseArray]]:
    """The boards in a value, each with its address if the value is at an address."""
    match kept:
        case SparseArray():
            return [(at, kept)]
        case ValueArray(_, count, inner, stride, _) if boards(inner):
            return [each for n in range(count) for each in boards(inner, at + n * stride)]
        case _:
            return []


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
