"""What is known of numbers beyond their declared types: by arithmetic, by what was asked before.

Where `c >= 1 and c <= 8` holds, `c` is from 1 to 8, whatever its type says; checks that this makes
needless are left out. Only local names are followed, for nothing changes them. A type found here is
kept in the same register as the declared one.
"""

from __future__ import annotations

from functools import lru_cache

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.wasm.codegen.compilation_unit import CodeContext
from rulewright.wasm.codegen.data_layout import Layout, register

OPPOSITE = {
    "less": "greater_equal", "less_equal": "greater", "greater": "less_equal",
    "greater_equal": "less", "equal": "unequal", "unequal": "equal",
}  # fmt: skip
TURNED = {
    "less": "greater", "less_equal": "greater_equal", "greater": "less",
    "greater_equal": "less_equal", "equal": "equal", "unequal": "unequal",
}  # fmt: skip


class Ranges:
    """Knows the ranges of expressions."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def type_of(self, e: c.Expr, here: CodeContext) -> y.Type:
        """The type of an expression, narrower than the declared one where more is known."""
        if not isinstance(e.type, y.Int):
            return e.type
        found = self._range(e, here)
        return e.type if found is None else self._narrower(e.type, found)

    def narrower(self, type: y.Type, found: y.Type) -> y.Type:
        """What is of both types, if they are numbers; else the first."""
        if isinstance(type, y.Int) and isinstance(found, y.Int):
            return self._narrower(type, found)
        return type

    def assuming(self, e: c.Expr, here: CodeContext, holds: bool = True) -> CodeContext:
        """The place where a condition is known to hold, or not to."""
        match e:
            case c.Unary(operator="not", operand=inside):
                return self.assuming(inside, here, not holds)
            case c.Binary(operator="and", left=left, right=right) if holds:
                return self.assuming(right, self.assuming(left, here))
            case c.Binary(operator="or", left=left, right=right) if not holds:
                return self.assuming(right, self.assuming(left, here, False), False)
            case c.Binary(operator="implies", left=left, right=right) if not holds:
                return self.assuming(right, self.assuming(left, here), False)
            case c.Binary(operator=operator, left=left, right=right) if operator in OPPOSITE:
                known = operator if holds else OPPOSITE[operator]
                here = self._bounded(left, known, right, here)
                return self._bounded(right, TURNED[known], left, here)
            case _:
                return here

    def _bounded(self, e: c.Expr, operator: str, other: c.Expr, here: CodeContext) -> CodeContext:
        """The place where a name compares so with something."""
        if not isinstance(e, c.Local) or e.name not in here.env or operator == "unequal":
            return here
        code, known = here.env[e.name]
        limit = self.type_of(other, here)
        if not isinstance(known, y.Int) or not isinstance(limit, y.Int):
            return here
        low, high = None, None
        if operator == "less":
            high = None if limit.high is None else limit.high - 1
        elif operator == "greater":
            low = None if limit.low is None else limit.low + 1
        else:
            high = None if operator == "greater_equal" else limit.high
            low = None if operator == "less_equal" else limit.low
        found = self._narrower(known, y.Int(low, high))
        return here if found is known else here.bind(e.name, code, found)

    def _narrower(self, type: y.Int, found: y.Int) -> y.Int:
        """What is of both types, if that says more and is kept in the same register."""
        low, high = type.low, type.high
        if low is None or (found.low is not None and found.low > low):
            low = found.low
        if high is None or (found.high is not None and found.high < high):
            high = found.high
        nothing_new = low == type.low and high == type.high
        if nothing_new or (low is not None and high is not None and low > high):
            return type
        both = _whole(low, high)
        same = register(self.layout.kept(both)) == register(self.layout.kept(type))
        return both if same else type

    def _range(self, e: c.Expr, here: CodeContext) -> y.Int | None:
        match e:
            case c.Literal(value=int() as value):
                return _whole(value, value)
            case c.Local(name=name):
                known = here.env[name][1] if name in here.env else None
                return known if isinstance(known, y.Int) else None
            case c.Binary(operator="add" | "subtract" | "multiply" | "divide" as operator):
                left, right = self.type_of(e.left, here), self.type_of(e.right, here)
                assert isinstance(left, y.Int) and isinstance(right, y.Int)
                return _computed(operator, left, right)
            case c.Choose(condition=condition, then=then, otherwise=otherwise):
                one = self.type_of(then, self.assuming(condition, here))
                other = self.type_of(otherwise, self.assuming(condition, here, False))
                found = y.join(one, other)
                return found if isinstance(found, y.Int) else None
            case _:
                return None


@lru_cache(maxsize=4096)
def _whole(low: int | None, high: int | None) -> y.Int:
    """The whole numbers of a range: the same object each time, so that how they are kept is looked
    up once."""
    return y.Int(low, high)


def _computed(operator: str, left: y.Int, right: y.Int) -> y.Int | None:
    """The range of a sum, difference, product or quotient."""
    if left.low is None or left.high is None or right.low is None or right.high is None:
        return None
    if operator == "add":
        return _whole(left.low + right.low, left.high + right.high)
    if operator == "subtract":
        return _whole(left.low - right.high, left.high - right.low)
    if operator == "divide":
        if right.low != right.high or right.low <= 0:
            return None
        return _whole(left.low // right.low, left.high // right.low)
    products = [one * other for one in (left.low, left.high) for other in (right.low, right.high)]
    return _whole(min(products), max(products))
