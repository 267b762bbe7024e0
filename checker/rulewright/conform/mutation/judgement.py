"""Judgement of an event by the rules of a spec or a mutant, compiled for speed or word for word.

What is said is whether the event is allowed, and if so where it leads with the steps it sets off,
and how the scores stand then. `RuleJudge` says it with the compiled player, to try many situations;
`said_by` asks the evaluator, which decides.
"""

from __future__ import annotations

from typing import Any

from rulewright.conform.inputs.test_cases import Situation
from rulewright.conform.oracle.oracle import Oracle
from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import MOST_STEPS, Refused, apply, is_final, scores, winners
from rulewright.play.semantics.values import Position
from rulewright.simulate.compiled.compiled_game import CompiledGame, State
from rulewright.wasm.runtime.queries import LimitError

REFUSED = "refused"
ALLOWED = "allowed"
LEGAL, SCORE, WINS = "legal", "score", "wins"
"""What can tell rules apart besides variables."""
AT_A_LOSS = "at a loss"
"""The rules have no answer: a value leaves its range, steps never stop."""
Said = Any
"""REFUSED, ALLOWED, AT_A_LOSS, or where an event leads and the results there."""


class RuleJudge:
    """The rules of a spec or a mutant, compiled for the set-up of a referee: of each kind of event
    that is asked about, nothing but that."""

    def __init__(self, spec: c.Spec, oracle: Oracle) -> None:
        self.instance = _instance(spec, oracle)
        self._referee = oracle
        self._compiled: dict[int, CompiledGame] = {}

    def says(self, situation: Situation, doing: bool = True, results: bool = True) -> Said:
        """What it says to an event: whether it is allowed, where it leads if that is asked for,
        with which results if those are."""
        number = situation.event[0]
        if number not in self._compiled:
            self._compiled[number] = CompiledGame(self.instance, only=number)
        try:
            return self._judged(self._compiled[number], situation, doing, results)
        except LimitError:  # all that a game is ever given
            self._compiled[number] = CompiledGame(self.instance)
            return self._judged(self._compiled[number], situation, doing, results)

    def _judged(self, game: CompiledGame, situation: Situation, doing: bool, results: bool) -> Said:
        if game.portable.layout.places == self._referee.places:
            state = self._referee.without_notes(situation.state)
        else:
            state = game.load(situation.position())
        event = situation.event
        try:
            if not doing:
                return ALLOWED if game.allows(state, event) else REFUSED
            after = game.tried(state, event)
            if after is None:
                return REFUSED
            return after, self._results(game, after) if results else None
        except EvaluationError:
            return AT_A_LOSS
        except LimitError:
            if game.is_small:
                raise
            return AT_A_LOSS

    def _results(self, game: CompiledGame, state: State) -> Said:
        names = ("score", "wins") if game.is_final(state) else ("score",)
        return [game.of_players(name, state) for name in names]


def said_by(spec: c.Spec, situation: Situation) -> Said:
    """What a spec says to an event, by the evaluator."""
    instance = _instance(spec, situation.oracle)
    return outcome(instance, situation.position(), situation.as_event())


def outcome(instance: Instance, position: Position, event: Event, most: int = MOST_STEPS) -> Said:
    """What the rules say to an event in a position, if it sets off at most so many steps."""
    try:
        after = apply(instance, position, event, most)[-1].after
        who = winners(instance, after) if is_final(instance, after) else None
        return after, scores(instance, after), who
    except Refused:
        return REFUSED
    except EvaluationError:
        return AT_A_LOSS


def _instance(spec: c.Spec, oracle: Oracle) -> Instance:
    return Instance(spec, oracle.setup.players, dict(oracle.setup.readings))


def told_by(spec: c.Spec, mutant: c.Spec, situation: Situation) -> tuple[str, ...]:
    """What tells a mutant from the spec in a situation, by the evaluator: LEGAL if only one of them
    allows the event, else the variables that differ afterwards, and the results; nothing if they
    agree."""
    before = situation.position()
    right, wrong = said_by(spec, situation), said_by(mutant, situation)
    if right == wrong:
        return ()
    if REFUSED in (right, wrong) or right == AT_A_LOSS:
        return (LEGAL,)
    after, scored, won = right
    if wrong == AT_A_LOSS:  # whatever it does, it does not do what the spec does
        changed = [name for name in after if after[name] != before[name]]
        return tuple(changed) or (LEGAL,)
    found = [name for name in after if after[name] != wrong[0][name]]
    found += [SCORE] if scored != wrong[1] else []
    found += [WINS] if won != wrong[2] else []
    return tuple(found)
