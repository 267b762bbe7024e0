"""Neighbouring lines set in columns: the rows of a table, and runs of lines of one kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

GAP = "  "
HEADING = 60
"""Lines whose columns would take more than this are not set in columns."""

_NUMBER = re.compile(r"-?[0-9]+")


def headings(
    lines: Sequence[tuple[str, ...]], rests: Sequence[int], room: int, gap: str
) -> list[str]:
    """The beginnings of neighbouring lines, cell by cell in columns.

    What follows each is `rests` wide and should begin in the same column, too; but a line that
    does not fit into `room` with that is left shorter, and one that cannot fit does not count.
    """
    *inner, last = zip(*lines)
    widths = [max(map(len, column)) for column in inner]
    before = sum(width + len(gap) for width in widths if width)
    short = [before + len(cell) + rest <= room for cell, rest in zip(last, rests)]
    longest = max((len(cell) for cell, fits in zip(last, short) if fits), default=0)
    if len(lines) == 1 or before + longest > HEADING:
        return [" ".join(filter(None, cells)) for cells in lines]
    texts = []
    for cells, rest in zip(lines, rests):
        padded = [cell.ljust(width) for cell, width in zip(cells, widths) if width]
        fits = before + longest + rest <= room
        texts.append(gap.join([*padded, cells[-1].ljust(longest) if fits else cells[-1]]))
    return texts


def legend(cells: Sequence[str]) -> str:
    """The signs of a drawn table with what they stand for."""
    pairs = (f"{sign} {value}" for sign, value in zip(cells[::2], cells[1::2]))
    return f"legend {GAP.join(pairs)}"


def rows(cells: Sequence[Sequence[str]]) -> list[str]:
    """The rows of a table: numbers to the right of their column, words to the left. A first row
    of column letters over numbered rows leaves room for the numbers."""
    if len(cells) == 1:
        return [" ".join(cells[0])]
    heading = _has_heading(cells)
    padded = [["", *row] if heading and row is cells[0] else row for row in cells]
    body = padded[1:] if heading else padded
    numeric = [
        all(_NUMBER.fullmatch(cell) for cell in column if cell)
        for column in zip_longest(*body, fillvalue="")
    ]
    widths = [max(map(len, column)) for column in zip_longest(*padded, fillvalue="")]
    drawn = all(len(cell) == 1 or _NUMBER.fullmatch(cell) for row in body for cell in row[1:])
    if drawn:
        widths[1:] = [max(widths[1:], default=0)] * (len(widths) - 1)
    gap = " " if drawn else GAP
    texts = []
    for row in padded:
        aligned = (
            cell.rjust(width) if number else cell.ljust(width)
            for cell, number, width in zip(row, numeric, widths)
        )
        texts.append(gap.join(aligned).rstrip())
    return texts


def _has_heading(cells: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns of the others, which begin with their number."""
    first, others = cells[0], cells[1:]
    return (
        bool(others)
        and all(len(row) == len(first) + 1 and _NUMBER.fullmatch(row[0]) for row in others)
        and not any(map(_NUMBER.fullmatch, first))
    )
