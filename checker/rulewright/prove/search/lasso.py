"""Lasso search: looks for an endless game, one that comes back to a position it has been in before.

A few games are played at random to their end, if they have one: some go round in circles by
themselves. Then games are played against their end: of what can happen, that is taken which leaves
the measure highest and leads closest to a position the game has already been in. Chance is on the
side of whoever wants to go on, since `ends` speaks of every game, the unlikely ones too. The
compiled game is played, for speed; what is found is replayed in the evaluator.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from rulewright.kernel.outcome import WitnessGame
from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import Refused, apply
from rulewright.play.semantics.values import Position
from rulewright.prove.search.replay_witness import turns
from rulewright.prove.verdict.validate_model import measured
from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State, compiled_game
from rulewright.system.work_budget import EVALUATED, EVENT, METER, Allowance

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
RANKED = 6 * EVALUATED
"""One position that is taken out of the compiled game and measured."""
SHORT = 100
"""Events; where a game is longer, a shorter one is looked for with what is left."""


def find_lasso(
    instance: Instance, ends: c.Ends, seconds: float, seed: int = 0
) -> WitnessGame | None:
    """A game that goes round in circles, None if none was found with as much as so many seconds
    stand for."""
    random = Random(seed)
    allowed = Allowance(seconds)
    game = compiled_game(instance)
    best: WitnessGame | None = None
    for attempt in range(GAMES + ATTEMPTS):
        if allowed.over:
            break
        if attempt < GAMES and best is not None:
            continue
        walk = _Walk(game, ends, random)
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

    def __init__(self, game: CompiledGame, ends: c.Ends, random: Random) -> None:
        self._game = game
        self._ends = ends
        self._random = random
        self._been: list[State] = [game.begin(random)]
        self._events: list[Happening] = []

    def play(self, events: int) -> WitnessGame | None:
        """So many events at random, short of the end; a circle, if they go round in one."""
        game = self._game
        for _ in range(events):
            event = game.choose(self._been[-1], self._random)
            if event is None:
                break
            state = game.apply(self._been[-1], event)
            METER.charge(EVENT)
            if game.is_final(state):
                break
            if state in self._been[-RECENT:]:
                return self._closed(event, state)
            self._events.append(event)
            self._been.append(state)
        return None

    def circle(self, allowed: Allowance) -> WitnessGame | None:
        """Goes on against the end, until the game is where it has been."""
        for _ in range(LONGEST):
            if self._game.is_final(self._been[-1]) or allowed.over:
                return None
            ways = list(self._ways(self._been[-1]))
            allowed.charge((EVENT + RANKED) * len(ways))
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
        game, random = self._game, self._random
        by_kind: dict[int, list[Happening]] = {}
        for event in game.legal(state):
            by_kind.setdefault(event[0], []).append(event)
        listed = [
            event
            for events in by_kind.values()
            for event in random.sample(events, min(MOVES, len(events)))
        ]
        outcomes = [event for _, event in game.outcomes(state)]
        listed += random.sample(outcomes, min(OUTCOMES, len(outcomes)))
        for event in listed:
            yield event, game.apply(state, event)

    def _rank(self, state: State) -> tuple[tuple[int, ...], int, float]:
        game = self._game
        measure = measured(game.instance, self._ends, game.position(state))
        nearest = min(_distance(state, each) for each in self._been)
        return measure, -nearest, self._random.random()

    def _closed(self, event: Happening, state: State) -> WitnessGame | None:
        """The circle, played in the evaluator."""
        game = self._game
        events = tuple(game.decode(each) for each in (*self._events, event))
        start = game.position(self._been[0])
        return closed(game.instance, start, events, self._been.index(state))


def _distance(one: State, other: State) -> int:
    """How much differs, bit by bit."""
    differing = int.from_bytes(one, "little") ^ int.from_bytes(other, "little")
    return differing.bit_count()


def _shortest(instance: Instance, game: WitnessGame, allowed: Allowance) -> WitnessGame:
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
) -> WitnessGame | None:
    """The game, if after all events it is where it was after the first `lasso` of them."""
    been = [start]
    try:
        for event in events:
            been.append(apply(instance, been[-1], event)[-1].after)
    except (Refused, EvaluationError):
        return None
    if been[loop] != been[-1]:
        return None
    return WitnessGame(start, events, been[-1], turns(instance, start, events), None, loop)
