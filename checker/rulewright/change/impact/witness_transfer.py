"""Witness transfer: whether something is still possible under the new rules.

A game that shows it by the old rules is followed by the new ones as far as it goes; else a few
random games are played. The evaluator replays the game, which is the proof. Without a game nothing
is claimed: looking further would take as long as proving. Work is counted in events, so that the
result is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import inf

from rulewright.change.impact.property_status import NOT_ASKED, PropertyStatus
from rulewright.kernel.outcome import WitnessGame
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.instance import Instance
from rulewright.prove.search.random_search import play_at_random
from rulewright.prove.search.search_goals import PropertyGoal
from rulewright.prove.search.trace_transfer import transfer_trace
from rulewright.prove.verdict.verdict import PROVED

EVENTS = 5_000
"""Of games at random, by either rules."""

Shown = Mapping[str, WitnessGame]
"""Games that show what is possible, by the name of what they show."""


def witnessed_at_random(instance: Instance, names: Collection[str]) -> dict[str, WitnessGame]:
    """What a few random games show to be possible."""
    targets = [
        PropertyGoal(each, broken=False)
        for each in instance.spec.properties
        if each.kind == "possible" and each.name in names
    ]
    found = play_at_random(instance, targets, inf, most=EVENTS)
    return {name: games[0] for name, games in found.items() if games}


def still_witnessed(
    instance: Instance, names: Collection[str], before: Shown
) -> dict[str, WitnessGame]:
    """What games like those of the other rules show, or else a few random games."""
    found: dict[str, WitnessGame] = {}
    for each in instance.spec.properties:
        guide = before.get(each.name)
        if each.name not in names or guide is None:
            continue
        try:
            game = transfer_trace(instance, PropertyGoal(each, broken=False), guide)
        except (EvaluationError, UsageError, LookupError, TypeError, ValueError):
            continue  # the game speaks of what these rules do not have
        if game is not None:
            found[each.name] = game
    return found | witnessed_at_random(instance, [each for each in names if each not in found])


def as_shown(name: str, games: Shown, instance: Instance) -> PropertyStatus:
    """What a game says, if there is one."""
    game = games.get(name)
    if game is None:
        return PropertyStatus(NOT_ASKED)
    return PropertyStatus(PROVED, events=game.events, instance=instance)
