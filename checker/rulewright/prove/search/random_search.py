"""Random search: plays random games until one meets a goal, and makes that game short.

The compiled game is played, because it is fast. What it finds is replayed in the evaluator before
it counts. Before that, events are left out, because the evaluator is slow. Work is counted, so that
the same game is found on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from random import Random

from rulewright.kernel.outcome import WitnessGame
from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.instance import Instance
from rulewright.prove.search.replay_witness import replay
from rulewright.prove.search.search_goals import (
    EndlessStepsGoal,
    MoveOrderGoal,
    PropertyGoal,
    SearchGoal,
    StepOrderGoal,
    Watch,
)
from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State, compiled_game
from rulewright.simulate.search.goal_search import games_until
from rulewright.simulate.search.playthrough import NO_VALUE, NOTHING, Observer, Playthrough
from rulewright.simulate.search.policies import uniform
from rulewright.simulate.search.shrink import shrink
from rulewright.system.work_budget import EVALUATED, EVENT, METER, SLOW_EVENT, Allowance

LONGEST = 1000
"""Events of a random game before another one is begun."""
MOST_EVENTS = 100_000
"""What does not come up in so many events is better asked of the solver."""
FARTHER = 10
"""So many times as many are played inside the module, where they cost as much less."""
DETOURS = 20_000
SHORTEN = 3.0
"""Events that are tried on the way to a shorter game, and seconds' worth of work, if they are slow
to look at."""
SLOW = (StepOrderGoal, EndlessStepsGoal, MoveOrderGoal)
"""What the evaluator has to be asked about after every event."""
DOUBTS = 5
"""So many games that the evaluator sees otherwise, and what they seemed to meet is given up."""


def play_at_random(
    instance: Instance,
    targets: Sequence[SearchGoal],
    seconds: float,
    seed: int = 0,
    wanted: int = 1,
    most: int = MOST_EVENTS,
    detours: int = DETOURS,
) -> dict[str, list[WitnessGame]]:
    """Games by what they show, found by playing at random for so many events, and for as much work
    as so many seconds stand for. So many different ones of each are wanted. Each is made short
    with so many events of trying."""
    found: dict[str, list[WitnessGame]] = {target.name: [] for target in targets}
    try:
        compiled = compiled_game(instance)
        compiled.claims([each.subject for each in targets if isinstance(each, PropertyGoal)])
    except UsageError:  # nothing to play
        return found
    random = Random(seed)
    allowed = Allowance(seconds)
    price = _price(targets)
    watched = [(target, target.watch(compiled)) for target in targets]
    doubts = dict.fromkeys(found, 0)
    events = 0
    while watched and events < most and not allowed.over:
        start = next(compiled.beginnings(random), None)
        if start is None:  # no game begins
            return found
        game = _GoalWatcher(compiled, start, watched)
        game.play(random)
        happened = game.played.events
        events += len(happened) + 1
        allowed.charge(price * (len(happened) + 1))
        for target, length in game.met:
            before = allowed.spent
            shown = _shown(compiled, target, start, happened[:length], detours)
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
    rare = [e for e, _ in watched if isinstance(e, PropertyGoal) and not found[e.name]]
    if rare and not allowed.over:
        for name, shown in _farther(compiled, rare, seed, most * FARTHER, allowed):
            found[name].append(shown)
    return found


def _farther(
    compiled: CompiledGame, targets: Sequence[PropertyGoal], seed: int, most: int,
    allowed: Allowance,
) -> Iterator[tuple[str, WitnessGame]]:  # fmt: skip
    """Games that meet a target, of many more that are played inside the module."""
    wanted = [(each.subject, not each.broken) for each in targets]
    met, events = games_until(compiled.instance, wanted, seed, most, LONGEST)
    allowed.charge(EVENT * events // FARTHER)
    for target in targets:
        if target.name in met:
            shown = _shown(compiled, target, *met[target.name])
            if shown is not None:
                yield target.name, shown


def _price(targets: Sequence[SearchGoal]) -> int:
    """What an event costs at which all of these are looked for."""
    return sum(SLOW_EVENT if isinstance(each, SLOW) else EVENT for each in targets)


class _GoalWatcher(Observer):
    """Sees what one random game meets first, and after how many events."""

    def __init__(
        self, game: CompiledGame, start: State, watched: Sequence[tuple[SearchGoal, Watch]]
    ) -> None:
        self.played = Playthrough(game, start)
        self.met: list[tuple[SearchGoal, int]] = []
        self._open = list(watched)

    def play(self, random: Random) -> None:
        """Plays until all is met, or the game is over."""
        played = self.played
        self._look([each for each in self._open if each[0].at_start], played.start, played.start)
        ended = played.play(uniform(random), self, LONGEST if self._open else 0)
        if ended == NO_VALUE or (ended == NOTHING and not played.game.is_final(played.state)):
            self._stop(played.error)

    def passed(self, transition: c.Transition, before: State, after: State) -> bool:
        self._look(self._open, before, after)
        return not self._open

    def _look(self, watched: Sequence[tuple[SearchGoal, Watch]], before: State, now: State) -> None:
        for each in [each for each in watched if each[1](before, now)]:
            self.met.append((each[0], len(self.played.events)))
            self._open.remove(each)

    def _stop(self, error: EvaluationError | None) -> None:
        """Notes what is met where play stops; where nothing can be chosen, the evaluator may know
        of something that can be done."""
        played = self.played
        targets = [each for each, _ in self._open if each.stops(error)]
        if targets and error is None:
            end = played.game.position(played.state)
            targets = [each for each in targets if each.met(played.game.instance, end, end)]
        self.met += [(each, len(played.events)) for each in targets]


def _shown(
    game: CompiledGame, target: SearchGoal, start: State, events: Sequence[Happening],
    detours: int = DETOURS,
) -> WitnessGame | None:  # fmt: skip
    """A game that the compiled game has met a target with, as the evaluator has it: without
    detours, or if it sees that otherwise, as it was."""
    instance, position = game.instance, game.position(start)
    for some in (_without_detours(game, target, start, events, detours), events):
        METER.charge(EVALUATED * len(some))
        shown = replay(instance, target, position, [game.decode(each) for each in some])
        if shown is not None:
            return shown
    return None


def shortened(instance: Instance, target: SearchGoal, game: WitnessGame) -> WitnessGame:
    """The game with events left out, as far as that is found."""
    compiled = compiled_game(instance)
    start = compiled.load(dict(game.start))
    events = [compiled.encode(each) for each in game.events]
    return _shown(compiled, target, start, events) or game


def _without_detours(
    game: CompiledGame, target: SearchGoal, start: State, events: Sequence[Happening], left: int
) -> list[Happening]:
    """The events of a game that meets a target, with some left out; `left` events are tried."""
    watch = target.watch(game)
    states = _states(game, start, events)
    price = _price([target])
    allowed = Allowance(SHORTEN)

    def attempt(kept: list[Happening], rest: list[Happening]) -> list[Happening] | None:
        nonlocal left
        here = states[len(kept)]
        length, tried = _met_after(game, target, watch, here, rest)
        left -= tried
        allowed.charge(price * tried)
        if length is None:
            return None
        states[len(kept) :] = _states(game, here, rest[:length])
        return [*kept, *rest[:length]]

    return shrink(events, attempt, lambda: left <= 0 or allowed.over)


def _states(game: CompiledGame, state: State, events: Sequence[Happening]) -> list[State]:
    """The states in which each of the events happens."""
    found = []
    for event in events:
        found.append(state)
        with suppress(EvaluationError):  # the last event may be one that goes wrong
            state = game.apply(state, event)
    return found


def _met_after(
    game: CompiledGame, target: SearchGoal, watch: Watch, state: State, events: Sequence[Happening]
) -> tuple[int | None, int]:
    """After how many of the events a game meets a target that it has not met before, None if it
    does not or cannot go on so; and how many of them were tried."""
    for number, event in enumerate(events, 1):
        try:
            if not game.allows(state, event):
                return None, number
            for _, after in game.steps(state, event):
                if watch(state, after):
                    return number, number
                state = after
        except EvaluationError as error:
            return (number if target.stops(error) else None), number
    stands = target.stops(None) and not game.is_final(state)
    stopped = stands and game.choose(state, Random(0)) is None
    return (len(events) if stopped else None), 1 + len(events)
