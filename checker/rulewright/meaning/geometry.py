"""Directions and boards: what lies where, said once for everything that reads the core.

A direction is known by its name. On a square grid there are eight, on a hexagonal one six: its rows
stand one below the other, each half a cell further to the right, so that what is straight above a
cell lies up and to the left of it. A type of directions is any enumeration of such names.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.meaning import types as y

SQUARE_WAYS: Mapping[str, tuple[int, int]] = {
    "up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0),
    "up_right": (1, -1), "down_right": (1, 1), "down_left": (-1, 1), "up_left": (-1, -1),
}  # fmt: skip
"""How each direction changes column and row; row 1 is at the top."""
HEX_WAYS: Mapping[str, tuple[int, int]] = {
    "up_right": (1, -1), "right": (1, 0), "down_right": (0, 1),
    "down_left": (-1, 1), "left": (-1, 0), "up_left": (0, -1),
}  # fmt: skip
STRAIGHT = tuple(SQUARE_WAYS[each] for each in y.DIRECTION.members)
"""The changes of the four directions in which squares share a side."""


def ways(grid: y.Grid) -> Mapping[str, tuple[int, int]]:
    """The directions of a board, and how each changes column and row."""
    return HEX_WAYS if grid.hex else SQUARE_WAYS


def lead_on(directions: y.Type, grid: y.Grid) -> bool:
    """Whether all values of a type are directions of a board."""
    return isinstance(directions, y.Enum) and set(directions.members) <= set(ways(grid))


def offsets(directions: y.Type, grid: y.Type) -> tuple[tuple[int, int], ...]:
    """How each direction of a type changes column and row, in the order of the type."""
    assert isinstance(directions, y.Enum) and isinstance(grid, y.Grid)
    known = ways(grid)
    return tuple(known[each] for each in directions.members)


def sides(grid: y.Grid) -> y.Enum:
    """The directions in which squares share a side."""
    return y.HEX_WAY if grid.hex else y.DIRECTION


def beside(grid: y.Grid) -> tuple[tuple[int, int], ...]:
    """How column and row change from a square to those that share a side with it."""
    return offsets(sides(grid), grid)
