"""Quantifiers over few values as operations on bits: without a loop, and without branches that a
processor would have to guess.

Where a condition on a name says which sets it is in, the values for which it holds are bits that
`domain_pruning` works out at once. `all p: p in s` asks whether any value is left out, `some`
whether there is one, `count` counts them, and `{each x where ...}` is made of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.wasm.assembler.instructions import I64, Instruction, const, unary
from rulewright.wasm.codegen.compilation_unit import Catch, CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import Mask

if TYPE_CHECKING:
    from rulewright.wasm.codegen.expressions import ExpressionCompiler

UNROLLED = 8
"""Values; a quantifier inside a condition is written out for each, if there are no more."""
CHEAP = 60
"""Nodes; what takes no more is worked out even if it may not be needed."""


class OneBit(Instruction):
    """Bits of which at most one is set."""

    __slots__ = ()


def one_bit(bits: Instruction) -> Instruction:
    """The same bits, of which at most one is said to be set."""
    return OneBit(bits.type, (bits,), b"")


class BitQuantifiers:
    """Compiles the quantifiers that are about sets; None where bits cannot say."""

    def __init__(self, expressions: ExpressionCompiler) -> None:
        self.expressions = expressions
        self.unit: CompilationUnit = expressions.unit
        self.layout = expressions.unit.layout

    def truth(self, e: c.Quantify, here: CodeContext) -> Instruction | None:
        """`all` or `some`."""
        condition = asked_of_each(e)
        if e.kind == "all":
            condition = c.Unary(e.span, y.BOOL, "not", condition)
        found = self._holding(e.binders, condition, here)
        if found is None:
            return None
        return found.eq(0) if e.kind == "all" else found.ne(0)

    def count(self, e: c.Quantify, here: CodeContext) -> Instruction | None:
        """How many values a condition holds for, as i64."""
        found = self._holding(e.binders, asked_of_each(e), here)
        return None if found is None else unary("popcnt", found)

    def elements(self, e: c.SetEach, here: CodeContext) -> Instruction | None:
        """The set of all values for which a condition holds."""
        binder = e.binders[0]
        kept = self.layout.kept(e.type)
        itself = isinstance(e.element, c.Local) and e.element.name == binder.name
        if e.where is None or not itself or not isinstance(kept, Mask):
            return None
        found = self._holding(e.binders, e.where, here)
        return None if found is None else shifted(found, self._first(binder.type) - kept.base)

    def _holding(
        self, binders: Sequence[c.Binder], condition: c.Expr, here: CodeContext
    ) -> Instruction | None:
        """The values of the one name for which a condition holds, the lowest bit being the first
        value of its type."""
        binder, pruning = binders[0], self.expressions.pruning
        size = pruning.size(binder.type)
        if (
            size is None
            or len(binders) > 1
            or isinstance(binder.type, y.Option)
            or not self.is_about_sets(condition, binder.name)
        ):
            return None
        domain: Instruction | None = const((1 << size[1]) - 1, I64)
        if binder.low is not None:
            domain = self._drawn(binder, here)
        holding = pruning.allowed(condition, binder.name, binder.type, here)
        return None if domain is None or holding is None else holding & domain

    def _drawn(self, binder: c.Binder, here: CodeContext) -> Instruction | None:
        """The elements of the set that a name goes through."""
        assert binder.low is not None
        kept, catch = self.layout.kept(binder.low.type), Catch()
        if binder.high is not None or not isinstance(kept, Mask):
            return None
        bits = self.expressions.value(binder.low, here.catching(catch))
        return None if catch.used else shifted(bits, kept.base - self._first(binder.type))

    def _first(self, type: y.Type) -> int:
        return self.layout.universe(type)[0]

    # ---- inside a condition

    def is_about_sets(self, e: c.Expr, name: str) -> bool:
        """Whether a condition says which sets a name is in, and what else it says is cheap."""
        match e:
            case c.Unary(operator="not", operand=inside):
                return self.is_about_sets(inside, name)
            case c.Binary(operator="and" | "or" | "implies", left=left, right=right):
                about = [self.is_about_sets(left, name), self.is_about_sets(right, name)]
                return any(about) and all(
                    yes or self._is_cheap(side, name) for yes, side in zip(about, (left, right))
                )
            case c.Binary(operator="member", left=c.Local(name=mine), right=right):
                return mine == name and isinstance(right.type, y.Set)
            case c.Quantify(kind="all" | "some", binders=(binder,)):
                return self._is_unrolled(binder) and self.is_about_sets(asked_of_each(e), name)
            case _:
                return False

    def _is_cheap(self, e: c.Expr, name: str) -> bool:
        facts = self.unit.facts.of(e)
        return name not in facts.names and facts.work <= CHEAP

    def _is_unrolled(self, binder: c.Binder) -> bool:
        size = self.expressions.pruning.size(binder.type)
        plain = binder.low is None and not isinstance(binder.type, y.Option)
        return plain and size is not None and 0 < size[1] <= UNROLLED

    def unrolled(
        self, e: c.Quantify, name: str, type: y.Type, here: CodeContext
    ) -> Instruction | None:
        """The values of a name for which a condition on it holds for all or some values of another
        name."""
        (binder,) = e.binders
        if not self.is_about_sets(e, name):
            return None
        first, count = self.layout.universe(binder.type)
        condition, bits = asked_of_each(e), const(-1 if e.kind == "all" else 0, I64)
        for number in range(first, first + count):
            inside = here.bind(binder.name, const(number), binder.type)
            part = self.expressions.pruning.allowed(condition, name, type, inside)
            if part is None:
                return None
            bits = part & bits if e.kind == "all" else part | bits
        return bits


def asked_of_each(e: c.Quantify) -> c.Expr:
    """What a quantifier asks of each value."""
    if e.where is None:
        return e.body
    return c.Binary(e.span, y.BOOL, "implies" if e.kind == "all" else "and", e.where, e.body)


def shifted(bits: Instruction, by: int) -> Instruction:
    """Bits moved up, or down if `by` is negative."""
    return bits << by if by >= 0 else bits >> -by
