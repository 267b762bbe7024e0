"""Invariants, `always` properties, scores and winners as Python functions, made when asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile.code import CHOICE, Block, Here, Names
from checker.play.compile.expressions import Expressions


class Properties:
    """Compiles what is asked of positions."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit = expressions.unit

    def claims(self, kind: str) -> list[tuple[c.Property, Callable[..., Any]]]:
        """The properties of a kind with functions of the state before and the state now; those
        that the spec knows to fail are left out."""
        instance = self.unit.instance
        wanted = [
            each
            for each in instance.spec.properties
            if each.kind == kind and each.name not in instance.accepted
        ]
        names = [self._claim(each) for each in wanted]
        functions = self.unit.load()
        return [(each, functions[name]) for each, name in zip(wanted, names)]

    def claim(self, property: c.Property) -> Callable[[list[Any], list[Any]], Any]:
        """One property as a function of the state before and the state now."""
        name = self._claim(property)
        return self.unit.load()[name]  # type: ignore[no-any-return]

    def of_player(self, name: str) -> Callable[[list[Any], int], Any] | None:
        """A function of one player, None if there is no such."""
        function = self.unit.instance.functions.get(name)
        if function is None or [type(param.type) for param in function.params] != [y.Player]:
            return None
        python = self.expressions.functions.of(function).python
        return self.unit.load()[python]  # type: ignore[no-any-return]

    def _claim(self, claim: c.Property) -> str:
        here = Here(Block(), Names(), state="s", before="before")
        name = self.unit.name("claim", claim)
        with here.block.inside(f"def {name}(before, s):"):
            truth = self.expressions.value(claim.claim, here)
            here.block.add(f"return {truth.at(CHOICE)}")
        self.unit.write(here.block)
        return name
