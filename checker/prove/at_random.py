"""Plays at random to find something, and makes shorter what was found.

The compiled game is played, which goes far in little time; what it seems to meet is replayed in the
evaluator before it counts. A game found at random is longer than need be: events are left out for
as long as the rest can still be played, before the evaluator, which is slow, sees it. How long is
played is counted, so that the same is found on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from random import Random

from checker.budget import EVALUATED, EVENT, METER, SLOW_EVENT, Allowance
from checker.kernel.outcome import Game
from checker.play.compile.layout import State
from checker.play.compiled import Happening, Machine, machine_of
from checker.play.errors import EvaluationError, UsageError
from checker.play.instance import Instance
from checker.prove.replayed import replay
from checker.prove.target import OrdersDiffer, Sought, StepsDiffer, StepsGoOn, Watch

LONGEST = 1000
"""Events of a random game before another one is begun."""
MOST_EVENTS = 100_000
"""What does not come up in so many events is better asked of the solver."""
DETOURS = 20_000
SHORTEN = 3.0
"""Events that are tried on the way to a shorter game, and seconds' worth of work, if they are slow
to look at."""
SLOW = (StepsDiffer, StepsGoOn, OrdersDiffer)
"""What the evaluator has to be asked about after every event."""
DOUBTS = 5
"""So many games that the evaluator sees otherwise, and what they seemed to meet is given up."""


def play_at_random(
    instance: Instance, targets: Sequence[Sought], seconds: float, seed: int = 0, wanted: int = 1,
    most: int = MOST_EVENTS,
) -> dict[str, list[Game]]:  # fmt: skip
    """Games without detours, found by playing at random for so many events, and as much as so many
    seconds stand for, by what they show; so many different ones of each are wanted."""
    found: dict[str, list[Game]] = {target.name: [] for target in targets}
    try:
        machine = machine_of(instance)
    except UsageError:  # nothing to play
        return found
    random = Random(seed)
    allowed = Allowance(seconds)
    price = _price(targets)
    watched = [(target, target.watch(machine)) for target in targets]
    doubts = dict.fromkeys(found, 0)
    events = 0
    while watched and events < most and not allowed.over:
        start = next(machine.beginnings(random), None)
        if start is None:
            break
        game = _RandomGame(machine, start, watched)
        game.play(random)
        events += len(game.events) + 1
        allowed.charge(price * (len(game.events) + 1))
        for target, length in game.met:
            before = allowed.spent
            shown = _shown(machine, target, game.start, game.events[:length])
            allowed.grant(allowed.spent - before)  # that was not playing
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


def _price(targets: Sequence[Sought]) -> int:
    """What an event costs at which all of these are looked for."""
    return sum(SLOW_EVENT if isinstance(each, SLOW) else EVENT for each in targets)


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

    def play(self, random: Random) -> None:
        """Plays until all is met, or the game is over."""
        machine, state = self._machine, self._state
        self._look(state, at_start=True)
        while self._open and len(self.events) < LONGEST:
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
        met = [
            each for each in self._open
            if (not at_start or each[0].at_start) and each[1](before, self._state)
        ]  # fmt: skip
        for each in met:
            self.met.append((each[0], len(self.events)))
            self._open.remove(each)

    def _stop(self, error: EvaluationError | None) -> None:
        """Notes what is met where play stops; where nothing can be chosen, the evaluator may know
        of something that can be done."""
        targets = [each for each, _ in self._open if each.stops(error)]
        if targets and error is None:
            end = self._machine.position(self._state)
            targets = [each for each in targets if each.met(self._machine.instance, end, end)]
        self.met += [(each, len(self.events)) for each in targets]


def _shown(
    machine: Machine, target: Sought, start: State, events: Sequence[Happening]
) -> Game | None:
    """A game that the compiled game has met a target with, as the evaluator has it: without
    detours, or if it sees that otherwise, as it was."""
    instance, position = machine.instance, machine.position(start)
    for some in (_without_detours(machine, target, start, events), events):
        METER.charge(EVALUATED * len(some))
        shown = replay(instance, target, position, [machine.decode(each) for each in some])
        if shown is not None:
            return shown
    return None


def shortened(instance: Instance, target: Sought, game: Game) -> Game:
    """The game with events left out, as far as that is found."""
    machine = machine_of(instance)
    start = machine.load(dict(game.start))
    return _shown(machine, target, start, [machine.encode(each) for each in game.events]) or game


def _without_detours(
    machine: Machine, target: Sought, start: State, events: Sequence[Happening]
) -> list[Happening]:
    """The events of a game that meets a target, with some left out, first many at a time."""
    watch = target.watch(machine)
    events = list(events)
    states = _states(machine, start[:], events)
    left, price = DETOURS, _price([target])
    allowed = Allowance(SHORTEN)
    size = len(events) // 2
    while size:
        at = len(events) - size
        while at >= 0 and left > 0 and not allowed.over:
            rest = events[at + size :]
            length, tried = _met_after(machine, target, watch, states[at][:], rest)
            left -= tried
            allowed.charge(price * tried)
            if length is not None:
                events[at:] = rest[:length]
                states[at:] = _states(machine, states[at], events[at:])
            at = min(at - 1, len(events) - size)
        size -= 1 + size // 4
    return events


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
) -> tuple[int | None, int]:
    """After how many of the events a game meets a target that it has not met before, None if it
    does not or cannot go on so; and how many of them were tried."""
    for number, event in enumerate(events, 1):
        try:
            if not machine.allows(state, event):
                return None, number
            before = state[:]
            for _ in machine.steps(state, event):
                if watch(before, state):
                    return number, number
                before = state[:]
        except EvaluationError as error:
            return (number if target.stops(error) else None), number
    stands = target.stops(None) and not machine.is_final(state)
    stopped = stands and machine.choose(state, Random(0)) is None
    return (len(events) if stopped else None), 1 + len(events)
