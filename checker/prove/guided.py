"""Plays a game that was found under the default readings again, under others.

Where its next event is not allowed, something else happens at random until it is: a reading mostly
adds or takes away a little. What comes of it is replayed in the evaluator before it counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import process_time

from checker.play.compiled import Happening, Machine
from checker.play.errors import EvaluationError
from checker.play.instance import Instance
from checker.prove.replayed import replay
from checker.prove.target import Sought
from checker.prove.verdict import Game

ATTEMPTS = 10
BETWEEN = 20
"""Events at random before an event of the guide is given up."""


def followed(
    instance: Instance, target: Sought, guide: Game, seconds: float, seed: int = 0
) -> Game | None:
    """A game that meets the target and goes as nearly like the guide as it may."""
    machine = Machine(instance)
    random = Random(seed)
    until = process_time() + seconds
    wished = [machine.encode(each) for each in guide.events]
    for _ in range(ATTEMPTS):
        if process_time() > until:
            break
        try:
            events = _played(machine, guide, wished, random)
        except EvaluationError:  # a hole in the rules: `safe` reports it
            continue
        decoded = [machine.decode(each) for each in events]
        found = replay(instance, target, dict(guide.start), decoded)
        if found is not None:
            return found
    return None


def _played(
    machine: Machine, guide: Game, wished: Sequence[Happening], random: Random
) -> list[Happening]:
    """What happens on the way along the guide, and shortly after."""
    state = machine.load(dict(guide.start))
    events: list[Happening] = []
    left = list(wished)
    between = 0
    while between < BETWEEN:
        if left and machine.allows(state, left[0]):
            event: Happening | None = left.pop(0)
            between = 0
        else:
            event = machine.choose(state, random)
            between += 1
        if event is None:
            break
        events.append(event)
        machine.apply(state, event)
    return events
