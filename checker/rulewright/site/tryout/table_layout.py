"""The layout of a game: of its sheets, boards, dice and tiles, as a page draws them."""

from __future__ import annotations

from typing import Any

from rulewright.meaning import types as y
from rulewright.play.io.json_codec import encode
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import entries, text
from rulewright.site.draw.boards import (
    ROOM,
    SQUARE,
    TILE,
    WIDEST_RACK,
    PrintedSquares,
    draw_dice,
    draw_squares,
    draw_tiles,
    spoken_face,
)
from rulewright.site.draw.picture_kinds import DIE, SheetPicture, is_dice, shapes, type_of
from rulewright.site.draw.position import LARGEST_RACK, PositionPicture
from rulewright.site.draw.svg import Drawing
from rulewright.site.tryout.sheet_layout import Layout, can_be_laid_out, sheet_layout
from rulewright.site.tryout.stamps import Stamps
from rulewright.site.words.markdown import spoken
from rulewright.translate.wording import Wording

ENGLISH = Wording()
MOST_TILES = 400


def table_layout(
    instance: Instance, signs: dict[str, dict[str, str]], wording: Wording = ENGLISH
) -> Layout:
    """How everything is drawn that lies on the table."""
    return _Table(instance, signs, wording).layout()


class _Table:
    def __init__(
        self, instance: Instance, signs: dict[str, dict[str, str]], wording: Wording
    ) -> None:
        self.instance = instance
        self.wording = wording
        self.scene = PositionPicture(instance, signs, wording=wording)
        self.stamps = Stamps()

    def layout(self) -> Layout:
        found: Layout = {"sheets": [], "boards": [], "dice": [], "racks": [], "words": []}
        for owned in (False, True):
            kinds = shapes(self.instance.spec, owned)
            words = [*kinds.words, *kinds.viewed]
            for sheet in kinds.sheets:
                if can_be_laid_out(sheet, self.instance):
                    found["sheets"].append(self._sheet(sheet, owned))
                else:
                    words += sheet.variables
            for name in kinds.racks:
                rack = self._rack(name, owned)
                if rack is None:
                    words.append(name)
                else:
                    found["racks"].append(rack)
            if not owned:
                laid = [each for each in kinds.boards if isinstance(self._type(each), y.Map)]
                words += [each for each in kinds.boards if each not in laid]
                found["boards"] = [self._board(name) for name in laid]
                found["dice"] = [self._dice(name, self._type(name)) for name in kinds.dice]
            found["words"] += [{"variable": name, "owned": owned} for name in words]
        found["thrown"] = self._thrown()
        return {**found, "stamps": self.stamps.drawn}

    def _sheet(self, sheet: SheetPicture, owned: bool) -> Layout:
        return sheet_layout(sheet, self.instance, owned, self.stamps, self.wording)

    def _type(self, name: str) -> y.Type:
        return type_of(self.instance.variables[name])

    def _rack(self, name: str, owned: bool) -> Layout | None:
        """Tiles side by side; a bag of tiles of endless kinds has no picture."""
        type = self._type(name)
        assert isinstance(type, y.Bag)
        if (y.most_values(type.element) or MOST_TILES + 1) > MOST_TILES:
            return None
        hidden = self.instance.variables[name].hidden and not owned
        return {
            "variable": name, "owned": owned, "hidden": hidden, "most": LARGEST_RACK,
            "room": ROOM, "widest": WIDEST_RACK, "size": TILE, "type": y.show(type.element),
            "tiles": self._tiles(name, type.element, TILE),
        }  # fmt: skip

    def _tiles(self, name: str, type: y.Type, side: float) -> Layout:
        """A stamp and words for every tile there is, by its value as JSON text."""
        found: Layout = {}
        look = self.scene.faces(name)
        inner = type.inner if isinstance(type, y.Option) else type
        for value in self.instance.order(inner):
            drawing = Drawing(side + 2, side + 2)
            shown = look.of(value, type)
            draw_tiles(drawing, {(1, 1): shown}, side)
            key = text(encode(value, inner, self.instance))
            found[key] = [self.stamps.number(drawing), spoken_face(shown, self.wording.name)]
        return found

    def _board(self, name: str) -> Layout:
        """The squares with what is printed on them, and the tiles that can lie there."""
        type = self._type(name)
        assert isinstance(type, y.Map) and isinstance(type.key, y.Grid)
        grid, printed = type.key, self.scene.printed(type.key)
        kinds = list(dict.fromkeys(printed.kinds.values())) if printed else [""]
        squares = [self._square(kind, printed) for kind in kinds]
        inner = type.value.inner if isinstance(type.value, y.Option) else type.value
        small = (y.most_values(inner) or MOST_TILES + 1) <= MOST_TILES
        return {
            "variable": name, "grid": grid.name, "columns": grid.width, "rows": grid.height,
            "size": SQUARE, "squares": squares,
            "kinds": {} if printed is None else {
                square: kinds.index(kind) for square, kind in printed.kinds.items()
                if kinds.index(kind)
            },
            "said": [] if printed is None else [
                self.wording.name(kind) if printed.signs.get(kind, ".") != "." else ""
                for kind in kinds
            ],
            "tiles": self._tiles(name, type.value, SQUARE - 2) if small else {},
            "printed": self._printed(name) if printed is not None else {},
            "key": printed.key(self.wording.name) if printed is not None else "",
        }  # fmt: skip

    def _square(self, kind: str, printed: PrintedSquares | None) -> int:
        drawing = Drawing(SQUARE, SQUARE)
        one = None if printed is None else PrintedSquares({"A1": kind}, printed.signs, printed.inks)
        draw_squares(drawing, {1: 1.0}, {1: 1.0}, one, {(1, 1)}, set())
        return self.stamps.number(drawing)

    def _printed(self, name: str) -> Layout:
        """What squares bear from the beginning of every game: the value as text, and its stamp."""
        variable = self.instance.variables[name]
        if variable.initial is None:
            return {}
        type = self._type(name)
        assert isinstance(type, y.Map)
        start = entries(evaluate(variable.initial, Environment(self.instance, {})))
        found: Layout = {}
        for square, value in start.items():
            if value is not None and value is not False:
                drawing = Drawing(SQUARE, SQUARE)
                drawing.boxes([(1, 1)], SQUARE - 2, SQUARE - 2, round=0)
                words = self.scene.faces(name).of(value, type.value).words
                drawing.text(SQUARE / 2, 21, words, 17, faint=True)
                found[square] = [text(value), self.stamps.number(drawing)]
        return found

    def _dice(self, name: str, type: y.Type) -> Layout:
        """Dice in a row, each with a stamp for all it can show."""
        keys: list[Any] = [None]
        if isinstance(type, y.Map):
            keys = list(self.instance.order(type.key))
            named = isinstance(type.key, y.Enum)
            heads = [text(key) if named else f"{spoken(name)} {key}" for key in keys]
        else:
            heads = [spoken(name)]
        return {
            "variable": name, "width": 44, "height": 52,
            "dice": [self._die(key, head) for key, head in zip(keys, heads)],
        }  # fmt: skip

    def _die(self, key: Any, head: str) -> Layout:
        stamps = {
            "null" if pips is None else str(pips): self.stamps.number_of(
                draw_dice([(head, pips)], "", self.wording)
            )
            for pips in (*self.instance.order(DIE), None)
        }
        return {"key": key, "label": self.wording.name(head), "stamps": stamps}

    def _thrown(self) -> list[str]:
        """The chance events that throw dice."""
        return [
            each.name
            for each in self.instance.of_kind("chance")
            if any(is_dice(param.type) or param.type == DIE for param in each.params)
        ]
