"""Where games begin."""

from __future__ import annotations

import pytest

from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.initial_states import initial_position, initial_positions, start_of
from tests.play.games import game, small

SHEETS = """
    type Sheet = north | east | south
    phase play, over final
    state
        active: Player
        size: 0..9 = 3
        each Player
            sheet: Sheet
    start
        own "each has a different sheet": all p, q: Player where p != q: sheet[p] != sheet[q]
        low "the first player has the first sheet": sheet[1] == north
"""


def test_a_variable_with_no_initial_value_may_be_anything():
    positions = list(initial_positions(game("qwixx", 3)))
    assert [position["active"] for position in positions] == [1, 2, 3]
    assert all(position["white"] == {1: 1, 2: 1} for position in positions)


def test_the_requirements_under_start_are_kept():
    instance = small(SHEETS, 3)
    found = [(position["active"], tuple(position["sheet"].values()))
             for position in initial_positions(instance)]  # fmt: skip
    assert found == [
        (active, ("north", *rest))
        for active in (1, 2, 3)
        for rest in (("east", "south"), ("south", "east"))
    ]


def test_values_can_be_chosen_to_start_with():
    instance = small(SHEETS, 3)
    assert initial_position(instance)["active"] == 1
    chosen = initial_position(instance, {"active": 3})
    assert chosen["active"] == 3 and chosen["sheet"] == {1: "north", 2: "east", 3: "south"}
    assert list(chosen) == ["phase", "active", "size", "sheet"]
    assert start_of(instance, chosen) == {"active": 3, "sheet": chosen["sheet"]}


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ({"size": 3}, "`size` has an initial value of its own"),
        ({"activ": 3}, "`small` has no state variable `activ`"),
        ({"sheet": {1: "east", 2: "north", 3: "south"}, "active": 1},
         "the game cannot begin like that"),
        ({"sheet": {1: "east", 2: "north", 3: "south"}},
         "there is no way to begin the game like that"),
    ],
)  # fmt: skip
def test_a_start_that_is_not_possible_is_refused(start, message):
    with pytest.raises(UsageError) as error:
        initial_position(small(SHEETS, 3), start)
    assert error.value.message == message


def test_too_few_sheets_for_the_players():
    with pytest.raises(UsageError, match="there is no way to begin the game"):
        initial_position(small(SHEETS, 4))


def test_an_initial_value_keeps_to_its_range():
    instance = small("phase play, over final\nstate\n    n: 0..3 = players\n", 4)
    with pytest.raises(EvaluationError, match=r"`n` begins with 4, outside 0\.\.3"):
        initial_position(instance)
