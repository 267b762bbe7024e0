"""Draws a score sheet: rows of fields with what is printed on them, crossed or written in.

What is printed comes from the tables of the spec: numbers by row and field, colours by row and
field (and by the kind of sheet a player has, if there are several).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.meaning import types as y
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position, text
from rulewright.site.draw.colours import (
    NEUTRAL,
    PaintedColour,
    colour_of,
    is_palette,
    key_to,
    letter_of,
)
from rulewright.site.draw.picture import Picture
from rulewright.site.draw.picture_kinds import SheetPicture, type_of
from rulewright.site.draw.svg import Drawing, width_of
from rulewright.translate.wording import Wording

ENGLISH = Wording()
CELL = 27
STRIDE = 29
LINE = 32
TOP = 4
LOCK = "M-4.5 -1h9v7h-9zM-3 -1v-2.5a3 3 0 0 1 6 0v2.5"


def draw_sheet(
    sheet: SheetPicture, instance: Instance, position: Position, player: int | None, who: str,
    rows: Sequence[Any] | None = None, wording: Wording = ENGLISH,
) -> Picture:  # fmt: skip
    """The sheet of a player (None for one that all share), or only some of its rows."""
    return SheetDrawing(sheet, instance, position, player, wording).draw(who, rows)


def changed_rows(
    sheet: SheetPicture, instance: Instance, before: Position, after: Position, player: int | None
) -> list[Any] | None:
    """The rows in which something changed; none of them if only the boxes did, None if nothing."""
    old, new = (SheetDrawing(sheet, instance, each, player) for each in (before, after))
    rows = [row for row in instance.order(sheet.row) if old.content(row) != new.content(row)]
    boxes = any(old.value(name) != new.value(name) for name in sheet.boxes)
    return rows if rows or boxes else None


def numbers_on(sheet: SheetPicture, instance: Instance) -> Any:
    """The table of numbers by row and field that is printed on a sheet, if the spec has one."""
    for table in instance.spec.tables:
        match table.type:
            case y.Map(row, y.Map(field, y.Int())) if (row, field) == (sheet.row, sheet.field):
                return instance.tables[table.name]
            case _:
                pass
    return None


class SheetDrawing:
    """Draws the sheet of a player, whole or piece by piece."""

    def __init__(
        self, sheet: SheetPicture, instance: Instance, position: Position, player: int | None,
        wording: Wording = ENGLISH,
    ) -> None:  # fmt: skip
        self.sheet = sheet
        self.instance = instance
        self.position = position
        self.player = player
        self.wording = wording
        self.say = wording.name
        self.fields = list(instance.order(sheet.field))
        self.numbers = numbers_on(sheet, instance)
        self.colours = self._colours()

    def value(self, name: str) -> Any:
        value = self.position[name]
        return value if self.player is None else value[self.player]

    def content(self, row: Any) -> list[Any]:
        """All that can change in a row."""
        sheet = self.sheet
        names = [sheet.crosses or sheet.entries or "", *sheet.marks, *sheet.notes]
        locks = [row in self.value(name) for name in sheet.ends]
        return [*(self.value(name)[row] for name in names), *locks]

    def draw(self, who: str, rows: Sequence[Any] | None) -> Picture:
        shown = list(self.instance.order(self.sheet.row)) if rows is None else list(rows)
        heads = {row: self.say(text(row)) for row in shown}
        left = max((width_of(head) for head in heads.values()), default=0) + 10
        columns = len(self.sheet.ends) + len(self.sheet.notes)
        width = left + STRIDE * len(self.fields) + (8 + 40 * columns if columns else 0) + 2
        boxes = self.sheet.boxes if not rows else ()
        top = TOP + (16 if self.sheet.notes else 0)
        drawing = Drawing(width, top + LINE * (len(shown) + len(boxes)))
        for at, row in enumerate(shown):
            drawing.text(left - 8, top + LINE * at + 18, heads[row], anchor="end", bold=True)
            self.draw_row(drawing, row, left, top + LINE * at)
            self.draw_ends(drawing, row, left + STRIDE * len(self.fields) + 8, top + LINE * at)
        for at, name in enumerate(self.sheet.notes):
            x = left + STRIDE * len(self.fields) + 8 + 40 * (len(self.sheet.ends) + at)
            drawing.text(x + 18, 13, self.say(name), 11, faint=True)
        for at, name in enumerate(boxes):
            self.draw_boxes(drawing, name, width, top + LINE * (len(shown) + at))
        svg = drawing.done(self._said(who, shown), "rw-sheet")
        return Picture("", svg, self.key(), not shown)

    def draw_row(self, drawing: Drawing, row: Any, left: float, top: float) -> None:
        """The fields of one row."""
        by_ink: dict[PaintedColour | None, list[tuple[float, float]]] = {}
        crosses: list[tuple[float, float]] = []
        for place, field in enumerate(self.fields):
            x = left + STRIDE * place
            ink = self.colours.get((row, field)) or colour_of(row)
            by_ink.setdefault(ink, []).append((x, top))
            written = self.value(self.sheet.entries)[row][field] if self.sheet.entries else None
            if self.sheet.crosses and field in self.value(self.sheet.crosses)[row]:
                crosses.append((x + CELL / 2, top + CELL / 2))
            if written == 0 and self.numbers is not None:
                crosses.append((x + CELL / 2, top + CELL / 2))
                written = None
        for ink, corners in by_ink.items():
            paint, strength = (ink.paint, ink.strength) if ink else (NEUTRAL, 0.04)
            drawing.boxes(corners, CELL, CELL, paint, strength, 0)
        drawing.crosses(crosses, 11, faint=True)
        if self.sheet.marks:
            self._marks(drawing, row, left, top)
        for place, field in enumerate(self.fields):
            crossed = (left + STRIDE * place + CELL / 2, top + CELL / 2) in crosses
            self._field(drawing, row, field, left + STRIDE * place, top, crossed)

    def _field(
        self, drawing: Drawing, row: Any, field: Any, x: float, y_: float, crossed: bool
    ) -> None:
        """What stands in a field: its number, what was written over it, its colour's letter."""
        printed = text(field if self.numbers is None else self.numbers[row][field])
        written = self.value(self.sheet.entries)[row][field] if self.sheet.entries else None
        ink = self.colours.get((row, field))
        if ink is not None and ink is not colour_of(row):
            drawing.text(x + 3, y_ + 9, letter_of(ink, self.say), 9, "start", bold=True)
        if written in (None, 0):
            aside = 2 if ink is not None and ink is not colour_of(row) else 0
            faint = bool(self.sheet.entries)
            right = aside + (2 if self.sheet.marks else 0)
            drawing.text(
                x + CELL / 2 + right, y_ + 19 + aside, printed, 14 - aside,
                bold=crossed and not faint, faint=faint,
            )  # fmt: skip
            return
        drawing.text(x + CELL - 3, y_ + 9, printed, 9, "end", faint=True)
        aside = 4 if self.sheet.marks else 0
        drawing.text(x + CELL / 2 + aside, y_ + 22, text(written), 15, bold=True)

    def _marks(self, drawing: Drawing, row: Any, left: float, top: float) -> None:
        """A small box for a mark in the corner of each field, crossed where it is marked."""
        corners = [(left + STRIDE * at + 2, top + CELL - 9) for at in range(len(self.fields))]
        drawing.boxes(corners, 7, 7, round=0)
        marked = [
            (x + 3.5, y_ + 3.5)
            for field, (x, y_) in zip(self.fields, corners)
            if any(field in self.value(name)[row] for name in self.sheet.marks)
        ]
        drawing.crosses(marked, 2.8)

    def draw_ends(self, drawing: Drawing, row: Any, x: float, top: float) -> None:
        """The fields after the row's last: what can be locked, what is noted."""
        for name in self.sheet.ends:
            ink = colour_of(row)
            middle = (x + CELL / 2, top + CELL / 2)
            paint, strength = (ink.paint, ink.strength) if ink else (NEUTRAL, 0.04)
            drawing.disc(*middle, CELL / 2, paint, strength)
            if "lock" in name:
                drawing.path(_moved(LOCK, *middle), 1.4, faint=True)
            if row in self.value(name):
                drawing.crosses([middle], 9, faint=True)
            x += 40
        for name in self.sheet.notes:
            noted = self.value(name)[row]
            drawing.boxes([(x, top)], 36, CELL, round=8)
            if noted is not None:
                drawing.text(x + 18, top + 19, text(noted), 14, bold=True)
            x += 40

    def draw_boxes(self, drawing: Drawing, name: str, width: float, top: float) -> None:
        """A count as boxes, of which so many are crossed."""
        variable = self.instance.variables[name]
        kind = variable.type.value if isinstance(variable.type, y.Map) else variable.type
        assert isinstance(kind, y.Int) and kind.high is not None
        begin = width - STRIDE * kind.high
        corners = [(begin + STRIDE * place, top) for place in range(kind.high)]
        drawing.text(begin - 8, top + 18, self.say(name), 12, "end")
        drawing.boxes(corners, CELL, CELL, round=0)
        done = corners[: self.value(name)]
        drawing.crosses([(x + CELL / 2, y_ + CELL / 2) for x, y_ in done], 9)

    def key(self) -> str:
        inks = list(self.colours.values())
        if all(ink is colour_of(row) for (row, _), ink in self.colours.items()):
            return ""
        return key_to(inks, self.say)

    def _said(self, who: str, rows: Sequence[Any]) -> str:
        """The sheet in words."""
        parts = []
        for row in rows:
            if self.sheet.crosses:
                numbers = self.numbers
                done = [
                    text(each if numbers is None else numbers[row][each])
                    for each in self.fields
                    if each in self.value(self.sheet.crosses)[row]
                ]
                locks = [self.say(name) for name in self.sheet.ends if row in self.value(name)]
                said = " ".join([*done, *locks]) or self.wording("empty")
                parts.append(f"{self.say(text(row))} {said}")
            elif self.sheet.entries:
                signs = [self.said_entry(row, each) for each in self.fields]
                said = self.wording("row", row=text(row))
                parts.append(f"{said}: {', '.join(signs)}")
        counts = [f"{self.say(name)} {self.value(name)}" for name in self.sheet.boxes]
        return f"{who}: {'; '.join([*parts, *counts])}"

    def said_entry(self, row: Any, field: Any) -> str:
        """What is written in a field, in words."""
        written = self.value(self.sheet.entries or "")[row][field]
        if written is None:
            return "-"
        if written == 0 and self.numbers is not None:
            return self.wording("crossed_out")
        marked = [n for n in self.sheet.marks if field in self.value(n)[row]]
        return " ".join([text(written), *(f"({self.say(each)})" for each in marked)])

    def _colours(self) -> dict[tuple[Any, Any], PaintedColour]:
        """The colour of each field, if a table says so."""
        for table in self.instance.spec.tables:
            data: Any = self.instance.tables[table.name]
            type: y.Type = table.type
            if isinstance(type, y.Map) and self._is_colouring(type.value):
                kind = self._own(type.key)
                if kind is None:
                    continue
                data, type = data[kind], type.value
            if self._is_colouring(type):
                inks = {
                    (row, at): colour_of(name) for row in data for at, name in data[row].items()
                }
                return {key: ink for key, ink in inks.items() if ink is not None}
        return {}

    def _is_colouring(self, type: y.Type) -> bool:
        match type:
            case y.Map(row, y.Map(field, colour)):
                return (row, field) == (self.sheet.row, self.sheet.field) and is_palette(colour)
            case _:
                return False

    def _own(self, type: y.Type) -> Any:
        """The value that the player has of a type: the kind of sheet."""
        owned = [each for each in self.instance.spec.variables if each.owned]
        kinds = [each.name for each in owned if type_of(each) == type]
        return self.value(kinds[0]) if kinds and self.player is not None else None


def _moved(strokes: str, x: float, y_: float) -> str:
    """The padlock around a point; its pieces begin with an absolute move."""
    pieces = []
    for piece in strokes.split("M")[1:]:
        start, rest = _split(piece)
        pieces.append(f"M{start[0] + x:.1f} {start[1] + y_:.1f}{rest}")
    return "".join(pieces)


def _split(piece: str) -> tuple[tuple[float, float], str]:
    at = next(place for place, sign in enumerate(piece) if sign.isalpha())
    x, y_ = piece[:at].split()
    return (float(x), float(y_)), piece[at:]
