"""Random well-typed expressions and statements of the core, for laws of agreement.

Everything is made for the game in playground.rules, which has variables, tables and functions of
every type. Nodes get their types from the type checker's own functions, so the ranges are those
that a written expression would have. Many of the expressions have no value in some states; that
is wanted, for errors must agree too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import strategies as some
from hypothesis.strategies import DrawFn, SearchStrategy

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.instance import Instance
from rulewright.syntax.node import Node
from tests.meaning.making import Maker, all_types
from tests.meaning.states import LARGEST_SEED, Dice, Drawn, Source, any_instance, any_position

DEEPEST = 4
PLACES = 4
"""In how many places each expression of many is evaluated."""
POOL = 400
"""How many positions there are to choose from, for many expressions."""


class Evaluated(Node):
    """An expression, and two positions to evaluate it in."""

    expression: c.Expr
    instance: Instance
    before: Mapping[str, Any]
    now: Mapping[str, Any]


class Performed(Node):
    """Statements, and a position to run them in."""

    statements: tuple[c.Statement, ...]
    instance: Instance
    before: Mapping[str, Any]


def evaluated() -> SearchStrategy[Evaluated]:
    """Expressions of any type, somewhere."""

    @some.composite
    def drawn(draw: DrawFn) -> Evaluated:
        seeds = some.integers(0, LARGEST_SEED)
        return any_evaluated(Drawn(draw), draw(seeds), draw(seeds))

    return drawn()


def performed() -> SearchStrategy[Performed]:
    """Bodies of effects, somewhere."""

    @some.composite
    def drawn(draw: DrawFn) -> Performed:
        return any_performed(Drawn(draw), draw(some.integers(0, LARGEST_SEED)))

    return drawn()


def expressions(type: y.Type | None = None, old: bool = True) -> SearchStrategy[c.Expr]:
    """Expressions without free names; of any type if none is given. With `old`, also those that
    look at the position before."""
    return some.composite(lambda draw: any_expression(Drawn(draw), type, old))()


def statements() -> SearchStrategy[tuple[c.Statement, ...]]:
    """Bodies of effects without free names."""
    return some.composite(lambda draw: any_statements(Drawn(draw)))()


def many_evaluated(seed: int, count: int) -> Iterator[Evaluated]:
    """So many expressions somewhere, from dice; each in a few places."""
    for number in range(0, count, PLACES):
        dice = Dice(seed + number)
        made = any_evaluated(dice, 0, 0)
        for _ in range(min(PLACES, count - number)):
            before, now = (any_position(made.instance, dice.below(POOL)) for _ in range(2))
            yield Evaluated(made.expression, made.instance, before, now)


def many_performed(seed: int, count: int) -> Iterator[Performed]:
    """So many bodies of effects somewhere, from dice; each in a few places."""
    for number in range(0, count, PLACES):
        dice = Dice(seed + number)
        made = any_performed(dice, 0)
        for _ in range(min(PLACES, count - number)):
            before = any_position(made.instance, dice.below(POOL))
            yield Performed(made.statements, made.instance, before)


def any_evaluated(source: Source, before: int, now: int) -> Evaluated:
    instance = any_instance(source)
    expression = any_expression(source)
    return Evaluated(
        expression, instance, any_position(instance, before), any_position(instance, now)
    )


def any_performed(source: Source, before: int) -> Performed:
    instance = any_instance(source)
    return Performed(any_statements(source), instance, any_position(instance, before))


def any_expression(source: Source, type: y.Type | None = None, old: bool = True) -> c.Expr:
    maker = Maker(source, old)
    wanted = type if type is not None else maker.pick(all_types())
    return maker.expression(wanted, {}, 1 + source.below(DEEPEST))


def any_statements(source: Source) -> tuple[c.Statement, ...]:
    return Maker(source, old=False).block({}, 1 + source.below(DEEPEST))
