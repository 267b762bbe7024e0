"""Matte-Kryss: tiles are laid on a board as results of the two numbers beside them.

A tile claims the directions in which the two numbers lie that it is a result of. Bags of tiles
are sorted lists. The board itself is in `matte_kryss_board`.
`python -m rulewright_engines.matte_kryss` speaks the protocol, `--play` plays a game.
"""

from __future__ import annotations

import sys
from bisect import insort
from collections.abc import Iterator, Mapping
from itertools import combinations
from random import Random
from typing import Any

from rulewright_engines.engine import Engine, Event, IllegalError, State, as_event, chance, move
from rulewright_engines.matte_kryss_board import (
    DIRECTIONS,
    FACTORS,
    FEATURES,
    PRINTED,
    SIGNS,
    SQUARES,
    TILES,
    Board,
    operations_on,
    results_on,
)
from rulewright_engines.play import main
from rulewright_engines.shapes import Reader, bag, maybe, name, number, pairs, subset, truth

RACK = 7
ALL_LAID = 50
IDLE_ROUNDS = 3
MOST_POINTS = 10**6
"""Far more than a game can bring."""

NUMBER = number(0, 90)
SQUARE = name(*SQUARES)


class MatteKryss(Engine):
    """A game of Matte-Kryss."""

    NAME = "matte_kryss"
    PLAYERS = range(2, 5)
    READINGS = {
        "wrong_result": ("refused", "challenged"),
        "two_operations": ("once", "each"),
        "fifty_extra": ("empty_rack", "seven_laid"),
        "short_table": ("enough_there", "own_again"),
        "endless": ("three_rounds", "literal"),
        "no_way_on": ("must_pass", "may_pass", "unsaid"),
        "equal_lots": ("lower_seat", "by_chance"),
        "ties": ("shared", "undecided"),
    }
    OPEN = ()

    # ---- the position

    @classmethod
    def shape(cls, players: int) -> dict[str, Reader[Any]]:
        seats = range(1, players + 1)
        count, idle, points = number(0, 110), number(0, 12), number(0, MOST_POINTS)
        return {
            "phase": name(
                *("lots", "dealing", "turn", "laying", "extra", "drawing_extra", "giving"),
                *("exchanging", "objecting", "filling", "over"),
            ),
            "active": number(1, players),
            "board": pairs(SQUARES, maybe(NUMBER)),
            "pile": bag(NUMBER),
            "idle": idle,
            "began": count,
            "laid": bag(NUMBER),
            "gained": points,
            "bonus": number(0, ALL_LAID),
            "given": count,
            "wrong": truth,
            "board_before": pairs(SQUARES, maybe(NUMBER)),
            "points_before": points,
            "idle_before": idle,
            "lot": pairs(seats, maybe(NUMBER)),
            "rack": pairs(seats, bag(NUMBER)),
            "points": pairs(seats, points),
            "total": pairs(seats, maybe(number(-MOST_POINTS, MOST_POINTS))),
        }

    def set_up(self, start: Mapping[str, Any]) -> None:
        self.phase = "lots"
        self.active = 1
        self.board = Board(PRINTED)
        self.pile = [*TILES]
        self.idle = 0
        self.began = 0
        self.laid: list[int] = []
        self.gained = 0
        self.bonus = 0
        self.given = 0
        self.wrong = False
        self.board_before = self.board
        self.points_before = 0
        self.idle_before = 0
        self.lot: dict[int, int | None] = dict.fromkeys(self.seats)
        self.rack: dict[int, list[int]] = {player: [] for player in self.seats}
        self.points = dict.fromkeys(self.seats, 0)
        self.total: dict[int, int | None] = dict.fromkeys(self.seats)

    def restore(self, values: Mapping[str, Any]) -> None:
        for variable, value in values.items():
            setattr(self, variable, value)
        for board in ("board", "board_before"):
            numbers = {at: each for at, each in values[board].items() if each is not None}
            setattr(self, board, Board(numbers))
        for tiles in (self.pile, self.laid, *self.rack.values()):
            tiles.sort()

    def state(self) -> State:
        return {
            "phase": self.phase,
            "active": self.active,
            "board": self.board.pairs,
            "pile": self.pile[:],
            "idle": self.idle,
            "began": self.began,
            "laid": self.laid[:],
            "gained": self.gained,
            "bonus": self.bonus,
            "given": self.given,
            "wrong": self.wrong,
            "board_before": self.board_before.pairs,
            "points_before": self.points_before,
            "idle_before": self.idle_before,
            "lot": [[player, tile] for player, tile in self.lot.items()],
            "rack": [[player, tiles[:]] for player, tiles in self.rack.items()],
            "points": [[player, points] for player, points in self.points.items()],
            "total": [[player, total] for player, total in self.total.items()],
        }

    def score(self) -> dict[int, int]:
        totals = self.total.items()
        return {player: self.points[player] if each is None else each for player, each in totals}

    # ---- tiles drawn from the table

    @chance("lots", p=number(1, 4), tile=NUMBER)
    def draw_lot(self, p: int, tile: int) -> None:
        """The next player draws a tile to see who begins."""
        if p != self._without_lot():
            raise IllegalError(f"it is not player {p} who draws a lot now")
        self._take(tile)
        self.lot[p] = tile

    @chance("lots", p=number(1, 4))
    def begin(self, p: int) -> None:
        """The highest lot begins, and the lots go back to the table."""
        if self._without_lot() is not None:
            raise IllegalError("not everybody has drawn a lot")
        if p not in self._beginners():
            raise IllegalError(f"player {p} does not begin")
        for tile in self.lot.values():
            if tile is not None:
                insort(self.pile, tile)
        self.active = p
        self.phase = "dealing"

    @chance("dealing", p=number(1, 4), tile=NUMBER)
    def deal(self, p: int, tile: int) -> None:
        """The next player draws a tile for the rack."""
        if p != self._short_of_tiles():
            raise IllegalError(f"it is not player {p} who draws now")
        self._take(tile)
        insort(self.rack[p], tile)
        if self._short_of_tiles() is None:
            self._begin_turn()

    @chance("drawing_extra", tile=NUMBER)
    def draw_extra(self, tile: int) -> None:
        """The extra tile is drawn."""
        self._take(tile)
        insort(self.rack[self.active], tile)
        self.phase = "laying"

    @chance("filling", tile=NUMBER)
    def refill(self, tile: int) -> None:
        """The active player fills the rack up, tile by tile."""
        self._take(tile)
        insort(self.rack[self.active], tile)
        self._fill_or_end_turn()

    @chance("exchanging", tile=NUMBER)
    def exchange(self, tile: int) -> None:
        """The active player draws a new tile for one that was put back."""
        self._take(tile)
        insort(self.rack[self.active], tile)
        self.given -= 1
        if self.given == 0:
            self._end_idle_turn()

    def roll(self, rng: Random) -> Event | None:
        if self.phase == "lots" and self._without_lot() is None:
            return {"chance": "begin", "args": {"p": rng.choice(self._beginners())}}
        args: dict[str, int | None]
        match self.phase:
            case "lots":
                event, args = "draw_lot", {"p": self._without_lot()}
            case "dealing":
                event, args = "deal", {"p": self._short_of_tiles()}
            case "drawing_extra":
                event, args = "draw_extra", {}
            case "filling":
                event, args = "refill", {}
            case "exchanging":
                event, args = "exchange", {}
            case _:
                return None
        return {"chance": event, "args": {**args, "tile": rng.choice(self.pile)}}

    def _take(self, tile: int) -> None:
        if tile not in self.pile:
            raise IllegalError(f"no {tile} lies on the table")
        self.pile.remove(tile)

    def _without_lot(self) -> int | None:
        return next((player for player in self.seats if self.lot[player] is None), None)

    def _short_of_tiles(self) -> int | None:
        return next((player for player in self.seats if len(self.rack[player]) < RACK), None)

    def _beginners(self) -> list[int]:
        """Who may begin by the lots."""
        lots = {player: lot for player, lot in self.lot.items() if lot is not None}
        best = [player for player, lot in lots.items() if lot == max(lots.values())]
        return best if self.readings["equal_lots"] == "by_chance" else best[:1]

    # ---- laying

    def may_act(self, player: int) -> bool:
        if self.phase == "objecting":
            anybody = player in self.seats and player != self.active
            return anybody if self.wrong else player == self._next()
        return player == self.active and self.phase in ("turn", "laying", "extra", "giving")

    @move("turn", "laying", tile=NUMBER, at=SQUARE, claims=subset(name(*DIRECTIONS)))
    def lay(self, by: int, tile: int, at: str, claims: list[str]) -> None:
        """The active player lays a tile and says where the numbers lie that it is a result of."""
        if tile not in self.rack[by]:
            raise IllegalError(f"no {tile} is on the rack")
        if at in self.board:
            raise IllegalError(f"there is a number on {at} already")
        if not claims:
            raise IllegalError("a tile is laid as a result of two numbers beside it")
        operands = self.board.operands(at)
        for direction in claims:
            if direction not in operands:
                raise IllegalError(f"no two numbers lie {direction} of {at}")
        feature = FEATURES[at]
        right = self.is_right(tile, at, claims)
        if not right and self.readings["wrong_result"] == "refused":
            raise IllegalError(f"{tile} is not a result of the numbers claimed")
        self.rack[by].remove(tile)
        self.board = self.board.with_number(at, tile)
        insort(self.laid, tile)
        self.gained += tile * self._times(tile, at, claims) * FACTORS.get(feature, 1)
        self.wrong = self.wrong or not right
        self.phase = "extra" if feature in SIGNS and self.pile else "laying"

    @move("extra")
    def take_extra(self, by: int) -> None:
        """The active player takes a tile more for using a square with a sign."""
        self.phase = "drawing_extra"

    @move("extra")
    def leave_extra(self, by: int) -> None:
        """The active player takes no tile more."""
        self.phase = "laying"

    @move("laying")
    def finish(self, by: int) -> None:
        """The active player lays no more tiles, and notes the points."""
        if self.readings["fifty_extra"] == "empty_rack":
            all_laid = not self.rack[by]
        else:
            all_laid = len(self.laid) >= RACK
        self.bonus = ALL_LAID if all_laid and self.began >= RACK else 0
        self.points[by] += self.gained + self.bonus
        if self.readings["wrong_result"] == "challenged":
            self.phase = "objecting"
        else:
            self._let_stand()

    @move("objecting")
    def object(self, by: int) -> None:
        """Somebody else objects to a wrong result: the turn's tiles and points are taken back."""
        if not self.wrong:
            raise IllegalError("no result of this turn is wrong")
        for tile in self.laid:
            insort(self.rack[self.active], tile)
        self.laid = []
        self.gained = 0
        self.bonus = 0
        self.board = self.board_before
        self.points[self.active] = self.points_before
        self._end_idle_turn()

    @move("objecting")
    def let_stand(self, by: int) -> None:
        """The next player begins, and nobody can object any more."""
        if by != self._next():
            raise IllegalError(f"it is player {self._next()} who begins the next turn")
        self._let_stand()

    # ---- exchanging and passing

    @move("turn", "giving", tile=NUMBER)
    def give_back(self, by: int, tile: int) -> None:
        """The active player puts a tile back on the table, to draw another later."""
        if tile not in self.rack[by]:
            raise IllegalError(f"no {tile} is on the rack")
        if not self._may_give_back():
            raise IllegalError("not so many tiles lie on the table")
        self.rack[by].remove(tile)
        insort(self.pile, tile)
        self.given += 1
        self.phase = "giving"

    @move("giving")
    def draw_new(self, by: int) -> None:
        """The active player has put back enough."""
        self.phase = "exchanging"

    @move("turn")
    def pass_turn(self, by: int) -> None:
        """The active player does nothing."""
        if not self._may_pass():
            raise IllegalError("only who can neither lay nor exchange may pass")
        self._end_idle_turn()

    def _may_give_back(self) -> bool:
        there_before = len(self.pile) - self.given
        return self.readings["short_table"] == "own_again" or self.given < there_before

    def _may_pass(self) -> bool:
        if self.readings["no_way_on"] == "must_pass":
            return not self._can_lay(self.active) and not self._may_give_back()
        return self.readings["no_way_on"] == "may_pass"

    # ---- what can be done

    def legal(self) -> list[Event]:
        by = self.active
        match self.phase:
            case "turn":
                found = [*self._layings(), *self._givings()]
                return [*found, as_event("pass_turn", by)] if self._may_pass() else found
            case "laying":
                return [*self._layings(), as_event("finish", by)]
            case "extra":
                return [as_event("take_extra", by), as_event("leave_extra", by)]
            case "giving":
                return [*self._givings(), as_event("draw_new", by)]
            case "objecting":
                objections = [as_event("object", each) for each in self.movers() if self.wrong]
                return [*objections, as_event("let_stand", self._next())]
            case _:
                return []

    def _layings(self) -> Iterator[Event]:
        wrong_too = self.readings["wrong_result"] == "challenged"
        tiles = sorted(set(self.rack[self.active]))
        for at, operands in self.board.openings.items():
            feature = FEATURES[at]
            for tile in tiles:
                claimable = [
                    direction
                    for direction, numbers in operands.items()
                    if wrong_too or tile in results_on(feature, *numbers)
                ]
                for claims in _choices(claimable):
                    yield as_event("lay", self.active, tile=tile, at=at, claims=claims)

    def _givings(self) -> list[Event]:
        if not self._may_give_back():
            return []
        tiles = sorted(set(self.rack[self.active]))
        return [as_event("give_back", self.active, tile=tile) for tile in tiles]

    def is_right(self, tile: int, at: str, claims: list[str]) -> bool:
        """Whether a tile is a result in all directions that it claims."""
        operands = self.board.operands(at)
        return all(tile in results_on(FEATURES[at], *operands[each]) for each in claims)

    def _times(self, tile: int, at: str, claims: list[str]) -> int:
        """How often a tile counts: for each direction claimed, or each operation there."""
        if self.readings["two_operations"] == "once":
            return len(claims)
        operands = self.board.operands(at)
        return sum(operations_on(FEATURES[at], *operands[each], tile) for each in claims)

    def _can_lay(self, player: int) -> bool:
        """Whether a player has a tile that is a result somewhere."""
        tiles = set(self.rack[player])
        return any(
            not tiles.isdisjoint(results_on(FEATURES[at], *numbers))
            for at, operands in self.board.openings.items()
            for numbers in operands.values()
        )

    # ---- turns

    def _next(self) -> int:
        return self.active % len(self.seats) + 1

    def _let_stand(self) -> None:
        self.idle = 0
        self._fill_or_end_turn()

    def _fill_or_end_turn(self) -> None:
        if len(self.rack[self.active]) < RACK and self.pile:
            self.phase = "filling"
        else:
            self._end_turn()

    def _end_idle_turn(self) -> None:
        """Ends a turn that leaves no tile on the board."""
        self.idle = min(self.idle + 1, IDLE_ROUNDS * len(self.seats))
        self._end_turn()

    def _end_turn(self) -> None:
        if self._is_over():
            self.phase = "over"
            for player in self.seats:
                self.total[player] = self.points[player] - sum(self.rack[player])
        else:
            self.active = self._next()
            self._begin_turn()

    def _begin_turn(self) -> None:
        self.phase = "turn"
        self.began = len(self.rack[self.active])
        self.laid = []
        self.gained = 0
        self.bonus = 0
        self.wrong = False
        self.board_before = self.board
        self.points_before = self.points[self.active]
        self.idle_before = self.idle

    def _is_over(self) -> bool:
        """Somebody is out of tiles or nobody can lay, and none lie on the table; or nobody has
        laid a tile for some rounds."""
        tired = self.idle >= IDLE_ROUNDS * len(self.seats)
        if tired and self.readings["endless"] == "three_rounds":
            return True
        if self.pile:
            return False
        return not all(self.rack.values()) or not any(map(self._can_lay, self.seats))


def _choices(directions: list[str]) -> Iterator[list[str]]:
    """One direction or more of these, in every way."""
    for count in range(1, len(directions) + 1):
        yield from map(list, combinations(directions, count))


def sensible(game: MatteKryss, player: int, rng: Random) -> Event | None:
    """Lays whatever brings most, tile after tile; exchanges what is over three if it cannot lay;
    objects to what is wrong."""
    moves = [event for event in game.legal() if event["by"] == player]
    layings = [
        event for event in moves if event["move"] == "lay" and game.is_right(**event["args"])
    ]
    if not layings:
        enough = game.phase == "giving" and len(game.rack[player]) <= 3
        return moves[-1 if enough else 0] if moves else None

    def gain(event: Event) -> int:
        tile, at, claims = event["args"].values()
        return int(tile) * len(claims) * FACTORS.get(FEATURES[at], 1)

    return max(layings, key=gain)


if __name__ == "__main__":
    sys.exit(main(MatteKryss, sensible))
