"""The module of a game: everything that can be asked of it, put together.

What is not asked for is left out, for compiling takes time:

    judge       whether an event is allowed, what refuses it, what follows from it
    rule        whether an event is allowed and what follows from it, no more
    start       which requirements refuse a position to begin with
    list        the legal moves, what chance may decide
    choose      an event at random
    ahead       a game at random, written down event by event
    properties  what does not hold in a position, or from one to the next
    invariants  what does not hold in a position
    results     scores and winners
    claims      whether properties that are given hold
    play        games at random
    explore     the counting of lines and positions
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from random import Random

from rulewright.meaning import core as c
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.initial_states import initial_positions
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import results
from rulewright.play.semantics.values import Position
from rulewright.syntax.node import Node
from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    Instruction,
    Label,
    block,
    branch,
    branch_if,
    choose,
    const,
    loop,
    sequence,
)
from rulewright.wasm.assembler.memory_instructions import copy, fill, load, store
from rulewright.wasm.assembler.module import WasmFunction
from rulewright.wasm.codegen.compilation_unit import STATE, CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import boards
from rulewright.wasm.codegen.expressions import ExpressionCompiler
from rulewright.wasm.moves.chance import Chance
from rulewright.wasm.moves.events import HEAD, LIST, Events
from rulewright.wasm.moves.legal_moves import MoveLister
from rulewright.wasm.moves.near_misses import NearMisses
from rulewright.wasm.moves.properties import Properties
from rulewright.wasm.moves.transitions import Transitions
from rulewright.wasm.runtime.board_packing import Packing
from rulewright.wasm.runtime.queries import ARENA, MOST_MEMORY
from rulewright.wasm.simulate.line_counting import LineCompiler
from rulewright.wasm.simulate.random_numbers import Generator
from rulewright.wasm.simulate.random_play import RandomPlayCompiler
from rulewright.wasm.simulate.state_exploration import ExplorationCompiler

RULING = frozenset(("rule", "results"))
"""What a module is made of that judges events and lists none."""
ASK = frozenset(("judge", "list", "choose", "properties"))
PARTS = frozenset((*ASK, "play", "explore"))
AHEAD = 128
"""Events that are written down in one call."""
MOST_BEGINNINGS = 256
"""Positions to begin with that random games choose from; of more, so many at random."""


def beginnings(instance: Instance) -> list[Position]:
    """The positions that random games choose from to begin with, always the same ones."""
    found = list(islice(initial_positions(instance), MOST_BEGINNINGS + 1))
    if len(found) > MOST_BEGINNINGS:
        found = list(islice(initial_positions(instance, Random(0)), MOST_BEGINNINGS))
    return found


class Ahead(Node):
    """Where events are written down that are played ahead, with the states they lead to: each
    `stride` bytes behind the one before, the state `state` bytes behind the event."""

    at: int
    state: int
    stride: int


class CompiledModule:
    """The module of an instance. With `watched`, games at random and exploring look at the
    properties of the spec."""

    def __init__(
        self,
        instance: Instance,
        watched: bool = False,
        parts: frozenset[str] = PARTS,
        claims: Sequence[c.Property] = (),
        only: int | None = None,
        watch: Sequence[c.Property] | None = None,
        noting: bool = False,
        forgetting: str | None = None,
    ) -> None:
        """`claims` are asked about by their numbers. With `only`, events of other transitions than
        that with the number are left to the evaluator. With `watch`, these are the properties that
        are looked at, and nothing else. With `noting`, games at random say what ended them.
        `forgetting` names a set that is empty again after each event of a game that is written
        down."""
        if not instance.spec.phases:
            message = f"`{instance.spec.name}` has no phases, so there is nothing to play"
            raise UsageError(message, "declare them: `phase play, over final`")
        self.instance = instance
        self.unit = CompilationUnit(instance)
        self.expressions = ExpressionCompiler(self.unit)
        self.events = Events(self.unit, LIST if parts - RULING else 0)
        self.transitions = Transitions(self.expressions, self.events, watched, only, noting)
        self.listing = MoveLister(self.transitions)
        self.generator = Generator(self.unit)
        self.chance = Chance(self.listing, self.generator)
        self.properties = Properties(self.expressions, watch)
        self.misses = NearMisses(self.transitions, self.generator)
        self.playing = RandomPlayCompiler(
            self.listing, self.chance, self.generator, self.properties,
            self.misses if watch is None else None,
        )  # fmt: skip
        self.counting = LineCompiler(self.listing, self.playing)
        self.exploring = ExplorationCompiler(self.counting, self.properties)
        self.end_of_list = self.unit.reserve(8)
        """Where it is said where the list of events ends."""
        self.answer = self.unit.reserve(8)
        """Where the answer to a question is."""
        given = [param.type for each in instance.spec.transitions for param in each.params]
        kinds = [place.kept for place in self.unit.layout.places.values()]
        kinds += [self.unit.layout.kept(each) for each in given]
        self.packing = Packing(
            self.expressions, (board for kept in kinds for _, board in boards(kept))
        )
        self._claims = claims
        self.forgetting = forgetting
        self.ahead: Ahead | None = None
        """Where a game is written down that is played ahead; None if that takes too much."""
        entries: dict[str, Callable[[], None]] = {
            "judge": self._judge, "rule": self._rule, "start": self._start, "list": self._list,
            "choose": self._choose, "properties": self._properties, "results": self._results,
            "invariants": partial(self._broken, "invariant"),
            "claims": self._asked, "ahead": self._ahead,
        }  # fmt: skip
        for part, add in entries.items():
            if part in parts:
                add()
        if "play" in parts:
            self.beginnings = beginnings(instance)
            self.playing.begin_with(len(self.beginnings))
            self.playing.games(watched)
        if "explore" in parts:
            self.exploring.entries()
        budget = self.unit.module.function("budget", [I64], None, export=True)
        budget.define(self.unit.given.set(budget.params[0].value))
        left = self.unit.module.function("work left", (), I64, export=True)
        left.define(self.unit.work.value)

    def _list(self) -> None:
        """What can happen."""

        def listing(function: Callable[[], WasmFunction]) -> Callable[[CodeContext], Instruction]:
            ended = store(self.events.next.value, const(self.end_of_list))
            return lambda here: sequence(self.transitions.called(function(), here), ended)

        self.unit.entry("legal", (), listing(self.listing.all_moves))
        self.unit.entry("listed", (), listing(lambda: self.listing.all_moves(proposed=False)))
        self.unit.entry("outcomes", (), listing(self.listing.outcomes))

    def _judge(self) -> None:
        """What a referee asks of an event."""
        unit, called = self.unit, self.transitions.called
        chosen = const(self.events.chosen)
        self._rule()
        marks = self.transitions.of_event("mark event", None, self.transitions.marking)
        unit.entry("failing", (), lambda here: called(marks, here, chosen))
        take = self.transitions.of_event("take event", None, self.transitions.take)
        unit.entry("take", (), lambda here: called(take, here, chosen))
        allows = self.transitions.of_event("allows event", I32, self.transitions.allows)
        settle = self.transitions.settle()
        unit.entry("attempt", (), lambda here: sequence(
            self._answered(called(allows, here, chosen)),
            choose(load(I32, const(self.answer)),
                   sequence(called(take, here, chosen), called(settle, here)),
                   called(marks, here, chosen)),
        ))  # fmt: skip
        unit.entry("follow", (I32,), self._follow)
        if self.transitions.steps:
            due = self.transitions.due()
            unit.entry("due", (), lambda here: self._answered(called(due, here)))
            number = load(I32, const(self.answer))
            unit.entry("step", (), lambda here: self.transitions.chosen(number, [
                called(self.transitions.take(each), here) for each in self.transitions.steps
            ]))  # fmt: skip

    def _follow(self, here: CodeContext) -> Instruction:
        """Makes so many events of the list happen one after the other, each with work of its own,
        up to the first that is refused; the answer is how many did."""
        unit, called, events = self.unit, self.transitions.called, self.events
        record, done = here.function.local(I32), here.function.local(I32)
        allows = self.transitions.of_event("allows event", I32, self.transitions.allows)
        take = self.transitions.of_event("take event", None, self.transitions.take)
        beside = [
            choose(load(I32, record.value).eq(number), put)
            for number, put in events.found_beside(record.value).items()
        ]
        out, again = Label(), Label()
        return sequence(record.set(events.list), block(out, loop(again, sequence(
            self._answered(done.value),
            branch_if(out, done.value.ge(here.function.params[0].value)),
            unit.work.set(unit.given.value),
            unit.free_all(),
            *beside,
            branch_if(out, ~called(allows, here, record.value)),
            called(take, here, record.value),
            called(self.transitions.settle(), here),
            record.set(record.value + events.long),
            done.set(done.value + 1),
            branch(again),
        ))))  # fmt: skip

    def _rule(self) -> None:
        """Whether an event is allowed, and where it leads with the steps it sets off."""
        called, chosen = self.transitions.called, const(self.events.chosen)
        allows = self.transitions.of_event("allows event", I32, self.transitions.allows)
        self.unit.entry("allows", (), lambda here: self._answered(called(allows, here, chosen)))
        take = self.transitions.of_event("take event", None, self.transitions.take)
        settle = self.transitions.settle()
        self.unit.entry("apply", (), lambda here: sequence(
            called(take, here, chosen), called(settle, here)))  # fmt: skip
        self.unit.entry("try", (), lambda here: sequence(
            self._answered(called(allows, here, chosen)),
            choose(load(I32, const(self.answer)), sequence(
                called(take, here, chosen), called(settle, here))),
        ))  # fmt: skip

    def _start(self) -> None:
        """What is required of a position to begin with."""
        start = self.instance.spec.start
        self.unit.entry("refuses start", (), lambda here: self.transitions.marks_of(start, here))

    def _properties(self) -> None:
        """What does not hold."""
        for kind in ("invariant", "always"):
            self._broken(kind)

    def _broken(self, kind: str) -> None:
        """What does not hold of one kind."""
        marks = self.properties.marking(kind)
        self.unit.entry(kind, (), lambda here: self.transitions.called(marks, here))

    def _asked(self) -> None:
        """Whether properties hold that somebody asks about, each by its number."""
        for number, each in enumerate(self._claims):
            holds = self.properties.holds(each)
            self.unit.entry(
                f"claim {number}", (),
                lambda here, holds=holds: self._answered(self.transitions.called(holds, here)),  # type: ignore[misc]
            )  # fmt: skip

    def _results(self) -> None:
        """What a result comes to for a player."""
        for each in results(self.instance):
            function = self.properties.of_player(each.name)
            assert function is not None

            def result(here: CodeContext, function: WasmFunction = function) -> Instruction:
                player = here.function.params[0].value
                value = self.transitions.called(function, here, player)
                return store(value, const(self.answer))

            self.unit.entry(f"result {each.name}", (I32,), result)

    def _choose(self) -> None:
        """An event at random: any, one that chance decides, or a proposed move of a player."""
        called, instance = self.transitions.called, self.instance

        def seeded(here: CodeContext, choice: Instruction) -> Instruction:
            seed, number = (each.value for each in here.function.params[:2])
            return sequence(self.generator.seed()(seed, number), self._answered(choice))

        self.unit.entry(
            "choose", (I64, I64), lambda here: seeded(here, called(self.playing.choose(), here))
        )
        self.unit.entry(
            "draw", (I64, I64), lambda here: seeded(here, called(self.playing.draw(), here))
        )
        for move in instance.of_kind("move"):
            if move.proposals:
                propose = self.listing.proposals.any_of(move, self.generator)
                self.unit.entry(
                    f"propose {move.name}", (I64, I64, I32),
                    lambda here, propose=propose: seeded(  # type: ignore[misc]
                        here, called(propose, here, here.function.params[2].value)),
                )  # fmt: skip

    def _ahead(self) -> None:
        """Plays so many events at random, each with work of its own, and writes each down with the
        state that it leads to; the answer is how many there are."""
        layout, events, unit = self.unit.layout, self.events, self.unit
        happening = [each.name for each in events.transitions if each.kind != "step"]
        if layout.size != layout.fixed or any(name not in events.beside for name in happening):
            return
        stride = events.long + layout.fixed
        if stride * AHEAD > LIST:
            return
        self.ahead = Ahead(unit.reserve(stride * AHEAD), events.long, stride)
        unit.entry("ahead", (I64, I32), self._written_down)

    def _written_down(self, here: CodeContext) -> Instruction:
        unit, called, events, ahead = self.unit, self.transitions.called, self.events, self.ahead
        assert ahead is not None
        seed, most = (each.value for each in here.function.params)
        at, count, chosen = here.function.local(I32), here.function.local(I32), const(events.chosen)
        number = load(I32, chosen)
        beside = [
            choose(number.eq(events.numbers[name]), sequence(*(
                copy(at.value + (events.size + behind),
                     load(I32, chosen, HEAD + 8 * place), size)
                for place, behind, size in places
            )))
            for name, places in events.beside.items()
            if places
        ]  # fmt: skip
        take = self.transitions.of_event("take event", None, self.transitions.take)
        forget: Instruction = sequence()
        if self.forgetting is not None:
            place = unit.layout.places[self.forgetting]
            forget = fill(const(STATE + place.offset), 0, place.kept.size)
        out, again = Label(), Label()
        return sequence(
            self.generator.seed()(seed, const(0, I64)),
            at.set(ahead.at),
            block(out, loop(again, sequence(
                self._answered(count.value),
                branch_if(out, count.value.ge(most)),
                unit.work.set(unit.given.value),
                unit.free_all(),
                branch_if(out, ~called(self.playing.choose(), here)),
                copy(at.value, chosen, events.size),
                *beside,
                called(take, here, chosen),
                called(self.transitions.settle(), here),
                copy(at.value + events.long, const(STATE), unit.layout.fixed),
                forget,
                at.set(at.value + ahead.stride),
                count.set(count.value + 1),
                branch(again),
            ))),
        )  # fmt: skip

    def _answered(self, code: Instruction) -> Instruction:
        return store(code, const(self.answer))

    def binary(self, memory: int = MOST_MEMORY, arena: int = ARENA) -> bytes:
        """The module as a file; it may use so many bytes of memory, up to 4 GB, and for one event
        what an arena has."""
        return self.unit.finish(arena, min(memory, 1 << 32))
