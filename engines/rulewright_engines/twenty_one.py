"""twenty one: everybody writes the same dice into rows of their own, hoping to hit the numbers.

The places of a row count from 1 at the left to 6; a crossed-out field holds 0. The six sheets
differ in the order of their colours, which are data of our own: the rulebook shows but one row.
`python -m rulewright_engines.twenty_one` speaks the protocol, `--play` plays a game.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Any

from rulewright_engines.engine import Engine, Event, IllegalError, State, chance, move
from rulewright_engines.pairs import Pairs, as_pairs, of, put
from rulewright_engines.play import main
from rulewright_engines.shapes import Reader, distinct, mapping, maybe, name, number, pairs, subset

COLOURS = ("white", "black", "red", "blue", "yellow", "green")
ROWS = range(1, 6)
PLACES = range(1, 7)
NUMBERS = {1: 6, 2: 5, 3: 4, 4: 3, 5: 2, 6: 1}
"""The number in each place; it is the same in every row of every sheet."""
BONUS = (0, 1, 3, 6, 10, 15, 21)
MOST_POINTS = 57
"""Six sixes, all of them hits: no row can be worth as much."""
CROSSED_OUT = 0

COLOUR = name(*COLOURS)
PIPS = number(1, 6)

SHEETS = {
    "A": """green  blue   white  red    black  yellow
            white  red    black  blue   yellow green
            white  yellow blue   red    green  black
            blue   green  red    black  yellow white
            green  black  blue   yellow white  red""",
    "B": """red    black  yellow white  blue   green
            yellow green  white  black  red    blue
            black  blue   red    yellow white  green
            red    yellow green  blue   white  black
            white  red    black  green  yellow blue""",
    "C": """blue   white  green  black  yellow red
            black  yellow blue   green  white  red
            green  red    white  blue   black  yellow
            black  white  yellow red    green  blue
            black  green  red    white  blue   yellow""",
    "D": """white  yellow black  green  red    blue
            red    black  green  yellow blue   white
            blue   white  green  black  yellow red
            green  black  blue   white  red    yellow
            yellow blue   white  black  red    green""",
    "E": """black  red    blue   yellow green  white
            blue   white  yellow red    green  black
            yellow green  black  white  red    blue
            yellow blue   white  green  black  red
            red    yellow green  blue   black  white""",
    "F": """yellow green  red    blue   white  black
            green  blue   red    white  black  yellow
            red    black  yellow green  blue   white
            white  red    black  yellow blue   green
            blue   white  yellow red    green  black""",
}
PLACE_OF = {
    sheet: {
        row: {colour: place for place, colour in enumerate(line.split(), start=1)}
        for row, line in enumerate(text.splitlines(), start=1)
    }
    for sheet, text in SHEETS.items()
}
"""Where each colour stands, by sheet and row."""


@dataclass(slots=True)
class Line:
    """One row of a player's sheet."""

    entry: Pairs = field(default_factory=lambda: [[place, None] for place in PLACES])
    hits: list[int] = field(default_factory=list)
    points: int | None = None
    answers: int = 0

    def is_full(self) -> bool:
        return self.leftmost_free() is None

    def note_points(self) -> None:
        """Notes what the row is worth as it stands."""
        self.points = sum(entry or 0 for _, entry in self.entry) + BONUS[len(self.hits)]

    def leftmost_free(self) -> int | None:
        for place, entry in self.entry:
            if entry is None:
                return int(place)
        return None


@dataclass(slots=True)
class Sheet:
    """What a player has written."""

    player: int
    kind: str
    current: int
    lines: dict[int, Line]
    _told: list[tuple[Any, ...]] = field(default_factory=list)
    _columns: list[list[Any]] = field(default_factory=list)

    def columns(self) -> list[list[Any]]:
        """Entries, hits, points and answers, each the player and a pair for each row; they are
        written anew only if one of them is another."""
        lines = [(each.entry, each.hits, each.points, each.answers) for each in self.lines.values()]
        if lines != self._told:
            self._told = lines
            self._columns = [
                [self.player, [[row, each] for row, each in zip(ROWS, column)]]
                for column in zip(*lines)
            ]
        return self._columns

    def line(self) -> Line:
        """The row the player is on."""
        return self.lines[self.current]

    def place(self, colour: str) -> int:
        """Where a colour stands in the row the player is on."""
        return PLACE_OF[self.kind][self.current][colour]


class TwentyOne(Engine):
    """A game of twenty one."""

    NAME = "twenty_one"
    PLAYERS = range(2, 7)
    READINGS = {
        "six_ones": ("stands", "empty_throw"),
        "last_turn": ("all_answer", "at_once"),
        "ties": ("shared", "undecided"),
    }
    OPEN = ("active", "sheet")

    # ---- the position

    @classmethod
    def shape(cls, players: int) -> dict[str, Reader[Any]]:
        seats = range(1, players + 1)
        seat = number(1, players)
        return {
            "phase": name("throwing", "deciding", "rethrowing", "answering", "over"),
            "answered": subset(seat),
            "active": seat,
            "shown": mapping(COLOURS, maybe(PIPS)),
            "sheet": distinct(pairs(seats, name(*SHEETS))),
            "current": pairs(seats, number(1, 5)),
            "entry": pairs(seats, pairs(ROWS, pairs(PLACES, maybe(number(0, 6))))),
            "hits": pairs(seats, pairs(ROWS, subset(number(1, 6)))),
            "points": pairs(seats, pairs(ROWS, maybe(number(0, MOST_POINTS)))),
            "answers": pairs(seats, pairs(ROWS, number(0, 30))),
        }

    def set_up(self, start: Mapping[str, Any]) -> None:
        self.phase = "throwing"
        self.answered: list[int] = []
        self.active: int = start.get("active", 1)
        self.shown: dict[str, int | None] = dict.fromkeys(COLOURS)
        kinds: Mapping[int, str] = start.get("sheet") or dict(zip(self.seats, SHEETS))
        self.sheets = {
            player: Sheet(player, kinds[player], 1, {row: Line() for row in ROWS})
            for player in self.seats
        }

    def restore(self, values: Mapping[str, Any]) -> None:
        self.phase = values["phase"]
        self.answered = sorted(values["answered"])
        self.active = values["active"]
        self.shown = values["shown"]
        self.sheets = {
            player: Sheet(
                player,
                values["sheet"][player],
                values["current"][player],
                {
                    row: Line(
                        as_pairs(values["entry"][player][row]),
                        sorted(values["hits"][player][row]),
                        values["points"][player][row],
                        values["answers"][player][row],
                    )
                    for row in ROWS
                },
            )
            for player in self.seats
        }

    def state(self) -> State:
        sheets = self.sheets.values()
        entry, hits, points, answers = zip(*[sheet.columns() for sheet in sheets])
        return {
            "phase": self.phase,
            "answered": self.answered,
            "active": self.active,
            "shown": self.shown,
            "sheet": [[each.player, each.kind] for each in sheets],
            "current": [[each.player, each.current] for each in sheets],
            "entry": [*entry],
            "hits": [*hits],
            "points": [*points],
            "answers": [*answers],
        }

    def score(self) -> dict[int, int]:
        return {
            player: sum(line.points or 0 for line in sheet.lines.values())
            for player, sheet in self.sheets.items()
        }

    # ---- the dice

    @chance("throwing", dice=mapping(COLOURS, PIPS))
    def throw(self, dice: dict[str, int]) -> None:
        """The active player throws all six dice."""
        self.shown = {**dice}
        self.phase = "deciding"

    @chance("rethrowing", dice=mapping(COLOURS, PIPS))
    def rethrow(self, dice: dict[str, int]) -> None:
        """The active player throws all dice again but the ones, which stay as they lie."""
        for colour, pips in self.shown.items():
            if pips == 1 and dice[colour] != 1:
                raise IllegalError(f"the {colour} one is not thrown again")
        self.shown = {**dice}
        self.phase = "answering"

    def roll(self, rng: Random) -> Event | None:
        if self.phase not in ("throwing", "rethrowing"):
            return None
        again = self.phase == "rethrowing"
        dice = {
            colour: 1 if again and pips == 1 else rng.randint(1, 6)
            for colour, pips in self.shown.items()
        }
        return {"chance": "rethrow" if again else "throw", "args": {"dice": dice}}

    # ---- the moves

    def may_act(self, player: int) -> bool:
        if self.phase == "answering":
            return player in self.seats and player not in self.answered
        return self.phase == "deciding" and player == self.active

    @move("deciding")
    def stop(self, by: int) -> None:
        """The active player keeps the first throw."""
        self.phase = "answering"

    @move("deciding")
    def throw_again(self, by: int) -> None:
        """The active player throws a second time."""
        if not self._may_throw_again():
            raise IllegalError("six ones leave nothing to throw again")
        self.phase = "rethrowing"

    @move("answering", dice=subset(COLOUR))
    def write(self, by: int, dice: list[str]) -> None:
        """A player writes one die or more, each in the field of its colour."""
        sheet = self.sheets[by]
        line = sheet.line()
        if not dice:
            raise IllegalError("write one die at least, or cross out a field")
        for colour in dice:
            obstacle = self._obstacle(sheet, colour)
            if obstacle is not None:
                raise IllegalError(obstacle)
        for colour in dice:
            place, pips = sheet.place(colour), self.shown[colour]
            line.entry = put(line.entry, place, pips)
            if pips == NUMBERS[place]:
                line.hits = sorted([*line.hits, place])
        self._answer(by, line)

    @move("answering", at=number(1, 6))
    def cross_out(self, by: int, at: int) -> None:
        """A player crosses out the leftmost free field instead."""
        line = self.sheets[by].line()
        if at != line.leftmost_free():
            raise IllegalError("only the leftmost free field can be crossed out")
        line.entry = put(line.entry, at, CROSSED_OUT)
        self._answer(by, line)

    def legal(self) -> list[Event]:
        if self.phase == "deciding":
            names = ("stop", "throw_again") if self._may_throw_again() else ("stop",)
            return [{"move": name, "by": self.active, "args": {}} for name in names]
        return [event for player in self.movers() for event in self._answers(player)]

    def _answers(self, player: int) -> list[Event]:
        usable = self.usable(player)
        found: list[Event] = [
            {"move": "write", "by": player, "args": {"dice": [*dice]}}
            for count in range(1, len(usable) + 1)
            for dice in combinations(usable, count)
        ]
        leftmost = self.sheets[player].line().leftmost_free()
        if leftmost is not None:
            found.append({"move": "cross_out", "by": player, "args": {"at": leftmost}})
        return found

    def usable(self, player: int) -> list[str]:
        """The colours of the dice that a player can write."""
        sheet = self.sheets[player]
        return [colour for colour in COLOURS if self._obstacle(sheet, colour) is None]

    # ---- what follows from the moves

    def _may_throw_again(self) -> bool:
        six_ones = all(pips == 1 for pips in self.shown.values())
        return not six_ones or self.readings["six_ones"] == "empty_throw"

    def _obstacle(self, sheet: Sheet, colour: str) -> str | None:
        """What keeps a die from being written in the row the player is on."""
        place = sheet.place(colour)
        if of(sheet.line().entry, place) is not None:
            return f"the {colour} field is not free"
        if (self.shown[colour] or 0) > NUMBERS[place]:
            return f"the {colour} die is higher than the number of its field"
        return None

    def _answer(self, player: int, line: Line) -> None:
        """Notes that a player has filled fields; with the last of them the turn is over, and with a
        fifth row, where that ends the game at once."""
        line.answers += 1
        if line.is_full():
            line.note_points()
        self.answered = sorted([*self.answered, player])
        finished = line.is_full() and line is self.sheets[player].lines[ROWS[-1]]
        at_once = finished and self.readings["last_turn"] == "at_once"
        if at_once or len(self.answered) == len(self.seats):
            self._end_turn()

    def _end_turn(self) -> None:
        self.answered = []
        if any(sheet.lines[ROWS[-1]].is_full() for sheet in self.sheets.values()):
            for sheet in self.sheets.values():
                sheet.line().note_points()
            self.phase = "over"
            return
        for sheet in self.sheets.values():
            if sheet.line().is_full():
                sheet.current += 1
        self.active = self.active % len(self.seats) + 1
        self.shown = dict.fromkeys(COLOURS)
        self.phase = "throwing"


def sensible(game: TwentyOne, player: int, rng: Random) -> Event:
    """Throws again if few dice can be written; writes hits and what is close to one, and the
    best of the rest rather than crossing out."""
    sheet = game.sheets[player]
    shown = game.shown

    def lost(colour: str) -> int:
        return NUMBERS[sheet.place(colour)] - (shown[colour] or 0)

    usable = game.usable(player)
    good = [colour for colour in usable if lost(colour) <= 1]
    if game.phase == "deciding":
        again = not good and game.legal()[-1]["move"] == "throw_again"
        return {"move": "throw_again" if again else "stop", "by": player, "args": {}}
    if not usable:
        args = {"at": sheet.line().leftmost_free()}
        return {"move": "cross_out", "by": player, "args": args}
    return {"move": "write", "by": player, "args": {"dice": good or [min(usable, key=lost)]}}


if __name__ == "__main__":
    sys.exit(main(TwentyOne, sensible))
