"""Witnesses: games in which what a `possible` claims comes about.

An example that plays from the start is a witness without any search; where there is none, a game
at random may be. A mistake takes a witness away if the game can no longer be played, or no longer
shows what is claimed.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.meaning import core as c
from rulewright.play.explain.examples import beginning, play_example
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import Refused, apply
from rulewright.play.semantics.values import Position
from rulewright.prove.search.random_search import play_at_random
from rulewright.prove.search.search_goals import PropertyGoal
from rulewright.syntax.node import Node

EFFORT = 10.0
"""Seconds' worth of work to find games at random."""


class Witness(Node):
    """A game that shows a `possible`: with which set-up, from which position, which events."""

    claim: str
    players: int | None
    readings: tuple[tuple[str, str], ...]
    start: Position
    events: tuple[Event, ...]

    @property
    def transitions(self) -> list[str]:
        return [each.name for each in self.events]

    def is_played(self, spec: c.Spec) -> bool:
        """Whether the game can be played by these rules, and shows the same."""
        claim = next(each for each in spec.properties if each.name == self.claim)
        try:
            instance = Instance(spec, self.players, dict(self.readings))
            position = self.start
            if evaluate(claim.claim, Environment(instance, position)):
                return True
            for event in self.events:
                for taken in apply(instance, position, event):
                    position = taken.after
                    if evaluate(claim.claim, Environment(instance, position)):
                        return True
        except (Refused, EvaluationError, UsageError):
            pass
        return False


def witnesses(spec: c.Spec) -> list[Witness]:
    """The witnesses of each `possible`: the examples that show it from the start, or a game at
    random."""
    claims = [each for each in spec.properties if each.kind == "possible"]
    found: list[Witness] = []
    for example in spec.examples if claims else ():
        if example.variant is not None:
            continue
        instance = Instance(spec, example.players, dict(example.readings))
        start = beginning(instance, example)
        played = None if start is None else play_example(spec, example)
        if start is None or played is None or not played.passed:
            continue
        positions = [start, *(each.after for each in played.happened)]
        for claim in claims:
            until = _until(claim, played.instance, positions)
            if until is not None:
                events = [each.event for each in played.happened[:until] if each.event is not None]
                found.append(
                    Witness(claim.name, example.players, example.readings, start, tuple(events))
                )
    shown = {each.claim for each in found}
    rest = [each for each in claims if each.name not in shown]
    return [*found, *(_at_random(spec, rest) if rest else ())]


def _at_random(spec: c.Spec, claims: list[c.Property]) -> Iterator[Witness]:
    instance = Instance(spec, seats(spec))
    goals = [PropertyGoal(each, broken=False) for each in claims]
    for name, games in play_at_random(instance, goals, EFFORT).items():
        for each in games[:1]:
            yield Witness(name, instance.players, (), dict(each.start), tuple(each.events))


def seats(spec: c.Spec) -> int:
    """With how many players games are played: with three, left and right are not the same."""
    return max(spec.least, min(spec.most, 3))


def _until(claim: c.Property, instance: Instance, positions: list[Position]) -> int | None:
    """After how many transitions a claim holds."""
    for number, position in enumerate(positions):
        try:
            if evaluate(claim.claim, Environment(instance, position)):
                return number
        except EvaluationError:
            continue
    return None
