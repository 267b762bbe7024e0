"""How chance decides: one outcome with its true odds, without going through all of them.

The parameters of a chance event fall into groups that no condition (and no weight) ties together;
what is chosen in one group does not change the odds in another. Each group is gone through twice:
to add up its weight, and to find the choice that a random number falls on. Among several chance
events one is chosen first, by the weight of all its outcomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.rules import requirements
from rulewright.syntax.node import Node
from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    NOTHING,
    Instruction,
    Label,
    Unsupported,
    block,
    branch,
    choose,
    const,
    sequence,
    unary,
    wide,
)
from rulewright.wasm.assembler.memory_instructions import load, store
from rulewright.wasm.assembler.module import WasmFunction
from rulewright.wasm.codegen.compilation_unit import (
    STATE,
    TOO_LARGE,
    Catch,
    CodeContext,
    CompilationUnit,
)
from rulewright.wasm.codegen.data_layout import Mask, Scalar, register
from rulewright.wasm.codegen.memory_access import put_at
from rulewright.wasm.codegen.operators import LARGEST
from rulewright.wasm.moves.choice_loops import run
from rulewright.wasm.moves.choices import ChoiceLeaf, Choices, ChoiceTask, Key, Test
from rulewright.wasm.moves.events import Events
from rulewright.wasm.moves.legal_moves import MoveLister
from rulewright.wasm.simulate.random_numbers import Generator

MOST_TRIED = 1 << 26
"""Choices that are gone through for one outcome of chance; of more the evaluator tries some."""


class ChanceGroup(Node):
    """Leaves that depend on each other, the conditions on them, and whether the weight is theirs.
    `total` is where the weight of all their choices is kept."""

    leaves: tuple[ChoiceLeaf, ...]
    tests: tuple[Test, ...]
    weighed: bool
    total: int


class Chance:
    """Compiles what chance does."""

    def __init__(self, listing: MoveLister, generator: Generator) -> None:
        self.listing = listing
        self.choices: Choices = listing.choices
        self.transitions = listing.transitions
        self.expressions = listing.expressions
        self.unit: CompilationUnit = listing.unit
        self.layout = listing.unit.layout
        self.events: Events = listing.events
        self.generator = generator
        self._tasks: dict[str, tuple[ChoiceTask, list[ChanceGroup]]] = {}

    # ---- groups

    def _groups(self, event: c.Transition) -> tuple[ChoiceTask, list[ChanceGroup]]:
        if event.name not in self._tasks:
            types: dict[str, y.Type] = {param.name: param.type for param in event.params}
            task = self.choices.task(types, [each.condition for each in requirements(event)])
            self._tasks[event.name] = (task, self._split(event, task))
        return self._tasks[event.name]

    def _split(self, event: c.Transition, task: ChoiceTask) -> list[ChanceGroup]:
        ties = [test.leaves for test in task.tests]
        weigh: frozenset[Key] = frozenset()
        if event.weight is not None:
            weigh = self._leaves_of(event.weight, task)
            ties.append(weigh)
        if any(self._fails(test, task) for test in task.tests):
            # Whether a failure counts may depend on what another group refuses.
            ties.append(frozenset(leaf.key for leaf in task.leaves))
        group_of = {leaf.key: frozenset((leaf.key,)) for leaf in task.leaves}
        for tie in ties:
            joined = frozenset().union(*(group_of[key] for key in tie)) if tie else frozenset()
            for key in joined:
                group_of[key] = joined
        groups, seen = [], set[Key]()
        for leaf in task.leaves:
            if leaf.key in seen:
                continue
            keys = group_of[leaf.key]
            seen |= keys
            groups.append(ChanceGroup(
                tuple(each for each in task.leaves if each.key in keys),
                tuple(test for test in task.tests if test.leaves and test.leaves <= keys),
                bool(weigh) and weigh <= keys,
                self.unit.reserve(8),
            ))  # fmt: skip
        alone = tuple(test for test in task.tests if not test.leaves)
        groups.insert(0, ChanceGroup((), alone, not weigh, self.unit.reserve(8)))
        return groups

    def _leaves_of(self, e: c.Expr, task: ChoiceTask) -> frozenset[Key]:
        by_name: dict[str, frozenset[Key]] = {}
        for leaf in task.leaves:
            name = leaf.key[0]
            by_name[name] = by_name.get(name, frozenset()) | {leaf.key}
        return frozenset(self.choices.needed(e, {}, by_name))

    def _fails(self, test: Test, task: ChoiceTask) -> bool:
        """Whether a condition can have no value; found out by compiling it once for nothing."""
        made = self.unit.module.function("trial")
        catch = Catch()
        here = CodeContext(made, {}, STATE, STATE, catch)
        for leaf in task.leaves:
            if leaf.at is None:
                register_ = register(self.layout.kept(leaf.type))
                here = here.bind(leaf.key[0], made.local(register_).value, leaf.type)
        for name, (at, map_type) in task.maps.items():
            here = here.bind(name, const(at), map_type)
        with self.unit.module.for_nothing():
            self.choices.ask(test, here)
        made.define(NOTHING)
        return catch.used

    # ---- adding up

    def total(self, event: c.Transition) -> WasmFunction:
        """What all outcomes of an event weigh together; the total of each group is kept."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, (), I64)

            def body(here: CodeContext) -> Instruction:
                task, groups = self._groups(event)
                whole, codes = made.local(I64), []
                product = self.expressions.operators.product()
                for number, group in enumerate(groups):
                    total = self._total(event, task, group, here)
                    keep, held = here.hold(total)
                    known = held if number == 0 else product(whole.value, held)
                    codes += [keep, store(held, const(group.total)), whole.set(known),
                              choose(whole.value.eq(0), made.leave(const(0, I64)))]  # fmt: skip
                return sequence(*codes, whole.value)

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(f"total of {event.name}", make)

    def _total(
        self, event: c.Transition, task: ChoiceTask, group: ChanceGroup, here: CodeContext
    ) -> Instruction:
        size = self._free_size(group)
        if size is not None:
            return const(size, I64)
        bits = self._bits(group, here)
        if bits is not None:
            return unary("popcnt", bits)
        if prod(map(self._size, group.leaves)) > MOST_TRIED:
            raise Unsupported("a chance event with too many outcomes to go through")
        total = here.function.local(I64)
        part = ChoiceTask(group.leaves, task.maps, group.tests)

        def found(inside: CodeContext) -> Instruction:
            weight = self._weight(event, group, inside)
            more = total.set(total.value + weight)
            too_large = total.value.ge(LARGEST)
            return sequence(more, choose(too_large, self.unit.stop(TOO_LARGE)))

        return sequence(total.set(0), run(self.choices, part, here, found), total.value)

    def _free_size(self, group: ChanceGroup) -> int | None:
        """How many choices a group has of which nothing refuses any."""
        if group.tests or group.weighed or len(group.leaves) != 1:
            return None
        return self._size(group.leaves[0])

    def _size(self, leaf: ChoiceLeaf) -> int:
        """How many values a leaf can have."""
        match leaf.type:
            case y.Option(inner):
                return self.layout.universe(inner)[1] + 1
            case y.Set(element):
                return 1 << self.layout.universe(element)[1]
            case type:
                return self.layout.universe(type)[1]

    def _bits(self, group: ChanceGroup, here: CodeContext) -> Instruction | None:
        """The choices of a group with a single leaf and no weights, as bits."""
        if len(group.leaves) != 1 or group.weighed:
            return None
        return self.choices.mask(group.leaves[0], group.tests, here)

    def _weight(self, event: c.Transition, group: ChanceGroup, here: CodeContext) -> Instruction:
        return self.listing.weight(event, here) if group.weighed else const(1, I64)

    # ---- drawing

    def draw(self, event: c.Transition) -> WasmFunction:
        """Puts an outcome of an event where the next event is, with its odds; the totals of its
        groups are known."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name)

            def body(here: CodeContext) -> Instruction:
                task, groups = self._groups(event)
                codes, env = [], here
                for group in groups[1:]:
                    code, env = self._drawn(event, task, group, env)
                    codes.append(code)
                return sequence(*codes, self._put(event, task, env))

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(f"draw {event.name}", make)

    def _put(self, event: c.Transition, task: ChoiceTask, here: CodeContext) -> Instruction:
        """Puts the outcome that was drawn where the next event is. Its maps stay where they were
        chosen: nothing else is chosen before the event has happened."""
        for name, (at, type) in task.maps.items():
            here = here.bind(name, const(at), type)
        return self.events.put(event, const(self.events.chosen), here, aside=False)

    def only(self, event: c.Transition) -> WasmFunction:
        """Draws an outcome of the only event there is, group by group, and says whether there is
        any; that what all outcomes weigh together would be too large does not matter."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, (), I32)

            def body(here: CodeContext) -> Instruction:
                task, groups = self._groups(event)
                nothing, codes, env = made.leave(0), [], here
                for group in groups:
                    bits = None if self._free_size(group) is not None else self._bits(group, env)
                    if bits is not None:
                        keep, total = env.hold(bits)
                        code, env = self._one_of(group, total, env)
                    else:
                        keep, total = env.hold(self._total(event, task, group, env))
                        code, env = self._drawn(event, task, group, env, total)
                    codes += [keep, choose(total.eq(0), nothing), code]
                return sequence(*codes, self._put(event, task, env), const(1))

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(f"draw only {event.name}", make)

    def _drawn(
        self,
        event: c.Transition,
        task: ChoiceTask,
        group: ChanceGroup,
        here: CodeContext,
        total: Instruction | None = None,
    ) -> tuple[Instruction, CodeContext]:
        """Chooses the leaves of a group; afterwards its names are known. What all of its choices
        weigh is given, or kept in memory."""
        if not group.leaves:
            return NOTHING, here
        size = self._free_size(group)
        if size is not None:
            return self._any(group.leaves[0], size, here)
        bits = self._bits(group, here)
        if bits is not None:
            return self._one_of(group, bits, here)
        function = here.function
        rest, out = function.local(I64), Label()
        variables = {
            leaf.key: function.local(register(self.layout.kept(leaf.type)))
            for leaf in group.leaves
            if leaf.at is None
        }

        def found(inside: CodeContext) -> Instruction:
            keep, weight = inside.hold(self._weight(event, group, inside))
            kept = [
                variables[leaf.key].set(inside.env[leaf.key[0]][0])
                for leaf in group.leaves
                if leaf.at is None
            ]
            falls = sequence(*kept, branch(out))
            return sequence(
                keep, choose(rest.value.lt(weight), falls), rest.set(rest.value - weight)
            )

        part = ChoiceTask(group.leaves, task.maps, group.tests)
        if total is None:
            total = load(I64, const(group.total))
        code = sequence(
            rest.set(self.generator.below_large()(total)),
            block(out, run(self.choices, part, here, found)),
        )
        for leaf in group.leaves:
            if leaf.at is None:
                here = here.bind(leaf.key[0], variables[leaf.key].value, leaf.type)
        return code, here

    def _one_of(
        self, group: ChanceGroup, bits: Instruction, here: CodeContext
    ) -> tuple[Instruction, CodeContext]:
        """One of the choices that bits say, all equally likely."""
        leaf = group.leaves[0]
        size = self.choices.narrowing.size(leaf.type)
        assert size is not None
        kept = self.layout.kept(leaf.type)
        value = here.function.local(register(kept))
        keep, place = here.hold(self.generator.place(size[1])(bits))
        code = sequence(keep, self.choices.chosen(place, size[0], leaf.type, here, value.set))
        if leaf.at is None:
            return code, here.bind(leaf.key[0], value.value, leaf.type)
        return sequence(code, put_at(kept, value.value, const(leaf.at))), here

    def _any(
        self, leaf: ChoiceLeaf, size: int, here: CodeContext
    ) -> tuple[Instruction, CodeContext]:
        """Any value of a leaf, all equally likely."""
        kept = self.layout.kept(leaf.type)
        number = self.generator.below()(size)
        match leaf.type:
            case y.Option(inner):
                assert isinstance(kept, Scalar) and kept.none is not None
                first = self.layout.universe(inner)[0]
                hold, drawn = here.hold(number)
                code = sequence(hold, choose(drawn.eq(0), const(kept.none), drawn + (first - 1)))
            case y.Set(element):
                assert isinstance(kept, Mask)
                code = wide(number) << (self.layout.universe(element)[0] - kept.base)
            case type:
                code = number + self.layout.universe(type)[0]
        keep, held = here.hold(code)
        if leaf.at is None:
            return keep, here.bind(leaf.key[0], held, leaf.type)
        return sequence(keep, put_at(kept, held, const(leaf.at))), here

    def decide(self, events: Sequence[c.Transition]) -> WasmFunction:
        """Draws one outcome of these events, and says whether there is any."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, (), I32)

            def body(here: CodeContext) -> Instruction:
                called = self.transitions.called
                if len(events) == 1:
                    drawn = called(self.only(events[0]), here)
                    return choose(self.listing.in_phase(events[0]), drawn, const(0))
                totals, codes, all_ = [], [], made.local(I64)
                for event in events:
                    total = made.local(I64)
                    code = choose(self.listing.in_phase(event),
                                  total.set(called(self.total(event), here)))  # fmt: skip
                    codes += [code, all_.set(all_.value + total.value)]
                    totals.append(total)
                codes.append(choose(all_.value.eq(0), made.leave(0)))
                rest = made.local(I64)
                codes.append(rest.set(self.generator.below_large()(all_.value)))
                for event, total in zip(events, totals):
                    drawn = sequence(called(self.draw(event), here), made.leave(1))
                    codes += [choose(rest.value.lt(total.value), drawn),
                              rest.set(rest.value - total.value)]  # fmt: skip
                return sequence(*codes, const(0))

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(f"decide {' '.join(each.name for each in events)}", make)
