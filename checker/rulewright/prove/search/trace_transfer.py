"""Trace transfer: replays a game found under the default readings under others or in a variant.

It begins as much like that game as the rules allow. Where the next event is not allowed, random
events happen until it is (`simulate.policies.Following`). The evaluator replays the result before
it counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from rulewright.kernel.outcome import WitnessGame
from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position, open_variables
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import stray
from rulewright.prove.search.replay_witness import replay
from rulewright.prove.search.search_goals import SearchGoal, Watch
from rulewright.simulate.compiled.compiled_game import State, compiled_game
from rulewright.simulate.search.playthrough import SEEN, Observer, Playthrough
from rulewright.simulate.search.policies import Following

ATTEMPTS = 10
LONGEST = 100_000
"""Events; following ends long before."""


def transfer_trace(
    instance: Instance, target: SearchGoal, guide: WitnessGame, seed: int = 0
) -> WitnessGame | None:
    """A game that meets the target and goes as nearly like the guide as it may."""
    try:
        start = initial_position(instance, _chosen(instance, guide.start))
        game = compiled_game(instance)
    except (UsageError, EvaluationError):  # no game begins so, or none at all
        return None
    random = Random(seed)
    wished = [game.encode(each) for each in guide.events if _fits(instance, each)]
    watcher = _GoalWatcher(target.watch(game))
    for _ in range(ATTEMPTS):
        played = Playthrough(game, game.load(start))
        if played.play(Following(wished, random), watcher, LONGEST) == SEEN:
            events = [game.decode(each) for each in played.events]
            found = replay(instance, target, start, events)
            if found is not None:
                return found
    return None


class _GoalWatcher(Observer):
    """Ends a game where it meets something."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch

    def passed(self, transition: c.Transition, before: State, after: State) -> bool:
        return self._watch(before, after)


def _chosen(instance: Instance, start: Mapping[str, Any]) -> dict[str, Any]:
    """What a game that begins in a position chooses to begin with, as far as it may be chosen."""
    return {
        name: start[name]
        for name, type in open_variables(instance).items()
        if name in start and stray(start[name], type, instance) is None
    }


def _fits(instance: Instance, event: Event) -> bool:
    """Whether there is such an event at all, be it allowed or not."""
    transition = instance.transitions.get(event.name)
    types = {} if transition is None else {each.name: each.type for each in transition.params}
    return types.keys() == event.arguments.keys() and all(
        stray(value, types[name], instance) is None for name, value in event.arguments.items()
    )
