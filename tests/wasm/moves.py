"""Moves with random parameters and requirements."""

from __future__ import annotations

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.syntax.node import NOWHERE
from tests.meaning.making import Maker
from tests.meaning.states import Dice, playground


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
