"""Typed WebAssembly instructions. A piece of code that would not be valid cannot be made.

A `Instruction` leaves a value of its type on the stack, or none (`type` is None), or never comes to
its end (`NEVER`: a branch or a trap, which may stand where any type is wanted). Operands are
checked when an instruction is made, branches are written to labels and counted out when the code is
encoded. Operations on constants are worked out at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from rulewright.wasm.assembler.frame import BINARY_TYPE as BINARY_TYPE
from rulewright.wasm.assembler.frame import BITS as BITS
from rulewright.wasm.assembler.frame import EMPTY_TYPE as EMPTY_TYPE
from rulewright.wasm.assembler.frame import I32 as I32
from rulewright.wasm.assembler.frame import I64 as I64
from rulewright.wasm.assembler.frame import NEVER as NEVER
from rulewright.wasm.assembler.frame import Frame as Frame
from rulewright.wasm.assembler.frame import InvalidCode as InvalidCode
from rulewright.wasm.assembler.frame import Label as Label
from rulewright.wasm.assembler.frame import Unsupported as Unsupported
from rulewright.wasm.assembler.leb128 import signed, unsigned
from rulewright.wasm.assembler.opcodes import (
    AT_LEAST,
    AT_MOST,
    ENCODED,
    EQZ,
    HARMLESS,
    JOINED,
    TRUTHS,
)


class Instruction:
    """An instruction after its operands."""

    __slots__ = ("known", "parts", "tail", "type")

    def __init__(
        self,
        type: str | None,
        parts: Sequence[Instruction],
        tail: bytes,
        known: int | None = None,
    ) -> None:
        self.type = type
        self.parts = parts
        self.tail = tail
        self.known = known
        """The value where it is a constant, signed."""

    def write(self, out: bytearray, frame: Frame) -> None:
        """Appends the instructions to those of a function."""
        for part in self.parts:
            part.write(out, frame)
        out += self.tail

    def __add__(self, other: Operand) -> Instruction:
        return binary("add", self, other)

    def __sub__(self, other: Operand) -> Instruction:
        return binary("sub", self, other)

    def __mul__(self, other: Operand) -> Instruction:
        return binary("mul", self, other)

    def __and__(self, other: Operand) -> Instruction:
        return binary("and", self, other)

    def __or__(self, other: Operand) -> Instruction:
        return binary("or", self, other)

    def __xor__(self, other: Operand) -> Instruction:
        return binary("xor", self, other)

    def __lshift__(self, other: Operand) -> Instruction:
        return binary("shl", self, other)

    def __rshift__(self, other: Operand) -> Instruction:
        """Shifted to the right without a sign."""
        return binary("shr_u", self, other)

    def __invert__(self) -> Instruction:
        """A truth turned round."""
        return inverted(self)

    def eq(self, other: Operand) -> Instruction:
        return compare("eq", self, other)

    def ne(self, other: Operand) -> Instruction:
        return compare("ne", self, other)

    def lt(self, other: Operand) -> Instruction:
        return compare("lt_s", self, other)

    def le(self, other: Operand) -> Instruction:
        return compare("le_s", self, other)

    def gt(self, other: Operand) -> Instruction:
        return compare("gt_s", self, other)

    def ge(self, other: Operand) -> Instruction:
        return compare("ge_s", self, other)

    def below(self, other: Operand) -> Instruction:
        """Less, both taken without a sign."""
        return compare("lt_u", self, other)


Operand: TypeAlias = "Instruction | int"


class Structured(Instruction):
    """A block, a loop or a choice: code inside its own label."""

    __slots__ = ("bodies", "head", "label")

    def __init__(
        self, type: str | None, head: int, label: Label, parts: Sequence[Instruction],
        bodies: Sequence[Instruction],
    ) -> None:  # fmt: skip
        super().__init__(type, parts, b"")
        self.head = head
        self.label = label
        self.bodies = bodies

    def write(self, out: bytearray, frame: Frame) -> None:
        for part in self.parts:
            part.write(out, frame)
        out.append(self.head)
        out.append(BINARY_TYPE.get(self.type or "", EMPTY_TYPE))
        frame.labels.append(self.label)
        for number, body in enumerate(self.bodies):
            if number:
                out.append(0x05)
            body.write(out, frame)
        frame.labels.pop()
        out.append(0x0B)
        if self.type == NEVER:  # an end that is never reached, though the encoding cannot say so
            out.append(0x00)


class Branch(Instruction):
    """Goes to a label: always, or where the operand is not zero."""

    __slots__ = ("label", "opcode")

    def __init__(
        self, type: str | None, opcode: int, label: Label, parts: Sequence[Instruction]
    ) -> None:
        super().__init__(type, parts, b"")
        self.label = label
        self.opcode = opcode

    def write(self, out: bytearray, frame: Frame) -> None:
        for part in self.parts:
            part.write(out, frame)
        out.append(self.opcode)
        out += unsigned(frame.depth(self.label))


class Switch(Instruction):
    """Goes to the label with the number of the operand, or to the last."""

    __slots__ = ("targets",)

    def __init__(self, targets: Sequence[Label], number: Instruction) -> None:
        super().__init__(NEVER, (number,), b"")
        self.targets = targets

    def write(self, out: bytearray, frame: Frame) -> None:
        self.parts[0].write(out, frame)
        out.append(0x0E)
        out += unsigned(len(self.targets) - 1)
        for label in self.targets:
            out += unsigned(frame.depth(label))


# ---- numbers


def wrapped(number: int, type: str) -> int:
    """A number as its bits are read with a sign."""
    bits = BITS[type]
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number


@lru_cache(maxsize=4096)
def const(number: int, type: str = I32) -> Instruction:
    """A constant; one that does not fit is refused."""
    if not -(1 << (BITS[type] - 1)) <= number < 1 << BITS[type]:
        raise InvalidCode(f"{number} as {type}")
    number = wrapped(number, type)
    return Instruction(type, (), bytes((0x41 if type == I32 else 0x42,)) + signed(number), number)


def operand(value: Operand, type: str) -> Instruction:
    """An operand of that type, a plain number being a constant."""
    if isinstance(value, int):
        return const(value, type)
    if value.type not in (type, NEVER):
        raise InvalidCode(f"{value.type} where {type} is wanted")
    return value


def type_of(*values: Operand) -> str:
    """The type of the first operand that has one."""
    for value in values:
        if isinstance(value, Instruction) and value.type in BITS:
            return value.type
    return I32


def operands(left: Instruction, right: Operand) -> tuple[str, Instruction, Instruction]:
    """Two operands and the type that they have in common."""
    type = left.type
    if type is None or type not in BITS:
        type = type_of(left, right)
        left = operand(left, type)
    if isinstance(right, int) or right.type != type:
        right = operand(right, type)
    return type, left, right


_FOLD: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
    "eq": lambda a, b: int(a == b), "ne": lambda a, b: int(a != b),
    "lt_s": lambda a, b: int(a < b), "le_s": lambda a, b: int(a <= b),
    "gt_s": lambda a, b: int(a > b), "ge_s": lambda a, b: int(a >= b),
}  # fmt: skip


def binary(name: str, left: Instruction, right: Operand) -> Instruction:
    """An operation on two numbers of one type."""
    type, left, right = operands(left, right)
    if left.known is None and right.known is None:
        return Instruction(type, (left, right), ENCODED[name, type])
    if left.known is not None and right.known is not None:
        if name in _FOLD:
            return const(wrapped(_FOLD[name](left.known, right.known), type), type)
        if name == "shl":
            return const(wrapped(left.known << (right.known % BITS[type]), type), type)
    if right.known == 0 and name in ("add", "sub", "or", "xor", "shl", "shr_u", "shr_s"):
        return left
    if left.known == 0 and name in ("add", "or", "xor"):
        return right
    if (name == "mul" and right.known == 1) or (name == "and" and right.known == -1):
        return left
    return Instruction(type, (left, right), ENCODED[name, type])


def unary(name: str, value: Instruction) -> Instruction:
    """clz, ctz or popcnt."""
    type = type_of(value)
    return Instruction(type, (operand(value, type),), ENCODED[name, type])


def compare(name: str, left: Instruction, right: Operand) -> Instruction:
    """A comparison, which is a truth: 0 or 1 as i32."""
    type, left, right = operands(left, right)
    if left.known is not None and right.known is not None and name in _FOLD:
        return const(_FOLD[name](left.known, right.known))
    return Instruction(I32, (left, right), ENCODED[name, type])


def test(name: str, value: Instruction) -> Instruction:
    """eqz."""
    type = type_of(value)
    if value.known is not None:
        return const(int(value.known == 0))
    return Instruction(I32, (operand(value, type),), ENCODED[name, type])


def wide(value: Instruction, sign: bool = True) -> Instruction:
    """An i32 as i64; what is i64 stays."""
    if value.type in (I64, NEVER):
        return value
    if value.known is not None:
        return const(value.known if sign else value.known & 0xFFFFFFFF, I64)
    return Instruction(I64, (operand(value, I32),), b"\xac" if sign else b"\xad")


def narrow(value: Instruction) -> Instruction:
    """The lower half of an i64; what is i32 stays."""
    if value.type in (I32, NEVER):
        return value
    if value.known is not None:
        return const(wrapped(value.known, I32))
    return Instruction(I32, (operand(value, I64),), b"\xa7")


def select(condition: Instruction, then: Instruction, otherwise: Instruction) -> Instruction:
    """One of two values, both worked out."""
    if condition.known is not None:
        return then if condition.known else otherwise
    type = type_of(then, otherwise)
    parts = (operand(then, type), operand(otherwise, type), operand(condition, I32))
    return Instruction(type, parts, b"\x1b")


# ---- control


NOTHING = Instruction(None, (), b"")
UNREACHABLE = Instruction(NEVER, (), b"\x00")


def sequence(*codes: Instruction) -> Instruction:
    """One after the other; only the last may leave a value."""
    for code in codes[:-1]:
        if code.type is not None and code.type != NEVER:
            raise InvalidCode(f"a value of {code.type} that nobody takes")
    kept = [code for code in codes if code is not NOTHING]
    if not kept:
        return NOTHING
    return kept[0] if len(kept) == 1 else Instruction(codes[-1].type, kept, b"")


def drop(value: Instruction) -> Instruction:
    """Works a value out and forgets it."""
    return value if value.type in (None, NEVER) else Instruction(None, (value,), b"\x1a")


def block(label: Label, body: Instruction) -> Instruction:
    """Code with a label at its end; branches to it carry no value, so it leaves none."""
    if body.type not in (None, NEVER):
        raise InvalidCode("a block with a value")
    return Structured(None, 0x02, label, (), (body,))


def loop(label: Label, body: Instruction) -> Instruction:
    """Code with a label at its beginning; without a branch to it, it runs once."""
    if body.type not in (None, NEVER):
        raise InvalidCode("a loop with a value")
    return Structured(None, 0x03, label, (), (body,))


def choose(
    condition: Instruction, then: Instruction, otherwise: Instruction = NOTHING
) -> Instruction:
    """One of two pieces of code."""
    if condition.known is not None:
        return then if condition.known else otherwise
    types = {then.type, otherwise.type} - {NEVER}
    if len(types) > 1:
        raise InvalidCode(f"a choice between {then.type} and {otherwise.type}")
    type = types.pop() if types else NEVER
    if is_logic(condition):
        no, out = Label(), Label()
        if otherwise is NOTHING:
            return Structured(type, 0x02, no, (), (sequence(unless(condition, no), then),))
        yes = block(no, sequence(unless(condition, no), Branch(NEVER, 0x0C, out, (then,))))
        return Structured(type, 0x02, out, (), (sequence(yes, otherwise),))
    bodies = (then,) if otherwise is NOTHING else (then, otherwise)
    return Structured(type, 0x04, Label(), (operand(condition, I32),), bodies)


def branch(label: Label) -> Instruction:
    """Goes to a label."""
    return Branch(NEVER, 0x0C, label, ())


def branch_if(label: Label, condition: Instruction) -> Instruction:
    """Goes to a label where the condition holds."""
    if condition.known is not None:
        return branch(label) if condition.known else NOTHING
    if is_logic(condition):
        no = Label()
        return block(no, sequence(unless(condition, no), branch(label)))
    return Branch(None, 0x0D, label, (operand(condition, I32),))


def switch(number: Instruction, targets: Sequence[Label]) -> Instruction:
    """Goes to one of several labels, the last for any greater number."""
    return Switch(tuple(targets), operand(number, I32))


def both(left: Instruction, right: Instruction) -> Instruction:
    """Whether both hold; the right one is only looked at where the left one holds."""
    if left.known is not None:
        return right if left.known else const(0)
    if right.known is not None and right.known:
        return left
    if _is_truth(left) and _is_truth(right) and _is_cheap(right):
        return _between(left, right) or left & right
    return Logic(left, right, holds=True)


def _between(left: Instruction, right: Instruction) -> Instruction | None:
    """Two conditions that hold a number between two others, as one comparison."""
    if left.tail == b"\x71":
        inside = _between(left.parts[1], right)
        return None if inside is None else left.parts[0] & inside
    for one, other in ((left, right), (right, left)):
        low, high = _limit(one, AT_LEAST), _limit(other, AT_MOST)
        if low is not None and high is not None and one.parts[0] is other.parts[0]:
            number, type = one.parts[0], one.parts[0].type or I32
            if low <= high < low + (1 << (BITS[type] - 1)):
                return compare("le_u", number - low, high - low)
    return None


def _limit(code: Instruction, names: Mapping[bytes, int]) -> int | None:
    """What a number is compared with, if it is so."""
    if code.tail not in names or code.parts[1].known is None:
        return None
    return code.parts[1].known + names[code.tail]


def either(left: Instruction, right: Instruction) -> Instruction:
    """Whether one holds; the right one is only looked at where the left one does not."""
    if left.known is not None:
        return const(1) if left.known else right
    if right.known is not None and not right.known:
        return left
    if _is_truth(left) and _is_truth(right) and _is_cheap(right):
        return left | right
    return Logic(left, right, holds=False)


class Logic(Structured):
    """Whether both of two conditions hold, or one of them. As a value it is 0 or 1; as the
    condition of a choice or a branch it is no value at all, but branches."""

    __slots__ = ("holds", "left", "right")

    def __init__(self, left: Instruction, right: Instruction, holds: bool) -> None:
        known = const(int(not holds))
        bodies = (operand(right, I32), known) if holds else (known, operand(right, I32))
        super().__init__(I32, 0x04, Label(), (operand(left, I32),), bodies)
        self.left = left
        self.right = right
        self.holds = holds
        """Whether both have to hold."""


def is_logic(code: Instruction) -> bool:
    """Whether a condition is made of others, perhaps after something else is done."""
    return isinstance(code, Logic) or (
        type(code) is Instruction
        and code.tail == b""
        and len(code.parts) > 1
        and is_logic(code.parts[-1])
    )


def unless(condition: Instruction, label: Label) -> Instruction:
    """Goes to a label where a condition does not hold."""
    if isinstance(condition, Logic):
        if condition.holds:
            return sequence(unless(condition.left, label), unless(condition.right, label))
        yes = Label()
        return block(yes, sequence(branch_if(yes, condition.left), unless(condition.right, label)))
    if is_logic(condition):
        return sequence(*condition.parts[:-1], unless(condition.parts[-1], label))
    return branch_if(label, ~condition)


def inverted(condition: Instruction) -> Instruction:
    """Whether a condition does not hold."""
    if isinstance(condition, Logic):
        turn = either if condition.holds else both
        return turn(~condition.left, ~condition.right)
    if condition.tail in EQZ and condition.parts[0].type == I32 and _is_truth(condition.parts[0]):
        return condition.parts[0]
    return test("eqz", condition)


def _is_truth(code: Instruction) -> bool:
    """Whether a value is surely 0 or 1, by its looks."""
    if type(code) is not Instruction:
        return False
    if code.tail in TRUTHS:
        return True
    return code.tail in JOINED and all(_is_truth(part) for part in code.parts)


def _is_cheap(code: Instruction) -> bool:
    """Whether it costs less to work a condition out than to ask whether it is needed."""
    return _cost(code) <= 6


def _cost(code: Instruction) -> int:
    if code.known is not None or code.tail == b"\x20":
        return 0
    if type(code) is not Instruction or code.tail not in HARMLESS:
        return 100
    return 1 + sum(_cost(part) for part in code.parts)


def all_of(codes: Iterable[Instruction]) -> Instruction:
    """Whether all hold, asked from left to right."""
    listed = list(codes)
    result = const(1)
    for code in reversed(listed):
        result = both(code, result)
    return result


def whilst(condition: Instruction, *body: Instruction) -> Instruction:
    """A loop for as long as a condition holds."""
    out, again = Label(), Label()
    return block(out, loop(again, sequence(branch_if(out, ~condition), *body, branch(again))))
