"""Numbers that might fall and predicates that might tell positions apart, from what a spec says.

These are only tried: what comes of them is shown or not by questions of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from checker.certify.evaluate import Scene, State, Worth
from checker.certify.ground import Ground
from checker.certify.term import Number
from checker.certify.value import Board, Listed, Maybe, UnsupportedError, Value
from checker.meaning import core as c
from checker.meaning import types as y
from checker.syntax.node import Node

COMPARISONS = frozenset({
    "equal", "unequal", "less", "less_equal", "greater", "greater_equal", "subset", "sub_bag",
    "member", "bag_member",
})  # fmt: skip


class Named(Node):
    """A number or truth that a position has."""

    name: str
    worth: Callable[[State], Worth]


def numbers(ground: Ground, measure: Sequence[c.Expr]) -> Iterator[Named]:
    """Parts of the measure that are numbers themselves, then how much there is of each state
    variable, and how little."""
    seen: list[c.Expr] = list(measure)
    for each in measure:
        for part in _closed_parts(ground, each):
            if isinstance(part.type, y.Int) and part not in seen:
                seen.append(part)
                yield Named(f"a part of the measure ({len(seen)})", _worth(ground, part))
    for name in ground.instance.variables:
        yield Named(f"`{name}`", _much(ground, name, 1))
        yield Named(f"minus `{name}`", _much(ground, name, -1))


def predicates(ground: Ground) -> list[Named]:
    """Truths among the state variables, who is in a set of players, and comparisons that the
    invariants make."""
    found = []
    for name, variable in ground.instance.variables.items():
        if isinstance(variable.type, y.Bool):
            found.append(Named(f"`{name}`", partial(_flag, name)))
        if isinstance(variable.type, y.Set) and isinstance(variable.type.element, y.Player):
            for seat in ground.seats:
                found.append(Named(f"{seat} in `{name}`", _member(ground, name, seat)))
    seen: list[c.Expr] = []
    for each in ground.invariants():
        for part in _closed_parts(ground, each.claim):
            compared = isinstance(part, c.Binary) and part.operator in COMPARISONS
            if compared and part not in seen and not _is_about_phase(ground, part):
                seen.append(part)
                found.append(Named(f"a part of `{each.name}`", _worth(ground, part)))
    return found


def _worth(ground: Ground, e: c.Expr) -> Callable[[State], Worth]:
    return lambda state: ground.ev.worth(e, Scene(state, state, {}))


def _flag(name: str, state: State) -> Worth:
    return state[name], True


def _member(ground: Ground, name: str, seat: int) -> Callable[[State], Worth]:
    return lambda state: (ground.ev.shapes.at(state[name], seat), True)


def _is_about_phase(ground: Ground, e: c.Expr) -> bool:
    _, now, before = ground.ev.boards.reads(e)
    return "phase" in now or bool(before) or not now


def _closed_parts(ground: Ground, e: c.Expr) -> Iterator[c.Expr]:
    """The parts of an expression, and of functions without parameters that it calls, in which no
    local name is free."""
    bound: list[c.Expr] = []

    def walk(node: Any) -> None:
        if isinstance(node, c.Call) and not node.arguments:
            walk(ground.instance.functions[node.function].body)
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


def _much(ground: Ground, name: str, sign: int) -> Callable[[State], Worth]:
    return lambda state: (ground.t.multiply(sign, _count(ground, state[name])), True)


def _count(ground: Ground, value: Value) -> Number:
    """How much there is of a value: of a number itself, of a set or bag its size, of a map all of
    its values together."""
    match value:
        case Board():
            raise UnsupportedError("how much there is on a large board")
        case Maybe():
            return ground.t.choose(value.none, 0, 1)
        case Listed() if value.unit is None:
            return ground.t.add(*(_count(ground, each) for each in value.parts.values()))
        case Listed():
            return ground.ev.operations.size(value)
        case tuple():
            return 0
        case bool():
            return int(value)
        case _:
            return ground.t.choose(value, 1, 0) if getattr(value, "sort", "") == "Bool" else value
