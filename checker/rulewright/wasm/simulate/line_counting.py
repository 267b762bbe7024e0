"""Counting lines of play depth by depth, as `perft` does, all outcomes of chance included."""

from __future__ import annotations

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
from rulewright.wasm.assembler.memory_instructions import copy, load, store
from rulewright.wasm.assembler.module import WasmFunction
from rulewright.wasm.codegen.compilation_unit import STATE, CodeContext, CompilationUnit
from rulewright.wasm.moves.events import Events
from rulewright.wasm.moves.legal_moves import MoveLister
from rulewright.wasm.simulate.random_play import RandomPlayCompiler

DEEPEST = 64
LINES, FINISHED, STUCK = 0, 8, 16
"""What is counted for each depth, and from 24 on a count for each transition."""


class LineCompiler:
    """Compiles the counting of lines."""

    def __init__(self, listing: MoveLister, playing: RandomPlayCompiler) -> None:
        self.listing = listing
        self.playing = playing
        self.transitions = listing.transitions
        self.unit: CompilationUnit = listing.unit
        self.events: Events = listing.events
        self.level = 24 + 8 * len(self.events.transitions)
        self.levels = self.unit.reserve(self.level * (DEEPEST + 1))
        """What was counted, depth by depth."""
        self.size = self.unit.layout.size

    # ---- what follows

    def following(self) -> WasmFunction:
        """Adds all that can happen next to the list: moves, then what chance may decide."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name)

            def body(here: CodeContext) -> Instruction:
                called, players = self.transitions.called, self.unit.instance.players
                codes = []
                for each in self.unit.instance.spec.transitions:
                    if each.kind == "move":
                        listed: Instruction = sequence(*(
                            called(self.listing.of(each), here, const(player))
                            for player in range(1, players + 1)
                        ))  # fmt: skip
                    elif each.kind == "chance":
                        listed = called(self.listing.of(each), here)
                    else:
                        continue
                    codes.append(choose(self.listing.in_phase(each), listed))
                return sequence(*codes)

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared("following", make)

    def apply(self, record: Instruction, here: CodeContext) -> Instruction:
        called = self.transitions.called
        take = self.transitions.of_event("take event", None, self.transitions.take)
        return sequence(called(take, here, record), called(self.transitions.settle(), here))

    # ---- lines

    def lines(self) -> WasmFunction:
        """Counts the lines of play from the state; takes the depth it is at and how many follow."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, [I32, I32])
            made.fails = True  # it calls itself, before that can be known

            def body(here: CodeContext) -> Instruction:
                depth, left = (each.value for each in made.params)
                unit, events = self.unit, self.events
                first, record, mark, limit, saved = (made.local(I32) for _ in range(5))
                at = depth * self.level + self.levels
                out, again = Label(), Label()

                def more(place: int) -> Instruction:
                    return store(load(I64, at, place) + 1, at, place)

                counter = at + (load(I32, record.value) * 8 + (self.level + 24))
                return sequence(
                    unit.tick(),
                    more(LINES),
                    choose(self.transitions.is_final(), sequence(more(FINISHED), made.leave())),
                    choose(left.eq(0), made.leave()),
                    first.set(events.next.value),
                    mark.set(unit.top.value),
                    limit.set(unit.limit.value),
                    self.transitions.called(self.following(), here),
                    choose(events.next.value.eq(first.value), sequence(more(STUCK), made.leave())),
                    saved.set(self._room(here)),
                    copy(saved.value, const(STATE), self.size),
                    record.set(first.value),
                    block(out, loop(again, sequence(
                        branch_if(out, record.value.ge(events.next.value)),
                        store(load(I64, counter) + 1, counter),
                        self.apply(record.value, here),
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

    def _room(self, here: CodeContext) -> Instruction:
        take, address = self.unit.allocate(self.size, here)
        return sequence(take, address)

    def entry(self) -> None:
        """The entry `lines(depth)`."""
        self.unit.entry("lines", (I32,), lambda here: sequence(
            self.events.next.set(self.events.list),
            self.transitions.called(
                self.lines(), here, const(0), here.function.params[0].value),
        ))  # fmt: skip
