"""Properties and results: what must hold in a position and of a transition, who has won."""

from __future__ import annotations

from checker.meaning import core as c
from checker.play.rules import results
from checker.wasm.code import I32, I64, Code, choose, const, sequence, store, wide
from checker.wasm.expressions import Expressions
from checker.wasm.module import Function
from checker.wasm.unit import STATE, Here, Unit


class Properties:
    """Compiles the claims of a spec."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit: Unit = expressions.unit
        self.instance = expressions.unit.instance
        known = [each for each in self.instance.spec.properties
                 if each.name not in self.instance.accepted]  # fmt: skip
        self.watched: list[c.Property] = [
            each for kind in ("always", "invariant") for each in known if each.kind == kind
        ]
        """What is watched, in the order in which it is looked at."""
        self.marks = self.unit.reserve(len(self.watched))
        """A byte for each: whether it does not hold."""

    def broken(self, kinds: tuple[str, ...]) -> Function:
        """The number (from 1) of the first property of these kinds that does not hold, 0 if all
        do."""

        def make(name: str) -> Function:
            made = self.unit.module.function(name, (), I32)

            def body(here: Here) -> Code:
                codes = []
                for number, each in enumerate(self.watched):
                    if each.kind in kinds:
                        holds = self._holds(each, here)
                        codes.append(choose(holds, sequence(), made.leave(number + 1)))
                return sequence(*codes, const(0))

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(f"broken {' '.join(kinds)}", make)

    def marking(self, kind: str) -> Function:
        """Marks each property of a kind that does not hold."""

        def make(name: str) -> Function:
            made = self.unit.module.function(name)

            def body(here: Here) -> Code:
                codes = []
                for number, each in enumerate(self.watched):
                    if each.kind == kind:
                        holds = self._holds(each, here)
                        codes.append(store(~holds, const(self.marks + number), 0, 1))
                return sequence(*codes)

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(f"mark {kind}", make)

    def _holds(self, claim: c.Property, here: Here) -> Code:
        """Whether a property holds: of the state, or of it and the one before."""
        before = self.unit.before if claim.kind == "always" else STATE
        at = Here(here.function, {}, STATE, before, here.catch)
        since = self.unit.allocations
        keep, holds = at.hold(self.expressions.value(claim.claim, at))
        return sequence(self.expressions.giving_back(since, at, keep), holds)

    def of_player(self, name: str) -> Function | None:
        """A function of one player that says how a game has ended, None if there is no such."""
        found = next((each for each in results(self.instance) if each.name == name), None)
        if found is None:
            return None
        function = found

        def make(label: str) -> Function:
            made = self.unit.module.function(label, [I32], I64)
            param = function.params[0]
            env = {param.name: (made.params[0].value, param.type)}

            def body(here: Here) -> Code:
                since = self.unit.allocations
                keep, held = here.hold(wide(self.expressions.value(function.body, here)))
                return sequence(self.expressions.giving_back(since, here, keep), held)

            self.unit.define(made, env, STATE, STATE, body)
            return made

        return self.unit.shared(f"result {name}", make)
