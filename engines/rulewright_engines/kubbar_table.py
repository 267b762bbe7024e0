"""The tiles of Kubbar, the open table, and which tables may lie there after a turn.

Tiles are named like `red 5`. The table has no edge in the rules; ours is wide enough never to
matter. Squares are named like `G7` and are numbers inside, row by row, so that the neighbours of
one are a step of 1 or of ROW away; what is asked of a table costs time by its tiles alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from rulewright_engines.shapes import Json, ShapeError, excerpt

COLOURS = ("red", "yellow", "green", "blue")
VALUES = range(1, 15)
PASS_TWO, DRAW_THREE = "pass_two", "draw_three"
NUMBERED = {f"{colour} {value}": (colour, value) for colour in COLOURS for value in VALUES}
"""The colour and the value of each tile that can be laid."""
TILES = (*NUMBERED, PASS_TWO, DRAW_THREE)
PLACE = {tile: place for place, tile in enumerate(TILES)}
"""The order in which tiles are listed."""
BOX = [tile for tile in TILES for _ in range(2)]
ACTION_POINTS = 20
POINTS = {tile: NUMBERED[tile][1] if tile in NUMBERED else ACTION_POINTS for tile in TILES}


def _beside(tile: str) -> frozenset[str]:
    colour, value = NUMBERED[tile]
    same_value = {f"{other} {value}" for other in COLOURS if other != colour}
    return frozenset(
        same_value | ({f"{colour} {value - 1}", f"{colour} {value + 1}"} & {*NUMBERED})
    )


BESIDE = {tile: _beside(tile) for tile in NUMBERED}
"""The tiles that can lie beside each in a set or a run."""

SIZE = 240
ROW = 256
"""More than the width, so that the end of one row does not touch the beginning of the next."""
ROW_NAMES = frozenset(str(row) for row in range(1, SIZE + 1))
Table: TypeAlias = dict[int, str]
"""The tiles on the table, by square."""


@lru_cache(1 << 16)
def square_name(square: int) -> str:
    """`A1` for the top left; after `Z` comes `AA`."""
    row, column = divmod(square, ROW)
    letters = ""
    column += 1
    while column > 0:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row + 1}"


@lru_cache(1 << 16)
def square_at(name: str) -> int | None:
    """The square of a name, None if there is none."""
    digits = name.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    letters = name[: len(name) - len(digits)]
    if not 1 <= len(letters) <= 2 or digits not in ROW_NAMES:
        return None
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("A") + 1
    return (int(digits) - 1) * ROW + column - 1 if column <= SIZE else None


def read_square(json: Json) -> int:
    """The square that JSON names."""
    square = square_at(json) if type(json) is str else None
    if square is None:
        raise ShapeError(f"expected a square, not {excerpt(json)}")
    return square


def is_line(tiles: Iterable[str]) -> bool:
    """Whether tiles in a line are a set (one value, different colours) or a run (one colour,
    values rising or falling one by one)."""
    return _is_line(tuple(tiles))


@lru_cache(1 << 14)
def _is_line(tiles: tuple[str, ...]) -> bool:
    if len(tiles) < 3:
        return False
    colours, values = zip(*map(NUMBERED.__getitem__, tiles))
    if colours.count(colours[0]) == len(tiles):
        return {later - earlier for earlier, later in pairwise(values)} in ({1}, {-1})
    return values.count(values[0]) == len(tiles) == len(set(colours))


def lines(table: Mapping[int, str]) -> Iterator[list[str]]:
    """All lines of two or more tiles that touch, across and down."""
    for step in (1, ROW):
        for square in table:
            if square - step not in table and square + step in table:
                yield line_from(table, square, step)


def line_from(table: Mapping[int, str], square: int, step: int) -> list[str]:
    """The tiles from a square on, in one direction, for as long as they touch."""
    found = []
    while square in table:
        found.append(table[square])
        square += step
    return found


def line_through(table: Mapping[int, str], square: int, step: int) -> list[str]:
    """The whole line that a square is part of."""
    while square - step in table:
        square -= step
    return line_from(table, square, step)


def groups(squares: Iterable[int]) -> list[set[int]]:
    """The squares that hang together, group by group."""
    left = set(squares)
    found = []
    while left:
        group: set[int] = set()
        reached = {left.pop()}
        while reached:
            group |= reached
            reached = {near for square in reached for near in neighbours(square)} & left
            left -= reached
        found.append(group)
    return found


def is_straight(group: Collection[int]) -> bool:
    """Whether a group is a single line."""
    length = len(group) - 1
    return max(group) - min(group) in (length, length * ROW)


def neighbours(square: int) -> tuple[int, int, int, int]:
    return square - ROW, square - 1, square + 1, square + ROW


def fault(table: Mapping[int, str]) -> str | None:
    """What is wrong with a table, whoever laid it."""
    for line in lines(table):
        if not is_line(line):
            return f"{', '.join(line)} is neither a set nor a run"
    for square in table:
        if not any(near in table for near in neighbours(square)):
            return f"the {table[square]} on {square_name(square)} is left over"
    return None
