"""The module of a game: everything that can be asked of it, put together.

What is not asked for is left out, for compiling takes time: `ask` is what a referee needs (the
legal moves, whether an event is allowed and what refuses it, what follows from it), `play` games at
random, `explore` the counting of lines and positions.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from checker.play.beginning import initial_positions
from checker.play.errors import UsageError
from checker.play.instance import Instance
from checker.wasm.chance import Chance
from checker.wasm.code import I32, I64, Code, const, load, sequence, store
from checker.wasm.events import Events
from checker.wasm.exploring import Exploring
from checker.wasm.expressions import Expressions
from checker.wasm.generator import Generator
from checker.wasm.listing import Listing
from checker.wasm.module import Function
from checker.wasm.near_misses import NearMisses
from checker.wasm.playing import Playing
from checker.wasm.program import ARENA, MOST_MEMORY
from checker.wasm.properties import Properties
from checker.wasm.transitions import Transitions
from checker.wasm.unit import Here, Unit

PARTS = frozenset(("ask", "play", "explore"))
MOST_BEGINNINGS = 1024
"""Positions to begin with that random games choose from; of more, only the first so many."""


class Compiled:
    """The module of an instance. With `watched`, games at random and exploring look at the
    properties of the spec."""

    def __init__(
        self, instance: Instance, watched: bool = False, parts: frozenset[str] = PARTS
    ) -> None:
        if not instance.spec.phases:
            message = f"`{instance.spec.name}` has no phases, so there is nothing to play"
            raise UsageError(message, "declare them: `phase play, over final`")
        self.instance = instance
        self.unit = Unit(instance)
        self.expressions = Expressions(self.unit)
        self.events = Events(self.unit)
        self.transitions = Transitions(self.expressions, self.events, watched)
        self.listing = Listing(self.transitions)
        self.generator = Generator(self.unit)
        self.chance = Chance(self.listing, self.generator)
        self.properties = Properties(self.expressions)
        self.misses = NearMisses(self.transitions, self.generator)
        self.playing = Playing(
            self.listing, self.chance, self.generator, self.properties, self.misses
        )
        self.exploring = Exploring(self.listing, self.playing, self.properties)
        self.end_of_list = self.unit.reserve(8)
        """Where it is said where the list of events ends."""
        self.answer = self.unit.reserve(8)
        """Where the answer to a question is."""
        if "ask" in parts:
            self._ask()
        if "ask" in parts or "play" in parts:
            self._choose()
        if "play" in parts:
            beginnings = islice(initial_positions(instance), MOST_BEGINNINGS)
            self.beginnings = list(beginnings)
            self.playing.begin_with(len(self.beginnings))
            self.playing.games(watched)
        if "explore" in parts:
            self.exploring.entries()
        budget = self.unit.module.function("budget", [I64], None, export=True)
        budget.define(self.unit.work.set(budget.params[0].value))

    def _ask(self) -> None:
        """What a referee asks."""
        unit, called = self.unit, self.transitions.called
        chosen = const(self.events.chosen)

        def listing(function: Callable[[], Function]) -> Callable[[Here], Code]:
            ended = store(self.events.next.value, const(self.end_of_list))
            return lambda here: sequence(called(function(), here), ended)

        unit.entry("legal", (), listing(self.listing.all_moves))
        unit.entry("outcomes", (), listing(self.listing.outcomes))
        allows = self.transitions.of_event("allows event", I32, self.transitions.allows)
        unit.entry("allows", (), lambda here: self._answered(called(allows, here, chosen)))
        marks = self.transitions.of_event("mark event", None, self.transitions.marking)
        unit.entry("failing", (), lambda here: called(marks, here, chosen))
        take = self.transitions.of_event("take event", None, self.transitions.take)
        settle = self.transitions.settle()
        unit.entry("take", (), lambda here: called(take, here, chosen))
        unit.entry("apply", (), lambda here: sequence(
            called(take, here, chosen), called(settle, here)))  # fmt: skip
        for kind in ("invariant", "always"):
            claims = self.properties.marking(kind)
            unit.entry(kind, (), lambda here, claims=claims: called(claims, here))  # type: ignore[misc]
        if self.transitions.steps:
            due = self.transitions.due()
            unit.entry("due", (), lambda here: self._answered(called(due, here)))
            number = load(I32, const(self.answer))
            unit.entry("step", (), lambda here: self.transitions.chosen(number, [
                called(self.transitions.take(each), here) for each in self.transitions.steps
            ]))  # fmt: skip

    def _choose(self) -> None:
        """An event at random."""

        def choosing(here: Here) -> Code:
            seed, number = (each.value for each in here.function.params)
            chosen = self.transitions.called(self.playing.choose(), here)
            return sequence(self.generator.seed()(seed, number), self._answered(chosen))

        self.unit.entry("choose", (I64, I64), choosing)

    def _answered(self, code: Code) -> Code:
        return store(code, const(self.answer))

    def binary(self, memory: int = MOST_MEMORY) -> bytes:
        """The module as a file; it may use so many bytes of memory, up to 4 GB."""
        return self.unit.finish(ARENA, min(memory, 1 << 32))
