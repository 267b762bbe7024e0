"""Test vectors by random play: games that lead to what the first games did not show, for engines
that cannot load a position.

Random games go on, with all mutants at the table that no game has shown yet; in each position the
event that is played next is put to them, and a near miss. How far is counted in events, so that it
is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulewright.conform.inputs.board_changes import laid_elsewhere
from rulewright.conform.inputs.near_misses import near_miss
from rulewright.conform.inputs.test_cases import PLAYED, Situation, play_on, situation_of
from rulewright.conform.mutation.mutants import Mutant
from rulewright.conform.oracle.configurations import Oracles
from rulewright.conform.oracle.oracle import Oracle
from rulewright.conform.stages.random_games import source
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.instance import Configuration
from rulewright.simulate.compiled.compiled_game import Happening, State

EVENTS = 6_000
"""So many events are played in search of games."""
MOST_TRIED = 500_000
"""So many times at most a mutant is asked about an event."""
LONGEST = 400


class VectorSearch:
    """Looks for games that show mutants; `shows` says whether a situation does, and `keep` takes
    the first that does so for each."""

    def __init__(
        self,
        oracles: Oracles,
        setups: Sequence[Configuration],
        shows: Callable[[Mutant, Situation], bool],
        keep: Callable[[Mutant, Situation], None],
    ) -> None:
        self._rulebook = oracles
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

    def _situations(
        self, setup: Configuration, seed: int, number: int, most: int
    ) -> Iterator[Situation]:
        """What is played in a game, and near misses."""
        oracle = self._rulebook.oracle(setup)
        random = source(seed, "sought", setup.described(), number)
        begin = oracle.begin(random)
        game = play_on(oracle, begin, random, number % 2 == 1, min(most, LONGEST))
        for state, played, event in game:
            found = situation_of(oracle, state, event, None, begin, played, PLAYED)
            if found is not None:
                yield found
            near = near_miss(oracle, state, event, random)
            for other in (near, laid_elsewhere(oracle, state, event, random)):
                if not isinstance(other, tuple):
                    continue
                by = _refused_by(oracle, state, other)
                if by is None or len(by) > 1 or (other is near and not by):
                    continue
                refused = by[0] if by else None
                found = situation_of(oracle, state, other, refused, begin, played, PLAYED)
                if found is not None:
                    yield found


def _refused_by(oracle: Oracle, state: State, event: Happening) -> list[int] | None:
    """The requirements that refuse an event; None where the rules are at a loss."""
    try:
        return oracle.broken(state, event)
    except EvaluationError:
        return None
