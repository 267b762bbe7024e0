"""What a game is played with, told from its state: dice, sheets, boards, tiles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.values import BagValue, Position, ordered
from rulewright.site.draw.boards import LARGEST, draw_rack
from rulewright.site.draw.picture import Picture
from rulewright.site.draw.picture_kinds import grid_of, shapes, type_of
from rulewright.site.model.book import Book
from rulewright.site.rulebook.content import Listing, Pictures
from rulewright.translate.wording import Wording

MOST_KINDS = 70


class Components:
    """What lies on the table before the game begins."""

    def __init__(self, book: Book, wording: Wording) -> None:
        self._book = book
        self._wording = wording
        self._instance, self._position = book.beginning()
        self._types = {each.name: type_of(each) for each in book.spec.variables}
        self._shared = shapes(book.spec, owned=False)
        self._owned = shapes(book.spec, owned=True)

    def blocks(self, listed: bool) -> Iterator[Listing | Pictures]:
        """The list of it all, unless sentences say it, then pictures of dice and tiles."""
        lines = list(self._lines()) if listed else []
        if lines:
            yield Listing(tuple(lines))
        scene = self._book.scene(self._instance)
        drawn = [*scene.dice_pictures(self._position), *self._kinds()]
        if drawn:
            yield Pictures(tuple(drawn))

    def sheets(self) -> Iterator[Picture]:
        """An empty sheet of each kind."""
        for position in self._kinds_of_sheet():
            for drawn in self._book.scene(self._instance).sheet_pictures(position):
                if drawn.is_sheet:
                    yield drawn

    def _lines(self) -> Iterator[str]:
        wording = self._wording
        dice = sum(self._number(name) for name in self._shared.dice)
        if dice:
            yield wording("dice_count", number=dice)
        if self._owned.sheets:
            kinds = len(self._kinds_of_sheet())
            yield wording("sheet_kinds", number=kinds) if kinds > 1 else wording("sheet_each")
            yield wording("pencils")
        for name in self._shared.boards:
            grid = self._grid(name)
            if grid is not None:
                yield wording("board_of", width=grid.width, height=grid.height)
        for _, _, bag in self._bags():
            copies = {bag[each] for each in bag}
            if len(copies) == 1:
                yield wording("tiles_of_each", number=len(bag), copies=copies.pop())
            else:
                yield wording("tiles", number=len(bag))

    def _number(self, name: str) -> int:
        """How many dice a variable has."""
        value = self._position[name]
        return len(value) if isinstance(self._types[name], y.Map) else 1

    def _grid(self, name: str) -> y.Grid | None:
        """The squares of a board to lay out: something is printed on it, or one sees where it ends.
        Tiles that are laid on a table without an end need none."""
        grid = grid_of(self._types[name])
        assert isinstance(grid, y.Grid)
        scene = self._book.scene(self._instance)
        small = not grid.hex and grid.width * grid.height <= LARGEST
        return grid if small or scene.printed(grid) is not None else None

    def _bags(self) -> Iterator[tuple[str, y.Type, BagValue]]:
        """The tiles that are there when the game begins, with their type and where they are."""
        for name in self._shared.racks:
            bag, type = self._position[name], self._types[name]
            if isinstance(bag, BagValue) and isinstance(type, y.Bag) and len(bag):
                yield name, type.element, bag

    def _kinds(self) -> Iterator[Picture]:
        """One tile of each kind, where there are equally many of all."""
        for name, element, bag in self._bags():
            look = self._book.scene(self._instance).faces(name)
            kinds = ordered(bag, element, self._instance)
            if len({bag[each] for each in kinds}) == 1 and len(kinds) <= MOST_KINDS:
                caption = self._wording("one_of_each")
                faces = [look.of(each, element) for each in kinds]
                drawn = draw_rack(faces, caption, self._wording)
                yield Picture(caption[:1].upper() + caption[1:], drawn)

    def _kinds_of_sheet(self) -> list[Position]:
        """A position for each kind of sheet that the first player can have."""
        kinds = [each for each in self._book.spec.variables if _is_kind(each)]
        if not self._owned.sheets or not kinds:
            return [self._position]
        name, type = kinds[0].name, type_of(kinds[0])
        found: dict[Any, Position] = {}
        for kind in self._instance.order(type):
            mine = {**self._position[name], 1: kind}
            found[kind] = {**self._position, name: mine}
        return list(found.values())


def _is_kind(variable: c.Variable) -> bool:
    """Whether a variable says which kind of something each player has from the beginning."""
    return variable.owned and variable.initial is None and isinstance(type_of(variable), y.Enum)
