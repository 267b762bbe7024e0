"""The functions the language brings along: their arguments and result types."""

from __future__ import annotations

from rulewright.meaning import core as c
from rulewright.meaning import ranges
from rulewright.meaning import types as y
from rulewright.meaning.geometry import lead_on
from rulewright.meaning.typing import boards, lists
from rulewright.syntax import tree as t

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulewright.meaning.names.scope import Scope
    from rulewright.meaning.typing.expressions import ExpressionElaborator
    from rulewright.syntax.node import Span

ARITY = {
    "left_of": (1, 1), "right_of": (1, 1), "seat": (1, 1), "size": (1, 1), "min": (2, 2),
    "max": (2, 2), "abs": (1, 1), "step": (3, 3), "column": (1, 1), "row": (1, 1),
    "occupied": (1, 1), "tally": (1, 1), "components": (1, 1), **boards.ARITY, **lists.ARITY,
}  # fmt: skip
"""How many values each takes at the least and at the most."""
TAKES = {
    "left_of": "a player",
    "right_of": "a player",
    "seat": "a player",
    "size": "a set or a bag",
    "min": "two numbers",
    "max": "two numbers",
    "abs": "a number",
    "step": "a square, a direction and a number of steps",
    "column": "a square",
    "row": "a square",
    "occupied": "a map of optionals",
    "tally": "a map",
    "components": "a map over a grid, of optionals",
    **boards.TAKES,
    **lists.TAKES,
}


def call_builtin(expressions: ExpressionElaborator, e: t.Call, scope: Scope) -> c.Expr:
    """A call of a built-in function, typed, or a report of what it takes."""
    name = e.function.text
    given = [each for each in e.arguments if not isinstance(each, t.Keyword)]
    least, most = ARITY[name]
    if not least <= len(given) <= most or len(given) != len(e.arguments):
        count = f"{least}" if least == most else f"{least} or {most}"
        expressions.messages.error(
            "RW202", e.span, f"`{name}` takes {count} values, here are {len(e.arguments)}",
            f"it takes {TAKES[name]}",
        )  # fmt: skip
        return expressions.broken(e.span)
    if name in boards.ARITY:
        return boards.call_board(expressions, e, given, scope)
    if name in lists.ARITY:
        return lists.call_list(expressions, e, given, scope)
    values = [expressions.infer(given[0], scope)]
    if name == "step":
        values.append(boards.direction(expressions, given[1], values[0].type, scope))
    values += [expressions.infer(each, scope) for each in given[len(values) :]]
    if any(value.type == y.BROKEN for value in values):
        return expressions.broken(e.span)
    result = result_type(name, [value.type for value in values])
    if result is None:
        found = ", ".join(f"`{y.show(value.type)}`" for value in values)
        expressions.messages.error(
            "RW201", e.span, f"`{name}` takes {TAKES[name]}, but this is {found}"
        )
        return expressions.broken(e.span)
    if name == "seat":
        return _seat(e.span, result, values[0], scope)
    return c.Builtin(e.span, result, name, tuple(values))


def _seat(span: Span, result: y.Type, player: c.Expr, scope: Scope) -> c.Expr:
    """The number of a player: how many sit up to there."""
    held, scope = scope.hold("player")
    name, _ = scope.hold("seat")
    binder = c.Binder(span, name, player.type, None, None)
    up_to = c.Binary(
        span, y.BOOL, "less_equal", c.Local(span, player.type, name),
        c.Local(span, player.type, held),
    )  # fmt: skip
    return c.Let(
        span, result, held, player, c.Quantify(span, result, "count", (binder,), None, up_to)
    )


def result_type(name: str, types: list[y.Type]) -> y.Type | None:
    """What a built-in function gives for arguments of these types, None if it takes none such."""
    match name, types:
        case "left_of" | "right_of", [y.Player() as player]:
            return player
        case "seat", [y.Player(_, most)]:
            return y.Int(1, most)
        case "size", [y.Set(element)]:
            return y.Int(0, y.most_values(element))
        case "size", [y.Bag()]:
            return y.Int(0, None)
        case "min", [y.Int() as a, y.Int() as b]:
            return ranges.least(a, b)
        case "max", [y.Int() as a, y.Int() as b]:
            return ranges.greatest(a, b)
        case "abs", [y.Int() as a]:
            return ranges.absolute(a)
        case "step", [y.Grid() as grid, y.Enum() as way, y.Int()] if lead_on(way, grid):
            return y.Option(grid)
        case "column", [y.Grid(_, width, _)]:
            return y.Int(1, width)
        case "row", [y.Grid(_, _, height)]:
            return y.Int(1, height)
        case "occupied", [y.Map(key, y.Option())]:
            return y.Set(key)
        case "tally", [y.Map(_, y.Option(inner))]:
            return y.Bag(inner)
        case "tally", [y.Map(_, value)] if y.is_scalar(value):
            return y.Bag(value)
        case "reach", [_, y.Set() as inside, *_]:
            return inside
        case "connected", _:
            return y.BOOL
        case "components", [y.Map(y.Grid(_, width, height), y.Option())]:
            return y.Int(0, (width * height + 1) // 2)
        case _:
            return None
