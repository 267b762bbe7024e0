"""Where the values of a leaf can come from, given what has been chosen before it.

All values of its type; the one value that an equation leaves; the elements of a set or bag; what a
table of a condition says. Each comes with an estimate of how many values that is, by which the
plan chooses the order of the leaves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import product
from math import prod
from typing import Any

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile.code import Here
from checker.play.compile.conditions import Leaf, Task, Test, local
from checker.play.compile.expressions import Expressions
from checker.play.compile.subsets import narrowing
from checker.syntax.node import NOWHERE, Node

MOST_TUPLES = 3000
"""Relations between leaves with more combinations are not gone through for an estimate."""


class Source(Node):
    """How to come by the values of a leaf. `kind` is all, equal, member, table or subsets;
    `value` is the expression it starts from, `test` the condition behind it, which need not be
    asked again if it is `settled`."""

    kind: str
    estimate: float
    value: c.Expr | None
    test: Test | None
    settled: bool


class Sources:
    """Finds sources for the leaves of a task."""

    def __init__(self, expressions: Expressions, task: Task, here: Here) -> None:
        self.expressions = expressions
        self.layout = expressions.unit.layout
        self.facts = expressions.unit.facts
        self.task = task
        self.here = here
        self.types = {leaf.name: leaf.type for leaf in task.leaves}
        self._relations: dict[int, list[dict[str, Any]] | None] = {}

    def best(self, leaf: Leaf, bound: Collection[str]) -> list[Source]:
        """The sources of a leaf, the one with the fewest values first."""
        return sorted(self._all(leaf, bound), key=lambda source: source.estimate)

    def _all(self, leaf: Leaf, bound: Collection[str]) -> Iterator[Source]:
        size = float(self.layout.size(leaf.type) or 1 << 20)
        if isinstance(leaf.type, y.Set):
            narrowed = any(
                not test.fails
                and leaf.name in test.leaves
                and test.leaves <= {leaf.name, *bound}
                and narrowing(test.condition, leaf, self.facts) is not None
                for test in self.task.tests
            )
            yield Source("subsets", size**0.5 if narrowed else size, None, None, False)
            return
        yield Source("all", size, None, None, False)
        for test in self.task.tests:
            if test.fails or leaf.name not in test.leaves:
                continue
            whole = test.leaves <= {leaf.name, *bound}
            average = self._projected(test, leaf, bound)
            if whole:
                yield self._from(test, leaf, size, average)
            elif average is not None:
                yield Source("table", average, None, test, False)

    def _from(self, test: Test, leaf: Leaf, size: float, average: float | None) -> Source:
        """The source that one condition makes, when everything else it needs is known; on
        average with so many values, if that is known."""
        match test.condition:
            case c.Binary(operator="equal", left=left, right=right):
                for side, other in ((left, right), (right, left)):
                    if not self._mentions(other, leaf) and side == local(leaf):
                        return Source("equal", 1, other, test, True)
                if average is None:
                    kinds = (self.layout.size(each.type) or 2 for each in (left, right))
                    average = max(1, size / max(kinds))
            case c.Quantify(kind="some", binders=binders, body=c.Binary(operator="equal")) if all(
                binder.low is not None and isinstance(binder.low.type, y.Option)
                for binder in binders
            ):
                return Source("table", max(1, size / 8), None, test, True)
            case c.Binary(operator="member" | "bag_member", left=left, right=right) if (
                left == local(leaf) and not self._mentions(right, leaf)
            ):
                return Source("member", min(size / 2, 4), right, test, True)
            case c.Binary(
                operator="greater", left=c.BagCount(bag=bag, element=element), right=least
            ) if (
                least == c.Literal(NOWHERE, y.Int(0, 0), 0)
                and element == local(leaf)
                and not self._mentions(bag, leaf)
            ):
                return Source("member", min(size / 2, 8), bag, test, True)
        return Source("table", size / 2 if average is None else average, None, test, True)

    def _mentions(self, e: c.Expr, leaf: Leaf) -> bool:
        return leaf.name in self.facts.of(e).names

    def _projected(self, test: Test, leaf: Leaf, bound: Collection[str]) -> float | None:
        """How many values of a leaf a relation between leaves allows on average, when only some
        of the others are chosen."""
        relation = None if self.facts.of(test.condition).state else self._relation(test)
        if relation is None:
            return None
        given = sorted(test.leaves & set(bound))
        found: dict[tuple[Any, ...], set[Any]] = {}
        for values in relation:
            found.setdefault(tuple(values[name] for name in given), set()).add(values[leaf.name])
        return sum(map(len, found.values())) / max(len(found), 1)

    def _relation(self, test: Test) -> list[dict[str, Any]] | None:
        """The choices of its leaves that a condition on nothing else allows."""
        if test.order not in self._relations:
            self._relations[test.order] = self._find_relation(test)
        return self._relations[test.order]

    def _find_relation(self, test: Test) -> list[dict[str, Any]] | None:
        names = sorted(test.leaves)
        if not self.facts.of(test.condition).names <= set(names):
            return None
        sizes = [self.layout.size(self.types[name]) for name in names]
        if any(size is None for size in sizes) or prod(s or 0 for s in sizes) > MOST_TUPLES:
            return None
        *others, last = names
        tables = self.expressions.tables
        question = tables.question(
            test.condition, last, self.types[last], self.here.alone({}),
            [c.Local(test.source.span, self.types[name], name) for name in others],
        )  # fmt: skip
        if question is None:
            return None
        holds = tables.function(question, self.here.alone({}))
        if holds is None:
            return None
        open_names = [each.name for each in question.open]
        domains = [self.layout.values(self.types[name]) for name in (*open_names, last)]
        return [
            dict(zip((*open_names, last), values)) for values in product(*domains) if holds(*values)
        ]
