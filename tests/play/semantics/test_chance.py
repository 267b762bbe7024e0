"""Chance: the odds are those of the weights, whichever way an outcome is found."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from rulewright.play.io.notation import write_event
from rulewright.play.semantics.chance import draw, outcomes, weight_of
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position
from tests.play.games import game, random_play, small


def far_from(counts: Counter[str], weights: dict[str, int]) -> float:
    """How far counts are from what weights let expect: chi-square by degree of freedom."""
    drawn, total = sum(counts.values()), sum(weights.values())
    assert counts.keys() <= weights.keys()
    expected = {each: drawn * weight / total for each, weight in weights.items()}
    found = sum((counts[each] - much) ** 2 / much for each, much in expected.items())
    return found / max(1, len(weights) - 1)


def drawn(instance, position, times, seed=5):
    random = Random(seed)
    events = [draw(instance, position, random) for _ in range(times)]
    return Counter(write_event(event, instance) for event in events if event is not None)


BAGS = """
    type Colour = red | blue | green
    phase play, over final
    state
        bag: Bag[Colour] = {red, red, red, blue}
        closed: Set[Colour] = {blue}
    chance draw(c: Colour) in play
        weight bag[c]
    chance bonus(n: 1..3) in play
        needs odd: n % 2 == 1
"""


def test_weights_are_compared_across_all_chance_events_of_the_phase():
    instance = small(BAGS)
    position = initial_position(instance)
    weights = {write_event(event, instance): weight for event, weight in
               outcomes(instance, position)}  # fmt: skip
    assert weights == {
        "draw(c = red)": 3,
        "draw(c = blue)": 1,
        "bonus(n = 1)": 1,
        "bonus(n = 3)": 1,
    }
    assert far_from(drawn(instance, position, 3000), weights) < 2


THROWS = """
    type Colour = red | blue | green
    type Pips = 1..6
    phase play, over final
    state
        closed: Set[Colour] = {blue}
        least: 0..12 = 4
    chance throw(w[1..2]: Pips, d[Colour]: Pips?) in play
        needs left: all c: Colour: (d[c] == none) == (c in closed)
        needs enough: w[1] + w[2] >= least
        weight 2 if w[1] == w[2] else 1
    chance miss(n: 1..6) in play
"""


def test_a_throw_of_many_dice_has_true_odds_without_going_through_all():
    instance = small(THROWS)
    position = initial_position(instance)
    weights: Counter[str] = Counter()
    for event, weight in outcomes(instance, position):
        weights[event.name + str(event.arguments.get("w"))] += weight
    random = Random(3)
    found: Counter[str] = Counter()
    for _ in range(1500):
        thrown = draw(instance, position, random)
        assert thrown is not None
        found[thrown.name + str(thrown.arguments.get("w"))] += 1
        assert thrown.name == "miss" or thrown.arguments["d"]["blue"] is None
    weights.pop("missNone")  # 6 of some 1400: too rare for the test
    found.pop("missNone", None)
    assert far_from(found, weights) < 1.6


def test_a_qwixx_throw_shows_every_die_that_is_left():
    instance = game("qwixx", 2)
    position = {**initial_position(instance), "closed": frozenset({"green"})}
    seen: dict[str, set[int]] = {}
    random = Random(11)
    for _ in range(60):
        event = draw(instance, position, random)
        assert event is not None and event.name == "throw"
        for colour, pips in event.arguments["d"].items():
            seen.setdefault(colour, set()).add(pips)
    assert seen.pop("green") == {None}
    assert all(pips == {1, 2, 3, 4, 5, 6} for pips in seen.values())


def test_requirements_that_leave_very_little_are_still_met():
    instance = small("""
        type Pips = 1..6
        phase play, over final
        state
            n: 0..9 = 1
        chance throw(d[1..4]: Pips) in play
            needs yacht: d[1] == d[2] and d[2] == d[3] and d[3] == d[4] and d[4] + d[1] == 12
    """)
    event = draw(instance, initial_position(instance), Random(1))
    assert event is not None and set(event.arguments["d"].values()) == {6}


def test_chance_has_nothing_to_decide():
    instance = small(BAGS)
    position = {**initial_position(instance), "phase": "over"}
    assert outcomes(instance, position) == [] and draw(instance, position, Random(1)) is None


def test_the_same_seed_gives_the_same_game():
    instance = game("qwixx", 2)
    assert random_play(instance, 9, 40) == random_play(instance, 9, 40)
    assert random_play(instance, 9, 40) != random_play(instance, 10, 40)


def test_a_weight_below_nothing_is_an_error():
    instance = small("""
        phase play, over final
        state
            n: 0..9 = 1
        chance odd(a: 1..3) in play
            weight 2 - a
    """)
    position = initial_position(instance)
    assert weight_of(instance, position, Event("odd", None, {"a": 1})) == 1
    with pytest.raises(EvaluationError, match="the weight of `odd` is -1"):
        weight_of(instance, position, Event("odd", None, {"a": 3}))
