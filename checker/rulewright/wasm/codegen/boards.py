"""Boards: where a step leads, how many groups there are, what is connected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.geometry import beside, offsets
from rulewright.play.semantics.operations import links_of
from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    Instruction,
    Unsupported,
    all_of,
    binary,
    choose,
    const,
    narrow,
    select,
    sequence,
    whilst,
)
from rulewright.wasm.assembler.memory_instructions import copy, load, store
from rulewright.wasm.assembler.module import UNCOUNTED, WasmFunction
from rulewright.wasm.codegen.compilation_unit import CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import Mask, SparseArray, WordSet
from rulewright.wasm.codegen.memory_access import (
    bit_at,
    counted,
    each_element,
    put_bit,
    search,
)

if TYPE_CHECKING:
    from rulewright.wasm.codegen.expressions import ExpressionCompiler

WIDEST_GRID = 1 << 14
"""Columns; numbers of squares and steps between them stay small."""
MOST_LISTED = 4096
"""Squares of a board of which all neighbours are listed."""

Visit = Callable[[Instruction, Instruction], Instruction]
"""What to do with a place, where a condition says that it is one."""


class Boards:
    """Compiles what is asked of boards."""

    def __init__(self, expressions: ExpressionCompiler) -> None:
        self.expressions = expressions
        self.unit: CompilationUnit = expressions.unit
        self.layout = expressions.unit.layout

    # ---- steps

    def step(
        self,
        e: c.Builtin,
        square: Instruction,
        direction: Instruction,
        steps: Instruction,
        here: CodeContext,
    ) -> Instruction:
        """So many squares further. Off the board is `none`, which is -1."""
        assert isinstance(e.type, y.Option) and isinstance(e.type.inner, y.Grid)
        grid = e.type.inner
        width, height = grid.width, grid.height
        if width > WIDEST_GRID:
            raise Unsupported(f"a board of {width} columns")
        keep, far = sequence(), width + height
        if not y.within(self.expressions.ranges.type_of(e.arguments[2], here), y.Int(-far, far)):
            near = (steps + far).below(2 * far)
            keep, steps = here.hold(select(near, narrow(steps), const(far)))
        ways = offsets(e.arguments[1].type, grid)
        if direction.known is not None:
            right, down = ways[direction.known]
            return sequence(keep, _moved(grid, square, steps, right, down, here))
        if width * height <= MOST_LISTED and steps.known == 1:
            return sequence(keep, self._neighbour(grid, ways, square, direction))
        right_by, down_by = (self._listed(each, direction) for each in zip(*ways))
        across, column = here.hold(binary("rem_u", square, width) + steps * right_by)
        along, row = here.hold(binary("div_u", square, width) + steps * down_by)
        inside = column.below(width) & row.below(height)
        return sequence(keep, across, along, choose(inside, row * width + column, const(-1)))

    def _listed(self, values: Sequence[int], index: Instruction) -> Instruction:
        """One of a few known numbers."""
        content = b"".join(each.to_bytes(1, "little", signed=True) for each in values)
        return load(I32, index + self.unit.data(content), 0, 1)

    def _neighbour(
        self,
        grid: y.Grid,
        ways: Sequence[tuple[int, int]],
        square: Instruction,
        direction: Instruction,
    ) -> Instruction:
        """From a table of all squares and directions."""
        content = bytearray()
        for row, column, (right, down) in product(range(grid.height), range(grid.width), ways):
            x, z = column + right, row + down
            inside = 0 <= x < grid.width and 0 <= z < grid.height
            content += (z * grid.width + x if inside else -1).to_bytes(2, "little", signed=True)
        table = self.unit.data(bytes(content))
        return load(I32, square * (2 * len(ways)) + (direction << 1) + table, 0, 2)

    # ---- groups

    def components(self, type: y.Type, along: y.Type | None) -> WasmFunction:
        """Into how many parts the occupied squares fall; neighbours share a side, or lie in one of
        the directions `along`."""
        assert isinstance(type, y.Map) and isinstance(type.key, y.Grid)
        grid, kept = type.key, self.layout.kept(type)
        ways = beside(grid) if along is None else offsets(along, grid)
        size = grid.width * grid.height
        words = (size + 63) // 64

        def make(name: str) -> WasmFunction:
            function = self.unit.module.function(name, [I32], I32)
            self.unit.define(function, {}, 0, 0, inside)
            return function

        def inside(here: CodeContext) -> Instruction:
            map = here.function.params[0].value
            parts, mark = here.function.local(I32), here.function.local(I32)
            take, left = self.unit.allocate(8 * words, here, zero=True)
            flood = _Flood(self.unit, here, left, size)

            def begin(found: Instruction) -> Instruction:
                return choose(bit_at(left, found), sequence(
                    parts.set(parts.value + 1), flood.begin(found),
                    flood.spread(lambda at, visit: _to_sides(grid, ways, at, visit)),
                ))  # fmt: skip

            if isinstance(kept, SparseArray):
                occupied = copy(left, map, 8 * words)
            else:
                occupied = self.expressions.builtins.entries(
                    kept, map, here, lambda key, _: put_bit(left, key, here)
                )
            return sequence(
                mark.set(self.unit.top.value), take, flood.take, occupied,
                each_element(self.unit, here, WordSet(0, words, 8 * words), left, begin),
                self.unit.top.set(mark.value), parts.value,
            )  # fmt: skip

        self.unit.turns += UNCOUNTED
        return self.unit.shared(f"components {along!r} {y.show(type)} {kept!r}", make)

    # ---- what is connected

    def flood(self, e: c.Builtin, here: CodeContext) -> Instruction:
        """`reach` and `connected`: what of a set is come to from another without leaving it."""
        links = e.arguments[-1]
        sets = e.arguments if e.along is not None else e.arguments[:-1]
        inside_type = sets[-1].type
        assert isinstance(inside_type, y.Set)
        points = inside_type.element
        if e.along is None:
            assert isinstance(links.type, y.Map)
            points = links.type.key
        kind = y.Set(points)
        kept = self.layout.kept(kind)
        assert isinstance(kept, Mask | WordSet)
        keeps, held = [], []
        for each in sets:
            keep, value = here.hold(self.expressions.converted(each, kind, here))
            keeps.append(keep)
            held.append(value)
        start, *end, inside = held
        take, found = self.unit.allocate(kept.size + -kept.size % 8, here, zero=True)
        made = sequence(*keeps, take, self._reached(e, points, kept)(start, inside, found))
        if e.name == "reach":
            result = load(I64, found) if isinstance(kept, Mask) else found
            convert = self.expressions.checks.convert
            return sequence(made, convert(result, kind, e.type, here))
        if isinstance(kept, Mask):
            return sequence(made, (load(I64, found) & end[0]).ne(0))

        def both(number: Instruction) -> Instruction:
            return load(I64, found + number * 8) & load(I64, end[0] + number * 8)

        return sequence(made, search(self.unit, here, lambda met: counted(
            self.unit, here, 0, kept.count, lambda n: choose(both(n).ne(0), met()))))  # fmt: skip

    def _reached(self, e: c.Builtin, points: y.Type, kept: Mask | WordSet) -> WasmFunction:
        """Writes what is reached: from where, inside what, to which address."""
        base, (first, size) = kept.base, self.layout.universe(points)
        bits = first - base + size
        words = max(1, (bits + 63) // 64)
        held = I64 if isinstance(kept, Mask) else I32

        def make(name: str) -> WasmFunction:
            function = self.unit.module.function(name, [held, held, I32])
            self.unit.define(function, {}, 0, 0, body)
            return function

        def body(here: CodeContext) -> Instruction:
            start, inside, found = (each.value for each in here.function.params)
            mark = here.function.local(I32)
            take, left = self.unit.allocate(8 * words, here)
            flood = _Flood(self.unit, here, left, size, found)
            fill = store(inside, left) if isinstance(kept, Mask) else copy(left, inside, 8 * words)

            def begin(element: Instruction) -> Instruction:
                keep, at = here.hold(element - base)
                return sequence(keep, choose(bit_at(left, at), flood.begin(at)))

            def near(at: Instruction, visit: Visit) -> Instruction:
                if isinstance(points, y.Grid) and e.along is not None:
                    return _to_sides(points, offsets(e.along, points), at, visit)
                return self._to_listed(e, points, base, at, visit, here)

            return sequence(
                mark.set(self.unit.top.value), take, flood.take, fill,
                each_element(self.unit, here, kept, start, begin), flood.spread(near),
                self.unit.top.set(mark.value),
            )  # fmt: skip

        table = e.arguments[-1]
        along = table.name if isinstance(table, c.TableRef) and e.along is None else e.along
        self.unit.turns += UNCOUNTED
        return self.unit.shared(f"reached {along!r} {points!r} {kept!r}", make)

    def _to_listed(
        self,
        e: c.Builtin,
        points: y.Type,
        base: int,
        at: Instruction,
        visit: Visit,
        here: CodeContext,
    ) -> Instruction:
        """To the points that a table says lie beside one."""
        links = links_of(e, self.unit.instance)
        number = self.layout.number
        near = {number(point, points): ends for point, ends in links.items()}
        most = max(map(len, near.values()), default=0)
        content = bytearray()
        for point in range(base, max(near, default=-1) + 1):
            ends = [number(end, points) - base for end in near.get(point, ())]
            for end in (*ends, *[-1] * (most - len(ends))):
                content += end.to_bytes(4, "little", signed=True)
        table = self.unit.data(bytes(content))

        def to(place: Instruction) -> Instruction:
            keep, end = here.hold(load(I32, (at * most + place) * 4 + table))
            return sequence(keep, visit(end, end.ge(0)))

        return counted(self.unit, here, 0, most, to)


class _Flood:
    """Squares that are still to be looked at, and those that are `left`, a bit for each."""

    def __init__(
        self,
        unit: CompilationUnit,
        here: CodeContext,
        left: Instruction,
        size: int,
        found: Instruction | None = None,
    ) -> None:
        self.here = here
        self.left = left
        self.found = found
        self.take, self.stack = unit.allocate(4 * max(1, size), here)
        self.height = here.function.local(I32)
        self.at = here.function.local(I32)

    def begin(self, square: Instruction) -> Instruction:
        """Goes to one of those that are left."""
        return sequence(
            put_bit(self.left, square, self.here, on=False),
            sequence() if self.found is None else put_bit(self.found, square, self.here),
            store(square, self.stack + self.height.value * 4),
            self.height.set(self.height.value + 1),
        )

    def spread(self, near: Callable[[Instruction, Visit], Instruction]) -> Instruction:
        """Goes on to all that can be come to."""

        def visit(to: Instruction, there: Instruction) -> Instruction:
            keep, next_ = self.here.hold(to)
            going = choose(bit_at(self.left, next_), self.begin(next_))
            return choose(there, sequence(keep, going))

        return whilst(
            self.height.value.gt(0),
            self.height.set(self.height.value - 1),
            self.at.set(load(I32, self.stack + self.height.value * 4)),
            near(self.at.value, visit),
        )


def _moved(
    grid: y.Grid, square: Instruction, steps: Instruction, right: int, down: int, here: CodeContext
) -> Instruction:
    """So many steps in a known direction."""
    width, height = grid.width, grid.height
    parts, to = [], square
    if right:
        across = steps if right > 0 else const(0) - steps
        parts.append((binary("rem_u", square, width) + across).below(width))
        to = to + across
    if down:
        along = steps if down > 0 else const(0) - steps
        if not right:
            keep, moved = here.hold(square + along * width)
            return sequence(keep, choose(moved.below(width * height), moved, const(-1)))
        parts.append((binary("div_u", square, width) + along).below(height))
        to = to + along * width
    return choose(all_of(parts), to, const(-1))


def _to_sides(
    grid: y.Grid, ways: Sequence[tuple[int, int]], square: Instruction, visit: Visit
) -> Instruction:
    """To the squares that lie beside one in some directions."""
    width, size = grid.width, grid.width * grid.height
    column = binary("rem_u", square, width)
    steps = []
    for right, down in ways:
        inside = []
        if down:
            inside.append(square.ge(width) if down < 0 else square.lt(size - width))
        if right:
            inside.append(column.gt(0) if right < 0 else column.lt(width - 1))
        steps.append(visit(square + (right + down * width), all_of(inside)))
    return sequence(*steps)
