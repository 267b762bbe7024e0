"""Events of which two sets of rules might say different things, in positions that a game passes.

What is about to happen and something close to it; every move that can be listed; and of moves too
many to list, one that does at once what two of them in a row would do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from random import Random

from checker.play.compile.layout import State
from checker.play.compiled import Happening, Machine
from checker.play.random_play import near_miss

DOUBLES = 3
"""Moves that do what two would do, of each move that happens."""


class Suggesting:
    """Suggests events of some names."""

    def __init__(self, machines: Sequence[Machine], names: Collection[str], random: Random) -> None:
        self._machines = machines
        self._names = names
        self._random = random

    def events(
        self, states: Sequence[State], leader: Machine, chosen: Happening
    ) -> Iterator[tuple[Machine, Happening]]:
        """What to ask both rules about before the leader's event happens."""
        if leader.transitions[chosen[0]].name in self._names:
            yield leader, chosen
            yield leader, near_miss(leader, chosen, self._random)
            state = states[self._machines.index(leader)]
            yield from ((leader, each) for each in self._doubled(leader, state, chosen))
        for machine, state in zip(self._machines, states):
            phase = machine.instance.spec.phases[state[0]].name
            here = [each for each in machine.instance.of_kind("move") if phase in each.phases]
            if any(each.name in self._names and not each.proposals for each in here):
                yield from ((machine, each) for each in machine.listed(state))

    def _doubled(self, machine: Machine, state: State, chosen: Happening) -> Iterator[Happening]:
        """Moves that the mover could make if it were still the same phase after the first one."""
        move = machine.transitions[chosen[0]]
        if not move.proposals:
            return
        after = state[:]
        machine.do[chosen[0]](after, chosen, no_steps)
        after[0] = state[0]
        found = machine.proposed(move, after, chosen[1], self._random.random)
        yield from islice(found, DOUBLES)


def no_steps(state: State, step: int) -> None:
    """Instead of running the steps after an event."""
