"""Pig as a program that runs by itself, and the adapter that holds it to the rules.

rulewright conform spec/tutorial/pig.rules python:examples.adapters.python.pig:Pig
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from examples.adapters.python.own_loop import OwnLoop

# ---- the engine: it knows nothing of adapters


class Table:
    """A game of Pig. `choose` and `roll` are how it asks; `complain` is how it refuses."""

    def __init__(
        self,
        players: int,
        first: int,
        choose: Callable[[int], str],
        roll: Callable[[], int],
        complain: Callable[[str], None],
    ) -> None:
        self.points = [0] * players
        self.active, self.total = first, 0
        self.rolling = False
        self.choose, self.roll, self.complain = choose, roll, complain

    def play(self) -> None:
        while max(self.points) < 100:
            while self.goes_on():
                pass
            if max(self.points) < 100:
                self.active = (self.active + 1) % len(self.points)

    def goes_on(self) -> bool:
        """One decision; whether the turn goes on after it."""
        have = self.points[self.active] + self.total
        if self.choose(self.active) == "hold":
            if self.total == 0:
                self.complain("roll first")
                return True
            self.points[self.active] = have
            self.total = 0 if have < 100 else self.total
            return False
        if have >= 100:
            self.complain("hold, and you have won")
            return True
        self.rolling = True
        pips = self.roll()
        self.rolling = False
        self.total = 0 if pips == 1 else self.total + pips
        return pips != 1


# ---- the adapter


class Pig(OwnLoop):
    """What `conform` talks to."""

    def new(self, players: int, readings: dict[str, str], variant: str | None, active: int) -> None:
        if type(players) is not int or not 2 <= players <= 4 or variant is not None:
            raise ValueError("not this one")
        choose = lambda player: self.ask(lambda event: move(event, player + 1))  # noqa: E731
        self.table = Table(players, active - 1, choose, lambda: self.ask(fallen), self.refuse)
        self.begin(self.table.play)

    def apply(self, event: dict[str, Any]) -> None:
        self.put(event)

    def state(self) -> dict[str, Any]:
        table = self.table
        over = max(table.points) >= 100
        return {
            "phase": "won" if over else "rolling" if table.rolling else "decide",
            "active": table.active + 1,
            "total": table.total,
            "points": [[player, each] for player, each in enumerate(table.points, start=1)],
        }

    def score(self) -> dict[str, Any]:
        points = self.state()["points"]
        return {"scores": points, "winners": [player for player, each in points if each >= 100]}


def move(event: dict[str, Any], player: int) -> str:
    """The choice of a player."""
    for name in ("roll", "hold"):
        if event == {"move": name, "by": player, "args": {}} and type(event["by"]) is int:
            return name
    raise ValueError("this is not what was asked")


def fallen(event: dict[str, Any]) -> int:
    """What the die shows."""
    for pips in range(1, 7):
        if event == {"chance": "fall", "args": {"pips": pips}}:
            return pips
    raise ValueError("the die is to fall")
