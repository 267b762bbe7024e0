"""Going through all positions that can be reached: breadth first or depth first, each met once.

States lie one behind the other, and a table of their numbers, twice as long as there may be states,
says which are known. Going down, a stack of numbers says which are to be gone on with; going
breadth first, the same memory says which state each was reached from. Memory for all is asked for
when it starts, and what does not fit stops it. What is watched is looked at after every event and
every step: an invariant or `always` that does not hold or has no value, a `possible` that does.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.meaning import core as c
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
    either,
    loop,
    narrow,
    sequence,
    wide,
)
from rulewright.wasm.assembler.memory_instructions import (
    copy,
    fill,
    load,
    memory_grow,
    memory_size,
    store,
)
from rulewright.wasm.assembler.module import WasmFunction
from rulewright.wasm.codegen.compilation_unit import NO_MEMORY, STATE, CodeContext, CompilationUnit
from rulewright.wasm.moves.events import Events
from rulewright.wasm.moves.properties import Properties
from rulewright.wasm.simulate.line_counting import DEEPEST, FINISHED, LINES, STUCK, LineCompiler
from rulewright.wasm.simulate.random_numbers import GOLDEN

STOPPED = 0xFFFFFFFF
"""What is found where nothing can happen, if that is looked for."""


class ExplorationCompiler:
    """Compiles the going through of positions."""

    def __init__(self, counting: LineCompiler, properties: Properties) -> None:
        self.counting = counting
        self.properties = properties
        self.playing = counting.playing
        self.transitions = counting.transitions
        self.unit: CompilationUnit = counting.unit
        self.events: Events = counting.events
        self.positions = self.unit.reserve(8)
        """How many positions are known."""
        self.expanded = self.unit.reserve(8)
        """The number of the state that is gone on from, counted from 0."""
        self.event = self.unit.reserve(8)
        """Where the event is that happens there; 0 before one does."""
        self.places = self.unit.reserve(8)
        """Where the states lie, and where it stands what each was reached from."""
        variable = self.unit.module.variable
        self.table, self.states, self.stack = variable(I32), variable(I32), variable(I32)
        self.mask, self.most = variable(I32), variable(I32)
        self.size = self.unit.layout.size
        kinds = [each.kind == "chance" and each.weight is not None
                 for each in self.events.transitions]  # fmt: skip
        self._weighted = [number for number, each in enumerate(kinds) if each]

    def _insert(self) -> WasmFunction:
        """Adds the state to those that are known, if it is new; says whether it was."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, (), I32)
            mask = self.mask.value
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
                choose(count.ge(self.most.value), self.unit.stop(NO_MEMORY)),
                copy(self.states.value + count * self.size, const(STATE), self.size),
                store(count + 1, const(self.positions)),
                store(count, place),
                const(1),
            ))  # fmt: skip
            return made

        return self.unit.shared("insert", make)

    def entries(self) -> None:
        """The entries `prepare(most states, log2 of the table)`, `add` for each state to begin
        with, then `explore(depth, whether to stop where nothing can happen)` or `descend`."""
        unit = self.unit
        self.counting.entry()
        unit.entry("prepare", (I32, I32), self._prepare)
        unit.entry("add", (), self._add)
        unit.entry("explore", (I32, I32), self._explore)
        unit.entry("descend", (), self._descend)

    def _prepare(self, here: CodeContext) -> Instruction:
        """Asks for memory for so many states, each with a place on the stack."""
        most, bits = (each.value for each in here.function.params)
        unit, needed, mask = self.unit, here.function.local(I64), self.mask.value
        states = wide(most + 2) * (self.size + 4)
        return sequence(
            self.mask.set((const(1) << bits) - 1),
            self.most.set(most),
            needed.set(wide(mask + 1, sign=False) * 4 + states),
            self.table.set(unit.end.value),
            self.states.set(unit.end.value + (mask + 1) * 4),
            self.stack.set(self.states.value + (most + 2) * self.size),
            needed.set((needed.value + wide(unit.end.value, sign=False)) >> 16),
            needed.set(needed.value + 1 - wide(memory_size())),
            choose(needed.value.gt(0), choose(
                memory_grow(narrow(needed.value)).lt(0), unit.stop(NO_MEMORY))),
            store(self.states.value, const(self.places)),
            store(self.stack.value, const(self.places), 4),
            fill(self.table.value, 0, (mask + 1) * 4),
            store(const(0), const(self.positions)),
            store(const(0), const(self.expanded)),
            store(const(0), const(self.event)),
            store(const(0), const(self.playing.found)),
        )  # fmt: skip

    def _add(self, here: CodeContext) -> Instruction:
        """Makes the state one to begin with."""
        out = Label()
        count = load(I32, const(self.positions))
        return block(out, sequence(
            store(count, const(self.expanded)),
            choose(self._insert()(), sequence(
                self._from_here(), self._watched(("invariant", "possible"), out, here))),
        ))  # fmt: skip

    def _from_here(self) -> Instruction:
        """Notes where the last state was reached from."""
        count = load(I32, const(self.positions))
        return store(load(I32, const(self.expanded)), self.stack.value + (count - 1) * 4)

    # ---- what is looked for

    def _watched(self, kinds: tuple[str, ...], out: Label, here: CodeContext) -> Instruction:
        """Leaves where something of these kinds is met, if that is looked for."""
        if not self.transitions.watched:
            return sequence()
        codes = []
        for number, each in enumerate(self.properties.watched, 1):
            if each.kind in kinds:
                met = sequence(store(const(number), const(self.playing.found)), branch(out))
                codes.append(self._met(each, met, here))
        return sequence(*codes)

    def _met(self, claim: c.Property, met: Instruction, here: CodeContext) -> Instruction:
        function, wanted = self.properties.holds(claim), claim.kind == "possible"

        def ask(inside: CodeContext) -> Instruction:
            holds = self.transitions.called(function, inside)
            return choose(holds, *((met,) if wanted else (sequence(), met)))

        return self.unit.guarded(here, ask, sequence() if wanted else met)

    def _happen(self, record: Instruction, out: Label, here: CodeContext) -> Instruction:
        """Makes an event happen with its steps, and looks at where each of them leads."""
        if not self.transitions.watched:
            return self.counting.apply(record, here)
        take = self.transitions.of_event("take event", None, self.transitions.take)

        def look() -> Instruction:
            return self._watched(("always", "invariant", "possible"), out, here)

        return sequence(
            self.transitions.called(take, here, record),
            look(),
            self.transitions.steps_due(here, look),
        )

    def _each_event(
        self, state: Instruction, out: Label, new: Instruction, here: CodeContext,
        nothing: Instruction,
    ) -> Instruction:  # fmt: skip
        """Goes through all that can happen in a state: `new` is done where it leads to one that was
        not known, `nothing` where nothing can happen. What has no weight does not happen."""
        events, any_, record = self.events, here.function.local(I32), here.function.local(I32)
        next_event, events_end, after = Label(), Label(), Label()
        skip = const(0)
        for number in self._weighted:
            skip = either(load(I32, record.value).eq(number), skip)
        weightless = sequence() if skip.known == 0 else choose(
            skip, branch_if(after, load(I64, record.value, events.weight).eq(0))
        )  # fmt: skip
        return sequence(
            store(const(0), const(self.event)),
            any_.set(0),
            events.next.set(events.list),
            self.transitions.called(self.counting.following(), here),
            record.set(events.list),
            block(events_end, loop(next_event, sequence(
                branch_if(events_end, record.value.ge(events.next.value)),
                block(after, sequence(
                    weightless,
                    any_.set(1),
                    self.unit.tick(),
                    store(record.value, const(self.event)),
                    self._happen(record.value, out, here),
                    choose(self._insert()(), new),
                    copy(const(STATE), state, self.size),
                )),
                record.set(record.value + events.size),
                branch(next_event),
            ))),
            choose(any_.value, sequence(), nothing),
        )  # fmt: skip

    # ---- one after the other

    def _counter(self, row: Instruction) -> Callable[[int], Instruction]:
        return lambda place: store(load(I64, row, place) + 1, row, place)

    def _descend(self, here: CodeContext) -> Instruction:
        """Depth first: the state found last is gone on with first. All is counted as one level."""
        unit, local = self.unit, here.function.local
        high, state, number = local(I32), local(I32), local(I32)
        out, next_state, push, pushed = (Label() for _ in range(4))
        count, top = load(I32, const(self.positions)), self.stack.value + high.value
        more = self._counter(const(self.counting.levels))
        new = sequence(store(count - 1, top), high.set(high.value + 4))
        return block(out, sequence(
            branch_if(out, load(I32, const(self.playing.found))),
            block(pushed, loop(push, sequence(
                branch_if(pushed, number.value.ge(count)),
                store(number.value, top),
                high.set(high.value + 4),
                number.set(number.value + 1),
                branch(push),
            ))),
            loop(next_state, sequence(
                branch_if(out, high.value.eq(0)),
                unit.tick(),
                unit.free_all(),
                high.set(high.value - 4),
                state.set(self.states.value + load(I32, top) * self.size),
                copy(const(STATE), state.value, self.size),
                more(LINES),
                choose(self.transitions.is_final(), sequence(more(FINISHED), branch(next_state))),
                self._each_event(state.value, out, new, here, more(STUCK)),
                branch(next_state),
            )),
        ))  # fmt: skip

    def _explore(self, here: CodeContext) -> Instruction:
        """Breadth first from all states that were added; `found` of the games at random says what
        is met, `expanded` and `event` where."""
        depth, stopping = (each.value for each in here.function.params)
        unit, local = self.unit, here.function.local
        done, end, state, level, row = (local(I32) for _ in range(5))
        out, next_level, next_state, level_end = (Label() for _ in range(4))
        count = load(I32, const(self.positions))
        more = self._counter(row.value + self.counting.levels)
        stopped = sequence(
            store(const(0), const(self.event)),
            store(const(STOPPED), const(self.playing.found)),
            branch(out),
        )
        nothing = sequence(more(STUCK), choose(stopping, stopped))
        return block(out, sequence(
            branch_if(out, load(I32, const(self.playing.found))),
            loop(next_level, sequence(
                branch_if(out, done.value.ge(count)),
                end.set(count),
                block(level_end, loop(next_state, sequence(
                    branch_if(level_end, done.value.ge(end.value)),
                    unit.tick(),
                    unit.free_all(),
                    state.set(self.states.value + done.value * self.size),
                    copy(const(STATE), state.value, self.size),
                    store(done.value, const(self.expanded)),
                    done.set(done.value + 1),
                    more(LINES),
                    choose(self.transitions.is_final(), sequence(
                        more(FINISHED), branch(next_state))),
                    branch_if(next_state, level.value.ge(depth)),
                    self._each_event(state.value, out, self._from_here(), here, nothing),
                    branch(next_state),
                ))),
                level.set(level.value + 1),
                choose(level.value.le(DEEPEST), row.set(row.value + self.counting.level)),
                branch(next_level),
            )),
        ))  # fmt: skip
