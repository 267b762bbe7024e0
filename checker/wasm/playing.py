"""Games at random, played inside the module: many in one call.

Where chance decides, an outcome is drawn with its true odds. Where players decide, one of those who
can move is chosen, all equally likely, and then one of the moves that player has. In a phase with
both, one or the other comes first, half of the time each. Where some moves are too many to list, a
kind of move is chosen first, and one that is proposed is taken as soon as it is legal.
"""

from __future__ import annotations

from collections.abc import Sequence

from checker.meaning import core as c
from checker.wasm.chance import Chance
from checker.wasm.code import (
    I32,
    I64,
    Code,
    Label,
    binary,
    block,
    branch,
    branch_if,
    choose,
    const,
    copy,
    either,
    load,
    loop,
    narrow,
    sequence,
    store,
    unary,
    whilst,
    wide,
)
from checker.wasm.events import Events
from checker.wasm.generator import Generator
from checker.wasm.listing import Listing
from checker.wasm.memory import counted, value_at
from checker.wasm.module import Function
from checker.wasm.near_misses import NearMisses
from checker.wasm.properties import Properties
from checker.wasm.unit import STATE, Here, Unit

FINISHED, STUCK, ENDLESS = range(3)
"""How a game ends: it is over, nothing can happen, it has gone on for too long."""
PROPOSED = 4
"""Once in so many times, what is proposed is tried first."""
BATCH = 1024
"""Games in one call."""


class Playing:
    """Compiles random play. In watched games near misses of an event are tried before it happens,
    and the properties of the spec are looked at after every transition."""

    def __init__(
        self,
        listing: Listing,
        chance: Chance,
        generator: Generator,
        properties: Properties,
        misses: NearMisses,
    ) -> None:
        self.listing = listing
        self.chance = chance
        self.generator = generator
        self.properties = properties
        self.misses = misses
        self.transitions = listing.transitions
        self.unit: Unit = listing.unit
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
        self.record = 8 + 8 * (self.instance.players + 1)
        """Bytes about each game: events, how it ended, each player's score, a bit for each who
        wins."""
        self.records = self.unit.reserve(self.record * BATCH)
        self.starts = 0
        self.start_count = 0

    def begin_with(self, count: int) -> None:
        """Makes room for the positions that a game can begin with."""
        self.start_count = count
        self.starts = self.unit.reserve(count * self.unit.layout.size)

    # ---- choosing

    def choose(self) -> Function:
        """Chooses an event at random, and says whether there is any."""

        def make(name: str) -> Function:
            made = self.unit.module.function(name, (), I32)

            def body(here: Here) -> Code:
                place = self.unit.layout.places["phase"]
                phase = value_at(place.kept, const(STATE + place.offset))
                cases = [self._in_phase(each, made, here) for each in self.instance.spec.phases]
                return sequence(self.transitions.chosen(phase, cases), const(0))

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared("choose", make)

    def _in_phase(self, phase: c.Phase, made: Function, here: Here) -> Code:
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

        def first(one: Function, other: Function) -> Code:
            keep, held = here.hold(called(one, here))
            return sequence(keep, choose(held, made.leave(1)), made.leave(called(other, here)))

        return choose(self.generator.below()(2), first(draw, move), first(move, draw))

    def _move(self, moves: Sequence[c.Transition]) -> Function:
        """One move of somebody who can move."""

        def make(name: str) -> Function:
            made = self.unit.module.function(name, (), I32)
            players = self.instance.players
            one_of = self._of_kinds if any(each.proposals for each in moves) else self._of_all

            def body(here: Here) -> Code:
                left, count = made.local(I64), made.local(I32)
                nth, player = made.local(I32), made.local(I32)
                out, again, next_ = Label(), Label(), Label()
                rest = made.local(I64)
                pick = sequence(
                    nth.set(self.generator.below()(count.value)),
                    rest.set(left.value),
                    block(next_, loop(again_ := Label(), sequence(
                        branch_if(next_, nth.value.eq(0)),
                        rest.set(rest.value & (rest.value - 1)),
                        nth.set(nth.value - 1),
                        branch(again_),
                    ))),
                    player.set(narrow(unary("ctz", rest.value))),
                )  # fmt: skip
                take = self.transitions.called(one_of(moves), here, player.value)
                return sequence(
                    left.set(((1 << players) - 1) << 1),
                    count.set(players),
                    block(out, loop(again, sequence(
                        branch_if(out, count.value.eq(0)),
                        pick,
                        choose(take, made.leave(1)),
                        left.set(left.value ^ (const(1, I64) << wide(player.value))),
                        count.set(count.value - 1),
                        branch(again),
                    ))),
                    const(0),
                )  # fmt: skip

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(f"move {' '.join(each.name for each in moves)}", make)

    def _of_all(self, moves: Sequence[c.Transition]) -> Function:
        """One of all moves of a player, and whether there is any."""

        def make(name: str) -> Function:
            made = self.unit.module.function(name, [I32], I32)
            events, found = self.events, made.local(I32)

            def body(here: Here) -> Code:
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

    def _of_kinds(self, moves: Sequence[c.Transition]) -> Function:
        """A move of a player, the kind of it chosen first: any kind that there is a move of. Once
        in four times, what is proposed is tried before anything else: it is what somebody would do
        who means to get on with the game."""

        def make(name: str) -> Function:
            made = self.unit.module.function(name, [I32], I32)
            player = made.params[0].value
            ones = [self._of_kind(move) for move in moves]

            def tried(kinds: int, here: Here) -> Code:
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
                        pick.set(self.generator.below()(count.value)),
                        rest.set(left.value),
                        whilst(pick.value.gt(0), pick.set(pick.value - 1),
                               rest.set(rest.value & (rest.value - 1))),
                        pick.set(unary("ctz", rest.value)),
                        left.set(left.value ^ (const(1) << pick.value)),
                        count.set(count.value - 1),
                        self.transitions.chosen(pick.value, cases),
                    ),
                )  # fmt: skip

            def body(here: Here) -> Code:
                proposed = sum(1 << n for n, move in enumerate(moves) if move.proposals)
                all_ = (1 << len(moves)) - 1
                first = choose(self.generator.below()(PROPOSED), sequence(), tried(proposed, here))
                return sequence(first, tried(all_, here), const(0))

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(f"kinds {' '.join(each.name for each in moves)}", make)

    def _of_kind(self, move: c.Transition) -> Function:
        if move.proposals:
            return self.listing.proposals.any_of(move, self.generator)
        return self._of_all((move,))

    # ---- playing

    def one(self, watched: bool) -> Function:
        """Plays a game from where the state is; returns how it ended, or -1 where a property does
        not hold. Takes the most events there may be."""

        def make(name: str) -> Function:
            made = self.unit.module.function(name, [I32], I32)
            called, events = self.transitions.called, self.events

            def check(kinds: tuple[str, ...], here: Here) -> Code:
                keep, held = here.hold(called(self.properties.broken(kinds), here))
                return sequence(keep, choose(held, sequence(
                    store(held, const(self.found)), made.leave(-1))))  # fmt: skip

            def body(here: Here) -> Code:
                again, count = Label(), made.local(I32)
                take = self.transitions.of_event("take event", None, self.transitions.take)
                chosen = const(events.chosen)
                number = load(I32, chosen)
                counter = number * 8 + self.counts
                begin = check(("invariant",), here) if watched else sequence()
                if watched:
                    near = self.transitions.of_event("near misses", None, self.misses.of)
                    happen = sequence(
                        called(near, here, chosen),
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
                return sequence(begin, store(const(0), const(self.happened)), loop(again, sequence(
                    self.unit.tick(),
                    self.unit.free_all(),
                    choose(count.value.ge(made.params[0].value), made.leave(ENDLESS)),
                    choose(called(self.choose(), here), sequence(), made.leave(
                        choose(self.is_final(), const(FINISHED), const(STUCK)))),
                    store(load(I64, counter) + 1, counter),
                    count.set(count.value + 1),
                    store(count.value, const(self.happened)),
                    happen,
                    branch(again),
                )), const(0))  # fmt: skip

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared("watched game" if watched else "game", make)

    def is_final(self) -> Code:
        """Whether the game is over."""
        place = self.unit.layout.places["phase"]
        phase = value_at(place.kept, const(STATE + place.offset))
        code = const(0)
        for number, each in enumerate(self.instance.spec.phases):
            if each.final:
                code = either(phase.eq(number), code)
        return code

    def games(self, watched: bool) -> None:
        """The entry `play(first game, how many, seed, most events)`. It ends early where a property
        does not hold."""
        unit, called = self.unit, self.transitions.called

        def body(here: Here) -> Code:
            first, many, seed, longest = (each.value for each in here.function.params)
            game, record, ended = (here.function.local(I32) for _ in range(3))
            again, out = Label(), Label()
            start = const(self.starts)
            if self.start_count > 1:
                start = start + self.generator.below()(self.start_count) * unit.layout.size
            results = [self._results(record.value, here)]
            return block(out, loop(again, sequence(
                branch_if(out, game.value.ge(many)),
                store(first + game.value, const(self.game)),
                self.generator.seed()(seed, wide(first + game.value)),
                copy(const(STATE), start, unit.layout.size),
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

    def _results(self, record: Code, here: Here) -> Code:
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
        return sequence(*codes)
