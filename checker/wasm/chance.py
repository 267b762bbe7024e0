"""How chance decides: one outcome with its true odds, without going through all of them.

The parameters of a chance event fall into groups that no condition (and no weight) ties together;
what is chosen in one group does not change the odds in another. Each group is gone through twice:
to add up its weight, and to find the choice that a random number falls on. Among several chance
events one is chosen first, by the weight of all its outcomes.
"""

from __future__ import annotations

from collections.abc import Sequence

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.rules import requirements
from checker.syntax.node import Node
from checker.wasm.choices import Choices, Key, Leaf, Task, Test
from checker.wasm.code import (
    I32,
    I64,
    NOTHING,
    Code,
    Label,
    block,
    branch,
    choose,
    const,
    load,
    narrow,
    sequence,
    store,
    unary,
    whilst,
    wide,
)
from checker.wasm.events import Events
from checker.wasm.generator import Generator
from checker.wasm.layout import Mask, Scalar, register
from checker.wasm.listing import Listing
from checker.wasm.loops import run
from checker.wasm.memory import put_at
from checker.wasm.module import Function
from checker.wasm.operators import LARGEST
from checker.wasm.unit import STATE, TOO_LARGE, Catch, Here, Unit


class Group(Node):
    """Leaves that depend on each other, the conditions on them, and whether the weight is theirs.
    `total` is where the weight of all their choices is kept."""

    leaves: tuple[Leaf, ...]
    tests: tuple[Test, ...]
    weighed: bool
    total: int


class Chance:
    """Compiles what chance does."""

    def __init__(self, listing: Listing, generator: Generator) -> None:
        self.listing = listing
        self.choices: Choices = listing.choices
        self.transitions = listing.transitions
        self.expressions = listing.expressions
        self.unit: Unit = listing.unit
        self.layout = listing.unit.layout
        self.events: Events = listing.events
        self.generator = generator
        self._tasks: dict[str, tuple[Task, list[Group]]] = {}

    # ---- groups

    def _groups(self, event: c.Transition) -> tuple[Task, list[Group]]:
        if event.name not in self._tasks:
            types: dict[str, y.Type] = {param.name: param.type for param in event.params}
            task = self.choices.task(types, [each.condition for each in requirements(event)])
            self._tasks[event.name] = (task, self._split(event, task))
        return self._tasks[event.name]

    def _split(self, event: c.Transition, task: Task) -> list[Group]:
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
            groups.append(Group(
                tuple(each for each in task.leaves if each.key in keys),
                tuple(test for test in task.tests if test.leaves and test.leaves <= keys),
                bool(weigh) and weigh <= keys,
                self.unit.reserve(8),
            ))  # fmt: skip
        alone = tuple(test for test in task.tests if not test.leaves)
        groups.insert(0, Group((), alone, not weigh, self.unit.reserve(8)))
        return groups

    def _leaves_of(self, e: c.Expr, task: Task) -> frozenset[Key]:
        by_name: dict[str, frozenset[Key]] = {}
        for leaf in task.leaves:
            name = leaf.key[0]
            by_name[name] = by_name.get(name, frozenset()) | {leaf.key}
        return frozenset(self.choices.needed(e, {}, by_name))

    def _fails(self, test: Test, task: Task) -> bool:
        """Whether a condition can have no value; found out by compiling it once for nothing."""
        made = self.unit.module.function("trial")
        catch = Catch()
        here = Here(made, {}, STATE, STATE, catch)
        for leaf in task.leaves:
            if leaf.at is None:
                register_ = register(self.layout.kept(leaf.type))
                here = here.bind(leaf.key[0], made.local(register_).value, leaf.type)
        for name, (at, map_type) in task.maps.items():
            here = here.bind(name, const(at), map_type)
        self.choices.ask(test, here)
        made.define(NOTHING)
        return catch.used

    # ---- adding up

    def total(self, event: c.Transition) -> Function:
        """What all outcomes of an event weigh together; the total of each group is kept."""

        def make(name: str) -> Function:
            made = self.unit.module.function(name, (), I64)

            def body(here: Here) -> Code:
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

    def _total(self, event: c.Transition, task: Task, group: Group, here: Here) -> Code:
        size = self._free_size(group)
        if size is not None:
            return const(size, I64)
        bits = self._bits(group, here)
        if bits is not None:
            return unary("popcnt", bits)
        total = here.function.local(I64)
        part = Task(group.leaves, task.maps, group.tests)

        def found(inside: Here) -> Code:
            weight = self._weight(event, group, inside)
            more = total.set(total.value + weight)
            too_large = total.value.ge(LARGEST)
            return sequence(more, choose(too_large, self.unit.stop(TOO_LARGE)))

        return sequence(total.set(0), run(self.choices, part, here, found), total.value)

    def _free_size(self, group: Group) -> int | None:
        """How many choices a group has of which nothing refuses any."""
        if group.tests or group.weighed or len(group.leaves) != 1:
            return None
        match group.leaves[0].type:
            case y.Option(inner):
                return self.layout.universe(inner)[1] + 1
            case y.Set(element):
                return 1 << self.layout.universe(element)[1]
            case type:
                return self.layout.universe(type)[1]

    def _bits(self, group: Group, here: Here) -> Code | None:
        """The choices of a group with a single leaf and no weights, as bits."""
        if len(group.leaves) != 1 or group.weighed:
            return None
        return self.choices.mask(group.leaves[0], group.tests, here)

    def _weight(self, event: c.Transition, group: Group, here: Here) -> Code:
        return self.listing.weight(event, here) if group.weighed else const(1, I64)

    # ---- drawing

    def draw(self, event: c.Transition) -> Function:
        """Puts an outcome of an event where the next event is, with its odds; the totals of its
        groups are known."""

        def make(name: str) -> Function:
            made = self.unit.module.function(name)

            def body(here: Here) -> Code:
                task, groups = self._groups(event)
                codes, env = [], here
                for group in groups[1:]:
                    code, env = self._drawn(event, task, group, env)
                    codes.append(code)
                for name, (at, type) in task.maps.items():
                    env = env.bind(name, const(at), type)
                chosen = const(self.events.chosen)
                return sequence(*codes, self.events.put(event, chosen, env))

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(f"draw {event.name}", make)

    def _drawn(
        self, event: c.Transition, task: Task, group: Group, here: Here
    ) -> tuple[Code, Here]:
        """Chooses the leaves of a group; afterwards its names are known."""
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

        def found(inside: Here) -> Code:
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

        part = Task(group.leaves, task.maps, group.tests)
        total = load(I64, const(group.total))
        code = sequence(
            rest.set(self.generator.below_large()(total)),
            block(out, run(self.choices, part, here, found)),
        )
        for leaf in group.leaves:
            if leaf.at is None:
                here = here.bind(leaf.key[0], variables[leaf.key].value, leaf.type)
        return code, here

    def _one_of(self, group: Group, bits: Code, here: Here) -> tuple[Code, Here]:
        """One of the choices that bits say, all equally likely."""
        leaf = group.leaves[0]
        size = self.choices.narrowing.size(leaf.type)
        assert size is not None
        rest, skip = here.function.local(I64), here.function.local(I32)
        kept = self.layout.kept(leaf.type)
        value = here.function.local(register(kept))
        total = narrow(load(I64, const(group.total)))
        code = sequence(
            rest.set(bits),
            skip.set(self.generator.below()(total)),
            whilst(skip.value, rest.set(rest.value & (rest.value - 1)), skip.set(skip.value - 1)),
            self.choices.chosen(narrow(unary("ctz", rest.value)), size[0], leaf.type, here,
                                value.set),
        )  # fmt: skip
        if leaf.at is None:
            return code, here.bind(leaf.key[0], value.value, leaf.type)
        return sequence(code, put_at(kept, value.value, const(leaf.at))), here

    def _any(self, leaf: Leaf, size: int, here: Here) -> tuple[Code, Here]:
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

    def decide(self, events: Sequence[c.Transition]) -> Function:
        """Draws one outcome of these events, and says whether there is any."""

        def make(name: str) -> Function:
            made = self.unit.module.function(name, (), I32)

            def body(here: Here) -> Code:
                called = self.transitions.called
                totals, codes, all_ = [], [], made.local(I64)
                for event in events:
                    total = made.local(I64)
                    code = choose(self.listing.in_phase(event, here),
                                  total.set(called(self.total(event), here)))  # fmt: skip
                    codes += [code, all_.set(all_.value + total.value)]
                    totals.append(total)
                codes.append(choose(all_.value.eq(0), made.leave(0)))
                if len(events) == 1:
                    return sequence(*codes, called(self.draw(events[0]), here), const(1))
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
