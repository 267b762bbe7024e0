"""Values between registers and memory, and the loops over what is kept there."""

from __future__ import annotations

from collections.abc import Callable

from checker.wasm.code import (
    I32,
    I64,
    Code,
    Label,
    block,
    branch,
    branch_if,
    choose,
    const,
    copy,
    load,
    loop,
    narrow,
    sequence,
    store,
    unary,
    whilst,
)
from checker.wasm.layout import COUNT_WIDTH, Board, Counts, Kept, Mask, Scalar, Words
from checker.wasm.module import Function
from checker.wasm.unit import Here, Unit

UNCOUNTED = 1 << 12
"""Turns; those of a loop with no more are not counted as work, if there is no other loop in it."""
Body = Callable[[Code], Code]
"""What to do with each value of a loop."""


def value_at(kept: Kept, address: Code, offset: int = 0) -> Code:
    """A value in memory as it is worked with."""
    match kept:
        case Scalar(register, size, sign, _):
            return load(register, address, offset, size, sign)
        case Mask(_, size):
            return load(I64, address, offset, size, size == 8)
        case _:
            return address + offset


def put_at(kept: Kept, value: Code, address: Code, offset: int = 0) -> Code:
    """Writes a value as it is worked with to memory."""
    match kept:
        case Scalar(_, size, _, _) | Mask(_, size):
            return store(value, address, offset, size)
        case _:
            return copy(address + offset, value, kept.size)


def copied(unit: Unit, kept: Kept, to: Code, source: Code) -> Code:
    """Copies what is kept in memory to where nothing is yet."""
    if isinstance(kept, Board):
        return _copying(unit, kept, clear=False)(to, source)
    return copy(to, source, kept.size)


def replaced(unit: Unit, kept: Kept, to: Code, value: Code) -> Code:
    """Writes a value over another one. What a board has at keys that are `none` is zero, so that
    states that are the same are the same byte by byte."""
    if isinstance(kept, Board):
        return _copying(unit, kept, clear=True)(to, value)
    return put_at(kept, value, to)


def _copying(unit: Unit, kept: Board, clear: bool) -> Function:
    """Copies a board, only what is on it."""

    def make(name: str) -> Function:
        made = unit.module.function(name, [I32, I32])
        to, source = (each.value for each in made.params)
        size = kept.inner.size

        def body(here: Here) -> Code:
            def blank(key: Code) -> Code:
                at = entry(to + kept.values, key, kept.first, size)
                return store(const(0, kept.inner.register), at, 0, size)

            def move(key: Code) -> Code:
                at, from_ = (
                    entry(side + kept.values, key, kept.first, size) for side in (to, source)
                )
                return put_at(kept.inner, value_at(kept.inner, from_), at)

            same = to.eq(source)
            return choose(same, sequence(), sequence(
                each_element(unit, here, kept, to, blank) if clear else sequence(),
                copy(to, source, kept.values),
                each_element(unit, here, kept, source, move),
            ))  # fmt: skip

        unit.define(made, {}, 0, 0, body)
        return made

    unit.loops += 1
    return unit.shared(f"{'replace' if clear else 'copy'} {kept!r}", make)


def entry(address: Code, index: Code, first: int, stride: int) -> Code:
    """The address of an entry of a table whose first one is that of `first`."""
    if index.known is not None:
        return address + (index.known - first) * stride
    shift = first * stride
    if address.known is not None and first >= 0 and address.known >= shift:
        return index * stride + (address.known - shift)
    return address + (index - first) * stride


def counted(unit: Unit, here: Here, first: int, count: int, body: Body) -> Code:
    """A loop over so many numbers from the first on."""
    if count <= 0:
        return sequence()
    if count == 1:
        return body(const(first))
    number = here.function.local(I32)
    again = Label()
    loops = unit.loops
    inside = body(number.value)
    ticking = unit.tick() if unit.loops != loops or count > UNCOUNTED else sequence()
    unit.loops += 1
    return sequence(
        number.set(first),
        loop(again, sequence(
            ticking,
            inside,
            number.set(number.value + 1),
            branch_if(again, number.value.lt(first + count)),
        )),
    )  # fmt: skip


def each_bit(unit: Unit, here: Here, bits: Code, base: Code | int, body: Body) -> Code:
    """A loop over the ones of an i64; the lowest is `base`."""
    rest, number = here.function.local(I64), here.function.local(I32)
    loops = unit.loops
    inside = body(number.value)
    ticking = unit.tick() if unit.loops != loops else sequence()
    unit.loops += 1
    found = narrow(unary("ctz", rest.value))
    return sequence(
        rest.set(bits),
        whilst(
            rest.value.ne(0),
            ticking,
            number.set(found + base),
            rest.set(rest.value & (rest.value - 1)),
            inside,
        ),
    )


def each_element(unit: Unit, here: Here, kept: Kept, held: Code, body: Body) -> Code:
    """A loop over the elements of a set, the different elements of a bag, or the keys of a board
    that are not `none`, in order; `held` is the register or address."""
    match kept:
        case Mask(base, _):
            return each_bit(unit, here, held, base, body)
        case Words(base, count, _):
            return _each_word(unit, here, held, base, count, body)
        case Board(first, _, _, words, _, _):
            return _each_word(unit, here, held, first, words, body)
        case Counts(base, count, _):
            return counted(unit, here, base, count, lambda number: choose(
                count_at(kept, held, number), body(number)))  # fmt: skip
        case _:
            raise AssertionError(kept)


def _each_word(unit: Unit, here: Here, address: Code, base: int, count: int, body: Body) -> Code:
    at, again = here.function.local(I32), Label()
    bits = load(I64, address + at.value)
    start, begin = here.hold(at.value * 8 + base)
    inside = sequence(unit.tick(), start, each_bit(unit, here, bits, begin, body))
    unit.loops += 1
    return sequence(
        at.set(0),
        loop(again, sequence(
            choose(bits.ne(0), inside),
            at.set(at.value + 8),
            branch_if(again, at.value.lt(8 * count)),
        )),
    )  # fmt: skip


def count_at(kept: Counts, address: Code, element: Code) -> Code:
    """How many of an element a bag holds, the element being one it may hold."""
    return load(I32, entry(address, element, kept.base, COUNT_WIDTH), 0, COUNT_WIDTH, False)


def put_count(kept: Counts, count: Code, address: Code, element: Code) -> Code:
    """Writes how many of an element a bag holds."""
    return store(count, entry(address, element, kept.base, COUNT_WIDTH), 0, COUNT_WIDTH)


def bit_at(address: Code, index: Code) -> Code:
    """A bit in memory, as a truth."""
    if index.known is not None:
        byte = load(I32, address + (index.known >> 3), 0, 1, False)
        return (byte >> (index.known & 7)) & 1
    byte = load(I32, address + (index >> 3), 0, 1, False)
    return (byte >> (index & 7)) & 1


def put_bit(address: Code, index: Code, here: Here, on: bool = True) -> Code:
    """Sets or clears a bit in memory."""
    keep, number = here.hold(index)
    hold, place = here.hold(address + (number >> 3))
    mask = const(1) << (number & 7)
    byte = load(I32, place, 0, 1, False)
    changed = byte | mask if on else byte & (mask ^ -1)
    return sequence(keep, hold, store(changed, place, 0, 1))


def search(unit: Unit, here: Here, walk: Callable[[Callable[[], Code]], Code]) -> Code:
    """Whether a loop finds something: `walk` is given the code to leave it with."""
    found = here.function.local(I32)
    out = Label()
    inside = walk(lambda: sequence(found.set(1), branch(out)))
    return sequence(found.set(0), block(out, inside), found.value)
