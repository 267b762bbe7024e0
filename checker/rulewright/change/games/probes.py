"""Probe events: those that two sets of rules may judge differently, in positions of a game.

What is about to happen and something close to it; every move that can be listed; and of moves too
many to list, one that does at once what two of them in a row would do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from random import Random

from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State
from rulewright.simulate.near_misses import near_miss

DOUBLES = 3
"""Moves that do what two would do, of each move that happens."""


class ProbeGenerator:
    """Suggests events of some names."""

    def __init__(
        self, games: Sequence[CompiledGame], names: Collection[str], random: Random
    ) -> None:
        self._games = games
        self._names = names
        self._random = random

    def events(
        self, states: Sequence[State], leader: CompiledGame, chosen: Happening
    ) -> Iterator[tuple[CompiledGame, Happening]]:
        """What to ask both rules about before the leader's event happens."""
        if leader.transitions[chosen[0]].name in self._names:
            yield leader, chosen
            yield leader, near_miss(leader, chosen, self._random)
            state = states[self._games.index(leader)]
            yield from ((leader, each) for each in self._doubled(leader, state, chosen))
        for game, state in zip(self._games, states):
            phase = game.phases[game.phase(state)].name
            here = [each for each in game.instance.of_kind("move") if phase in each.phases]
            if any(each.name in self._names and not each.proposals for each in here):
                yield from ((game, each) for each in game.listed(state))

    def _doubled(self, game: CompiledGame, state: State, chosen: Happening) -> Iterator[Happening]:
        """Moves that the mover could make if it were still the same phase after the first one."""
        move = game.transitions[chosen[0]]
        if not move.proposals:
            return
        after = game.in_phase(game.take(state, chosen), game.phase(state))
        for _ in range(DOUBLES):
            found = game.propose(move, after, chosen[1], self._random)
            if found is not None:
                yield found
