"""Games that lead to what the first games did not show, for engines that cannot load a position.

Random games go on, with all mutants at the table that no game has shown yet; in each position the
event that is played next is put to them, and a near miss. How far is counted in events, so that it
is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from checker.conform.candidates import near_miss
from checker.conform.games import source
from checker.conform.mutants import Mutant
from checker.conform.referee import Referee, Setup
from checker.conform.setups import Rulebook
from checker.conform.situations import PLAYED, Situation, play_on, situation_of
from checker.play.compile.layout import State
from checker.play.compiled import Happening
from checker.play.errors import EvaluationError

EVENTS = 6_000
"""So many events are played in search of games."""
MOST_TRIED = 500_000
"""So many times at most a mutant is asked about an event."""
LONGEST = 400


class Search:
    """Looks for games that show mutants; `shows` says whether a situation does, and `keep` takes
    the first that does so for each."""

    def __init__(
        self,
        rulebook: Rulebook,
        setups: Sequence[Setup],
        shows: Callable[[Mutant, Situation], bool],
        keep: Callable[[Mutant, Situation], None],
    ) -> None:
        self._rulebook = rulebook
        self._setups = setups
        self._shows = shows
        self._keep = keep

    def seek(
        self, missing: Sequence[Mutant], seed: int, say: Callable[[str], None], events: int
    ) -> None:
        """Plays so many events in all."""
        left = list(missing)
        played = number = tried = 0
        while left and played < events and tried < MOST_TRIED:
            setup = self._setups[number % len(self._setups)]
            say(f"vectors: {len(left)} mutants without a game, {played} of {events} events")
            for situation in self._situations(setup, seed, number, events - played):
                played += situation.refused_by is None
                tried += len(left)
                if tried > MOST_TRIED:
                    break
                for mutant in left[:]:
                    if self._shows(mutant, situation):
                        self._keep(mutant, situation)
                        left = [each for each in left if each is not mutant]
            number += 1

    def _situations(self, setup: Setup, seed: int, number: int, most: int) -> Iterator[Situation]:
        """What is played in a game, and near misses."""
        referee = self._rulebook.referee(setup)
        random = source(seed, "sought", setup.described(), number)
        state = referee.begin(random)
        begin = state[:]
        for played, event in play_on(referee, state, random, number % 2 == 1, min(most, LONGEST)):
            yield situation_of(referee, state, event, None, begin, played, PLAYED)
            other = near_miss(referee, state, event, random)
            if isinstance(other, tuple) and (by := _refused_by(referee, state, other)) is not None:
                yield situation_of(referee, state, other, by, begin, played, PLAYED)


def _refused_by(referee: Referee, state: State, event: Happening) -> int | None:
    """The one requirement that refuses an event."""
    try:
        broken = referee.broken(state, event)
    except EvaluationError:
        return None
    return broken[0] if len(broken) == 1 else None
