"""Shows a whole position as pictures: what all share, then what each player has.

A step of a game shows only what changed by it. What has no picture is said in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from checker.meaning import types as y
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.notation import write
from checker.play.values import Bag, Position, entries, ordered, text
from checker.site.markdown import in_html, spoken
from checker.site.shapes import DIE, Shapes, Sheet, is_dice, shapes, type_of
from checker.site.sheet import changed_rows, draw_sheet
from checker.site.tiles import Face, Printed, draw_board, draw_dice, draw_rack, face, mostly_covered
from checker.site.wording import player as called
from checker.site.wording import variable_of

LARGEST_RACK = 42
LONGEST_WORDS = 160


class Scene:
    """Draws positions of one game for so many players."""

    def __init__(
        self, instance: Instance, signs: dict[str, dict[str, str]], seats: Sequence[str] = ()
    ) -> None:
        """`signs` are the legends of the spec's tables."""
        self.instance = instance
        self.seats = seats
        self._signs = signs
        self._shared = shapes(instance.spec, owned=False)
        self._owned = shapes(instance.spec, owned=True)
        self._types = {each.name: type_of(each) for each in instance.spec.variables}

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
        everything: list[tuple[str, int | None]] = [
            (name, None) for name in self._types if not self.instance.variables[name].owned
        ] + [
            (name, player) for name in self._types if self.instance.variables[name].owned
            for player in range(1, self.instance.players + 1)
        ]  # fmt: skip
        parts = []
        for name, player in everything:
            value = _mine(position, name, player)
            if _mine(other, name, player) != value:
                whose = "" if player is None else f" of player {player}"
                parts.append(
                    f"{in_html(spoken(name))}{whose} <b>{in_html(self._value(name, value))}</b>"
                )
        return " · ".join(parts)

    def show_sheet(self, position: Position, player: int = 1, near: bool = False) -> str:
        """What one player has in front of them, without the rest; empty if that is no picture."""
        who = f"{called(player, self.seats)}'s sheet" if self.seats else "a player's sheet"
        who += self._chosen(position, player)
        drawn = [
            (who, draw_sheet(sheet, self.instance, position, player, who))
            for sheet in self._owned.sheets
        ]
        drawn += [
            (spoken(name), self._board(name, position, None, near)) for name in self._shared.boards
        ]
        inside = "".join(_part(_capital(name), each) for name, each in drawn if each)
        return f'<div class="rw-scene">{inside}</div>' if inside else ""

    def _chosen(self, position: Position, player: int) -> str:
        """What is chosen for a player when the game begins, such as the kind of sheet."""
        chosen = [
            f"{spoken(name)} {self._value(name, position[name][player])}"
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
        transition = self.instance.transitions[event.name]
        dice: list[tuple[str, int | None]] = []
        for param in transition.params:
            value = event.arguments[param.name]
            if is_dice(param.type):
                dice += self._dice(variable_of(transition, param.name), param.type, value)
            elif param.type == DIE:
                dice.append((spoken(param.name), value))
        if not dice:
            return ""
        drawn = draw_dice(dice, spoken(event.name))
        return f'<div class="rw-scene">{_part("", drawn)}</div>'

    def show_tried(self, event: Event, position: Position) -> str:
        """The boards that a refused event would have made; empty if it is about none."""
        drawn = []
        for param in self.instance.transitions[event.name].params:
            for name in self._shared.boards:
                if param.type == self._types[name]:
                    then = {**position, name: event.arguments[param.name]}
                    board = self._board(name, then, position, near=True)
                    drawn.append(_part("✗ refused", board))
        return f'<div class="rw-scene">{"".join(drawn)}</div>' if drawn else ""

    def _parts(
        self, now: Position, before: Position | None, near: bool, unless: Position | None = None
    ) -> Iterator[str]:
        shared = self._shared
        words = self._words(shared, now, before, None)
        if words:
            yield f'<p class="rw-words">{words}</p>'
        for name in shared.boards:
            if before is None or before[name] != now[name]:
                yield _part(spoken(name), self._board(name, now, before, near))
        for name in shared.dice:
            if before is None and (unless is None or unless[name] != now[name]):
                dice = self._dice(name, self._types[name], now[name])
                yield _part(spoken(name), draw_dice(dice, spoken(name)))
        yield from self._racks(shared, now, before, None)
        for sheet in shared.sheets:
            yield from self._sheet(sheet, now, before, None)
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
            inside += list(self._sheet(sheet, now, before, player))
        inside += list(self._racks(owned, now, before, player))
        words = self._words(owned, now, before, player)
        if words:
            inside.append(f'<p class="rw-words">{words}</p>')
        if inside:
            who = in_html(_capital(called(player, self.seats)))
            yield f'<div class="rw-player"><p class="rw-name">{who}</p>{"".join(inside)}</div>'

    def _sheet(
        self, sheet: Sheet, now: Position, before: Position | None, player: int | None
    ) -> Iterator[str]:
        rows = None
        if before is not None:
            rows = changed_rows(sheet, self.instance, before, now, player)
            if rows is None:
                return
        who = "sheet" if player is None else f"the sheet of {called(player, self.seats)}"
        yield _part("", draw_sheet(sheet, self.instance, now, player, who, rows))

    def _racks(
        self, of: Shapes, now: Position, before: Position | None, player: int | None
    ) -> Iterator[str]:
        for name in of.racks:
            bag = _mine(now, name, player)
            if before is not None and _mine(before, name, player) == bag:
                continue
            type = self._types[name]
            assert isinstance(type, y.Bag) and isinstance(bag, Bag)
            if not len(bag):
                if before is not None:
                    yield _part(spoken(name), "<p>empty</p>")
                continue
            if len(bag) > LARGEST_RACK or (self.instance.variables[name].hidden and not player):
                number = f"{len(bag)} tiles" if len(bag) != 1 else "1 tile"
                yield f'<p class="rw-words">{in_html(spoken(name))}: {number}</p>'
                continue
            faces = [face(each, type.element) for each in _repeated(bag, type, self.instance)]
            yield _part(spoken(name), draw_rack(faces, spoken(name)))

    def _board(self, name: str, now: Position, before: Position | None, near: bool) -> str:
        type = self._types[name]
        assert isinstance(type, y.Map) and isinstance(type.key, y.Grid)
        here = {square: each for square, each in entries(now[name]).items() if each is not False}
        faces: dict[str, Face] = {square: face(each, type.value) for square, each in here.items()}
        there = entries(before[name]) if before is not None else here
        fresh = [square for square, each in here.items() if there.get(square) != each]
        printed = self.printed(type.key)
        near = near and not mostly_covered(type.key, here)
        drawn = draw_board(type.key, faces, printed, spoken(name), fresh, near)
        key = printed.key if printed is not None and not near else ""
        return drawn + (f'<p class="rw-key">{in_html(key)}</p>' if key else "")

    def printed(self, grid: y.Grid) -> Printed | None:
        """What a table says is printed on the squares of a grid."""
        for table in self.instance.spec.tables:
            match table.type:
                case y.Map(key, y.Enum(members=members)) if key == grid:
                    legend = self._signs.get(table.name, {})
                    signs = {each: legend.get(each, each[:1]) for each in members}
                    return Printed(self.instance.tables[table.name], signs)
                case _:
                    pass
        return None

    def _dice(self, name: str, type: y.Type, value: Any) -> list[tuple[str, int | None]]:
        if not isinstance(type, y.Map):
            return [(spoken(name), value)]
        named = isinstance(type.key, y.Enum)
        return [
            (text(key) if named else f"{spoken(name)} {key}", each) for key, each in value.items()
        ]

    def _words(self, of: Shapes, now: Position, before: Position | None, player: int | None) -> str:
        """The rest, in words: all that is not empty, or all that changed."""
        said = []
        for name in of.words:
            value = _mine(now, name, player)
            if before is None and _is_nothing(value):
                continue
            if before is not None and _mine(before, name, player) == value:
                continue
            said.append(f"{in_html(spoken(name))} <b>{in_html(self._value(name, value))}</b>")
        return " · ".join(said)

    def _seat(self, player: int) -> str:
        """A player by name, or by number where it is plain that one is meant."""
        return called(player, self.seats) if self.seats else str(player)

    def _value(self, name: str, value: Any) -> str:
        type = self._types[name]
        inner = type.inner if isinstance(type, y.Option) else type
        if isinstance(inner, y.Player) and value is not None:
            return self._seat(value)
        if isinstance(inner, y.Set) and isinstance(inner.element, y.Player):
            return ", ".join(self._seat(each) for each in sorted(value)) or "nobody"
        if isinstance(inner, y.Set):
            members = ordered(value, inner.element, self.instance)
            return ", ".join(spoken(text(each)) for each in members) or "none"
        if isinstance(inner, y.Enum) and value is not None:
            return spoken(text(value))
        words = write(value, type, self.instance)
        return words if len(words) <= LONGEST_WORDS else f"{words[:LONGEST_WORDS]} …"


def _mine(position: Position, name: str, player: int | None) -> Any:
    return position[name] if player is None else position[name][player]


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


def _repeated(bag: Bag, type: y.Bag, instance: Instance) -> list[Any]:
    return [each for each in ordered(bag, type.element, instance) for _ in range(bag[each])]
