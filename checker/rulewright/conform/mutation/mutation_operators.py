"""Mutation operators: small mistakes that somebody could make in an expression.

A number one too high, `<` for `<=`, a condition left out, the wrong player, row or square. The
expression stays well typed; whether it says anything else is for others to find out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.retyping import retyped
from rulewright.syntax.node import NOWHERE, replace

WEAKER = {"less": "less_equal", "greater": "greater_equal", "proper_subset": "subset"}
STRICTER = {"less_equal": "less", "greater_equal": "greater", "subset": "proper_subset"}
FLIPPED = {"less": "greater", "greater": "less", "less_equal": "greater_equal",
           "greater_equal": "less_equal", "equal": "unequal", "unequal": "equal",
           "add": "subtract", "subtract": "add"}  # fmt: skip


RELATIVES = {"min": "max", "max": "min", "column": "row", "row": "column"}
"""Built-in functions that are taken for each other."""
RIGHT = c.Literal(NOWHERE, y.DIRECTION, "right")
ONE = c.Literal(NOWHERE, y.Int(1, 1), 1)
FEW = 8
"""Names of a type with more than that are no rows that somebody would mistake."""
SLIGHT = ("one more", "one less", "stricter", "the left neighbour", "the right neighbour")


def mutated(requirement: c.Requirement, slight: bool) -> Iterator[c.Expr]:
    """The condition of a requirement with one mistake in it: the slight ones, such as a number
    one too high, or the others."""
    for what, condition in mutated_expressions(requirement.condition):
        if what.startswith(SLIGHT) == slight:
            yield retyped(condition)


def names_in(node: Any) -> Iterator[str]:
    """The local names that an expression mentions."""
    if isinstance(node, c.Local):
        yield node.name
    for part in node if isinstance(node, tuple) else getattr(node, "_fields", ()):
        yield from names_in(part if isinstance(node, tuple) else getattr(node, part))


def mutated_expressions(
    expression: c.Expr, bound: frozenset[str] = frozenset()
) -> Iterator[tuple[str, c.Expr]]:
    """An expression with one mistake, anywhere in it, and what the mistake is. Names that are
    `bound` range over a whole type: another of its values in their place changes nothing."""
    yield from _here(expression, bound)
    binders: tuple[c.Binder, ...] = getattr(expression, "binders", ())
    bound |= {each.name for each in binders if each.low is None}
    for field in expression._fields:
        part = getattr(expression, field)
        if isinstance(part, c.Typed):
            for what, changed in mutated_expressions(part, bound):  # type: ignore[arg-type]
                yield what, replace(expression, **{field: changed})
        elif isinstance(part, tuple):
            yield from _in_tuple(expression, field, part, bound)


def _in_tuple(
    expression: c.Expr, field: str, parts: tuple[Any, ...], bound: frozenset[str]
) -> Iterator[tuple[str, c.Expr]]:
    for at, each in enumerate(parts):
        found: Iterator[tuple[str, Any]] = iter(())
        if isinstance(each, c.Typed):
            found = mutated_expressions(each, bound)  # type: ignore[arg-type]
        elif isinstance(each, c.Binder):
            found = _in_binder(each, bound)
        for what, changed in found:
            yield what, replace(expression, **{field: (*parts[:at], changed, *parts[at + 1 :])})


def _in_binder(binder: c.Binder, bound: frozenset[str]) -> Iterator[tuple[str, c.Binder]]:
    for field in ("low", "high"):
        part = getattr(binder, field)
        if part is not None:
            for what, changed in mutated_expressions(part, bound):
                yield what, replace(binder, **{field: changed})


def _next(expression: c.Expr, names: y.Enum) -> c.Expr:
    """The name after the one that an expression stands for; after the last the first."""
    span = expression.span
    first, *others = (c.Literal(span, names, each) for each in names.members)
    found: c.Expr = first
    for here, after in reversed(list(zip((first, *others), others))):
        is_here = c.Binary(span, y.BOOL, "equal", expression, here)
        found = c.Choose(span, names, is_here, after, found)
    return found


def _here(expression: c.Expr, bound: frozenset[str]) -> Iterator[tuple[str, c.Expr]]:
    """Mistakes in the outermost operation of an expression."""
    span, type = expression.span, expression.type
    match expression:
        case c.Literal(type=y.Int(), value=int() as value):
            for how, wrong in (("more", value + 1), ("less", value - 1)):
                wrong_number = c.Literal(span, y.Int(wrong, wrong), wrong)
                yield f"one {how}: {wrong} for {value}", wrong_number
        case c.Literal(type=y.Bool(), value=value):
            yield "the opposite", replace(expression, value=not value)
        case c.Local(type=y.Player(), name=name) if name in bound:
            return
        case c.Local(type=y.Player()) | c.StateVar(type=y.Player(), old=False):
            for wrong_player in ("left_of", "right_of"):
                neighbour = c.Builtin(span, type, wrong_player, (expression,))
                yield f"the {wrong_player.removesuffix('_of')} neighbour instead", neighbour
        case c.Local(type=y.Enum() as names, name=name) if len(names.members) <= FEW:
            if name not in bound:
                yield f"the next {names.name} instead", _next(expression, names)
        case c.Builtin(name="left_of" | "right_of" as name):
            other = "right_of" if name == "left_of" else "left_of"
            yield f"{other} for {name}", replace(expression, name=other)
        case c.Builtin(name="min" | "max" | "column" | "row" as name):
            other = RELATIVES[name]
            yield f"{other} for {name}", replace(expression, name=other)
        case c.Builtin(name="abs", arguments=(inside,)):
            yield "`abs` left out", inside
        case c.Binary(operator="and" | "or" | "implies" as operator, left=left, right=right):
            other = "or" if operator == "and" else "and"
            yield f"{other} for {operator}", replace(expression, operator=other)
            yield f"`{operator}` without its left side", right
            if operator != "implies":
                yield f"`{operator}` without its right side", left
        case c.Binary(operator="equal", left=left, right=right) if left.type == y.BOOL:
            yield "turned: unequal for equal", replace(expression, operator="unequal")
            yield "only one way", replace(expression, operator="implies")
            yield (
                "only the other way",
                replace(expression, operator="implies", left=right, right=left),
            )
        case c.Binary(operator=operator):
            for table, how in ((WEAKER, "weaker"), (STRICTER, "stricter"), (FLIPPED, "turned")):
                if operator in table:
                    yield (
                        f"{how}: {table[operator]} for {operator}",
                        replace(expression, operator=table[operator]),
                    )
        case c.Unary(operator="not", operand=operand):
            yield "`not` left out", operand
        case c.Quantify(kind="all" | "some" as kind):
            other = "some" if kind == "all" else "all"
            yield f"{other} for {kind}", replace(expression, kind=other)
            if expression.where is not None:
                yield "`where` left out", replace(expression, where=None)
        case c.Quantify(kind="min" | "max" as kind):
            other = "max" if kind == "min" else "min"
            yield f"{other} for {kind}", replace(expression, kind=other)
        case c.Lookup(key=key) if isinstance(key.type, y.Enum) and isinstance(key, c.Literal):
            members = key.type.members
            neighbour_key = members[(members.index(str(key.value)) + 1) % len(members)]
            yield (
                f"{neighbour_key} for {key.value}",
                replace(expression, key=replace(key, value=neighbour_key)),
            )
        case c.Lookup(type=y.Option(), key=c.Local(type=y.Grid() as grid, name=name) as square):
            if name not in bound:
                beside = c.Builtin(span, y.Option(grid), "step", (square, RIGHT, ONE))
                yield "the square to the right instead", replace(expression, key=beside)
        case c.Choose(then=then, otherwise=otherwise):
            yield "the two cases exchanged", replace(expression, then=otherwise, otherwise=then)
