"""Looks for a game without an end: one that comes back to a position it has been in before.

A few games are played at random to their end, if they have one: some go round in circles by
themselves. Then games are played against their end: of what can happen, that is taken which leaves
the measure highest and leads closest to a position the game has already been in. Chance is on the
side of whoever wants to go on, since `ends` speaks of every game, the unlikely ones too. The
compiled game is played, for speed; what is found is replayed in the evaluator.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from checker.budget import EVALUATED, EVENT, METER, Allowance
from checker.kernel.outcome import Game
from checker.meaning import core as c
from checker.play.compile.layout import State
from checker.play.compiled import Happening, Machine, machine_of
from checker.play.errors import EvaluationError
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.rules import Refused, apply
from checker.play.values import Position
from checker.prove.confirm import measured
from checker.prove.replayed import turns

MOVES = 8
OUTCOMES = 100
"""So many moves of each kind are looked at, and so many outcomes of chance."""
LONGEST = 60
"""Events of one attempt, after those at random."""
ATTEMPTS = 200
AT_RANDOM = (0, 4, 16, 64, 256)
"""Events at random before the end is avoided, in one attempt after the other."""
TO_THE_END = 1000
GAMES = 20
"""Events of a game that is only played at random, and how many such games there are."""
SHORTEN = 2.0
"""Seconds' worth of work for making a game shorter."""
RECENT = 12
"""Positions back to which such a game may go in a circle."""
SHORT = 100
"""Events; where a game is longer, a shorter one is looked for with what is left."""


def endless(instance: Instance, ends: c.Ends, seconds: float, seed: int = 0) -> Game | None:
    """A game that goes round in circles, None if none was found with as much as so many seconds
    stand for."""
    random = Random(seed)
    allowed = Allowance(seconds)
    machine = machine_of(instance)
    best: Game | None = None
    for attempt in range(GAMES + ATTEMPTS):
        if allowed.over:
            break
        if attempt < GAMES and best is not None:
            continue
        walk = _Walk(machine, ends, random)
        allowed.charge(EVENT)
        try:
            if attempt < GAMES:
                found = walk.play(TO_THE_END)
            else:
                found = walk.play(AT_RANDOM[attempt % len(AT_RANDOM)]) or walk.circle(allowed)
        except EvaluationError:  # `safe` tells of it
            found = None
        if found is not None and (best is None or len(found.events) < len(best.events)):
            best = found
        if best is not None and len(best.events) <= SHORT:
            break
    return None if best is None else _shortest(instance, best, Allowance(SHORTEN))


class _Walk:
    """One attempt."""

    def __init__(self, machine: Machine, ends: c.Ends, random: Random) -> None:
        self._machine = machine
        self._ends = ends
        self._random = random
        self._been: list[State] = [machine.begin(random)]
        self._events: list[Happening] = []

    def play(self, events: int) -> Game | None:
        """So many events at random, short of the end; a circle, if they go round in one."""
        machine = self._machine
        for _ in range(events):
            state = self._been[-1][:]
            event = machine.choose(state, self._random)
            if event is None:
                break
            machine.apply(state, event)
            METER.charge(EVENT)
            if machine.is_final(state):
                break
            if state in self._been[-RECENT:]:
                return self._closed(event, state)
            self._events.append(event)
            self._been.append(state)
        return None

    def circle(self, allowed: Allowance) -> Game | None:
        """Goes on against the end, until the game is where it has been."""
        for _ in range(LONGEST):
            if self._machine.is_final(self._been[-1]) or allowed.over:
                return None
            ways = list(self._ways(self._been[-1]))
            allowed.charge((EVENT + EVALUATED) * len(ways))
            if not ways:
                return None
            for event, after in ways:
                if after in self._been:
                    return self._closed(event, after)
            event, after = max(ways, key=lambda way: self._rank(way[1]))
            self._events.append(event)
            self._been.append(after)
        return None

    def _ways(self, state: State) -> Iterator[tuple[Happening, State]]:
        """What can happen and where it leads: some moves of each kind, or what chance decides."""
        machine, random = self._machine, self._random
        by_kind: dict[int, list[Happening]] = {}
        for event in machine.legal(state):
            by_kind.setdefault(event[0], []).append(event)
        listed = [
            event
            for events in by_kind.values()
            for event in random.sample(events, min(MOVES, len(events)))
        ]
        outcomes = [event for _, event in machine.outcomes(state)]
        listed += random.sample(outcomes, min(OUTCOMES, len(outcomes)))
        for event in listed:
            after = state[:]
            machine.apply(after, event)
            yield event, after

    def _rank(self, state: State) -> tuple[tuple[int, ...], int, float]:
        machine = self._machine
        measure = measured(machine.instance, self._ends, machine.position(state))
        nearest = min(_distance(state, each) for each in self._been)
        return measure, -nearest, self._random.random()

    def _closed(self, event: Happening, state: State) -> Game | None:
        """The circle, played in the evaluator."""
        machine = self._machine
        events = tuple(machine.decode(each) for each in (*self._events, event))
        start = machine.position(self._been[0])
        return closed(machine.instance, start, events, self._been.index(state))


def _distance(one: State, other: State) -> int:
    """How many things differ."""
    return sum(_apart(here, there) for here, there in zip(one, other) if here != there)


def _apart(one: Any, other: Any) -> int:
    if isinstance(one, dict) and isinstance(other, dict):
        keys = one.keys() | other.keys()
        return sum(one.get(key) != other.get(key) for key in keys)
    return 1


def _shortest(instance: Instance, game: Game, allowed: Allowance) -> Game:
    """The game with events left out before the circle, as long as the circle still closes and
    there is work left."""
    at = (game.loop or 0) - 1
    while at >= 0 and not allowed.over:
        allowed.charge(EVALUATED * len(game.events))
        events = (*game.events[:at], *game.events[at + 1 :])
        game = closed(instance, dict(game.start), events, (game.loop or 0) - 1) or game
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
