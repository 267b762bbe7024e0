"""Games at random, played inside the module: many in one call.

Where chance decides, an outcome is drawn with its true odds. Where players decide, one of those who
can move is chosen, all equally likely, and then one of the moves that player has. In a phase with
both, one or the other comes first, half of the time each. Where some moves are too many to list, a
kind of move is chosen first, and one that is proposed is taken as soon as it is legal.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.rules import requirements
from rulewright.wasm.analysis.domain_pruning import conjuncts
from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    Instruction,
    Label,
    binary,
    block,
    branch,
    branch_if,
    choose,
    const,
    loop,
    sequence,
    unary,
    whilst,
    wide,
)
from rulewright.wasm.assembler.memory_instructions import copy, load, store
from rulewright.wasm.assembler.module import WasmFunction
from rulewright.wasm.codegen.compilation_unit import STATE, CodeContext, CompilationUnit
from rulewright.wasm.codegen.memory_access import counted, value_at
from rulewright.wasm.moves.chance import Chance
from rulewright.wasm.moves.events import Events
from rulewright.wasm.moves.legal_moves import MoveLister
from rulewright.wasm.moves.move_selection import Candidates
from rulewright.wasm.moves.near_misses import NearMisses
from rulewright.wasm.moves.properties import Properties
from rulewright.wasm.simulate.random_numbers import Generator

FINISHED, STUCK, ENDLESS = range(3)
"""How a game ends: it is over, nothing can happen, it has gone on for long enough."""
BROKEN = -1
"""A property does not hold, and play stops there."""
PROPOSED = 4
"""Once in so many times, what is proposed is tried first."""
BATCH = 1024
"""Games in one call."""


class RandomPlayCompiler:
    """Compiles random play. In watched games near misses of an event are tried before it happens,
    and the properties of the spec are looked at after every transition."""

    def __init__(
        self,
        listing: MoveLister,
        chance: Chance,
        generator: Generator,
        properties: Properties,
        misses: NearMisses | None,
    ) -> None:
        self.listing = listing
        self.chance = chance
        self.generator = generator
        self.properties = properties
        self.misses = misses
        self.candidates = Candidates(listing, generator)
        self.transitions = listing.transitions
        self.unit: CompilationUnit = listing.unit
        self.instance = listing.instance
        self.events: Events = listing.events
        count = len(self.events.transitions)
        self.counts = self.unit.reserve(8 * count)
        """How often each transition that is an event has happened."""
        self.game = self.unit.reserve(8)
        self.happened = self.unit.reserve(8)
        """The number of the game that is being played, and of events in it so far."""
        self.found = self.unit.reserve(8)
        """The number (from 1) of a property that does not hold."""
        self.work_done = self.unit.reserve(8)
        """The work that all events took, where what ends games is noted."""
        self.ended = self.unit.reserve(8)
        """How a game ended that was seen event by event."""
        self.sets = []
        if self.transitions.log is not None:
            self.sets = [each for each in self.instance.spec.variables
                         if isinstance(each.type, y.Set) and not each.owned]  # fmt: skip
        self.noted = 0 if self.transitions.log is None else 1 + len(self.sets)
        """How many numbers more are noted: what ended the game, and how large each set is then
        that all share."""
        self.record = 8 + 8 * (self.instance.players + 1 + self.noted)
        """Bytes about each game: events, how it ended, each player's score, a bit for each who
        wins, then what is noted besides."""
        self.records = self.unit.reserve(self.record * BATCH)
        self.starts = 0
        self.start_count = 0

    def begin_with(self, count: int) -> None:
        """Makes room for the positions that a game can begin with."""
        self.start_count = count
        self.starts = self.unit.reserve(count * self.unit.layout.size)

    # ---- choosing

    def choose(self) -> WasmFunction:
        """Chooses an event at random, and says whether there is any."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, (), I32)

            def body(here: CodeContext) -> Instruction:
                place = self.unit.layout.places["phase"]
                phase = value_at(place.kept, const(STATE + place.offset))
                cases = [self._in_phase(each, made, here) for each in self.instance.spec.phases]
                return sequence(self.transitions.chosen(phase, cases), const(0))

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared("choose", make)

    def draw(self) -> WasmFunction:
        """Chooses what chance decides, and says whether it has anything to decide."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, (), I32)

            def body(here: CodeContext) -> Instruction:
                place = self.unit.layout.places["phase"]
                phase = value_at(place.kept, const(STATE + place.offset))
                cases = []
                for each in self.instance.spec.phases:
                    chances = [e for e in self.instance.of_kind("chance") if each.name in e.phases]
                    decided = const(0)
                    if chances and not each.final:
                        decided = self.transitions.called(self.chance.decide(chances), here)
                    cases.append(made.leave(decided))
                return sequence(self.transitions.chosen(phase, cases), const(0))

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared("draw", make)

    def _in_phase(self, phase: c.Phase, made: WasmFunction, here: CodeContext) -> Instruction:
        called = self.transitions.called
        chances = [e for e in self.instance.of_kind("chance") if phase.name in e.phases]
        moves = [e for e in self.instance.of_kind("move") if phase.name in e.phases]
        if phase.final or not (chances or moves):
            return made.leave(0)
        if not moves:
            return made.leave(called(self.chance.decide(chances), here))
        if not chances:
            return made.leave(called(self._move(moves), here))
        draw, move = self.chance.decide(chances), self._move(moves)

        def first(one: WasmFunction, other: WasmFunction) -> Instruction:
            keep, held = here.hold(called(one, here))
            return sequence(keep, choose(held, made.leave(1)), made.leave(called(other, here)))

        return choose(self.generator.below()(2), first(draw, move), first(move, draw))

    def _move(self, moves: Sequence[c.Transition]) -> WasmFunction:
        """One move of somebody who can move."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, (), I32)
            players = self.instance.players
            one_of = self._of_kinds if any(each.proposals for each in moves) else self._of_all

            def body(here: CodeContext) -> Instruction:
                left, player = made.local(I64), made.local(I32)
                take = self.transitions.called(one_of(moves), here, player.value)
                return sequence(
                    left.set(self._movers(moves, here) & ((1 << players) - 1)),
                    whilst(
                        left.value.ne(0),
                        player.set(self.generator.place(players)(left.value) + 1),
                        choose(take, made.leave(1)),
                        left.set(left.value ^ (const(1, I64) << wide(player.value - 1))),
                    ),
                    const(0),
                )  # fmt: skip

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(f"move {' '.join(each.name for each in moves)}", make)

    def _movers(self, moves: Sequence[c.Transition], here: CodeContext) -> Instruction:
        """The players who are not refused all of these moves because of who they are, as bits."""
        bits, player = const(0, I64), self.instance.player
        for move in moves:
            assert move.mover is not None
            mine = const(-1, I64)
            for each in requirements(move):
                for part in conjuncts(each.condition):
                    if self.unit.facts.of(part).names == {move.mover}:
                        found = self.listing.choices.narrowing.allowed(
                            part, move.mover, player, here
                        )
                        mine = mine if found is None else found & mine
            if mine.known == -1:
                return mine
            bits = mine | bits
        return bits

    def _of_all(self, moves: Sequence[c.Transition]) -> WasmFunction:
        """One of all moves of a player, and whether there is any."""
        if self.candidates.can_note(moves):
            return self.candidates.one_of(moves)

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, [I32], I32)
            events, found = self.events, made.local(I32)

            def body(here: CodeContext) -> Instruction:
                player = made.params[0].value
                listed = (self.transitions.called(self.listing.of(move), here, player)
                          for move in moves)  # fmt: skip
                picked = self.generator.below()(found.value) * events.size + events.list
                return sequence(
                    events.next.set(events.list),
                    *listed,
                    found.set(binary("div_u", events.next.value - events.list, events.size)),
                    choose(found.value, sequence(
                        copy(const(events.chosen), picked, events.size), made.leave(1))),
                    const(0),
                )  # fmt: skip

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(f"move of {' '.join(each.name for each in moves)}", make)

    def _of_kinds(self, moves: Sequence[c.Transition]) -> WasmFunction:
        """A move of a player, the kind of it chosen first: any kind that there is a move of. Once
        in four times, what is proposed is tried before anything else: it is what somebody would do
        who means to get on with the game."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, [I32], I32)
            player = made.params[0].value
            ones = [self._of_kind(move) for move in moves]

            def tried(kinds: int, here: CodeContext) -> Instruction:
                """Tries the kinds whose bits are set, in any order."""
                left, count, pick, rest = (made.local(I32) for _ in range(4))
                cases = [
                    choose(self.transitions.called(one, here, player), made.leave(1))
                    for one in ones
                ]  # fmt: skip
                return sequence(
                    left.set(kinds),
                    count.set(kinds.bit_count()),
                    whilst(
                        count.value.gt(0),
                        pick.set(self.generator.below(small=False)(count.value)),
                        rest.set(left.value),
                        whilst(pick.value.gt(0), pick.set(pick.value - 1),
                               rest.set(rest.value & (rest.value - 1))),
                        pick.set(unary("ctz", rest.value)),
                        left.set(left.value ^ (const(1) << pick.value)),
                        count.set(count.value - 1),
                        self.transitions.chosen(pick.value, cases),
                    ),
                )  # fmt: skip

            def body(here: CodeContext) -> Instruction:
                proposed = sum(1 << n for n, move in enumerate(moves) if move.proposals)
                all_ = (1 << len(moves)) - 1
                seldom = self.generator.below(small=False)(PROPOSED)
                first = choose(seldom, sequence(), tried(proposed, here))
                return sequence(first, tried(all_, here), const(0))

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(f"kinds {' '.join(each.name for each in moves)}", make)

    def _of_kind(self, move: c.Transition) -> WasmFunction:
        if move.proposals:
            return self.listing.proposals.any_of(move, self.generator)
        return self._of_all((move,))

    # ---- playing

    def one(self, watched: bool) -> WasmFunction:
        """Plays on from where the state is; returns how the game ended, or BROKEN where a property
        does not hold. Takes the most events there may be. Each event is given work of its own."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, [I32], I32)
            called, events = self.transitions.called, self.events

            def check(kinds: tuple[str, ...], here: CodeContext) -> Instruction:
                keep, held = here.hold(called(self.properties.broken(kinds), here))
                return sequence(keep, choose(held, sequence(
                    store(held, const(self.found)), made.leave(BROKEN))))  # fmt: skip

            def body(here: CodeContext) -> Instruction:
                again, count = Label(), made.local(I32)
                take = self.transitions.of_event("take event", None, self.transitions.take)
                chosen = const(events.chosen)
                number = load(I32, chosen)
                counter = number * 8 + self.counts
                begin = check(("invariant",), here) if watched else sequence()
                if watched:
                    near: Instruction = sequence()
                    if self.misses is not None:
                        of = self.misses.of
                        near = called(
                            self.transitions.of_event("near misses", None, of), here, chosen
                        )
                    happen = sequence(
                        near,
                        called(take, here, chosen),
                        check(("always", "invariant"), here),
                        self.transitions.steps_due(
                            here, lambda: check(("always", "invariant"), here)
                        ),
                    )
                else:
                    happen = sequence(
                        called(take, here, chosen), called(self.transitions.settle(), here)
                    )
                ended = choose(self.transitions.is_final(), const(FINISHED), const(ENDLESS))
                return sequence(store(const(0), const(self.happened)), begin, loop(again, sequence(
                    self._work_noted(),
                    self.unit.work.set(self.unit.given.value),
                    self.unit.free_all(),
                    choose(count.value.ge(made.params[0].value), made.leave(ended)),
                    choose(called(self.choose(), here), sequence(), made.leave(
                        choose(self.transitions.is_final(), const(FINISHED), const(STUCK)))),
                    store(load(I64, counter) + 1, counter),
                    count.set(count.value + 1),
                    store(count.value, const(self.happened)),
                    happen,
                    branch(again),
                )), const(0))  # fmt: skip

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared("watched game" if watched else "game", make)

    def _work_noted(self) -> Instruction:
        """Adds the work that the last event took, and one for the event itself, if what ends games
        is noted."""
        if self.transitions.log is None:
            return sequence()
        taken, at = self.unit.given.value - self.unit.work.value + 1, const(self.work_done)
        return store(load(I64, at) + taken, at)

    def games(self, watched: bool) -> None:
        """The entry `play(first game, how many, seed, most events)`, which ends early where a
        property does not hold. And to see a game event by event `start(seed, game)` and `go on(most
        events)`, which says how it ended."""
        unit, called = self.unit, self.transitions.called

        def body(here: CodeContext) -> Instruction:
            first, many, seed, longest = (each.value for each in here.function.params)
            game, record, ended = (here.function.local(I32) for _ in range(3))
            again, out = Label(), Label()
            results = [self._results(record.value, here)]
            return block(out, loop(again, sequence(
                branch_if(out, game.value.ge(many)),
                store(first + game.value, const(self.game)),
                self._start(seed, first + game.value),
                record.set(game.value * self.record + self.records),
                ended.set(called(self.one(watched), here, longest)),
                branch_if(out, ended.value.lt(0)),
                store(load(I32, const(self.happened)), record.value),
                store(ended.value, record.value, 4),
                *results,
                game.set(game.value + 1),
                branch(again),
            )))  # fmt: skip

        unit.entry("play", (I32, I32, I64, I32), body)
        unit.entry("start", (I64, I32), lambda here: self._start(
            here.function.params[0].value, here.function.params[1].value))  # fmt: skip
        unit.entry("go on", (I32,), lambda here: store(called(
            self.one(watched), here, here.function.params[0].value),
            const(self.ended)))  # fmt: skip

    def _start(self, seed: Instruction, game: Instruction) -> Instruction:
        """The beginning of a game: its random numbers, and one of the positions to begin with."""
        start, size = const(self.starts), self.unit.layout.size
        if self.start_count > 1:
            start = start + self.generator.below()(self.start_count) * size
        return sequence(
            self.generator.seed()(seed, wide(game)),
            copy(const(STATE), start, size),
            store(const(0), const(self.transitions.ended_by)),
        )

    def _results(self, record: Instruction, here: CodeContext) -> Instruction:
        """Who wins with which score, written to the record of a game."""
        called, players = self.transitions.called, self.instance.players
        score, wins = self.properties.of_player("score"), self.properties.of_player("wins")
        codes = []
        if score is not None:
            codes.append(counted(self.unit, here, 1, players, lambda player: store(
                called(score, here, player), record + player * 8)))  # fmt: skip
        if wins is not None:
            bits = here.function.local(I64)
            codes += [
                bits.set(0),
                counted(self.unit, here, 1, players, lambda player: bits.set(
                    bits.value | (called(wins, here, player) << wide(player)))),
                store(bits.value, record, 8 * (players + 1)),
            ]  # fmt: skip
        at = 8 * (players + 2)
        if self.noted:
            ended_by = load(I32, const(self.transitions.ended_by))
            codes.append(store(wide(ended_by), record, at))
        for number, each in enumerate(self.sets, 1):
            held = c.StateVar(each.span, each.type, each.name, False)
            size = c.Builtin(each.span, y.Int(0, None), "size", (held,))
            value = self.listing.expressions.value(size, here)
            codes.append(store(wide(value), record, at + 8 * number))
        return sequence(*codes)
