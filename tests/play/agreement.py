"""What the evaluator makes of a thing, to hold others to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment, evaluate, perform
from rulewright.play.semantics.instance import Instance

Answer = tuple[Any, ...]
"""("value", …) or ("error", message, span)."""


def answer(ask: Callable[[], Any]) -> Answer:
    """What comes of asking: a value, or what the rules say when they give up."""
    try:
        return ("value", ask())
    except EvaluationError as error:
        return ("error", error.message, error.span)


def evaluated(
    expression: c.Expr, instance: Instance, before: Mapping[str, Any], now: Mapping[str, Any]
) -> Answer:
    """What the evaluator says an expression is worth."""
    return answer(lambda: evaluate(expression, Environment(instance, dict(before), dict(now))))


def performed(
    statements: tuple[c.Statement, ...], instance: Instance, before: Mapping[str, Any]
) -> Answer:
    """The position that the evaluator comes to."""
    env = Environment(instance, dict(before), dict(before))
    found = answer(lambda: perform(statements, env))
    return found if found[0] == "error" else ("value", env.now)
