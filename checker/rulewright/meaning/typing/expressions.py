"""Expressions as written to typed expressions of the core.

Types are worked out from the inside out, with what is expected passed down to where it decides
(which enumeration a name belongs to, whether braces are a set or a bag). A fault is reported
once; what depends on it gets the type `Broken` and stays silent. Operators and what binds names
are here; `resolve`, `containers` and `calls` have the rest.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.names import resolve
from rulewright.meaning.names.declarations import Declarations
from rulewright.meaning.names.scope import Scope
from rulewright.meaning.ranges import negative
from rulewright.meaning.typing import calls, containers, lists, matching
from rulewright.meaning.typing.boards import opened
from rulewright.meaning.typing.operators import binary, comparable_late
from rulewright.meaning.typing.quantifiers import Binders, best, fold_type
from rulewright.syntax import tree as t
from rulewright.syntax.node import Span
from rulewright.system.limits import most

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHORT = 30
"""Characters of what is repeated in a help."""
DEEPEST = most("nesting")
"""How deep expressions may nest, calls of functions not counted."""


class ExpressionElaborator:
    """Elaborates expressions against the declarations of a spec."""

    def __init__(self, declared: Declarations) -> None:
        self.declared = declared
        self.names = declared.names
        self.types = declared.types
        self.messages = declared.messages
        self.depth = 0

    def infer(self, e: t.Expr, scope: Scope, expected: y.Type | None = None) -> c.Expr:
        """The expression with its type; `expected` only helps to tell what is meant."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.messages.error(
                "RW012", e.span, "this is nested too deeply",
                "name its parts: with `let`, or as functions of their own",
            )  # fmt: skip
            found = self.broken(e.span)
        else:
            found = _BY_NODE[type(e)](self, e, scope, expected)
        self.depth -= 1
        return found

    def check(self, e: t.Expr, scope: Scope, wanted: y.Type, what: str) -> c.Expr:
        """The expression, which must be of the wanted type."""
        found = self.infer(e, scope, wanted)
        return self.fit(found, wanted, what)

    def fit(self, found: c.Expr, wanted: y.Type, what: str) -> c.Expr:
        """The same expression if it fits; else reports it."""
        if not y.fits(found.type, wanted):
            help = "correct the value, or the type it is declared with"
            if isinstance(found.type, y.Option) and y.fits(found.type.inner, wanted):
                help = "it may be `none`: open it with `some x in ...:` or give `... otherwise ...`"
            self.messages.error(
                "RW201", found.span,
                f"{what} must be `{y.show(wanted)}`, but this is `{y.show(found.type)}`", help,
            )  # fmt: skip
            return self.broken(found.span)
        if y.apart(found.type, wanted):
            self.messages.error(
                "RW205", found.span,
                f"{what} lies in {y.show(wanted)}, but this is {_range(found.type)}",
                "correct the value, or widen the declared range",
            )  # fmt: skip
            return self.broken(found.span)
        return found

    def condition(self, e: t.Expr, scope: Scope, what: str = "a condition") -> c.Expr:
        return self.check(e, scope, y.BOOL, what)

    def broken(self, span: Span) -> c.Expr:
        """What stands for an expression already reported."""
        return c.Literal(span, y.BROKEN, None)

    # ---- operators

    def _unary(self, e: t.Unary, scope: Scope, expected: y.Type | None) -> c.Expr:
        if e.operator == "not":
            operand = self.condition(e.operand, scope, "what follows `not`")
            return c.Unary(e.span, y.BOOL, "not", operand)
        operand = self.check(e.operand, scope, y.INT, "what follows `-`")
        if not isinstance(operand.type, y.Int):
            return self.broken(e.span)
        if isinstance(operand, c.Literal) and isinstance(operand.value, int):
            return c.Literal(e.span, y.Int(-operand.value, -operand.value), -operand.value)
        return c.Unary(e.span, negative(operand.type), "negative", operand)

    def _binary(self, e: t.Binary, scope: Scope, expected: y.Type | None) -> c.Expr:
        operator = e.operator
        if operator in ("and", "or", "implies"):
            what = f"each side of `{operator}`"
            left = self.condition(e.left, scope, what)
            return c.Binary(e.span, y.BOOL, operator, left, self.condition(e.right, scope, what))
        if operator in ("in", "not in"):
            right = self.infer(e.right, scope)
            holds = isinstance(right.type, y.Set | y.Bag | y.Seq)
            element = right.type.element if holds else None  # type: ignore[union-attr]
            left = self.infer(e.left, scope, element)
            if isinstance(right.type, y.Seq) and left.type != y.BROKEN:
                return self._in_list(e, left, right, scope)
        else:
            if operator in ("==", "!=", "<", "<=", ">", ">="):
                expected = None
            if comparable_late(e.left, self.declared, scope):
                right = self.infer(e.right, scope, expected)
                left = self.infer(e.left, scope, right.type)
            else:
                left = self.infer(e.left, scope, expected)
                right = self.infer(e.right, scope, left.type)
        return binary(e.span, operator, left, right, self.messages)

    def _in_list(self, e: t.Binary, value: c.Expr, whole: c.Expr, scope: Scope) -> c.Expr:
        name, scope = scope.hold("element")
        held = c.Local(value.span, value.type, name)
        found = lists.member(e.span, held, whole, scope)
        if found is None:
            self.messages.error(
                "RW201", e.span,
                f"`{y.show(value.type)}` can never be in `{y.show(whole.type)}`",
            )  # fmt: skip
            return self.broken(e.span)
        if e.operator == "not in":
            found = c.Unary(e.span, y.BOOL, "not", found)
        return c.Let(e.span, y.BOOL, name, value, found)

    def _between(self, e: t.Between, scope: Scope, expected: y.Type | None) -> c.Expr:
        """`low <= value and value <= high`, the value worked out once."""
        value = self.infer(e.value, scope)
        name, held = "", value
        if not isinstance(value, c.Literal | c.Local):
            name, scope = scope.hold("value")
            held = c.Local(e.value.span, value.type, name)
        ends = [self.infer(each, scope, value.type) for each in (e.low, e.high)]
        first = binary(e.span, "<=", ends[0], held, self.messages)
        if first.type == y.BROKEN:
            return first
        last = binary(e.span, "<=", held, ends[1], self.messages)
        if last.type == y.BROKEN:
            return last
        inside: c.Expr = c.Binary(e.span, y.BOOL, "and", first, last)
        if e.outside:
            inside = c.Unary(e.span, y.BOOL, "not", inside)
        return c.Let(e.span, y.BOOL, name, value, inside) if name else inside

    def _choose(self, e: t.Choose, scope: Scope, expected: y.Type | None) -> c.Expr:
        condition = self.condition(e.condition, scope, "what follows `if`")
        if comparable_late(e.then, self.declared, scope) and expected is None:
            otherwise = self.infer(e.otherwise, scope)
            then = self.infer(e.then, scope, otherwise.type)
        else:
            then = self.infer(e.then, scope, expected)
            otherwise = self.infer(e.otherwise, scope, expected or then.type)
        result = y.join(then.type, otherwise.type)
        if result is None:
            self.messages.error(
                "RW201", e.span,
                f"one side is `{y.show(then.type)}`, the other `{y.show(otherwise.type)}`",
                "both sides of `if ... else` must be of one type",
            )  # fmt: skip
            return self.broken(e.span)
        return c.Choose(e.span, result, condition, then, otherwise)

    def _otherwise(self, e: t.Otherwise, scope: Scope, expected: y.Type | None) -> c.Expr:
        value = self.infer(e.value, scope, expected)
        if value.type == y.BROKEN:
            return value
        if not isinstance(value.type, y.Option):
            self.messages.error(
                "RW201", value.span, f"this is `{y.show(value.type)}` and never `none`",
                self._for_all_of_it(e), self._without_default(e),
            )  # fmt: skip
            return self.broken(e.span)
        default = self.infer(e.default, scope, value.type.inner)
        result = y.join(value.type.inner, default.type)
        if result is None:
            self.fit(default, value.type.inner, "what follows `otherwise`")
            return self.broken(e.span)
        return c.Otherwise(e.span, result, value, default)

    def _for_all_of_it(self, e: t.Otherwise) -> str:
        """What to do about an `otherwise` behind something that is never `none`: it may be meant
        for more than it takes, for it binds tightly."""
        name = " ".join(self.messages.text.text[e.value.span.start : e.value.span.end].split())
        shown = f"`{name}`" if len(name) <= SHORT else "what stands right before it"
        return (
            f"leave out `otherwise ...`; or, if more than {shown} may be `none`, put that in "
            "brackets: `(...) otherwise ...`"
        )

    def _without_default(self, e: t.Otherwise) -> tuple[Span, str] | None:
        """The change that leaves out `otherwise ...`, where no bracket is torn by it."""
        between = self.messages.text.text[e.value.span.end : e.default.span.start]
        if between.strip() != "otherwise":
            return None
        return Span(e.value.span.end, e.span.end), ""

    # ---- binding

    def _let(self, e: t.Let, scope: Scope, expected: y.Type | None) -> c.Expr:
        bound: list[tuple[Span, str, c.Expr]] = []
        for binding in e.bindings:
            value = self.infer(binding.value, scope)
            self.declared.bind(binding.name, scope, binding.span)
            name, scope = scope.bind(binding.name.text, value.type, binding.name.span)
            bound.append((binding.span, name, value))
        body = self.infer(e.body, scope, expected)
        for span, name, value in reversed(bound):
            body = c.Let(span, body.type, name, value, body)
        return body

    def binders(
        self, binders: t.Binders, scope: Scope, loose: bool = False
    ) -> tuple[Binders, Scope]:
        """Bound names with their domains, and the scope inside. With `loose` it does not matter in
        which order they go through something, and how often."""
        result: list[c.Binder] = []
        for binder in binders.binders:
            if isinstance(binder, t.TypedBinder):
                type_ = self.types.of(binder.type)
                if type_ != y.BROKEN and y.most_values(type_) is None:
                    self.messages.error(
                        "RW210", binder.type.span, f"`{y.show(type_)}` has no end of values",
                        "go through a finite type, or a range: `n in 0..12`",
                    )  # fmt: skip
                    type_ = y.BROKEN
                for ident in binder.names:
                    self.declared.bind(ident, scope, binder.span)
                    name, scope = scope.bind(ident.text, type_, ident.span)
                    result.append(c.Binder(ident.span, name, type_, None, None))
            else:
                outside = scope.bound
                for ident in binder.names:
                    # each name ranges over the same, whatever the names before it are called
                    low, high, type_ = self._domain(binder.domain, scope.given(outside))
                    if isinstance(low.type, y.Seq):
                        place, low, scope = lists.places(binder.span, low, scope)
                        result.append(place)
                    if loose and high is None:
                        before, low = opened(low)
                        scope = scope.reserve(frozenset(each.name for each in before))
                        result += before
                    self.declared.bind(ident, scope, binder.span)
                    name, scope = scope.bind(ident.text, type_, ident.span)
                    result.append(c.Binder(binder.span, name, type_, low, high))
                    if type_ == y.BROKEN:
                        break
        where = None
        if binders.where is not None:
            where = self.condition(binders.where, scope, "what follows `where`")
        return Binders(tuple(result), where), scope

    def _domain(self, domain: t.Domain, scope: Scope) -> tuple[c.Expr, c.Expr | None, y.Type]:
        if domain.high is not None:
            low = self.check(domain.low, scope, y.INT, "the start of a range")
            high = self.check(domain.high, scope, y.INT, "the end of a range")
            if isinstance(low.type, y.Int) and isinstance(high.type, y.Int):
                return low, high, y.Int(low.type.low, high.type.high)
            return low, high, y.BROKEN
        collection = self.infer(domain.low, scope)
        match collection.type:
            case y.Set(element) | y.Bag(element) | y.Option(element):
                return collection, None, element
            case y.Seq():
                return collection, None, collection.type.element
            case y.ErrorType():
                pass
            case other:
                self.messages.error(
                    "RW201", collection.span, f"`{y.show(other)}` has no elements to go through",
                    "after `in` stands a set, a bag, an optional or a range like `0..12`",
                )  # fmt: skip
        return collection, None, y.BROKEN

    def _next_seat(self, e: t.NextSeat, scope: Scope, expected: y.Type | None) -> c.Expr:
        """The first player after one, in the order of the seats, for whom something holds; that one
        if it holds for nobody else."""
        player = self.types.player
        after = self.check(e.after, scope, player, "what stands behind `after`")
        held, scope = scope.hold("seat")
        self.declared.bind(e.name, scope, e.span)
        name, inner = scope.bind(e.name.text, player, e.name.span)
        holds = self.condition(e.where, inner, "what follows `where`")
        if y.BROKEN in (after.type, holds.type):
            return self.broken(e.span)
        found: c.Expr = c.Local(e.span, player, held)
        for order in ("less", "greater"):
            to_the_left = c.Binary(
                e.span, y.BOOL, order, c.Local(e.span, player, name),
                c.Local(e.span, player, held),
            )  # fmt: skip
            binder = c.Binder(e.name.span, name, player, None, None)
            first = c.Quantify(e.span, y.Option(player), "first", (binder,), to_the_left, holds)
            found = c.Otherwise(e.span, player, first, found)
        return c.Let(e.span, player, held, after, found)

    def _quantify(self, e: t.Quantify, scope: Scope, expected: y.Type | None) -> c.Expr:
        binders, inner = self.binders(e.binders, scope, e.kind in ("all", "some"))
        if e.kind in ("largest", "smallest"):
            return best(e, binders, self.infer(e.body, inner), self.messages)
        if e.kind in ("all", "some", "count", "first"):
            body = self.condition(e.body, inner, f"the body of `{e.kind}`")
        else:
            body = self.infer(e.body, inner, expected)
        if e.kind == "first" and body.type != y.BROKEN and lists.is_gone_through(binders.all):
            return lists.first(e.span, binders.all, binders.where, body)
        kind, type_ = fold_type(e.kind, e.span.start, binders, body, self.messages)
        return c.Quantify(e.span, type_, kind, binders.all, binders.where, body)


def _range(type_: y.Type) -> str:
    if isinstance(type_, y.Int) and type_.low == type_.high:
        return str(type_.low)
    if isinstance(type_, y.Int) and (type_.low is None or type_.high is None):
        return f"at least {type_.low}" if type_.high is None else f"at most {type_.high}"
    return f"in {y.show(type_)}"


_BY_NODE: dict[type, Callable[[ExpressionElaborator, Any, Scope, y.Type | None], c.Expr]] = {
    t.Name: resolve.name,
    t.Number: resolve.number,
    t.Unary: ExpressionElaborator._unary,
    t.Binary: ExpressionElaborator._binary,
    t.Between: ExpressionElaborator._between,
    t.Choose: ExpressionElaborator._choose,
    t.Match: matching.match,
    t.Quantify: ExpressionElaborator._quantify,
    t.NextSeat: ExpressionElaborator._next_seat,
    t.Let: ExpressionElaborator._let,
    t.Otherwise: ExpressionElaborator._otherwise,
    t.Updated: containers.updated,
    t.Index: containers.index,
    t.Member: containers.member,
    t.Call: calls.call,
    t.SetOf: containers.set_of,
    t.SetEach: containers.set_each,
    t.ListOf: containers.list_of,
    t.MapOf: containers.map_of,
    t.MapEach: containers.map_each,
}
