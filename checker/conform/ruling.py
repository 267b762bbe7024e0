"""What the rules of a spec or a mutant say to an event, compiled for speed or word for word.

What is said is whether the event is allowed, and if so where it leads with the steps it sets off,
and how the scores stand then. `Ruling` says it with the compiled player, to try many situations;
`said_by` asks the evaluator, which decides.
"""

from __future__ import annotations

from typing import Any

from checker.conform.referee import Referee
from checker.conform.situations import Situation
from checker.meaning import core as c
from checker.play.compile import Judging
from checker.play.errors import EvaluationError
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.rules import Refused, apply, is_final, scores, winners
from checker.play.values import Position

REFUSED = "refused"
ALLOWED = "allowed"
AT_A_LOSS = "at a loss"
"""The rules have no answer: a value leaves its range, steps never stop."""
Said = Any
"""REFUSED, ALLOWED, AT_A_LOSS, or where an event leads and the results there."""


class Ruling:
    """The rules of a spec or a mutant, compiled for the set-up of a referee."""

    def __init__(self, spec: c.Spec, referee: Referee) -> None:
        self.instance = _instance(spec, referee)
        self._judging = Judging(self.instance)
        self._referee = referee

    def says(self, situation: Situation, doing: bool = True, results: bool = True) -> Said:
        """What it says to an event: whether it is allowed, where it leads if that is asked for,
        with which results if those are."""
        state = self._referee.without_notes(situation.state)
        transition = self.instance.spec.transitions[situation.event[0]]
        try:
            if not self._judging.allows(transition)(state, situation.event):
                return REFUSED
            if not doing:
                return ALLOWED
            self._judging.do(transition)(state, situation.event)
            return state, self._results(state) if results else None
        except EvaluationError:
            return AT_A_LOSS

    def _results(self, state: list[Any]) -> Said:
        players = range(1, self.instance.players + 1)
        final = self.instance.spec.phases[state[0]].final
        found = []
        for name in ("score", "wins") if final else ("score",):
            function = self._judging.properties.of_player(name)
            if function is not None:
                found.append([function(state, player) for player in players])
        return found


def said_by(spec: c.Spec, situation: Situation) -> Said:
    """What a spec says to an event, by the evaluator."""
    instance = _instance(spec, situation.referee)
    return outcome(instance, situation.position(), situation.as_event())


def outcome(instance: Instance, position: Position, event: Event) -> Said:
    """What the rules say to an event in a position."""
    try:
        after = apply(instance, position, event)[-1].after
        who = winners(instance, after) if is_final(instance, after) else None
        return after, scores(instance, after), who
    except Refused:
        return REFUSED
    except EvaluationError:
        return AT_A_LOSS


def _instance(spec: c.Spec, referee: Referee) -> Instance:
    return Instance(spec, referee.setup.players, dict(referee.setup.readings))
