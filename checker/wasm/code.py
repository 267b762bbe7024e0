"""Typed WebAssembly instructions. A piece of code that would not be valid cannot be made.

A `Code` leaves a value of its type on the stack, or none (`type` is None), or never comes to its
end (`NEVER`: a branch or a trap, which may stand where any type is wanted). Operands are checked
when an instruction is made, branches are written to labels and counted out when the code is
encoded. Operations on constants are worked out at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from checker.wasm.leb128 import signed, unsigned
from checker.wasm.opcodes import COMPARISON, LOAD, NUMERIC, PURE, STORE

I32, I64 = "i32", "i64"
NEVER = "never"
"""The type of code after which nothing runs."""

BITS = {I32: 32, I64: 64}
BINARY_TYPE = {I32: 0x7F, I64: 0x7E}
EMPTY_TYPE = 0x40


class InvalidCode(Exception):  # noqa: N818 - names what was about to be made
    """Instructions that no valid module has: a mistake in the compiler."""


class Unsupported(Exception):  # noqa: N818 - an ordinary answer: the evaluator can do it
    """Something that is not compiled."""


class Label:
    """What a branch goes to: the end of a block, or the beginning of a loop."""

    __slots__ = ()


class Code:
    """An instruction after its operands."""

    __slots__ = ("known", "parts", "tail", "type")

    def __init__(
        self,
        type: str | None,
        parts: Sequence[Code],
        tail: bytes,
        known: int | None = None,
    ) -> None:
        self.type = type
        self.parts = parts
        self.tail = tail
        self.known = known
        """The value where it is a constant, signed."""

    def write(self, out: bytearray, labels: list[Label]) -> None:
        """Appends the instructions; `labels` are those of the blocks around, innermost last."""
        for part in self.parts:
            part.write(out, labels)
        out += self.tail

    def __add__(self, other: Operand) -> Code:
        return binary("add", self, other)

    def __sub__(self, other: Operand) -> Code:
        return binary("sub", self, other)

    def __mul__(self, other: Operand) -> Code:
        return binary("mul", self, other)

    def __and__(self, other: Operand) -> Code:
        return binary("and", self, other)

    def __or__(self, other: Operand) -> Code:
        return binary("or", self, other)

    def __xor__(self, other: Operand) -> Code:
        return binary("xor", self, other)

    def __lshift__(self, other: Operand) -> Code:
        return binary("shl", self, other)

    def __rshift__(self, other: Operand) -> Code:
        """Shifted to the right without a sign."""
        return binary("shr_u", self, other)

    def __invert__(self) -> Code:
        """A truth turned round."""
        return test("eqz", self)

    def eq(self, other: Operand) -> Code:
        return compare("eq", self, other)

    def ne(self, other: Operand) -> Code:
        return compare("ne", self, other)

    def lt(self, other: Operand) -> Code:
        return compare("lt_s", self, other)

    def le(self, other: Operand) -> Code:
        return compare("le_s", self, other)

    def gt(self, other: Operand) -> Code:
        return compare("gt_s", self, other)

    def ge(self, other: Operand) -> Code:
        return compare("ge_s", self, other)

    def below(self, other: Operand) -> Code:
        """Less, both taken without a sign."""
        return compare("lt_u", self, other)

    @property
    def nonzero(self) -> Code:
        """As a truth: whether it is not zero."""
        return self if self.type == I32 and self.known in (0, 1) else compare("ne", self, 0)


Operand: TypeAlias = "Code | int"


class Structured(Code):
    """A block, a loop or a choice: code inside its own label."""

    __slots__ = ("bodies", "head", "label")

    def __init__(
        self, type: str | None, head: int, label: Label, parts: Sequence[Code],
        bodies: Sequence[Code],
    ) -> None:  # fmt: skip
        super().__init__(type, parts, b"")
        self.head = head
        self.label = label
        self.bodies = bodies

    def write(self, out: bytearray, labels: list[Label]) -> None:
        for part in self.parts:
            part.write(out, labels)
        out.append(self.head)
        out.append(BINARY_TYPE.get(self.type or "", EMPTY_TYPE))
        labels.append(self.label)
        for number, body in enumerate(self.bodies):
            if number:
                out.append(0x05)
            body.write(out, labels)
        labels.pop()
        out.append(0x0B)
        if self.type == NEVER:  # an end that is never reached, though the encoding cannot say so
            out.append(0x00)


class Branch(Code):
    """Goes to a label: always, or where the operand is not zero."""

    __slots__ = ("label", "opcode")

    def __init__(self, type: str | None, opcode: int, label: Label, parts: Sequence[Code]) -> None:
        super().__init__(type, parts, b"")
        self.label = label
        self.opcode = opcode

    def write(self, out: bytearray, labels: list[Label]) -> None:
        for part in self.parts:
            part.write(out, labels)
        out.append(self.opcode)
        out += unsigned(_depth(self.label, labels))


class Switch(Code):
    """Goes to the label with the number of the operand, or to the last."""

    __slots__ = ("targets",)

    def __init__(self, targets: Sequence[Label], number: Code) -> None:
        super().__init__(NEVER, (number,), b"")
        self.targets = targets

    def write(self, out: bytearray, labels: list[Label]) -> None:
        self.parts[0].write(out, labels)
        out.append(0x0E)
        out += unsigned(len(self.targets) - 1)
        for label in self.targets:
            out += unsigned(_depth(label, labels))


def _depth(label: Label, labels: list[Label]) -> int:
    for depth, each in enumerate(reversed(labels)):
        if each is label:
            return depth
    raise InvalidCode("a branch to a label that is not around it")


# ---- numbers


def wrapped(number: int, type: str) -> int:
    """A number as its bits are read with a sign."""
    bits = BITS[type]
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number


@lru_cache(maxsize=4096)
def const(number: int, type: str = I32) -> Code:
    """A constant; one that does not fit is refused."""
    if not -(1 << (BITS[type] - 1)) <= number < 1 << BITS[type]:
        raise InvalidCode(f"{number} as {type}")
    number = wrapped(number, type)
    return Code(type, (), bytes((0x41 if type == I32 else 0x42,)) + signed(number), number)


def operand(value: Operand, type: str) -> Code:
    """An operand of that type, a plain number being a constant."""
    if isinstance(value, int):
        return const(value, type)
    if value.type not in (type, NEVER):
        raise InvalidCode(f"{value.type} where {type} is wanted")
    return value


def _type_of(*values: Operand) -> str:
    for value in values:
        if isinstance(value, Code) and value.type in BITS:
            return value.type
    return I32


_FOLD: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
    "eq": lambda a, b: int(a == b), "ne": lambda a, b: int(a != b),
    "lt_s": lambda a, b: int(a < b), "le_s": lambda a, b: int(a <= b),
    "gt_s": lambda a, b: int(a > b), "ge_s": lambda a, b: int(a >= b),
}  # fmt: skip


def binary(name: str, left: Code, right: Operand) -> Code:
    """An operation on two numbers of one type."""
    type = _type_of(left, right)
    left, right = operand(left, type), operand(right, type)
    if left.known is not None and right.known is not None:
        if name in _FOLD:
            return const(wrapped(_FOLD[name](left.known, right.known), type), type)
        if name == "shl":
            return const(wrapped(left.known << (right.known % BITS[type]), type), type)
    if right.known == 0 and name in ("add", "sub", "or", "xor", "shl", "shr_u", "shr_s"):
        return left
    if left.known == 0 and name in ("add", "or", "xor"):
        return right
    if name == "mul" and right.known == 1:
        return left
    return Code(type, (left, right), bytes((NUMERIC[name][type == I64],)))


def unary(name: str, value: Code) -> Code:
    """clz, ctz or popcnt."""
    type = _type_of(value)
    return Code(type, (operand(value, type),), bytes((NUMERIC[name][type == I64],)))


def compare(name: str, left: Code, right: Operand) -> Code:
    """A comparison, which is a truth: 0 or 1 as i32."""
    type = _type_of(left, right)
    left, right = operand(left, type), operand(right, type)
    if left.known is not None and right.known is not None and name in _FOLD:
        return const(_FOLD[name](left.known, right.known))
    return Code(I32, (left, right), bytes((COMPARISON[name][type == I64],)))


def test(name: str, value: Code) -> Code:
    """eqz."""
    type = _type_of(value)
    if value.known is not None:
        return const(int(value.known == 0))
    return Code(I32, (operand(value, type),), bytes((COMPARISON[name][type == I64],)))


def wide(value: Code, sign: bool = True) -> Code:
    """An i32 as i64; what is i64 stays."""
    if value.type in (I64, NEVER):
        return value
    if value.known is not None:
        return const(value.known if sign else value.known & 0xFFFFFFFF, I64)
    return Code(I64, (operand(value, I32),), b"\xac" if sign else b"\xad")


def narrow(value: Code) -> Code:
    """The lower half of an i64; what is i32 stays."""
    if value.type in (I32, NEVER):
        return value
    if value.known is not None:
        return const(wrapped(value.known, I32))
    return Code(I32, (operand(value, I64),), b"\xa7")


def select(condition: Code, then: Code, otherwise: Code) -> Code:
    """One of two values, both worked out."""
    if condition.known is not None:
        return then if condition.known else otherwise
    type = _type_of(then, otherwise)
    parts = (operand(then, type), operand(otherwise, type), operand(condition, I32))
    return Code(type, parts, b"\x1b")


# ---- memory


def load(type: str, address: Code, offset: int = 0, width: int = 0, sign: bool = True) -> Code:
    """What is kept in so many bytes at an address."""
    address, offset = _addressed(address, offset)
    opcode = LOAD[type, width or BITS[type] // 8, sign]
    return Code(type, (address,), bytes((opcode, 0)) + unsigned(offset))


def store(value: Code, address: Code, offset: int = 0, width: int = 0) -> Code:
    """Writes the lowest bytes of a value to an address."""
    type = _type_of(value)
    address, offset = _addressed(address, offset)
    opcode = STORE[type, width or BITS[type] // 8]
    return Code(None, (address, operand(value, type)), bytes((opcode, 0)) + unsigned(offset))


def _addressed(address: Code, offset: int) -> tuple[Code, int]:
    """A constant address moved into the offset."""
    address = operand(address, I32)
    if address.known is not None and address.known + offset >= 0:
        return const(0), address.known + offset
    if address.tail == b"\x6a" and len(address.parts) == 2:  # something and a constant
        base, known = address.parts[0], address.parts[1].known
        if known is not None and known >= 0 and known + offset >= 0:
            return base, known + offset
    return address, offset


UNROLLED = 128
"""Bytes; so many are moved word by word, for a call into the host costs more."""


def copy(to: Code, source: Code, size: Operand) -> Code:
    """Copies bytes. The two stretches are the same or apart."""
    if isinstance(size, int) and size <= UNROLLED and is_pure(to) and is_pure(source):
        return sequence(*(
            store(load(type, source, at, width), to, at, width)
            for at, type, width in _words(size)
        ))  # fmt: skip
    parts = (operand(to, I32), operand(source, I32), operand(size, I32))
    return Code(None, parts, b"\xfc\x0a\x00\x00")


def fill(to: Code, byte: Operand, size: Operand) -> Code:
    """Sets bytes."""
    if isinstance(size, int) and size <= UNROLLED and isinstance(byte, int) and is_pure(to):
        return sequence(*(
            store(const(int.from_bytes(bytes((byte & 0xFF,)) * width, "little"), type), to, at,
                  width)
            for at, type, width in _words(size)
        ))  # fmt: skip
    parts = (operand(to, I32), operand(byte, I32), operand(size, I32))
    return Code(None, parts, b"\xfc\x0b\x00")


def _words(size: int) -> list[tuple[int, str, int]]:
    """So many bytes as words: where each begins, its type and width."""
    found, at = [], 0
    for width in (8, 4, 2, 1):
        while size - at >= width:
            found.append((at, I64 if width == 8 else I32, width))
            at += width
    return found


def is_pure(code: Code) -> bool:
    """Whether code can be repeated: arithmetic on constants and local variables, not much of it."""
    return _effort(code) <= 6


def _effort(code: Code) -> int:
    if type(code) is not Code:
        return 100
    if code.known is not None or (not code.parts and code.tail[:1] == b"\x20"):
        return 0
    if code.tail[:1] not in PURE:
        return 100
    return 1 + sum(_effort(part) for part in code.parts)


def memory_size() -> Code:
    """How many pages of 64 kB there are."""
    return Code(I32, (), b"\x3f\x00")


def memory_grow(pages: Code) -> Code:
    """Asks for more pages; -1 if there are none."""
    return Code(I32, (operand(pages, I32),), b"\x40\x00")


# ---- control


NOTHING = Code(None, (), b"")
UNREACHABLE = Code(NEVER, (), b"\x00")


def sequence(*codes: Code) -> Code:
    """One after the other; only the last may leave a value."""
    for code in codes[:-1]:
        if code.type not in (None, NEVER):
            raise InvalidCode(f"a value of {code.type} that nobody takes")
    if all(code is NOTHING for code in codes):
        return NOTHING
    kept = tuple(code for code in codes if code is not NOTHING)
    return kept[0] if len(kept) == 1 else Code(codes[-1].type, kept, b"")


def drop(value: Code) -> Code:
    """Works a value out and forgets it."""
    return value if value.type in (None, NEVER) else Code(None, (value,), b"\x1a")


def block(label: Label, body: Code) -> Code:
    """Code with a label at its end; branches to it carry no value, so it leaves none."""
    if body.type not in (None, NEVER):
        raise InvalidCode("a block with a value")
    return Structured(None, 0x02, label, (), (body,))


def loop(label: Label, body: Code) -> Code:
    """Code with a label at its beginning; without a branch to it, it runs once."""
    if body.type not in (None, NEVER):
        raise InvalidCode("a loop with a value")
    return Structured(None, 0x03, label, (), (body,))


def choose(condition: Code, then: Code, otherwise: Code = NOTHING) -> Code:
    """One of two pieces of code."""
    if condition.known is not None:
        return then if condition.known else otherwise
    types = {then.type, otherwise.type} - {NEVER}
    if len(types) > 1:
        raise InvalidCode(f"a choice between {then.type} and {otherwise.type}")
    type = types.pop() if types else NEVER
    bodies = (then,) if otherwise is NOTHING else (then, otherwise)
    return Structured(type, 0x04, Label(), (operand(condition, I32),), bodies)


def branch(label: Label) -> Code:
    """Goes to a label."""
    return Branch(NEVER, 0x0C, label, ())


def branch_if(label: Label, condition: Code) -> Code:
    """Goes to a label where the condition holds."""
    if condition.known is not None:
        return branch(label) if condition.known else NOTHING
    return Branch(None, 0x0D, label, (operand(condition, I32),))


def switch(number: Code, targets: Sequence[Label]) -> Code:
    """Goes to one of several labels, the last for any greater number."""
    return Switch(tuple(targets), operand(number, I32))


def both(left: Code, right: Code) -> Code:
    """Whether both hold; the right one is only looked at where the left one holds."""
    if left.known is not None:
        return right if left.known else const(0)
    if right.known is not None and right.known:
        return left
    return choose(left, right, const(0))


def either(left: Code, right: Code) -> Code:
    """Whether one holds; the right one is only looked at where the left one does not."""
    if left.known is not None:
        return const(1) if left.known else right
    if right.known is not None and not right.known:
        return left
    return choose(left, const(1), right)


def all_of(codes: Iterable[Code]) -> Code:
    """Whether all hold, asked from left to right."""
    listed = list(codes)
    result = const(1)
    for code in reversed(listed):
        result = both(code, result)
    return result


def whilst(condition: Code, *body: Code) -> Code:
    """A loop for as long as a condition holds."""
    out, again = Label(), Label()
    return block(out, loop(again, sequence(branch_if(out, ~condition), *body, branch(again))))
