"""Players at random, each with whims: kinds of move that they would rather not make for a while.

Where everybody does everything equally often, all games look alike. With whims, somebody hoards
what others spend at once, and games get to places that plain chance hardly ever sees.
"""

from __future__ import annotations

from random import Random

from checker.play.compile.layout import State
from checker.play.compiled import Happening, Machine

OTHERWISE = 5
"""So often another move is looked for in place of one that a player would rather not make."""
RELUCTANCE = 0.9
SHARES = (0.0, 0.5, 0.8)
"""Of the kinds of move, how many a player may be averse to."""
CHANGE = 0.005
"""How often, by the event, all whims change."""


class Whims:
    """What the players of one game would rather not do; `strong` is false where they have none."""

    def __init__(self, machine: Machine, random: Random, strong: bool) -> None:
        self._machine = machine
        self._random = random
        self._strong = strong
        self._averse: set[tuple[int, int]] = set()
        self._turn_round()

    def _turn_round(self) -> None:
        moves = [n for n, each in enumerate(self._machine.transitions) if each.mover is not None]
        seats = range(1, self._machine.instance.players + 1)
        chance = self._random.random
        self._averse = set()
        for seat in seats:
            share = self._random.choice(SHARES)
            self._averse |= {(move, seat) for move in moves if chance() < share}

    def choose(self, machine: Machine, state: State) -> Happening | None:
        """An event at random, as `machine` has it; None if there is none."""
        chosen = machine.choose(state, self._random)
        if not self._strong:
            return chosen
        if self._random.random() < CHANGE:
            self._turn_round()
        for _ in range(OTHERWISE):
            if chosen is None or chosen[:2] not in self._averse:
                break
            if self._random.random() > RELUCTANCE:
                break
            chosen = machine.choose(state, self._random)
        return chosen
