"""Choosing players and readings."""

from __future__ import annotations

import pytest

from rulewright.meaning import types as y
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import Instance
from tests.play.games import bundled, game, small


def test_without_a_choice_the_fewest_play_and_readings_are_as_by_default():
    instance = game("qwixx")
    assert instance.players == 2
    assert instance.readings == {"window_end": "at_once", "ties": "shared"}


def test_readings_can_be_chosen_one_by_one():
    instance = game("qwixx", 3, window_end="finish_turn")
    assert instance.readings == {"window_end": "finish_turn", "ties": "shared"}


@pytest.mark.parametrize(
    ("players", "readings", "message", "help"),
    [
        (6, {}, "`qwixx` cannot be played by 6", "it takes 2 to 5 players"),
        (1, {}, "`qwixx` cannot be played by 1", "it takes 2 to 5 players"),
        (3, {"tie": "shared"}, "`qwixx` has no reading `tie`", "did you mean `ties`?"),
        (
            3,
            {"weather": "fine"},
            "`qwixx` has no reading `weather`",
            "its readings are `window_end`, `ties`",
        ),
        (
            3,
            {"ties": "share"},
            "the reading `ties` has no option `share`",
            "did you mean `shared`?",
        ),
    ],
)
def test_a_choice_that_there_is_not_is_refused(players, readings, message, help):
    spec = bundled("qwixx").spec
    assert spec is not None
    with pytest.raises(UsageError) as error:
        Instance(spec, players, readings)
    assert (error.value.message, error.value.help) == (message, help)


def test_values_are_in_the_order_of_their_type():
    instance = game("qwixx", 3)
    colour = instance.spec.enums[-1]
    assert list(instance.order(y.Player(2, 5))) == [1, 2, 3]
    assert list(instance.order(y.Option(y.Int(-1, 1)))) == [None, -1, 0, 1]
    assert list(instance.order(y.Grid("Square", 2, 2))) == ["A1", "B1", "A2", "B2"]
    first = list(instance.order(y.Set(colour)))[:4]
    assert first == [
        frozenset(),
        frozenset({colour.members[0]}),
        frozenset({colour.members[1]}),
        frozenset(colour.members[:2]),
    ]


def test_a_table_by_player_has_those_who_play():
    text = """
        table handicap[Player]: 0..9
            0 2 4 6
        phase play, over final
        state
            total: 0..20 = 0
    """
    assert small(text, 3).tables["handicap"] == {1: 0, 2: 2, 3: 4}
