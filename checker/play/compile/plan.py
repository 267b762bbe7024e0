"""Goes through all choices of parameters that the conditions allow, as nested loops.

The order of the loops is the one that is estimated to make the fewest turns. Each condition is
asked as soon as what it needs is chosen. One that can fail is asked then too, but if it does, the
failure is kept until it is clear that nothing else refuses the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import permutations

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile.code import AND, CHOICE, Block, Code, Here
from checker.play.compile.conditions import Leaf, Task, Test
from checker.play.compile.expressions import Expressions
from checker.play.compile.sources import Source, Sources
from checker.play.compile.subsets import Subsets, narrowing
from checker.syntax.node import NOWHERE

MOST_ORDERED = 5
"""Leaves; the order of more is left as it is."""
DEEPEST = 10
"""Loops within each other; what is left is chosen in one, for Python allows only twenty."""
PASSING = 0.5
"""How often a condition is guessed to hold."""

Innermost = Callable[[Here], None]


class Plan:
    """The loops for one task. If they are `shuffled`, a name `random` says in what order."""

    def __init__(
        self, expressions: Expressions, task: Task, here: Here, shuffled: bool = False
    ) -> None:
        self.expressions = expressions
        self.task = task
        self.shuffled = shuffled
        self.sources = Sources(expressions, task, here)
        self.subsets = Subsets(expressions)
        self._errors: dict[int, str] = {}

    def run(self, here: Here, innermost: Innermost) -> None:
        """Puts the loops into the block, and in the middle of them what `innermost` says."""
        order, none = self._order(), frozenset[str]()
        self._tests(self.task.tests, none, here, lambda at, rest: self._level(
            order, rest, none, at, innermost))  # fmt: skip

    def _level(
        self, order: Sequence[Leaf], tests: Sequence[Test], bound: frozenset[str], here: Here,
        innermost: Innermost,
    ) -> None:  # fmt: skip
        if not order:
            for _, error in sorted(self._errors.items()):
                with here.block.inside(f"if {error} is not None:"):
                    here.block.add(f"raise {error}")
            innermost(here)
            return
        if len(bound) >= DEEPEST and len(order) > 1:
            self._rest(order, tests, bound, here, innermost)
            return
        leaf, *rest = order
        now = bound | {leaf.name}

        def inside(at: Here, left: Sequence[Test]) -> None:
            at = with_maps(self.task, at, now, self.expressions)
            self._tests(left, now, at, lambda inner, remaining: self._level(
                rest, remaining, now, inner, innermost))  # fmt: skip

        self._loop(leaf, tests, bound, here, inside)

    def _rest(
        self, order: Sequence[Leaf], tests: Sequence[Test], bound: frozenset[str], here: Here,
        innermost: Innermost,
    ) -> None:  # fmt: skip
        """All combinations of the values of some leaves, in one loop."""
        ranges = self.expressions.quantifiers.domains.range_of
        names = [here.names.fresh() for _ in order]
        domains = ", ".join(ranges(leaf.type) for leaf in order)
        values = f"shuffled(product({domains}), random)" if self.shuffled else f"product({domains})"
        with here.block.inside(f"for {', '.join(names)} in {values}:"):
            now = bound | {leaf.name for leaf in order}
            for leaf, name in zip(order, names):
                here = here.bind(leaf.name, Code(name))
            here = with_maps(self.task, here, now, self.expressions)
            self._tests(tests, now, here, lambda at, left: self._level(
                (), left, now, at, innermost))  # fmt: skip

    # ---- the order

    def _order(self) -> Sequence[Leaf]:
        leaves = self.task.leaves
        return min(permutations(leaves), key=self._turns) if len(leaves) <= MOST_ORDERED else leaves

    def _turns(self, order: Sequence[Leaf]) -> float:
        """How many turns all loops together are guessed to make."""
        bound: frozenset[str] = frozenset()
        turns, total = 1.0, 0.0
        for leaf in order:
            source = self.sources.best(leaf, bound)[0]
            turns *= source.estimate
            total += turns
            bound = bound | {leaf.name}
            for test in self.task.tests:
                settled = source.settled and test is source.test
                if leaf.name in test.leaves and test.leaves <= bound and not settled:
                    turns *= PASSING
        return total

    # ---- one leaf

    def _loop(
        self, leaf: Leaf, tests: Sequence[Test], bound: Collection[str], here: Here,
        body: Callable[[Here, Sequence[Test]], None],
    ) -> None:  # fmt: skip
        if isinstance(leaf.type, y.Set):
            self._over_sets(leaf, tests, bound, here, body)
            return
        for source in self.sources.best(leaf, bound):
            if source.test is not None and all(test is not source.test for test in tests):
                continue
            left = [test for test in tests if not (source.settled and test is source.test)]
            if self._over(source, leaf, here, partial(_with, body, left)):
                return

    def _over(self, source: Source, leaf: Leaf, here: Here, body: Callable[[Here], None]) -> bool:
        """Puts the loop over a source into the code, if it can be made."""
        domains = self.expressions.quantifiers.domains
        match source.kind, source.value, source.test:
            case "all", _, _:
                binder = c.Binder(NOWHERE, leaf.name, leaf.type, None, None)
                domains.each((binder,), None, here, True, body, self.shuffled)
            case "equal", value, _ if value is not None:
                held = here.hold(self.expressions.value(value, here))
                self._if_within(held, value.type, leaf.type, here.bind(leaf.name, held), body)
            case "member", value, _ if value is not None:
                assert isinstance(value.type, y.Set | y.Bag)
                element = value.type.element
                binder = c.Binder(value.span, leaf.name, element, value, None)

                def inside(at: Here) -> None:
                    self._if_within(at.env[leaf.name], element, leaf.type, at, body)

                domains.each((binder,), None, here, True, inside, self.shuffled)
            case "table", _, test if test is not None:
                return self._over_table(test, leaf, here, body)
            case _:
                raise AssertionError(source)
        return True

    def _over_table(self, test: Test, leaf: Leaf, here: Here, body: Callable[[Here], None]) -> bool:
        tables = self.expressions.tables
        open_leaves = [
            c.Local(test.source.span, each.type, each.name)
            for each in self.task.leaves
            if each.name in test.leaves and each.name not in here.env and each.name != leaf.name
        ]
        question = tables.question(test.condition, leaf.name, leaf.type, here, open_leaves)
        if question is None:
            return False
        found = tables.lookup(question, tuple, here)
        if found is None:
            return False
        name, values = here.names.fresh(), found.text
        values = f"shuffled({values}, random)" if self.shuffled else values
        with here.block.inside(f"for {name} in {values}:"):
            body(here.bind(leaf.name, Code(name)))
        return True

    def _if_within(
        self, code: Code, actual: y.Type, wanted: y.Type, here: Here,
        body: Callable[[Here], None],
    ) -> None:  # fmt: skip
        """Runs the body if a value is one that the leaf can have."""
        condition = self.expressions.checks.is_of(code, actual, wanted)
        if condition is None:
            body(here)
        else:
            with here.block.inside(f"if {condition}:"):
                body(here)

    def _over_sets(
        self, leaf: Leaf, tests: Sequence[Test], bound: Collection[str], here: Here,
        body: Callable[[Here, Sequence[Test]], None],
    ) -> None:  # fmt: skip
        facts = self.expressions.unit.facts
        narrowings, left = [], []
        for test in tests:
            ready = not test.fails and leaf.name in test.leaves
            ready = ready and test.leaves <= {leaf.name, *bound}
            found = narrowing(test.condition, leaf, facts) if ready else None
            if found is None:
                left.append(test)
            else:
                narrowings.append(found)
        allowed = self.subsets.allowed(leaf, narrowings, here)
        self.subsets.loop(leaf, allowed, here, lambda at: body(at, left))

    # ---- conditions

    def _tests(
        self, tests: Sequence[Test], bound: frozenset[str], here: Here,
        then: Callable[[Here, Sequence[Test]], None],
    ) -> None:  # fmt: skip
        """Asks the conditions that can be asked now, and goes on with the others."""
        ready = [test for test in tests if test.leaves <= bound]
        rest = [test for test in tests if not test.leaves <= bound]
        block, waiting = here.block, list[Code]()
        with ExitStack() as inside:

            def flush() -> None:
                if waiting:
                    asked = " and ".join(code.at(AND) for code in waiting)
                    inside.enter_context(block.inside(f"if {asked}:"))
                    waiting.clear()

            for test in ready:
                lines = Block()
                truth = self._asked(test, here.into(lines))
                if truth.is_known and not truth.known:
                    flush()
                    return
                if truth.is_known:
                    continue
                if lines:
                    flush()
                    block.splice(lines)
                waiting.append(truth)
            flush()
            then(here, rest)

    def _asked(self, test: Test, here: Here) -> Code:
        if not test.fails:
            return self.expressions.truth(test.condition, here)
        holds, error = here.names.fresh(), here.names.fresh()
        self._errors[test.order] = error
        here.block.add(f"{error} = None")
        with here.block.inside("try:"):
            truth = self.expressions.truth(test.condition, here)
            here.block.add(f"{holds} = {truth.at(CHOICE)}")
        with here.block.inside("except EvaluationError as raised:"):
            here.block.add(f"{holds}, {error} = True, raised")
        here.names.fails = True
        return Code(holds, loose=True)


def _with(body: Callable[[Here, Sequence[Test]], None], left: Sequence[Test], here: Here) -> None:
    body(here, left)


def with_maps(task: Task, here: Here, bound: Collection[str], expressions: Expressions) -> Here:
    """The place with the parameters that are maps, as soon as all their values are chosen."""
    for name, (type, parts) in task.maps.items():
        if name not in here.env and all(part in bound for part in parts):
            values = [here.env[part] for part in parts]
            here = here.bind(name, _whole(type, values, expressions))
    return here


def _whole(type: y.Map, parts: list[Code], expressions: Expressions) -> Code:
    layout = expressions.unit.layout
    keys = layout.values(type.key)
    if isinstance(type.value, y.Map):
        width = len(parts) // max(len(keys), 1)
        parts = [
            _whole(type.value, parts[start : start + width], expressions)
            for start in range(0, len(parts), width)
        ]
    if layout.is_sparse(type):
        written = ", ".join(f"{key}: {part.at(CHOICE)}" for key, part in zip(keys, parts))
        return Code(f"sparse({{{written}}})")
    return expressions.maps.together(parts)
