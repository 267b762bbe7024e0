"""Operators between numbers, truths and plain values; those of sets and bags are handed on.

Numbers without a known range are kept in 64 bits and stay within 62: an operation that would leave
them stops everything, and the evaluator has to do it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    Instruction,
    Unsupported,
    binary,
    both,
    choose,
    compare,
    const,
    either,
    narrow,
    sequence,
    wide,
)
from rulewright.wasm.assembler.module import WasmFunction
from rulewright.wasm.codegen.compilation_unit import TOO_LARGE, CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import CountArray, Mask, Scalar, WordSet
from rulewright.wasm.codegen.memory_access import bit_at, count_at

if TYPE_CHECKING:
    from rulewright.wasm.codegen.expressions import ExpressionCompiler

LARGEST = 1 << 62
COMPARED = {
    "less": "lt_s", "less_equal": "le_s", "greater": "gt_s", "greater_equal": "ge_s"
}  # fmt: skip


def in_range(value: Any) -> None:
    """Refuses numbers that 62 bits do not hold."""
    if isinstance(value, int) and not -LARGEST <= value < LARGEST:
        raise Unsupported(str(value))


class Operators:
    """Compiles operators."""

    def __init__(self, expressions: ExpressionCompiler) -> None:
        self.expressions = expressions
        self.unit: CompilationUnit = expressions.unit
        self.layout = expressions.unit.layout
        self.checks = expressions.checks

    def unary(self, e: c.Unary, here: CodeContext) -> Instruction:
        if e.operator == "not":
            return ~self.expressions.value(e.operand, here)
        kept = self._number(e.type)
        value = self.expressions.value(e.operand, here)
        if kept.register == I64:
            return self.checked(const(0, I64) - wide(value), value.type == I32, here)
        return const(0) - narrow(value)

    def binary(self, e: c.Binary, here: CodeContext) -> Instruction:
        value = self.expressions.value
        match e.operator:
            case "and" | "or" | "implies":
                left = value(e.left, here)
                if e.operator == "implies":
                    left = ~left
                stops = 0 if e.operator == "and" else 1
                if left.known is not None and left.known == stops:
                    return const(stops)
                inside = self.expressions.ranges.assuming(e.left, here, e.operator != "or")
                right = value(e.right, inside)
                return both(left, right) if e.operator == "and" else either(left, right)
            case "equal" | "unequal":
                same = self._equal(e, here)
                return same if e.operator == "equal" else ~same
            case "less" | "less_equal" | "greater" | "greater_equal":
                left, right = value(e.left, here), value(e.right, here)
                if I64 in (left.type, right.type):
                    left, right = wide(left), wide(right)
                return compare(COMPARED[e.operator], left, right)
            case "add" | "subtract" | "multiply":
                return self._arithmetic(e, here)
            case "divide" | "remainder":
                return self._division(e, here)
            case "member" | "bag_member":
                return self._member(e, here)
            case _:
                return self.expressions.collections.binary(e, here)

    # ---- numbers

    def _number(self, type: y.Type) -> Scalar:
        kept = self.layout.kept(type)
        assert isinstance(kept, Scalar)
        return kept

    def _arithmetic(self, e: c.Binary, here: CodeContext) -> Instruction:
        kept = self._number(e.type)
        left, right = self.expressions.value(e.left, here), self.expressions.value(e.right, here)
        small = left.type == I32 and right.type == I32
        if small and kept.register == I32:
            name = {"add": "add", "subtract": "sub", "multiply": "mul"}[e.operator]
            return binary(name, left, right)
        left, right = wide(left), wide(right)
        if e.operator == "multiply" and not small:
            result = self.product()(left, right)
        else:
            name = {"add": "add", "subtract": "sub", "multiply": "mul"}[e.operator]
            result = self.checked(binary(name, left, right), small, here)
        return result if kept.register == I64 else narrow(result)

    def checked(self, result: Instruction, small: bool, here: CodeContext) -> Instruction:
        """A number in 64 bits that stays within 62; made of small ones it surely does."""
        if small or result.known is not None:
            return result
        keep, held = here.hold(result)
        return sequence(keep, self.limited(held), held)

    def limited(self, held: Instruction) -> Instruction:
        """Stops where a number leaves 62 bits."""
        return choose((held + LARGEST).lt(0), self.unit.stop(TOO_LARGE))

    def product(self) -> WasmFunction:
        return self.unit.shared("product", self._make_product)

    def _make_product(self, name: str) -> WasmFunction:
        function = self.unit.module.function(name, [I64, I64], I64)
        left, right = (each.value for each in function.params)
        result = function.local(I64)
        large = self.unit.stop(TOO_LARGE)
        narrow_ = both((left + (1 << 31)).below(1 << 32), (right + (1 << 31)).below(1 << 32))
        function.define(choose(narrow_, left * right, sequence(
            result.set(left * right),
            choose(left.ne(0), choose(
                binary("div_s", result.value, left).ne(right), large)),
            self.limited(result.value),
            result.value,
        )))  # fmt: skip
        return function

    def _division(self, e: c.Binary, here: CodeContext) -> Instruction:
        kept = self._number(e.type)
        first, left = here.hold(self.expressions.value(e.left, here))
        second, right = here.hold(self.expressions.value(e.right, here))
        assert isinstance(e.left.type, y.Int) and isinstance(e.right.type, y.Int)
        low = e.right.type.low
        parts = [first, second]
        if not ((low is not None and low > 0)
                or (e.right.type.high is not None and e.right.type.high < 0)):  # fmt: skip
            failing = self.unit.fail(
                here, e.span, lambda number: f"{number} is divided by zero", [(left, e.left.type)]
            )
            parts.append(choose(~right, failing))
        if I64 in (left.type, right.type, kept.register):
            left, right = wide(left), wide(right)
        natural = e.left.type.low is not None and e.left.type.low >= 0
        result = self._quotient(e.operator, left, right, natural and low is not None and low > 0,
                                here)  # fmt: skip
        return sequence(*parts, result if kept.register == I64 else narrow(result))

    def _quotient(
        self, operator: str, left: Instruction, right: Instruction, natural: bool, here: CodeContext
    ) -> Instruction:
        """Rounding down, also below zero; the remainder has the sign of the divisor."""
        if natural:
            return binary("div_u" if operator == "divide" else "rem_u", left, right)
        keep, rest = here.hold(binary("rem_s", left, right))
        apart = both(rest.ne(0), (rest ^ right).lt(0))
        if operator == "remainder":
            return sequence(keep, choose(apart, rest + right, rest))
        quotient = binary("div_s", left, right)
        return sequence(keep, choose(apart, quotient - 1, quotient))

    # ---- what is the same, what is inside

    def _equal(self, e: c.Binary, here: CodeContext) -> Instruction:
        type = y.join(e.left.type, e.right.type)
        if type is None:
            raise Unsupported(f"{y.show(e.left.type)} == {y.show(e.right.type)}")
        left = self.expressions.converted(e.left, type, here)
        right = self.expressions.converted(e.right, type, here)
        return self.checks.equal(left, right, type, here)

    def _member(self, e: c.Binary, here: CodeContext) -> Instruction:
        first, element = here.hold(self.expressions.value(e.left, here))
        second, held = here.hold(self.expressions.value(e.right, here))
        assert isinstance(e.right.type, y.Set | y.Bag)
        kept = self.layout.kept(e.right.type)
        match kept:
            case Mask(base, _):
                index, size = element - base, 64
                found = narrow(held >> wide(index)) & 1
            case WordSet(base, count, _):
                index, size = narrow(element) - base, 64 * count
                found = bit_at(held, index)
            case CountArray(base, count, _):
                index, size = narrow(element) - base, count
                found = count_at(kept, held, narrow(element)).ne(0)
            case _:
                raise AssertionError(kept)
        return sequence(first, second, self.inside(e.left.type, element, base, size, found))

    def inside(
        self, type: y.Type, element: Instruction, base: int, size: int, found: Instruction
    ) -> Instruction:
        """An answer about an element where it is one that the collection may hold, else zero."""
        if self.surely_inside(type, base, size):
            return found
        zero = const(0, found.type or I32)
        return choose((element - base).below(size), found, zero)

    def surely_inside(self, type: y.Type, base: int, size: int) -> bool:
        """Whether every value of a type is one of so many numbers from a first one on."""
        try:
            first, count = self.layout.elements(type)
        except Unsupported:
            return False
        return base <= first and first + count <= base + size
