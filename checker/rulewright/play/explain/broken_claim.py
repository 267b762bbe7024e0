"""Which part of a claim breaks, and for which elements.

A claim is often long: "for all players and all squares this and that". Where it does not hold, one
part of it already fails for some player and square, and that is what somebody has to know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.io.notation import write
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment, choices, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import (
    Refused,
    TakenTransition,
    due_step,
    failing,
    replay,
    take,
)
from rulewright.play.semantics.values import Position
from rulewright.syntax.node import Node


class BrokenPart(Node):
    """A condition inside a claim that `holds` though it must not, or does not though it must; the
    elements it is about, and what the two sides of a comparison are."""

    condition: c.Expr
    holds: bool
    elements: tuple[tuple[str, str], ...]
    sides: tuple[tuple[c.Expr, str], ...]


def broken_part(
    instance: Instance, claim: c.Expr, before: Position, after: Position
) -> BrokenPart | None:
    """The part of a claim that breaks it after a transition; None if none does."""
    try:
        env = Environment(instance, before, after)
        if evaluate(claim, env):
            return None
        return _Descent(instance).to(claim, env, False, ())
    except EvaluationError:
        return None


def breaking_transition(
    instance: Instance, claim: c.Expr, start: Mapping[str, Any], events: tuple[Event, ...]
) -> tuple[Position, Position] | None:
    """The positions before and after the first transition of a game that breaks a claim."""
    position = dict(start)
    try:
        for happened in replay(instance, position, events):
            for each in happened:
                if not evaluate(claim, Environment(instance, each.before, each.after)):
                    return each.before, each.after
    except (EvaluationError, Refused):
        return None
    return None


def one_transition(
    instance: Instance, position: Mapping[str, Any], events: tuple[Event, ...]
) -> TakenTransition | None:
    """What happens first in a position: the event that is named, or the step that is due."""
    before = dict(position)
    try:
        if events:
            if failing(instance, before, events[0]):
                return None
            return take(instance, before, instance.transitions[events[0].name], events[0])
        step = due_step(instance, before)
        return None if step is None else take(instance, before, step, None)
    except EvaluationError:
        return None


class _Descent:
    """Goes down a condition that is not as it should be, to the smallest part that is why."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance

    def to(
        self, e: c.Expr, env: Environment, holds: bool, names: tuple[tuple[str, y.Type], ...]
    ) -> BrokenPart:
        match e:
            case c.Unary(operator="not", operand=inner):
                return self.to(inner, env, not holds, names)
            case c.Binary(operator="implies", left=left, right=right):
                if not holds:
                    return self.to(right, env, False, names)
                if not evaluate(left, env):
                    return self.to(left, env, False, names)
                return self.to(right, env, True, names)
            case c.Binary(operator="and" | "or" as operator, left=left, right=right):
                if holds == (operator == "or"):  # one side decides
                    decides = left if bool(evaluate(left, env)) == holds else right
                    return self.to(decides, env, holds, names)
            case c.Choose(condition=condition, then=then, otherwise=otherwise):
                return self.to(then if evaluate(condition, env) else otherwise, env, holds, names)
            case c.Let(name=name, value=value, body=body):
                inside = env.bind(name, evaluate(value, env))
                return self.to(body, inside, holds, names)
            case c.Quantify(kind="all" | "some" as kind, binders=binders, where=where, body=body):
                if holds == (kind == "some"):
                    for inside in choices(binders, where, env):
                        if bool(evaluate(body, inside)) == holds:
                            bound = tuple((each.name, each.type) for each in binders)
                            return self.to(body, inside, holds, (*names, *bound))
        elements = tuple((n, write(env.locals[n], type, self.instance)) for n, type in names)
        return BrokenPart(e, holds, elements, self._sides(e, env))

    def _sides(self, e: c.Expr, env: Environment) -> tuple[tuple[c.Expr, str], ...]:
        """What is compared, and its value, where that is short and not written there."""
        if not isinstance(e, c.Binary) or e.operator in ("and", "or", "implies"):
            return ()
        known = (c.Literal, c.Local)
        return tuple(
            (side, write(evaluate(side, env), side.type, self.instance))
            for side in (e.left, e.right)
            if not isinstance(side, known) and y.is_scalar(_inner(side.type))
        )


def _inner(type: y.Type) -> y.Type:
    return type.inner if isinstance(type, y.Option) else type
