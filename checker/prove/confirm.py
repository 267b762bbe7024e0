"""Replays in the evaluator what a solver found, before anybody sees it.

A position at which an induction fails must satisfy every invariant, allow the event, and lead to
where the goal is broken; all three are asked of the evaluator, which knows nothing of terms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from checker.play.errors import EvaluationError
from checker.play.event import Event
from checker.play.rules import broken_always, broken_invariants, failing, take
from checker.prove.ground import Ground
from checker.prove.sheet import Goal, Sheet


def confirmed(
    ground: Ground, sheet: Sheet, goal: Goal, position: Mapping[str, Any], event: Event | None
) -> bool:
    """Whether the evaluator agrees that the goal fails here; goals that are not about what a
    transition leads to are believed."""
    instance, before = ground.instance, dict(position)
    if goal.kind not in ("invariant", "always", "safety"):
        return True
    try:
        if sheet.transition is None:  # at the start
            broken = broken_invariants(instance, before)
            return goal.kind != "invariant" or goal.name in [each.name for each in broken]
        if broken_invariants(instance, before):
            return False
        if event is not None and failing(instance, before, event):
            return False
        happened = take(instance, before, sheet.transition, event)
        if goal.kind == "safety":
            return False
        if goal.kind == "invariant":
            broken = broken_invariants(instance, happened.after)
        else:
            broken = broken_always(instance, happened)
        return goal.name in [each.name for each in broken]
    except EvaluationError:
        return True
