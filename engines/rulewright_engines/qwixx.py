"""Qwixx: dice are added up, and numbers crossed from left to right in four coloured rows.

The spaces of a row count from 1 at the left to 11, the number before the lock. A row is named by
the colour of its lock. `python -m rulewright_engines.qwixx` speaks the protocol, `--play` plays a
game."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from rulewright_engines.engine import Engine, Event, IllegalError, State, chance, move
from rulewright_engines.pairs import Pairs, as_pairs, of, put
from rulewright_engines.play import main
from rulewright_engines.shapes import Reader, mapping, maybe, name, number, pairs, subset, truth

COLOURS = ("red", "yellow", "green", "blue")
LAST = 11
CROSSES_BEFORE_LAST = 5
MISTHROW_COST = 5
MOST_MISTHROWS = 4
ROWS_TO_END = 2

COLOUR = name(*COLOURS)
SPACE = number(1, LAST)
PIPS = number(1, 6)
WHITE_DIE = number(1, 2)


@dataclass(frozen=True)
class Layout:
    """A printed sheet: the number and the colour of each space, row by row."""

    numbers: Mapping[str, Sequence[int]]
    colours: Mapping[str, Sequence[str]]
    places: Mapping[int, Sequence[tuple[str, int, str]]] = field(init=False)
    """Where each number stands, once in each row: the row, the space and its colour."""

    def __post_init__(self) -> None:
        places: dict[int, list[tuple[str, int, str]]] = {}
        for row, numbers in self.numbers.items():
            for at, (total, colour) in enumerate(zip(numbers, self.colours[row]), start=1):
                places.setdefault(total, []).append((row, at, colour))
        object.__setattr__(self, "places", places)


def _rows(*rows: str) -> dict[str, list[str]]:
    return {colour: row.split() for colour, row in zip(COLOURS, rows)}


def _numbers(*rows: str) -> dict[str, list[int]]:
    return {colour: [int(each) for each in row] for colour, row in _rows(*rows).items()}


RISING, FALLING = "2 3 4 5 6 7 8 9 10 11 12", "12 11 10 9 8 7 6 5 4 3 2"
IN_ORDER = _numbers(RISING, RISING, FALLING, FALLING)
ONE_COLOUR = {colour: [colour] * LAST for colour in COLOURS}

STANDARD = Layout(IN_ORDER, ONE_COLOUR)
LAYOUTS = {
    "mixed_numbers": Layout(
        _numbers(
            "10 6 2 8 3 4 12 5 9 7 11",
            "9 12 4 6 7 2 5 8 11 3 10",
            "8 2 10 12 6 9 7 4 5 11 3",
            "5 7 11 9 12 3 8 10 2 6 4",
        ),
        ONE_COLOUR,
    ),
    "mixed_colours": Layout(
        IN_ORDER,
        _rows(
            "yellow yellow yellow blue blue blue green green green red red",
            "red red green green green green blue blue yellow yellow yellow",
            "blue blue blue yellow yellow yellow red red red green green",
            "green green red red red red yellow yellow blue blue blue",
        ),
    ),
}


class Qwixx(Engine):
    """A game of Qwixx."""

    NAME = "qwixx"
    PLAYERS = range(2, 6)
    READINGS = {"window_end": ("at_once", "finish_turn"), "ties": ("shared", "undecided")}
    VARIANTS = tuple(LAYOUTS)

    # ---- the position

    @classmethod
    def shape(cls, players: int) -> dict[str, Reader[Any]]:
        seats = range(1, players + 1)
        seat = number(1, players)
        return {
            "phase": name("throw", "first_action", "second_action", "over"),
            "answered": subset(seat),
            "active": seat,
            "white": pairs((1, 2), PIPS),
            "coloured": mapping(COLOURS, maybe(PIPS)),
            "closed": subset(COLOUR),
            "active_crossed": truth,
            "crossed": pairs(seats, mapping(COLOURS, subset(SPACE))),
            "locked": pairs(seats, subset(COLOUR)),
            "misthrows": pairs(seats, number(0, MOST_MISTHROWS)),
        }

    def set_up(self, start: Mapping[str, Any]) -> None:
        self.layout = LAYOUTS[self.variant] if self.variant else STANDARD
        self.phase = "throw"
        self.answered: list[int] = []
        self.active: int = start.get("active", 1)
        self.white: Pairs = [[1, 1], [2, 1]]
        self.coloured: dict[str, int | None] = dict.fromkeys(COLOURS, 1)
        self.closed: list[str] = []
        self.active_crossed = False
        self.crossed: Pairs = [
            [player, {colour: [] for colour in COLOURS}] for player in self.seats
        ]
        self.locked: Pairs = [[player, []] for player in self.seats]
        self.misthrows: Pairs = [[player, 0] for player in self.seats]

    def restore(self, values: Mapping[str, Any]) -> None:
        self.phase = values["phase"]
        self.answered = sorted(values["answered"])
        self.active = values["active"]
        self.white = as_pairs(values["white"])
        self.coloured = values["coloured"]
        self.closed = _in_order(values["closed"])
        self.active_crossed = values["active_crossed"]
        self.crossed = [
            [player, {row: sorted(spaces) for row, spaces in rows.items()}]
            for player, rows in values["crossed"].items()
        ]
        self.locked = [[player, _in_order(rows)] for player, rows in values["locked"].items()]
        self.misthrows = as_pairs(values["misthrows"])

    def state(self) -> State:
        return {
            "phase": self.phase,
            "answered": self.answered,
            "active": self.active,
            "white": self.white,
            "coloured": self.coloured,
            "closed": self.closed,
            "active_crossed": self.active_crossed,
            "crossed": self.crossed,
            "locked": self.locked,
            "misthrows": self.misthrows,
        }

    def score(self) -> dict[int, int]:
        return {player: self._points(player) for player in self.seats}

    def _points(self, player: int) -> int:
        """The rows, each 1 + 2 + 3 and so on for its crosses, less the misthrows."""
        total: int = -MISTHROW_COST * of(self.misthrows, player)
        for row, crosses in of(self.crossed, player).items():
            count = len(crosses) + (row in of(self.locked, player))
            total += count * (count + 1) // 2
        return total

    # ---- the dice

    @chance("throw", w=pairs((1, 2), PIPS), d=mapping(COLOURS, maybe(PIPS)))
    def throw(self, w: dict[int, int], d: dict[str, int | None]) -> None:
        """The active player throws the white dice and the coloured dice that are left."""
        if self.closed or None in d.values():
            self._check_left(d)
        self.white = [[1, w[1]], [2, w[2]]]
        self.coloured = d
        self.active_crossed = False
        self.phase = "first_action"

    def _check_left(self, dice: dict[str, int | None]) -> None:
        """Refuses a throw that is not of the dice that are left."""
        for colour, pips in dice.items():
            if pips is None and colour not in self.closed:
                raise IllegalError(f"the {colour} die is still in the game")
            if pips is not None and colour in self.closed:
                raise IllegalError(f"the {colour} die has left the game")

    def roll(self, rng: Random) -> Event | None:
        if self.phase != "throw":
            return None
        coloured = {each: None if each in self.closed else rng.randint(1, 6) for each in COLOURS}
        white = [[1, rng.randint(1, 6)], [2, rng.randint(1, 6)]]
        return {"chance": "throw", "args": {"w": white, "d": coloured}}

    # ---- the moves

    def may_act(self, player: int) -> bool:
        if self.phase == "first_action":
            return player not in self.answered and player in self.seats
        return self.phase == "second_action" and player == self.active

    @move("first_action", row=COLOUR, at=SPACE)
    def cross_sum(self, by: int, row: str, at: int) -> None:
        """Anybody crosses the sum of the white dice, in any row."""
        if self.layout.numbers[row][at - 1] != self.white[0][1] + self.white[1][1]:
            raise IllegalError("this is not the sum of the white dice")
        self._cross(by, row, at)
        if by == self.active:
            self.active_crossed = True
        self._answer(by)

    @move("first_action")
    def pass_sum(self, by: int) -> None:
        """Somebody crosses nothing in the first action."""
        self._answer(by)

    @move("second_action", row=COLOUR, at=SPACE, white_die=WHITE_DIE, die=COLOUR)
    def cross_colour(self, by: int, row: str, at: int, white_die: int, die: str) -> None:
        """The active player crosses a white and a coloured die, in a space of that colour."""
        pips = self.coloured[die]
        if pips is None:
            raise IllegalError(f"the {die} die has left the game")
        if self.layout.colours[row][at - 1] != die:
            raise IllegalError(f"this space is not {die}")
        if self.layout.numbers[row][at - 1] != self.white[white_die - 1][1] + pips:
            raise IllegalError("this is not the sum of the two dice")
        self._cross(by, row, at)
        self._close_rows()
        self._end_turn(crossed=True)

    @move("second_action")
    def pass_colour(self, by: int) -> None:
        """The active player crosses nothing in the second action."""
        self._end_turn(crossed=self.active_crossed)

    def legal(self) -> list[Event]:
        if self.phase == "first_action":
            return [event for player in self.movers() for event in self._first_actions(player)]
        if self.phase == "second_action":
            return self._second_actions()
        return []

    def _first_actions(self, player: int) -> list[Event]:
        total = self.white[0][1] + self.white[1][1]
        found: list[Event] = []
        for row, at, _ in self.layout.places[total]:
            if self._obstacle(player, row, at) is None:
                found.append({"move": "cross_sum", "by": player, "args": {"row": row, "at": at}})
        found.append({"move": "pass_sum", "by": player, "args": {}})
        return found

    def _second_actions(self) -> list[Event]:
        found: list[Event] = []
        for die, pips in self.coloured.items():
            if pips is None:
                continue
            for white_die, white in self.white:
                for row, at, colour in self.layout.places[white + pips]:
                    if colour == die and self._obstacle(self.active, row, at) is None:
                        args = {"row": row, "at": at, "white_die": white_die, "die": die}
                        found.append({"move": "cross_colour", "by": self.active, "args": args})
        found.append({"move": "pass_colour", "by": self.active, "args": {}})
        return found

    # ---- crosses, and what follows from them

    def _obstacle(self, player: int, row: str, at: int) -> str | None:
        """What keeps a player from crossing a space, whatever the dice show."""
        crosses = self.crossed[player - 1][1][row]
        if row in self.closed:
            return f"the {row} row is closed"
        if crosses and crosses[-1] >= at:
            return "crosses go from left to right"
        if at == LAST and len(crosses) < CROSSES_BEFORE_LAST:
            return f"the last number needs {CROSSES_BEFORE_LAST} crosses in the row before it"
        return None

    def _cross(self, player: int, row: str, at: int) -> None:
        obstacle = self._obstacle(player, row, at)
        if obstacle is not None:
            raise IllegalError(obstacle)
        rows = self.crossed[player - 1][1].copy()
        rows[row] = [*rows[row], at]
        self.crossed = put(self.crossed, player, rows)
        if at == LAST:
            locked = _in_order([*of(self.locked, player), row])
            self.locked = put(self.locked, player, locked)

    def _answer(self, player: int) -> None:
        """Notes that a player has acted; with the last of them the first action is over."""
        if len(self.answered) + 1 < len(self.seats):
            self.answered = sorted([*self.answered, player])
            return
        self.answered = []
        self._close_rows()
        at_once = self.readings["window_end"] == "at_once"
        self.phase = "over" if at_once and self._rows_are_out() else "second_action"

    def _end_turn(self, crossed: bool) -> None:
        misthrows = of(self.misthrows, self.active)
        if not crossed:
            misthrows += 1
            self.misthrows = put(self.misthrows, self.active, misthrows)
        if misthrows == MOST_MISTHROWS or self._rows_are_out():
            self.phase = "over"
            return
        self.active = self.active % len(self.seats) + 1
        self.phase = "throw"

    def _close_rows(self) -> None:
        """Closes the rows that have been locked; their dice leave the game."""
        for _, locked in self.locked:
            for row in locked:
                if row not in self.closed:
                    self.closed = _in_order([*self.closed, row])
                    self.coloured = {**self.coloured, row: None}

    def _rows_are_out(self) -> bool:
        return len(self.closed) >= ROWS_TO_END


def _in_order(rows: list[str]) -> list[str]:
    return sorted(rows, key=COLOURS.index)


def sensible(game: Qwixx, player: int, rng: Random) -> Event:
    """Skips as few numbers as it can; skips more to escape a misthrow than for a cross more."""
    *crosses, nothing = (event for event in game.legal() if event["by"] == player)
    if not crosses:
        return nothing

    def skipped(event: Event) -> int:
        row, at = event["args"]["row"], event["args"]["at"]
        return int(at) - max(of(game.crossed, player)[row], default=0) - 1

    pressed = game.phase == "second_action" and not game.active_crossed
    best = min(crosses, key=skipped)
    return best if skipped(best) <= (4 if pressed else 1) else nothing


if __name__ == "__main__":
    sys.exit(main(Qwixx, sensible))
