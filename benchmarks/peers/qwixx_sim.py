"""Qwixx at random, written by hand: a plain simulator to measure the compiled spec against.

Leaves out the score and any say in who plays what. It can watch the four invariants (`holds`)
and be told that a lock needs fewer crosses. Nothing of the checker is used.
"""

from __future__ import annotations

import random

ROLL, WHITE, COLOUR = range(3)
Cross = tuple[int, int]
"""A row and the number to cross in it."""


def place(row: int, number: int) -> int:
    """Where a number stands in a row: two rows rise from 2, two fall from 12."""
    return number - 2 if row < 2 else 12 - number


class Simulator:
    """One game for some players."""

    def __init__(self, players: int, need: int = 5) -> None:
        self.players, self.need = players, need
        self.crossed: list[list[set[int]]] = [[set() for _ in range(4)] for _ in range(players)]
        self.last = [[-1] * 4 for _ in range(players)]
        self.lock = [[False] * 4 for _ in range(players)]
        self.misthrows = [0] * players
        self.closed: set[int] = set()
        self.active = self.who = 0
        self.used = False
        self.white: tuple[int, ...] = (1, 1)
        self.coloured: tuple[int, ...] = (1, 1, 1, 1)
        self.phase = ROLL
        self.over = False

    def can(self, player: int, row: int, number: int) -> bool:
        if row in self.closed:
            return False
        at = place(row, number)
        enough = at != 10 or len(self.crossed[player][row]) >= self.need
        return at > self.last[player][row] and enough

    def cross(self, player: int, row: int, number: int) -> None:
        at = place(row, number)
        self.crossed[player][row].add(at)
        self.last[player][row] = at
        if at == 10:
            self.lock[player][row] = True

    def close_rows(self) -> None:
        for player in range(self.players):
            for row in range(4):
                if self.lock[player][row]:
                    self.closed.add(row)

    def moves(self) -> list[Cross | None]:
        passing: list[Cross | None] = [None]
        if self.phase == WHITE:
            total = self.white[0] + self.white[1]
            return passing + [(row, total) for row in range(4) if self.can(self.who, row, total)]
        return passing + [
            (row, white + self.coloured[row])
            for white in self.white
            for row in range(4)
            if self.can(self.active, row, white + self.coloured[row])
        ]

    def roll(self, dice: list[int]) -> None:
        self.white, self.coloured = tuple(dice[:2]), tuple(dice[2:])
        self.who, self.used, self.phase = 0, False, WHITE

    def first_action(self, move: Cross | None) -> None:
        player = self.who
        if move is not None:
            self.cross(player, *move)
            if player == self.active:
                self.used = True
        if player < self.players - 1:
            self.who += 1
        else:
            self.close_rows()
            self.phase = COLOUR
            self.over = len(self.closed) >= 2

    def second_action(self, move: Cross | None) -> None:
        player = self.active
        if move is not None:
            self.cross(player, *move)
            self.close_rows()
        elif not self.used:
            self.misthrows[player] += 1
        self.over = self.misthrows[player] == 4 or len(self.closed) >= 2
        self.active = (player + 1) % self.players
        self.phase = ROLL

    def step(self, source: random.Random) -> None:
        if self.phase == ROLL:
            self.roll([source.randint(1, 6) for _ in range(6)])
        elif self.phase == WHITE:
            self.first_action(source.choice(self.moves()))
        else:
            self.second_action(source.choice(self.moves()))

    def holds(self) -> bool:
        """Whether the four invariants do."""
        for player in range(self.players):
            for row in range(4):
                crossed = self.crossed[player][row]
                if self.lock[player][row] and len(crossed) < 6:
                    return False
                if self.last[player][row] != max(crossed, default=-1):
                    return False
        ended = 4 in self.misthrows or len(self.closed) >= 2
        return len(self.closed) <= 3 and self.over == ended


def play(players: int, source: random.Random) -> int:
    """A game at random; how many steps it took."""
    game, steps = Simulator(players), 0
    while not game.over:
        game.step(source)
        steps += 1
    return steps
