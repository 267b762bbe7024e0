"""What rules lean on: which effects, functions, tables and readings a transition or a result needs.

A mistake in something shared shows wherever a rule leans on it, at any depth. Proposals do not
count: they say which moves to try, and not what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable

from checker.meaning import core as c
from checker.meaning.names import RESULTS
from checker.meaning.purity import walk
from checker.play.rules import requirements

RESULT = "result"
"""Stands for the scores and winners, among the names of transitions."""


def shared_name(what: c.Effect | c.Function | c.TableData) -> str:
    """`effect take`, `function worth`, `table bonus`."""
    kinds = {c.Effect: "effect", c.Function: "function", c.TableData: "table"}
    return f"{kinds[type(what)]} {what.name}"


class Leaning:
    """What each transition of a spec leans on, and what its results do."""

    def __init__(self, spec: c.Spec) -> None:
        self._bodies: dict[str, tuple[c.Core, ...]] = {
            **{shared_name(each): tuple(each.body) for each in spec.effects},
            **{shared_name(each): (each.body,) for each in spec.functions},
        }
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
        found: set[str] = set()
        waiting = list(nodes)
        while waiting:
            for node in walk(waiting.pop()):
                name = _mentioned(node)
                if name is not None and name not in found:
                    found.add(name)
                    waiting.extend(self._bodies.get(name, ()))
        return frozenset(found)


def _mentioned(node: c.Core) -> str | None:
    match node:
        case c.Perform(effect=name):
            return f"effect {name}"
        case c.Call(function=name):
            return f"function {name}"
        case c.TableRef(name=name):
            return f"table {name}"
        case c.ReadingRef(name=name):
            return f"reading {name}"
        case _:
            return None
