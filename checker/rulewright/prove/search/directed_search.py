"""Directed search: a game that reaches the position of a worked example, then plays the example.

An example may begin in a position that was set up by hand. This search shows that a game gets
there: of all that can happen it takes what leads nearest to it (`simulate.policies.Directed`).
What it finds is replayed in the evaluator before it counts. Attempts are counted, so that the same
game is found on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from rulewright.kernel.outcome import WitnessGame
from rulewright.play.explain.examples import PlayedExample, beginning, play_example
from rulewright.play.semantics.instance import Instance
from rulewright.prove.search.replay_witness import replay
from rulewright.prove.search.search_goals import SearchGoal
from rulewright.simulate.compiled.compiled_game import compiled_game
from rulewright.simulate.search.playthrough import Observer, Playthrough
from rulewright.simulate.search.policies import Directed

ATTEMPTS = 8
LONGEST = 1000
"""Events of a game before another one is begun."""
BEGINNINGS = 16
"""So many are looked at."""


def examples_that_meet(
    instance: Instance, target: SearchGoal, from_the_start: bool = False
) -> Iterator[PlayedExample]:
    """The examples that play in this very way, and meet the target."""
    usual = {each.name: each.default for each in instance.spec.readings}
    here = (instance.players, instance.spec.variant, instance.readings)
    for each in instance.spec.examples:
        if (each.players, each.variant, {**usual, **dict(each.readings)}) == here:
            if from_the_start and beginning(instance, each) is None:
                continue
            played = play_example(instance.spec, each)
            if any(target.met(instance, done.before, done.after) for done in played.happened):
                yield played


def played_from_the_start(instance: Instance, target: SearchGoal) -> WitnessGame | None:
    """The game of an example that plays from the start, in this very way, and meets the target."""
    for played in examples_that_meet(instance, target, from_the_start=True):
        events = [each.event for each in played.happened if each.event is not None]
        return replay(instance, target, played.happened[0].before, events)
    return None


def directed_search(
    instance: Instance, target: SearchGoal, example: PlayedExample, seed: int = 0
) -> WitnessGame | None:
    """A game that meets the target, played towards where an example begins, and then as it does."""
    game = compiled_game(instance)
    random = Random(seed)
    goal = Directed(game, game.load(example.happened[0].before), random)
    shown = [each.event for each in example.happened if each.event is not None]
    for _ in range(ATTEMPTS):
        starts = [state for _, state in zip(range(BEGINNINGS), game.beginnings(random))]
        if not starts:
            return None
        played = Playthrough(game, min(starts, key=goal.distance))
        played.play(goal, Observer(), LONGEST)
        if not goal.distance(played.state):
            before = [game.decode(each) for each in played.events]
            return replay(instance, target, game.position(played.start), [*before, *shown])
    return None
