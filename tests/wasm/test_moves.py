"""Law: for moves with any parameters and any requirements, the compiled game lists the same legal
moves in the same order as the evaluator, refuses the same ones by the same requirements, and fails
where it does."""

from __future__ import annotations

from functools import partial

import pytest

from rulewright.meaning import core as c
from rulewright.play.semantics import rules
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.legal_moves import legal_moves
from rulewright.play.semantics.values import Position
from rulewright.syntax.node import replace
from rulewright.wasm.assembler.instructions import Unsupported
from rulewright.wasm.runtime.link import ASK
from rulewright.wasm.runtime.wasm_game import WasmGame
from tests.meaning.states import Dice, any_position, any_value, playground
from tests.play.agreement import Answer, answer
from tests.wasm.agreement import comparable
from tests.wasm.moves import any_move

MOVES = 40
POSITIONS = 3
REFUSALS = 5


def listed(instance: Instance, position: Position) -> Answer:
    return comparable(answer(lambda: list(legal_moves(instance, position))))


@pytest.mark.parametrize("batch", range(5))
def test_random_moves_agree(batch: int):
    compared = 0
    for number in range(MOVES):
        dice = Dice(50_000 + 1000 * batch + number)
        move = any_move(dice)
        spec = replace(playground(), transitions=(move,), properties=())
        instance = Instance(spec, 2 + dice.below(2))
        game = WasmGame(instance, parts=ASK)
        for _ in range(POSITIONS):
            position = {**any_position(instance, dice.below(10_000)), "phase": "play"}
            game.load(position)
            try:
                found = comparable(answer(game.legal))
                assert found == listed(instance, position)
                compare_refusals(game, position, move, dice)
            except Unsupported:
                continue
            compared += 1
    assert compared >= 0.95 * MOVES * POSITIONS


def compare_refusals(game: WasmGame, position: Position, move: c.Transition, dice: Dice) -> None:
    instance = game.instance
    for _ in range(REFUSALS):
        arguments = {each.name: any_value(each.type, instance, dice) for each in move.params}
        event = Event("any", 1 + dice.below(instance.players), arguments)
        said = comparable(answer(partial(rules.failing, instance, position, event)))
        assert comparable(answer(partial(game.failing, event))) == said
        if said[0] == "value":
            assert game.allows(event) == (not said[1])
