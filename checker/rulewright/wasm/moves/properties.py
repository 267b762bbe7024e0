"""Properties and results: what must hold in a position and of a transition, who has won."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.meaning import core as c
from rulewright.play.semantics.rules import results
from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    Instruction,
    choose,
    const,
    sequence,
    wide,
)
from rulewright.wasm.assembler.memory_instructions import store
from rulewright.wasm.assembler.module import WasmFunction
from rulewright.wasm.codegen.compilation_unit import STATE, CodeContext, CompilationUnit
from rulewright.wasm.codegen.expressions import ExpressionCompiler

WATCHED = ("always", "invariant", "possible")
"""What can be looked for in games, in the order in which it is looked at."""


class Properties:
    """Compiles the claims of a spec."""

    def __init__(
        self, expressions: ExpressionCompiler, watch: Sequence[c.Property] | None = None
    ) -> None:
        """What is watched is given, or all that the spec says must hold."""
        self.expressions = expressions
        self.unit: CompilationUnit = expressions.unit
        self.instance = expressions.unit.instance
        known = [each for each in self.instance.spec.properties
                 if each.name not in self.instance.accepted]  # fmt: skip
        self.watched: list[c.Property] = [
            each
            for kind in (("always", "invariant") if watch is None else WATCHED)
            for each in (known if watch is None else watch)
            if each.kind == kind
        ]
        """What is watched, in the order in which it is looked at."""
        self.marks = self.unit.reserve(len(self.watched))
        """A byte for each: whether it does not hold."""

    def broken(self, kinds: tuple[str, ...]) -> WasmFunction:
        """The number (from 1) of the first property of these kinds that does not hold, 0 if all
        do."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, (), I32)

            def body(here: CodeContext) -> Instruction:
                codes = []
                for number, each in enumerate(self.watched):
                    if each.kind in kinds:
                        holds = self._holds(each, here)
                        codes.append(choose(holds, sequence(), made.leave(number + 1)))
                return sequence(*codes, const(0))

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(f"broken {' '.join(kinds)}", make)

    def marking(self, kind: str) -> WasmFunction:
        """Marks each property of a kind that does not hold."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name)

            def body(here: CodeContext) -> Instruction:
                codes = []
                for number, each in enumerate(self.watched):
                    if each.kind == kind:
                        holds = self._holds(each, here)
                        codes.append(store(~holds, const(self.marks + number), 0, 1))
                return sequence(*codes)

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(f"mark {kind}", make)

    def holds(self, claim: c.Property) -> WasmFunction:
        """Whether a property is true of the state, or of it and the one before."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, (), I32)
            self.unit.define(made, {}, STATE, STATE, lambda here: self._holds(claim, here))
            return made

        return self.unit.shared(f"claim {claim.kind} {id(claim)}", make)

    def _holds(self, claim: c.Property, here: CodeContext) -> Instruction:
        """Whether a property holds: of the state, or of it and the one before."""
        before = self.unit.before if claim.kind == "always" else STATE
        at = CodeContext(here.function, {}, STATE, before, here.catch)
        since = self.unit.allocations
        keep, holds = at.hold(self.expressions.value(claim.claim, at))
        return sequence(self.expressions.giving_back(since, at, keep), holds)

    def of_player(self, name: str) -> WasmFunction | None:
        """A function of one player that says how a game has ended, None if there is no such."""
        found = next((each for each in results(self.instance) if each.name == name), None)
        if found is None:
            return None
        function = found

        def make(label: str) -> WasmFunction:
            made = self.unit.module.function(label, [I32], I64)
            param = function.params[0]
            env = {param.name: (made.params[0].value, param.type)}

            def body(here: CodeContext) -> Instruction:
                since = self.unit.allocations
                keep, held = here.hold(wide(self.expressions.value(function.body, here)))
                return sequence(self.expressions.giving_back(since, here, keep), held)

            self.unit.define(made, env, STATE, STATE, body)
            return made

        return self.unit.shared(f"result {name}", make)
