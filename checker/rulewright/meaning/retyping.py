"""The types of a changed core, worked out anew: for a mutant, where one part was put for another.

A number one higher has another range, and so has every sum it stands in; code made from the old
ranges would leave out checks that are needed now. What is declared stays as it is: parameters,
results of functions, state variables. A core that nothing was changed in comes out the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.meaning import core as c
from rulewright.meaning import ranges
from rulewright.meaning import types as y
from rulewright.meaning.traversal import with_parts
from rulewright.meaning.typing.builtins import result_type
from rulewright.meaning.typing.operators import NUMBERS
from rulewright.meaning.typing.quantifiers import Binders, range_of_sum
from rulewright.syntax.node import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Types = Mapping[str, y.Type]
    """Of names that may have another type than before."""

RANGES = dict(NUMBERS.values())


def retyped(e: c.Expr, types: Types | None = None) -> c.Expr:
    """An expression with every type worked out from the inside out."""
    types = types or {}
    match e:
        case c.Local(name=name):
            return _typed(e, types.get(name, e.type))
        case c.Let(name=name, value=value, body=body):
            value = retyped(value, types)
            body = retyped(body, {**types, name: value.type})
            return c.Let(e.span, body.type, name, value, body)
        case c.Quantify(kind=kind, body=body):
            binders, where, inside = _bound(e.binders, e.where, types)
            body = retyped(body, inside)
            found = _folded(e, kind, Binders(binders, where), body.type)
            made = c.Quantify(e.span, found, kind, binders, where, body)
            return e if _typed(made, e.type) == e else made  # who made it may know more: seats
        case c.SetEach(type=made):
            binders, where, inside = _bound(e.binders, e.where, types)
            element = retyped(e.element, inside)
            kind_ = y.Bag if isinstance(made, y.Bag) else y.Set
            return c.SetEach(e.span, kind_(element.type), binders, where, element)
        case c.MapEach(type=y.Map(key), name=name, value=value):
            value = retyped(value, {**types, name: key})
            return c.MapEach(e.span, y.Map(key, value.type), name, value)
    changed = _inside(e, types)
    return _typed(changed, _type(changed))


def retyped_block(body: Sequence[c.Statement], types: Types | None = None) -> Any:
    """Statements with every type in them worked out anew."""
    types = types or {}
    made: list[c.Statement] = []
    for each in body:
        match each:
            case c.Bind(name=name, value=value):
                value = retyped(value, types)
                types = {**types, name: value.type}
                made.append(replace(each, value=value))
            case c.For():
                binders, where, inside = _bound(each.binders, each.where, types)
                made.append(c.For(each.span, binders, where, retyped_block(each.body, inside)))
            case c.If(condition=condition, then=then, otherwise=otherwise):
                branches = retyped_block(then, types), retyped_block(otherwise, types)
                made.append(c.If(each.span, retyped(condition, types), *branches))
            case c.Labelled():
                made.append(replace(each, body=retyped_block(each.body, types)))
            case _:
                made.append(_inside(each, types))
    return tuple(made)


def _inside(node: Any, types: Types) -> Any:
    """A node with the types of the expressions directly inside it worked out anew."""

    def inside(part: Any) -> Any:
        return retyped(part, types) if isinstance(part, c.Typed) else part  # type: ignore[arg-type]

    return with_parts(node, inside)


def _typed(e: Any, type: y.Type) -> c.Expr:
    found: c.Expr = e if type is e.type or type == e.type else replace(e, type=type)
    return found


def _bound(
    binders: Sequence[c.Binder], where: c.Expr | None, types: Types
) -> tuple[tuple[c.Binder, ...], c.Expr | None, Types]:
    """Bound names and their condition, and the types of names within."""
    made: list[c.Binder] = []
    for each in binders:
        low = None if each.low is None else retyped(each.low, types)
        high = None if each.high is None else retyped(each.high, types)
        type = each.type
        match low, high:
            case c.Typed(type=y.Int(first)), c.Typed(type=y.Int(_, last)):
                type = y.Int(first, last)
            case c.Typed(type=y.Set(element) | y.Bag(element) | y.Option(element)), None:
                type = element
        made.append(c.Binder(each.span, each.name, type, low, high))
        types = {**types, each.name: type}
    return tuple(made), None if where is None else retyped(where, types), types


def _folded(e: c.Quantify, kind: str, binders: Binders, body: y.Type) -> y.Type:
    """The type of a fold. One that may be `none` stays so, for what is around it counts on it."""
    match kind, body:
        case "count", _:
            return y.Int(0, binders.counts()[1])
        case "sum", y.Int():
            return range_of_sum(binders, body)
        case "bag_sum", _:
            return body
        case "min" | "max", _:
            return y.Option(body) if isinstance(e.type, y.Option) else body
        case _:
            return e.type


def _type(e: c.Expr) -> y.Type:
    """The type that the parts of an expression give it; its own, if they have no say in it."""
    found: y.Type | None = None
    match e:
        case c.Unary(operator="negative", operand=c.Typed(type=y.Int() as inside)):
            found = ranges.negative(inside)
        case c.Binary(operator=operator, left=left, right=right):
            match left.type, right.type:
                case y.Int() as a, y.Int() as b if operator in RANGES:
                    found = RANGES[operator](a, b)
                case (y.Set(), y.Set()) | (y.Bag(), y.Bag()) if e.type != y.BOOL:
                    found = y.join(left.type, right.type)
        case c.Choose(then=one, otherwise=other):
            found = y.join(one.type, other.type)
        case c.Otherwise(value=c.Typed(type=y.Option(inner)), default=default):
            found = y.join(inner, default.type)
        case c.Lookup(map=c.Typed(type=y.Map(_, value))):
            found = value
        case c.Updated(map=changed):
            found = changed.type
        case c.SetOf(elements=elements) | c.BagOf(elements=elements) if elements:
            element: y.Type | None = y.NEVER
            for each in elements:
                element = None if element is None else y.join(element, each.type)
            if element is not None:
                found = y.Set(element) if isinstance(e, c.SetOf) else y.Bag(element)
        case c.Builtin(name=name, arguments=arguments):
            found = result_type(name, [each.type for each in arguments])
    return e.type if found is None else found
