"""The built-in functions: seats, sizes, least and greatest, squares, what lies on a board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from math import prod
from typing import TYPE_CHECKING, Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.values import text
from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    Instruction,
    Unsupported,
    all_of,
    binary,
    both,
    choose,
    const,
    narrow,
    select,
    sequence,
    wide,
)
from rulewright.wasm.assembler.memory_instructions import copy, load
from rulewright.wasm.codegen.boards import Boards
from rulewright.wasm.codegen.compilation_unit import CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import (
    CountArray,
    Kept,
    Mask,
    Scalar,
    SparseArray,
    ValueArray,
    WordSet,
)
from rulewright.wasm.codegen.memory_access import (
    counted,
    each_element,
    entry,
    put_bit,
    value_at,
)

if TYPE_CHECKING:
    from rulewright.wasm.codegen.expressions import ExpressionCompiler

MOST_CASES = 1 << 16


class Builtins:
    """Compiles calls of built-in functions."""

    def __init__(self, expressions: ExpressionCompiler) -> None:
        self.expressions = expressions
        self.unit: CompilationUnit = expressions.unit
        self.layout = expressions.unit.layout
        self.checks = expressions.checks
        self.boards = Boards(expressions)
        self._cases: dict[tuple[str, ...], tuple[list[tuple[int, int]], bytes, bool]] = {}

    def value(self, e: c.Builtin, here: CodeContext) -> Instruction:
        """The value of a built-in function."""
        if e.name in ("reach", "connected"):
            return self.boards.flood(e, here)
        keeps, given = [], []
        for argument in e.arguments:
            keep, held = here.hold(self.expressions.value(argument, here))
            keeps.append(keep)
            given.append(held)
        return sequence(*keeps, self._value(e, given, here))

    def _value(self, e: c.Builtin, given: list[Instruction], here: CodeContext) -> Instruction:
        players = self.unit.instance.players
        types = [self.expressions.ranges.type_of(argument, here) for argument in e.arguments]
        match e.name, given:
            case "left_of", [player]:
                if not self.unit.players_in_range:
                    return binary("rem_u", player, players) + 1
                return select(player.ge(players), const(1), player + 1)
            case "right_of", [player]:
                if not self.unit.players_in_range:
                    return binary("rem_u", player + (players - 2), players) + 1
                return select(player.le(1), const(players), player - 1)
            case "size", [collection]:
                return self._as(self.expressions.collections.size(collection, types[0], here), e)
            case "min" | "max", [one, other]:
                if I64 in (one.type, other.type):
                    one, other = wide(one), wide(other)
                first = one.lt(other) if e.name == "min" else one.gt(other)
                return self._as(select(first, one, other), e)
            case "abs", [number]:
                return self._as(select(number.lt(0), const(0, number.type or I32) - number, number),
                                e)  # fmt: skip
            case "step", [square, direction, steps]:
                return self.boards.step(e, square, direction, steps, here)
            case "column", [square]:
                grid = self._grid(types[0])
                return self._as(binary("rem_u", square, grid.width) + 1, e)
            case "row", [square]:
                grid = self._grid(types[0])
                return self._as(binary("div_u", square, grid.width) + 1, e)
            case "square", [column, row]:
                return self._square(e, column, row, here)
            case "occupied", [map]:
                return self._occupied(e, map, here)
            case "tally", [map]:
                return self._tally(e, map, here)
            case "components", [map]:
                return self._as(self.boards.components(types[0], e.along)(map), e)
            case name, _ if name.startswith("case "):
                return self._case(e, name.removeprefix("case "), given, here)
            case name, _:
                raise AssertionError(name)

    def _as(self, number: Instruction, e: c.Builtin) -> Instruction:
        """A number as the type of the call keeps it."""
        kept = self.layout.kept(e.type)
        assert isinstance(kept, Scalar)
        return wide(number) if kept.register == I64 else narrow(number)

    # ---- squares

    def _grid(self, type: y.Type) -> y.Grid:
        assert isinstance(type, y.Grid)
        return type

    def _square(
        self, e: c.Builtin, column: Instruction, row: Instruction, here: CodeContext
    ) -> Instruction:
        grid = self._grid(e.type)
        types = [self.expressions.ranges.type_of(argument, here) for argument in e.arguments]
        inside = both((column - 1).below(grid.width), (row - 1).below(grid.height))
        name = y.show(e.type)

        def describe(x: int, z: int) -> str:
            return f"`{name}` has no square in column {x}, row {z}"

        found = (narrow(row) - 1) * grid.width + (narrow(column) - 1)
        sure = all(
            y.within(type, y.Int(1, size)) for type, size in zip(types, (grid.width, grid.height))
        )
        if sure:
            return found
        failing = self.unit.fail(here, e.span, describe, [(column, types[0]), (row, types[1])])
        return sequence(choose(inside, sequence(), failing), found)

    # ---- what lies on a board

    def entries(
        self,
        kept: Kept,
        map: Instruction,
        here: CodeContext,
        body: Callable[[Instruction, Instruction], Instruction],
    ) -> Instruction:
        """A loop over the keys and values of a map that are not `none`."""
        if isinstance(kept, SparseArray):
            return each_element(self.unit, here, kept, map, lambda key: body(
                key, value_at(kept.inner, entry(map + kept.values, key, kept.first,
                                                kept.inner.size))))  # fmt: skip
        assert isinstance(kept, ValueArray) and isinstance(kept.inner, Scalar)
        inner, none = kept.inner, kept.inner.none

        def at(key: Instruction) -> Instruction:
            keep, value = here.hold(value_at(inner, entry(map, key, kept.first, kept.stride)))
            if none is None:
                return sequence(keep, body(key, value))
            return sequence(keep, choose(value.ne(none), body(key, value)))

        return counted(self.unit, here, kept.first, kept.count, at)

    def _occupied(self, e: c.Builtin, map: Instruction, here: CodeContext) -> Instruction:
        kept, target = self.layout.kept(e.arguments[0].type), self.layout.kept(e.type)
        if (
            isinstance(kept, SparseArray)
            and isinstance(target, WordSet)
            and target.base == kept.first
        ):
            take, fresh = self.unit.allocate(target.size, here)
            return sequence(take, copy(fresh, map, target.size), fresh)
        if isinstance(target, Mask):
            bits = here.function.local(I64)
            mark = self.entries(kept, map, here, lambda key, _: bits.set(
                bits.value | const(1, I64) << wide(key - target.base)))  # fmt: skip
            return sequence(bits.set(0), mark, bits.value)
        assert isinstance(target, WordSet)
        take, fresh = self.unit.allocate(target.size, here, zero=True)
        fill_ = self.entries(kept, map, here, lambda key, _: put_bit(
            fresh, key - target.base, here))  # fmt: skip
        return sequence(take, fill_, fresh)

    def _tally(self, e: c.Builtin, map: Instruction, here: CodeContext) -> Instruction:
        kept, target = self.layout.kept(e.arguments[0].type), self.layout.kept(e.type)
        assert isinstance(target, CountArray)
        take, fresh = self.unit.allocate(target.size, here, zero=True)
        more = self.expressions.collections.more
        add = self.entries(kept, map, here, lambda _, value: more(
            target, fresh, narrow(value), const(1), here))  # fmt: skip
        return sequence(take, add, fresh)

    # ---- cases

    def _case(
        self, e: c.Builtin, case: str, given: list[Instruction], here: CodeContext
    ) -> Instruction:
        """The member for a case and its fields, which need not exist."""
        enum = e.type
        assert isinstance(enum, y.Enum)
        types = [self.expressions.ranges.type_of(argument, here) for argument in e.arguments]
        spans, content, missing = self._case_table(enum, case, types)
        index_code, inside = const(0), []
        for (low, count), code, type in zip(spans, given, types):
            index_code = index_code * count + (narrow(code) - low)
            if not self.expressions.operators.surely_inside(type, low, count):
                inside.append((code - low).below(count))
        found = load(I32, (index_code << 1) + self.unit.data(content), 0, 2)

        def describe(*values: Any) -> str:
            return f"there is no `{case}({', '.join(map(text, values))})`"

        keep, held = here.hold(found)
        if not inside and not missing:
            return found
        failing = self.unit.fail(here, e.span, describe, list(zip(given, types)))
        if not inside:
            return sequence(keep, choose(held.lt(0), failing), held)
        within = all_of(inside)
        if not missing:
            return sequence(choose(within, sequence(), failing), found)
        hold, result = here.hold(choose(within, found, const(-1)))
        return sequence(hold, choose(result.lt(0), failing), result)

    def _case_table(
        self, enum: y.Enum, case: str, types: Sequence[y.Type]
    ) -> tuple[list[tuple[int, int]], bytes, bool]:
        """The members of a case by their fields: where the numbers of each field begin and how many
        there are, the numbers of the members, and whether some are missing."""
        key = enum.name, case, *map(_kind, types)
        if key in self._cases:
            return self._cases[key]
        known = _members(enum, case)
        spans: list[tuple[int, int]] = []
        for place, kind in enumerate(types):
            numbers = [self.layout.number(fields[place], kind) for fields, _ in known]
            low, high = min(numbers), max(numbers)
            spans.append((low, high - low + 1))
        size = prod(count for _, count in spans)
        if size > MOST_CASES:
            raise Unsupported(f"`{case}` has too many fields")
        table = [-1] * size
        for fields, number in known:
            index = 0
            for (low, count), field, kind in zip(spans, fields, types):
                index = index * count + self.layout.number(field, kind) - low
            table[index] = number
        content = b"".join(number.to_bytes(2, "little", signed=True) for number in table)
        self._cases[key] = spans, content, -1 in table
        return self._cases[key]


def _kind(type: y.Type) -> str:
    """What decides which number a value of a type has: the range of numbers does not."""
    if isinstance(type, y.Option):
        return f"{_kind(type.inner)}?"
    return type.name if isinstance(type, y.Enum | y.Grid) else ""


def _members(enum: y.Enum, case: str) -> list[tuple[tuple[y.Value, ...], int]]:
    """The fields of each member of a case in the order they are written, and its number."""
    numbers = [n for n, each in enumerate(enum.written) if each.startswith(f"{case}(")]
    fields = [each for each in enum.fields if numbers and each.values[numbers[0]] is not None]
    for order in permutations(fields):
        found = [(tuple(field.values[number] for field in order), number) for number in numbers]
        if all(_is_named(enum.members[number], case, values) for values, number in found):
            return found
    raise AssertionError(enum)


def _is_named(member: str, case: str, values: tuple[y.Value, ...]) -> bool:
    named = " ".join(map(y.value_name, values))
    return member in (named, f"{case} {named}")
