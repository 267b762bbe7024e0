"""Rule EXPLORED: what holds in every position that a game can reach holds.

All positions are gone through with the evaluator, which is what a spec means: every start, every
move with all of its arguments, every outcome of chance, every step on the way. A game with too many
positions, or with moves that are only proposed and so cannot be listed, is left to others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulewright.play.semantics.chance import outcomes
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_positions
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.legal_moves import legal_moves
from rulewright.play.semantics.rules import apply, is_final
from rulewright.play.semantics.values import Position, frozen

MOST_POSITIONS = 1_500
MOST_EVENTS = 12_000
"""More positions and events are not gone through: the evaluator is plain, not fast."""

Holds = Callable[[Position, Position], bool]
"""Whether a claim holds of a position and the one before it; of a start, that is itself."""


def explored(instance: Instance, holds: Holds, way_on: bool) -> int | None:
    """How many positions there are, if a claim holds in all of them and (where `way_on` is asked
    for) there is a way on from each that is not the end; None if not, or if they are too many."""
    if any(each.proposals for each in instance.spec.transitions):
        return None
    try:
        return _Exploration(instance, holds, way_on).count()
    except (EvaluationError, UsageError):
        return None


class _Exploration:
    def __init__(self, instance: Instance, holds: Holds, way_on: bool) -> None:
        self._instance = instance
        self._holds = holds
        self._way_on = way_on
        self._seen: set[Any] = set()
        self._waiting: list[Position] = []
        self._events = 0

    def count(self) -> int | None:
        for start in initial_positions(self._instance):
            if not self._holds(start, start) or not self._add(start):
                return None
        while self._waiting:
            position = self._waiting.pop()
            if is_final(self._instance, position):
                continue
            nothing = True
            for event in self._events_in(position):
                nothing = False
                self._events += 1
                happened = apply(self._instance, position, event)
                fine = all(self._holds(each.before, each.after) for each in happened)
                if not fine or self._events > MOST_EVENTS or not self._add(happened[-1].after):
                    return None
            if nothing and self._way_on:
                return None
        return len(self._seen)

    def _events_in(self, position: Position) -> Iterator[Event]:
        yield from legal_moves(self._instance, position)
        yield from (event for event, _ in outcomes(self._instance, position))

    def _add(self, position: Position) -> bool:
        """Notes a position; whether there are not too many by now."""
        key = tuple(frozen(value) for value in position.values())
        if key not in self._seen:
            self._seen.add(key)
            self._waiting.append(position)
        return len(self._seen) <= MOST_POSITIONS
