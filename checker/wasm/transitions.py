"""Moves, chance events and steps: when they are allowed, what they do, which steps follow.

For each move and chance event there is a function that says whether it is allowed, one that marks
each requirement that refuses it, and one that carries it out; all take the mover and the arguments.
"""

from __future__ import annotations

from collections.abc import Callable

from checker.meaning import core as c
from checker.play.rules import MOST_STEPS, requirements
from checker.wasm.code import (
    I32,
    NEVER,
    Code,
    Label,
    all_of,
    block,
    branch,
    branch_if,
    choose,
    const,
    copy,
    drop,
    load,
    loop,
    sequence,
    store,
    switch,
)
from checker.wasm.events import Events
from checker.wasm.expressions import Expressions
from checker.wasm.module import Function
from checker.wasm.statements import Statements, mentions_old
from checker.wasm.unit import STATE, Here, Unit


class Transitions:
    """Compiles what can happen in a game. With `watched`, the state before each transition is kept
    for the properties that speak of it."""

    def __init__(self, expressions: Expressions, events: Events, watched: bool = False) -> None:
        self.expressions = expressions
        self.statements = Statements(expressions)
        self.unit: Unit = expressions.unit
        self.instance = expressions.unit.instance
        self.events = events
        self.watched = watched
        self.steps = self.instance.of_kind("step")
        most = max((len(requirements(each)) for each in self.events.transitions), default=0)
        self.marks = self.unit.reserve(most)
        """A byte for each requirement: whether it refuses the event that was asked about."""
        self._made: dict[tuple[str, str], Function] = {}

    def _function(
        self, kind: str, transition: c.Transition, result: str | None,
        body: Callable[[Here], Code], before: int = STATE,
    ) -> Function:  # fmt: skip
        key = (kind, transition.name)
        if key not in self._made:
            made = self.unit.module.function(
                f"{kind} {transition.name}", self.events.registers(transition), result
            )
            env = self.events.names(transition, [each.value for each in made.params])
            self.unit.define(made, env, STATE, before, body)
            self._made[key] = made
        return self._made[key]

    # ---- asking

    def allows(self, transition: c.Transition) -> Function:
        """Whether nothing refuses an event."""

        def body(here: Here) -> Code:
            since = self.unit.allocations
            asked = [self.expressions.value(each.condition, here)
                     for each in requirements(transition)]  # fmt: skip
            keep, held = here.hold(all_of(asked))
            return sequence(self.expressions.giving_back(since, here, keep), held)

        return self._function("allows", transition, I32, body)

    def marking(self, transition: c.Transition) -> Function:
        """Marks the requirements that refuse an event. One without a value is passed over if
        another before it refuses."""

        def body(here: Here) -> Code:
            any_ = here.function.local(I32)
            codes = []
            for number, each in enumerate(requirements(transition)):
                place = const(self.marks + number)

                def ask(inside: Here, each: c.Requirement = each, place: Code = place) -> Code:
                    refused = sequence(store(const(1), place, 0, 1), any_.set(1))
                    return sequence(
                        store(const(0), place, 0, 1),
                        choose(self.expressions.value(each.condition, inside), sequence(), refused),
                    )

                again = choose(
                    any_.value, sequence(), drop(self.expressions.value(each.condition, here))
                )
                codes.append(self.unit.guarded(here, ask, again))
            return sequence(*codes)

        return self._function("marks", transition, None, body)

    # ---- doing

    def take(self, transition: c.Transition) -> Function:
        """Runs the body of a transition."""
        before = self.unit.before

        def body(here: Here) -> Code:
            since = self.unit.allocations
            code = self.statements.run(transition.body, here)
            if self.watched or mentions_old(transition.body, self.instance):
                code = sequence(self.remember(), code)
            return self.expressions.giving_back(since, here, code)

        return self._function("take", transition, None, body, before)

    def remember(self) -> Code:
        """Keeps the state as the one before."""
        return copy(const(self.unit.before), const(STATE), self.unit.layout.size)

    def due(self) -> Function:
        """The number of the first step whose conditions all hold, -1 if there is none."""

        def make(name: str) -> Function:
            made = self.unit.module.function(name, (), I32)

            def body(here: Here) -> Code:
                codes = []
                for number, step in enumerate(self.steps):
                    asked = all_of(
                        self.expressions.value(each.condition, here) for each in step.requirements
                    )
                    codes.append(choose(asked, made.leave(number)))
                return sequence(*codes, const(-1))

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared("due step", make)

    def settle(self) -> Function:
        """Runs steps for as long as one is due."""

        def make(name: str) -> Function:
            made = self.unit.module.function(name)
            self.unit.define(made, {}, STATE, STATE, lambda here: self.steps_due(here, sequence))
            return made

        return self.unit.shared("settle", make)

    def steps_due(self, here: Here, after: Callable[[], Code]) -> Code:
        """Runs steps for as long as one is due, and `after` after each."""
        if not self.steps:
            return sequence()
        step, count = here.function.local(I32), here.function.local(I32)
        out, again = Label(), Label()
        cases = [self.called(self.take(each), here) for each in self.steps]
        endless = self.chosen(step.value, [self._endless(each, here) for each in self.steps])
        return sequence(count.set(0), block(out, loop(again, sequence(
            step.set(self.called(self.due(), here)),
            branch_if(out, step.value.lt(0)),
            choose(count.value.ge(MOST_STEPS), endless),
            self.unit.tick(),
            count.set(count.value + 1),
            self.chosen(step.value, cases),
            after(),
            branch(again),
        ))))  # fmt: skip

    def _endless(self, step: c.Transition, here: Here) -> Code:
        message = f"the steps do not stop, among them `{step.name}`"
        return self.unit.fail(here, step.span, lambda: message)

    # ---- events in memory

    def called(self, function: Function, here: Here, *arguments: Code) -> Code:
        """A call, passing a failure on."""
        self.unit.loops += 1
        call = function(*arguments)
        if not function.fails:
            return call
        if function.result is None:
            return sequence(call, self.unit.passing_on(here))
        keep, held = here.hold(call)
        return sequence(keep, self.unit.passing_on(here), held)

    def of_event(
        self, name: str, result: str | None, make: Callable[[c.Transition], Function]
    ) -> Function:
        """A function of an event in memory, by its address: what `make` makes for each."""

        def build(name: str) -> Function:
            made = self.unit.module.function(name, [I32], result)
            record = made.params[0].value

            def body(here: Here) -> Code:
                cases = []
                for each in self.events.transitions:
                    if each.kind == "step":
                        cases.append(sequence(self.unit.stop(0)))
                        continue
                    given = self.events.arguments(each, record)
                    call = self.called(make(each), here, *given)
                    cases.append(call if result is None else made.leave(call))
                code = self.chosen(load(I32, record), cases)
                return code if result is None else sequence(code, const(0, result))

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(name, build)

    def chosen(self, number: Code, cases: list[Code]) -> Code:
        """The case with a number."""
        if not cases:
            return sequence()
        if len(cases) == 1:
            return cases[0] if cases[0].type != NEVER else sequence(cases[0])
        out, labels = Label(), [Label() for _ in cases]
        code = block(labels[0], switch(number, labels))
        for place, case in enumerate(cases):
            following = labels[place + 1] if place + 1 < len(cases) else out
            inside = sequence(code, case, branch_if(out, const(1)))
            code = block(following, inside)
        return code
