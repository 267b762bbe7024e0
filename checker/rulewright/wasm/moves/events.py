"""Events in memory: which transition, who moves, the arguments, and of chance the weight.

A record has eight bytes for each argument: a number, the bits of a small set, or the address of
what is kept in memory. Lists of events are records one after the other; `next` is where the next
one goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.event import Event
from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    Instruction,
    choose,
    const,
    narrow,
    sequence,
    wide,
)
from rulewright.wasm.assembler.memory_instructions import load, store
from rulewright.wasm.codegen.compilation_unit import NO_MEMORY, CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import boards, in_memory, register
from rulewright.wasm.codegen.memory_access import copied

HEAD = 8
"""Bytes before the arguments: the number of the transition and the mover."""
BESIDE = 256
"""Bytes of arguments that can stand behind a record."""
LIST = 1 << 22
"""Bytes for lists of events."""


class Events:
    """The records of the events of a spec."""

    def __init__(self, unit: CompilationUnit, room: int = LIST) -> None:
        """There is so much room for lists of events."""
        self.unit = unit
        self._room = room
        self.layout = unit.layout
        self.transitions = unit.instance.spec.transitions
        self.numbers = {each.name: number for number, each in enumerate(self.transitions)}
        most = max((len(each.params) for each in self.transitions), default=0)
        self.weight = HEAD + 8 * most
        self.size = self.weight + 8
        self.chosen = unit.reserve(self.size)
        """Where the event is that happens next."""
        self.values: dict[str, list[int]] = {
            each.name: [
                unit.reserve(self.layout.kept(param.type).size)
                if in_memory(self.layout.kept(param.type))
                else 0
                for param in each.params
            ]
            for each in self.transitions
            if each.kind != "step"
        }
        """Where arguments are put that come from outside and are kept in memory."""
        self.beside: dict[str, list[tuple[int, int, int]]] = {}
        """Of arguments in memory that are small enough to stand right behind the record of an
        event that comes from outside: their number, their place behind the record, their size."""
        behind = 0
        for each in self.transitions:
            if each.kind != "step":
                behind = max(behind, self._put_beside(each))
        self.long = self.size + behind
        """The size of a record with such arguments behind it."""
        self.list = unit.reserve(room)
        self.next = unit.module.variable(I32, self.list)

    def _put_beside(self, transition: c.Transition) -> int:
        found, at = [], 0
        for number, param in enumerate(transition.params):
            kept = self.layout.kept(param.type)
            if in_memory(kept):
                if boards(kept) or at + kept.size > BESIDE:
                    return 0
                found.append((number, at, kept.size))
                at += kept.size + -kept.size % 8
        self.beside[transition.name] = found
        return at

    # ---- as code

    def found_beside(self, record: Instruction) -> dict[int, Instruction]:
        """By the number of a transition: notes where the arguments are that stand behind a
        record."""
        return {
            self.numbers[name]: sequence(*(
                store(wide(record + (self.size + at), sign=False), record, HEAD + 8 * number)
                for number, at, _ in places
            ))
            for name, places in self.beside.items()
            if places
        }  # fmt: skip

    def arguments(self, transition: c.Transition, record: Instruction) -> list[Instruction]:
        """The mover, if there is one, and the arguments of an event in memory."""
        found = []
        if transition.mover is not None:
            found.append(load(I32, record, 4))
        for number, param in enumerate(transition.params):
            raw = load(I64, record, HEAD + 8 * number)
            wanted = register(self.layout.kept(param.type))
            found.append(raw if wanted == I64 else narrow(raw))
        return found

    def names(
        self, transition: c.Transition, given: Sequence[Instruction]
    ) -> dict[str, tuple[Instruction, y.Type]]:
        """What the names of a transition stand for, given the mover and the arguments."""
        found: dict[str, tuple[Instruction, y.Type]] = {}
        rest = list(given)
        if transition.mover is not None:
            found[transition.mover] = (rest.pop(0), self.unit.instance.player)
        for param, code in zip(transition.params, rest):
            found[param.name] = (code, param.type)
        return found

    def registers(self, transition: c.Transition) -> list[str]:
        """The types of the mover and the arguments."""
        mover = [I32] if transition.mover is not None else []
        return mover + [register(self.layout.kept(param.type)) for param in transition.params]

    def put(
        self,
        transition: c.Transition,
        record: Instruction,
        here: CodeContext,
        weight: Instruction | None = None,
        aside: bool = True,
    ) -> Instruction:
        """Writes an event whose names are known. What is in memory is kept aside, unless it stays
        for as long as the event."""
        number = self.numbers[transition.name]
        mover = const(0) if transition.mover is None else here.env[transition.mover][0]
        codes = [store(const(number), record), store(mover, record, 4)]
        for place, param in enumerate(transition.params):
            value, _ = here.env[param.name]
            kept = self.layout.kept(param.type)
            if in_memory(kept) and aside:
                take, place_aside = self.unit.keep(kept.size, here)
                codes += [take, copied(self.unit, kept, place_aside, value)]
                value = place_aside
            codes.append(store(wide(value), record, HEAD + 8 * place))
        if weight is not None:
            codes.append(store(weight, record, self.weight))
        return sequence(*codes)

    def append(
        self, transition: c.Transition, here: CodeContext, weight: Instruction | None = None
    ) -> Instruction:
        """Adds an event to the list."""
        full = self.next.value.gt(self.list + self._room - 2 * self.size)
        return sequence(
            choose(full, self.unit.stop(NO_MEMORY)),
            self.put(transition, self.next.value, here, weight),
            self.next.set(self.next.value + self.size),
        )

    # ---- from and to the evaluator

    def encode(self, event: Event, memory: memoryview, at: int) -> None:
        """Writes an event to memory."""
        number = self.numbers[event.name]
        transition = self.transitions[number]
        memory[at : at + 4] = number.to_bytes(4, "little")
        memory[at + 4 : at + 8] = (event.by or 0).to_bytes(4, "little")
        for place, param in enumerate(transition.params):
            value = event.arguments[param.name]
            kept = self.layout.kept(param.type)
            slot = at + HEAD + 8 * place
            if in_memory(kept):
                address = self.values[event.name][place]
                self.layout.encode(value, param.type, memory, address)
                raw = address
            elif isinstance(param.type, y.Set):
                content = bytearray(8)
                self.layout.encode(value, param.type, memoryview(content), 0)
                raw = int.from_bytes(content, "little")
            else:
                raw = self.layout.number(value, param.type)
            memory[slot : slot + 8] = (raw & 0xFFFFFFFFFFFFFFFF).to_bytes(8, "little")

    def decode(self, memory: memoryview, at: int) -> Event:
        """Reads an event from memory."""
        transition = self.transitions[int.from_bytes(memory[at : at + 4], "little")]
        by = int.from_bytes(memory[at + 4 : at + 8], "little") or None
        arguments: dict[str, Any] = {
            param.name: self.unit.carried(memory, at + HEAD + 8 * place, param.type)
            for place, param in enumerate(transition.params)
        }
        return Event(transition.name, by, arguments)

    def weight_at(self, memory: memoryview, at: int) -> int:
        """The weight of a chance event in memory."""
        return int.from_bytes(memory[at + self.weight : at + self.weight + 8], "little")
