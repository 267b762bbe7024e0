"""Draws boards, racks of tiles and dice."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

from rulewright.meaning import types as y
from rulewright.play.semantics.values import text
from rulewright.site.draw.colours import (
    NEUTRAL,
    SQUARES,
    PaintedColour,
    colour_of,
    is_palette,
    lettered,
)
from rulewright.site.draw.svg import Drawing
from rulewright.site.words.markdown import spoken
from rulewright.syntax.node import Node
from rulewright.translate.wording import Wording

Say: TypeAlias = Callable[[str], str]
"""How a name is said."""
ENGLISH = Wording()
SQUARE = 28
TILE = 32
SIX_SIDES = 6
"""How far hexagons stand out below."""
ROOM = 36
WIDEST_RACK = 14
LARGEST = 400
"""Squares; of a larger board only those near tiles are shown."""
_NEAR = (-1, 0, 1)
BARE = 0.08
"""How dark a square without a colour is on a board that has squares with one."""
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


class PrintedSquares(Node):
    """What is printed on the squares of a board: a sign for each, by the kind of square, and the
    colour of it where somebody said one."""

    kinds: Mapping[str, str]
    signs: Mapping[str, str]
    inks: Mapping[str, PaintedColour] = MappingProxyType({})

    def key(self, say: Say = spoken) -> str:
        """What the signs stand for."""
        shown = {kind: sign for kind, sign in self.signs.items() if sign not in kind.split()}
        return ", ".join(f"{sign} {say(kind)}" for kind, sign in shown.items() if sign != ".")


class TileFace(Node):
    """What a tile shows."""

    words: str
    ink: PaintedColour | None = None


def face(value: Any, type: y.Type, say: Say = spoken) -> TileFace:
    """What stands on a tile: a number in a colour if it has such fields, else its name."""
    if isinstance(type, y.Option):
        return face(value, type.inner, say)
    if isinstance(type, y.Enum) and value in type.members:
        at = type.members.index(value)
        inks = [colour_of(each.values[at]) for each in type.fields if is_palette(_inner(each.type))]
        numbers = [each.values[at] for each in type.fields if isinstance(_inner(each.type), y.Int)]
        if numbers and numbers[0] is not None:
            ink = inks[0] if inks else None
            return TileFace(text(numbers[0]), ink and lettered(ink, say))
        ink = colour_of(value)
        return TileFace(say(value), ink and lettered(ink, say))
    return TileFace(text(value))


def draw_board(
    grid: y.Grid, tiles: Mapping[str, TileFace], printed: PrintedSquares | None, who: str,
    fresh: Iterable[str] = (), near: bool = False, fixed: Container[str] = (),
    wording: Wording = ENGLISH, alone: bool = False,
) -> str:  # fmt: skip
    """A board with tiles on it; `fresh` squares are underlined, `near` leaves out what is far from
    any tile (as does a board too large to show). What lies on `fixed` squares is printed there.
    Tiles `alone` are drawn without the squares and their names."""
    places = {name: _place(name) for name in tiles}
    around = near or alone or grid.width * grid.height > LARGEST
    beside = 0 if alone else 1
    columns = _axis({column for column, _ in places.values()}, grid.width, around, beside)
    rows = _axis({row for _, row in places.values()}, grid.height, around, beside)
    if not columns or not rows:
        return f'<p class="rw-key">{who}: {wording("empty")}</p>'
    left, top = (1.0, 1.0) if alone else (23.0, 19.0)
    slant = SQUARE / 2 if grid.hex else 0.0
    drawing = Drawing(
        left + 1 + SQUARE * len(columns) + slant * (len(rows) - 1),
        top + 1 + SQUARE * len(rows) + (SIX_SIDES if grid.hex else 0),
    )
    across = {each: left + SQUARE * at for at, each in enumerate(columns) if each}
    down = {each: top + SQUARE * at for at, each in enumerate(rows) if each}
    lean = {row: slant * at for at, row in enumerate(rows) if row}
    if not alone:
        for column, x in across.items():
            drawing.text(x + SQUARE / 2, 13, y.square_name(column, 1)[:-1], 10, faint=True)
        for row, y_ in down.items():
            drawing.text(18 + lean[row], y_ + 18, str(row), 10, "end", faint=True)
        near_tiles = {(c + dx, r + dy) for c, r in places.values() for dx in _NEAR for dy in _NEAR}
        if not around:
            near_tiles |= {(c, r) for c in across for r in down}
        draw_squares(
            drawing, across, down, printed, near_tiles, set(places.values()),
            lean if grid.hex else None,
        )  # fmt: skip
    shown = {
        name: (across[column] + lean[row], down[row])
        for name, (column, row) in places.items()
        if column in across and row in down
    }
    draw_tiles(drawing, {at: tiles[n] for n, at in shown.items() if n not in fixed}, SQUARE - 2)
    on_board = {at: tiles[name] for name, at in shown.items() if name in fixed}
    drawing.boxes(list(on_board), SQUARE - 2, SQUARE - 2, round=0)
    for (x, y_), each in on_board.items():
        drawing.text(x + SQUARE / 2 - 1, y_ + 20, each.words, 17, faint=True)
    laid = [places[name] for name in fresh if name in places]
    below = [(across[c] + lean[r] + 2, down[r] + SQUARE - 1) for c, r in laid]
    drawing.underlines(below, SQUARE - 6)
    lying = ", ".join(f"{name} {spoken_face(each, wording.name)}" for name, each in tiles.items())
    return drawing.done(f"{who}: {lying or wording('empty')}", "rw-board")


def mostly_covered(grid: y.Grid, squares: Iterable[str]) -> bool:
    """Whether leaving out what is far from these squares would leave out less than half a board."""
    places = [_place(each) for each in squares]
    columns = _axis({column for column, _ in places}, grid.width, around=True)
    rows = _axis({row for _, row in places}, grid.height, around=True)
    shown = sum(map(bool, columns)) * sum(map(bool, rows))
    return 2 * shown > grid.width * grid.height


def draw_rack(faces: Sequence[TileFace], who: str, wording: Wording = ENGLISH) -> str:
    """Tiles side by side."""
    lines = max(1, -(-len(faces) // WIDEST_RACK))
    drawing = Drawing(ROOM * min(max(len(faces), 1), WIDEST_RACK), ROOM * lines)
    places = [divmod(at, WIDEST_RACK) for at in range(len(faces))]
    corners = [(ROOM * place + 1.0, ROOM * line + 1.0) for line, place in places]
    draw_tiles(drawing, dict(zip(corners, faces)), TILE)
    said = ", ".join(spoken_face(each, wording.name) for each in faces)
    return drawing.done(f"{who}: {said or wording('empty')}", "rw-rack")


def draw_dice(dice: Sequence[tuple[str, int | None]], who: str, wording: Wording = ENGLISH) -> str:
    """Dice in a row, each with its name below; one that is not there is dashed."""
    drawing = Drawing(44 * len(dice), 52)
    for at, (name, pips) in enumerate(dice):
        x = 44 * at + 6
        ink = colour_of(name)
        paint, strength = (ink.paint, ink.strength) if ink else (NEUTRAL, 0.04)
        drawing.boxes([(x, 2)], 32, 32, paint, strength, 7, dashed=pips is None)
        pips_at = PIPS.get(pips or 0, ())
        drawing.dots([(x + 16 + 8 * dx, 18 + 8 * dy) for dx, dy in pips_at], 3)
        drawing.text(x + 16, 48, wording.name(name), 11)
    gone = wording("gone")
    said = ", ".join(
        (f"{wording.name(n)}: " if n else "") + (gone if pips is None else str(pips))
        for n, pips in dice
    )
    return drawing.done(f"{who}: {said}", "rw-dice")


def _inner(type: y.Type) -> y.Type:
    return type.inner if isinstance(type, y.Option) else type


def _place(square: str) -> tuple[int, int]:
    found = y.square_place(square)
    assert found is not None
    return found


def _axis(occupied: set[int], length: int, around: bool, beside: int = 1) -> list[int | None]:
    """The rows or columns to draw, so many beside those with tiles, None for some left out."""
    if not around:
        return list(range(1, length + 1))
    steps = range(-beside, beside + 1)
    near = {each + step for each in occupied for step in steps} & set(range(1, length + 1))
    found: list[int | None] = []
    for number in sorted(near):
        if found and found[-1] is not None and number > found[-1] + 1:
            found.append(None)
        found.append(number)
    return found


def draw_squares(
    drawing: Drawing, across: Mapping[int, float], down: Mapping[int, float],
    printed: PrintedSquares | None, near_tiles: set[tuple[int, int]],
    covered: set[tuple[int, int]], lean: Mapping[int, float] | None = None,
) -> None:  # fmt: skip
    """The squares with their signs, by kind so that each kind is painted once. Where nothing is
    printed, the squares around tiles are enough. With a `lean`, how far each row is moved, they are
    hexagons, which are there below tiles, too."""
    by_kind: dict[str, list[tuple[float, float]]] = {}
    for row, y_ in down.items():
        for column, x in across.items():
            kind = printed.kinds[y.square_name(column, row)] if printed else ""
            bare = lean is not None or (column, row) not in covered
            if bare and (printed or (column, row) in near_tiles):
                by_kind.setdefault(kind, []).append((x + (lean[row] if lean else 0), y_))
    kinds = [kind for kind, sign in printed.signs.items() if sign != "."] if printed else []
    for kind, corners in by_kind.items():
        paint, strength = NEUTRAL, 0.03
        if printed and printed.inks:
            ink = printed.inks.get(kind)
            paint, strength = (ink.paint, ink.strength) if ink else (NEUTRAL, BARE)
        elif kind in kinds:
            paint, strength = SQUARES[kinds.index(kind) % len(SQUARES)], 0.22
        if lean is None:
            drawing.boxes(corners, SQUARE - 2, SQUARE - 2, paint, strength, 0)
        else:
            drawing.hexagons(corners, SQUARE, SQUARE, paint, strength)
        if printed and kind in kinds:
            for x, y_ in corners:
                sign = printed.signs[kind]
                size = 12 if len(sign) > 1 else 16
                drawing.text(x + SQUARE / 2 - 1, y_ + 11 + size / 2, sign, size, faint=True)


def draw_tiles(
    drawing: Drawing, tiles: Mapping[tuple[float, float], TileFace], side: float
) -> None:
    """Tiles with their numbers and the letters of their colours, painted colour by colour."""
    by_ink: dict[PaintedColour | None, list[tuple[float, float]]] = {}
    for corner, shown in tiles.items():
        by_ink.setdefault(shown.ink, []).append(corner)
    for ink, corners in by_ink.items():
        paint, strength = (ink.paint, ink.strength) if ink else (NEUTRAL, 0.14)
        drawing.boxes(corners, side, side, paint, strength, 4)
    for (x, y_), shown in tiles.items():
        words = shown.words.split()
        if len(words) > 1:
            for line, word in enumerate(words[:3]):
                drawing.text(x + side / 2, y_ + 12 + 9 * line, word, 8)
            continue
        size = 14 if len(shown.words) < 4 else 8
        lift = 2 if shown.ink else 5
        drawing.text(x + side / 2, y_ + side / 2 + lift, shown.words, size, bold=True)
    for (x, y_), shown in tiles.items():
        if shown.ink is not None and " " not in shown.words:
            drawing.text(x + side / 2, y_ + side - 3, shown.ink.letter, 9)


def spoken_face(shown: TileFace, say: Say = ENGLISH.name) -> str:
    return f"{say(shown.ink.name)} {shown.words}" if shown.ink else shown.words
