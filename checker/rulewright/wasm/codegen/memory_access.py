"""Values between registers and memory, and the loops over what is kept there."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    Instruction,
    Label,
    block,
    branch,
    branch_if,
    choose,
    const,
    loop,
    narrow,
    sequence,
    unary,
    whilst,
)
from rulewright.wasm.assembler.memory_instructions import copy, load, store
from rulewright.wasm.assembler.module import UNCOUNTED, WasmFunction
from rulewright.wasm.codegen.compilation_unit import CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import (
    COUNT_WIDTH,
    CountArray,
    Kept,
    Mask,
    Scalar,
    SparseArray,
    WordSet,
)

Body = Callable[[Instruction], Instruction]
"""What to do with each value of a loop."""


def value_at(kept: Kept, address: Instruction, offset: int = 0) -> Instruction:
    """A value in memory as it is worked with."""
    match kept:
        case Scalar(register, size, sign, _):
            return load(register, address, offset, size, sign)
        case Mask(_, size):
            return load(I64, address, offset, size, size == 8)
        case _:
            return address + offset


def put_at(kept: Kept, value: Instruction, address: Instruction, offset: int = 0) -> Instruction:
    """Writes a value as it is worked with to memory."""
    match kept:
        case Scalar(_, size, _, _) | Mask(_, size):
            return store(value, address, offset, size)
        case _:
            return copy(address + offset, value, kept.size)


def copied(unit: CompilationUnit, kept: Kept, to: Instruction, source: Instruction) -> Instruction:
    """Copies what is kept in memory to where nothing is yet."""
    if isinstance(kept, SparseArray):
        return _copying(unit, kept, clear=False)(to, source)
    return copy(to, source, kept.size)


def replaced(unit: CompilationUnit, kept: Kept, to: Instruction, value: Instruction) -> Instruction:
    """Writes a value over another one. What a board has at keys that are `none` is zero, so that
    states that are the same are the same byte by byte."""
    if isinstance(kept, SparseArray):
        return _copying(unit, kept, clear=True)(to, value)
    return put_at(kept, value, to)


def _copying(unit: CompilationUnit, kept: SparseArray, clear: bool) -> WasmFunction:
    """Copies a board, only what is on it."""

    def make(name: str) -> WasmFunction:
        made = unit.module.function(name, [I32, I32])
        to, source = (each.value for each in made.params)
        size = kept.inner.size

        def body(here: CodeContext) -> Instruction:
            def blank(key: Instruction) -> Instruction:
                at = entry(to + kept.values, key, kept.first, size)
                return store(const(0, kept.inner.register), at, 0, size)

            def move(key: Instruction) -> Instruction:
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

    unit.turns += UNCOUNTED
    return unit.shared(f"{'replace' if clear else 'copy'} {kept!r}", make)


def entry(address: Instruction, index: Instruction, first: int, stride: int) -> Instruction:
    """The address of an entry of a table whose first one is that of `first`."""
    if index.known is not None:
        return address + (index.known - first) * stride
    shift = first * stride
    if address.known is not None and first >= 0 and address.known >= shift:
        return index * stride + (address.known - shift)
    return address + (index - first) * stride


def counted(
    unit: CompilationUnit, here: CodeContext, first: int, count: int, body: Body
) -> Instruction:
    """A loop over so many numbers from the first on."""
    if count <= 0:
        return sequence()
    if count == 1:
        return body(const(first))
    number = here.function.local(I32)
    again = Label()
    ticking, inside = unit.repeated(count, lambda: body(number.value))
    return sequence(
        number.set(first),
        loop(again, sequence(
            ticking,
            inside,
            number.set(number.value + 1),
            branch_if(again, number.value.lt(first + count)),
        )),
    )  # fmt: skip


def each_bit(
    unit: CompilationUnit,
    here: CodeContext,
    bits: Instruction,
    base: Instruction | int,
    body: Body,
    most: int = 64,
) -> Instruction:
    """A loop over the ones of an i64, of which there are no more than `most`; the lowest is
    `base`."""
    rest, number = here.function.local(I64), here.function.local(I32)
    ticking, inside = unit.repeated(most, lambda: body(number.value))
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


def each_element(
    unit: CompilationUnit, here: CodeContext, kept: Kept, held: Instruction, body: Body
) -> Instruction:
    """A loop over the elements of a set, the different elements of a bag, or the keys of a board
    that are not `none`, in order; `held` is the register or address."""
    match kept:
        case Mask(base, size):
            return each_bit(unit, here, held, base, body, 8 * size)
        case WordSet(base, count, _):
            return _each_word(unit, here, held, base, count, body)
        case SparseArray(first, _, _, words, _, _):
            return _each_word(unit, here, held, first, words, body)
        case CountArray(base, count, _):
            return counted(unit, here, base, count, lambda number: choose(
                count_at(kept, held, number), body(number)))  # fmt: skip
        case _:
            raise AssertionError(kept)


def _each_word(
    unit: CompilationUnit,
    here: CodeContext,
    address: Instruction,
    base: int,
    count: int,
    body: Body,
) -> Instruction:
    at, again = here.function.local(I32), Label()
    bits = load(I64, address + at.value)
    start, begin = here.hold(at.value * 8 + base)
    ticking, each = unit.repeated(count, lambda: each_bit(unit, here, bits, begin, body))
    inside = sequence(ticking, start, each)
    return sequence(
        at.set(0),
        loop(again, sequence(
            choose(bits.ne(0), inside),
            at.set(at.value + 8),
            branch_if(again, at.value.lt(8 * count)),
        )),
    )  # fmt: skip


def count_at(kept: CountArray, address: Instruction, element: Instruction) -> Instruction:
    """How many of an element a bag holds, the element being one it may hold."""
    return load(I32, entry(address, element, kept.base, COUNT_WIDTH), 0, COUNT_WIDTH, False)


def put_count(
    kept: CountArray, count: Instruction, address: Instruction, element: Instruction
) -> Instruction:
    """Writes how many of an element a bag holds."""
    return store(count, entry(address, element, kept.base, COUNT_WIDTH), 0, COUNT_WIDTH)


def bit_at(address: Instruction, index: Instruction) -> Instruction:
    """A bit in memory, as a truth."""
    if index.known is not None:
        byte = load(I32, address + (index.known >> 3), 0, 1, False)
        return (byte >> (index.known & 7)) & 1
    byte = load(I32, address + (index >> 3), 0, 1, False)
    return (byte >> (index & 7)) & 1


def put_bit(
    address: Instruction, index: Instruction, here: CodeContext, on: bool = True
) -> Instruction:
    """Sets or clears a bit in memory."""
    keep, number = here.hold(index)
    hold, place = here.hold(address + (number >> 3))
    mask = const(1) << (number & 7)
    byte = load(I32, place, 0, 1, False)
    changed = byte | mask if on else byte & (mask ^ -1)
    return sequence(keep, hold, store(changed, place, 0, 1))


def search(
    unit: CompilationUnit,
    here: CodeContext,
    walk: Callable[[Callable[[], Instruction]], Instruction],
) -> Instruction:
    """Whether a loop finds something: `walk` is given the code to leave it with."""
    found = here.function.local(I32)
    out = Label()
    inside = walk(lambda: sequence(found.set(1), branch(out)))
    return sequence(found.set(0), block(out, inside), found.value)
