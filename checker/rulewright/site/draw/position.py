"""Shows a whole position as pictures: what all share, then what each player has.

A step of a game shows only what changed by it. What has no picture is said in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.explain.text_views import views_by_name
from rulewright.play.io.notation import write
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import BagValue, Position, entries, ordered, text
from rulewright.site.draw.boards import (
    LARGEST,
    PrintedSquares,
    TileFace,
    draw_board,
    draw_dice,
    draw_rack,
    mostly_covered,
)
from rulewright.site.draw.picture import Picture
from rulewright.site.draw.picture_kinds import (
    DIE,
    PictureKinds,
    SheetPicture,
    grid_of,
    is_dice,
    shapes,
    type_of,
)
from rulewright.site.draw.score_sheet import changed_rows, draw_sheet
from rulewright.site.draw.viewed import Faces, draw_strip, draw_viewed
from rulewright.site.words.event_text import player as called
from rulewright.site.words.event_text import variable_of
from rulewright.site.words.markdown import in_html
from rulewright.syntax.node import replace
from rulewright.translate.wording import Wording

ENGLISH = Wording()
OCCUPIED = TileFace("●")
"""A square that is in a set."""
LARGEST_RACK = 42
LONGEST_WORDS = 160
TIMES = {"double": "2×", "triple": "3×", "quadruple": "4×"}
"""Squares that multiply, as boards print them."""


class PositionPicture:
    """Draws positions of one game for so many players."""

    def __init__(
        self, instance: Instance, signs: dict[str, dict[str, str]], seats: Sequence[str] = (),
        wording: Wording = ENGLISH, on_table: bool = False,
    ) -> None:  # fmt: skip
        """`signs` are the legends of the spec's tables; `on_table` leaves out squares that nobody
        sees: those of a table on which tiles are laid."""
        self.instance = instance
        self._on_table = on_table
        self.seats = seats
        self._signs = signs
        self._wording = wording
        self._say = wording.name
        self._shared = shapes(instance.spec, owned=False)
        self._owned = shapes(instance.spec, owned=True)
        self._types = {each.name: type_of(each) for each in instance.spec.variables}
        self._views = views_by_name(instance.spec)

    def _title(self, name: str) -> str:
        """What a variable is called: as its view says, or by its name."""
        view = self._views.get(name)
        return view.label if view is not None and view.label else self._say(name)

    def faces(self, name: str) -> Faces:
        """What the values of a variable or table look like."""
        return Faces(self._views.get(name), self._wording)

    def show(self, position: Position, before: Position | None = None, near: bool = False) -> str:
        """A position, or only what is different from the one before it."""
        parts = list(self._parts(position, before, near))
        return f'<div class="rw-scene">{"".join(parts)}</div>' if parts else ""

    def show_given(self, position: Position, start: Position) -> str:
        """A position that is set up: only those players who do not have what everybody has at the
        start of every game."""
        parts = list(self._parts(position, None, near=True, unless=start))
        return f'<div class="rw-scene">{"".join(parts)}</div>' if parts else ""

    def said(self, position: Position, other: Position) -> str:
        """In words, what a position has that another has not."""
        found = self.different(position, other)
        return " · ".join(f"{in_html(what)} <b>{in_html(value)}</b>" for what, value in found)

    def different(self, position: Position, other: Position) -> Iterator[tuple[str, str]]:
        """What a position has that another has not: what it is called, and the value."""
        everything: list[tuple[str, int | None]] = [
            (name, None) for name in self._types if not self.instance.variables[name].owned
        ] + [
            (name, player) for name in self._types if self.instance.variables[name].owned
            for player in range(1, self.instance.players + 1)
        ]  # fmt: skip
        for name, player in everything:
            value = _mine(position, name, player)
            if _mine(other, name, player) != value:
                what = self._wording("phase") if name == "phase" else self._title(name)
                if player is not None:
                    what += f" {self._wording('of', whose=self._called(player))}"
                yield from self._apart(what, self._types[name], value, _mine(other, name, player))

    def _apart(self, what: str, type: y.Type, value: Any, other: Any) -> Iterator[tuple[str, str]]:
        """Where a value is another: of a map, the keys."""
        match type:
            case y.Map(key, inner) if not isinstance(key, y.Grid):
                for each in self.instance.order(key):
                    if value[each] != other[each]:
                        where = self._seat(each) if isinstance(key, y.Player) else text(each)
                        called = f"{what} {self._say(where)}"
                        yield from self._apart(called, inner, value[each], other[each])
            case _:
                yield what, self._told(type, value)

    def show_sheet(self, position: Position, player: int = 1, near: bool = False) -> str:
        """What one player has in front of them, without the rest; empty if that is no picture."""
        inside = "".join(each.html() for each in self.sheet_pictures(position, player, near))
        return f'<div class="rw-scene">{inside}</div>' if inside else ""

    def sheet_pictures(
        self, position: Position, player: int = 1, near: bool = False
    ) -> Iterator[Picture]:
        """What one player has in front of them, and the boards that all share."""
        seen = self._called(player)
        who = self._wording("own_sheet", who=seen) if self.seats else self._wording("a_sheet")
        who += self._chosen(position, player)
        for sheet in self._owned.sheets:
            drawn = draw_sheet(sheet, self.instance, position, player, who, None, self._wording)
            yield replace(drawn, caption=_capital(who))
        yield from self._viewed(self._owned, position, None, player)
        for name in self._shared.boards:
            yield self._board(name, position, None, near, _capital(self._title(name)))
        yield from self.strips()

    def strips(self) -> Iterator[Picture]:
        """The tables that are drawn as tracks."""
        for table in self.instance.spec.tables:
            view = self._views.get(table.name)
            if view is not None and view.shape == "track":
                data = self.instance.tables[table.name]
                who = view.label or table.prose or self._say(table.name)
                drawn = draw_strip(view, table.type, data, who, self._wording)
                yield Picture(_capital(who), drawn)

    def _viewed(
        self, of: PictureKinds, now: Position, before: Position | None, player: int | None
    ) -> Iterator[Picture]:
        """What is drawn as only a view can say; what nobody sees is left out."""
        for name in of.viewed:
            value = _mine(now, name, player)
            if before is not None and _mine(before, name, player) == value:
                continue
            if self.instance.variables[name].hidden and player is None:
                continue
            who, view = self._title(name), self._views[name]
            drawn = draw_viewed(
                view, self._types[name], value, self.instance, who, self._called, self._wording
            )
            yield Picture(who, drawn)

    def _chosen(self, position: Position, player: int) -> str:
        """What is chosen for a player when the game begins, such as the kind of sheet."""
        chosen = [
            f"{self._title(name)} {self._value(name, position[name][player])}"
            for name in self._owned.words
            if self.instance.variables[name].initial is None
        ]
        return f" ({', '.join(chosen)})" if chosen else ""

    def seen(self, position: Position, player: int) -> int:
        """How much there is to see of a player's sheets and on the boards that all share."""
        written = [_mine(position, name, player) for sheet in self._owned.sheets
                   for name in (sheet.crosses or sheet.entries or "", *sheet.ends)]  # fmt: skip
        return sum(map(_size, written)) + sum(_size(position[each]) for each in self._shared.boards)

    def show_best(self, position: Position) -> str:
        """The boards, and the sheet of the player who has most on it."""
        players = range(1, self.instance.players + 1)
        best = max(players, key=lambda player: self.seen(position, player))
        return self.show_sheet(position, best, near=True)

    def show_chance(self, event: Event) -> str:
        """The dice of a chance event; empty if it is none of dice."""
        drawn = "".join(each.html() for each in self.chance_pictures(event))
        return f'<div class="rw-scene">{drawn}</div>' if drawn else ""

    def chance_pictures(self, event: Event) -> list[Picture]:
        """The same as a picture, or none."""
        transition = self.instance.transitions[event.name]
        dice: list[tuple[str, int | None]] = []
        for param in transition.params:
            value = event.arguments[param.name]
            if is_dice(param.type):
                dice += self._dice(variable_of(transition, param.name), param.type, value)
            elif param.type == DIE:
                dice.append((self._say(param.name), value))
        return [Picture("", draw_dice(dice, self._say(event.name), self._wording))] if dice else []

    def dice_pictures(self, position: Position) -> list[Picture]:
        """All dice of the game."""
        dice = [
            die
            for name in self._shared.dice
            for die in self._dice(name, self._types[name], position[name])
        ]
        shown = [(name, pips or 1) for name, pips in dice]
        return [Picture("", draw_dice(shown, self._wording("dice"), self._wording))] if dice else []

    def board_pictures(self, position: Position, caption: str) -> list[Picture]:
        """The boards with something on them."""
        shown = [name for name in self._shared.boards if _size(position[name])]
        return [self._board(name, position, None, True, caption) for name in shown]

    def pictures(self, position: Position, before: Position | None = None) -> list[Picture]:
        """A position without words, or only what is different from the one before it."""
        found = []
        for name in self._shared.boards:
            if _size(position[name]) and (before is None or before[name] != position[name]):
                found.append(self._board(name, position, before, True, self._say(name)))
        for sheet in self._shared.sheets:
            found += list(self._sheet(sheet, position, before, None))
        for player in range(1, self.instance.players + 1):
            who = self._called(player)
            for sheet in self._owned.sheets:
                if before is None and not self.seen(position, player):
                    continue
                for drawn in self._sheet(sheet, position, before, player):
                    found.append(replace(drawn, caption=_capital(who)))
        return [each for each in found if not each.only_boxes] or found

    def show_tried(self, event: Event, position: Position) -> str:
        """The boards that a refused event would have made; empty if it is about none."""
        drawn = [each.html() for each in self.tried_pictures(event, position, "✗ refused")]
        return f'<div class="rw-scene">{"".join(drawn)}</div>' if drawn else ""

    def lays(self, event: Event) -> bool:
        """Whether an event is about a whole board."""
        types = [self._types[name] for name in self._shared.boards]
        return any(each.type in types for each in self.instance.transitions[event.name].params)

    def tried_pictures(self, event: Event, position: Position, caption: str) -> list[Picture]:
        """The same as pictures."""
        drawn = []
        for param in self.instance.transitions[event.name].params:
            for name in self._shared.boards:
                if param.type == self._types[name]:
                    then = {**position, name: event.arguments[param.name]}
                    drawn.append(self._board(name, then, position, True, caption))
        return drawn

    def _parts(
        self, now: Position, before: Position | None, near: bool, unless: Position | None = None
    ) -> Iterator[str]:
        shared = self._shared
        words = self._words(shared, now, before, None)
        if words:
            yield f'<p class="rw-words">{words}</p>'
        for name in shared.boards:
            if before is None or before[name] != now[name]:
                yield self._board(name, now, before, near, self._title(name)).html()
        for name in shared.dice:
            if before is None and (unless is None or unless[name] != now[name]):
                dice = self._dice(name, self._types[name], now[name])
                yield _part(self._title(name), draw_dice(dice, self._title(name), self._wording))
        yield from self._racks(shared, now, before, None)
        yield from (each.html() for each in self._viewed(shared, now, before, None))
        for sheet in shared.sheets:
            yield from (each.html() for each in self._sheet(sheet, now, before, None))
        for player in range(1, self.instance.players + 1):
            if unless is None or self._differs(player, now, unless):
                yield from self._player(player, now, before)

    def _differs(self, player: int, now: Position, start: Position) -> bool:
        owned = [each for each in self.instance.spec.variables if each.owned]
        return any(
            each.initial is None or now[each.name][player] != start[each.name][player]
            for each in owned
        )

    def _player(self, player: int, now: Position, before: Position | None) -> Iterator[str]:
        owned = self._owned
        inside = []
        for sheet in owned.sheets:
            inside += [each.html() for each in self._sheet(sheet, now, before, player)]
        inside += [each.html() for each in self._viewed(owned, now, before, player)]
        inside += list(self._racks(owned, now, before, player))
        words = self._words(owned, now, before, player)
        if words:
            inside.append(f'<p class="rw-words">{words}</p>')
        if inside:
            who = in_html(_capital(self._called(player)))
            yield f'<div class="rw-player"><p class="rw-name">{who}</p>{"".join(inside)}</div>'

    def _sheet(
        self, sheet: SheetPicture, now: Position, before: Position | None, player: int | None
    ) -> Iterator[Picture]:
        rows = None
        if before is not None:
            rows = changed_rows(sheet, self.instance, before, now, player)
            if rows is None:
                return
        wording = self._wording
        whose = "" if player is None else self._called(player)
        who = wording("sheet_of", who=whose) if whose else wording("sheet")
        yield draw_sheet(sheet, self.instance, now, player, who, rows, self._wording)

    def _racks(
        self, of: PictureKinds, now: Position, before: Position | None, player: int | None
    ) -> Iterator[str]:
        for name in of.racks:
            bag = _mine(now, name, player)
            if before is not None and _mine(before, name, player) == bag:
                continue
            type = self._types[name]
            assert isinstance(type, y.Bag) and isinstance(bag, BagValue)
            if not len(bag):
                if before is not None:
                    yield _part(self._title(name), f"<p>{in_html(self._wording('empty'))}</p>")
                continue
            if len(bag) > LARGEST_RACK or (self.instance.variables[name].hidden and not player):
                number = self._wording("tiles", number=len(bag))
                yield f'<p class="rw-words">{in_html(self._title(name))}: {number}</p>'
                continue
            tiles = _repeated(bag, type, self.instance)
            faces = [self.faces(name).of(each, type.element) for each in tiles]
            who = self._title(name)
            yield _part(who, draw_rack(faces, who, self._wording))

    def _board(
        self, name: str, now: Position, before: Position | None, near: bool, caption: str
    ) -> Picture:
        type = self._types[name]
        grid = grid_of(type)
        assert isinstance(grid, y.Grid)
        here = _lying(now[name])
        look = self.faces(name)
        faces: dict[str, TileFace] = {
            square: look.of(each, type.value) if isinstance(type, y.Map) else OCCUPIED
            for square, each in here.items()
        }
        there = _lying(before[name]) if before is not None else here
        fresh = [square for square, each in here.items() if there.get(square) != each]
        printed = self.printed(grid)
        near = near and not mostly_covered(grid, here)
        fixed = self._printed_numbers(name, here) if printed is not None else ()
        alone = self._on_table and printed is None and grid.width * grid.height > LARGEST
        drawn = draw_board(
            grid, faces, printed, self._title(name), fresh, near, fixed, self._wording, alone
        )
        key = printed.key(self._say) if printed is not None and not near else ""
        return Picture(caption, drawn, key)

    def _printed_numbers(self, name: str, here: Mapping[str, Any]) -> list[str]:
        """The squares that bear from the beginning of every game what they bear now."""
        initial = self.instance.variables[name].initial
        if initial is None:
            return []
        start = _lying(evaluate(initial, Environment(self.instance, {})))
        return [square for square, each in here.items() if start.get(square) == each]

    def printed(self, grid: y.Grid) -> PrintedSquares | None:
        """What a table says is printed on the squares of a grid."""
        for table in self.instance.spec.tables:
            view = self._views.get(table.name)
            match table.type:
                case y.Map(key, inside) if key == grid and view is not None:
                    if view.shape == "board":
                        return self._viewed_squares(view, inside, table.name)
                case y.Map(key, y.Enum(members=members)) if key == grid:
                    legend = self._signs.get(table.name, {})
                    signs = {
                        each: TIMES.get(each) or legend.get(each, each[:1]) for each in members
                    }
                    return PrintedSquares(self.instance.tables[table.name], signs)
                case _:
                    pass
        return None

    def _viewed_squares(self, view: c.View, inside: y.Type, name: str) -> PrintedSquares:
        """What is printed on squares as a view says; what has no face there is plain."""
        look = self.faces(name)
        kinds = {square: text(each) for square, each in entries(self.instance.tables[name]).items()}
        faced = {text(each.value): look.of(each.value, inside) for each in view.faces}
        signs = dict.fromkeys(kinds.values(), ".") | {each: faced[each].words for each in faced}
        inks = {each: shown.ink for each, shown in faced.items() if shown.ink is not None}
        return PrintedSquares(kinds, signs, inks)

    def _dice(self, name: str, type: y.Type, value: Any) -> list[tuple[str, int | None]]:
        if not isinstance(type, y.Map):
            return [(self._title(name), value)]
        named = isinstance(type.key, y.Enum)
        return [
            (text(key) if named else f"{self._title(name)} {key}", each)
            for key, each in value.items()
        ]

    def _words(
        self, of: PictureKinds, now: Position, before: Position | None, player: int | None
    ) -> str:
        """The rest, in words: all that is not empty, or all that changed."""
        said = []
        for name in of.words:
            value = _mine(now, name, player)
            if before is None and _is_nothing(value):
                continue
            if before is not None and _mine(before, name, player) == value:
                continue
            what = self._wording("phase") if name == "phase" else self._title(name)
            said.append(f"{in_html(what)} <b>{in_html(self._value(name, value))}</b>")
        return " · ".join(said)

    def _called(self, player: int) -> str:
        return called(player, self.seats, self._wording)

    def _seat(self, player: int) -> str:
        """A player by name, or by number where it is plain that one is meant."""
        return self._called(player) if self.seats else str(player)

    def _value(self, name: str, value: Any) -> str:
        return self._told(self._types[name], value)

    def _told(self, type: y.Type, value: Any) -> str:
        """A value in words."""
        inner = type.inner if isinstance(type, y.Option) else type
        if isinstance(inner, y.Player) and value is not None:
            return self._seat(value)
        if isinstance(inner, y.Set) and isinstance(inner.element, y.Player):
            return ", ".join(self._seat(each) for each in sorted(value)) or self._wording("nobody")
        if isinstance(inner, y.Set):
            members = ordered(value, inner.element, self.instance)
            return ", ".join(self._say(text(each)) for each in members) or self._wording("none")
        if isinstance(inner, y.Enum) and value is not None:
            return self._say(text(value))
        if isinstance(value, bool):
            return self._wording("true" if value else "false")
        words = write(value, type, self.instance)
        return words if len(words) <= LONGEST_WORDS else f"{words[:LONGEST_WORDS]} …"


def _mine(position: Position, name: str, player: int | None) -> Any:
    return position[name] if player is None else position[name][player]


def _lying(value: Any) -> Mapping[str, Any]:
    """What lies on which squares."""
    if isinstance(value, frozenset):
        return dict.fromkeys(sorted(value), True)
    return {square: each for square, each in entries(value).items() if each is not False}


def _is_nothing(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(_is_nothing(each) for each in entries(value).values())
    return value is None or value is False or value == 0 or value == frozenset()


def _size(value: Any) -> int:
    """How many things there are in a value: members of sets, squares and fields that are filled."""
    if isinstance(value, Mapping):
        return sum(_size(each) for each in entries(value).values())
    if isinstance(value, frozenset):
        return len(value)
    return 0 if value is None or value is False else 1


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _part(name: str, drawn: str) -> str:
    label = f'<p class="rw-name">{in_html(name)}</p>' if name else ""
    return f'<div class="rw-part">{label}{drawn}</div>'


def _repeated(bag: BagValue, type: y.Bag, instance: Instance) -> list[Any]:
    return [each for each in ordered(bag, type.element, instance) for _ in range(bag[each])]
