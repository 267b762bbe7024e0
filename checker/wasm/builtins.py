"""The built-in functions: seats, sizes, least and greatest, squares, what lies on a board."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.values import text
from checker.wasm.code import (
    I32,
    I64,
    Code,
    Unsupported,
    all_of,
    binary,
    both,
    choose,
    const,
    copy,
    load,
    narrow,
    select,
    sequence,
    store,
    whilst,
    wide,
)
from checker.wasm.layout import Array, Board, Counts, Kept, Mask, Scalar, Words
from checker.wasm.memory import bit_at, counted, each_element, entry, put_bit, value_at
from checker.wasm.module import Function
from checker.wasm.unit import Here, Unit

if TYPE_CHECKING:
    from checker.wasm.expressions import Expressions

MOST_CASES = 1 << 16
WIDEST_GRID = 1 << 14
"""Columns; numbers of squares and steps between them stay small."""


class Builtins:
    """Compiles calls of built-in functions."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit: Unit = expressions.unit
        self.layout = expressions.unit.layout
        self.checks = expressions.checks

    def value(self, e: c.Builtin, here: Here) -> Code:
        """The value of a built-in function."""
        keeps, given = [], []
        for argument in e.arguments:
            keep, held = here.hold(self.expressions.value(argument, here))
            keeps.append(keep)
            given.append(held)
        return sequence(*keeps, self._value(e, given, here))

    def _value(self, e: c.Builtin, given: list[Code], here: Here) -> Code:
        players = self.unit.instance.players
        types = [argument.type for argument in e.arguments]
        match e.name, given:
            case "left_of", [player]:
                if not self.unit.players_in_range:
                    return binary("rem_u", player, players) + 1
                return choose(player.ge(players), const(1), player + 1)
            case "right_of", [player]:
                if not self.unit.players_in_range:
                    return binary("rem_u", player + (players - 2), players) + 1
                return choose(player.le(1), const(players), player - 1)
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
                return self._step(e, square, direction, steps, here)
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
                return self._as(self._components(types[0])(map), e)
            case name, _ if name.startswith("case "):
                return self._case(e, name.removeprefix("case "), given, here)
            case name, _:
                raise AssertionError(name)

    def _as(self, number: Code, e: c.Builtin) -> Code:
        """A number as the type of the call keeps it."""
        kept = self.layout.kept(e.type)
        assert isinstance(kept, Scalar)
        return wide(number) if kept.register == I64 else narrow(number)

    # ---- squares

    def _grid(self, type: y.Type) -> y.Grid:
        assert isinstance(type, y.Grid)
        return type

    def _step(self, e: c.Builtin, square: Code, direction: Code, steps: Code, here: Here) -> Code:
        """Up, right, down, left are 0, 1, 2, 3. Off the board is `none`, which is -1."""
        assert isinstance(e.type, y.Option)
        grid = self._grid(e.type.inner)
        width, height = grid.width, grid.height
        if width > WIDEST_GRID:
            raise Unsupported(f"a board of {width} columns")
        keep, far = sequence(), width + height
        if not y.within(e.arguments[2].type, y.Int(-far, far)):
            near = (steps + far).below(2 * far)
            keep, steps = here.hold(select(near, narrow(steps), const(far)))
        column = binary("rem_u", square, width)

        def across(by: Code) -> Code:
            inside = (column + by).below(width)
            return choose(inside, square + by, const(-1))

        def down(by: Code) -> Code:
            moved, to = here.hold(square + by * width)
            return sequence(moved, choose(to.below(width * height), to, const(-1)))

        ways: list[Callable[[], Code]] = [
            lambda: down(const(0) - steps), lambda: across(steps), lambda: down(steps),
            lambda: across(const(0) - steps),
        ]  # fmt: skip
        if direction.known is not None:
            return sequence(keep, ways[direction.known]())
        if width * height <= 4096 and steps.known == 1:
            return sequence(keep, self._neighbour(grid, square, direction))
        forward = select((direction & 2).ne(0), const(1), const(-1))  # down and left
        sideways = choose(direction.eq(1), across(steps), across(const(0) - steps))
        vertical = down(steps * forward)
        return sequence(keep, choose((direction & 1).ne(0), sideways, vertical))

    def _neighbour(self, grid: y.Grid, square: Code, direction: Code) -> Code:
        """From a table of all squares and directions."""
        content = bytearray()
        for row, column, way in product(range(grid.height), range(grid.width), range(4)):
            right, down = ((0, -1), (1, 0), (0, 1), (-1, 0))[way]
            x, z = column + right, row + down
            inside = 0 <= x < grid.width and 0 <= z < grid.height
            content += (z * grid.width + x if inside else -1).to_bytes(2, "little", signed=True)
        table = self.unit.data(bytes(content))
        return load(I32, (square << 3) + (direction << 1) + table, 0, 2)

    def _square(self, e: c.Builtin, column: Code, row: Code, here: Here) -> Code:
        grid = self._grid(e.type)
        types = [argument.type for argument in e.arguments]
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

    def _entries(
        self, kept: Kept, map: Code, here: Here, body: Callable[[Code, Code], Code]
    ) -> Code:
        """A loop over the keys and values of a map that are not `none`."""
        if isinstance(kept, Board):
            return each_element(self.unit, here, kept, map, lambda key: body(
                key, value_at(kept.inner, entry(map + kept.values, key, kept.first,
                                                kept.inner.size))))  # fmt: skip
        assert isinstance(kept, Array) and isinstance(kept.inner, Scalar)
        inner, none = kept.inner, kept.inner.none

        def at(key: Code) -> Code:
            keep, value = here.hold(value_at(inner, entry(map, key, kept.first, kept.stride)))
            if none is None:
                return sequence(keep, body(key, value))
            return sequence(keep, choose(value.ne(none), body(key, value)))

        return counted(self.unit, here, kept.first, kept.count, at)

    def _occupied(self, e: c.Builtin, map: Code, here: Here) -> Code:
        kept, target = self.layout.kept(e.arguments[0].type), self.layout.kept(e.type)
        if isinstance(kept, Board) and isinstance(target, Words) and target.base == kept.first:
            take, fresh = self.unit.allocate(target.size, here)
            return sequence(take, copy(fresh, map, target.size), fresh)
        if isinstance(target, Mask):
            bits = here.function.local(I64)
            mark = self._entries(kept, map, here, lambda key, _: bits.set(
                bits.value | const(1, I64) << wide(key - target.base)))  # fmt: skip
            return sequence(bits.set(0), mark, bits.value)
        assert isinstance(target, Words)
        take, fresh = self.unit.allocate(target.size, here, zero=True)
        fill_ = self._entries(kept, map, here, lambda key, _: put_bit(
            fresh, key - target.base, here))  # fmt: skip
        return sequence(take, fill_, fresh)

    def _tally(self, e: c.Builtin, map: Code, here: Here) -> Code:
        kept, target = self.layout.kept(e.arguments[0].type), self.layout.kept(e.type)
        assert isinstance(target, Counts)
        take, fresh = self.unit.allocate(target.size, here, zero=True)
        more = self.expressions.collections.more
        add = self._entries(kept, map, here, lambda _, value: more(
            target, fresh, narrow(value), const(1), here))  # fmt: skip
        return sequence(take, add, fresh)

    def _components(self, type: y.Type) -> Function:
        """Into how many parts the occupied squares fall; neighbours share a side."""
        assert isinstance(type, y.Map) and isinstance(type.key, y.Grid)
        grid, kept = type.key, self.layout.kept(type)
        size = grid.width * grid.height
        words = (size + 63) // 64

        def make(name: str) -> Function:
            function = self.unit.module.function(name, [I32], I32)
            self.unit.define(function, {}, 0, 0, inside)
            return function

        def inside(here: Here) -> Code:
            function = here.function
            map = function.params[0].value
            parts, height = function.local(I32), function.local(I32)
            mark = function.local(I32)
            take, left = self.unit.allocate(8 * words, here, zero=True)
            stack_take, stack = self.unit.allocate(4 * size, here)
            square = function.local(I32)

            def visit(to: Code, within: Code) -> Code:
                keep, next_ = here.hold(to)
                return choose(within, sequence(keep, choose(bit_at(left, next_), sequence(
                    put_bit(left, next_, here, on=False),
                    store(next_, stack + height.value * 4),
                    height.set(height.value + 1)))))  # fmt: skip

            column = binary("rem_u", square.value, grid.width)
            flood = whilst(
                height.value.gt(0),
                height.set(height.value - 1),
                square.set(load(I32, stack + height.value * 4)),
                visit(square.value - grid.width, square.value.ge(grid.width)),
                visit(square.value + 1, column.lt(grid.width - 1)),
                visit(square.value + grid.width, square.value.lt(size - grid.width)),
                visit(square.value - 1, column.gt(0)),
            )

            def begin(found: Code) -> Code:
                return choose(bit_at(left, found), sequence(
                    parts.set(parts.value + 1),
                    put_bit(left, found, here, on=False),
                    store(found, stack),
                    height.set(1),
                    flood,
                ))  # fmt: skip

            if isinstance(kept, Board):
                occupied = copy(left, map, 8 * words)
            else:
                occupied = self._entries(kept, map, here, lambda key, _: put_bit(left, key, here))
            return sequence(
                mark.set(self.unit.top.value), take, stack_take, occupied,
                each_element(self.unit, here, Words(0, words, 8 * words), left, begin),
                self.unit.top.set(mark.value), parts.value,
            )  # fmt: skip

        self.unit.loops += 1
        return self.unit.shared(f"components {y.show(type)} {kept!r}", make)

    # ---- cases

    def _case(self, e: c.Builtin, case: str, given: list[Code], here: Here) -> Code:
        """The member for a case and its fields, which need not exist."""
        enum = e.type
        assert isinstance(enum, y.Enum)
        types = [argument.type for argument in e.arguments]
        known = _members(enum, case)
        spans: list[tuple[int, int]] = []
        for place, type in enumerate(types):
            numbers = [self.layout.number(fields[place], type) for fields, _ in known]
            low, high = min(numbers), max(numbers)
            spans.append((low, high - low + 1))
        size = 1
        for _, count in spans:
            size *= count
        if size > MOST_CASES:
            raise Unsupported(f"`{case}` has too many fields")
        table = [-1] * size
        for fields, number in known:
            index = 0
            for (low, count), field, type in zip(spans, fields, types):
                index = index * count + self.layout.number(field, type) - low
            table[index] = number
        content = b"".join(number.to_bytes(2, "little", signed=True) for number in table)
        index_code, inside = const(0), []
        for (low, count), code, type in zip(spans, given, types):
            index_code = index_code * count + (narrow(code) - low)
            if not self.expressions.operators.surely_inside(type, low, count):
                inside.append((code - low).below(count))
        found = load(I32, (index_code << 1) + self.unit.data(content), 0, 2)

        def describe(*values: Any) -> str:
            return f"there is no `{case}({', '.join(map(text, values))})`"

        keep, held = here.hold(found)
        missing = -1 in table
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
    named = " ".join(map(str, values))
    return member in (named, f"{case} {named}")
