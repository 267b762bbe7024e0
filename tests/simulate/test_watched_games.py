"""Games at random: they finish, they are checked, and what went wrong is told."""

from __future__ import annotations

from random import Random

import pytest

from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position
from rulewright.resources import bundled_specs
from rulewright.simulate.compiled.compiled_game import CompiledGame
from rulewright.simulate.near_misses import near_miss
from rulewright.simulate.statistics import Statistics, spread
from rulewright.simulate.watched_games import EventCounts, GameOutcome, WatchedGames
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


def played(does: str = "count += 1", claim: str = "", longest: int = 50) -> GameOutcome:
    games = WatchedGames(small(ENDLESS.format(does=does, claim=claim)))
    (outcome,) = games.play(1, seed=1, longest=longest)
    heard: list[Event | None] = []
    again = games.listen(1, 1, lambda event, _: heard.append(event), longest)
    assert again == outcome
    stopped = outcome.fault is not None and outcome.fault.kind not in ("stuck", "endless")
    assert len(heard) == 1 + outcome.events - stopped
    return outcome


@pytest.mark.parametrize("name", bundled_specs())
def test_games_of_every_bundled_spec_break_nothing(name: str):
    games = WatchedGames(game(name))
    (outcome,) = games.play(1, seed=3)
    counts = games.counts
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
    machine = CompiledGame(game("qwixx", 3))
    random, state = Random(1), machine.begin()
    event = machine.choose(state, random)
    assert event is not None
    for _ in range(50):
        changed = near_miss(machine, event, random)
        assert changed[0] == event[0]
        assert machine.encode(machine.decode(changed)) == changed


def test_statistics_are_counted():
    instance = game("qwixx", 2)
    statistics = Statistics(instance, EventCounts(instance))
    for scores, winners in (({1: 5, 2: 7}, [2]), ({1: 9, 2: 9}, [1, 2])):
        statistics.add(GameOutcome(10, None, scores, winners))
    assert statistics.finished == 2
    assert statistics.wins == {1: 1, 2: 2}
    assert statistics.scores[1].mean == 7


def test_proposals_are_counted_by_name():
    games = WatchedGames(game("kubbar", 2))
    counts = games.counts
    assert counts.proposed["lay.merge"] == 0 and len(counts.proposed) == 10
    list(games.play(1, seed=1, longest=200))
    laid = [count for name, count in counts.proposed.items() if name.startswith("lay.")]
    assert sum(laid) == counts.events["lay"] > 0 and counts.proposed["lay.extend"] > 0


def test_a_spread_is_the_numbers_in_short():
    found = spread([5, 1, 9, 3, 7])
    assert (found.least, found.quarter, found.middle, found.greatest) == (1, 3, 5, 9)
    assert str(found) == "5.0 on average, 1 to 9, half of them 3 to 7"


def listened(games: WatchedGames, number: int, seed: int) -> list[tuple[Event | None, Position]]:
    heard: list[tuple[Event | None, Position]] = []
    games.listen(number, seed, lambda event, position: heard.append((event, position())))
    return heard


def test_any_game_of_many_can_be_heard_again():
    games = WatchedGames(game("qwixx", 2))
    outcomes = list(games.play(5, seed=8))
    counted = dict(games.counts.events)
    for number, outcome in enumerate(outcomes, 1):
        heard = listened(games, number, 8)
        assert len(heard) == 1 + outcome.events
        assert heard == listened(games, number, 8)
    assert games.counts.events["throw"] == 3 * counted["throw"]
    assert listened(games, 1, 8) != listened(games, 1, 9)


def test_games_do_not_depend_on_how_many_are_played_together():
    instance = game("twenty_one", 2)
    together = list(WatchedGames(instance).play(40, seed=5))
    for number in (1, 2, 23, 40):
        assert [*WatchedGames(instance).play(1, seed=5, first=number)] == [together[number - 1]]


def test_a_game_whose_numbers_leave_64_bits_is_played_by_the_evaluator():
    instance: Instance = small(
        """
        phase play, over final
        state
            n: 0..9 = 0
            big: Int = 3
        move on by p in play
            needs first "only the first": p == 1
            needs large "it is large": big * big * big * big * big * big > 0
            does
                n += 1
                if n == 9:
                    phase = over
                else:
                    big = 3000000000
        """,
        2,
    )
    (outcome,) = WatchedGames(instance).play(1, seed=1)
    assert outcome.fault is None and outcome.events == 9
