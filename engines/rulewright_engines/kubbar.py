"""Kubbar: everybody gets rid of tiles by laying sets and runs that cross on an open table.

A round ends when somebody has no tiles left; fewest points after the agreed rounds win. Bags of
tiles are lists in the order of the tiles. What makes a valid table is in `kubbar_table`.
`python -m rulewright_engines.kubbar` speaks the protocol, `--play` plays a game.
"""

from __future__ import annotations

import sys
from bisect import insort
from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from random import Random
from typing import Any

from rulewright_engines.engine import Engine, Event, IllegalError, State, as_event, chance, move
from rulewright_engines.kubbar_laying import Laying
from rulewright_engines.kubbar_proposals import proposals
from rulewright_engines.kubbar_table import (
    BESIDE,
    BOX,
    DRAW_THREE,
    NUMBERED,
    PASS_TWO,
    PLACE,
    POINTS,
    TILES,
    Table,
    read_square,
    square_name,
)
from rulewright_engines.play import main
from rulewright_engines.shapes import Reader, bag, maybe, name, number, pairs, sparse, subset

HAND = 15
POOL = 6
FORCED = 3
PASSED = 2
LONGEST_MATCH = 3
MOST_POINTS = LONGEST_MATCH * sum(POINTS[tile] for tile in BOX)

TILE = name(*TILES)
TABLE = sparse(read_square, name(*NUMBERED))


class Kubbar(Engine):
    """A match of Kubbar."""

    NAME = "kubbar"
    PLAYERS = range(2, 5)
    READINGS = {
        "empty_bag": ("what_there_is", "literal"),
        "standstill": ("closes_round", "plays_on"),
        "last_action": ("refused", "wins_round", "takes_effect"),
        "second_group": ("strict", "liberal"),
        "founding_lines": ("single_line", "crossing_lines"),
        "founding_turn": ("nothing_moved", "moves"),
        "own_group": ("movable", "fixed"),
        "splitting": ("allowed", "forbidden"),
        "ties": ("shared", "undecided"),
    }
    OPEN = ("youngest", "agreed", "active")
    LISTS_ALL = False

    # ---- the position

    @classmethod
    def shape(cls, players: int) -> dict[str, Reader[Any]]:
        seats = range(1, players + 1)
        seat = number(1, players)
        return {
            "phase": name("dealing", "lay_out", "turn", "drawing", "filling", "giving", "over"),
            "answered": subset(seat),
            "youngest": seat,
            "agreed": number(1, LONGEST_MATCH),
            "active": seat,
            "bag": bag(TILE),
            "pool": bag(TILE),
            "gone": bag(TILE),
            "board": TABLE,
            "founded": subset(seat),
            "skips": number(0, 4),
            "played": number(0, LONGEST_MATCH),
            "out": maybe(seat),
            "rack": pairs(seats, bag(TILE)),
            "handed": pairs(seats, bag(TILE)),
            "due": pairs(seats, number(0, FORCED)),
            "home": pairs(seats, subset(read_square)),
            "total": pairs(seats, number(0, MOST_POINTS)),
        }

    def check_start(self, start: Mapping[str, Any]) -> None:
        if "youngest" in start and start.get("active", start["youngest"]) != start["youngest"]:
            raise IllegalError("the youngest player begins")

    def set_up(self, start: Mapping[str, Any]) -> None:
        self.youngest: int = start.get("youngest", start.get("active", 1))
        self.agreed: int = start.get("agreed", 1)
        self.played = 0
        self.out: int | None = None
        self.total = dict.fromkeys(self.seats, 0)
        self._begin_round()

    def _begin_round(self) -> None:
        self.phase = "dealing"
        self.answered: list[int] = []
        self.active = self.youngest
        self.bag = [*BOX]
        self.pool: list[str] = []
        self.gone: list[str] = []
        self.board: Table = {}
        self.founded: list[int] = []
        self.skips = 0
        self.rack: dict[int, list[str]] = {player: [] for player in self.seats}
        self.handed: dict[int, list[str]] = {player: [] for player in self.seats}
        self.due = dict.fromkeys(self.seats, 0)
        self.home: dict[int, list[int]] = {player: [] for player in self.seats}

    def restore(self, values: Mapping[str, Any]) -> None:
        for variable, value in values.items():
            setattr(self, variable, value)
        for tiles in (self.bag, self.pool, self.gone, *self.rack.values(), *self.handed.values()):
            tiles.sort(key=PLACE.__getitem__)

    def state(self) -> State:
        return {
            "phase": self.phase,
            "answered": sorted(self.answered),
            "youngest": self.youngest,
            "agreed": self.agreed,
            "active": self.active,
            "bag": self.bag[:],
            "pool": self.pool[:],
            "gone": self.gone[:],
            "board": [[square_name(square), self.board[square]] for square in sorted(self.board)],
            "founded": sorted(self.founded),
            "skips": self.skips,
            "played": self.played,
            "out": self.out,
            "rack": [[player, tiles[:]] for player, tiles in self.rack.items()],
            "handed": [[player, tiles[:]] for player, tiles in self.handed.items()],
            "due": [[player, count] for player, count in self.due.items()],
            "home": [
                [player, [square_name(square) for square in sorted(squares)]]
                for player, squares in self.home.items()
            ],
            "total": [[player, points] for player, points in self.total.items()],
        }

    def score(self) -> dict[int, int]:
        """The points of all rounds; fewest win."""
        return dict(self.total)

    def winners(self) -> list[int]:
        if self.phase != "over":
            return []
        fewest = min(self.total.values())
        best = [player for player, points in self.total.items() if points == fewest]
        return best if len(best) == 1 or self.readings["ties"] == "shared" else []

    # ---- tiles drawn from the bag

    @chance("dealing", to=number(1, 4), t=TILE)
    def deal(self, to: int, t: str) -> None:
        """A player draws a tile of the first fifteen."""
        if to not in self._short_of_hand():
            raise IllegalError(f"player {to} does not draw now")
        self._take_from_bag(t)
        _put(self.rack[to], t)
        if not self._short_of_hand():
            self.phase = "lay_out"

    @chance("lay_out", "filling", t=TILE)
    def fill_pool(self, t: str) -> None:
        """A tile is laid in the open pool."""
        self._take_from_bag(t)
        _put(self.pool, t)
        if self.phase == "filling":
            self._fill_or_end_turn()
        elif len(self.pool) == POOL:
            self.phase = "turn"

    @chance("drawing", to=number(1, 4), t=TILE)
    def draw_tile(self, to: int, t: str) -> None:
        """A player draws a tile, by choice or because an opponent wants it."""
        if not self.due.get(to):
            raise IllegalError(f"player {to} does not draw now")
        self._take_from_bag(t)
        _put(self.rack[to], t)
        self.due[to] -= 1
        self._draw_or_end_turn()

    def roll(self, rng: Random) -> Event | None:
        args: dict[str, int]
        match self.phase:
            case "dealing":
                event, args = "deal", {"to": rng.choice(self._short_of_hand())}
            case "lay_out" | "filling":
                event, args = "fill_pool", {}
            case "drawing":
                to = next(player for player, count in self.due.items() if count)
                event, args = "draw_tile", {"to": to}
            case _:
                return None
        return {"chance": event, "args": {**args, "t": rng.choice(self.bag)}}

    def _take_from_bag(self, tile: str) -> None:
        if tile not in self.bag:
            raise IllegalError(f"there is no {tile} in the bag")
        self.bag.remove(tile)

    def _short_of_hand(self) -> list[int]:
        return [player for player in self.seats if len(self.rack[player]) < HAND]

    # ---- taking and drawing

    def may_act(self, player: int) -> bool:
        if self.phase == "giving":
            return player in self.seats and player not in self.answered
        return self.phase == "turn" and player == self.active

    @move("turn", t=TILE)
    def take(self, by: int, t: str) -> None:
        """The active player takes a tile from the open pool, which is filled up again."""
        if t not in self.pool:
            raise IllegalError(f"there is no {t} in the pool")
        if not self._is_enough(1):
            raise IllegalError("the bag is empty, and the pool cannot be filled up")
        self.pool.remove(t)
        _put(self.rack[by], t)
        self._fill_or_end_turn()

    @move("turn")
    def draw(self, by: int) -> None:
        """The active player draws a tile from the bag."""
        if not self.bag:
            raise IllegalError("the bag is empty")
        self.due[by] = 1
        self._draw_or_end_turn()

    @move("turn")
    def skip(self, by: int) -> None:
        """The active player can neither take nor draw, and lets the turn go by."""
        if not self._may_skip():
            raise IllegalError("a turn may go by only when bag and pool are empty")
        if self.readings["standstill"] == "closes_round":
            self.skips += 1
        if self.skips == len(self.seats):
            self._end_round(None)
        else:
            self._pass_the_turn()

    def _fill_or_end_turn(self) -> None:
        """Goes on filling the pool for as long as it is short and there are tiles."""
        if self.bag and len(self.pool) < POOL:
            self.phase = "filling"
        else:
            self._end_turn()

    def _draw_or_end_turn(self) -> None:
        """Goes on drawing for as long as tiles are due and there are any."""
        if self.bag and any(self.due.values()):
            self.phase = "drawing"
        else:
            self.due = dict.fromkeys(self.seats, 0)
            self._end_turn()

    def _is_enough(self, tiles: int) -> bool:
        """Whether the bag allows what asks for so many tiles."""
        return self.readings["empty_bag"] == "what_there_is" or len(self.bag) >= tiles

    def _may_skip(self) -> bool:
        return self.readings["empty_bag"] == "what_there_is" and not self.bag and not self.pool

    # ---- action tiles

    @move("turn", victim=number(1, 4))
    def force(self, by: int, victim: int) -> None:
        """The active player makes an opponent draw three tiles."""
        self._check_action(by, DRAW_THREE)
        if victim == by or victim not in self.seats:
            raise IllegalError("the tile is played against an opponent")
        if not self._is_enough(FORCED):
            raise IllegalError(f"there are not {FORCED} tiles in the bag")
        if self._play_action(by, DRAW_THREE):
            self.due[victim] = FORCED
            self._draw_or_end_turn()

    @move("turn")
    def pass_on(self, by: int) -> None:
        """The active player makes everybody pass two tiles to the left."""
        self._check_action(by, PASS_TWO)
        if self._play_action(by, PASS_TWO):
            self.phase = "giving"

    @move("giving", tiles=bag(TILE))
    def give(self, by: int, tiles: list[str]) -> None:
        """A player chooses two tiles for the left neighbour, fewer only if there are no more."""
        if Counter(tiles) - Counter(self.rack[by]):
            raise IllegalError("only own tiles can be given")
        if len(tiles) != self._to_give(by):
            raise IllegalError(f"{self._to_give(by)} tiles are to be given")
        for tile in tiles:
            self.rack[by].remove(tile)
            _put(self.handed[by], tile)
        self.answered.append(by)
        if len(self.answered) == len(self.seats):
            self._hand_over()

    def _check_action(self, player: int, tile: str) -> None:
        if tile not in self.rack[player]:
            raise IllegalError(f"the player has no {tile}")
        if len(self.rack[player]) == 1 and self.readings["last_action"] == "refused":
            raise IllegalError("an action tile cannot be the last tile played")

    def _play_action(self, player: int, tile: str) -> bool:
        """Removes the tile from the game; whether it takes effect."""
        self.rack[player].remove(tile)
        _put(self.gone, tile)
        self.skips = 0
        if self.rack[player] or self.readings["last_action"] == "takes_effect":
            return True
        self._end_round(player)
        return False

    def _to_give(self, player: int) -> int:
        return min(PASSED, len(self.rack[player]))

    def _hand_over(self) -> None:
        """Everybody has given, and looks at what comes from the right."""
        for player in self.seats:
            for tile in self.handed[player]:
                _put(self.rack[self._left_of(player)], tile)
            self.handed[player] = []
        self.answered = []
        self._end_turn()

    # ---- laying

    @move("turn", table=TABLE)
    def lay(self, by: int, table: Table) -> None:
        """The active player lays own tiles; the whole table is given as it lies afterwards."""
        laying = self._laying(table)
        obstacle = laying.obstacle()
        if obstacle is not None:
            raise IllegalError(obstacle)
        for tile in laying.added().elements():
            self.rack[by].remove(tile)
        if len(self.founded) < len(self.seats):
            self._note_founding(by, table)
        self.board = table
        self._end_turn()

    def _laying(self, table: Table) -> Laying:
        """The active player's turn that leaves this table."""
        return Laying(
            players=len(self.seats),
            readings=self.readings,
            before=self.board,
            after=table,
            rack=self.rack[self.active],
            has_founded=self.active in self.founded,
            home=self.home[self.active],
            waited_for=len(self.seats) - len(self.founded),
        )

    def _note_founding(self, by: int, table: Table) -> None:
        """Keeps track of whose group is whose until all have founded one."""
        others = self.board.keys() - {*self.home[by]}
        if by not in self.founded:
            self.founded.append(by)
        if len(self.founded) == len(self.seats):
            self.home = {player: [] for player in self.seats}
        else:
            self.home[by] = [square for square in table if square not in others]

    # ---- turns and rounds

    def _left_of(self, player: int) -> int:
        return player % len(self.seats) + 1

    def _end_turn(self) -> None:
        """Ends a turn in which something was done."""
        self.skips = 0
        out = next((player for player in self.seats if not self.rack[player]), None)
        if out is None:
            self._pass_the_turn()
        else:
            self._end_round(out)

    def _pass_the_turn(self) -> None:
        self.active = self._left_of(self.active)
        self.phase = "turn"

    def _end_round(self, out: int | None) -> None:
        self.out = out
        for player in self.seats:
            self.total[player] += sum(POINTS[tile] for tile in self.rack[player])
        self.played += 1
        if self.played == self.agreed:
            self.phase = "over"
        else:
            self._begin_round()

    # ---- what can be done

    def legal(self) -> list[Event]:
        """All moves but layings; of them only some that move nothing and add in one place."""
        if self.phase == "giving":
            return [event for player in self.movers() for event in self._givings(player)]
        if self.phase != "turn":
            return []
        by, rack = self.active, self.rack[self.active]
        found = [as_event("lay", by, table=table) for table in self._layings()]
        if self._is_enough(1):
            found += [as_event("take", by, t=tile) for tile in dict.fromkeys(self.pool)]
        if self.bag:
            found.append(as_event("draw", by))
        if len(rack) > 1 or self.readings["last_action"] != "refused":
            if PASS_TWO in rack:
                found.append(as_event("pass_on", by))
            if DRAW_THREE in rack and self._is_enough(FORCED):
                victims = [player for player in self.seats if player != by]
                found += [as_event("force", by, victim=player) for player in victims]
        if self._may_skip():
            found.append(as_event("skip", by))
        return found

    def _layings(self) -> list[list[list[str]]]:
        """Tables that the active player can lay, as JSON."""
        found = []
        for new in proposals(self.board, self.rack[self.active]):
            table = {**self.board, **new}
            if self._laying(table).obstacle() is None:
                found.append([[square_name(each), table[each]] for each in sorted(table)])
        return found

    def _givings(self, player: int) -> list[Event]:
        choices = dict.fromkeys(combinations(self.rack[player], self._to_give(player)))
        return [as_event("give", player, tiles=[*tiles]) for tiles in choices]


def _put(tiles: list[str], tile: str) -> None:
    insort(tiles, tile, key=PLACE.__getitem__)


def sensible(game: Kubbar, player: int, rng: Random) -> Event | None:
    """Lays as many tiles as it can; else plays an action tile, takes what goes with its tiles
    from the pool, or draws. Gives away what counts most."""
    moves = [event for event in game.legal() if event["by"] == player]
    if game.phase == "giving":
        return max(moves, key=lambda event: sum(POINTS[each] for each in event["args"]["tiles"]))

    def promise(event: Event) -> int:
        match event["move"]:
            case "lay":
                return 100 + len(event["args"]["table"])
            case "pass_on" | "force":
                return 50
            case "take":
                beside = BESIDE.get(event["args"]["t"], frozenset())
                return sum(tile in beside for tile in game.rack[player])
            case _:
                return 1

    return max(moves, key=promise, default=None)


if __name__ == "__main__":
    sys.exit(main(Kubbar, sensible))
