"""What is asked of boards: squares beside each other, in a line, connected.

`neighbours` and `ray` are sets made of steps, so the core does not know them. What lies beside what
is given by a type of directions, or by a table: of the points in each direction, or for each two
points whether they are joined.
"""

from __future__ import annotations

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.geometry import lead_on, sides
from rulewright.syntax import tree as t

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from rulewright.meaning.names.scope import Scope
    from rulewright.meaning.typing.expressions import ExpressionElaborator
    from rulewright.syntax.node import Span

    Links: TypeAlias = y.Enum | c.Expr

ARITY = {"neighbours": (1, 2), "ray": (2, 2), "reach": (2, 3), "connected": (3, 4)}
TAKES = {
    "neighbours": "a square, or a point and the table of what lies beside what",
    "ray": "a square and a direction",
    "reach": "where it begins, and the set in which it stays",
    "connected": "one end, the other, and the set that connects them",
}
LINKS = "a type of directions, or a table of what lies beside what"


def call_board(
    expressions: ExpressionElaborator, e: t.Call, given: list[t.Expr], scope: Scope
) -> c.Expr:
    """A call of one of these functions, typed, or a report of what it takes."""
    name = e.function.text
    least, most = ARITY[name]
    if name in ("reach", "connected"):
        inside = expressions.infer(given[least - 1], scope)
        kind = inside.type.element if isinstance(inside.type, y.Set) else inside.type
        values = [*(expressions.infer(each, scope, kind) for each in given[: least - 1]), inside]
    else:
        values = [expressions.infer(given[0], scope)]
        kind = values[0].type
    if name == "ray":
        values.append(direction(expressions, given[1], kind, scope))
    if any(value.type == y.BROKEN for value in values):
        return expressions.broken(e.span)
    links = None
    if name != "ray":
        links = _links(expressions, given[least] if len(given) == most else None, kind, e, scope)
        if links is None:
            return expressions.broken(e.span)
    found: c.Expr | None
    if name == "ray":
        found = _ray(e.span, values[0], values[1], scope)
    elif name == "neighbours":
        found = _neighbours(e.span, values[0], links, scope)
    else:
        found = _flood(e.span, name, values, links)
    if found is None:
        shown = ", ".join(f"`{y.show(value.type)}`" for value in values)
        expressions.messages.error(
            "RW201", e.span, f"`{name}` takes {TAKES[name]}, but this is {shown}",
            "all of them are squares or points of one board",
        )  # fmt: skip
        return expressions.broken(e.span)
    return found


def direction(
    expressions: ExpressionElaborator, given: t.Expr, grid: y.Type, scope: Scope
) -> c.Expr:
    """A direction on a board; one that is named is of the first type that has it."""
    hint: y.Type = y.DIRECTION
    if isinstance(grid, y.Grid) and isinstance(given, t.Name):
        declared = expressions.declared.enums_with(given.text)
        built_in = (y.HEX_WAY,) if grid.hex else (y.DIRECTION, y.DIAGONAL)
        for each in (*built_in[:1], *declared, *built_in):
            if given.text in each.members and lead_on(each, grid):
                hint = each
                break
    return expressions.infer(given, scope, hint)


def _links(
    expressions: ExpressionElaborator, given: t.Expr | None, kind: y.Type, e: t.Call, scope: Scope
) -> Links | None:
    """What lies beside what, or a report."""
    if given is None:
        if isinstance(kind, y.Grid):
            return sides(kind)
        help = f"name the table of what lies beside what: `{e.function.text}(..., beside)`"
        found = f"`{y.show(kind)}` has no squares that lie beside each other"
        expressions.messages.error("RW201", e.span, found, help)
        return None
    if isinstance(given, t.Name) and given.text not in scope.bound:
        directions = expressions.types.declared_type(given)
        if directions is not None and isinstance(kind, y.Grid) and lead_on(directions, kind):
            assert isinstance(directions, y.Enum)
            return directions
        if directions is not None:
            expressions.messages.error(
                "RW201", given.span, f"`{given.text}` does not lead on from `{y.show(kind)}`",
                f"here stands {LINKS}",
            )  # fmt: skip
            return None
    table = expressions.infer(given, scope)
    if table.type == y.BROKEN:
        return None
    if not isinstance(table, c.TableRef) or not _leads(table.type, kind):
        expressions.messages.error(
            "RW201", given.span,
            f"this does not say what lies beside each `{y.show(kind)}`",
            f"here stands {LINKS}: `table beside[P, D]: P?` or `table joined[P, P]: Bool`",
        )  # fmt: skip
        return None
    return table


def _leads(table: y.Type, kind: y.Type) -> bool:
    match table:
        case y.Map(start, y.Map(end, y.Bool())):
            return _alike(start, kind) and _alike(end, kind)
        case y.Map(start, y.Map(_, y.Option(end) | (y.Enum() | y.Grid() | y.Int() as end))):
            return _alike(start, kind) and y.within(end, start)
        case _:
            return False


def _alike(points: y.Type, kind: y.Type) -> bool:
    listed = isinstance(points, y.Enum | y.Grid | y.Int)
    return listed and y.within(kind, points)


def _named(span: Span, value: c.Expr, name: str, scope: Scope) -> tuple[str, c.Expr, Scope]:
    """What stands for a value that is looked at more than once: a name, if it is not one."""
    if isinstance(value, c.Local | c.Literal):
        return "", value, scope
    fresh, scope = scope.hold(name)
    return fresh, c.Local(span, value.type, fresh), scope


def _neighbours(span: Span, value: c.Expr, links: Links | None, scope: Scope) -> c.Expr | None:
    name, point, scope = _named(span, value, "point", scope)
    way, scope = scope.hold("way")
    there, scope = scope.hold("there")
    if isinstance(links, y.Enum):
        if not isinstance(value.type, y.Grid):
            return None
        to: c.Expr = c.Builtin(
            span, y.Option(value.type), "step",
            (point, c.Local(span, links, way), c.Literal(span, y.Int(1, 1), 1)),
        )  # fmt: skip
        end: y.Type = value.type
        binders = [c.Binder(span, way, links, None, None)]
    else:
        assert isinstance(links, c.Typed) and isinstance(links.type, y.Map)
        row = links.type.value
        assert isinstance(row, y.Map)
        row_at = c.Lookup(span, row, links, point)
        to = c.Lookup(span, row.value, row_at, c.Local(span, row.key, way))
        binders = [c.Binder(span, way, row.key, None, None)]
        if isinstance(row.value, y.Bool):
            beside = c.Local(span, row.key, way)
            return _held(
                span, name, value, c.SetEach(span, y.Set(row.key), tuple(binders), to, beside)
            )
        end = row.value.inner if isinstance(row.value, y.Option) else row.value
        if end is row.value:
            made = c.SetEach(span, y.Set(end), tuple(binders), None, to)
            return _held(span, name, value, made)
    binders.append(c.Binder(span, there, end, to, None))
    set_ = c.SetEach(span, y.Set(end), tuple(binders), None, c.Local(span, end, there))
    return _held(span, name, value, set_)


def _ray(span: Span, value: c.Expr, way: c.Expr, scope: Scope) -> c.Expr | None:
    grid = value.type
    if not isinstance(grid, y.Grid) or not lead_on(way.type, grid):
        return None
    name, square, scope = _named(span, value, "square", scope)
    led, along, scope = _named(span, way, "way", scope)
    steps, scope = scope.hold("steps")
    there, scope = scope.hold("there")
    far = max(grid.width, grid.height) - 1
    last = c.Literal(span, y.Int(far, far), far)
    first = c.Literal(span, y.Int(1, 1), 1)
    to = c.Builtin(
        span, y.Option(grid), "step", (square, along, c.Local(span, y.Int(1, far), steps))
    )
    binders = (
        c.Binder(span, steps, y.Int(1, far), first, last),
        c.Binder(span, there, grid, to, None),
    )
    set_ = c.SetEach(span, y.Set(grid), binders, None, c.Local(span, grid, there))
    return _held(span, name, value, _held(span, led, way, set_))


def _held(span: Span, name: str, value: c.Expr, body: c.Expr) -> c.Expr:
    return c.Let(span, body.type, name, value, body) if name else body


def _flood(span: Span, name: str, values: list[c.Expr], links: Links | None) -> c.Expr | None:
    *ends, inside = values
    if not isinstance(inside.type, y.Set):
        return None
    kind = inside.type.element
    sets = [_as_set(span, each, kind) for each in ends]
    known = [each for each in sets if each is not None]
    if len(known) < len(sets):
        return None
    result = inside.type if name == "reach" else y.BOOL
    if isinstance(links, y.Enum):
        return c.Builtin(span, result, name, (*known, inside), links)
    assert links is not None
    return c.Builtin(span, result, name, (*known, inside, links))


def _as_set(span: Span, end: c.Expr, kind: y.Type) -> c.Expr | None:
    """One square, or all of a set."""
    match end.type:
        case y.Set(element) if y.within(element, kind):
            return end
        case y.Grid() | y.Enum() | y.Int() if y.within(end.type, kind):
            return c.SetOf(span, y.Set(end.type), (end,))
        case _:
            return None


def opened(collection: c.Expr) -> tuple[tuple[c.Binder, ...], c.Expr]:
    """What `all` and `some` go through in place of a set of squares that lie somewhere: each as it
    comes about, in whatever order and however often. The set itself, if it is another."""
    match collection:
        case c.SetEach(binders=(before, last), where=None, element=c.Local(name=name)) if (
            last.name == name and last.low is not None and _never_fails(last.low, before)
        ):
            return (before,), last.low
        case _:
            return (), collection


def _never_fails(there: c.Expr, before: c.Binder) -> bool:
    """Whether it makes no difference to look at some of the squares only: a step, or what a table
    has in every direction, goes wrong for all of them or none."""
    match there:
        case c.Builtin(name="step", arguments=arguments):
            return all(isinstance(each, c.Local | c.Literal) for each in arguments)
        case c.Lookup(type=y.Option(), map=c.Lookup(map=c.TableRef()), key=c.Local(name=name)):
            return name == before.name and before.low is None
        case _:
            return False
