"""Plays at random to find something, and makes shorter what was found.

The compiled game is played, which goes far in little time; what it seems to meet is replayed in the
evaluator before it counts. A game found at random is longer than need be: events are left out for
as long as the rest can still be played. Time is that of the processor, so that the same is found
whatever else the machine is busy with.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from time import process_time

from checker.play.compile.layout import State
from checker.play.compiled import Happening, Machine, machine_of
from checker.play.errors import EvaluationError, UsageError
from checker.play.instance import Instance
from checker.prove.replayed import replay
from checker.prove.target import Sought, Watch
from checker.prove.verdict import Game

LONGEST = 1000
"""Events of a random game before another one is begun."""
MOST_EVENTS = 300_000
"""What does not come up in so many events is better asked of the solver."""
DOUBTS = 5
"""So many games that the evaluator sees otherwise, and what they seemed to meet is given up."""


def play_at_random(
    instance: Instance, targets: Sequence[Sought], seconds: float, seed: int = 0, wanted: int = 1
) -> dict[str, list[Game]]:
    """Games found by playing at random for a while, by what they show; so many different ones of
    each are wanted."""
    found: dict[str, list[Game]] = {target.name: [] for target in targets}
    try:
        machine = machine_of(instance)
    except UsageError:  # nothing to play
        return found
    random = Random(seed)
    until = process_time() + seconds
    watched = [(target, target.watch(machine)) for target in targets]
    doubts = dict.fromkeys(found, 0)
    events = 0
    while watched and events < MOST_EVENTS and process_time() < until:
        start = next(machine.beginnings(random), None)
        if start is None:
            break
        game = _RandomGame(machine, start, watched)
        game.play(random, until)
        events += len(game.events) + 1
        position = machine.position(game.start)
        for target, length in game.met:
            used = [machine.decode(each) for each in game.events[:length]]
            began = process_time()
            shown = replay(instance, target, position, used)
            until += process_time() - began  # that was not playing
            if shown is None:
                doubts[target.name] += 1
            elif shown not in found[target.name]:
                found[target.name].append(shown)
        watched = [
            (target, watch)
            for target, watch in watched
            if len(found[target.name]) < wanted and doubts[target.name] < DOUBTS
        ]
    return found


class _RandomGame:
    """One game at random, and after how many events it first meets something."""

    def __init__(
        self, machine: Machine, start: State, watched: Sequence[tuple[Sought, Watch]]
    ) -> None:
        self.start = start[:]
        self.events: list[Happening] = []
        self.met: list[tuple[Sought, int]] = []
        self._machine = machine
        self._state = start
        self._open = list(watched)

    def play(self, random: Random, until: float) -> None:
        """Plays until all is met, or the game or the time is over."""
        machine, state = self._machine, self._state
        self._look(state, at_start=True)
        while self._open and len(self.events) < LONGEST and process_time() < until:
            try:
                event = machine.choose(state, random)
            except EvaluationError:  # choosing stumbles over what one event would ask
                return
            if event is None:
                if not machine.is_final(state):
                    self._stop(None)
                return
            self.events.append(event)
            before = state[:]
            try:
                for _ in machine.steps(state, event):
                    self._look(before)
                    before = state[:]
            except EvaluationError as error:
                self._stop(error)
                return

    def _look(self, before: State, at_start: bool = False) -> None:
        for each in self._open[:]:
            target, watch = each
            if (target.at_start or not at_start) and watch(before, self._state):
                self.met.append((target, len(self.events)))
                self._open.remove(each)

    def _stop(self, error: EvaluationError | None) -> None:
        self.met += [(each, len(self.events)) for each, _ in self._open if each.stops(error)]


def shortened(instance: Instance, target: Sought, game: Game, seconds: float) -> Game:
    """The game with events left out, first many at a time, as long as there is time."""
    machine = machine_of(instance)
    watch = target.watch(machine)
    events = [machine.encode(each) for each in game.events]
    states = _states(machine, machine.load(dict(game.start)), events)
    until = process_time() + seconds
    size = len(events) // 2
    while size:
        at = len(events) - size
        while at >= 0 and process_time() < until:
            rest = events[at + size :]
            length = _met_after(machine, target, watch, states[at][:], rest)
            if length is not None:
                events[at:] = rest[:length]
                states[at:] = _states(machine, states[at], events[at:])
            at = min(at - 1, len(events) - size)
        size -= 1 + size // 4
    shorter = replay(instance, target, dict(game.start), [machine.decode(each) for each in events])
    return game if shorter is None else shorter


def _states(machine: Machine, state: State, events: Sequence[Happening]) -> list[State]:
    """The states in which each of the events happens."""
    found = []
    for event in events:
        found.append(state)
        state = state[:]
        with suppress(EvaluationError):  # the last event may be one that goes wrong
            machine.apply(state, event)
    return found


def _met_after(
    machine: Machine, target: Sought, watch: Watch, state: State, events: Sequence[Happening]
) -> int | None:
    """After how many of the events a game meets a target that it has not met before, None if it
    does not or cannot go on so."""
    for number, event in enumerate(events, 1):
        try:
            if not machine.allows(state, event):
                return None
            before = state[:]
            for _ in machine.steps(state, event):
                if watch(before, state):
                    return number
                before = state[:]
        except EvaluationError as error:
            return number if target.stops(error) else None
    stands = target.stops(None) and not machine.is_final(state)
    return len(events) if stands and machine.choose(state, Random(0)) is None else None
