"""What is still possible: a game that shows it by the old rules is played by the new ones, as
nearly like that as it may, or another one is found at random. The evaluator plays what comes of it,
and its word is the proof. Where a few games at random show nothing, nothing is said: looking
further takes as long as proving. How far is looked is counted in events, so that the same is said
on every machine, whatever was proved before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import inf

from checker.change.standing import NOT_ASKED, Standing
from checker.kernel.outcome import Game
from checker.play.errors import EvaluationError, UsageError
from checker.play.instance import Instance
from checker.prove.at_random import play_at_random
from checker.prove.guided import followed
from checker.prove.target import Target
from checker.prove.verdict import PROVED

EVENTS = 5_000
"""Of games at random, by either rules."""

Shown = Mapping[str, Game]
"""Games that show what is possible, by the name of what they show."""


def shown_at_random(instance: Instance, names: Collection[str]) -> dict[str, Game]:
    """What a few random games show to be possible."""
    targets = [
        Target(each, broken=False)
        for each in instance.spec.properties
        if each.kind == "possible" and each.name in names
    ]
    found = play_at_random(instance, targets, inf, most=EVENTS)
    return {name: games[0] for name, games in found.items() if games}


def still_shown(instance: Instance, names: Collection[str], before: Shown) -> dict[str, Game]:
    """What games like those of the other rules show, or else a few random games."""
    found: dict[str, Game] = {}
    for each in instance.spec.properties:
        guide = before.get(each.name)
        if each.name not in names or guide is None:
            continue
        try:
            game = followed(instance, Target(each, broken=False), guide)
        except (EvaluationError, UsageError, LookupError, TypeError, ValueError):
            continue  # the game speaks of what these rules do not have
        if game is not None:
            found[each.name] = game
    return found | shown_at_random(instance, [each for each in names if each not in found])


def as_shown(name: str, games: Shown, instance: Instance) -> Standing:
    """What a game says, if there is one."""
    game = games.get(name)
    if game is None:
        return Standing(NOT_ASKED)
    return Standing(PROVED, events=game.events, instance=instance)
