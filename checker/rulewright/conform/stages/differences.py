"""Gathers the differences of a run by their cause, so that each is told once.

Two differences have one cause if the engine goes wrong in the same way in the same rule: it takes
what the same requirements refuse, refuses the same kind of event, gets the same variables wrong by
the same event. Of each cause the shortest game is kept, and how often it was met.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator

from rulewright.conform.engine.protocol import EngineFault
from rulewright.conform.mutation.judgement import SCORE, WINS
from rulewright.conform.stages.lockstep import Divergence, EngineGame
from rulewright.play.semantics.errors import EvaluationError

Found = Divergence | EngineFault
WORST = ("fault", "setup", "begun", "accepted", "refused", "state", "score")
"""Kinds of differences, the worst first."""
SAME = {"listed": "accepted", "unlisted": "refused"}
"""A list that is wrong has mostly the cause that a move is taken or refused wrongly for."""


class Cause:
    """Differences that have one cause."""

    def __init__(self, found: Found, where: str | None, number: int) -> None:
        self.found = found
        self.where = where
        self.number = number
        self.times = 0

    def add(self, found: Found, where: str | None) -> None:
        """Counts one more; its game is kept if it is shorter."""
        self.times += 1
        if _length(found) < _length(self.found):
            self.found, self.where = found, where

    @property
    def kind(self) -> str:
        return kind_of(self.found)


class Differences:
    """What was found in a run, by cause."""

    def __init__(self) -> None:
        self._causes: dict[Hashable, Cause] = {}

    def add(self, found: Found, where: str | None = None) -> Cause:
        """Notes a difference: where it was met, such as `example lock_red`."""
        key = cause_of(found)
        if key not in self._causes:
            self._causes[key] = Cause(found, where, len(self._causes))
        self._causes[key].add(found, where)
        return self._causes[key]

    def __iter__(self) -> Iterator[Cause]:
        """The worst kinds first, then what was met most often."""
        order = {kind: number for number, kind in enumerate(WORST)}
        return iter(sorted(self._causes.values(), key=lambda each: (order[each.kind], -each.times)))

    def __len__(self) -> int:
        return len(self._causes)


def kind_of(found: Found) -> str:
    """What kind of difference it is, lists counted with what they list."""
    kind = "fault" if isinstance(found, EngineFault) else found.kind
    return SAME.get(kind, kind)


def cause_of(found: Found) -> Hashable:
    """The same for differences that have one cause."""
    kind = kind_of(found)
    if isinstance(found, EngineFault):
        return kind, re.sub(r"\d+", "#", found.reason)
    game: EngineGame = found.game
    last = game.last if game.last is not None else next(reversed(game.events), None)
    what: Hashable = last[0] if isinstance(last, tuple) else type(last).__name__
    if kind == "accepted" and isinstance(last, tuple):
        what = _refused_by(game)
    variables = frozenset(each.variable for each in found.mismatches)
    if SCORE in variables:  # who has other points has other winners
        variables -= {WINS}
    ours = found.why if found.kind in ("state", "listed") else None  # else the engine's words
    return kind, what, variables, ours


def _refused_by(game: EngineGame) -> Hashable:
    """The requirements that refuse the last event of a game."""
    oracle, state = game.oracle, game.begin
    for event in game.events:
        state, _ = oracle.take(state, event)
    assert isinstance(game.last, tuple)
    try:
        return tuple(each.label for each in oracle.machine.broken(state, game.last))
    except EvaluationError:
        return game.last[0]  # type: ignore[no-any-return]


def _length(found: Found) -> int:
    """How long a game is; one from the beginning counts as shorter than one from a position."""
    game: EngineGame | None = found.game
    return 1 << 30 if game is None else 2 * len(game.events) + game.loaded
