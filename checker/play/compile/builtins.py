"""The functions that the language brings along, as Python."""

from __future__ import annotations

from collections.abc import Collection
from itertools import permutations, product
from math import prod
from typing import TYPE_CHECKING, Any

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile.code import (
    CHOICE,
    PRODUCT,
    SUM,
    Block,
    Code,
    Here,
    call,
)
from checker.play.values import text

if TYPE_CHECKING:
    from checker.play.compile.expressions import Expressions

MOST_TABLED = 1000
"""Squares; on bigger boards steps are computed, not looked up."""
MOST_CASES = 4096
"""A case whose fields have more values than this is checked each time."""


class Builtins:
    """Compiles calls of built-in functions."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self.layout = expressions.unit.layout
        self._steppers: dict[tuple[y.Grid, int], str] = {}
        self._of_maps: dict[str, str] = {}

    def value(self, e: c.Builtin, here: Here) -> Code:
        given = self.expressions.sequence(e.arguments, here)
        players = self.unit.instance.players
        match e.name, given:
            case "left_of", [player]:
                return Code(f"{player.at(PRODUCT)} % {players} + 1", SUM, player.fails)
            case "right_of", [player]:
                return Code(f"({player.at(SUM)} - 2) % {players} + 1", SUM, player.fails)
            case "size", [collection]:
                return self._size(collection, e.arguments[0].type)
            case "min" | "max", [_, _]:
                return self._extreme(e.name, given, here)
            case "abs", [number]:
                return call("abs", [number])
            case "step", [square, direction, steps]:
                return self._step(e, square, direction, steps, here)
            case "column", [square]:
                return Code(f"{square.at(PRODUCT)} % {_width(e)} + 1", SUM, square.fails)
            case "row", [square]:
                return Code(f"{square.at(PRODUCT)} // {_width(e)} + 1", SUM, square.fails)
            case "square", [column, row]:
                return self._square(e, column, row, here)
            case "occupied", [map]:
                return self._occupied(e, map, here)
            case "tally", [map]:
                if self._is_sparse(e.arguments[0].type):
                    return call(self._of_map("tally(map.values())"), [map])
                return call("tally", [map])
            case "components", [map]:
                if self._is_sparse(e.arguments[0].type):
                    width = _width(e)
                    work = f"components(map, {width})"
                    return call(self._of_map(work), [map])
                squares = self.keys(map, e.arguments[0].type)
                return Code(f"components({squares}, {_width(e)})", fails=map.fails)
            case _:
                return self._case(e, given, here)

    def _is_sparse(self, type: y.Type) -> bool:
        return isinstance(type, y.Map) and self.layout.is_sparse(type)

    def _of_map(self, work: str) -> str:
        """A function that goes through a whole map and remembers what came of it."""
        if work not in self._of_maps:
            name = self._of_maps[work] = self.unit.name("of_map")
            block = Block()
            block.add("@of_map")
            with block.inside(f"def {name}(map):"):
                block.add(f"return {work}")
            self.unit.write(block)
        return self._of_maps[work]

    def keys(self, map: Code, type: y.Type) -> str:
        """What goes through the keys of a map of optionals that are not `none`."""
        assert isinstance(type, y.Map)
        if self.layout.is_sparse(type):
            return map.at(CHOICE)
        first = self.layout.first(type.key)
        return f"[key for key, value in enumerate({map.at(CHOICE)}, {first}) if value is not None]"

    def _size(self, collection: Code, type: y.Type) -> Code:
        if isinstance(type, y.Bag):
            return call("size_of_bag", [collection])
        assert isinstance(type, y.Set)
        if self.layout.is_bits(type.element):
            return collection.method("bit_count")
        return call("len", [collection])

    def _extreme(self, name: str, given: list[Code], here: Here) -> Code:
        one, other = (here.hold(each) for each in given)
        sign = "<" if name == "min" else ">"
        return Code(f"{one.text} if {one.text} {sign} {other.text} else {other.text}", CHOICE)

    def _step(self, e: c.Builtin, square: Code, direction: Code, steps: Code, here: Here) -> Code:
        """A table for each number of steps that is known on a small board, else arithmetic."""
        assert isinstance(e.type, y.Option)
        grid = e.type.inner
        assert isinstance(grid, y.Grid)
        fails = square.fails or direction.fails or steps.fails
        if not steps.is_known:
            name = f"step_on_{self.unit.number(grid.name)}"
            self.unit.namespace.setdefault(
                name, lambda square, way, steps: _moved(square, way, steps, grid)
            )
            return call(name, [square, direction, steps])
        if grid.width * grid.height <= MOST_TABLED:
            squares = range(grid.width * grid.height)
            table = tuple(
                tuple(_moved(each, way, steps.known, grid) for each in squares) for way in range(4)
            )
            name = self.unit.constant(table)
            return Code(f"{name}[{direction.at(CHOICE)}][{square.at(CHOICE)}]", fails=fails)
        if direction.is_known:
            square = here.hold(square)
            way = y.DIRECTION.members.index(direction.known)
            return Code(_arithmetic(square.text, way, steps.known, grid), CHOICE)
        return call(self._stepper(grid, steps.known), [square, direction], fails)

    def _stepper(self, grid: y.Grid, steps: int) -> str:
        """A function for so many steps in any direction."""
        if (grid, steps) not in self._steppers:
            name = self.unit.name("stepping")
            self._steppers[grid, steps] = name
            block = Block()
            with block.inside(f"def {name}(square, way):"):
                for way in range(len(y.DIRECTION.members)):
                    with block.inside(f"if way == {way}:"):
                        block.add(f"return {_arithmetic('square', way, steps, grid)}")
            self.unit.write(block)
        return self._steppers[grid, steps]

    def _square(self, e: c.Builtin, column: Code, row: Code, here: Here) -> Code:
        grid = e.type
        assert isinstance(grid, y.Grid)
        types = [each.type for each in e.arguments]
        column, row = here.hold(column), here.hold(row)
        beyond = [
            f"not 1 <= {code.text} <= {most}"
            for code, type, most in zip((column, row), types, (grid.width, grid.height))
            if not y.within(type, y.Int(1, most))
        ]
        if beyond:

            def describe(column: int, row: int) -> str:
                return f"`{y.show(grid)}` has no square in column {column}, row {row}"

            number = self.unit.failure(e.span, describe)
            here.names.fails = True
            with here.block.inside(f"if {' or '.join(beyond)}:"):
                here.block.add(f"raise fail({number}, {column.text}, {row.text})")
        return Code(f"{grid.width} * {row.text} + {column.text} - {grid.width + 1}", SUM)

    def _occupied(self, e: c.Builtin, map: Code, here: Here) -> Code:
        assert isinstance(e.type, y.Set)
        keys = self.keys(map, e.arguments[0].type)
        function = "to_bits" if self.layout.is_bits(e.type.element) else "frozenset"
        return Code(f"{function}({keys})", fails=map.fails)

    def _case(self, e: c.Builtin, given: list[Code], here: Here) -> Code:
        """The member for a case and its fields, which need not exist."""
        enum, case = e.type, e.name.removeprefix("case ")
        assert isinstance(enum, y.Enum)
        types = [each.type for each in e.arguments]
        found = {
            tuple(self.layout.encode(v, type) for v, type in zip(values, types)): number
            for values, number in _members(enum, case)
        }
        table = self.unit.constant(found)
        held = [here.hold(each) for each in given]
        key = ", ".join(each.text for each in held)
        key = f"({key},)" if len(held) == 1 else f"({key})"
        decoders = [self.layout.decoder(each) for each in types]

        def describe(*values: Any) -> str:
            written = ", ".join(text(decode(v)) for decode, v in zip(decoders, values))
            return f"there is no `{case}({written})`"

        if not self._all_exist(found, types):
            number = self.unit.failure(e.span, describe)
            here.names.fails = True
            with here.block.inside(f"if {key} not in {table}:"):
                here.block.add(f"raise fail({number}, {', '.join(each.text for each in held)})")
        return Code(f"{table}[{key}]")

    def _all_exist(self, found: Collection[tuple[Any, ...]], types: list[y.Type]) -> bool:
        """Whether there is a member for all values that the fields can have."""
        sizes = [self.layout.size(each) for each in types]
        if any(size is None for size in sizes) or prod(size or 0 for size in sizes) > MOST_CASES:
            return False
        return all(key in found for key in product(*(self.layout.values(t) for t in types)))


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


def _width(e: c.Builtin) -> int:
    type = e.arguments[0].type
    grid = type.key if isinstance(type, y.Map) else type
    assert isinstance(grid, y.Grid)
    return grid.width


def _moved(square: int, way: int, steps: int, grid: y.Grid) -> int | None:
    """The square some steps away, None beyond the edge; ways are up, right, down, left."""
    column = square % grid.width + (0, steps, 0, -steps)[way]
    row = square // grid.width + (-steps, 0, steps, 0)[way]
    inside = 0 <= column < grid.width and 0 <= row < grid.height
    return row * grid.width + column if inside else None


def _arithmetic(square: str, way: int, steps: int, grid: y.Grid) -> str:
    """The square some steps away, as a Python expression."""
    if steps < 0:
        way, steps = (way + 2) % 4, -steps
    width, height = grid.width, grid.height
    far = steps * width
    moved, inside = (
        (f"{square} - {far}", f"{square} >= {far}"),
        (f"{square} + {steps}", f"{square} % {width} < {width - steps}"),
        (f"{square} + {far}", f"{square} < {width * height - far}"),
        (f"{square} - {steps}", f"{square} % {width} >= {steps}"),
    )[way]
    return f"{moved} if {inside} else None"
