"""Going through a game: counting lines of play, and all positions that can be reached.

`count` counts lines depth by depth as `perft` does, all outcomes of chance included. `explore` goes
breadth first and meets each position once: states lie one behind the other, and a table of their
numbers, twice as long as there may be states, says which are known. Memory for both is asked for
when it starts, and what does not fit stops it.
"""

from __future__ import annotations

from checker.wasm.code import (
    I32,
    I64,
    Code,
    Label,
    block,
    branch,
    branch_if,
    choose,
    const,
    copy,
    drop,
    fill,
    load,
    loop,
    memory_grow,
    memory_size,
    narrow,
    sequence,
    store,
    wide,
)
from checker.wasm.events import Events
from checker.wasm.generator import GOLDEN
from checker.wasm.listing import Listing
from checker.wasm.module import Function
from checker.wasm.playing import Playing
from checker.wasm.properties import Properties
from checker.wasm.unit import NO_MEMORY, STATE, Here, Unit

DEEPEST = 64
LINES, FINISHED, STUCK = 0, 8, 16
"""What is counted for each depth, and from 24 on a count for each transition."""


class Exploring:
    """Compiles the counting of lines and positions."""

    def __init__(self, listing: Listing, playing: Playing, properties: Properties) -> None:
        self.listing = listing
        self.playing = playing
        self.properties = properties
        self.transitions = listing.transitions
        self.unit: Unit = listing.unit
        self.events: Events = listing.events
        self.level = 24 + 8 * len(self.events.transitions)
        self.levels = self.unit.reserve(self.level * (DEEPEST + 1))
        """What was counted, depth by depth."""
        self.positions = self.unit.reserve(8)
        self.table = self.unit.module.variable(I32)
        self.states = self.unit.module.variable(I32)
        self.size = self.unit.layout.size

    # ---- what follows

    def _following(self) -> Function:
        """Adds all that can happen next to the list: moves, then what chance may decide."""

        def make(name: str) -> Function:
            made = self.unit.module.function(name)

            def body(here: Here) -> Code:
                called, players = self.transitions.called, self.unit.instance.players
                codes = []
                for each in self.unit.instance.spec.transitions:
                    if each.kind == "move":
                        listed: Code = sequence(*(
                            called(self.listing.of(each), here, const(player))
                            for player in range(1, players + 1)
                        ))  # fmt: skip
                    elif each.kind == "chance":
                        listed = called(self.listing.of(each), here)
                    else:
                        continue
                    codes.append(choose(self.listing.in_phase(each, here), listed))
                return sequence(*codes)

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared("following", make)

    def _apply(self, record: Code, here: Here) -> Code:
        called = self.transitions.called
        take = self.transitions.of_event("take event", None, self.transitions.take)
        return sequence(called(take, here, record), called(self.transitions.settle(), here))

    # ---- lines

    def lines(self) -> Function:
        """Counts the lines of play from the state; takes the depth it is at and how many follow."""

        def make(name: str) -> Function:
            made = self.unit.module.function(name, [I32, I32])
            made.fails = True  # it calls itself, before that can be known

            def body(here: Here) -> Code:
                depth, left = (each.value for each in made.params)
                unit, events = self.unit, self.events
                first, record, mark, limit, saved = (made.local(I32) for _ in range(5))
                at = depth * self.level + self.levels
                out, again = Label(), Label()

                def more(place: int) -> Code:
                    return store(load(I64, at, place) + 1, at, place)

                counter = at + (load(I32, record.value) * 8 + (self.level + 24))
                return sequence(
                    unit.tick(),
                    more(LINES),
                    choose(self.playing.is_final(), sequence(more(FINISHED), made.leave())),
                    choose(left.eq(0), made.leave()),
                    first.set(events.next.value),
                    mark.set(unit.top.value),
                    limit.set(unit.limit.value),
                    self.transitions.called(self._following(), here),
                    choose(events.next.value.eq(first.value), sequence(more(STUCK), made.leave())),
                    saved.set(self._room(here)),
                    copy(saved.value, const(STATE), self.size),
                    record.set(first.value),
                    block(out, loop(again, sequence(
                        branch_if(out, record.value.ge(events.next.value)),
                        store(load(I64, counter) + 1, counter),
                        self._apply(record.value, here),
                        made(depth + 1, left - 1),
                        unit.passing_on(here),
                        copy(const(STATE), saved.value, self.size),
                        record.set(record.value + events.size),
                        branch(again),
                    ))),
                    events.next.set(first.value),
                    unit.top.set(mark.value),
                    unit.limit.set(limit.value),
                )  # fmt: skip

            self.unit.define(made, {}, STATE, STATE, body)
            made.fails = True
            return made

        return self.unit.shared("lines", make)

    def _room(self, here: Here) -> Code:
        take, address = self.unit.allocate(self.size, here)
        return sequence(take, address)

    # ---- positions

    def _insert(self) -> Function:
        """Adds the state to those that are known, if it is new; says whether it was."""

        def make(name: str) -> Function:
            made = self.unit.module.function(name, [I32], I32)
            mask = made.params[0].value
            hash_, at, slot, number = (
                made.local(I64), made.local(I32), made.local(I32), made.local(I32)
            )  # fmt: skip
            words, again, next_, out, same = self.size, Label(), Label(), Label(), Label()
            mixed = (hash_.value ^ load(I64, at.value, STATE)) * GOLDEN
            count = load(I32, const(self.positions))
            place = self.table.value + slot.value * 4
            known = self.states.value + (number.value - 1) * self.size
            compared = made.local(I32)
            different = Label()
            made.define(sequence(
                loop(again, sequence(
                    hash_.set(mixed),
                    hash_.set(hash_.value ^ (hash_.value >> 29)),
                    at.set(at.value + 8),
                    branch_if(again, at.value.lt(words)),
                )),
                slot.set(narrow(hash_.value >> 32) & mask),
                block(out, loop(next_, sequence(
                    number.set(load(I32, place)),
                    branch_if(out, number.value.eq(0)),
                    at.set(0),
                    compared.set(known),
                    block(different, sequence(
                        loop(same, sequence(
                            branch_if(different, load(I64, compared.value + at.value).ne(
                                load(I64, at.value, STATE))),
                            at.set(at.value + 8),
                            branch_if(same, at.value.lt(words)),
                        )),
                        made.leave(0),
                    )),
                    slot.set((slot.value + 1) & mask),
                    branch(next_),
                ))),
                copy(self.states.value + count * self.size, const(STATE), self.size),
                store(count + 1, const(self.positions)),
                store(count, place),
                const(1),
            ))  # fmt: skip
            return made

        return self.unit.shared("insert", make)

    def entries(self) -> None:
        """The entries `lines(depth)` and `explore(most states, log2 of the table, depth)`."""
        unit, called = self.unit, self.transitions.called
        unit.entry("lines", (I32,), lambda here: sequence(
            self.events.next.set(self.events.list),
            called(self.lines(), here, const(0), here.function.params[0].value),
        ))  # fmt: skip
        unit.entry("explore", (I32, I32, I32), self._explore)

    def _explore(self, here: Here) -> Code:
        """Breadth first from the state; `found` of the games at random says which property does
        not hold, and then the last state is where."""
        most, bits, depth = (each.value for each in here.function.params)
        unit, events, local = self.unit, self.events, here.function.local
        called = self.transitions.called
        mask, done, end, state, record, level, row = (local(I32) for _ in range(7))
        needed = local(I64)
        out, next_level, next_state, level_end, next_event, events_end = (
            Label() for _ in range(6)
        )  # fmt: skip
        count = load(I32, const(self.positions))
        at = row.value + self.levels

        def check() -> Code:
            broken = called(self.properties.broken(("invariant",)), here)
            keep, held = here.hold(broken)
            return sequence(keep, choose(held, sequence(
                store(held, const(self.playing.found)), branch(out))))  # fmt: skip

        def more(place: int) -> Code:
            return store(load(I64, at, place) + 1, at, place)

        grow = sequence(
            needed.set(wide(mask.value + 1, sign=False) * 4 + wide(most + 2) * self.size),
            self.table.set(unit.end.value),
            self.states.set(unit.end.value + (mask.value + 1) * 4),
            needed.set((needed.value + wide(unit.end.value, sign=False)) >> 16),
            needed.set(needed.value + 1 - wide(memory_size())),
            choose(needed.value.gt(0), choose(
                memory_grow(narrow(needed.value)).lt(0), unit.stop(NO_MEMORY))),
        )  # fmt: skip
        watched = check() if self.transitions.watched else sequence()
        new = sequence(
            choose(count.gt(most), unit.stop(NO_MEMORY)),
            watched,
        )
        return sequence(
            mask.set((const(1) << bits) - 1),
            grow,
            fill(self.table.value, 0, (mask.value + 1) * 4),
            store(const(0), const(self.positions)),
            drop(self._insert()(mask.value)),
            block(out, sequence(
                watched,
                loop(next_level, sequence(
                    branch_if(out, done.value.ge(count)),
                    end.set(count),
                    block(level_end, loop(next_state, sequence(
                        branch_if(level_end, done.value.ge(end.value)),
                        unit.tick(),
                        unit.free_all(),
                        state.set(self.states.value + done.value * self.size),
                        copy(const(STATE), state.value, self.size),
                        done.set(done.value + 1),
                        more(LINES),
                        choose(self.playing.is_final(), sequence(
                            more(FINISHED), branch(next_state))),
                        branch_if(next_state, level.value.ge(depth)),
                        events.next.set(events.list),
                        called(self._following(), here),
                        choose(events.next.value.eq(events.list), more(STUCK)),
                        record.set(events.list),
                        block(events_end, loop(next_event, sequence(
                            branch_if(events_end, record.value.ge(events.next.value)),
                            self._apply(record.value, here),
                            choose(self._insert()(mask.value), new),
                            copy(const(STATE), state.value, self.size),
                            record.set(record.value + events.size),
                            branch(next_event),
                        ))),
                        branch(next_state),
                    ))),
                    level.set(level.value + 1),
                    choose(level.value.le(DEEPEST), row.set(row.value + self.level)),
                    branch(next_level),
                )),
            )),
        )  # fmt: skip
