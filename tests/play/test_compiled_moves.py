"""Law: for moves with any parameters and any requirements, the compiled game lists the same legal
moves as the evaluator, refuses the same ones by the same requirements, and fails where it does."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play import rules
from checker.play.compiled import Machine
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.listing import legal_moves
from checker.play.values import Position
from checker.syntax.node import NOWHERE, replace
from tests.meaning.making import Maker
from tests.meaning.states import Dice, any_position, any_value, playground
from tests.play.agreement import Answer, answer

MOVES = 25
POSITIONS = 3


def any_move(dice: Dice) -> c.Transition:
    """A move with random parameters and requirements, in the playground's first phase."""
    maker = Maker(dice, old=False)
    enums = {each.name: each for each in playground().enums}
    variables = {each.name: each.type for each in playground().variables}
    colour, board = enums["Colour"], variables["board"]
    assert isinstance(board, y.Map)
    types: list[y.Type] = [
        y.BOOL, y.Int(0, 5), y.Int(-2, 3), y.Player(2, 3), colour, enums["Tile"], board.key,
        y.Option(colour), y.Option(y.Int(1, 4)), y.Set(colour), y.Set(y.Int(0, 5)),
        y.Map(colour, y.Bool()), y.Map(y.Int(1, 2), y.Int(0, 3)),
    ]  # fmt: skip
    params = tuple(
        c.Param(NOWHERE, name, maker.pick(types)) for name in ("a", "b", "c")[: dice.below(4)]
    )
    names: dict[str, y.Type] = {param.name: param.type for param in params}
    names["mover"] = y.Player(2, 3)
    phase = playground().transitions[0].requirements[0]
    conditions = [maker.expression(y.BOOL, names, 1 + dice.below(3)) for _ in range(dice.below(4))]
    needed = [
        c.Requirement(NOWHERE, f"any.{number}", None, (), condition)
        for number, condition in enumerate(conditions)
    ]
    return c.Transition(
        NOWHERE, "move", "any", params, "mover", ("play",), None, (), (phase, *needed), None, (), ()
    )


def key(event: Event) -> tuple[Any, ...]:
    return (event.by, repr(sorted((name, _sorted(v)) for name, v in event.arguments.items())))


def _sorted(value: Any) -> Any:
    return sorted(value) if isinstance(value, frozenset) else value


def listed(instance: Instance, position: Position) -> Answer:
    return answer(lambda: sorted(key(each) for each in legal_moves(instance, position)))


def compiled_list(machine: Machine, position: Position) -> Answer:
    state = machine.load(position)
    return answer(lambda: sorted(key(machine.decode(each)) for each in machine.legal(state)))


@pytest.mark.parametrize("batch", range(8))
def test_random_moves_agree(batch: int):
    for number in range(MOVES):
        dice = Dice(1000 * batch + number)
        move = any_move(dice)
        spec = replace(playground(), transitions=(move,), properties=())
        instance = Instance(spec, 2 + dice.below(2))
        machine = Machine(instance)
        for _ in range(POSITIONS):
            position = {**any_position(instance, dice.below(10_000)), "phase": "play"}
            said, found = listed(instance, position), compiled_list(machine, position)
            if said[0] == "value":
                assert found == said
            else:  # several choices may fail; which is met first depends on the order
                assert found[0] == "error"
            compare_refusals(machine, instance, position, move, dice)


def compare_refusals(
    machine: Machine, instance: Instance, position: Position, move: c.Transition, dice: Dice
) -> None:
    for _ in range(5):
        arguments = {each.name: any_value(each.type, instance, dice) for each in move.params}
        event = Event("any", 1 + dice.below(instance.players), arguments)
        state, ours = machine.load(position), machine.encode(event)
        said = answer(partial(rules.failing, instance, position, event))
        assert answer(partial(machine.broken, state, ours)) == said
        if said[0] == "value":
            assert machine.allows(state, ours) == (not said[1])
