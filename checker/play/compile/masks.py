"""The set of values for which a condition holds, as bits, without going through them.

`{each row: Colour where some p: Player: row in locked[p]}` is `locked[1] | locked[2] | …`. A
condition that cannot be put this way, or that can fail, has no mask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile.code import (
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    CHOICE,
    OR,
    Code,
    Here,
    infix,
)
from checker.play.compile.runtime import to_bits

if TYPE_CHECKING:
    from checker.play.compile.expressions import Expressions

MOST_UNROLLED = 12


class Masks:
    """Compiles conditions on one name into sets of its values."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self.layout = expressions.unit.layout
        self.facts = expressions.unit.facts

    def of(self, condition: c.Expr, name: str, type: y.Type, here: Here) -> Code | None:
        """The values of the name, among all of its type, for which the condition holds."""
        size = self.layout.size(type)
        if not self.layout.is_bits(type) or size is None or isinstance(type, y.Bool | y.Never):
            return None
        trial = here.trial()
        found = _Mask(self, name, type, trial).of(condition)
        if found is None or trial.names.fails or found.fails:
            return None
        here.keep(trial)
        return found


class _Mask:
    """One condition being turned into a set."""

    def __init__(self, masks: Masks, name: str, type: y.Type, here: Here) -> None:
        self.masks = masks
        self.expressions = masks.expressions
        self.name = name
        self.type = type
        self.here = here
        self.all = masks.layout.all_bits(type)

    def of(self, condition: c.Expr, here: Here | None = None) -> Code | None:
        here = here or self.here
        facts = self.masks.facts
        if self.name not in facts.of(condition).names:
            truth = self.expressions.truth(condition, here)
            if truth.is_known:
                return Code(str(self.all if truth.known else 0))
            return Code(f"{self.all} if {truth.at(OR)} else 0", CHOICE, truth.fails)
        match condition:
            case c.Unary(operator="not", operand=operand):
                tabled = None if _is_made_of_sets(operand) else self._tabled(condition, here)
                return tabled or self._without(self.of(operand, here))
            case c.Binary(operator="and", left=left, right=right):
                return self._both(left, right, "&", BIT_AND, here)
            case c.Binary(operator="or", left=left, right=right):
                return self._both(left, right, "|", BIT_OR, here)
            case c.Binary(operator="implies", left=left, right=right):
                negated = c.Unary(left.span, y.BOOL, "not", left)
                return self._both(negated, right, "|", BIT_OR, here)
            case c.Binary(operator="member", left=c.Local(name=name), right=right) if (
                name == self.name and name not in facts.of(right).names
            ):
                return self._member(right, here)
            case c.Quantify(kind="some" | "all", binders=(only,)) if only.low is None:
                found = self._unrolled(condition, only, here)
                if found is not None:
                    return found
        return self._tabled(condition, here)

    def _without(self, mask: Code | None) -> Code | None:
        if mask is None:
            return None
        if mask.text.isdigit():
            return Code(str(self.all ^ int(mask.text)))
        return infix(Code(str(self.all)), "^", mask, BIT_XOR)

    def _both(self, left: c.Expr, right: c.Expr, sign: str, level: int, here: Here) -> Code | None:
        one = self.of(left, here)
        other = None if one is None else self.of(right, here)
        if one is None or other is None:
            return None
        return infix(one, sign, other, level)

    def _member(self, set: c.Expr, here: Here) -> Code | None:
        assert isinstance(set.type, y.Set)
        if not self.masks.layout.is_bits(set.type.element):
            return None
        found = self.expressions.value(set, here)
        if self.expressions.checks.fits(set.type.element, self.type):
            return found
        return infix(found, "&", Code(str(self.all)), BIT_AND)

    def _unrolled(self, quantifier: c.Quantify, binder: c.Binder, here: Here) -> Code | None:
        """For each value of another name one set, all put together."""
        layout = self.masks.layout
        size = layout.size(binder.type)
        if size is None or size > MOST_UNROLLED:
            return None
        some = quantifier.kind == "some"
        body = quantifier.body
        if quantifier.where is not None:
            operator = "and" if some else "implies"
            body = c.Binary(body.span, y.BOOL, operator, quantifier.where, body)
        result: Code | None = None
        for value in layout.values(binder.type):
            known = self.masks.unit.known(layout.decode(value, binder.type), binder.type)
            found = self.of(body, here.bind(binder.name, known))
            if found is None:
                return None
            if result is None:
                result = found
            elif some:
                result = infix(result, "|", found, BIT_OR)
            else:
                result = infix(result, "&", found, BIT_AND)
        return result if result is not None else Code("0" if some else str(self.all))

    def _tabled(self, condition: c.Expr, here: Here) -> Code | None:
        tables = self.expressions.tables
        question = tables.question(condition, self.name, self.type, here)
        if question is None:
            return None
        return tables.lookup(question, to_bits, here)


def _is_made_of_sets(condition: c.Expr) -> bool:
    """Whether the opposite of a condition is better taken from its own set."""
    match condition:
        case c.Binary(operator="and" | "or" | "implies" | "member") | c.Unary() | c.Quantify():
            return True
        case _:
            return False
