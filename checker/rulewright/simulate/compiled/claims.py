"""Properties that somebody asks about, compiled: whether each is true of two states in a row.

What the module cannot say, because a number leaves 64 bits, the evaluator says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.meaning import core as c
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.instance import Instance
from rulewright.simulate.compiled.modules import made, module
from rulewright.wasm.assembler.instructions import Unsupported
from rulewright.wasm.runtime.portable_states import Portable, State
from rulewright.wasm.runtime.wasm_game import WasmGame

Claim = Callable[[State, State], bool]
"""Whether a property is true of the state before and the state now."""


class Claims:
    """The properties that were asked about so far."""

    def __init__(self, instance: Instance, portable: Portable) -> None:
        self._instance = instance
        self._portable = portable
        self._known: dict[int, tuple[c.Property, Claim]] = {}
        """By the identity of a property, which is kept with it so that it stays its own."""

    def of(self, properties: Sequence[c.Property]) -> list[Claim]:
        """What says of each whether it is true; those that are new are compiled in one go."""
        new = [each for each in properties if id(each) not in self._known]
        if new:
            game = made(lambda: module(self._instance, frozenset(("claims",)), claims=new))
            for number, each in enumerate(new):
                self._known[id(each)] = (each, self._claim(game, number, each))
        return [self._known[id(each)][1] for each in properties]

    def _claim(self, game: WasmGame, number: int, property: c.Property) -> Claim:
        name, across = f"claim {number}", property.kind == "always"

        def asked(before: State, now: State) -> bool:
            game.state = now
            if across:
                game.before(before)
            game.call(name)
            return game.answered() != 0

        def slowly(before: State, now: State) -> bool:
            position = self._portable.position
            then = position(before) if across else position(now)
            return bool(evaluate(property.claim, Environment(self._instance, then, position(now))))

        def holds(before: State, now: State) -> bool:
            try:
                return asked(before, now)
            except Unsupported:
                return slowly(before, now)

        return holds
