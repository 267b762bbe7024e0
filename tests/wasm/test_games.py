"""Law: a game compiled to WebAssembly and the evaluator play the same game, for every bundled spec,
number of players, reading and variant: legality, order of moves, successors, steps, properties."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import pytest

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.core import Spec
from rulewright.play.semantics import rules
from rulewright.play.semantics.chance import outcomes
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_positions
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.legal_moves import legal_moves
from rulewright.play.semantics.values import Position
from rulewright.resources import bundled_specs
from rulewright.simulate.compiled.compiled_game import CompiledGame
from rulewright.simulate.near_misses import near_miss
from rulewright.syntax.node import NOWHERE, replace
from rulewright.wasm.runtime.link import ASK
from rulewright.wasm.runtime.wasm_game import WasmGame
from tests.meaning.exprs import any_expression
from tests.meaning.states import Dice, any_position, playground
from tests.play.agreement import answer
from tests.play.games import bundled
from tests.wasm.agreement import comparable

EVENTS = 10
"""Events compared in a row, at some place in a game."""
NEAR_MISSES = 4


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
    game, random = WasmGame(instance), Random(seed)
    misses = Misses(instance)
    beginnings = [each for each, _ in zip(initial_positions(instance), range(40))]
    for depth in (0, 30, 200):
        game.load(random.choice(beginnings))
        for number in range(depth):
            event = game.choose(seed, number)
            if event is None:
                break
            game.apply(event)
        compare_from(game, random, misses)


def compare_from(game: WasmGame, random: Random, misses: Misses) -> None:
    """Plays on in both, and compares what each says on the way."""
    instance, position = game.instance, game.position
    compare_lists(game, position)
    for number in range(EVENTS):
        event = game.choose(random.randrange(1 << 30), number)
        if event is None:
            break
        for _ in range(NEAR_MISSES):
            compare_refusals(game, position, misses.near(event, random))
        assert game.allows(event)
        happened = rules.apply(instance, position, event)
        compare_steps(game, event, happened)
        game.load(position)
        game.apply(event)
        position = game.position
        assert position == happened[-1].after
    compare_lists(game, position)


class Misses:
    """Events of a game with something changed at random."""

    def __init__(self, instance: Instance) -> None:
        self.machine = CompiledGame(instance)

    def near(self, event: Event, random: Random) -> Event:
        encoded = self.machine.encode(event)
        return self.machine.decode(near_miss(self.machine, encoded, random))


def compare_lists(game: WasmGame, position: Position) -> None:
    """The legal moves in their order, and what chance may decide (unless it is too much)."""
    instance = game.instance
    assert answer(game.legal) == answer(lambda: list(legal_moves(instance, position)))
    if all(is_few(each) for each in instance.of_kind("chance")):
        assert answer(game.outcomes) == answer(lambda: outcomes(instance, position))


def compare_refusals(game: WasmGame, position: Position, event: Event) -> None:
    """Which requirements refuse an event, or how the rules give up."""
    said = comparable(answer(lambda: rules.failing(game.instance, position, event)))
    assert comparable(answer(lambda: game.failing(event))) == said
    allowed = comparable(answer(lambda: game.allows(event)))
    assert allowed == (("value", not said[1]) if said[0] == "value" else said)


def compare_steps(game: WasmGame, event: Event, happened: list[rules.TakenTransition]) -> None:
    """Each transition that an event sets off."""
    game.take(event)
    compare_properties(game, happened[0])
    for each in happened[1:]:
        step = game.step()
        assert step is not None and step.name == each.transition.name
        compare_properties(game, each)
    assert game.step() is None


def compare_properties(game: WasmGame, happened: rules.TakenTransition) -> None:
    """The position after a transition, and the properties of both."""
    instance = game.instance
    assert game.position == happened.after
    broken = answer(lambda: rules.broken_invariants(instance, happened.after))
    assert answer(lambda: game.broken("invariant")) == broken
    broken = answer(lambda: rules.broken_always(instance, happened))
    assert answer(lambda: game.broken("always", happened.before)) == broken


def is_few(chance: Any) -> bool:
    """Whether the outcomes of a chance event can be gone through by the evaluator too."""
    return len(chance.params) <= 2 and not any(
        type(param.type).__name__ == "Map" for param in chance.params
    )


@pytest.mark.parametrize("number", range(20))
def test_properties_agree_in_any_position(number: int):
    """Also where they do not hold, as they do in games."""
    claim = any_claim(Dice(number), number)
    instance = Instance(replace(playground(), properties=(claim,)), 2 + number % 2)
    game, random = WasmGame(instance, parts=ASK), Random(number)
    for _ in range(20):
        before, now = (any_position(instance, random.randrange(10_000)) for _ in range(2))
        game.load(now)
        happened = rules.TakenTransition(instance.spec.transitions[0], None, before, now, ())
        said = answer(partial(rules.broken_invariants, instance, now))
        assert comparable(answer(partial(game.broken, "invariant"))) == comparable(said)
        said = answer(partial(rules.broken_always, instance, happened))
        assert comparable(answer(partial(game.broken, "always", before))) == comparable(said)


def any_claim(dice: Dice, number: int) -> c.Property:
    kind = ("invariant", "always")[number % 2]
    claim = any_expression(dice, y.BOOL, old=kind == "always")
    return c.Property(NOWHERE, kind, f"claim_{number}", None, (), claim)
