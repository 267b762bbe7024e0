"""Functions by which chance decides, with the true odds: `draw_PHASE(s, random)`.

Few outcomes are gone through and one of them is picked by weight. Where there are many (six dice),
each value is chosen by itself, after those that a condition rules out for it alone are gone; what
then breaks a condition on several values is thrown away and chosen again.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.chance import PATIENCE
from checker.play.compile.code import CHOICE, Block, Code, Here, Names, negation
from checker.play.compile.conditions import Leaf, Task, Test
from checker.play.compile.listing import Listing
from checker.play.compile.plan import with_maps
from checker.play.compile.rewrite import joined
from checker.play.errors import UsageError
from checker.syntax.node import Node

FEW = 300
"""So many outcomes are gone through."""


class Urn(Node):
    """The Python expressions for how many values a leaf can have, and for one at random."""

    size: str
    pick: str


class Chances:
    """Compiles the drawing of chance events."""

    def __init__(self, listing: Listing) -> None:
        self.listing = listing
        self.expressions = listing.expressions
        self.unit = listing.unit
        self.layout = listing.unit.layout

    def all(self) -> None:
        """Writes a function for each phase in which chance decides."""
        for phase in self.unit.instance.spec.phases:
            events = self.listing.of_phase("chance", phase.name)
            if not events:
                continue
            if sum(map(self._outcomes, events)) <= FEW or not all(map(_has_limit, events)):
                self._picked(phase.name)
            elif len(events) == 1 and events[0].weight is None:
                self._drawn(phase.name, events[0])
            else:
                self._tried(phase.name, events)

    def _outcomes(self, event: c.Transition) -> int:
        """How many outcomes there are at the most."""
        try:
            task = self._task(event, Here(Block(), Names()))
        except UsageError:  # raised again when the outcomes are asked for
            return 0
        return prod(self.layout.size(leaf.type) or 1 << 30 for leaf in task.leaves)

    def _task(self, event: c.Transition, here: Here) -> Task:
        types: dict[str, y.Type] = {param.name: param.type for param in event.params}
        return self.listing.conditions.task(types, event.requirements[1:], here)

    def _picked(self, phase: str) -> None:
        here = Here(Block(), Names())
        number = self.unit.number(phase)
        with here.block.inside(f"def draw_{number}(s, random):"):
            self._pick_of_all(number, here)
        self.unit.write(here.block)

    def _pick_of_all(self, number: int, here: Here) -> None:
        here.block.add("out = []")
        here.block.add(f"outcomes_{number}(s, out)")
        here.block.add("return pick(out, random)")

    def _drawn(self, phase: str, event: c.Transition) -> None:
        """One event, all outcomes of it equally likely."""
        here = Here(Block(), Names())
        number = self.unit.number(phase)
        with here.block.inside(f"def draw_{number}(s, random):"):
            task = self._task(event, here)
            urns = self._urns(task, event, here, "None")
            joint = [test for test in task.tests if len(test.leaves) > 1 or test.fails]
            if not joint:
                chosen = self._chosen(task, urns, here, held=False)
                here.block.add(f"return {self.listing.event(event, chosen.env)}")
            else:
                with here.block.inside(f"for attempt in range({PATIENCE}):"):
                    chosen = self._chosen(task, urns, here)
                    self._refuse(joint, chosen, "continue")
                    here.block.add(f"return {self.listing.event(event, chosen.env)}")
                self._pick_of_all(number, here)
        self.unit.write(here.block)

    def _tried(self, phase: str, events: Sequence[c.Transition]) -> None:
        """Several events, or outcomes of different weight: one is chosen as often as it could
        weigh at the most, and kept as often as it weighs."""
        number = self.unit.number(phase)
        for event in events:
            self._size(event)
            self._try(event)
        here = Here(Block(), Names())
        with here.block.inside(f"def draw_{number}(s, random):"):
            sizes = ", ".join(
                f"(size_{self.unit.number(each.name)}(s), try_{self.unit.number(each.name)})"
                for each in events
            )
            here.block.add(f"sizes = ({sizes},)")
            with here.block.inside(f"for attempt in range({PATIENCE}):"):
                here.block.add("attempted = pick(sizes, random)")
                with here.block.inside("if attempted is None:"):
                    here.block.add("return None")
                here.block.add("event = attempted(s, random)")
                with here.block.inside("if event is not None:"):
                    here.block.add("return event")
            self._pick_of_all(number, here)
        self.unit.write(here.block)

    def _size(self, event: c.Transition) -> None:
        """How much an event can weigh at the most."""
        here = Here(Block(), Names())
        with here.block.inside(f"def size_{self.unit.number(event.name)}(s):"):
            urns = self._urns(self._task(event, here), event, here, "0")
            sizes = [urn.size for urn in urns.values()]
            here.block.add(f"return {' * '.join([str(_heaviest(event)), *sizes])}")
        self.unit.write(here.block)

    def _try(self, event: c.Transition) -> None:
        """One outcome, or none if it is not kept."""
        here = Here(Block(), Names())
        with here.block.inside(f"def try_{self.unit.number(event.name)}(s, random):"):
            task = self._task(event, here)
            urns = self._urns(task, event, here, "None")
            chosen = self._chosen(task, urns, here)
            joint = [test for test in task.tests if len(test.leaves) > 1 or test.fails]
            self._refuse(joint, chosen, "return None")
            if event.weight is not None:
                weight = self.listing.weight(event, chosen)
                heaviest = _heaviest(event)
                with here.block.inside(f"if int(random() * {heaviest}) >= {weight.at(CHOICE)}:"):
                    here.block.add("return None")
            here.block.add(f"return {self.listing.event(event, chosen.env)}")
        self.unit.write(here.block)

    # ---- the parts of a draw

    def _urns(self, task: Task, event: c.Transition, here: Here, nothing: str) -> dict[str, Urn]:
        """What each leaf can be, taken by itself; `nothing` is returned if nothing can."""
        self._refuse(
            [t for t in task.tests if not t.leaves and not t.fails], here, f"return {nothing}"
        )
        found = {}
        for leaf in task.leaves:
            tests = [t for t in task.tests if t.leaves == {leaf.name} and not t.fails]
            found[leaf.name] = self._urn(leaf, tests, event, here, nothing)
        return found

    def _urn(
        self, leaf: Leaf, tests: Sequence[Test], event: c.Transition, here: Here, nothing: str
    ) -> Urn:
        size = self.layout.size(leaf.type)
        assert size is not None
        if not tests:
            return self._whole(leaf, size)
        condition = None
        for test in tests:
            condition = joined(condition, test.condition)
        assert condition is not None
        values = self._table(leaf, condition, event, here) or self._filter(leaf, condition, here)
        values = here.hold(values)
        with here.block.inside(f"if not {values.text}:"):
            here.block.add(f"return {nothing}")
        count = f"len({values.text})"
        return Urn(count, f"{values.text}[int(random() * {count})]")

    def _whole(self, leaf: Leaf, size: int) -> Urn:
        """All values of a type."""
        first = self.layout.first(leaf.type)
        if isinstance(leaf.type, y.Bool | y.Option | y.Set):
            values = self.unit.constant(tuple(self.layout.values(leaf.type)))
            return Urn(str(size), f"{values}[int(random() * {size})]")
        shift = f" + {first}" if first > 0 else f" - {-first}" if first < 0 else ""
        return Urn(str(size), f"int(random() * {size}){shift}")

    def _table(self, leaf: Leaf, condition: c.Expr, event: c.Transition, here: Here) -> Code | None:
        tables = self.expressions.tables
        question = tables.question(condition, leaf.name, leaf.type, here)
        if question is None:
            return None
        return tables.lookup(question, tuple, here)

    def _filter(self, leaf: Leaf, condition: c.Expr, here: Here) -> Code:
        """The values for which a condition holds, asked one by one."""
        found, value = here.names.fresh(), here.names.fresh()
        here.block.add(f"{found} = []")
        domain = self.expressions.quantifiers.domains.range_of(leaf.type)
        with here.block.inside(f"for {value} in {domain}:"):
            truth = self.expressions.truth(condition, here.bind(leaf.name, Code(value)))
            with here.block.inside(f"if {truth.at(CHOICE)}:"):
                here.block.add(f"{found}.append({value})")
        return Code(found)

    def _chosen(self, task: Task, urns: dict[str, Urn], here: Here, held: bool = True) -> Here:
        """A value for each leaf at random, and the maps made of them."""
        for name, urn in urns.items():
            code = Code(urn.pick)
            here = here.bind(name, here.hold(code) if held else code)
        return with_maps(task, here, set(urns), self.expressions)

    def _refuse(self, tests: Sequence[Test], here: Here, line: str) -> None:
        """Gives up where a condition does not hold."""
        for test in tests:
            refused = negation(self.expressions.truth(test.condition, here))
            if refused.is_known and not refused.known:
                continue
            with here.block.inside(f"if {refused.at(CHOICE)}:"):
                here.block.add(line)


def _heaviest(event: c.Transition) -> int:
    """The most an outcome can weigh."""
    if event.weight is None:
        return 1
    assert isinstance(event.weight.type, y.Int) and event.weight.type.high is not None
    return event.weight.type.high


def _has_limit(event: c.Transition) -> bool:
    weight = event.weight
    return weight is None or (isinstance(weight.type, y.Int) and weight.type.high is not None)
