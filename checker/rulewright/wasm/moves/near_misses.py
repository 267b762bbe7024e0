"""Near misses of an event: the same event with its mover or some arguments changed at random.

Before an event of a watched game happens, a few near misses of it are tried. Where a single
requirement refuses one, that has decided, and is counted: a requirement that never decides is one
that nothing tests. Each argument is changed half of the time: a plain one to any value of its type,
a collection or map a little, in one place.
"""

from __future__ import annotations

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.rules import requirements
from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    Instruction,
    Unsupported,
    choose,
    const,
    sequence,
    whilst,
    wide,
)
from rulewright.wasm.assembler.memory_instructions import load, store
from rulewright.wasm.assembler.module import WasmFunction
from rulewright.wasm.codegen.compilation_unit import STATE, CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import (
    MOST_COUNT,
    CountArray,
    Mask,
    Scalar,
    SparseArray,
    ValueArray,
    WordSet,
    in_memory,
)
from rulewright.wasm.codegen.memory_access import (
    bit_at,
    copied,
    count_at,
    each_element,
    entry,
    put_at,
    put_bit,
    put_count,
    value_at,
)
from rulewright.wasm.moves.events import Events
from rulewright.wasm.moves.transitions import Transitions
from rulewright.wasm.simulate.random_numbers import Generator

MISSES = 3
"""Near misses of each event."""


class NearMisses:
    """Compiles near misses and counts what decides."""

    def __init__(self, transitions: Transitions, generator: Generator) -> None:
        self.transitions = transitions
        self.generator = generator
        self.unit: CompilationUnit = transitions.unit
        self.layout = transitions.unit.layout
        self.events: Events = transitions.events
        self.places: dict[tuple[str, int], int] = {}
        """Where it is counted how often a requirement decided, by transition and number."""
        for each in self.events.transitions:
            if each.kind != "step":
                for number in range(len(requirements(each))):
                    self.places[each.name, number] = self.unit.reserve(8)

    def of(self, event: c.Transition) -> WasmFunction:
        """Tries near misses of an event that is allowed."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, self.events.registers(event))

            def body(here: CodeContext) -> Instruction:
                count = made.local(I32)
                since = self.unit.allocations
                turn = self._one(event, made, here)
                turn = self.transitions.expressions.giving_back(since, here, turn)
                step = sequence(turn, count.set(count.value + 1))
                return whilst(count.value.lt(MISSES), step)

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(f"near misses of {event.name}", make)

    def _one(self, event: c.Transition, made: WasmFunction, here: CodeContext) -> Instruction:
        """One near miss, and who refuses it."""
        types: list[y.Type] = [param.type for param in event.params]
        if event.mover is not None:
            types.insert(0, self.unit.instance.player)
        codes, given = [], []
        for variable, type in zip(made.params, types):
            changed = made.local(variable.type)
            codes.append(changed.set(variable.value))
            another = self._another(variable.value, type, here)
            if another is not None:
                codes.append(choose(self._below(2), changed.set(another)))
            given.append(changed.value)
        marking = self.transitions.marking(event)
        # Without a value where something else refuses, but in another order: that does not count.
        failed = self.unit.failed
        return sequence(
            *codes,
            marking(*given),
            choose(failed.value, failed.set(0), self._counted(event, here)),
        )

    def _counted(self, event: c.Transition, here: CodeContext) -> Instruction:
        """Counts the requirement that refuses alone."""
        marks, found = self.transitions.marks, here.function.local(I32)
        many = len(requirements(event))
        add = [found.set(0)]
        for number in range(many):
            add.append(found.set(found.value + load(I32, const(marks + number), 0, 1, False)))
        counting = []
        for number in range(many):
            place = const(self.places[event.name, number])
            mark = load(I32, const(marks + number), 0, 1, False)
            counting.append(choose(mark, store(load(I64, place) + 1, place)))
        return sequence(*add, choose(found.value.eq(1), sequence(*counting)))

    # ---- other values

    def _below(self, limit: int | Instruction) -> Instruction:
        return self.generator.below()(limit)

    def any(self, type: y.Type, here: CodeContext) -> Instruction | None:
        """Any value of a plain type, None if there is no end of them."""
        kept = self.layout.kept(type)
        try:
            inner = type.inner if isinstance(type, y.Option) else type
            first, count = self.layout.universe(inner)
        except Unsupported:
            return None
        if not isinstance(kept, Scalar) or kept.register != I32 or count < 1:
            return None
        if not isinstance(type, y.Option):
            return self._below(count) + first
        assert kept.none is not None
        keep, held = here.hold(self._below(count + 1))
        return sequence(keep, choose(held.eq(0), const(kept.none), held + (first - 1)))

    def _another(self, value: Instruction, type: y.Type, here: CodeContext) -> Instruction | None:
        """Another value of a type, not far from the given one."""
        kept = self.layout.kept(type)
        match kept, type:
            case Scalar(), _:
                return self.any(type, here)
            case Mask(base, _), y.Set(element):
                each = self.any(element, here)
                return None if each is None else value ^ (const(1, I64) << wide(each - base))
            case _ if in_memory(kept):
                take, fresh = self.unit.allocate(kept.size, here)
                change = self._changed(fresh, type, here)
                if change is None:
                    return None
                return sequence(take, copied(self.unit, kept, fresh, value), change, fresh)
            case _:
                return None

    def _changed(self, fresh: Instruction, type: y.Type, here: CodeContext) -> Instruction | None:
        """Changes something in memory in one place."""
        kept = self.layout.kept(type)
        match kept, type:
            case WordSet(base, _, _), y.Set(element):
                each = self.any(element, here)
                if each is None:
                    return None
                keep, held = here.hold(each - base)
                return sequence(keep, choose(
                    bit_at(fresh, held), put_bit(fresh, held, here, on=False),
                    put_bit(fresh, held, here)))  # fmt: skip
            case CountArray(), y.Bag(element):
                each = self.any(element, here)
                if each is None:
                    return None
                keep, held = here.hold(each)
                hold, count = here.hold(count_at(kept, fresh, held))
                more = put_count(kept, count + 1, fresh, held)
                fewer = choose(count.gt(0), put_count(kept, count - 1, fresh, held))
                full = count.ge(MOST_COUNT)
                return sequence(
                    keep, hold, choose(self._below(2), choose(full, sequence(), more), fewer)
                )
            case ValueArray(first, count, inner, stride, _), y.Map(_, inside) if count > 0:
                take, at = here.hold(entry(fresh, self._below(count) + first, first, stride))
                if in_memory(inner):
                    change = self._changed(at, inside, here)
                    return None if change is None else sequence(take, change)
                another = self._another(value_at(inner, at), inside, here)
                return None if another is None else sequence(take, put_at(inner, another, at))
            case SparseArray(), y.Map(_, inside):
                return self._moved(fresh, kept, inside, here)
            case _:
                return None

    def _moved(
        self, fresh: Instruction, kept: SparseArray, inside: y.Type, here: CodeContext
    ) -> Instruction | None:
        """Another value at a key of a board that has one, or anywhere if none has."""
        value = self.any(inside, here)
        if value is None:
            return None
        held, key, skip = (here.function.local(I32) for _ in range(3))
        words = WordSet(0, kept.words, 8 * kept.words)
        count = sequence(held.set(0), each_element(self.unit, here, words, fresh, lambda _: (
            held.set(held.value + 1))))  # fmt: skip
        pick = each_element(self.unit, here, words, fresh, lambda number: sequence(
            choose(skip.value.eq(0), key.set(number)), skip.set(skip.value - 1)))  # fmt: skip
        keep, new = here.hold(value)
        put = self.transitions.expressions.maps.put
        return sequence(
            count,
            choose(held.value, sequence(skip.set(self._below(held.value)), pick),
                   key.set(self._below(kept.count))),
            keep,
            put(kept, fresh, key.value + kept.first, new, here),
        )  # fmt: skip
