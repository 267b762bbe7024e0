"""The layout of a sheet: what is printed on it, and for each place where something can be written,
crossed or noted a stamp for everything that can stand there.

A page looks up what the position says of a place and puts the stamp there; it knows nothing of how
a cross looks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from rulewright.meaning import types as y
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import text
from rulewright.site.draw.colours import is_palette
from rulewright.site.draw.picture_kinds import SheetPicture, type_of
from rulewright.site.draw.score_sheet import CELL, LINE, STRIDE, TOP, SheetDrawing, numbers_on
from rulewright.site.draw.svg import Drawing, width_of
from rulewright.site.tryout.stamps import Stamps
from rulewright.translate.wording import Wording

MOST_CONTENTS = 130
"""Different things that can stand in one place; a variable with more is said in words."""
Layout = dict[str, Any]


def can_be_laid_out(sheet: SheetPicture, instance: Instance) -> bool:
    """Whether so few things can stand in each place that all can be drawn."""
    most = 1
    for name in (sheet.crosses, sheet.entries, *sheet.marks, *sheet.ends, *sheet.notes):
        if name is not None:
            kind = _inner(type_of(instance.variables[name]))
            most = max(most, y.most_values(kind) or MOST_CONTENTS + 1)
    return most <= MOST_CONTENTS


def sheet_layout(
    sheet: SheetPicture, instance: Instance, owned: bool, stamps: Stamps, wording: Wording
) -> Layout:
    """The layout of a sheet, one for each kind of sheet that players can have."""
    chosen = _kind_variable(instance) if owned else None
    kinds: list[Any] = [None]
    if chosen is not None:
        kinds = list(instance.order(type_of(instance.variables[chosen])))
    drawn = {
        "" if kind is None else text(kind): _OneSheet(
            sheet, instance, owned, stamps, {chosen: kind} if chosen else {}, wording
        ).layout()
        for kind in kinds
    }
    return {"owned": owned, "kind": chosen, "drawn": drawn}


class _OneSheet:
    def __init__(
        self, sheet: SheetPicture, instance: Instance, owned: bool, stamps: Stamps,
        kind: Mapping[str, Any], wording: Wording,
    ) -> None:  # fmt: skip
        self.say = wording
        self.sheet = sheet
        self.instance = instance
        self.owned = owned
        self.stamps = stamps
        self.kind = kind
        self.fields = list(instance.order(sheet.field))
        self.rows = list(instance.order(sheet.row))

    def drawing_of(self, values: Mapping[str, Any]) -> SheetDrawing:
        """What draws the sheet when some variables have these values for its owner."""
        every = {**self.kind, **values}
        position = {name: {1: value} if self.owned else value for name, value in every.items()}
        return SheetDrawing(
            self.sheet, self.instance, position, 1 if self.owned else None, self.say
        )

    def layout(self) -> Layout:
        sheet = self.sheet
        usual = self.drawing_of({})
        heads = {row: self.say.name(text(row)) for row in self.rows}
        left = max(map(width_of, heads.values()), default=0) + 10
        columns = len(sheet.ends) + len(sheet.notes)
        width = left + STRIDE * len(self.fields) + (8 + 40 * columns if columns else 0) + 2
        top = TOP + (16 if sheet.notes else 0)
        base = Drawing(width, top + LINE * (len(self.rows) + len(sheet.boxes)))
        slots: list[Layout] = []
        after = left + STRIDE * len(self.fields) + 8
        for at, row in enumerate(self.rows):
            y_ = top + LINE * at
            base.text(left - 8, y_ + 18, heads[row], anchor="end", bold=True)
            for place, field in enumerate(self.fields):
                slots.append(self._field(usual, row, field, left + STRIDE * place, y_))
            slots += self._ends(row, after, y_)
        for at, name in enumerate(sheet.notes):
            x = after + 40 * (len(sheet.ends) + at)
            base.text(x + 18, 13, self.say.name(name), 11, faint=True)
        for at, name in enumerate(sheet.boxes):
            slots.append(self._boxes(name, width, top + LINE * (len(self.rows) + at)))
        return {
            "width": base.width, "height": base.height, "base": self.stamps.number(base),
            "key": usual.key(), "slots": slots,
        }  # fmt: skip

    def _field(self, usual: SheetDrawing, row: Any, field: Any, x: float, y_: float) -> Layout:
        """A field, with what can stand in it."""
        sheet = self.sheet
        reads: list[Layout] = []
        domains: list[list[tuple[str, Any, str]]] = []
        if sheet.crosses:
            reads.append({"variable": sheet.crosses, "keys": [row], "has": field})
            domains.append(
                [
                    ("0", frozenset(), self.say("free")),
                    ("1", frozenset({field}), self.say("crossed")),
                ]
            )
        if sheet.entries:
            reads.append({"variable": sheet.entries, "keys": [row, field]})
            domains.append(list(self._entries(sheet.entries)))
        for name in sheet.marks:
            reads.append({"variable": name, "keys": [row], "has": field})
            domains.append([("0", frozenset(), ""), ("1", frozenset({field}), self.say.name(name))])
        names = [each["variable"] for each in reads]
        stamps: dict[str, list[Any]] = {}
        for contents in product(*domains):
            values = {
                name: {row: {field: value}} if name == sheet.entries else {row: value}
                for name, (_, value, _) in zip(names, contents)
            }
            drawn = self.drawing_of(values)
            drawn.fields = [field]
            drawing = Drawing(STRIDE, LINE)
            drawn.draw_row(drawing, row, 1, 1)
            words = " ".join(said for _, _, said in contents if said)
            stamps[",".join(key for key, _, _ in contents)] = [self.stamps.number(drawing), words]
        numbers = numbers_on(sheet, self.instance)
        printed = text(field if numbers is None else numbers[row][field])
        ink = usual.colours.get((row, field))
        named = self._named(row)
        ink_name = "" if ink is None else self.say.name(ink.name)
        colour = f" {ink_name}" if ink is not None and ink_name != named else ""
        target = [[y.show(sheet.row), row], [y.show(sheet.field), field]]
        if ink is not None:
            target += [[name, ink.name] for name in self._palettes()]
        return {
            "x": x - 1, "y": y_ - 1, "width": CELL, "height": CELL, "reads": reads,
            "stamps": stamps, "label": f"{named}{colour} {printed}", "target": target,
        }  # fmt: skip

    def _named(self, row: Any) -> str:
        """A row by its name or its number."""
        if isinstance(self.sheet.row, y.Enum):
            return self.say.name(text(row))
        return self.say("row", row=text(row))

    def _entries(self, name: str) -> Iterator[tuple[str, Any, str]]:
        """What can be written in a field: as a key, as a value, in words."""
        type = _inner(type_of(self.instance.variables[name]))
        crossed = numbers_on(self.sheet, self.instance) is not None
        yield "null", None, self.say("free")
        for value in self.instance.order(type):
            said = self.say("written", value=text(value))
            if value == 0 and crossed:
                said = self.say("crossed_out")
            yield text(value), value, said

    def _ends(self, row: Any, x: float, y_: float) -> Iterator[Layout]:
        """The fields after the last one of a row."""
        for name in self.sheet.ends:
            contents = {
                "0": (frozenset(), self.say("free")),
                "1": (frozenset({row}), self.say("crossed")),
            }
            yield self._end(name, row, x, y_, contents, {"has": row})
            x += 40
        for name in self.sheet.notes:
            type = _inner(type_of(self.instance.variables[name]))
            noted: dict[str, tuple[Any, str]] = {"null": ({row: None}, self.say("none"))}
            noted |= {text(each): ({row: each}, text(each)) for each in self.instance.order(type)}
            yield self._end(name, row, x, y_, noted, {"keys": [row]})
            x += 40

    def _end(
        self, name: str, row: Any, x: float, y_: float, contents: Mapping[str, tuple[Any, str]],
        read: Layout,
    ) -> Layout:  # fmt: skip
        alone = self.sheet.__class__(
            self.sheet.row, self.sheet.field, self.sheet.crosses, self.sheet.entries, (),
            tuple(each for each in self.sheet.ends if each == name),
            tuple(each for each in self.sheet.notes if each == name), (),
        )  # fmt: skip
        stamps: dict[str, list[Any]] = {}
        for key, (value, said) in contents.items():
            drawn = self.drawing_of({name: value})
            drawn.sheet = alone
            drawing = Drawing(40, LINE)
            drawn.draw_ends(drawing, row, 1, 1)
            stamps[key] = [self.stamps.number(drawing), said]
        return {
            "x": x - 1, "y": y_ - 1, "width": 36, "height": CELL,
            "reads": [{"variable": name, "keys": [], **read}], "stamps": stamps,
            "label": f"{self._named(row)} {self.say.name(name)}", "target": [],
        }  # fmt: skip

    def _boxes(self, name: str, width: float, top: float) -> Layout:
        """A count as boxes."""
        type = type_of(self.instance.variables[name])
        stamps: dict[str, list[Any]] = {}
        for value in self.instance.order(type):
            drawing = Drawing(width, LINE)
            self.drawing_of({name: value}).draw_boxes(drawing, name, width, 0)
            stamps[text(value)] = [self.stamps.number(drawing), text(value)]
        return {
            "x": 0, "y": top, "width": width, "height": CELL,
            "reads": [{"variable": name, "keys": []}], "stamps": stamps,
            "label": self.say.name(name),
            "target": [],
        }  # fmt: skip

    def _palettes(self) -> list[str]:
        """The types of the spec that are colours."""
        types = [each.type for each in self.instance.spec.tables]
        found: dict[str, None] = {}
        while types:
            match types.pop():
                case y.Map(key, value):
                    types += [key, value]
                case y.Enum(name) as type if is_palette(type):
                    found[name] = None
                case _:
                    pass
        return list(found)


def _kind_variable(instance: Instance) -> str | None:
    """The variable that says which kind of sheet a player has, where the colours hang on it."""
    keys = {each.type.key for each in instance.spec.tables if isinstance(each.type, y.Map)}
    owned = [each for each in instance.spec.variables if each.owned]
    kinds = [each.name for each in owned if isinstance(type_of(each), y.Enum)]
    return next((name for name in kinds if type_of(instance.variables[name]) in keys), None)


def _inner(type: y.Type) -> y.Type:
    """The plain type at the bottom of maps, sets and optional values."""
    match type:
        case y.Map(_, inside) | y.Option(inside) | y.Set(inside):
            return _inner(inside)
        case _:
            return type
