"""Lists what can happen: the legal moves of a player, what chance may decide with its weight."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.rules import requirements
from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    Instruction,
    choose,
    const,
    either,
    sequence,
    wide,
)
from rulewright.wasm.assembler.module import WasmFunction
from rulewright.wasm.codegen.compilation_unit import STATE, CodeContext, CompilationUnit
from rulewright.wasm.codegen.memory_access import counted, value_at
from rulewright.wasm.moves.choice_loops import run
from rulewright.wasm.moves.choices import Choices
from rulewright.wasm.moves.events import Events
from rulewright.wasm.moves.proposals import Proposals
from rulewright.wasm.moves.transitions import Transitions


class MoveLister:
    """Compiles the listing of events."""

    def __init__(self, transitions: Transitions) -> None:
        self.transitions = transitions
        self.expressions = transitions.expressions
        self.unit: CompilationUnit = transitions.unit
        self.instance = transitions.instance
        self.events: Events = transitions.events
        self.choices = Choices(transitions.expressions)
        self.proposals = Proposals(self)

    def of(self, transition: c.Transition) -> WasmFunction:
        """Adds the events of one transition to the list; a move is that of the player given."""

        def make(name: str) -> WasmFunction:
            moves = transition.mover is not None
            made = self.unit.module.function(name, [I32] if moves else [])
            env: dict[str, tuple[Instruction, y.Type]] = {}
            if transition.mover is not None:
                env[transition.mover] = (made.params[0].value, self.instance.player)
            self.unit.define(made, env, STATE, STATE, lambda here: self._events(transition, here))
            return made

        return self.unit.shared(f"list {transition.name}", make)

    def _events(self, transition: c.Transition, here: CodeContext) -> Instruction:
        if transition.proposals:
            return self.proposals.events_of(transition, here)
        types: dict[str, y.Type] = {param.name: param.type for param in transition.params}
        needed = [each.condition for each in requirements(transition)]
        task = self.choices.task(types, needed)

        def found(inside: CodeContext) -> Instruction:
            weight = None
            if transition.kind == "chance":
                weight = self.weight(transition, inside)
            return self.events.append(transition, inside, weight)

        return run(self.choices, task, here, found)

    def weight(self, transition: c.Transition, here: CodeContext) -> Instruction:
        """How likely an event is, compared with others."""
        if transition.weight is None:
            return const(1, I64)
        return wide(self.expressions.value(transition.weight, here))

    def in_phase(self, transition: c.Transition) -> Instruction:
        """Whether the game is in a phase of a transition: what its first requirement says."""
        place = self.unit.layout.places["phase"]
        names = [phase.name for phase in self.instance.spec.phases]
        numbers = [names.index(phase) for phase in transition.phases]
        if not numbers or len(numbers) == len(names):
            return const(1)

        phase = value_at(place.kept, const(STATE + place.offset))
        code = const(0)
        for number in numbers:
            code = either(phase.eq(number), code)
        return code

    def all_moves(self, proposed: bool = True) -> WasmFunction:
        """Lists the legal moves of all players, in the order of the file, then of players; with or
        without those that are too many to list, and are proposed."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name)

            def body(here: CodeContext) -> Instruction:
                players = self.instance.players
                codes: list[Instruction] = [self.events.next.set(self.events.list)]
                for move in self.instance.of_kind("move"):
                    if move.proposals and not proposed:
                        continue
                    each = counted(self.unit, here, 1, players, lambda player, move=move:
                                   self.transitions.called(self.of(move), here, player))  # type: ignore[misc]  # fmt: skip
                    codes.append(choose(self.in_phase(move), each))
                return sequence(*codes)

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(f"all moves {proposed}", make)

    def outcomes(self) -> WasmFunction:
        """Lists what chance may decide."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name)

            def body(here: CodeContext) -> Instruction:
                chances: Sequence[c.Transition] = self.instance.of_kind("chance")
                return sequence(
                    self.events.next.set(self.events.list),
                    *(choose(self.in_phase(each), self.transitions.called(
                        self.of(each), here)) for each in chances),
                )  # fmt: skip

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared("outcomes", make)
