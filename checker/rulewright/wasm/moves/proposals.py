"""Moves that are too many to list, and are proposed: their first argument comes from proposals.

What is listed is legal, but what is legal need not be listed. A value that several proposals come
to is listed once. At random, proposals and the names in them are gone through in any order, until
one comes to a legal move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.rules import requirements
from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    Instruction,
    Label,
    block,
    branch_if,
    choose,
    const,
    loop,
    narrow,
    sequence,
    unary,
    whilst,
)
from rulewright.wasm.assembler.memory_instructions import load, store
from rulewright.wasm.assembler.module import WasmFunction, WasmVariable
from rulewright.wasm.codegen.compilation_unit import STATE, CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import register
from rulewright.wasm.moves.choice_loops import run
from rulewright.wasm.moves.choices import Choices, ChoiceTask, Test
from rulewright.wasm.moves.events import HEAD, Events

if TYPE_CHECKING:
    from rulewright.wasm.moves.legal_moves import MoveLister
    from rulewright.wasm.simulate.random_numbers import Generator


class Proposals:
    """Compiles the proposals of moves."""

    def __init__(self, listing: MoveLister) -> None:
        self.listing = listing
        self.expressions = listing.expressions
        self.choices: Choices = listing.choices
        self.unit: CompilationUnit = listing.unit
        self.instance = listing.instance
        self.events: Events = listing.events
        self.places: dict[tuple[str, str], int] = {}

    def place(self, move: c.Transition, proposal: c.Proposal) -> int:
        """Where it is counted how often random games took what a proposal says."""
        key = (move.name, proposal.name)
        if key not in self.places:
            self.places[key] = self.unit.reserve(8)
        return self.places[key]

    def _tasks(self, move: c.Transition) -> tuple[ChoiceTask, ChoiceTask]:
        """What is asked before a value is proposed, and what is chosen and asked after."""
        types: dict[str, y.Type] = {param.name: param.type for param in move.params[1:]}
        needed = [each.condition for each in requirements(move)]
        whole = self.choices.task(types, needed)
        names = {param.name for param in move.params}
        early: list[Test] = []
        late: list[Test] = []
        for test in whole.tests:
            free = self.unit.facts.of(test.condition).names
            (late if free & names else early).append(test)
        return ChoiceTask((), {}, tuple(early)), ChoiceTask(whole.leaves, whole.maps, tuple(late))

    def _value(
        self, move: c.Transition, proposal: c.Proposal, here: CodeContext
    ) -> tuple[Instruction, CodeContext]:
        """Code that works out a proposed value, and the place where it is the first argument."""
        first = move.params[0]
        message = f"the proposal `{proposal.name}` leaves {y.show(first.type)}"
        value = self.expressions.value(proposal.value, here)
        checked = self.expressions.checks.checked(
            value, proposal.value.type, first.type, "", proposal.span, here, whole=message
        )
        keep, held = here.hold(checked)
        return keep, here.bind(first.name, held, first.type)

    def _completed(
        self,
        move: c.Transition,
        late: ChoiceTask,
        here: CodeContext,
        found: Callable[[CodeContext], Instruction],
    ) -> Instruction:
        """Runs `found` for each legal move with the first argument that is known here."""
        if late.leaves:
            return run(self.choices, late, here, found)
        assert move.mover is not None
        given = [here.env[name][0] for name in (move.mover, move.params[0].name)]
        judged = self.listing.transitions.called(self._judge(move, late), here, *given)
        return choose(judged, found(here))

    def _judge(self, move: c.Transition, late: ChoiceTask) -> WasmFunction:
        """Whether what is asked of a proposed value holds."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, self.events.registers(move), I32)
            env = self.events.names(move, [each.value for each in made.params])

            def body(here: CodeContext) -> Instruction:
                mark = made.local(I32)
                leave = sequence(self.unit.top.set(mark.value), made.leave(1))
                asked = run(self.choices, late, here, lambda _: leave)
                return sequence(
                    mark.set(self.unit.top.value), asked, self.unit.top.set(mark.value), const(0)
                )

            self.unit.define(made, env, STATE, STATE, body)
            return made

        return self.unit.shared(f"judge {move.name}", make)

    # ---- all of them

    def events_of(self, move: c.Transition, here: CodeContext) -> Instruction:
        """Adds the legal moves that are proposed to the list, each once."""
        early, late = self._tasks(move)
        since, before = here.function.local(I32), here.function.local(I32)

        def candidates(inside: CodeContext) -> Instruction:
            return sequence(*(self._each(move, each, late, inside, since, before)
                              for each in move.proposals))  # fmt: skip

        return sequence(
            since.set(self.events.next.value), run(self.choices, early, here, candidates)
        )

    def _each(
        self, move: c.Transition, proposal: c.Proposal, late: ChoiceTask, here: CodeContext,
        since: WasmVariable, before: WasmVariable,
    ) -> Instruction:  # fmt: skip
        def candidate(inside: CodeContext) -> Instruction:
            count = self.unit.allocations
            keep, at = self._value(move, proposal, inside)

            def found(here: CodeContext) -> Instruction:
                fresh = self._is_new(move, here, since, before)
                return choose(fresh, self.events.append(move, here))

            add = self._completed(move, late, at, found)
            code = sequence(keep, before.set(self.events.next.value), add)
            return self.expressions.giving_back(count, inside, code)

        return self.expressions.domains.each(proposal.binders, proposal.where, here, candidate)

    def _is_new(
        self, move: c.Transition, here: CodeContext, since: WasmVariable, before: WasmVariable
    ) -> Instruction:
        """Whether no event listed before this candidate has the same first argument."""
        first = move.params[0]
        value, _ = here.env[first.name]
        record, fresh = here.function.local(I32), here.function.local(I32)
        out, again = Label(), Label()
        raw = load(I64, record.value, HEAD)
        wanted = register(self.unit.layout.kept(first.type))
        other = raw if wanted == I64 else narrow(raw)
        same = self.expressions.checks.equal(value, other, first.type, here)
        return sequence(
            fresh.set(1),
            record.set(since.value),
            block(out, loop(again, sequence(
                branch_if(out, record.value.ge(before.value)),
                choose(same, fresh.set(0)),
                branch_if(out, ~fresh.value),
                record.set(record.value + self.events.size),
                branch_if(again, const(1)),
            ))),
            fresh.value,
        )  # fmt: skip

    # ---- one at random

    def any_of(self, move: c.Transition, generator: Generator) -> WasmFunction:
        """Puts a legal move of a player where the next event is, and says whether there is one."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, [I32], I32)
            assert move.mover is not None
            env = {move.mover: (made.params[0].value, self.instance.player)}
            self.unit.define(made, env, STATE, STATE, lambda here: self._any(
                move, made, here, generator))  # fmt: skip
            return made

        return self.unit.shared(f"propose {move.name}", make)

    def _any(
        self, move: c.Transition, made: WasmFunction, here: CodeContext, generator: Generator
    ) -> Instruction:
        early, late = self._tasks(move)
        chosen = const(self.events.chosen)

        def trying(proposal: c.Proposal, outside: CodeContext) -> Instruction:
            """Tries one proposal, in a function of its own: a large one takes long to compile."""
            held = outside.env.values()
            kinds = [register(self.unit.layout.kept(type)) for _, type in held]
            name = f"try {move.name}.{proposal.name}"
            one = self.unit.module.function(name, kinds, I32)
            env = {
                name: (param.value, type)
                for param, (name, (_, type)) in zip(one.params, outside.env.items())
            }
            self.unit.define(one, env, STATE, STATE, lambda here: sequence(
                tried(proposal, one, here), const(0)))  # fmt: skip
            given = [code for code, _ in held]
            called = self.listing.transitions.called(one, outside, *given)
            return choose(called, made.leave(1))

        def tried(proposal: c.Proposal, one: WasmFunction, inside: CodeContext) -> Instruction:
            place = const(self.place(move, proposal))

            def found(inside: CodeContext) -> Instruction:
                counted = store(load(I64, place) + 1, place)
                return sequence(self.events.put(move, chosen, inside), counted, one.leave(1))

            def candidate(at: CodeContext) -> Instruction:
                count = self.unit.allocations
                keep, with_value = self._value(move, proposal, at)
                code = sequence(keep, self._completed(move, late, with_value, found))
                return self.expressions.giving_back(count, at, code)

            below: Callable[[Instruction], Instruction] = generator.below(small=False)
            return self.expressions.domains.in_any_order(
                proposal.binders, proposal.where, inside, candidate, below
            )

        def candidates(inside: CodeContext) -> Instruction:
            left, count, pick = made.local(I32), made.local(I32), made.local(I32)
            number, rest = made.local(I32), made.local(I32)
            cases = [trying(each, inside) for each in move.proposals]
            many = len(cases)
            return sequence(
                left.set((1 << many) - 1),
                count.set(many),
                whilst(
                    count.value.gt(0),
                    pick.set(generator.below(small=False)(count.value)),
                    rest.set(left.value),
                    whilst(pick.value.gt(0),
                           rest.set(rest.value & (rest.value - 1)), pick.set(pick.value - 1)),
                    number.set(unary("ctz", rest.value)),
                    left.set(left.value ^ (const(1) << number.value)),
                    count.set(count.value - 1),
                    self.listing.transitions.chosen(number.value, cases),
                ),
            )  # fmt: skip

        return sequence(run(self.choices, early, here, candidates), const(0))
