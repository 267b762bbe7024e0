"""Games are played towards positions that no random game comes to."""

from __future__ import annotations

from random import Random

from rulewright.conform.vectors.directed_games import play_towards
from rulewright.play.semantics.instance import Configuration
from tests.conform.conftest import oracles


def test_a_game_is_played_to_a_row_that_can_be_closed():
    oracle = oracles("qwixx").oracle(Configuration(2, (), None))
    start = oracle.position(oracle.first)
    row = {**start["crossed"][1], "red": frozenset(range(1, 12, 2))}
    target = oracle.state({**start, "crossed": {**start["crossed"], 1: row}})

    def tried(state):
        return len(oracle.position(state)["crossed"][1]["red"]) >= 6

    found = play_towards(oracle, target, tried, Random(1), 150_000)
    assert found.state is not None
    state = found.begin
    for event in found.events:
        assert oracle.allows(state, event)
        state, _ = oracle.take(state, event)
    assert state == found.state and tried(state)
