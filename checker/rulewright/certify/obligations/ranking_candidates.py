"""Ranking candidates: numbers that might fall, and predicates that might tell positions apart, from
what a spec says.

These are only tried: what comes of them is shown or not by questions of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from rulewright.certify.obligations.context import InductionContext
from rulewright.certify.smt.term import Number
from rulewright.certify.symbolic.evaluate import EvaluationContext, State, Worth
from rulewright.certify.symbolic.symbolic_values import (
    BoardValue,
    ListedValue,
    OptionValue,
    UnsupportedError,
    Value,
)
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.syntax.node import Node

COMPARISONS = frozenset({
    "equal", "unequal", "less", "less_equal", "greater", "greater_equal", "subset", "sub_bag",
    "member", "bag_member",
})  # fmt: skip


class NamedMeasure(Node):
    """A number or truth that a position has."""

    name: str
    worth: Callable[[State], Worth]
    of_seat: bool = False
    """That it says something of one seat only."""


def numbers(context: InductionContext, measure: Sequence[c.Expr]) -> Iterator[NamedMeasure]:
    """Parts of the measure that are numbers themselves, then how much there is of each state
    variable, and how little."""
    seen: list[c.Expr] = list(measure)
    for each in measure:
        for part in _closed_parts(context, each):
            if isinstance(part.type, y.Int) and part not in seen:
                seen.append(part)
                yield NamedMeasure(f"a part of the measure ({len(seen)})", _worth(context, part))
    for name in context.instance.variables:
        yield NamedMeasure(f"`{name}`", _much(context, name, 1))
        yield NamedMeasure(f"minus `{name}`", _much(context, name, -1))


def predicates(context: InductionContext) -> list[NamedMeasure]:
    """Truths among the state variables, who is in a set of players, and comparisons that the
    invariants make."""
    found = []
    for name, variable in context.instance.variables.items():
        if isinstance(variable.type, y.Bool):
            found.append(NamedMeasure(f"`{name}`", partial(_flag, name)))
        if isinstance(variable.type, y.Set) and isinstance(variable.type.element, y.Player):
            for seat in context.seats:
                found.append(
                    NamedMeasure(f"{seat} in `{name}`", _member(context, name, seat), True)
                )
    seen: list[c.Expr] = []
    for each in context.invariants():
        for part in _closed_parts(context, each.claim):
            compared = isinstance(part, c.Binary) and part.operator in COMPARISONS
            if compared and part not in seen and not _is_about_phase(context, part):
                seen.append(part)
                found.append(NamedMeasure(f"a part of `{each.name}`", _worth(context, part)))
    return found


def _worth(context: InductionContext, e: c.Expr) -> Callable[[State], Worth]:
    return lambda state: context.ev.worth(e, EvaluationContext(state, state, {}))


def _flag(name: str, state: State) -> Worth:
    return state[name], True


def _member(context: InductionContext, name: str, seat: int) -> Callable[[State], Worth]:
    return lambda state: (context.ev.shapes.at(state[name], seat), True)


def _is_about_phase(context: InductionContext, e: c.Expr) -> bool:
    _, now, before = context.ev.boards.reads(e)
    return "phase" in now or bool(before) or not now


def _closed_parts(context: InductionContext, e: c.Expr) -> Iterator[c.Expr]:
    """The parts of an expression, and of functions without parameters that it calls, in which no
    local name is free."""
    bound: list[c.Expr] = []

    def walk(node: Any) -> None:
        if isinstance(node, c.Call) and not node.arguments:
            walk(context.instance.functions[node.function].body)
        if isinstance(node, c.Typed) and not _free(node):
            bound.append(node)  # type: ignore[arg-type]
        if isinstance(node, c.Core):
            for name in node._fields:
                walk(getattr(node, name))
        elif isinstance(node, tuple):
            for each in node:
                walk(each)

    walk(e)
    yield from bound


def _free(e: Any) -> set[str]:
    """The local names of an expression that it does not bind itself."""
    match e:
        case c.Local(name=name):
            return {name}
        case c.Let(name=name, value=value, body=body):
            return _free(value) | (_free(body) - {name})
        case c.MapEach(name=name, value=value):
            return _free(value) - {name}
        case c.Quantify() | c.SetEach():
            inner = e.body if isinstance(e, c.Quantify) else e.element
            found = _free(e.where) | _free(inner)
            for binder in reversed(e.binders):
                found = (found - {binder.name}) | _free(binder.low) | _free(binder.high)
            return found
        case c.Core():
            return set().union(*(_free(getattr(e, name)) for name in e._fields))
        case tuple():
            return set().union(*(_free(each) for each in e))
        case _:
            return set()


def _much(context: InductionContext, name: str, sign: int) -> Callable[[State], Worth]:
    return lambda state: (context.t.multiply(sign, _count(context, state[name])), True)


def _count(context: InductionContext, value: Value) -> Number:
    """How much there is of a value: of a number itself, of a set or bag its size, of a map all of
    its values together."""
    match value:
        case BoardValue():
            raise UnsupportedError("how much there is on a large board")
        case OptionValue():
            return context.t.choose(value.none, 0, 1)
        case ListedValue() if value.unit is None:
            return context.t.add(*(_count(context, each) for each in value.parts.values()))
        case ListedValue():
            return context.ev.operations.size(value)
        case tuple():
            return 0
        case bool():
            return int(value)
        case _:
            return context.t.choose(value, 1, 0) if getattr(value, "sort", "") == "Bool" else value
