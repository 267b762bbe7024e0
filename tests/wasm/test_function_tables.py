"""Law: a function that is looked up in a table comes to what the evaluator says, and one that has
no value somewhere still fails there."""

from __future__ import annotations

import pytest

from rulewright.play.semantics import rules
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.legal_moves import legal_moves
from rulewright.wasm.runtime.link import ASK
from rulewright.wasm.runtime.wasm_game import WasmGame
from tests.play.agreement import answer
from tests.play.games import small

GAME = """
    type Square = grid 9 x 8
    type Side = near | far
    phase play, odd, over final
    state
        here: Set[Square] = {}
        at: -3..4 = -2
    fun edge(p: Player): Set[Square] = {each q: Square where row(q) == seat(p)}
    fun far_from(s: Side, n: -3..4): -2000..2000? =
        none if n == 0 else (sum i in 1..40: i * n) / 2 - (1 if s == near else 0)
    fun broken(n: -3..4): -2000..2000 = (sum i in 1..50: i) / (n - 1)
    fun seen(n: -3..4): 0..72 = (count q: Square: q in here) + n - n
    move lay(s: Side, n: -3..4) by p in play
        needs edges "edge": size(edge(p) & edge(left_of(p))) == 0
        needs far "far": (far_from(s, n) otherwise 0) + (sum v in far_from(far, at): v) != -411
        needs none_there "seen": seen(n) < 9
        does
            here = edge(p)
            here += {A1, I8}
            at = n
    move fail(n: -3..4) by p in odd
        needs whole "whole": broken(n) > 0
"""
TABLES = {"edge": True, "far_from": True, "broken": False, "seen": False}


@pytest.mark.parametrize("players", [2, 3])
def test_functions_of_few_values_are_tables(players: int):
    instance = small(GAME, players)
    game = WasmGame(instance, parts=ASK)
    known = game.compiled.expressions.tables.known
    assert {name: known[name] is not None for name in TABLES} == TABLES
    first = initial_position(instance)
    after = rules.apply(instance, first, next(iter(legal_moves(instance, first))))[-1].after
    for position in (first, after, {**first, "phase": "odd"}):
        expected = answer(lambda: list(legal_moves(instance, position)))  # noqa: B023
        assert (expected[0] == "error") == (position["phase"] == "odd")
        game.load(position)
        assert answer(game.legal) == expected
        for event in expected[1] if position is first else ():
            game.load(first)
            game.apply(event)
            assert game.position == rules.apply(instance, first, event)[-1].after
