"""Events, the steps they set off, refusals, and the end of the game."""

from __future__ import annotations

from itertools import pairwise

import pytest

from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.rules import (
    Refused,
    apply,
    broken_always,
    broken_invariants,
    due_step,
    failing,
    is_final,
    requirements,
    scores,
    winners,
)
from tests.play.games import game, random_play, small


def test_an_event_is_followed_by_the_steps_it_sets_off():
    instance = game("qwixx", 2)
    position = initial_position(instance)
    dice = {"w": {1: 1, 2: 2}, "d": {"red": 1, "yellow": 1, "green": 1, "blue": 1}}
    position = apply(instance, position, Event("throw", None, dice))[-1].after
    first = apply(instance, position, Event("pass_sum", 1, {}))
    assert [each.transition.name for each in first] == ["pass_sum"]
    second = apply(instance, first[-1].after, Event("pass_sum", 2, {}))
    assert [each.transition.name for each in second] == ["pass_sum", "end_first_action"]
    assert second[0].after == second[1].before
    assert second[1].event is None and "end_first_action.second" in [
        each.label for each in second[1].done
    ]
    assert second[1].after["phase"] == "second_action"


def test_all_failing_requirements_are_named_in_order():
    instance = game("qwixx", 2)
    position = initial_position(instance)
    refused = failing(instance, position, Event("cross_sum", 1, {"row": "red", "at": 11}))
    assert [each.label for each in refused] == [
        "cross_sum.phase", "may_cross.five_first", "cross_sum.is_sum",
    ]  # fmt: skip
    with pytest.raises(Refused) as error:
        apply(instance, position, Event("cross_sum", 1, {"row": "red", "at": 11}))
    assert error.value.failing == refused


LEANING = """
    phase play, over final
    state
        count: 0..3 = 0
        share: 0..9 = 0
    move divide(n: 0..3) by p in play
        needs some_left: n > 0
        needs fair: 6 / n == 2
        does share = 6 / n
    move reckless(n: 0..3) by p in play
        needs fair: 6 / n == 2
        needs some_left: n > 0
        does share = 6 / n
"""


def test_a_requirement_may_lean_on_those_before_it():
    instance = small(LEANING)
    position = initial_position(instance)
    refused = failing(instance, position, Event("divide", 1, {"n": 0}))
    assert [each.label for each in refused] == ["divide.some_left"]
    with pytest.raises(EvaluationError, match="6 is divided by zero"):
        failing(instance, position, Event("reckless", 1, {"n": 0}))


def test_steps_that_do_not_stop_are_an_error():
    instance = small("""
        phase play, over final
        state
            up: Bool = false
            busy: Bool = false
        move begin by p in play
            does busy = true
        step swing in play
            when moving: busy
            does up = not up
    """)
    with pytest.raises(EvaluationError, match="the steps do not stop, among them `swing`"):
        apply(instance, initial_position(instance), Event("begin", 1, {}))


def test_the_first_step_of_the_file_that_is_due_happens():
    instance = small("""
        phase play, over final
        state
            n: 0..9 = 0
        move go by p in play
            does n = 1
        step second in play
            when odd: n % 2 == 1
            does n = n + 1
        step third in play
            when small: n > 0 and n < 4
            does n = n + 3
    """)
    happened = apply(instance, initial_position(instance), Event("go", 1, {}))
    assert [each.transition.name for each in happened] == ["go", "second", "third", "second"]
    assert happened[-1].after["n"] == 6
    assert due_step(instance, happened[-1].after) is None


def test_an_outcome_without_weight_cannot_happen():
    instance = small("""
        type Colour = red | blue
        phase play, over final
        state
            bag: Bag[Colour] = {red, red}
        chance draw(c: Colour) in play "a piece is drawn"
            weight bag[c]
            does bag -= {c}
    """)
    position = initial_position(instance)
    assert requirements(instance.transitions["draw"])[-1].label == "draw.weight"
    assert failing(instance, position, Event("draw", None, {"c": "red"})) == []
    refused = failing(instance, position, Event("draw", None, {"c": "blue"}))
    assert [each.label for each in refused] == ["draw.weight"]


def test_properties_are_asked_of_every_position_and_transition():
    instance = small("""
        phase play, over final
        state
            n: 0..9 = 0
        move set(to: 0..9) by p in play
            does n = to
        invariant low "it stays low": n < 5
        always up "it goes up": n >= old(n)
    """)
    (happened,) = apply(instance, initial_position(instance), Event("set", 1, {"to": 7}))
    assert [each.name for each in broken_invariants(instance, happened.after)] == ["low"]
    assert broken_always(instance, happened) == []
    (back,) = apply(instance, happened.after, Event("set", 2, {"to": 3}))
    assert broken_invariants(instance, back.after) == []
    assert [each.name for each in broken_always(instance, back)] == ["up"]


def test_a_property_known_not_to_hold_is_not_held_against_a_position():
    text = """
        reading taste "?"
            sweet "this" default
            sour "that"
        phase play, over final
        state
            n: 0..9 = 7
        invariant low "it stays low": n < 5
        accept refuted low under taste = sour "it is known"
    """
    sweet, sour = small(text), small(text, readings={"taste": "sour"})
    assert [each.name for each in broken_invariants(sweet, initial_position(sweet))] == ["low"]
    assert broken_invariants(sour, initial_position(sour)) == []


@pytest.mark.parametrize(("name", "players"), [("pig", 2), ("pig", 4), ("qwixx", 2)])
def test_random_games_keep_every_property(name, players):
    instance = game(name, players)
    played = random_play(instance, players, 120)
    for (_, before), (event, _) in pairwise(played):
        assert event is not None
        for happened in apply(instance, before, event):
            assert broken_invariants(instance, happened.after) == []
            assert broken_always(instance, happened) == []


def test_a_finished_game_has_scores_and_winners():
    instance = game("pig", 3)
    position = random_play(instance, 4, 2000)[-1][1]
    assert is_final(instance, position)
    points = scores(instance, position)
    assert points is not None and max(points.values()) >= 100
    assert winners(instance, position) == [max(points, key=points.__getitem__)]


def test_a_game_need_not_say_who_wins():
    instance = small("phase play, over final\nstate\n    n: 0..9 = 7\n")
    position = initial_position(instance)
    assert scores(instance, position) is None and winners(instance, position) is None
