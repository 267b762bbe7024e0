"""Validation of models: replays in the evaluator what a solver found, before anybody sees it.

A position must be one that the question was about: the invariants hold in it, the events are
allowed. And it must show what it is said to show: the claim is broken afterwards, nothing can
happen, two orders lead apart, the measure does not fall. The evaluator is asked for each of these;
it knows nothing of terms. Whatever it does not see is told as a doubt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.kernel.query import Goal, Query
from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position, start_of
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.legal_moves import is_stuck
from rulewright.play.semantics.rules import (
    Refused,
    apply,
    broken_invariants,
    due_step,
    failing,
    is_final,
    scores,
    take,
    unmet,
    winners,
)
from rulewright.play.semantics.values import Position
from rulewright.vc.conditions import RESULT, SETTLED
from rulewright.vc.context import ProofContext

NEGATIVE = "the measure is negative"
STAYS = "the measure does not fall"
LONG = "a round goes on and on"
"""What can be wrong with a measure."""
NOT_TRIED = "nothing that is proposed is allowed there, but not every move was tried"
UNSEEN = "a position was found that the evaluator does not confirm"


def doubted(
    context: ProofContext,
    query: Query,
    goal: Goal,
    position: Mapping[str, Any],
    events: Sequence[Event],
) -> str | None:
    """Why a position and events do not show what they should; None if the evaluator agrees."""
    instance, before = context.instance, dict(position)
    match goal.kind:
        case "theorem":
            return _unless(not claim_holds(instance, _property(instance, goal.name), {}, {}))
        case "start":
            return _unless(_can_begin(instance, before))
        case "requirement" | "vacuity" | "transition" | "sanity" | "possible":
            return None  # nobody is shown these positions, and no verdict rests on one
        case "safety" if query.label == "begins":
            return _unless(_stops_at_start(instance, before))
        case "invariant" if query.label == "begins":
            broken = not claim_holds(instance, _property(instance, goal.name), before, before)
            return _unless(_can_begin(instance, before) and broken)
        case "flow" if query.label == "begins":
            return _doubted_stuck(instance, before, _can_begin(instance, before))
    if not invariants_hold(instance, before):
        return UNSEEN
    match goal.kind:
        case "safety" if query.label == RESULT:
            return _unless(_without_result(instance, before))
        case "invariant" | "always" | "safety":
            return _unless(_breaks(instance, query, goal, before, events))
        case "order":
            return _unless(orders_differ(instance, before, *events))
        case "steps" if goal.name == "one_step":
            return _unless(steps_differ(instance, before))
        case "steps":
            return _unless(steps_left(instance, before, len(instance.of_kind("step"))))
        case "flow":
            return _doubted_stuck(instance, before, False)
        case "ends":
            ends = next(each for each in instance.spec.ends if each.name == goal.name)
            return _unless(_endless(instance, ends, goal, before, events))
        case kind:
            raise AssertionError(kind)


def _unless(seen: bool) -> str | None:
    return None if seen else UNSEEN


def _property(instance: Instance, name: str) -> c.Property:
    return next(each for each in instance.spec.properties if each.name == name)


def claim_holds(
    instance: Instance, property: c.Property, before: Position, after: Position
) -> bool:
    """Whether a claim has a value and that is true."""
    try:
        return bool(evaluate(property.claim, Environment(instance, before, after)))
    except EvaluationError:
        return False


def invariants_hold(instance: Instance, position: Position) -> bool:
    """Whether all invariants have a value and are true, but for those known to fail."""
    try:
        return not broken_invariants(instance, position)
    except EvaluationError:
        return False


def _can_begin(instance: Instance, position: Position) -> bool:
    """Whether a game can begin in this very position."""
    try:
        return initial_position(instance, start_of(instance, position)) == position
    except (EvaluationError, UsageError):
        return False


def _stops_at_start(instance: Instance, position: Position) -> bool:
    """Whether beginning like this asks for something that has no value."""
    try:
        initial_position(instance, start_of(instance, position))
    except EvaluationError:
        return True
    except UsageError:
        return False
    return False


def _without_result(instance: Instance, position: Position) -> bool:
    """Whether the game is over and how it ended has no value."""
    try:
        scores(instance, position)
        winners(instance, position)
    except EvaluationError:
        return is_final(instance, position)
    return False


def _breaks(
    instance: Instance, query: Query, goal: Goal, before: Position, events: Sequence[Event]
) -> bool:
    """Whether a transition can happen here and breaks a claim, or leaves what has a value."""
    transition = query.transition
    assert transition is not None
    event = events[0] if events else None
    try:
        due = due_step(instance, before)
        if event is None and (due is None or due.name != transition.name):
            return False
        if due is not None and any(each.label == SETTLED for each in query.assumed):
            return False
        if event is not None and failing(instance, before, event):
            return False
        happened = take(instance, before, transition, event)
    except EvaluationError:
        return goal.kind == "safety"
    if goal.kind == "safety":
        return False
    property = _property(instance, goal.name)
    if property.kind == "invariant" and not claim_holds(instance, property, before, before):
        return False
    return not claim_holds(instance, property, happened.before, happened.after)


def orders_differ(instance: Instance, position: Position, one: Event, other: Event) -> bool:
    """Whether it matters which of two moves comes first. Where both are allowed: a step comes
    between, the second is refused, or they lead to different positions. Where one is not: the other
    makes it allowed while the phase still waits for answers."""
    try:
        refused = [bool(failing(instance, position, each)) for each in (one, other)]
        if all(refused):
            return False
        if any(refused):
            return _enables(instance, position, *((other, one) if refused[0] else (one, other)))
        ways = [_in_turn(instance, position, pair) for pair in ((one, other), (other, one))]
    except EvaluationError:
        return False
    return None in ways or ways[0] != ways[1]


def _enables(instance: Instance, position: Position, first: Event, second: Event) -> bool:
    """Whether a move makes another one allowed that is refused here."""
    after = apply(instance, position, first)[-1].after
    waits = after.get("phase") == position.get("phase") and first.by in after["answered"]
    return waits and not failing(instance, after, second)


def _in_turn(
    instance: Instance, position: Position, events: tuple[Event, Event]
) -> Position | None:
    """Where two moves lead, None if they cannot follow each other at once."""
    first, second = events
    between = take(instance, position, instance.transitions[first.name], first).after
    if due_step(instance, between) is not None or failing(instance, between, second):
        return None
    return take(instance, between, instance.transitions[second.name], second).after


def steps_differ(instance: Instance, position: Position) -> bool:
    """Whether two steps are due that lead to different positions."""
    try:
        env = Environment(instance, position)
        due = [each for each in instance.of_kind("step") if not unmet(each.requirements, env)]
        after = [take(instance, position, each, None).after for each in due]
    except EvaluationError:
        return False
    return any(each != after[0] for each in after[1:])


def steps_left(instance: Instance, position: Position, most: int) -> bool:
    """Whether after so many steps another one is due."""
    try:
        for _ in range(most):
            step = due_step(instance, position)
            if step is None:
                return False
            position = take(instance, position, step, None).after
        return due_step(instance, position) is not None
    except EvaluationError:
        return False


def stuck(instance: Instance, position: Position, at_start: bool = False) -> bool:
    """Whether the game is not over and nothing can happen, as far as moves can be listed. A step
    that is due runs only after an event, and so not at the start."""
    try:
        waits = not at_start and due_step(instance, position) is not None
        return not waits and is_stuck(instance, position)
    except EvaluationError:
        return False


def only_proposed(instance: Instance, position: Position) -> bool:
    """Whether some moves of this phase are not listed in full but by what the spec proposes."""
    moves = instance.of_kind("move")
    return any(each.proposals and position.get("phase") in each.phases for each in moves)


def _doubted_stuck(instance: Instance, position: Position, at_start: bool) -> str | None:
    if not stuck(instance, position, at_start):
        return UNSEEN
    if only_proposed(instance, position):
        return NOT_TRIED
    return None


def measured(instance: Instance, ends: c.Ends, position: Position) -> tuple[int, ...]:
    """The measure of a position, part by part."""
    return tuple(evaluate(part, Environment(instance, position)) for part in ends.measure)


def _endless(
    instance: Instance, ends: c.Ends, goal: Goal, position: Position, events: Sequence[Event]
) -> bool:
    """Whether the measure is negative here, or does not fall in the round that is played, or the
    round goes on after all these events; as the goal says."""
    if position.get("phase") != ends.at:
        return False
    try:
        before = measured(instance, ends, position)
        if goal.note == NEGATIVE:
            return min(before) < 0
        for event in events:
            position = apply(instance, position, event)[-1].after
            if position.get("phase") == ends.at:
                return goal.note == STAYS and measured(instance, ends, position) >= before
            if is_final(instance, position):
                return False
    except (EvaluationError, Refused):
        return False
    return goal.note == LONG
