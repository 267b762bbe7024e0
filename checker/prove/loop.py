"""Looks for a game without an end: one that comes back to a position it has been in before.

Games that could end are played against their end: of what can happen, that is taken which leaves
the measure highest and leads closest to a position the game has already been in. Chance is on the
side of whoever wants to go on, since `ends` speaks of every game, the unlikely ones too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from time import perf_counter
from typing import Any

from checker.meaning import core as c
from checker.play.beginning import initial_positions
from checker.play.errors import EvaluationError
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.listing import legal_events
from checker.play.rules import Refused, apply, is_final
from checker.play.values import Position
from checker.prove.confirm import measured
from checker.prove.replayed import BEGINNINGS, turns
from checker.prove.verdict import Game

LISTED = 150
"""So many events of each kind are looked at."""
LONGEST = 80
"""Events of one attempt."""


def endless(instance: Instance, ends: c.Ends, seconds: float, seed: int = 0) -> Game | None:
    """A game that goes round in circles, None if none was found in the time."""
    random = Random(seed)
    until = perf_counter() + seconds
    beginnings = list(islice(initial_positions(instance), BEGINNINGS))
    attempt = 0
    while beginnings and perf_counter() < until:
        walk = _Walk(instance, ends, random.choice(beginnings), random)
        found = walk.circle(attempt, until)
        if found is not None:
            return _shortest(instance, found)
        attempt += 1
    return None


class _Walk:
    """One attempt: some events at random, then against the end."""

    def __init__(self, instance: Instance, ends: c.Ends, start: Position, random: Random) -> None:
        self._instance = instance
        self._ends = ends
        self._random = random
        self._been = [start]
        self._events: list[Event] = []

    def circle(self, at_random: int, until: float) -> Game | None:
        for number in range(at_random + LONGEST):
            here = self._been[-1]
            if is_final(self._instance, here) or perf_counter() > until:
                return None
            ways = list(self._ways(here))
            if not ways:
                return None
            for event, after in ways:
                if after in self._been:
                    return self._closed(event, after)
            event, after = self._random.choice(ways)
            if number >= at_random:
                event, after = max(ways, key=lambda way: self._rank(way[1]))
            self._events.append(event)
            self._been.append(after)
        return None

    def _ways(self, position: Position) -> Iterator[tuple[Event, Position]]:
        """What can happen and where it leads, in any order."""
        for transition in self._instance.spec.transitions:
            if transition.kind == "step":
                continue
            try:
                listed = legal_events(self._instance, position, transition)
                for event in islice(listed, LISTED):
                    yield event, apply(self._instance, position, event)[-1].after
            except EvaluationError:  # `safe` tells of it
                continue

    def _rank(self, position: Position) -> tuple[tuple[int, ...], int, float]:
        try:
            measure = measured(self._instance, self._ends, position)
        except EvaluationError:
            measure = ()
        nearest = min(_distance(position, each) for each in self._been)
        return measure, -nearest, self._random.random()

    def _closed(self, event: Event, position: Position) -> Game:
        events = (*self._events, event)
        start = self._been[0]
        count = turns(self._instance, start, events)
        return Game(start, events, position, count, None, self._been.index(position))


def _distance(one: Any, other: Any) -> int:
    """How many things differ."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return sum(_distance(one[key], other.get(key)) for key in one)
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        return len(one ^ other)
    return int(one != other)


def _shortest(instance: Instance, game: Game) -> Game:
    """The game with events left out before the circle, as long as the circle still closes."""
    at = (game.loop or 0) - 1
    while at >= 0:
        events = (*game.events[:at], *game.events[at + 1 :])
        found = closed(instance, dict(game.start), events, (game.loop or 0) - 1)
        game = found or game
        at = min(at, game.loop or 0) - 1
    return game


def closed(
    instance: Instance, start: Position, events: tuple[Event, ...], loop: int
) -> Game | None:
    """The game, if after all events it is where it was after the first `loop` of them."""
    been = [start]
    try:
        for event in events:
            been.append(apply(instance, been[-1], event)[-1].after)
    except (Refused, EvaluationError):
        return None
    if been[loop] != been[-1]:
        return None
    return Game(start, events, been[-1], turns(instance, start, events), None, loop)
