"""Which picture each state variable asks for: what its view says, else what its type suggests.

    a set of fields for each row               the rows of a sheet, crossed where the set has them
    a number for each field of each row        a sheet that is written on
    a value for each square of a grid          a board
    one to six pips, by key or alone           dice
    a bag                                      a rack of tiles
    everything else                            words

Variables that speak of the same rows belong to one sheet. What is viewed as a track, boxes,
possibilities or a hand is drawn so. Nothing here knows any game.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.meaning import types as y
from rulewright.meaning.core import Spec, Variable
from rulewright.syntax.node import Node

LONGEST_ROW = 20
MOST_BOXES = 6
DIE = y.Int(1, 6)
ONLY_VIEWED = ("track", "boxes", "possibilities", "hand", "dice")
"""Shapes that no type suggests, or not so."""


class SheetPicture(Node):
    """Rows of fields: `crosses` are crossed in it, `entries` written; `marks` ring what is
    written, `ends` add a field to each row, `notes` a number, `boxes` stand below."""

    row: y.Type
    field: y.Type
    crosses: str | None
    entries: str | None
    marks: tuple[str, ...]
    ends: tuple[str, ...]
    notes: tuple[str, ...]
    boxes: tuple[str, ...]

    @property
    def variables(self) -> tuple[str, ...]:
        first = (self.crosses or self.entries or "",)
        return (*first, *self.marks, *self.ends, *self.notes, *self.boxes)


class PictureKinds(Node):
    """The pictures of what all share, or of what each player has."""

    sheets: tuple[SheetPicture, ...]
    boards: tuple[str, ...]
    dice: tuple[str, ...]
    racks: tuple[str, ...]
    words: tuple[str, ...]
    viewed: tuple[str, ...] = ()
    """What is drawn as only a view can say."""


def shapes(spec: Spec, owned: bool) -> PictureKinds:
    """The pictures that the shared variables ask for, or those that each player has."""
    views = {each.subject: each.shape for each in spec.views}
    types = {
        each.name: type_of(each)
        for each in spec.variables
        if each.owned == owned and views.get(each.name) != "nothing"
    }
    viewed = tuple(each for each in types if views.get(each) in ONLY_VIEWED)
    said = tuple(each for each in types if views.get(each) == "words")
    boards = [each for each in types if views.get(each) == "board"]
    chosen = {*viewed, *said, *boards}
    guessed = {name: type for name, type in types.items() if name not in chosen}
    sheets = tuple(_sheets(guessed))
    grids = [grid_of(types[each]) for each in boards]
    boards += [each for each in _first_boards(guessed) if grid_of(types[each]) not in grids]
    boards.sort(key=list(types).index)
    used = {name for sheet in sheets for name in sheet.variables} | chosen | set(boards)
    rest = {name: type for name, type in types.items() if name not in used}
    dice = tuple(name for name, type in rest.items() if is_dice(type))
    racks = tuple(name for name, type in rest.items() if isinstance(type, y.Bag))
    pictured = {*dice, *racks}
    plain = {
        name
        for name, type in rest.items()
        if name not in pictured and not _is_board(type) and name != "answered"
    }
    words = tuple(name for name in types if name in plain or name in said)
    return PictureKinds(sheets, tuple(boards), dice, racks, words, viewed)


def type_of(variable: Variable) -> y.Type:
    """The type of a variable, of one player's copy if each has one."""
    if variable.owned:
        assert isinstance(variable.type, y.Map)
        return variable.type.value
    return variable.type


def is_dice(type: y.Type) -> bool:
    """Whether values are pips: 1 to 6 by key, some perhaps missing."""
    if isinstance(type, y.Seq):
        return False
    if isinstance(type, y.Map) and y.is_scalar(type.key):
        type = type.value
        return type in (DIE, y.Option(DIE))
    return type == y.Option(DIE)


def _sheets(types: dict[str, y.Type]) -> Iterable[SheetPicture]:
    written = {
        (row, field): name
        for name, type in types.items()
        if (row := _row(type)) and (field := _written(type))
    }
    crossed = {
        (type.key, type.value.element): name
        for name, type in types.items()
        if isinstance(type, y.Map)
        and isinstance(type.value, y.Set)
        and _is_short(type.key)
        and _is_short(type.value.element)
    }
    for row, field in dict.fromkeys([*written, *crossed]):
        entries = written.get((row, field))
        crosses = None if entries else crossed.get((row, field))
        marks = [crossed[row, field]] if entries and (row, field) in crossed else []
        yield SheetPicture(
            row, field, crosses, entries, tuple(marks),
            tuple(n for n, type in types.items() if type == y.Set(row) and crosses),
            tuple(n for n, type in types.items() if _is_note(type, row)),
            tuple(n for n, type in types.items() if _is_count(type)),
        )  # fmt: skip


def _row(type: y.Type) -> y.Type | None:
    return type.key if isinstance(type, y.Map) and _is_short(type.key) else None


def _written(type: y.Type) -> y.Type | None:
    """The fields of a sheet that is written on."""
    match type:
        case y.Map(_, y.Map(field, y.Option(y.Int()))) if _is_short(field):
            return field
        case _:
            return None


def _is_short(type: y.Type) -> bool:
    number = y.most_values(type)
    return isinstance(type, y.Int | y.Enum) and number is not None and number <= LONGEST_ROW


def _is_note(type: y.Type, row: y.Type) -> bool:
    match type:
        case y.Map(key, y.Option(y.Int())) if key == row:
            return not is_dice(type)
        case _:
            return False


def _is_count(type: y.Type) -> bool:
    return isinstance(type, y.Int) and type.low == 0 and 1 < (type.high or 0) <= MOST_BOXES


def _is_board(type: y.Type) -> bool:
    return isinstance(type, y.Map) and isinstance(type.key, y.Grid)


def grid_of(type: y.Type) -> y.Type:
    """The squares of a board: keys of a map, or elements of a set."""
    return type.key if isinstance(type, y.Map) else getattr(type, "element", type)


def _first_boards(types: dict[str, y.Type]) -> Iterable[str]:
    """Of several boards over one grid the first: the others remember what it was like."""
    seen: list[y.Type] = []
    for name, type in types.items():
        if isinstance(type, y.Map) and isinstance(type.key, y.Grid) and type.key not in seen:
            seen.append(type.key)
            yield name
