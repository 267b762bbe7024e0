"""One of the moves of a player, all equally likely: a note for each, and one of the notes is taken.

A note is a number of 64 bits, the move in its lowest bits and the arguments above; a move with an
argument that is not so small (a map, a large set) has none, and is listed as an event. In which
order notes are made does not matter, so that the arguments may be gone through in any order.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.rules import requirements
from rulewright.syntax.node import Node
from rulewright.wasm.analysis.argument_order import in_good_order
from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    Instruction,
    Unsupported,
    choose,
    const,
    narrow,
    select,
    sequence,
    unary,
    wide,
)
from rulewright.wasm.assembler.memory_instructions import load, store
from rulewright.wasm.assembler.module import WasmFunction, WasmVariable
from rulewright.wasm.codegen.compilation_unit import NO_MEMORY, STATE, CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import Mask, Scalar
from rulewright.wasm.codegen.memory_access import each_bit
from rulewright.wasm.moves.choice_loops import run
from rulewright.wasm.moves.choices import ChoiceLeaf
from rulewright.wasm.moves.events import HEAD, LIST, Events
from rulewright.wasm.moves.legal_moves import MoveLister
from rulewright.wasm.moves.rejection_sampling import Sampling
from rulewright.wasm.simulate.random_numbers import Generator

NOTE = 8
BITS = 64


class PackedField(Node):
    """Where an argument is in a note: the first bit and how many there are. `first` is the least
    number that it can be, `none` what stands for none if that is not one less."""

    shift: int
    width: int
    first: int
    none: int | None


class Candidates:
    """Compiles the choice among the moves of a player."""

    def __init__(self, listing: MoveLister, generator: Generator) -> None:
        self.listing = listing
        self.generator = generator
        self.unit: CompilationUnit = listing.unit
        self.layout = listing.unit.layout
        self.events: Events = listing.events
        self.choices = listing.choices
        self.transitions = listing.transitions
        self.sampling = Sampling(listing, generator)

    def can_note(self, moves: Sequence[c.Transition]) -> bool:
        """Whether there are notes of all these moves."""
        return all(self._fields(move, len(moves)) is not None for move in moves)

    def _fields(self, move: c.Transition, count: int) -> list[PackedField] | None:
        shift, fields = (count - 1).bit_length(), []
        for param in move.params:
            try:
                field = self._field(param.type, shift)
            except Unsupported:
                return None
            if field is None or field.shift + field.width > BITS - 1:
                return None
            fields.append(field)
            shift += field.width
        return fields

    def _field(self, type: y.Type, shift: int) -> PackedField | None:
        match self.layout.kept(type):
            case Mask() as kept if isinstance(type, y.Set):
                first, count = self.layout.universe(type.element)
                return PackedField(shift, first - kept.base + count, 0, None)
            case Scalar(none=none):
                inner = type.inner if isinstance(type, y.Option) else type
                first, count = self.layout.universe(inner)
                if none is None:
                    return PackedField(shift, max(count - 1, 0).bit_length(), first, None)
                return PackedField(shift, count.bit_length(), first - 1,
                             None if none == first - 1 else none)  # fmt: skip
            case _:
                return None

    # ---- choosing

    def one_of(self, moves: Sequence[c.Transition]) -> WasmFunction:
        """Puts one of the moves of a player where the next event is, and says whether there is
        any."""

        def make(name: str) -> WasmFunction:
            made = self.unit.module.function(name, [I32], I32)
            made.few = 0  # its loops have the registers for themselves
            player, next_ = made.params[0].value, made.local(I32)

            def body(here: CodeContext) -> Instruction:
                begin = self.events.list
                noted = [self._noted(move, number, len(moves), next_, here.bind(
                    move.mover, player, self.listing.instance.player))
                    for number, move in enumerate(moves) if move.mover is not None]  # fmt: skip
                found, count = here.hold((next_.value - begin) >> 3)
                picked = load(I64, (self.generator.below()(count) << 3) + begin)
                keep, note = here.hold(picked)
                return sequence(
                    self.sampling.tries(moves, made, here),
                    next_.set(begin),
                    *noted,
                    found,
                    choose(count.eq(0), made.leave(0)),
                    keep,
                    self._taken(moves, note, player),
                    const(1),
                )  # fmt: skip

            self.unit.define(made, {}, STATE, STATE, body)
            return made

        return self.unit.shared(f"one of {' '.join(each.name for each in moves)}", make)

    def _noted(
        self, move: c.Transition, number: int, count: int, next_: WasmVariable, here: CodeContext
    ) -> Instruction:
        """Notes all moves of a kind."""
        fields = self._fields(move, count)
        assert fields is not None
        types: dict[str, y.Type] = {param.name: param.type for param in move.params}
        # That the game is in a phase of the move, its first requirement, is known.
        asked = requirements(move)[1:] if move.phases else requirements(move)
        needed = [each.condition for each in asked]
        task = in_good_order(self.choices, self.choices.task(types, needed), here)
        places = dict(zip(types, fields))
        end = self.events.list + LIST - 2 * NOTE
        most = 1
        for field in fields:
            most <<= field.width
        sure = most * count * NOTE < LIST
        room = sequence() if sure else choose(next_.value.gt(end), self.unit.stop(NO_MEMORY))

        def note(inside: CodeContext, without: str | None = None) -> Instruction:
            bits = const(number, I64)
            for name, field in places.items():
                if name != without:
                    bits = self._packed(field, inside.env[name][0]) | bits
            return bits

        def found(inside: CodeContext) -> Instruction:
            return sequence(room, store(note(inside), next_.value), next_.set(next_.value + NOTE))

        def all_found(
            inside: CodeContext, leaf: ChoiceLeaf, bits: Instruction, single: bool
        ) -> Instruction | None:
            """Notes the values of the last argument that bits say, where they go into the note as
            they are."""
            field, size = places[leaf.key[0]], self.choices.narrowing.size(leaf.type)
            if size is None or field.first != size[0] or field.none is not None:
                return None
            start, rest = inside.hold(note(inside, leaf.key[0]))

            def put(place: Instruction) -> Instruction:
                return store(rest | (place << field.shift), next_.value)

            if not single:
                return sequence(start, each_bit(self.unit, inside, bits, 0, lambda place: sequence(
                    room, put(wide(place, sign=False)), next_.set(next_.value + NOTE)
                ), size[1]))  # fmt: skip
            # There is one or none: it is written down in any case, and counts if it is there.
            keep, held = inside.hold(bits)
            more = held.ne(0) << 3
            return sequence(
                start, keep, room, put(unary("ctz", held)), next_.set(next_.value + more)
            )

        return run(self.choices, task, here, found, all_found)

    def _packed(self, field: PackedField, value: Instruction) -> Instruction:
        place = value - field.first
        if field.none is not None:
            place = select(value.eq(field.none), const(0, place.type or I32), place)
        return wide(place, sign=False) << field.shift

    def _taken(
        self, moves: Sequence[c.Transition], note: Instruction, player: Instruction
    ) -> Instruction:
        """Makes the event of a note the next one."""
        record, kinds = const(self.events.chosen), (len(moves) - 1).bit_length()
        cases = []
        for move in moves:
            fields = self._fields(move, len(moves))
            assert fields is not None
            codes = [store(const(self.events.numbers[move.name]), record)]
            for place, field in enumerate(fields):
                value = (note >> field.shift) & ((1 << field.width) - 1)
                if field.none is not None:
                    value = select(value.eq(0), const(field.none, I64), value + field.first)
                else:
                    value = value + field.first
                codes.append(store(value, record, HEAD + 8 * place))
            cases.append(sequence(*codes))
        which = narrow(note) & ((1 << kinds) - 1)
        return sequence(store(player, record, 4), self.transitions.chosen(which, cases))
