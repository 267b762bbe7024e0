"""The board and the tiles of Matte-Kryss, and what two numbers come to.

Squares are named like `G7`: the column from the left, the row from the top. The board is printed
with `T` and `D` for three and two times the value, a sign where only that operation counts, and
four numbers in the middle.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property

BOARD = """
    T . . . . . T T . . . . . T
    . D . . / . . . . / . . D .
    . . D . . - . . - . . D . .
    . . . D . . + x . . D . . .
    . / . . D . x + . D . . / .
    . . - . . . . . . . . - . .
    T . . x + . 1 2 . x + . . T
    T . . + x . 3 4 . + x . . T
    . . - . . . . . . . . - . .
    . / . . D . + x . D . . / .
    . . . D . . x + . . D . . .
    . . D . . - . . - . . D . .
    . D . . / . . . . / . . D .
    T . . . . . T T . . . . . T
"""
COLUMNS = "ABCDEFGHIJKLMN"
FEATURES = {
    f"{column}{row}": feature
    for row, line in enumerate(BOARD.split("\n")[1:-1], start=1)
    for column, feature in zip(COLUMNS, line.split())
}
SQUARES = tuple(FEATURES)
NUMBER_OF = {at: number for number, at in enumerate(SQUARES)}
PRINTED = {at: int(feature) for at, feature in FEATURES.items() if feature in "1234"}
FACTORS = {"D": 2, "T": 3}
SIGNS = "+-x/"

TILES = sorted(
    [
        *(value for value in range(1, 11) for _ in range(7)),
        *(0, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 24, 25, 27, 28, 30, 32, 35, 36),
        *(40, 42, 45, 48, 49, 50, 54, 56, 60, 63, 64, 70, 72, 80, 81, 90),
    ]
)
DIRECTIONS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}


class Board(dict[str, int]):
    """The numbers on the board by square, and the pairs that JSON has for all squares. A board is
    never changed: laying a tile gives another."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        super().__init__(numbers)
        self.pairs: list[list[str | int | None]] = [[at, self.get(at)] for at in SQUARES]

    def with_number(self, at: str, number: int) -> Board:
        """This board with a number on one more square."""
        board = Board.__new__(Board)
        board.update(self)
        board[at] = number
        board.pairs = self.pairs[:]
        board.pairs[NUMBER_OF[at]] = [at, number]
        return board

    def operands(self, at: str) -> dict[str, tuple[int, int]]:
        """The two numbers in each direction of a square where there are two."""
        return {
            direction: (self[near], self[far])
            for direction, (near, far) in LINES[at].items()
            if near in self and far in self
        }

    @cached_property
    def openings(self) -> dict[str, dict[str, tuple[int, int]]]:
        """The empty squares at an end of two numbers in a line, and what lies there."""
        found = {
            at: None
            for far in self
            for near, at in LINES[far].values()
            if near in self and at not in self
        }
        return {at: self.operands(at) for at in found}


def _step(at: str, across: int, down: int) -> str | None:
    """The square so many steps away, None beyond the edge."""
    column, row = COLUMNS.index(at[0]) + across, int(at[1:]) + down
    return f"{COLUMNS[column]}{row}" if 0 <= column < 14 and 1 <= row <= 14 else None


def _lines() -> dict[str, dict[str, tuple[str, str]]]:
    found: dict[str, dict[str, tuple[str, str]]] = {at: {} for at in SQUARES}
    for at in SQUARES:
        for direction, (across, down) in DIRECTIONS.items():
            near, far = _step(at, across, down), _step(at, 2 * across, 2 * down)
            if near is not None and far is not None:
                found[at][direction] = near, far
    return found


LINES = _lines()
"""For each square and direction, the two squares that lie there."""


@cache
def results(left: int, right: int, sign: str) -> frozenset[int]:
    """What two numbers come to by a sign, in either order; no remainders, nothing below zero."""
    low, high = sorted((left, right))
    match sign:
        case "+":
            return frozenset([low + high])
        case "-":
            return frozenset([high - low])
        case "x":
            return frozenset([low * high])
        case _:
            quotients = [(high, low), (low, high)]
            return frozenset(a // b for a, b in quotients if b != 0 and a % b == 0)


@cache
def results_on(feature: str, left: int, right: int) -> frozenset[int]:
    """What two numbers come to for a tile on a kind of square."""
    signs = feature if feature in SIGNS else SIGNS
    return frozenset().union(*(results(left, right, sign) for sign in signs))


@cache
def operations_on(feature: str, left: int, right: int, number: int) -> int:
    """How many operations a number is the result of on a kind of square; one if it is wrong."""
    signs = feature if feature in SIGNS else SIGNS
    return max(1, sum(number in results(left, right, sign) for sign in signs))
