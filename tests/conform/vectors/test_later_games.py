"""Games in which a mistake shows by what an engine says, for engines with few players."""

from __future__ import annotations

from random import Random

from rulewright.conform.mutation.moved_statements import EARLY
from rulewright.conform.mutation.mutants import mutants
from rulewright.conform.vectors.later_games import LaterGames, stories_of
from rulewright.play.semantics.instance import Configuration

TWO = Configuration(2, (), None)


def test_an_engine_for_two_that_closes_at_once_in_secret_comes_to_a_game_that_tells(game):
    """The commonest mistake of engines, in one that plays with two, cannot load, and does not say
    which rows are closed: the game leads to where both may take the last number."""
    oracles = game("qwixx")
    oracle = oracles.oracle(TWO)
    mistake = next(
        each
        for each in mutants(oracles.spec)
        if each.label == "end_first_action.close_rows" and each.what == EARLY
    )
    stories = stories_of(oracles, oracle)
    reported = oracle.instance.variables.keys() - {"closed", "coloured"}
    found = LaterGames(oracle, mistake, reported, True).find([], stories, Random(0), False)
    assert found is not None and not found.loaded
    state = found.begin
    for event in found.events:
        assert oracle.allows(state, event)
        state, _ = oracle.take(state, event)
    assert oracle.allows(state, found.last)  # the mistaken engine refuses it
    assert oracle.event(found.last).name == "cross_sum"


def test_what_examples_tell_of_three_is_told_of_any_two(game):
    oracles = game("qwixx")
    oracle = oracles.oracle(TWO)
    crossed = {
        tuple(tuple(sorted(rows["red"])) for rows in oracle.position(state)["crossed"].values())
        for state, _ in stories_of(oracles, oracle)
    }
    # `locked_by_two` with its first and second player, and with its second and third
    assert {((1, 2, 3, 4, 5), (3, 4, 5, 6, 7)), ((3, 4, 5, 6, 7), (7, 8, 9, 10))} <= crossed
