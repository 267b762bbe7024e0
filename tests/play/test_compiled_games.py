"""Law: the compiled game and the evaluator play the same game, for every bundled spec, number of
players, reading and variant: legality, also of near misses, successors, steps, properties, ends."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from checker.meaning.core import Spec
from checker.play import rules
from checker.play.beginning import initial_positions
from checker.play.chance import outcomes
from checker.play.compile.layout import State
from checker.play.compiled import Machine
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.listing import legal_moves
from checker.play.random_play import near_miss
from checker.play.values import Position, frozen
from checker.resources import bundled_specs
from tests.meaning.states import playground
from tests.play.agreement import answer
from tests.play.games import bundled

EVENTS = 12
"""Events compared in a row, at some place in a game."""
NEAR_MISSES = 4
BEGINNINGS = 40


def specs() -> Iterator[tuple[str, Spec]]:
    """Every spec that comes with the program, with each of its variants."""
    for name in bundled_specs():
        checked = bundled(name)
        assert checked.spec is not None
        yield name, checked.spec
        for variant in checked.spec.variants:
            yield f"{name}-{variant.name}", checked.variant(variant.name)
    yield "playground", playground()


def ways() -> Iterator[Any]:
    """Each spec with each number of players; the readings change from one to the next so that
    every option has its turn."""
    for name, spec in specs():
        most = max((len(each.options) for each in spec.readings), default=1)
        numbers = range(spec.least, spec.most + 1)
        for turn in range(max(most, len(numbers))):
            players = numbers[turn % len(numbers)]
            readings = {
                each.name: each.options[turn % len(each.options)].name for each in spec.readings
            }
            yield pytest.param(spec, players, readings, turn, id=f"{name}-{players}-{turn}")


@pytest.mark.parametrize(("spec", "players", "readings", "seed"), list(ways()))
def test_games_agree(spec: Spec, players: int, readings: dict[str, str], seed: int):
    instance = Instance(spec, players, readings)
    machine, random = Machine(instance), Random(seed)
    for depth in (0, 30, 200):
        state = machine.begin(random)
        for _ in range(depth):
            event = machine.choose(state, random)
            if event is None:
                break
            machine.apply(state, event)
        compare_from(machine, state, random)


def compare_from(machine: Machine, state: State, random: Random) -> None:
    """Plays on in both, and compares what each says on the way."""
    instance, position = machine.instance, machine.position(state)
    assert machine.load(position) == state
    compare_lists(machine, state, position)
    for _ in range(EVENTS):
        event = machine.choose(state, random)
        if event is None:
            break
        plain = machine.decode(event)
        assert machine.encode(plain) == event
        for _ in range(NEAR_MISSES):
            compare_refusals(machine, state, position, near_miss(machine, event, random))
        happened = rules.apply(instance, position, plain)
        compare_steps(machine, state[:], event, happened)
        machine.apply(state, event)
        position = machine.position(state)
        assert position == happened[-1].after
    assert rules.is_final(instance, position) == machine.is_final(state)
    assert rules.scores(instance, position) == machine.scores(state)
    assert rules.winners(instance, position) == machine.winners(state)
    compare_lists(machine, state, position)


def compare_lists(machine: Machine, state: State, position: Position) -> None:
    """The legal moves, what chance may decide (unless it is too much), the invariants."""
    instance = machine.instance
    listed = answer(lambda: sorted(key(each) for each in legal_moves(instance, position)))
    compiled = answer(lambda: sorted(key(machine.decode(each)) for each in machine.legal(state)))
    assert compiled == listed
    if all(_is_few(each) for each in instance.of_kind("chance")):
        weighted = sorted((key(each), weight) for each, weight in outcomes(instance, position))
        drawn = sorted((key(machine.decode(each)), w) for w, each in machine.outcomes(state))
        assert drawn == weighted
    broken = answer(lambda: rules.broken_invariants(instance, position))
    assert answer(lambda: machine.broken_claims("invariant", state, state)) == broken


def compare_refusals(machine: Machine, state: State, position: Position, event: Any) -> None:
    """Which requirements refuse an event, or how the rules give up."""
    said = answer(lambda: rules.failing(machine.instance, position, machine.decode(event)))
    assert answer(lambda: machine.broken(state, event)) == said
    allowed = answer(lambda: machine.allows(state, event))
    assert allowed == (("value", not said[1]) if said[0] == "value" else said)


def compare_steps(
    machine: Machine, state: State, event: Any, happened: list[rules.Happened]
) -> None:
    """Each transition that an event sets off, and the `always` properties of it."""
    states, names = [state[:]], []
    for transition in machine.steps(state, event):
        states.append(state[:])
        names.append(transition.name)
    assert names == [each.transition.name for each in happened]
    for (before, now), each in zip(pairwise(states), happened):
        assert machine.position(now) == each.after
        broken = answer(partial(rules.broken_always, machine.instance, each))
        assert answer(partial(machine.broken_claims, "always", before, now)) == broken


@pytest.mark.parametrize("name", [*bundled_specs(), "playground"])
def test_games_begin_alike(name: str):
    spec = playground() if name == "playground" else bundled(name).spec
    assert spec is not None
    instance = Instance(spec, spec.most)
    machine = Machine(instance)
    listed = [each for each, _ in zip(initial_positions(instance), range(BEGINNINGS))]
    begun = [machine.position(each) for each, _ in zip(machine.beginnings(), range(BEGINNINGS))]
    assert len(begun) == len(listed)
    assert all(each in listed for each in begun) or len(listed) == BEGINNINGS
    assert machine.position(machine.begin()) == listed[0]


def key(event: Event) -> Hashable:
    """Something to sort events by."""
    return (event.name, event.by or 0, repr(sorted_parts(frozen(event.arguments))))


def sorted_parts(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted((sorted_parts(each) for each in value), key=repr)
    return tuple(map(sorted_parts, value)) if isinstance(value, tuple) else value


def _is_few(chance: Any) -> bool:
    """Whether the outcomes of a chance event can be gone through by the evaluator too."""
    return len(chance.params) <= 2 and not any(
        type(param.type).__name__ == "Map" for param in chance.params
    )
