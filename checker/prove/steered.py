"""Plays towards the position that an example begins with, from the beginning of a game, and then
the example.

An example may show a hole in the rules from a position that was set up. Whether a game gets there
is another matter: of all that can happen, that is taken after which the position is nearest, in
what lies where. Whatever is found is replayed in the evaluator before it counts. How long is looked
is counted in games, so that the same is found on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random

from checker.kernel.outcome import Game
from checker.meaning import types as y
from checker.play.compile.layout import Encoded, State
from checker.play.compiled import Happening, Machine
from checker.play.errors import EvaluationError
from checker.play.examples import Played, play_example
from checker.play.instance import Instance
from checker.prove.replayed import replay
from checker.prove.target import Sought

ATTEMPTS = 8
LONGEST = 1000
"""Events of a game before another one is begun."""
CHOICES = 16
"""So many beginnings are looked at, and moves where they cannot be listed."""
MANY = 10
"""How much farther a piece in another place is than another number."""


def examples_that_meet(instance: Instance, target: Sought) -> Iterator[Played]:
    """The examples that play in this very way, and meet the target."""
    usual = {each.name: each.default for each in instance.spec.readings}
    here = (instance.players, instance.spec.variant, instance.readings)
    for each in instance.spec.examples:
        if (each.players, each.variant, {**usual, **dict(each.readings)}) == here:
            played = play_example(instance.spec, each)
            if any(target.met(instance, done.before, done.after) for done in played.happened):
                yield played


def steered(instance: Instance, target: Sought, example: Played, seed: int = 0) -> Game | None:
    """A game that meets the target, played towards where an example begins, and then as it does."""
    machine = Machine(instance)
    random = Random(seed)
    distance = _distance(machine, machine.load(example.happened[0].before))
    shown = [each.event for each in example.happened if each.event is not None]
    for _ in range(ATTEMPTS):
        starts = [state for _, state in zip(range(CHOICES), machine.beginnings(random))]
        if not starts:
            return None
        state = min(starts, key=distance)
        start = machine.position(state)
        events = _played(machine, state, distance, random)
        if events is not None:
            before = [machine.decode(each) for each in events]
            return replay(instance, target, start, [*before, *shown])
    return None


def _played(
    machine: Machine, state: State, distance: Callable[[State], int], random: Random
) -> list[Happening] | None:
    """What happens until the position is reached, None if it is not."""
    events: list[Happening] = []
    while distance(state):
        ways = []
        for number, event in enumerate(_possible(machine, state, random)):
            after = state[:]
            with suppress(EvaluationError):  # a hole in the rules: `safe` reports it
                machine.apply(after, event)
                ways.append((distance(after), number, event, after))
        if not ways or len(events) == LONGEST:
            return None
        _, _, event, state = min(ways, key=lambda each: each[:2])
        events.append(event)
    return events


def _possible(machine: Machine, state: State, random: Random) -> list[Happening]:
    """What can happen in a state, in any order; of moves that are too many to list, some."""
    found = [event for _, event in machine.outcomes(state)]
    if not found:
        found = machine.listed(state)
        with suppress(EvaluationError):
            chosen = (machine.choose(state, random) for _ in range(CHOICES))
            found += [event for event in chosen if event is not None]
    random.shuffle(found)
    return found


def _distance(machine: Machine, goal: State) -> Callable[[State], int]:
    """How far a state is from another: how many pieces lie elsewhere, and what else differs."""
    types = [each.inner for each in machine.layout.slots.values() for _ in range(each.count)]
    places = [(n, _apart(type), value) for n, (type, value) in enumerate(zip(types, goal))]

    def distance(state: State) -> int:
        return sum(
            apart(state[n], value) for n, apart, value in places if state[n] != value
        )  # fmt: skip

    return distance


def _apart(type: y.Type) -> Callable[[Encoded, Encoded], int]:
    """How far two different values of a type are apart."""
    match type:
        case y.Bag():
            return lambda one, other: (
                MANY * sum(abs(one.get(each, 0) - other.get(each, 0)) for each in {*one, *other})
            )
        case y.Map():
            return _map_apart
        case y.Set():
            return _set_apart
        case _:
            return lambda one, other: 1


def _map_apart(one: Encoded, other: Encoded) -> int:
    if isinstance(one, dict):
        pairs = [(one.get(each), other.get(each)) for each in {*one, *other}]
    else:
        pairs = [*zip(one, other)]
    differing: int = sum(a != b for a, b in pairs)
    return MANY * differing


def _set_apart(one: Encoded, other: Encoded) -> int:
    differing: frozenset[object] | int = one ^ other
    count = differing.bit_count() if isinstance(differing, int) else len(differing)
    return MANY * count
