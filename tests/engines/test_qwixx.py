"""Qwixx: the examples of the rulebook, and what is easily got wrong."""

from __future__ import annotations

import pytest

from rulewright_engines.engine import IllegalError
from rulewright_engines.qwixx import COLOURS, Qwixx
from tests.engines.acting import cannot, chance, change, plays, refuses, value

MAX, EMMA, LAURA, LINUS = 1, 2, 3, 4
FIVE, SEVEN = 4, 6
"""The spaces of the 5 and the 7 in a red or yellow row."""
FIRST_FIVE = [1, 2, 3, 4, 5]


def throw(game: Qwixx, first: int, second: int, **coloured: int | None) -> None:
    dice: dict[str, int | None] = {each: None if each in game.closed else 1 for each in COLOURS}
    game.apply(chance("throw", w=[[1, first], [2, second]], d={**dice, **coloured}))


def everybody_passes(game: Qwixx) -> None:
    for player in game.movers():
        plays(game, player, "pass_sum")


def row(**crosses: list[int]) -> dict[str, list[int]]:
    return {colour: crosses.get(colour, []) for colour in COLOURS}


def test_what_lies_left_of_a_cross_is_lost():
    game = Qwixx()
    change(game, crossed={MAX: row(red=[FIVE, SEVEN], yellow=[9], green=[7], blue=[3])})
    open_spaces = {
        colour: [at for at in range(1, 12) if game._obstacle(MAX, colour, at) is None]
        for colour in COLOURS
    }
    assert open_spaces == {
        "red": [7, 8, 9, 10],
        "yellow": [10],
        "green": [8, 9, 10],
        "blue": [4, 5, 6, 7, 8, 9, 10],
    }


def test_max_says_five():
    game = Qwixx(4, active=MAX)
    throw(game, 4, 1, blue=6)
    plays(game, EMMA, "cross_sum", row="yellow", at=FIVE)
    plays(game, MAX, "cross_sum", row="red", at=FIVE)
    plays(game, LAURA, "pass_sum")
    assert value(game, "answered") == [MAX, EMMA, LAURA]
    cannot(game, EMMA, "pass_sum", "not for player")
    plays(game, LINUS, "pass_sum")
    assert game.phase == "second_action"
    cannot(game, EMMA, "pass_colour", "not for player")
    plays(game, MAX, "cross_colour", row="blue", at=3, white_die=1, die="blue")
    assert value(game, "crossed", MAX) == row(red=[FIVE], blue=[3])
    assert value(game, "crossed", EMMA) == row(yellow=[FIVE])
    assert (game.active, game.phase) == (EMMA, "throw")
    assert value(game, "misthrows") == [[player, 0] for player in (MAX, EMMA, LAURA, LINUS)]


def test_only_the_dice_thrown_can_be_crossed():
    game = Qwixx()
    throw(game, 4, 1, red=2)
    cannot(game, 1, "cross_sum", "not the sum of the white", row="red", at=5)
    everybody_passes(game)
    cannot(game, 1, "cross_colour", "not the sum", row="red", at=6, white_die=1, die="red")
    cannot(game, 1, "cross_colour", "not red", row="blue", at=7, white_die=1, die="red")
    plays(game, 1, "cross_colour", row="red", at=5, white_die=1, die="red")


def test_laura_crosses_the_green_2_and_the_lock():
    game = Qwixx()
    change(game, crossed={1: row(green=FIRST_FIVE)})
    throw(game, 1, 1)
    plays(game, 1, "cross_sum", row="green", at=11)
    assert game.closed == []
    plays(game, 2, "pass_sum")
    assert (game.closed, value(game, "locked", 1)) == (["green"], ["green"])
    assert game.coloured["green"] is None
    plays(game, 1, "pass_colour")
    assert game.score()[1] == 28
    dice = dict.fromkeys(COLOURS, 3)
    refuses(game, chance("throw", w=[[1, 1], [2, 1]], d=dice), "green die has left")
    refuses(game, chance("throw", w=[[1, 1], [2, 1]], d={**dice, "red": None}), "still in")
    throw(game, 6, 6)
    cannot(game, 1, "cross_sum", "closed", row="green", at=1)


def test_the_last_number_does_not_count_towards_its_five_crosses():
    game = Qwixx()
    change(game, crossed={1: row(red=[1, 2, 3, 4]), 2: row(red=FIRST_FIVE)})
    throw(game, 6, 6)
    cannot(game, 1, "cross_sum", "needs 5 crosses", row="red", at=11)
    plays(game, 2, "cross_sum", row="red", at=11)
    cannot(game, 1, "cross_sum", "needs 5 crosses", row="red", at=11)


def test_a_cross_of_the_first_action_can_be_the_fifth():
    game = Qwixx()
    change(game, crossed={1: row(red=[1, 2, 3, 4])})
    throw(game, 3, 6, red=6)
    plays(game, 1, "cross_sum", row="red", at=8)
    plays(game, 2, "pass_sum")
    plays(game, 1, "cross_colour", row="red", at=11, white_die=2, die="red")
    assert game.closed == ["red"]


def test_several_players_lock_the_same_row_at_once():
    game = Qwixx()
    change(game, crossed={1: row(red=FIRST_FIVE), 2: row(red=FIRST_FIVE)})
    throw(game, 6, 6)
    plays(game, 1, "cross_sum", row="red", at=11)
    plays(game, 2, "cross_sum", row="red", at=11)
    assert value(game, "locked") == [[1, ["red"]], [2, ["red"]]]
    cannot(game, 1, "cross_colour", "left the game", row="red", at=6, white_die=1, die="red")


def test_emma_says_twelve_and_a_third_row_closes():
    game = Qwixx(4, active=EMMA)
    change(game, crossed={MAX: row(red=FIRST_FIVE), LINUS: row(yellow=FIRST_FIVE)})
    change(game, closed=["green"], coloured={**game.coloured, "green": None})
    throw(game, 6, 6)
    plays(game, MAX, "cross_sum", row="red", at=11)
    plays(game, LINUS, "cross_sum", row="yellow", at=11)
    everybody_passes(game)
    assert (game.phase, value(game, "closed")) == ("over", ["red", "yellow", "green"])
    assert value(game, "misthrows", EMMA) == 0


def test_the_turn_can_be_read_as_finished_first():
    game = Qwixx(readings={"window_end": "finish_turn"})
    change(game, crossed={2: row(red=FIRST_FIVE)}, closed=["green"])
    change(game, coloured={**game.coloured, "green": None})
    throw(game, 6, 6)
    plays(game, 2, "cross_sum", row="red", at=11)
    plays(game, 1, "pass_sum")
    assert game.phase == "second_action"
    plays(game, 1, "pass_colour")
    assert (game.phase, value(game, "misthrows", 1)) == ("over", 1)


def test_only_the_active_player_takes_misthrows_and_the_fourth_ends_the_game():
    game = Qwixx()
    change(game, misthrows={1: 3, 2: 3})
    throw(game, 1, 2)
    everybody_passes(game)
    plays(game, 1, "pass_colour")
    assert game.phase == "over"
    assert value(game, "misthrows") == [[1, 4], [2, 3]]
    assert (game.score(), game.winners()) == ({1: -20, 2: -15}, [2])


def test_a_cross_in_the_first_action_spares_the_misthrow():
    game = Qwixx()
    throw(game, 1, 2)
    plays(game, 1, "cross_sum", row="red", at=2)
    plays(game, 2, "pass_sum")
    plays(game, 1, "pass_colour")
    assert value(game, "misthrows", 1) == 0
    throw(game, 1, 2)
    everybody_passes(game)
    plays(game, 2, "pass_colour")
    assert value(game, "misthrows", 2) == 1


def test_lauras_sheet_is_worth_70():
    game = Qwixx()
    sheet = row(
        red=[1, 2, 3, 4], yellow=[1, 2, 3], green=[1, 2, 3, 4, 5, 11], blue=[*range(1, 8), 11]
    )
    change(game, crossed={1: sheet}, locked={1: ["green"]}, misthrows={1: 2})
    assert game.score()[1] == 70


@pytest.mark.parametrize(("ties", "winners"), [("shared", [1, 2]), ("undecided", [])])
def test_ties(ties: str, winners: list[int]):
    game = Qwixx(readings={"ties": ties})
    assert game.winners() == []
    change(game, phase="over")
    assert game.winners() == winners


def test_mixed_numbers_end_with_numbers_of_their_own():
    game = Qwixx(variant="mixed_numbers")
    change(game, crossed={1: row(green=FIRST_FIVE)})
    throw(game, 1, 2)
    plays(game, 1, "cross_sum", row="green", at=11)
    cannot(game, 2, "cross_sum", "not the sum", row="red", at=2)
    plays(game, 2, "cross_sum", row="red", at=5)


def test_mixed_colours_ask_for_the_colour_of_the_space():
    game = Qwixx(variant="mixed_colours")
    throw(game, 1, 2, yellow=2, red=2)
    plays(game, 1, "cross_sum", row="blue", at=10)
    plays(game, 2, "pass_sum")
    cannot(game, 1, "cross_colour", "not red", row="red", at=2, white_die=1, die="red")
    plays(game, 1, "cross_colour", row="red", at=2, white_die=1, die="yellow")


@pytest.mark.parametrize(
    ("event", "why"),
    [
        ({}, "there is no such event as `null`"),
        ({"move": "roll", "by": 1}, "there is no such event as `'roll'`"),
        ({"move": ["pass_sum"], "by": 1}, "there is no such event as a list of 1"),
        ({"move": "throw", "by": 1}, "there is no such event as `'throw'`"),
        ({"chance": "pass_sum"}, "there is no such event as `'pass_sum'`"),
        ({"move": "pass_sum", "chance": "throw", "by": 1}, "no such event as `'pass_sum'`"),
        ({"chance": "throw"}, "`throw` is for throw, this is first_action"),
        ({"move": "pass_colour", "by": 1}, "`pass_colour` is for second_action, this is"),
        ({"move": "pass_sum"}, "it is not for player `null` to act now"),
        ({"move": "pass_sum", "by": True}, "it is not for player `True` to act now"),
        ({"move": "pass_sum", "by": 3}, "it is not for player `3` to act now"),
        ({"move": "pass_sum", "by": 1, "args": []}, "should be an object, not a list of 0"),
        ({"move": "pass_sum", "by": 1, "args": {"at": 2}}, "should be nothing, not at"),
        ({"move": "cross_sum", "by": 1}, "should be row, at, not nothing"),
        ({"move": "cross_sum", "by": 1, "args": {"row": "red", "at": 12}}, "`at`: expected a"),
        ({"move": "cross_sum", "by": 1, "args": {"row": "red", "at": 2, "x": 1}}, "not row, at, x"),
    ],
)  # fmt: skip
def test_what_is_no_event_now_is_refused_and_said(event, why):
    game = Qwixx(2)
    throw(game, 3, 4)
    before = game.state()
    with pytest.raises(IllegalError) as refused:
        game.apply(event)
    assert why in str(refused.value)
    assert game.state() == before


def test_chance_is_nobodys():
    game = Qwixx(2)
    with pytest.raises(IllegalError, match="a chance event is nobody's"):
        game.apply({**chance("throw", w=[[1, 3], [2, 4]], d=dict.fromkeys(COLOURS, 1)), "by": 1})
