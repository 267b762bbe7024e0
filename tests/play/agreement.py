"""The evaluator and the compiled game side by side: what each makes of the same thing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from checker.meaning import core as c
from checker.play.compile.code import CHOICE, Block, Here, Names
from checker.play.compile.effects import Effects
from checker.play.compile.expressions import Expressions
from checker.play.compile.unit import Unit
from checker.play.errors import EvaluationError
from checker.play.evaluate import Scene, evaluate, perform
from checker.play.instance import Instance

Answer = tuple[Any, ...]
"""("value", …) or ("error", message, span)."""


def answer(ask: Callable[[], Any]) -> Answer:
    """What comes of asking: a value, or what the rules say when they give up."""
    try:
        return ("value", ask())
    except EvaluationError as error:
        return ("error", error.message, error.span)


class Compiler:
    """Compiles expressions and statements one by one, all into one module."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.unit = Unit(instance, None)
        self.layout = self.unit.layout
        self.expressions = Expressions(self.unit)
        self.effects = Effects(self.expressions)
        self._numbers = count()

    def value(
        self, expression: c.Expr, before: Mapping[str, Any], now: Mapping[str, Any]
    ) -> Answer:
        """What the compiled expression is worth."""
        here = Here(Block(), Names(), before="before")
        name = f"case_{next(self._numbers)}"
        with here.block.inside(f"def {name}(before, s):"):
            value = self.expressions.value(expression, here)
            here.block.add(f"return {value.at(CHOICE)}")
        run = self._loaded(name, here)
        states = self.layout.load(dict(before)), self.layout.load(dict(now))
        found = answer(lambda: self.layout.decode(run(*states), expression.type))
        assert found[0] == "value" or here.names.fails or value.fails
        return found

    def after(self, statements: tuple[c.Statement, ...], before: Mapping[str, Any]) -> Answer:
        """The position after the compiled statements."""
        here = Here(Block(), Names())
        name = f"case_{next(self._numbers)}"
        with here.block.inside(f"def {name}(s):"):
            self.effects.run(statements, here)
        run = self._loaded(name, here)
        state = self.layout.load(dict(before))
        found = answer(lambda: run(state))
        if found[0] == "error":
            assert here.names.fails
            return found
        assert len(state) == self.layout.length
        return ("value", self.layout.position(state))

    def _loaded(self, name: str, here: Here) -> Callable[..., Any]:
        self.unit.write(here.block)
        return self.unit.load()[name]  # type: ignore[no-any-return]


def evaluated(
    expression: c.Expr, instance: Instance, before: Mapping[str, Any], now: Mapping[str, Any]
) -> Answer:
    """What the evaluator says an expression is worth."""
    return answer(lambda: evaluate(expression, Scene(instance, dict(before), dict(now))))


def performed(
    statements: tuple[c.Statement, ...], instance: Instance, before: Mapping[str, Any]
) -> Answer:
    """The position that the evaluator comes to."""
    scene = Scene(instance, dict(before), dict(before))
    found = answer(lambda: perform(statements, scene))
    return found if found[0] == "error" else ("value", scene.now)
