"""What many games of one kind came to: how many finished, how long they were, who won."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.play.semantics.instance import Instance
from rulewright.simulate.watched_games import EventCounts, GameFault, GameOutcome
from rulewright.syntax.node import Node


class Spread(Node):
    """Numbers in short: the least, the quarters, the greatest, the mean."""

    least: int
    quarter: int
    middle: int
    three_quarters: int
    greatest: int
    mean: float

    def data(self) -> dict[str, float]:
        """For programs."""
        return {field: getattr(self, field) for field in self._fields}

    def __str__(self) -> str:
        return (
            f"{self.mean:.1f} on average, {self.least} to {self.greatest}, "
            f"half of them {self.quarter} to {self.three_quarters}"
        )


def spread(numbers: Sequence[int]) -> Spread:
    """The spread of at least one number."""
    ranked = sorted(numbers)
    last = len(ranked) - 1
    least, quarter, middle, three_quarters, greatest = (
        ranked[place * last // 4] for place in range(5)
    )
    mean = round(sum(ranked) / len(ranked), 2)
    return Spread(least, quarter, middle, three_quarters, greatest, mean)


class Statistics:
    """Gathers the outcomes of games of one instance; what happened in them is counted by who
    plays them."""

    def __init__(self, instance: Instance, counts: EventCounts) -> None:
        self.instance = instance
        self.counts = counts
        self.games = 0
        self.lengths: list[int] = []
        self.faults: list[tuple[int, GameFault]] = []
        """The numbers of the games that went wrong, and how."""
        self._scores: dict[int, list[int]] = {}
        self._wins: dict[int, int] | None = None

    def add(self, outcome: GameOutcome) -> None:
        """One more game."""
        self.games += 1
        self.lengths.append(outcome.events)
        if outcome.fault is not None:
            self.faults.append((self.games, outcome.fault))
        for player, score in (outcome.scores or {}).items():
            self._scores.setdefault(player, []).append(score)
        if outcome.winners is not None:
            players = range(1, self.instance.players + 1)
            self._wins = self._wins or dict.fromkeys(players, 0)
            for player in outcome.winners:
                self._wins[player] += 1

    @property
    def finished(self) -> int:
        """How many games came to their end with nothing wrong."""
        return self.games - len(self.faults)

    @property
    def scores(self) -> dict[int, Spread]:
        """The scores of each player in finished games."""
        return {player: spread(scores) for player, scores in self._scores.items()}

    @property
    def wins(self) -> dict[int, int] | None:
        """How often each player won; None if the game does not say."""
        return self._wins
