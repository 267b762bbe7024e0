"""Name resolution: what a name or a number in an expression stands for.

What is bound nearest comes first, then the state, constants and tables, then the values of types;
a name that several enumerations have is decided by what is expected where it stands. One that
stands for nothing is reported with the nearest that would.
"""

from __future__ import annotations

import re

from rulewright.diagnostics import Suggestion
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.names.symbol_table import BUILTIN_FUNCTIONS, BUILTIN_VALUES, suggestion
from rulewright.syntax import tree as t
from rulewright.syntax.node import Span, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulewright.meaning.names.scope import Scope
    from rulewright.meaning.typing.expressions import ExpressionElaborator

_BINDS = re.compile(
    r"\b(?:all|some|count|sum|min|max|first|largest|smallest|each|for)[ ]+"
    r"\w+(?:,[ ]*\w+)*([ ]+in[ ]+)$"
)
"""What stands before what a name goes through."""


def number(
    expressions: ExpressionElaborator, e: t.Number, scope: Scope, expected: y.Type | None
) -> c.Expr:
    """A number; where a player is expected, the one with that number."""
    hint = expected.inner if isinstance(expected, y.Option) else expected
    if isinstance(hint, y.Player) and 1 <= e.value <= hint.most:
        return c.Literal(e.span, hint, e.value)
    return c.Literal(e.span, y.Int(e.value, e.value), e.value)


def name(
    expressions: ExpressionElaborator, e: t.Name, scope: Scope, expected: y.Type | None
) -> c.Expr:
    """What a name stands for, or a report that it stands for nothing."""
    text, span = e.text, e.span
    local = scope.bound.get(text)
    if local is not None:
        expressions.names.references.use_bound(span, local.span.start)
        return _moved(local, span)
    match text:
        case "true" | "false":
            return c.Literal(span, y.BOOL, text == "true")
        case "none":
            return c.Literal(span, y.NOTHING, None)
        case "players":
            player = expressions.types.player
            return c.PlayerCount(span, y.Int(player.least, player.most))
    variable = expressions.declared.variable_type(text)
    if variable is not None:
        expressions.names.refer("state variable", text, span)
        return c.StateVar(span, variable, text, scope.in_old)
    if expressions.names.refer("constant", text, span) is not None:
        return _moved(expressions.declared.constant(text), span)
    if expressions.names.refer("table", text, span) is not None:
        return c.TableRef(span, expressions.declared.table_type(text), text)
    member = _value_named(expressions, text, span, expected)
    if member is not None:
        return member
    if expressions.names.refer("reading", text, span) is not None:
        return c.ReadingRef(span, expressions.declared.reading_type(text), text)
    _unknown(expressions, text, span, scope)
    return expressions.broken(span)


def _value_named(
    expressions: ExpressionElaborator, text: str, span: Span, expected: y.Type | None
) -> c.Expr | None:
    """The enumeration member, phase, option or square of that name."""
    hint = expected.inner if isinstance(expected, y.Option) else expected
    if isinstance(hint, y.Enum) and text in hint.members:
        expressions.declared.note_member(hint, text, span)
        return c.Literal(span, hint, text)
    place = y.square_place(text)
    if place is not None:
        grids = expressions.types.grids if not isinstance(hint, y.Grid) else [hint]
        grids = [g for g in grids if place[0] <= g.width and place[1] <= g.height]
        if len(grids) == 1:
            expressions.names.references.use(span, "square", f"{grids[0].name}.{text}")
            return c.Literal(span, grids[0], text)
    if expressions.names.of("reading").get(text) is not None:
        return None
    candidates = expressions.declared.enums_with(text)
    if len(candidates) > 1:
        owners = " and of ".join(f"`{each.name}`" for each in candidates)
        expressions.messages.error(
            "RW105", span, f"`{text}` is a value of {owners}",
            "it cannot be told here which is meant: rename one, or put it on the other side "
            "of the comparison",
        )  # fmt: skip
        return expressions.broken(span)
    if candidates:
        expressions.declared.note_member(candidates[0], text, span)
        return c.Literal(span, candidates[0], text)
    return None


def _unknown(expressions: ExpressionElaborator, text: str, span: Span, scope: Scope) -> None:
    if expressions.names.refer("function", text, span) is not None or text in BUILTIN_FUNCTIONS:
        declared = expressions.names.of("function").get(text)
        expressions.messages.error(
            "RW203", span, f"`{text}` is a function",
            f"call it: `{text}(...)`"
            if declared is None or declared.params
            else Suggestion(f"call it: `{text}()`", f"{text}()"),
        )  # fmt: skip
        return
    if text in expressions.types.declared:
        expressions.messages.error(
            "RW203", span, f"`{text}` is a type, not a value",
            f"to go through its values write `all x: {text}: ...`",
            _gone_through(expressions.messages.text.text, span),
        )  # fmt: skip
        return
    boards = [
        f"`{grid.name}` goes from A1 to {y.square_name(grid.width, grid.height)}"
        for grid in expressions.types.grids
    ]
    if boards and y.square_place(text) is not None:
        expressions.messages.error("RW101", span, f"there is no square `{text}`", ", ".join(boards))
        return
    known = [
        *scope.bound, *expressions.names.values, *BUILTIN_VALUES, *expressions.types.members,
        *expressions.names.of("phase"),
    ]  # fmt: skip
    expressions.messages.error(
        "RW101", span, f"there is nothing called `{text}` here",
        suggestion(text, known, "declare it, or check the spelling"),
    )  # fmt: skip


def _moved(e: c.Expr, span: Span) -> c.Expr:
    """The same expression, standing at another place."""
    return replace(e, span=span)


def _gone_through(text: str, type: Span) -> tuple[Span, str] | None:
    """The change that goes through the values of a type after `in`, where only elements stand."""
    start = text.rfind("\n", 0, type.start) + 1
    found = _BINDS.search(text[start : type.start])
    return found and (Span(start + found.start(1), type.start), ": ")
