"""Engines that ask their players one after the other where all may answer at once.

In a simultaneous phase the rules know no order. An engine with a loop over its players does. It is
held only to games in which they answer in the order of their seats, from the first or from the
player whose turn it is; how a game goes is the same for it otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import nearest
from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State

FROM_FIRST = "1"
"""Seat 1 answers first."""


class OutOfTurnError(Exception):
    """A game needs another order than the one in which the engine asks."""


class AnswerOrder:
    """In which order players answer: from seat 1, or from the player that a variable names."""

    def __init__(self, machine: CompiledGame, spec: c.Spec, players: int, start: str) -> None:
        self._machine = machine
        self._players = players
        self._start = None if start == FROM_FIRST else start
        self._together = [phase.simultaneous for phase in spec.phases]

    def waiting(self, state: State, legal: Sequence[Happening]) -> int | None:
        """The player whose turn it is to answer; None where any order is the order of the game."""
        if not self._together[self._machine.phase(state)] or not legal:
            return None
        first = 1 if self._start is None else self._machine.position(state)[self._start]
        seats = {int(event[1]) for event in legal if event[1] is not None}
        return min(seats, key=lambda seat: (seat - int(first)) % self._players, default=None)

    def is_in_turn(self, state: State, event: Happening) -> bool:
        """Whether an event does not come before its turn."""
        if event[1] is None or not self._together[self._machine.phase(state)]:
            return True
        waiting = self.waiting(state, self._machine.legal(state))
        return waiting is None or event[1] == waiting

    def arranged(self, state: State, events: Sequence[Happening]) -> Sequence[Happening]:
        """A game in which players answer in their order, each the same as before; the game as it
        is where that cannot be."""
        left, found = list(events), []
        while left:
            legal = self._machine.legal(state)
            seat = self.waiting(state, legal)
            together = list(takewhile(lambda each: each[1] is not None, left))
            own = (at for at, each in enumerate(together) if seat in (None, each[1]))
            event = left.pop(next(own, 0))
            after = self._machine.tried(state, event)
            if after is None:
                return events
            state = after
            found.append(event)
        return found


def checked_start(spec: c.Spec, start: str) -> str:
    """The name of where the order begins, if it is one."""
    players = [each.name for each in spec.variables if isinstance(each.type, y.Player)]
    if start != FROM_FIRST and start not in players:
        raise UsageError(
            f"`{start}` is no variable that names a player",
            nearest(start, players, "`1` begins with seat 1"),
        )
    if not any(phase.simultaneous for phase in spec.phases):
        raise UsageError(
            f"nobody answers at the same time in `{spec.name}`", "leave `--in-turn` out"
        )
    return start
