"""Expressions changed into others that mean the same: names replaced, calls written out, a
condition taken apart into several.

Nothing here looks at whether a part can fail; whoever takes a condition apart makes sure first
that it cannot, for then the order in which its parts are asked makes no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count, product
from typing import Any

from checker.meaning import core as c
from checker.meaning import types as y
from checker.meaning.purity import parts, walk
from checker.play.compile.facts import Facts
from checker.play.compile.layout import Layout
from checker.play.instance import Instance
from checker.syntax.node import replace

WIDEST = 64
"""A condition over all of so many is taken apart into one for each."""
HEAVIEST = 60
"""Nodes; functions with more are not written out."""
HEAVIEST_ARGUMENT = 8


def rebuilt(node: Any, change: Callable[[Any], Any | None]) -> Any:
    """The node with each part changed as `change` says; None from it means: look inside."""
    found = change(node)
    if found is not None:
        return found
    values, differs = [], False
    for field in node._fields:
        value = new = getattr(node, field)
        if isinstance(value, c.Core):
            new = rebuilt(value, change)
        elif isinstance(value, tuple) and any(isinstance(each, c.Core) for each in value):
            new = tuple(rebuilt(e, change) if isinstance(e, c.Core) else e for e in value)
            new = value if all(a is b for a, b in zip(new, value)) else new
        values.append(new)
        differs = differs or new is not value
    return type(node)(*values) if differs else node


def rebuilt_below(node: Any, change: Callable[[Any, frozenset[str]], Any | None]) -> Any:
    """Like `rebuilt`, telling `change` also which names are bound between node and part."""

    def inside(bound: frozenset[str]) -> Callable[[Any], Any | None]:
        def visit(each: Any) -> Any | None:
            if isinstance(each, c.Binder):
                return None
            found = change(each, bound)
            if found is not None:
                return found
            binds = {part.name for part in parts(each) if isinstance(part, c.Binder)}
            if isinstance(each, c.Let | c.MapEach):
                binds.add(each.name)
            return None if binds <= bound else _parts_rebuilt(each, inside(bound | binds))

        return visit

    return rebuilt(node, inside(frozenset()))


def _parts_rebuilt(node: Any, change: Callable[[Any], Any | None]) -> Any:
    return rebuilt(node, lambda each: None if each is node else change(each))


def substitute(expression: c.Expr, values: Mapping[str, c.Expr]) -> c.Expr:
    """The expression with names replaced."""

    def change(node: Any) -> Any:
        return values.get(node.name) if isinstance(node, c.Local) else None

    return rebuilt(expression, change)  # type: ignore[no-any-return]


def bound_names(expression: c.Expr) -> list[str]:
    """The names that are bound in an expression, once for each place."""
    binding = c.Binder | c.Let | c.MapEach
    return [node.name for node in walk(expression) if isinstance(node, binding)]


def renamed(expression: c.Expr, new: Mapping[str, str]) -> c.Expr:
    """The expression with other names for those bound in it."""

    def change(node: Any) -> Any:
        match node:
            case c.Local(name=name) if name in new:
                return replace(node, name=new[name])
            case c.Binder() | c.Let() | c.MapEach():
                fields = {field: getattr(node, field) for field in node._fields}
                changed = {
                    field: rebuilt(part, change)
                    for field, part in fields.items()
                    if isinstance(part, c.Core)
                }
                return replace(node, name=new[node.name], **changed)
            case _:
                return None

    return rebuilt(expression, change)  # type: ignore[no-any-return]


def negated(expression: c.Expr) -> c.Expr:
    """The opposite of a condition."""
    if isinstance(expression, c.Unary) and expression.operator == "not":
        return expression.operand
    return c.Unary(expression.span, y.BOOL, "not", expression)


def implied(condition: c.Expr | None, then: c.Expr) -> c.Expr:
    """`condition implies then`."""
    if condition is None:
        return then
    return c.Binary(then.span, y.BOOL, "implies", condition, then)


def joined(one: c.Expr | None, other: c.Expr) -> c.Expr:
    """`one and other`."""
    return other if one is None else c.Binary(other.span, y.BOOL, "and", one, other)


class Rewriter:
    """Rewrites the expressions of an instance."""

    def __init__(self, instance: Instance, layout: Layout, facts: Facts) -> None:
        self.instance = instance
        self.layout = layout
        self.facts = facts
        self._numbers = count(1)

    def expanded(self, expression: c.Expr) -> c.Expr:
        """The expression with calls of small functions written out."""

        def change(node: Any) -> Any:
            if not isinstance(node, c.Call) or node.old:
                return None
            function = self.instance.functions[node.function]
            arguments = [self.expanded(each) for each in node.arguments]
            if not self._is_plain(function, arguments):
                return None
            names = {param.name: value for param, value in zip(function.params, arguments)}
            return self.expanded(substitute(self._fresh(function.body), names))

        return rebuilt(expression, change)  # type: ignore[no-any-return]

    def _is_plain(self, function: c.Function, arguments: list[c.Expr]) -> bool:
        """Whether a call is just its body with the arguments put in: small, nothing to check."""
        return (
            self.facts.body(function.name).weight <= HEAVIEST
            and type(function.body.type) is type(function.type)
            and y.within(function.body.type, function.type)
            and all(
                type(value.type) is type(param.type)  # an optional is gone through, a value is not
                and y.within(value.type, param.type)
                and self._is_light(value)
                for param, value in zip(function.params, arguments)
            )
        )

    def _is_light(self, argument: c.Expr) -> bool:
        """Whether an argument may as well be worked out each time it is used."""
        if isinstance(argument, c.Local | c.Literal | c.StateVar):
            return True
        if isinstance(argument.type, y.Set | y.Bag | y.Map):
            return False
        return self.facts.of(argument).weight <= HEAVIEST_ARGUMENT

    def _fresh(self, expression: c.Expr) -> c.Expr:
        """The expression with its bound names unlike all others."""
        bound = bound_names(expression)
        if not bound:
            return expression
        number = next(self._numbers)
        return renamed(expression, {name: f"{name}'{number}" for name in bound})

    def conjuncts(self, condition: c.Expr) -> Iterator[c.Expr]:
        """Conditions that together say the same."""
        match condition:
            case c.Binary(operator="and", left=left, right=right):
                yield from self.conjuncts(left)
                yield from self.conjuncts(right)
            case c.Unary(operator="not", operand=c.Binary(operator="or", left=left, right=right)):
                yield from self.conjuncts(negated(left))
                yield from self.conjuncts(negated(right))
            case c.Unary(operator="not", operand=c.Quantify(kind="some") as some):
                inside = c.Quantify(
                    some.span, y.BOOL, "all", some.binders, some.where, negated(some.body)
                )
                yield from self.conjuncts(inside)
            case c.Quantify(kind="all"):
                choices = self._choices(condition)
                if choices is not None:
                    for each in choices:
                        yield from self.conjuncts(each)
                elif condition.where is not None:
                    yield from self._without_where(condition)
                else:
                    yield condition
            case _:
                yield condition

    def _choices(self, quantifier: c.Quantify) -> list[c.Expr] | None:
        """`all x: T, …` as one condition for each x; None if it does not begin like that or
        there are too many."""
        domains: list[list[c.Expr]] = []
        width = 1
        for binder in quantifier.binders:
            domain = self._domain(binder)
            if domain is None or width * len(domain) > WIDEST:
                break
            domains.append(domain)
            width *= len(domain)
        if not domains:
            return None
        rest = quantifier.binders[len(domains) :]
        if rest:
            body: c.Expr = c.Quantify(
                quantifier.span, y.BOOL, "all", rest, quantifier.where, quantifier.body
            )
        else:
            body = implied(quantifier.where, quantifier.body)
        names = [binder.name for binder in quantifier.binders]
        return [substitute(body, dict(zip(names, values))) for values in product(*domains)]

    def _domain(self, binder: c.Binder) -> list[c.Expr] | None:
        """What a name ranges over, written out; None if that is not known, or too much."""
        match binder:
            case c.Binder(low=None) if not isinstance(binder.type, y.Set):
                if (self.layout.size(binder.type) or WIDEST + 1) > WIDEST:
                    return None
                decode = self.layout.decoder(binder.type)
                values = [decode(value) for value in self.layout.values(binder.type)]
                return [c.Literal(binder.span, binder.type, value) for value in values]
            case c.Binder(
                low=c.Literal(value=int() as first), high=c.Literal(value=int() as last)
            ) if last - first < WIDEST:
                return [c.Literal(binder.span, y.Int(n, n), n) for n in range(first, last + 1)]
            case _:
                return None

    def _without_where(self, quantifier: c.Quantify) -> Iterator[c.Expr]:
        """What `where` says without the bound names is asked before them."""
        bound = {binder.name for binder in quantifier.binders}
        outside, inside = None, None
        assert quantifier.where is not None
        for part in self.conjuncts(quantifier.where):
            if self.facts.of(part).names & bound:
                inside = joined(inside, part)
            else:
                outside = joined(outside, part)
        span, binders, body = quantifier.span, quantifier.binders, quantifier.body
        yield implied(outside, c.Quantify(span, y.BOOL, "all", binders, inside, body))
