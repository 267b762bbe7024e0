"""Games at random: they finish, they are checked, and what went wrong is told."""

from __future__ import annotations

from random import Random

import pytest

from checker.play.compiled import Machine
from checker.play.random_play import Counts, Outcome, near_miss, play_watched
from checker.play.statistics import Statistics, spread
from checker.resources import bundled_specs
from tests.play.games import game, small

ENDLESS = """
    phase play, over final
    state
        count: 0..3 = 0
    move add by p in play
        needs room "there is room": count < 3
        does {does}
    {claim}
    """


def played(does: str = "count += 1", claim: str = "", longest: int = 50) -> Outcome:
    machine = Machine(small(ENDLESS.format(does=does, claim=claim)))
    return play_watched(machine, Random(1), Counts([machine]), longest=longest)


@pytest.mark.parametrize("name", bundled_specs())
def test_games_of_every_bundled_spec_break_nothing(name: str):
    instance = game(name)
    machine = Machine(instance)
    counts = Counts([machine])
    outcome = play_watched(machine, Random(3), counts)
    assert outcome.fault is None
    assert sum(counts.events.values()) == outcome.events
    assert sum(counts.decided.values()) > 0


def test_a_game_that_cannot_go_on_is_stuck():
    outcome = played()
    assert outcome.fault is not None
    assert outcome.fault.kind == "stuck"
    assert "nothing can happen in the phase `play`" in outcome.fault.message
    assert outcome.events == 3


def test_a_game_without_end_is_given_up():
    outcome = played(does="count = 1")
    assert outcome.fault is not None
    assert outcome.fault.kind == "endless"
    assert outcome.events == 50


def test_a_broken_invariant_ends_a_game():
    outcome = played(claim='invariant low "it stays low": count < 2')
    assert outcome.fault is not None
    assert outcome.fault.kind == "invariant"
    assert outcome.fault.message == "`low` does not hold: it stays low"
    assert outcome.events == 2


def test_a_broken_always_ends_a_game():
    outcome = played(claim="always never: count == old(count)")
    assert outcome.fault is not None
    assert outcome.fault.kind == "always"


def test_leaving_a_range_ends_a_game():
    outcome = played(does="count += 2")
    assert outcome.fault is not None
    assert outcome.fault.kind == "error"
    assert outcome.fault.message == "`count` is 4, outside 0..3"


def test_a_near_miss_is_an_event_of_the_same_move():
    machine = Machine(game("qwixx", 3))
    random, state = Random(1), machine.begin()
    event = machine.choose(state, random)
    assert event is not None
    for _ in range(50):
        changed = near_miss(machine, event, random)
        assert changed[0] == event[0]
        assert machine.encode(machine.decode(changed)) == changed


def test_statistics_are_counted():
    machine = Machine(game("qwixx", 2))
    statistics = Statistics(machine)
    for scores, winners in (({1: 5, 2: 7}, [2]), ({1: 9, 2: 9}, [1, 2])):
        statistics.add(Outcome(10, None, scores, winners))
    assert statistics.finished == 2
    assert statistics.wins == {1: 1, 2: 2}
    assert statistics.scores[1].mean == 7


def test_proposals_are_counted_by_name():
    machine = Machine(game("kubbar", 2))
    counts = Counts([machine])
    assert counts.proposed["lay.merge"] == 0 and len(counts.proposed) == 10
    play_watched(machine, Random(1), counts, longest=200)
    laid = [count for name, count in counts.proposed.items() if name.startswith("lay.")]
    assert sum(laid) == counts.events["lay"] > 0 and counts.proposed["lay.extend"] > 0


def test_a_spread_is_the_numbers_in_short():
    found = spread([5, 1, 9, 3, 7])
    assert (found.least, found.quarter, found.middle, found.greatest) == (1, 3, 5, 9)
    assert str(found) == "5.0 on average, 1 to 9, half of them 3 to 7"
