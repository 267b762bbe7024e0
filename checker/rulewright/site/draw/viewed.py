"""Pictures as views ask for them: tracks, boxes, possibilities, hands, and the faces of values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.explain.text_views import cards_of
from rulewright.play.explain.text_words import ValueWords
from rulewright.play.semantics.instance import Instance
from rulewright.site.draw.boards import TileFace, draw_dice, draw_rack, face
from rulewright.site.draw.cells import Cell, CellRow, draw_cells
from rulewright.site.draw.colours import colour_of
from rulewright.syntax.node import replace
from rulewright.translate.wording import Wording


class Faces:
    """What the values of one variable or table look like."""

    def __init__(self, view: c.View | None, wording: Wording) -> None:
        self._say = wording.name
        self._faces = {(each.value, each.type): each for each in (view.faces if view else ())}

    def of(self, value: Any, type: y.Type) -> TileFace:
        """A value as a tile, as its view says or by its name and fields."""
        inner = type.inner if isinstance(type, y.Option) else type
        usual = face(value, type, self._say)
        found = self._faces.get((value, inner)) if self._faces else None
        if found is None:
            return usual
        ink = colour_of(found.colour) if found.colour else usual.ink
        if found.label is not None and ink is not None:
            ink = replace(ink, letter="")  # the label tells it apart
        return TileFace(usual.words if found.label is None else found.label, ink)


def draw_viewed(
    view: c.View, type: y.Type, value: Any, instance: Instance, who: str,
    called: Callable[[int], str], wording: Wording,
) -> str:  # fmt: skip
    """The picture of a variable that is drawn as a track, boxes, possibilities, a hand or dice."""
    faces = Faces(view, wording)
    if view.shape in ("hand", "dice"):
        element, cards = cards_of(type, value, ValueWords(instance, (), None))
        if view.shape == "dice":
            keys = list(value) if isinstance(type, y.Map) else [""] * len(cards)
            named = [each if isinstance(each, str) else "" for each in keys]
            return draw_dice(list(zip(named, cards)), who, wording)
        return draw_rack([faces.of(each, element) for each in cards if each is not None], who,
                         wording)  # fmt: skip
    rows = _Rows(view.shape, faces, instance, called)
    return draw_cells(rows.of(type, value), who)


def draw_strip(
    view: c.View, type: y.Type, data: Mapping[Any, Any], who: str, wording: Wording
) -> str:
    """A table as a track: each value below what it is for."""
    assert isinstance(type, y.Map)
    faces = Faces(view, wording)
    cells = []
    for key, each in data.items():
        shown = faces.of(each, type.value)
        cells.append(Cell(shown.words, shown.ink, above=faces.of(key, type.key).words))
    return draw_cells([CellRow("", tuple(cells))], who)


class _Rows:
    """The rows of cells of one shape."""

    def __init__(
        self, shape: str, faces: Faces, instance: Instance, called: Callable[[int], str]
    ) -> None:
        self._shape = shape
        self._faces = faces
        self._instance = instance
        self._called = called

    def of(self, type: y.Type, value: Any) -> list[CellRow]:
        """A row for each key of a map, else one."""
        if isinstance(type, y.Map) and not isinstance(type.value, y.Bool):
            return [
                CellRow(self._head(key, type.key), tuple(self._row(type.value, value[key])))
                for key in self._instance.order(type.key)
            ]
        return [CellRow("", tuple(self._row(type, value)))]

    def _head(self, key: Any, type: y.Type) -> str:
        if isinstance(type, y.Player):
            return self._called(key)
        return self._faces.of(key, type).words

    def _row(self, type: y.Type, value: Any) -> list[Cell]:
        match type:
            case y.Set(element):
                return [self._member(each, element, each in value)
                        for each in self._instance.order(element)]  # fmt: skip
            case y.Map(key, _):
                return [self._member(each, key, value[each]) for each in self._instance.order(key)]
            case y.Int() if self._shape == "boxes":
                return [Cell("", crossed=each <= value) for each in range(1, (type.high or 0) + 1)]
            case _:
                inner = type.inner if isinstance(type, y.Option) else type
                return [
                    Cell(shown.words, shown.ink, here=each == value)
                    for each in self._instance.order(inner)
                    for shown in [self._faces.of(each, inner)]
                ]

    def _member(self, each: Any, type: y.Type, held: bool) -> Cell:
        """A value that is in a set, or not."""
        shown = self._faces.of(each, type)
        letter = shown.ink.letter if shown.ink is not None else ""
        words = f"{shown.words} {letter}".strip()
        if self._shape == "boxes":
            return Cell(words, shown.ink, crossed=held)
        return Cell(words, shown.ink if held else None, gone=not held)
