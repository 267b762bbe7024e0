"""Plays a game that was found under the default readings again, under others or in a variant.

It begins as like the other as it may. Where the next event is not allowed, something else happens
at random until it is: a reading mostly adds or takes away a little. What comes of it is replayed in
the evaluator before it counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from checker.kernel.outcome import Game
from checker.play.beginning import initial_position, open_variables
from checker.play.compile.layout import State
from checker.play.compiled import Happening, Machine, machine_of
from checker.play.errors import EvaluationError, UsageError
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.values import stray
from checker.prove.replayed import replay
from checker.prove.target import Sought, Watch

ATTEMPTS = 10
BETWEEN = 20
"""Events at random before an event of the guide is given up."""


def followed(instance: Instance, target: Sought, guide: Game, seed: int = 0) -> Game | None:
    """A game that meets the target and goes as nearly like the guide as it may."""
    try:
        start = initial_position(instance, _chosen(instance, guide.start))
        machine = machine_of(instance)
    except (UsageError, EvaluationError):  # no game begins so, or none at all
        return None
    random = Random(seed)
    wished = [machine.encode(each) for each in guide.events if _fits(instance, each)]
    watch = target.watch(machine)
    for _ in range(ATTEMPTS):
        try:
            events = _played(machine, machine.load(start), wished, watch, random)
        except EvaluationError:  # a hole in the rules: `safe` reports it
            continue
        decoded = [machine.decode(each) for each in events]
        found = replay(instance, target, start, decoded) if decoded else None
        if found is not None:
            return found
    return None


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


def _played(
    machine: Machine, state: State, wished: Sequence[Happening], watch: Watch, random: Random
) -> list[Happening]:
    """What happens on the way along the guide, and shortly after, until something is met; nothing
    if it is not."""
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
        before = state[:]
        for _ in machine.steps(state, event):
            if watch(before, state):
                return events
            before = state[:]
    return []
