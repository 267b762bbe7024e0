"""Draws a board in text: the part of a grid that has marks, with column letters and row numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from rulewright.meaning.types import Grid, square_name, square_place

GAP = "~"
LARGEST = 400
"""Squares; of a larger board only those near marks are shown."""


def draw_board(
    marks: Mapping[str, str], grid: Grid, indent: str, width: int,
    printed: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[str]:  # fmt: skip
    """The lines of a board with these marks by square; a dot is an empty square on which nothing is
    printed, `~` stands for more empty rows or columns. Marks too long for the width are shortened,
    boards still too wide are drawn in parts. Rows of hexagons each begin half a cell further."""
    if printed and grid.width * grid.height <= LARGEST:
        marks = {**printed, **marks}
    if not marks:
        yield f"{indent}  empty, {grid.width} x {grid.height}"
        return
    placed = {_place(square): mark for square, mark in marks.items()}
    columns = _axis({column for column, _ in placed})
    rows = _axis({row for _, row in placed})
    if printed and grid.width * grid.height <= LARGEST:
        columns, rows = [*range(1, grid.width + 1)], [*range(1, grid.height + 1)]
    head = max(len(str(row)) for row in rows if row)
    room = width - len(indent) - 2 - head
    shown, legend = {mark: mark for mark in marks.values()}, ""
    if _cell(shown.values(), columns) * len(columns) > room:
        shown, legend = _shortened(sorted(shown))
    cell = min(_cell(shown.values(), columns), room)
    cell += cell % 2 if grid.hex else 0
    for begin in range(0, len(columns), room // cell):
        part = columns[begin : begin + room // cell]
        yield f"{indent}  {'':{head}}" + "".join(_letters(each).rjust(cell) for each in part)
        for at, row in enumerate(rows):
            shift = " " * (at * cell // 2 if grid.hex else 0)
            signs = [_sign(column, row, placed, shown)[: cell - 1] for column in part]
            line = "".join(sign.rjust(cell) for sign in signs)
            yield f"{indent}  {row or GAP:>{head}}{shift}{line}"[:width]
    if legend:
        yield f"{indent}  {legend}"[:width]


def _axis(occupied: set[int]) -> list[int | None]:
    """The rows or columns to draw: those with marks and their neighbours, None for a gap."""
    near = {each + step for each in occupied for step in (-1, 0, 1)}
    found: list[int | None] = []
    for number in range(min(occupied), max(occupied) + 1):
        if number in near:
            found.append(number)
        elif found[-1] is not None:
            found.append(None)
    return found


def _sign(
    column: int | None,
    row: int | None,
    placed: Mapping[tuple[int, int], str],
    shown: Mapping[str, str],
) -> str:
    if column is None or row is None:
        return GAP
    mark = placed.get((column, row))
    return "." if mark is None else shown[mark]


def _shortened(marks: list[str]) -> tuple[dict[str, str], str]:
    """Each mark by the first letters of its words (`red 5` is `r5`, `(red 5)` is `(r5)`) as far as
    they stay different, and a line that says so."""
    words = sorted({word for mark in marks for word in _words(mark) if not _is_number(word)})
    for letters in range(1, 5):
        short = {
            mark: mark.replace(
                mark.strip("()"), "".join(_first(word, letters) for word in _words(mark))
            )
            for mark in marks
        }
        if len(set(short.values())) == len(marks):
            return short, ", ".join(f"{word[:letters]} {word}" for word in words)
    return {mark: mark for mark in marks}, ""


def _words(mark: str) -> list[str]:
    return mark.strip("()").split()


def _first(word: str, letters: int) -> str:
    return word if _is_number(word) else word[:letters]


def _is_number(word: str) -> bool:
    return word.lstrip("-").isdigit()


def _cell(marks: Iterable[str], columns: Sequence[int | None]) -> int:
    """The room a square takes, with the space before it."""
    return 1 + max(*map(len, marks), len(_letters(columns[-1])))


def _letters(column: int | None) -> str:
    return GAP if column is None else square_name(column, 1)[:-1]


def _place(square: str) -> tuple[int, int]:
    found = square_place(square)
    assert found is not None
    return found
