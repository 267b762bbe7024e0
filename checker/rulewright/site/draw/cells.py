"""Draws rows of cells: tracks, strips of a table, boxes to cross, possibilities that remain."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.site.draw.colours import NEUTRAL, PaintedColour
from rulewright.site.draw.svg import Drawing, width_of
from rulewright.syntax.node import Node

HIGH = 27
GAP = 2
LINE = 34
MOST_ACROSS = 24
"""So many cells stand side by side before a row goes on below."""
SMALL = 9


class Cell(Node):
    """A field: what stands in it and above it, and whether it is the one that counts (`here`), is
    crossed, or is there no more."""

    words: str
    ink: PaintedColour | None = None
    above: str = ""
    here: bool = False
    crossed: bool = False
    gone: bool = False


class CellRow(Node):
    """Cells after a heading, which may be empty."""

    head: str
    cells: tuple[Cell, ...]


def draw_cells(rows: Sequence[CellRow], who: str, kind: str = "rw-cells") -> str:
    """The rows one below the other, all cells of one width."""
    words = [each.words for row in rows for each in row.cells]
    words += [each.above for row in rows for each in row.cells]
    wide = max(HIGH, *(width_of(each) + 6 for each in words)) if words else HIGH
    left = max(width_of(row.head) for row in rows) + 8 if any(row.head for row in rows) else 1
    top = 12 if any(each.above for row in rows for each in row.cells) else 0
    lines = [
        (row.head if begin == 0 else "", row.cells[begin : begin + MOST_ACROSS])
        for row in rows
        for begin in range(0, max(len(row.cells), 1), MOST_ACROSS)
    ]
    across = max(len(cells) for _, cells in lines)
    drawing = Drawing(left + (wide + GAP) * across + 2, (LINE + top) * len(lines))
    for at, (head, cells) in enumerate(lines):
        y = (LINE + top) * at + top + 2
        if head:
            drawing.text(left - 8, y + 18, head, anchor="end", bold=True)
        _row(drawing, cells, left, y, wide)
    return drawing.done(f"{who}: {'; '.join(map(_said, rows))}", kind)


def _row(drawing: Drawing, cells: Sequence[Cell], left: float, y: float, wide: float) -> None:
    places = [left + (wide + GAP) * at for at in range(len(cells))]
    looks: dict[tuple[PaintedColour | None, bool, bool], list[tuple[float, float]]] = {}
    for x, cell in zip(places, cells):
        looks.setdefault((cell.ink, cell.here, cell.gone), []).append((x, y))
    for (ink, here, gone), corners in looks.items():
        paint, strength = (ink.paint, ink.strength) if ink else (NEUTRAL, 0.18 if here else 0.03)
        drawing.boxes(corners, wide, HIGH, paint, strength, dashed=gone)
        if here:  # a second line around it
            inner = [(x + 2, y_ + 2) for x, y_ in corners]
            drawing.boxes(inner, wide - 4, HIGH - 4, round=2)
    for x, cell in zip(places, cells):
        drawing.text(x + wide / 2, y + 18, cell.words, 12, bold=cell.here, faint=cell.gone)
        if cell.above:
            drawing.text(x + wide / 2, y - 4, cell.above, SMALL, faint=True)
    crossed = [x for x, cell in zip(places, cells) if cell.crossed]
    drawing.crosses([(x + wide / 2, y + HIGH / 2) for x in crossed], 9)


def _said(row: CellRow) -> str:
    """A row in words: the cell that counts, else what is crossed or there."""
    if any(each.above for each in row.cells):
        told = [f"{each.above}: {each.words}" for each in row.cells]
    elif any(each.here for each in row.cells):
        told = [each.words for each in row.cells if each.here]
    elif any(each.gone for each in row.cells):
        told = [each.words for each in row.cells if not each.gone]
    else:
        crossed = [each for each in row.cells if each.crossed]
        named = [each.words for each in crossed if each.words]
        told = named or [f"{len(crossed)}/{len(row.cells)}"]
    return " ".join([row.head, ", ".join(told) or "-"]).strip()
