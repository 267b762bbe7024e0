"""Instructions for memory: reading and writing words, copying and setting stretches of bytes."""

from __future__ import annotations

from rulewright.wasm.assembler.instructions import (
    BITS,
    I32,
    I64,
    Instruction,
    Operand,
    const,
    operand,
    sequence,
    type_of,
)
from rulewright.wasm.assembler.leb128 import unsigned
from rulewright.wasm.assembler.opcodes import LOAD, PURE, STORE


def load(
    type: str, address: Instruction, offset: int = 0, width: int = 0, sign: bool = True
) -> Instruction:
    """What is kept in so many bytes at an address."""
    address, offset = _addressed(address, offset)
    opcode = LOAD[type, width or BITS[type] // 8, sign]
    return Instruction(type, (address,), bytes((opcode, 0)) + unsigned(offset))


def store(value: Instruction, address: Instruction, offset: int = 0, width: int = 0) -> Instruction:
    """Writes the lowest bytes of a value to an address."""
    type = type_of(value)
    address, offset = _addressed(address, offset)
    opcode = STORE[type, width or BITS[type] // 8]
    return Instruction(None, (address, operand(value, type)), bytes((opcode, 0)) + unsigned(offset))


def _addressed(address: Instruction, offset: int) -> tuple[Instruction, int]:
    """A constant address moved into the offset."""
    address = operand(address, I32)
    if address.known is not None and address.known + offset >= 0:
        return const(0), address.known + offset
    if address.tail == b"\x6a" and len(address.parts) == 2:  # something and a constant
        base, known = address.parts[0], address.parts[1].known
        if known is not None and known >= 0 and known + offset >= 0:
            return base, known + offset
    return address, offset


UNROLLED, FILLED = 32, 128
"""Bytes; so many are copied or set word by word."""


def copy(to: Instruction, source: Instruction, size: Operand) -> Instruction:
    """Copies bytes. The two stretches are the same or apart."""
    if isinstance(size, int) and size <= UNROLLED and is_pure(to) and is_pure(source):
        return sequence(*(
            store(load(type, source, at, width), to, at, width)
            for at, type, width in _words(size)
        ))  # fmt: skip
    parts = (operand(to, I32), operand(source, I32), operand(size, I32))
    return Instruction(None, parts, b"\xfc\x0a\x00\x00")


def fill(to: Instruction, byte: Operand, size: Operand) -> Instruction:
    """Sets bytes."""
    if isinstance(size, int) and size <= FILLED and isinstance(byte, int) and is_pure(to):
        return sequence(*(
            store(const(int.from_bytes(bytes((byte & 0xFF,)) * width, "little"), type), to, at,
                  width)
            for at, type, width in _words(size)
        ))  # fmt: skip
    parts = (operand(to, I32), operand(byte, I32), operand(size, I32))
    return Instruction(None, parts, b"\xfc\x0b\x00")


def _words(size: int) -> list[tuple[int, str, int]]:
    """So many bytes as words: where each begins, its type and width."""
    found, at = [], 0
    for width in (8, 4, 2, 1):
        while size - at >= width:
            found.append((at, I64 if width == 8 else I32, width))
            at += width
    return found


def is_pure(code: Instruction) -> bool:
    """Whether code can be repeated: arithmetic on constants and local variables, not much of it."""
    return _effort(code) <= 6


def _effort(code: Instruction) -> int:
    if code.known is not None or code.tail == b"\x20":
        return 0
    if type(code) is not Instruction or code.tail[:1] not in PURE:
        return 100
    return 1 + sum(_effort(part) for part in code.parts)


def memory_size() -> Instruction:
    """How many pages of 64 kB there are."""
    return Instruction(I32, (), b"\x3f\x00")


def memory_grow(pages: Instruction) -> Instruction:
    """Asks for more pages; -1 if there are none."""
    return Instruction(I32, (operand(pages, I32),), b"\x40\x00")
