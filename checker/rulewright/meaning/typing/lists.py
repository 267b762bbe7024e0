"""Lists: what is done with them, made of what maps have.

A list is a map from 1 to its largest length whose values come first, so the core need not know of
it. Whatever gives a list keeps that order; a variable that holds one brings the claim that it does,
and a move or chance event that takes one asks for it.
"""

from __future__ import annotations

from rulewright.meaning import core as c
from rulewright.meaning import ranges
from rulewright.meaning import types as y
from rulewright.syntax import tree as t
from rulewright.syntax.node import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulewright.meaning.names.scope import Scope
    from rulewright.meaning.typing.expressions import ExpressionElaborator
    from rulewright.syntax.node import Span

ARITY = {"length": (1, 1), "last": (1, 1), "append": (2, 2), "take": (2, 2), "drop": (2, 2)}
TAKES = {
    "length": "a list",
    "last": "a list",
    "append": "a list and what is added at its end",
    "take": "a list and how many of its first elements are kept",
    "drop": "a list and how many of its first elements are left out",
}
OPERATIONS = "a list is changed as a whole: `append(l, x)`, `take(l, n)`, `drop(l, n)` or `[a, b]`"


def call_list(
    expressions: ExpressionElaborator, e: t.Call, given: list[t.Expr], scope: Scope
) -> c.Expr:
    """A call of one of these functions, typed, or a report of what it takes."""
    name = e.function.text
    value = expressions.infer(given[0], scope)
    if not isinstance(value.type, y.Seq):
        if value.type != y.BROKEN:
            sets = isinstance(value.type, y.Set | y.Bag) and name == "length"
            expressions.messages.error(
                "RW201", e.span, f"`{name}` takes {TAKES[name]}, but this is "
                f"`{y.show(value.type)}`",
                "to ask how many a set or bag has, use `size`" if sets
                else "declare it as a list: `path: List[Square, 12]`",
                (e.function.span, "size") if sets else None,
            )  # fmt: skip
        return expressions.broken(e.span)
    if name in ("length", "last"):
        held, scope = scope.hold("list")
        whole = c.Local(e.span, value.type, held)
        body = length(e.span, whole, scope) if name == "length" else _last(e.span, whole, scope)
        return c.Let(e.span, body.type, held, value, body)
    held, scope = scope.hold("list")
    whole = c.Local(e.span, value.type, held)
    wanted = value.type.element if name == "append" else y.INT
    other = expressions.check(given[1], scope, wanted, f"what `{name}` is given")
    if other.type == y.BROKEN:
        return other
    if name == "append":
        end = _plus(e.span, length(e.span, whole, scope), 1)
        body = c.Updated(e.span, value.type, whole, end, other)
        return c.Let(e.span, value.type, held, value, body)
    count, scope = scope.hold("count")
    many = c.Local(e.span, other.type, count)
    part = (_take if name == "take" else _drop)(e.span, whole, many, scope)
    inside = c.Let(e.span, value.type, count, other, part)
    return c.Let(e.span, value.type, held, value, inside)


def length(span: Span, whole: c.Expr, scope: Scope) -> c.Expr:
    """How many elements a list has."""
    place, at = _place(span, whole.type, scope)
    return c.Quantify(
        span, y.Int(0, _most(whole.type)), "count", (place,), None, _filled(span, whole, at)
    )


def _last(span: Span, whole: c.Expr, scope: Scope) -> c.Expr:
    name, _ = scope.hold("end")
    many = length(span, whole, scope)
    end = c.Local(span, many.type, name)
    some = c.Binary(span, y.BOOL, "greater", end, _number(span, 0))
    found = c.Choose(
        span, _value(whole.type), some, _at(span, whole, end), c.Literal(span, y.NOTHING, None)
    )
    return c.Let(span, found.type, name, many, found)


def _take(span: Span, whole: c.Expr, many: c.Expr, scope: Scope) -> c.Expr:
    place, at = _place(span, whole.type, scope)
    kept = c.Binary(span, y.BOOL, "less_equal", at, many)
    value = c.Choose(
        span, _value(whole.type), kept, _at(span, whole, at), c.Literal(span, y.NOTHING, None)
    )
    return c.MapEach(span, whole.type, place.name, value)


def _drop(span: Span, whole: c.Expr, many: c.Expr, scope: Scope) -> c.Expr:
    """Leaving out fewer than none would bring up what is not there, so it leaves out none."""
    place, at = _place(span, whole.type, scope)
    zero = _number(span, 0)
    out = c.Builtin(span, ranges.greatest(_int(many), y.Int(0, 0)), "max", (many, zero))
    there = c.Binary(span, ranges.add(_int(at), _int(out)), "add", at, out)
    inside = c.Binary(span, y.BOOL, "less_equal", there, _number(span, _most(whole.type)))
    value = c.Choose(
        span, _value(whole.type), inside, _at(span, whole, there),
        c.Literal(span, y.NOTHING, None),
    )  # fmt: skip
    return c.MapEach(span, whole.type, place.name, value)


def member(span: Span, value: c.Expr, whole: c.Expr, scope: Scope) -> c.Expr | None:
    """Whether a list has an element; None if it can have no such."""
    if y.join(value.type, _value(whole.type)) is None:
        return None
    place, at = _place(span, whole.type, scope)
    found = c.Binary(span, y.BOOL, "equal", _at(span, whole, at), value)
    return c.Quantify(span, y.BOOL, "some", (place,), None, found)


def places(span: Span, whole: c.Expr, scope: Scope) -> tuple[c.Binder, c.Expr, Scope]:
    """What `x in path` goes through: each place, and what lies there if something does."""
    name, scope = scope.hold("place")
    place, at = _place(span, whole.type, scope, name)
    return place, _at(span, whole, at), scope


def is_gone_through(binders: tuple[c.Binder, ...]) -> bool:
    """Whether one name goes through a list: its place is another that nobody wrote."""
    match binders:
        case (place, c.Binder(low=c.Lookup(map=c.Typed(type=y.Seq()), key=c.Local(name=name)))):
            return place.name == name
        case _:
            return False


def first(span: Span, binders: tuple[c.Binder, ...], where: c.Expr | None, body: c.Expr) -> c.Expr:
    """What lies at the first place of a list at which something holds."""
    place, drawn = binders
    assert isinstance(drawn.low, c.Lookup)
    holds = c.Quantify(span, y.BOOL, "some", (drawn,), where, body)
    at = c.Quantify(span, y.Option(place.type), "first", (place,), None, holds)
    return c.Lookup(span, drawn.low.type, drawn.low.map, at)


def held_while_gone_through(loop: c.For, scope: Scope) -> tuple[c.Statement, ...]:
    """The loop, in which lists stay as they were when it came to them, whatever it writes."""
    for at, binder in enumerate(loop.binders):
        low = binder.low
        if not (isinstance(low, c.Lookup) and isinstance(low.map.type, y.Seq)):
            continue
        if isinstance(low.map, c.Local) or not isinstance(low.key, c.Local):
            continue
        name, scope = scope.hold("list")
        whole = c.Local(low.map.span, low.map.type, name)
        drawn = replace(binder, low=replace(low, map=whole))
        before, after = loop.binders[: at - 1], loop.binders[at + 1 :]
        inside = replace(loop, binders=(loop.binders[at - 1], drawn, *after))
        held = (
            c.Bind(low.map.span, name, low.map),
            *held_while_gone_through(inside, scope),
        )
        return (c.For(loop.span, before, None, held),) if before else held
    return (loop,)


def in_order(span: Span, whole: c.Expr, scope: Scope) -> c.Expr:
    """Whether what is held by the lists of a value comes before its empty places."""
    if not isinstance(whole.type, y.Seq):
        assert isinstance(whole.type, y.Map)
        key, inner = scope.hold("key")
        binder = c.Binder(span, key, whole.type.key, None, None)
        inside = c.Lookup(span, whole.type.value, whole, c.Local(span, whole.type.key, key))
        return c.Quantify(span, y.BOOL, "all", (binder,), None, in_order(span, inside, inner))
    place, at = _place(span, whole.type, scope)
    first = c.Binary(span, y.BOOL, "greater", at, _number(span, 1))
    filled = c.Binary(span, y.BOOL, "and", first, _filled(span, whole, at))
    one = y.Int(1, 1)
    before = c.Binary(span, ranges.subtract(_int(at), one), "subtract", at, _number(span, 1))
    claim = c.Binary(span, y.BOOL, "implies", filled, _filled(span, whole, before))
    return c.Quantify(span, y.BOOL, "all", (place,), None, claim)


def holds_list(type: y.Type) -> bool:
    """Whether a value is a list, or a map of them."""
    while isinstance(type, y.Map) and not isinstance(type, y.Seq):
        type = type.value
    return isinstance(type, y.Seq)


def _place(
    span: Span, type: y.Type, scope: Scope, name: str | None = None
) -> tuple[c.Binder, c.Expr]:
    assert isinstance(type, y.Seq)
    name = name or scope.hold("place")[0]
    return c.Binder(span, name, type.key, None, None), c.Local(span, type.key, name)


def _at(span: Span, whole: c.Expr, place: c.Expr) -> c.Expr:
    return c.Lookup(span, _value(whole.type), whole, place)


def _filled(span: Span, whole: c.Expr, place: c.Expr) -> c.Expr:
    nothing = c.Literal(span, y.NOTHING, None)
    return c.Binary(span, y.BOOL, "unequal", _at(span, whole, place), nothing)


def _value(type: y.Type) -> y.Type:
    assert isinstance(type, y.Seq)
    return type.value


def _most(type: y.Type) -> int:
    assert isinstance(type, y.Seq)
    return type.most


def _number(span: Span, value: int) -> c.Expr:
    return c.Literal(span, y.Int(value, value), value)


def _plus(span: Span, value: c.Expr, more: int) -> c.Expr:
    found = ranges.add(_int(value), y.Int(more, more))
    return c.Binary(span, found, "add", value, _number(span, more))


def _int(e: c.Expr) -> y.Int:
    assert isinstance(e.type, y.Int)
    return e.type
