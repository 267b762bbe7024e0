"""The loops that go through the choices of a task, and ask its conditions on the way.

Where a condition says which values are in question, only these are gone through. A condition that
can fail and does is remembered, and fails in the end if nothing else has refused the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.constraint_search import LARGEST_SET, too_many
from rulewright.wasm.analysis.bit_quantifiers import OneBit, one_bit
from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    Instruction,
    Label,
    all_of,
    block,
    branch,
    branch_if,
    choose,
    const,
    drop,
    loop,
    sequence,
)
from rulewright.wasm.codegen.compilation_unit import Catch, CodeContext
from rulewright.wasm.codegen.data_layout import Kept, Mask, Scalar
from rulewright.wasm.codegen.memory_access import each_bit, each_element, put_at, search
from rulewright.wasm.moves.choices import (
    CHOSEN,
    ChoiceLeaf,
    Choices,
    ChoiceTask,
    Innermost,
    Key,
    Last,
    Test,
    within,
)


def run(
    choices: Choices,
    task: ChoiceTask,
    here: CodeContext,
    innermost: Innermost,
    last: Last | None = None,
) -> Instruction:
    """The loops of a task, and in the middle of them what `innermost` says. With `last`, the values
    of the last leaf may be handled all at once, and nobody minds the order."""
    for name, (at, type) in task.maps.items():
        here = here.bind(name, const(at), type)
    return Loops(choices, innermost, last).level(task.leaves, task.tests, frozenset(), here)


class Loops:
    """The loops of one task; `errors` says for each condition that can fail whether it did."""

    def __init__(self, choices: Choices, innermost: Innermost, last: Last | None) -> None:
        self.choices = choices
        self.expressions = choices.expressions
        self.unit = choices.unit
        self.innermost = innermost
        self.last = last
        self.errors: dict[int, tuple[Any, Test]] = {}
        self.ahead: dict[tuple[Key, int], Instruction] = {}
        """What conditions leave of a leaf, by its key and their order, where that is known in a
        loop further out."""

    def level(
        self,
        leaves: Sequence[ChoiceLeaf],
        tests: Sequence[Test],
        bound: frozenset[Key],
        here: CodeContext,
    ) -> Instruction:
        """Asks what can be asked now, and goes on with the next leaf."""
        ready = [test for test in tests if test.leaves <= bound]
        left = [test for test in tests if not test.leaves <= bound]
        ready.sort(key=lambda test: self.unit.facts.of(test.condition).weight)
        asked = [self.asked(test, here) for test in ready]
        if any(code.known == 0 for code in asked):
            return sequence()
        if leaves:
            outside = dict(self.ahead)
            begin = self.look_ahead(leaves, left, bound, here)
            inside = sequence(begin, self.loop(leaves[0], leaves[1:], left, bound, here))
            self.ahead = outside
        else:
            failing = [
                choose(error.value, drop(self.choices.ask(test, here)))
                for _, (error, test) in sorted(self.errors.items())
            ]
            inside = sequence(*failing, self.innermost(here))
        return choose(all_of(asked), inside)

    def look_ahead(
        self,
        leaves: Sequence[ChoiceLeaf],
        tests: Sequence[Test],
        bound: frozenset[Key],
        here: CodeContext,
    ) -> Instruction:
        """Works out what conditions leave of the leaves of inner loops, where that does not depend
        on the loops in between."""
        codes = []
        for leaf in leaves[1:]:
            if leaf.at is not None or isinstance(leaf.type, y.Set):
                continue
            about = [test for test in tests if leaf.key in test.leaves]
            if any(self.names_it(test, leaf) for test in about):
                continue
            for test in about:
                key = leaf.key, test.order
                state = self.unit.facts.of(test.condition).state
                if state and key not in self.ahead and test.leaves <= bound | {leaf.key}:
                    mask = self.choices.narrowing.allowed(
                        test.condition, leaf.key[0], leaf.type, within(test, here)
                    )
                    if mask is not None:
                        keep, held = here.hold(mask)
                        self.ahead[key] = one_bit(held) if isinstance(mask, OneBit) else held
                        codes.append(keep)
        return sequence(*codes)

    def asked(self, test: Test, here: CodeContext) -> Instruction:
        """A condition as a truth; where it fails, that is remembered, and it counts as true."""
        catch = Catch()
        code = self.choices.ask(test, here.catching(catch))
        if not catch.used:
            return code
        error = here.function.local(I32)
        self.errors[test.order] = (error, test)
        code = self.tolerant(test.condition, within(test, here), error)
        return sequence(error.set(0), code)

    def tolerant(self, e: c.Expr, here: CodeContext, error: Any) -> Instruction:
        """Whether a condition is not false, taken apart as the evaluator does it."""
        match e:
            case c.Binary(operator="and", left=left, right=right):
                return all_of((self.tolerant(left, here, error), self.tolerant(right, here, error)))
            case c.Quantify(kind="all", binders=binders, where=where, body=body, span=span) if (
                self.choices.is_narrow(binders)
            ):
                if where is not None:
                    body = c.Binary(span, y.BOOL, "implies", where, body)
                each = self.expressions.domains.each

                def walk(found: Callable[[], Instruction]) -> Instruction:
                    return each(binders, None, here, lambda inside: choose(
                        ~self.tolerant(body, inside, error), found()))  # fmt: skip

                return ~search(self.unit, here, walk)
        holds = here.function.local(I32)
        attempt = self.unit.guarded(
            here,
            lambda inside: holds.set(self.expressions.value(e, inside)),
            sequence(error.set(1), holds.set(1)),
        )
        return sequence(attempt, holds.value)

    def loop(
        self,
        leaf: ChoiceLeaf,
        rest: Sequence[ChoiceLeaf],
        tests: Sequence[Test],
        bound: frozenset[Key],
        here: CodeContext,
    ) -> Instruction:
        """Runs the inner loops for each value of a leaf."""
        name = leaf.key[0]
        now = bound | {leaf.key}

        def body(inside: CodeContext, left: Sequence[Test]) -> Instruction:
            if leaf.at is None:
                return self.level(rest, left, now, inside)
            value, _ = inside.env[CHOSEN]
            kept = self.choices.layout.kept(leaf.type)
            put = put_at(kept, value, const(leaf.at))
            return sequence(put, self.level(rest, left, now, here))

        bound_name = name if leaf.at is None else CHOSEN
        if leaf.at is None and not any(
            self.names_it(test, leaf) for test in tests if test.leaves <= now
        ):
            narrowed = self.narrowed(leaf, rest, tests, now, here, body)
            if narrowed is not None:
                return narrowed
        for test in tests:
            if leaf.key in test.leaves and test.leaves <= now:
                left = [each for each in tests if each is not test]
                source = self.source(test, leaf, bound_name, here, left, body)
                if source is not None:
                    return source
        domains = self.expressions.domains
        return domains.all_of(bound_name, leaf.type, here, lambda inside: body(inside, tests))

    def narrowed(
        self,
        leaf: ChoiceLeaf,
        rest: Sequence[ChoiceLeaf],
        tests: Sequence[Test],
        now: frozenset[Key],
        here: CodeContext,
        body: Callable[[CodeContext, Sequence[Test]], Instruction],
    ) -> Instruction | None:
        """A loop over the values of a leaf that conditions leave, where bits say which."""
        name, narrowing = leaf.key[0], self.choices.narrowing
        is_set = isinstance(leaf.type, y.Set)
        masks: list[Instruction] = []
        left: list[Test] = []
        for test in tests:
            mask = None
            if leaf.key in test.leaves and test.leaves <= now and not self.names_it(test, leaf):
                find = narrowing.elements if is_set else narrowing.allowed
                mask = self.ahead.get((leaf.key, test.order))
                if mask is None:
                    mask = find(test.condition, name, leaf.type, within(test, here))
            elif self.last is not None and leaf.key in test.leaves and not test.leaves <= now:
                free = {each.key[0]: each.type for each in rest if each.key in test.leaves}
                ahead = narrowing.foreseen(test.condition, name, leaf.type, here, free)
                masks += [] if ahead is None else [ahead]
            if mask is None:
                left.append(test)
            else:
                masks.append(mask)
        if not masks:
            return None
        layout = self.choices.layout
        if not isinstance(leaf.type, y.Set):
            size = narrowing.size(leaf.type)
            assert size is not None
            first, count = size
            bits = const((1 << count) - 1, I64)
            for mask in masks:
                bits = mask & bits
            if self.last is not None and not rest and not left and not self.errors:
                single = any(isinstance(mask, OneBit) for mask in masks)
                at_once = self.last(here, leaf, bits, single)
                if at_once is not None:
                    return at_once
            return each_bit(self.unit, here, bits, 0, lambda number: self.choices.chosen(
                number, first, leaf.type, here, lambda value: body(
                    here.bind(name, value, leaf.type), left)), count)  # fmt: skip
        first, count = layout.universe(leaf.type.element)
        kept = layout.kept(leaf.type)
        assert isinstance(kept, Mask)
        bits = const(((1 << count) - 1) << (first - kept.base), I64)
        for mask in masks:
            bits = mask & bits
        if count > LARGEST_SET:
            raise too_many(name)
        return self.subsets(bits, here, lambda held: body(here.bind(name, held, leaf.type), left))

    def names_it(self, test: Test, leaf: ChoiceLeaf) -> bool:
        """Whether a condition names the one value that is left."""
        e = test.condition
        return (
            isinstance(e, c.Binary)
            and e.operator == "equal"
            and any(self.is_leaf(side, leaf, test) for side in (e.left, e.right))
        )

    def subsets(
        self, bits: Instruction, here: CodeContext, body: Callable[[Instruction], Instruction]
    ) -> Instruction:
        """A loop over the subsets of a set, counting in binary."""
        whole, part = here.function.local(I64), here.function.local(I64)
        again, out = Label(), Label()
        ticking, inside = self.unit.repeated(None, lambda: body(part.value))
        return sequence(
            whole.set(bits),
            part.set(0),
            block(out, loop(again, sequence(
                ticking,
                inside,
                branch_if(out, part.value.eq(whole.value)),
                part.set((part.value - whole.value) & whole.value),
                branch(again),
            ))),
        )  # fmt: skip

    def source(
        self, test: Test, leaf: ChoiceLeaf, name: str, here: CodeContext, left: Sequence[Test],
        body: Callable[[CodeContext, Sequence[Test]], Instruction],
    ) -> Instruction | None:  # fmt: skip
        """The values of a leaf that a condition leaves, where it names them: one that is equal to
        something, or the elements of something."""
        match test.condition:
            case c.Binary(operator="equal", left=one, right=other):
                for mine, theirs in ((one, other), (other, one)):
                    if self.is_leaf(mine, leaf, test):
                        return self.equal(theirs, test, leaf, name, here, left, body)
            case c.Binary(operator="member" | "bag_member", left=one, right=other):
                if self.is_leaf(one, leaf, test):
                    return self.member(other, test, leaf, name, here, left, body)
        return None

    def is_leaf(self, e: c.Expr, leaf: ChoiceLeaf, test: Test) -> bool:
        if leaf.at is None:
            return isinstance(e, c.Local) and e.name == leaf.key[0]
        bound = {name: number for name, number, _ in test.bound}
        by_name = {leaf.key[0]: frozenset((leaf.key,))}
        return isinstance(e, c.Lookup) and self.choices.place(e, bound, by_name) == leaf.key

    def _apart(
        self, e: c.Expr, test: Test, leaf: ChoiceLeaf, here: CodeContext
    ) -> Instruction | None:
        """The value of an expression that does not need the leaf and cannot fail."""
        bound = {name: number for name, number, _ in test.bound}
        by_name = {leaf.key[0]: frozenset((leaf.key,))}
        if any(True for _ in self.choices.needed(e, bound, by_name)):
            return None
        catch = Catch()
        code = self.expressions.value(e, within(test, here).catching(catch))
        return None if catch.used else code

    def equal(
        self,
        e: c.Expr,
        test: Test,
        leaf: ChoiceLeaf,
        name: str,
        here: CodeContext,
        left: Sequence[Test],
        body: Callable[[CodeContext, Sequence[Test]], Instruction],
    ) -> Instruction | None:
        kept = self.choices.layout.kept(e.type)
        plain = not isinstance(e.type, y.Option) or isinstance(leaf.type, y.Option)
        if not isinstance(kept, Scalar) or not plain:
            return None
        code = self._apart(e, test, leaf, here)
        if code is None:
            return None
        keep, held = here.hold(code)
        checks = self.expressions.checks
        leaves = checks.leaves(held, e.type, leaf.type, here)
        convert, value = here.hold(checks.convert(held, e.type, leaf.type, here))
        inside = sequence(convert, body(here.bind(name, value, leaf.type), left))
        return sequence(keep, choose(~leaves, inside))

    def member(
        self,
        e: c.Expr,
        test: Test,
        leaf: ChoiceLeaf,
        name: str,
        here: CodeContext,
        left: Sequence[Test],
        body: Callable[[CodeContext, Sequence[Test]], Instruction],
    ) -> Instruction | None:
        assert isinstance(e.type, y.Set | y.Bag)
        kept: Kept = self.choices.layout.kept(e.type)
        element = e.type.element
        if isinstance(element, y.Never) or isinstance(leaf.type, y.Option | y.Set):
            return None
        code = self._apart(e, test, leaf, here)
        if code is None:
            return None
        keep, held = here.hold(code)
        checks = self.expressions.checks

        def each(number: Instruction) -> Instruction:
            leaves = checks.leaves(number, element, leaf.type, here)
            return choose(~leaves, body(here.bind(name, number, leaf.type), left))

        return sequence(keep, each_element(self.unit, here, kept, held, each))
