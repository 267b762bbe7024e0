"""Moves, chance events and steps: when they are allowed, what they do, which steps follow.

For each move and chance event there is a function that says whether it is allowed, one that marks
each requirement that refuses it, and one that carries it out; all take the mover and the arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.meaning import core as c
from rulewright.play.semantics.rules import MOST_STEPS, requirements
from rulewright.wasm.assembler.instructions import (
    I32,
    NEVER,
    Instruction,
    Label,
    all_of,
    block,
    both,
    branch,
    branch_if,
    choose,
    const,
    drop,
    either,
    loop,
    sequence,
    switch,
)
from rulewright.wasm.assembler.memory_instructions import copy, load, store
from rulewright.wasm.assembler.module import WasmFunction
from rulewright.wasm.codegen.compilation_unit import (
    NOT_COMPILED,
    STATE,
    CodeContext,
    CompilationUnit,
)
from rulewright.wasm.codegen.expressions import ExpressionCompiler
from rulewright.wasm.codegen.memory_access import value_at
from rulewright.wasm.codegen.statements import LabelLog, StatementCompiler, mentions_old
from rulewright.wasm.moves.events import Events


class Transitions:
    """Compiles what can happen in a game. With `watched`, the state before each transition is kept
    for the properties that speak of it."""

    def __init__(
        self,
        expressions: ExpressionCompiler,
        events: Events,
        watched: bool = False,
        only: int | None = None,
        noting: bool = False,
    ) -> None:
        """With `noting`, it is noted what ends a game."""
        self.expressions = expressions
        self.statements = StatementCompiler(expressions)
        self.log = self.statements.log = LabelLog(expressions.unit) if noting else None
        self.ended_by = expressions.unit.reserve(8)
        """What a game was ended by, as a number of the log; 0 if it is not over."""
        self.unit: CompilationUnit = expressions.unit
        self.instance = expressions.unit.instance
        self.events = events
        self.watched = watched
        self.only = only
        """The number of the one transition whose events are compiled, None for all."""
        self.steps = self.instance.of_kind("step")
        needed = [len(requirements(each)) for each in self.events.transitions]
        self.marks = self.unit.reserve(max((*needed, len(self.instance.spec.start))))
        """A byte for each requirement: whether it refuses the event that was asked about."""
        self._made: dict[tuple[str, str], WasmFunction] = {}

    def _function(
        self, kind: str, transition: c.Transition, result: str | None,
        body: Callable[[CodeContext], Instruction], before: int = STATE,
    ) -> WasmFunction:  # fmt: skip
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

    def allows(self, transition: c.Transition) -> WasmFunction:
        """Whether nothing refuses an event."""

        def body(here: CodeContext) -> Instruction:
            since = self.unit.allocations
            asked = [self.expressions.value(each.condition, here)
                     for each in requirements(transition)]  # fmt: skip
            keep, held = here.hold(all_of(asked))
            return sequence(self.expressions.giving_back(since, here, keep), held)

        return self._function("allows", transition, I32, body)

    def marking(self, transition: c.Transition) -> WasmFunction:
        """Marks the requirements that refuse an event."""
        needed = requirements(transition)
        return self._function("marks", transition, None, lambda here: self.marks_of(needed, here))

    def marks_of(self, needed: Sequence[c.Requirement], here: CodeContext) -> Instruction:
        """Marks the requirements that do not hold. One without a value is passed over if another
        before it does not hold."""
        any_ = here.function.local(I32)
        codes = []
        for number, each in enumerate(needed):
            place = const(self.marks + number)

            def ask(
                inside: CodeContext, each: c.Requirement = each, place: Instruction = place
            ) -> Instruction:
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

    # ---- doing

    def take(self, transition: c.Transition) -> WasmFunction:
        """Runs the body of a transition."""
        before = self.unit.before

        def body(here: CodeContext) -> Instruction:
            since = self.unit.allocations
            code = self.statements.run(transition.body, here)
            if self.watched or mentions_old(transition.body, self.unit):
                code = sequence(self.remember(), code)
            if self.log is not None:
                over = both(self.is_final(), load(I32, const(self.ended_by)).eq(0))
                noted = store(load(I32, const(self.log.at)), const(self.ended_by))
                code = sequence(self.log.note(transition.name), code, choose(over, noted))
            return self.expressions.giving_back(since, here, code)

        return self._function("take", transition, None, body, before)

    def is_final(self) -> Instruction:
        """Whether the game is over."""
        place = self.unit.layout.places["phase"]
        phase = value_at(place.kept, const(STATE + place.offset))
        code = const(0)
        for number, each in enumerate(self.instance.spec.phases):
            if each.final:
                code = either(phase.eq(number), code)
        return code

    def remember(self) -> Instruction:
        """Keeps the state as the one before."""
        return copy(const(self.unit.before), const(STATE), self.unit.layout.size)

    def due(self) -> WasmFunction:
        """The number of the first step whose conditions all hold, -1 if there is none."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, (), I32)

            def body(here: CodeContext) -> Instruction:
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

    def settle(self) -> WasmFunction:
        """Runs steps for as long as one is due."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name)
            self.unit.define(made, {}, STATE, STATE, lambda here: self.steps_due(here, sequence))
            return made

        return self.unit.shared("settle", make)

    def steps_due(self, here: CodeContext, after: Callable[[], Instruction]) -> Instruction:
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

    def _endless(self, step: c.Transition, here: CodeContext) -> Instruction:
        message = f"the steps do not stop, among them `{step.name}`"
        return self.unit.fail(here, step.span, lambda: message, endless=True)

    # ---- events in memory

    def called(
        self, function: WasmFunction, here: CodeContext, *arguments: Instruction
    ) -> Instruction:
        """A call, passing a failure on."""
        self.unit.called(function)
        call = function(*arguments)
        if not function.fails:
            return call
        if function.result is None:
            return sequence(call, self.unit.passing_on(here))
        keep, held = here.hold(call)
        return sequence(keep, self.unit.passing_on(here), held)

    def of_event(
        self, name: str, result: str | None, make: Callable[[c.Transition], WasmFunction]
    ) -> WasmFunction:
        """A function of an event in memory, by its address: what `make` makes for each."""

        def build(name: str) -> WasmFunction:
            made = self.unit.module.function(name, [I32], result)
            record = made.params[0].value

            def body(here: CodeContext) -> Instruction:
                cases = []
                for number, each in enumerate(self.events.transitions):
                    if each.kind == "step" or self.only not in (None, number):
                        cases.append(sequence(self.unit.stop(NOT_COMPILED)))
                        continue
                    given = self.events.arguments(each, record)
                    call = self.called(make(each), here, *given)
                    cases.append(call if result is None else made.leave(call))
                code = self.chosen(load(I32, record), cases)
                return code if result is None else sequence(code, const(0, result))

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(name, build)

    def chosen(self, number: Instruction, cases: list[Instruction]) -> Instruction:
        """The case with a number."""
        if not cases:
            return sequence()
        if len(cases) == 1:
            return cases[0] if cases[0].type != NEVER else sequence(cases[0])
        if len(cases) == 2:
            return choose(number, cases[1], cases[0])
        out, labels = Label(), [Label() for _ in cases]
        code = block(labels[0], switch(number, labels))
        for place, case in enumerate(cases):
            following = labels[place + 1] if place + 1 < len(cases) else out
            inside = sequence(code, case, branch_if(out, const(1)))
            code = block(following, inside)
        return code
