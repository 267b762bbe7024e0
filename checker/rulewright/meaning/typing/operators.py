"""Operators: which meaning an operator has for the types it stands between."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.diagnostics import Messages
from rulewright.meaning import core as c
from rulewright.meaning import ranges
from rulewright.meaning import types as y
from rulewright.meaning.checks.size_limits import within_digits
from rulewright.syntax import tree as t
from rulewright.syntax.node import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulewright.meaning.names.declarations import Declarations
    from rulewright.meaning.names.scope import Scope

NUMBERS: dict[str, tuple[str, Callable[[y.Int, y.Int], y.Int]]] = {
    "+": ("add", ranges.add),
    "-": ("subtract", ranges.subtract),
    "*": ("multiply", ranges.multiply),
    "/": ("divide", ranges.divide),
    "%": ("remainder", ranges.remainder),
}
SETS = {"+": "union", "-": "difference", "&": "common"}
BAGS = {"+": "bag_union", "-": "bag_difference", "&": "bag_common"}
ORDER = {"<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal"}
EQUALITY = {"==": "equal", "!=": "unequal"}
WORDS = {
    "+": "added to", "-": "subtracted from", "&": "intersected with", "*": "multiplied by",
    "/": "divided by", "%": "divided by",
}  # fmt: skip

SEATS = (
    "players are not numbers: `left_of(p)` is who comes next, `right_of(p)` who came before; the "
    "number of a seat is `seat(p)`"
)


def comparable_late(e: t.Expr, declared: Declarations, scope: Scope) -> bool:
    """Whether an expression's type is better told from the other side: a literal collection,
    `none`, or a name that several enumerations have."""
    match e:
        case t.SetOf() | t.SetEach() | t.ListOf() | t.MapOf():
            return True
        case t.Name(_, text):
            if text in scope.bound or text in declared.names.values:
                return False
            return text == "none" or len(declared.enums_with(text)) != 1
        case _:
            return False


def binary(span: Span, operator: str, left: c.Expr, right: c.Expr, messages: Messages) -> c.Expr:
    """The core operation for the operator and the types of its sides, or a report."""
    if y.BROKEN in (left.type, right.type):
        return c.Literal(span, y.BROKEN, None)
    found = _meaning(span, operator, left, right)
    kind = None if found is None else found.type
    if isinstance(kind, y.Int) and within_digits(kind, span, messages) == y.BROKEN:
        return c.Literal(span, y.BROKEN, None)
    if found is not None:
        _warn(span, operator, left, right, messages)
        return found
    messages.error("RW201", span, *_mismatch(operator, left.type, right.type))
    return c.Literal(span, y.BROKEN, None)


def _meaning(span: Span, operator: str, left: c.Expr, right: c.Expr) -> c.Expr | None:
    match operator:
        case "==" | "!=":
            if y.join(left.type, right.type) is None:
                return None
            return c.Binary(span, y.BOOL, EQUALITY[operator], left, right)
        case "<" | "<=" | ">" | ">=":
            return _order(span, operator, left, right)
        case "in" | "not in":
            member = _member(span, left, right)
            if member is None or operator == "in":
                return member
            return c.Unary(span, y.BOOL, "not", member)
    match left.type, right.type:
        case y.Int() as a, y.Int() as b:
            if operator not in NUMBERS:
                return None
            name, range_of = NUMBERS[operator]
            return c.Binary(span, range_of(a, b), name, left, right)
        case (y.Set(), y.Set()) | (y.Bag(), y.Bag()):
            names = SETS if isinstance(left.type, y.Set) else BAGS
            result = y.join(left.type, right.type)
            if operator not in names or result is None:
                return None
            return c.Binary(span, result, names[operator], left, right)
        case _:
            return None


def _order(span: Span, operator: str, left: c.Expr, right: c.Expr) -> c.Expr | None:
    match left.type, right.type:
        case (y.Int(), y.Int()) | (y.Player(), y.Player()):
            return c.Binary(span, y.BOOL, ORDER[operator], left, right)
        case y.Enum(name), y.Enum(other) if name == other:
            return c.Binary(span, y.BOOL, ORDER[operator], left, right)
        case (y.Set(), y.Set()) | (y.Bag(), y.Bag()):
            if y.join(left.type, right.type) is None:
                return None
            if operator in (">", ">="):
                left, right = right, left
            kind = "subset" if isinstance(left.type, y.Set) else "sub_bag"
            proper = "proper_" if operator in ("<", ">") else ""
            return c.Binary(span, y.BOOL, proper + kind, left, right)
        case _:
            return None


def _member(span: Span, left: c.Expr, right: c.Expr) -> c.Expr | None:
    match right.type:
        case y.Set(element) | y.Bag(element) if y.join(left.type, element) is not None:
            kind = "member" if isinstance(right.type, y.Set) else "bag_member"
            return c.Binary(span, y.BOOL, kind, left, right)
        case _:
            return None


def _mismatch(operator: str, left: y.Type, right: y.Type) -> tuple[str, str | None]:
    a, b = f"`{y.show(left)}`", f"`{y.show(right)}`"
    optional = next((each for each in (left, right) if isinstance(each, y.Option)), None)
    help = None
    if optional is not None and operator not in ("==", "!="):
        help = "one of them may be `none`: open it with `some x in ...:` or `... otherwise ...`"
    inner = right.element if isinstance(right, y.Set | y.Bag) else right
    seats = [isinstance(each, y.Player) for each in (left, inner)]
    if any(seats) and isinstance(left, y.Player | y.Int) and isinstance(inner, y.Player | y.Int):
        help = SEATS
    if operator in ("in", "not in"):
        if not isinstance(right, y.Set | y.Bag):
            return f"{b} has no members", help or "after `in` stands a set or a bag"
        return f"{a} can never be in {b}", help
    if operator in EQUALITY or operator in ORDER:
        return f"{a} cannot be compared with {b}", help
    return f"{a} cannot be {WORDS[operator]} {b}", help


def _warn(span: Span, operator: str, left: c.Expr, right: c.Expr, messages: Messages) -> None:
    """Comparisons that come out the same whatever happens, and division by zero."""
    if operator in ("/", "%") and right.type == y.Int(0, 0):
        messages.error("RW211", right.span, "this divides by zero", "correct the divisor")
    if operator not in EQUALITY or not y.apart(left.type, right.type):
        return
    outcome = "never equal" if operator == "==" else "always different"
    messages.warning(
        "RW214", span, f"{y.show(left.type)} and {y.show(right.type)} are {outcome}",
        "correct one side, or remove the comparison",
    )  # fmt: skip
