"""Ways to lay tiles in Kubbar that are worth trying: new lines, and lines on what lies there.

Nothing on the table is moved. A proposal is valid where it is laid, but whether the player may
lay there now is left to the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from rulewright_engines.kubbar_table import (
    BESIDE,
    COLOURS,
    NUMBERED,
    ROW,
    SIZE,
    VALUES,
    Table,
    is_line,
    line_through,
    neighbours,
)

MIDDLE = SIZE // 2 * ROW + SIZE // 2


def proposals(table: Table, tiles: Sequence[str]) -> Iterator[Table]:
    """The tiles to add, by square, in each of the ways."""
    own = [tile for tile in dict.fromkeys(tiles) if tile in NUMBERED]
    for line in new_lines(own):
        corner = _free_corner(table)
        yield {corner + place: tile for place, tile in enumerate(line)}
    for square, tile in table.items():
        for step in (1, ROW):
            if square - step not in table and square + step not in table:
                yield from _crossings(table, square, tile, step, own)
    edge = dict.fromkeys(near for each in table for near in neighbours(each) if near not in table)
    for square in edge:
        around = [BESIDE[table[near]] for near in neighbours(square) if near in table]
        beside_all = frozenset.intersection(*around)
        for tile in own:
            if tile in beside_all and _fits(table, {square: tile}):
                yield {square: tile}


def new_lines(own: Sequence[str]) -> Iterator[list[str]]:
    """Every set and every run that can be made of some tiles."""
    held = frozenset(own)
    for value in VALUES:
        same = [tile for colour in COLOURS if (tile := f"{colour} {value}") in held]
        for count in (3, 4):
            yield from map(list, combinations(same, count))
    for colour in COLOURS:
        for low in VALUES:
            run: list[str] = []
            for value in range(low, VALUES[-1] + 1):
                tile = f"{colour} {value}"
                if tile not in held:
                    break
                run.append(tile)
                if len(run) >= 3:
                    yield [*run]


def _crossings(
    table: Table, square: int, tile: str, step: int, own: Sequence[str]
) -> Iterator[Table]:
    """Two tiles that make a line with one that lies there, across its own line."""
    for near in own:
        if near not in BESIDE[tile]:
            continue
        for other in own:
            places = []
            if other in BESIDE[near] and is_line([tile, near, other]):
                places += [(square + step, square + 2 * step), (square - step, square - 2 * step)]
            if other in BESIDE[tile] and is_line([near, tile, other]):
                places += [(square - step, square + step)]
            for first, second in places:
                if _fits(table, new := {first: near, second: other}):
                    yield new


def _fits(table: Table, new: Table) -> bool:
    """Whether tiles can lie there: squares are free and every line through them is valid."""
    if not table.keys().isdisjoint(new) or not all(map(_is_inside, new)):
        return False
    both = {**table, **new}
    for square in new:
        for step in (1, ROW):
            line = line_through(both, square, step)
            if len(line) > 1 and not is_line(line):
                return False
    return True


def _is_inside(square: int) -> bool:
    row, column = divmod(square, ROW)
    return 0 <= row < SIZE and column < SIZE


def _free_corner(table: Table) -> int:
    """A square from which on a row is free, and both rows beside it; groups lie below one another
    until the edge is reached, then above."""
    if not table:
        return MIDDLE
    below = max(table) // ROW + 2
    row = below if below < SIZE else min(table) // ROW - 2
    return row * ROW + SIZE // 2
