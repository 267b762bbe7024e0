"""Takes out of loops what is the same in every turn.

`all n: Number: tally(board)[n] == …` counts the board once, not once for each number. Only what
takes long and cannot fail is taken out: it is then worked out even if the loop makes no turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from checker.meaning import core as c
from checker.meaning.purity import walk
from checker.play.compile.code import Here
from checker.play.compile.rewrite import rebuilt_below

if TYPE_CHECKING:
    from checker.play.compile.expressions import Expressions

T = TypeVar("T", c.Quantify, c.SetEach)
SLOW = ("tally", "components", "occupied")
"""Built-in functions that go through a whole map."""
HEAVY = 25
"""Nodes; calls of functions with more are worth taking out."""


class Hoisting:
    """Looks for what can be worked out before a loop."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.facts = expressions.unit.facts

    def out_of(self, loop: T, here: Here) -> tuple[T, Here]:
        """The loop without what does not change in it, and the place that has that by name."""
        found: dict[str, c.Expr] = {}
        domains = _domains(loop)

        def change(node: Any, bound: frozenset[str]) -> Any:
            if not bound or not self._is_slow(node) or any(node is each for each in domains):
                return None
            if self.facts.of(node).names & bound or self._fails(node, here):
                return None
            for name, known in found.items():
                if known == node:
                    return c.Local(node.span, node.type, name)
            name = f"same'{len(found) + 1}"
            found[name] = node
            return c.Local(node.span, node.type, name)

        changed: T = rebuilt_below(loop, change)
        for name, value in found.items():
            here = here.bind(name, here.hold(self.expressions.value(value, here)))
        return changed, here

    def _is_slow(self, node: Any) -> bool:
        match node:
            case c.Builtin(name=name):
                return name in SLOW
            case c.Call(function=function):
                return self.facts.body(function).weight > HEAVY
            case c.SetEach() | c.Quantify():
                return self.facts.of(node).state
            case _:
                return False

    def _fails(self, node: c.Expr, here: Here) -> bool:
        trial = here.trial()
        return self.expressions.value(node, trial).fails or trial.names.fails


def _domains(loop: c.Quantify | c.SetEach) -> list[c.Expr]:
    """What is gone through as it is: the first domain, which is worked out once in any case, and
    the squares of a board, which need not be gathered first."""
    binders = [node for node in walk(loop) if isinstance(node, c.Binder)]
    found: list[c.Expr] = [binder.low for binder in binders if binder.low is not None]
    first = loop.binders[0].low
    return [
        each
        for each in found
        if each is first or (isinstance(each, c.Builtin) and each.name == "occupied")
    ]
