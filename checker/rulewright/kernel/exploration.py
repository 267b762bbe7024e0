"""Rule EXPLORED: what holds in every position that a game can reach holds.

All positions are gone through with the evaluator, which is what a spec means: every start, every
move with all of its arguments, every outcome of chance, every step on the way. A game with too many
positions, or with moves that are only proposed and so cannot be listed, is left to others.
"""

from __future__ import annotations

from typing import Any

from rulewright.meaning import core as c
from rulewright.play.semantics.asking import Asking, VastError
from rulewright.play.semantics.chance import outcomes
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.initial_states import initial_positions
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.legal_moves import legal_moves
from rulewright.play.semantics.rules import apply, is_final
from rulewright.play.semantics.values import Position, frozen

MOST_POSITIONS = 1_500
MOST_EVENTS = 12_000
MOST_ASKED = 200_000
"""More positions, events and requirements are not gone through: the evaluator is plain."""


def explored(instance: Instance, claim: c.Property | None, asking: bool = False) -> int | None:
    """How many positions there are, if a property holds in all (a `possible`: in none), or without
    one, if there is a way on from each that is not the end; None if not, or if they are many. With
    `asking` it is whether all has a value that is asked for, also of moves that nobody may make."""
    if any(each.proposals for each in instance.spec.transitions):
        return None
    try:
        return _Exploration(instance, claim, asking).count()
    except (EvaluationError, UsageError, VastError):
        return None


class _Exploration:
    def __init__(self, instance: Instance, claim: c.Property | None, asking: bool) -> None:
        self._instance = instance
        self._claim = claim
        self._asking = Asking(instance, MOST_ASKED) if asking else None
        self._way_on = claim is None and not asking
        self._seen: set[Any] = set()
        self._waiting: list[Position] = []
        self._events = 0

    def count(self) -> int | None:
        for start in initial_positions(self._instance):
            across = self._claim is not None and self._claim.kind == "always"
            if not (across or self._holds(start, start)) or not self._add(start):
                return None
        while self._waiting:
            position = self._waiting.pop()
            if self._asking is not None:
                self._asking.ask(position)
            if is_final(self._instance, position):
                continue
            events = [*legal_moves(self._instance, position)]
            events += [event for event, _ in outcomes(self._instance, position)]
            self._events += len(events)
            if self._events > MOST_EVENTS or (self._way_on and not events):
                return None
            for event in events:
                happened = apply(self._instance, position, event)
                fine = all(self._holds(each.before, each.after) for each in happened)
                if not fine or not self._add(happened[-1].after):
                    return None
        return len(self._seen)

    def _holds(self, before: Position, after: Position) -> bool:
        """Whether the property holds of a position and the one before it."""
        claim, env = self._claim, Environment(self._instance, before, after)
        try:
            said = claim is None or evaluate(claim.claim, env) is True
        except EvaluationError:
            said = False
        return said is not (claim is not None and claim.kind == "possible")

    def _add(self, position: Position) -> bool:
        """Notes a position; whether there are not too many by now."""
        key = tuple(frozen(value) for value in position.values())
        if key not in self._seen:
            self._seen.add(key)
            self._waiting.append(position)
        return len(self._seen) <= MOST_POSITIONS
