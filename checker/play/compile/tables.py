"""Conditions on one name turned into tables.

`number[row][at] == white_sum()` has, for each row and each sum, certain values of `at`. Where what
the condition asks besides the name takes few values, the answers for all of them are worked out
while compiling. This gives the inverse index of a table, the set of numbers to the left of
another, and the like, without a case for any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile.code import CHOICE, Block, Code, Here, Names
from checker.play.compile.rewrite import rebuilt_below
from checker.syntax.node import Node

if TYPE_CHECKING:
    from checker.play.compile.expressions import Expressions

MOST_ENTRIES = 6000
"""So often a condition is asked to make a table of it."""


class Parameter(Node):
    """Something a condition asks besides its name: what it is called in the table's condition,
    and the expression."""

    name: str
    value: c.Expr


class Question(Node):
    """A condition on one name, in which everything else is a parameter or known. `open` are
    names not chosen yet; the condition is taken to hold if it does for some values of them."""

    condition: c.Expr
    name: str
    type: y.Type
    parameters: tuple[Parameter, ...]
    open: tuple[Parameter, ...]


class Tables:
    """Makes tables of conditions."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self.layout = expressions.unit.layout
        self.facts = expressions.unit.facts

    def question(
        self, condition: c.Expr, name: str, type: y.Type, here: Here,
        open: Collection[c.Local] = (),
    ) -> Question | None:  # fmt: skip
        """The condition as a question about the name; None if it asks too much besides."""
        found: list[Parameter] = []
        waiting = {each.name: each for each in open}
        used: dict[str, c.Local] = {}

        def change(node: Any, bound: frozenset[str]) -> Any:
            fact = self.facts.of(node)
            if isinstance(node, c.Local) and node.name in waiting:
                used[node.name] = node
                return node
            depends = fact.names & (bound | {name} | waiting.keys())
            if not depends and fact.names <= here.env.keys():
                if isinstance(node, c.Literal) or self._is_known(node, here):
                    return node
                if self._is_small(node.type):
                    return _local(node, found)
            if isinstance(node, c.StateVar) or (
                isinstance(node, c.Call) and self.facts.body(node.function).state
            ):
                raise _TooMuch
            if isinstance(node, c.Local):
                if node.name == name or node.name in bound:
                    return node
                raise _TooMuch
            return None

        try:
            changed = rebuilt_below(condition, change)
        except _TooMuch:
            return None
        types = [type, *(each.value.type for each in found), *(e.type for e in used.values())]
        sizes = [self.layout.size(each) for each in types]
        if any(size is None for size in sizes) or prod(s or 0 for s in sizes) > MOST_ENTRIES:
            return None
        others = tuple(Parameter(each.name, each) for each in used.values())
        return Question(changed, name, type, tuple(found), others)

    def function(self, question: Question, here: Here) -> Callable[..., Any] | None:
        """The condition as a function of its parameters, what is open, and the name; None if it
        can fail."""
        names = Names()
        asked = [*question.parameters, *question.open]
        python = [names.fresh() for _ in asked]
        subject = names.fresh()
        env = {name: code for name, code in here.env.items() if code.is_known}
        env |= {each.name: Code(text) for each, text in zip(asked, python)}
        inside = Here(Block(), names, {**env, question.name: Code(subject)})
        params = ", ".join([*python, subject])
        with inside.block.inside(f"def holds({params}, s=None):"):  # functions are handed a state
            truth = self.expressions.truth(question.condition, inside)
            inside.block.add(f"return {truth.at(CHOICE)}")
        if names.fails:
            return None
        return self.unit.now("holds", inside.block)

    def answers(self, question: Question, here: Here) -> Callable[..., list[Any]] | None:
        """What values the name may have, given the parameters; None if asking can fail."""
        holds = self.function(question, here)
        if holds is None:
            return None
        values = self.layout.values(question.type)
        others = [self.layout.values(each.value.type) for each in question.open]

        def find(*parameters: Any) -> list[Any]:
            return [
                value
                for value in values
                if any(holds(*parameters, *rest, value) for rest in product(*others))
            ]

        return find

    def lookup(
        self, question: Question, shape: Callable[[list[Any]], Any], here: Here
    ) -> Code | None:
        """The Python expression that finds what `shape` makes of the answers; None if asking can
        fail."""
        find = self.answers(question, here)
        if find is None:
            return None
        trial = here.trial()
        given = self.expressions.sequence([each.value for each in question.parameters], trial)
        if trial.names.fails or any(code.fails for code in given):
            return None
        here.keep(trial)
        domains = [self.layout.values(each.value.type) for each in question.parameters]

        def fill(chosen: tuple[Any, ...]) -> Any:
            if len(chosen) == len(domains):
                return shape(find(*chosen))
            domain = domains[len(chosen)]
            return _container(domain, [fill((*chosen, value)) for value in domain])

        table = fill(())
        if isinstance(table, int):
            return Code(str(table))
        name = self.unit.constant(table)
        return Code(name + "".join(f"[{code.at(CHOICE)}]" for code in given))

    def _is_known(self, node: Any, here: Here) -> bool:
        fact = self.facts.of(node)
        if fact.state:
            return False
        return all(name in here.env and here.env[name].is_known for name in fact.names)

    def _is_small(self, type: y.Type) -> bool:
        match type:
            case y.Set(element):
                size = self.layout.size(element)
                return self.layout.is_bits(element) and size is not None and size <= 6
            case y.Bag() | y.Map() | y.Never() | y.Broken():
                return False
            case _:
                size = self.layout.size(type)
                return size is not None and size <= 512


class _TooMuch(Exception):  # noqa: N818 - only says that there is no table
    """The condition looks at something that cannot be a parameter."""


def _local(node: Any, found: list[Parameter]) -> c.Local:
    """A name that stands for an expression; the same for expressions written alike."""
    for each in found:
        if each.value == node:
            return c.Local(node.span, node.type, each.name)
    name = node.name if isinstance(node, c.Local) else f"given'{len(found) + 1}"
    found.append(Parameter(name, node))
    return c.Local(node.span, node.type, name)


def _container(domain: Sequence[Any], values: list[Any]) -> Any:
    """Values by a parameter: a tuple where it can be the index, else a dict."""
    if all(int(each or 0) == place for place, each in enumerate(domain)) and None not in domain:
        return tuple(values)
    first = domain[0]
    steady = first is not None and all(e == first + n for n, e in enumerate(domain))
    if steady and 0 < first <= 16:
        return (None,) * first + tuple(values)
    return dict(zip(domain, values))
