"""What rules lean on: which effects, functions, tables and readings a transition or a result needs.

A mistake in something shared shows wherever a rule leans on it, at any depth. Proposals do not
count: they say which moves to try, and not what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.meaning import core as c
from rulewright.meaning.dependencies import Dependencies
from rulewright.meaning.names.symbol_table import RESULTS
from rulewright.play.semantics.rules import requirements

RESULT = "result"
"""Stands for the scores and winners, among the names of transitions."""


def shared_name(what: c.Effect | c.Function | c.TableData) -> str:
    """`effect take`, `function worth`, `table bonus`."""
    kinds = {c.Effect: "effect", c.Function: "function", c.TableData: "table"}
    return f"{kinds[type(what)]} {what.name}"


class DependencyGraph:
    """What each transition of a spec leans on, and what its results do."""

    def __init__(self, spec: c.Spec) -> None:
        self._dependencies = Dependencies(spec)
        self.of: dict[str, frozenset[str]] = {}
        """By the name of a transition; of the scores and winners as RESULT."""
        for each in spec.transitions:
            needed = [need.condition for need in requirements(each)]
            self.of[each.name] = self.closure((*needed, *each.body))
        results = (spec.function(name) for name in RESULTS)
        self.of[RESULT] = self.closure(
            c.Call(each.span, each.type, each.name, (), False) for each in results if each
        )

    def is_used(self, shared: str) -> bool:
        """Whether any rule of play leans on something."""
        return any(shared in each for each in self.of.values())

    def closure(self, nodes: Iterable[c.Core]) -> frozenset[str]:
        """Everything shared that is mentioned in these, and in what is mentioned."""
        return frozenset(f"{kind} {name}" for kind, name in self._dependencies.of(nodes))
