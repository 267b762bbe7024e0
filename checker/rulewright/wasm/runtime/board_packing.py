"""Boards in and out of a module: only the keys that are not `none`, each with its value."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    Instruction,
    Label,
    binary,
    block,
    branch,
    branch_if,
    const,
    loop,
    narrow,
    sequence,
    wide,
)
from rulewright.wasm.assembler.memory_instructions import fill, load, store
from rulewright.wasm.codegen.compilation_unit import STATE, CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import SparseArray
from rulewright.wasm.codegen.expressions import ExpressionCompiler
from rulewright.wasm.codegen.memory_access import each_element, entry, value_at
from rulewright.wasm.runtime.portable_states import ENTRY


class Packing:
    """Compiles `pack n` and `unpack n` for each kind of board."""

    def __init__(self, expressions: ExpressionCompiler, kinds: Iterable[SparseArray]) -> None:
        self.unit: CompilationUnit = expressions.unit
        self._put = expressions.maps.put
        self.numbers: dict[SparseArray, int] = {}
        for each in kinds:
            self.numbers.setdefault(each, len(self.numbers))
        most = max((each.count for each in self.numbers), default=0)
        self.room = self.unit.reserve(ENTRY.size * most)
        """Where entries are written by the one and read by the other."""
        for kept, number in self.numbers.items():
            self._pack(kept, number)
            self._unpack(kept, number)

    def _pack(self, kept: SparseArray, number: int) -> None:
        """Writes the entries of a board, and says how many there are."""
        made = self.unit.module.function(f"pack {number}", [I32], I32, export=True)
        board, at = made.params[0].value, made.local(I32)
        inner = kept.inner

        def body(here: CodeContext) -> Instruction:
            def each(key: Instruction) -> Instruction:
                place = entry(board + kept.values, key, kept.first, inner.size)
                return sequence(
                    store(key, at.value),
                    store(wide(value_at(inner, place)), at.value, 4),
                    at.set(at.value + ENTRY.size),
                )

            return sequence(
                self.unit.work.set(self.unit.given.value),
                at.set(self.room),
                each_element(self.unit, here, kept, board, each),
                binary("div_u", at.value - self.room, ENTRY.size),
            )

        self.unit.define(made, {}, STATE, STATE, body)

    def _unpack(self, kept: SparseArray, number: int) -> None:
        """Writes a board of so many entries."""
        made = self.unit.module.function(f"unpack {number}", [I32, I32], I32, export=True)
        board, count = (each.value for each in made.params)
        at, end = made.local(I32), made.local(I32)
        inner, out, again = kept.inner, Label(), Label()

        def body(here: CodeContext) -> Instruction:
            def blank(key: Instruction) -> Instruction:
                place = entry(board + kept.values, key, kept.first, inner.size)
                return store(const(0, inner.register), place, 0, inner.size)

            raw = load(I64, at.value, 4)
            value = raw if inner.register == I64 else narrow(raw)
            return sequence(
                self.unit.work.set(self.unit.given.value),
                each_element(self.unit, here, kept, board, blank),
                fill(board, 0, kept.values),
                at.set(self.room),
                end.set(count * ENTRY.size + self.room),
                block(out, loop(again, sequence(
                    branch_if(out, at.value.ge(end.value)),
                    self._put(kept, board, load(I32, at.value), value, here),
                    at.set(at.value + ENTRY.size),
                    branch(again),
                ))),
                const(0),
            )  # fmt: skip

        self.unit.define(made, {}, STATE, STATE, body)
