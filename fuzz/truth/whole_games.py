"""Whole games: whether one can go on for ever, how often it is in a phase, whether a measure falls.

A round begins whenever a game is in the phase of a measure, after an event and all its steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position


class Place:
    """A position in which events happen: after an event and all its steps, or at the start."""

    __slots__ = ("after", "events", "gone", "number", "position", "turns")

    def __init__(self, number: int, position: Position, events: int, turns: int, gone: int) -> None:
        self.number = number
        self.position = position
        self.events = events
        """The fewest events after which a game is here."""
        self.turns = turns
        """Turns that have begun in some such game."""
        self.gone = gone
        """Turns that it took to get here."""
        self.after: list[Place] = []


def breaks_measure(instance: Instance, ends: c.Ends, places: Sequence[Place]) -> Iterator[Place]:
    """Places where a measure has no value or is negative, or from which it does not fall until the
    next time that its phase is entered."""
    measures: dict[int, tuple[int, ...]] = {}
    for place in places:
        if place.position.get("phase") == ends.at:
            env = Environment(instance, place.position)
            try:
                measures[place.number] = tuple(evaluate(e, env) for e in ends.measure)
            except EvaluationError:
                yield place
                return
            if min(measures[place.number]) < 0:
                yield place
    for place in places:
        if place.number not in measures:
            continue
        seen: set[int] = set()
        waiting = list(place.after)
        while waiting:
            after = waiting.pop()
            if after.number in seen:
                continue
            seen.add(after.number)
            if after.number in measures:
                if measures[after.number] >= measures[place.number]:
                    yield place
            else:
                waiting += after.after


def in_order(places: list[Place]) -> list[Place] | None:
    """The places such that what follows comes later, None if there is a circle."""
    before = {place.number: 0 for place in places}
    for place in places:
        for after in place.after:
            before[after.number] += 1
    ready = [place for place in places if not before[place.number]]
    order = []
    while ready:
        place = ready.pop()
        order.append(place)
        for after in place.after:
            before[after.number] -= 1
            if not before[after.number]:
                ready.append(after)
    return order if len(order) == len(places) else None


def most_rounds(order: list[Place], phase: str) -> int:
    """The most places in a phase that one game goes through."""
    most = {place.number: 0 for place in order}
    for place in order:
        here = most[place.number] = most[place.number] + (place.position.get("phase") == phase)
        for after in place.after:
            most[after.number] = max(most[after.number], here)
    return max(most.values(), default=0)
