"""The engine of a small dice game, to change into yours.

It keeps the game as it likes, and says how things stand in the words of the spec. What dice decide
comes from outside: `throw` is told what fell, and `roll` is where a program that plays would get it
from. See that it plays by the rules with

    rulewright conform starter.rules python:starter_engine:Engine
"""

from __future__ import annotations

from random import Random
from typing import Any

GOAL = 21
PIPS = range(1, 7)


class IllegalError(Exception):
    """Something that the rules refuse, and why."""


class Engine:
    """One game. Whatever is refused leaves it as it was."""

    NAME = "starter"

    def new(self, players: int, readings: dict[str, str], variant: None, active: int) -> None:
        """Begins a game."""
        if players not in range(2, 5) or active not in range(1, players + 1):
            raise IllegalError("the game takes 2 to 4 players")
        self.phase = "throwing"
        self.active = active
        self.die = 1
        self.points = dict.fromkeys(range(1, players + 1), 0)

    def apply(self, event: dict[str, Any]) -> None:
        """Lets a move or a chance event happen."""
        match event:
            case {"chance": "throw", "args": {"pips": int(pips), **more}} if not more:
                self.throw(pips)
            case {"move": "take", "by": int(player), "args": {**more}} if not more:
                self.take(player)
            case {"move": "leave", "by": int(player), "args": {**more}} if not more:
                self.leave(player)
            case _:
                raise IllegalError("there is no such event")

    def state(self) -> dict[str, Any]:
        """How things stand: the variables of the spec."""
        return {
            "phase": self.phase,
            "active": self.active,
            "die": self.die,
            "points": [[player, points] for player, points in self.points.items()],
        }

    def load(self, state: dict[str, Any]) -> None:
        """Goes to a position of the present game."""
        self.phase = state["phase"]
        self.active = state["active"]
        self.die = state["die"]
        self.points = dict(state["points"])

    def legal(self) -> list[dict[str, Any]]:
        """Every move that can be made now."""
        if self.phase != "choosing":
            return []
        fits = self.points[self.active] + self.die <= GOAL
        names = ["take", "leave"] if fits else ["leave"]
        return [{"move": name, "by": self.active, "args": {}} for name in names]

    def score(self) -> dict[str, Any]:
        """The points, and who has won."""
        points = [[player, points] for player, points in self.points.items()]
        return {"scores": points, "winners": [who for who, each in points if each == GOAL]}

    def roll(self, random: Random) -> dict[str, Any]:
        """What chance decides, for a program that plays."""
        return {"chance": "throw", "args": {"pips": random.choice(PIPS)}}

    def throw(self, pips: int) -> None:
        """The active player throws the die."""
        if self.phase != "throwing" or pips not in PIPS:
            raise IllegalError("no such throw is due")
        self.die = pips
        self.phase = "choosing"

    def take(self, player: int) -> None:
        """The active player adds the pips to their points."""
        self._choose(player)
        if self.points[player] + self.die > GOAL:
            raise IllegalError(f"that is more than {GOAL} points")
        self.points[player] += self.die
        self._end_turn()

    def leave(self, player: int) -> None:
        """The active player leaves the pips."""
        self._choose(player)
        self._end_turn()

    def _choose(self, player: int) -> None:
        if self.phase != "choosing" or player != self.active:
            raise IllegalError("it is not for this player to choose now")

    def _end_turn(self) -> None:
        if self.points[self.active] == GOAL:
            self.phase = "over"
        else:
            self.active = self.active % len(self.points) + 1
            self.phase = "throwing"
