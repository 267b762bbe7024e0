"""Matte-Kryss: the examples of the rulebook, and what is easily got wrong."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from rulewright_engines.matte_kryss import MatteKryss
from rulewright_engines.matte_kryss_board import FEATURES, TILES, results, results_on
from tests.engines.acting import cannot, chance, change, plays, refuses, value

ANNA, BO = 1, 2
FULL = [1, 2, 3, 4, 5, 6, 7]


def ready(
    rack: list[int], other: list[int] = FULL, pile: list[int] | None = None, **readings: str
) -> MatteKryss:
    """Anna's turn, with these tiles on the racks and on the table."""
    game = MatteKryss(readings=readings)
    change(game, phase="turn", rack={ANNA: rack, BO: other}, began=len(rack))
    change(game, pile=[9] * 20 if pile is None else pile)
    return game


def with_numbers(game: MatteKryss, **numbers: int) -> None:
    change(game, board=numbers, board_before=numbers)


def laid(game: MatteKryss, tile: int, at: str, *claims: str) -> None:
    plays(game, game.active, "lay", tile=tile, at=at, claims=list(claims))


def test_the_box_and_the_board():
    assert len(TILES) == 106
    kinds = Counter(FEATURES.values())
    assert {kind: kinds[kind] for kind in "TD+-x/1234"} == (
        {"T": 12, "D": 16, "+": 8, "-": 8, "x": 8, "/": 8} | dict.fromkeys("1234", 1)
    )
    columns = "ABCDEFGHIJKLMN"
    for at, kind in FEATURES.items():
        turned = f"{columns[14 - int(at[1:])]}{columns.index(at[0]) + 1}"
        assert FEATURES[turned] == kind or kind in "1234"


@pytest.mark.parametrize(
    ("left", "right", "sign", "found"),
    [
        (3, 4, "+", {7}),
        (3, 4, "-", {1}),
        (3, 4, "x", {12}),
        (3, 4, "/", set()),
        (8, 4, "/", {2}),
        (4, 8, "/", {2}),
        (0, 5, "/", {0}),
        (0, 0, "/", set()),
        (5, 5, "/", {1}),
    ],
)
def test_what_two_numbers_come_to(left: int, right: int, sign: str, found: set[int]):
    assert results(left, right, sign) == found


def test_the_four_examples_build_on_one_another():
    game = ready([8, 12, 1, 1, 1, 1, 16], [3, 8, 8, 8, 8, 8, 8])
    laid(game, 12, "I8", "left")
    assert game.gained == 12
    laid(game, 8, "H6", "down")
    assert game.gained == 12 + 8
    plays(game, ANNA, "finish")
    for _ in range(2):
        game.apply(chance("refill", tile=9))
    assert value(game, "points", ANNA) == 20
    laid(game, 3, "I7", "left")
    assert game.gained == 3
    plays(game, BO, "finish")
    game.apply(chance("refill", tile=9))
    laid(game, 16, "J8", "left")
    assert game.gained == 16


def test_a_tile_is_the_result_of_two_numbers_in_a_line():
    game = ready([5, 7, 12, 90])
    cannot(game, ANNA, "lay", "no 6 is on the rack", tile=6, at="I8", claims=["left"])
    cannot(game, ANNA, "lay", "number on H8", tile=5, at="H8", claims=["left"])
    cannot(game, ANNA, "lay", "no two numbers lie up", tile=5, at="I8", claims=["left", "up"])
    cannot(game, ANNA, "lay", "no two numbers lie right", tile=5, at="E8", claims=["right"])
    cannot(game, ANNA, "lay", "not a result", tile=5, at="I8", claims=["left"])
    cannot(game, ANNA, "lay", "result of two numbers", tile=7, at="I8", claims=[])
    cannot(game, BO, "lay", "not for player", tile=7, at="I8", claims=["left"])
    laid(game, 7, "I8", "left")


def test_directions_count_once_each_and_only_those_claimed():
    game = ready([4, 4])
    with_numbers(game, G6=2, H6=6, I7=2, I8=2, I9=2)
    assert game.board.operands("I6") == {"down": (2, 2), "left": (6, 2)}
    cannot(game, ANNA, "lay", "no two numbers lie up", tile=4, at="I6", claims=["down", "up"])
    laid(game, 4, "I6", "down", "left")
    assert game.gained == 8
    game = ready([4, 4])
    with_numbers(game, I7=2, I8=2)
    laid(game, 4, "I6", "down")
    assert game.gained == 4


def test_squares_multiply_the_value():
    game = ready([6, 6])
    with_numbers(game, E7=3, E6=2, G2=3, G3=2)
    assert (FEATURES["E5"], FEATURES["G1"]) == ("D", "T")
    laid(game, 6, "E5", "down")
    assert game.gained == 12
    laid(game, 6, "G1", "down")
    assert game.gained == 12 + 18


def test_a_square_with_a_sign_asks_for_that_operation_and_offers_a_tile():
    game = ready([3, 1, 2, 5])
    with_numbers(game, G9=4, H9=4)
    assert FEATURES["G10"] == "+"
    assert results_on("+", 3, 4) == {7}
    cannot(game, ANNA, "lay", "not a result", tile=1, at="G10", claims=["up"])
    change(game, rack={ANNA: [7, 1]})
    laid(game, 7, "G10", "up")
    assert game.phase == "extra"
    cannot(game, ANNA, "finish", "`finish` is for laying")
    plays(game, ANNA, "take_extra")
    refuses(game, chance("draw_extra", tile=8), "no 8 lies on the table")
    game.apply(chance("draw_extra", tile=9))
    assert (game.phase, value(game, "rack", ANNA)) == ("laying", [1, 9])


def test_nothing_extra_is_offered_when_the_table_is_empty():
    game = ready([7, 1], pile=[])
    with_numbers(game, G9=4)
    laid(game, 7, "G10", "up")
    assert game.phase == "laying"


def seven_in_a_turn(game: MatteKryss) -> None:
    for at in ("I7", "I8", "F7", "F8", "G6", "H6", "H9"):
        change(game, board={at: None})
    laid(game, 3, "I7", "left")
    laid(game, 7, "I8", "left")
    laid(game, 3, "F7", "right")
    laid(game, 7, "F8", "right")
    laid(game, 4, "G6", "down")
    laid(game, 6, "H6", "down")
    laid(game, 6, "H9", "up")


@pytest.mark.parametrize(("reading", "points"), [("once", 18), ("each", 20)])
def test_two_operations_in_one_direction(reading: str, points: int):
    """2 is a product and a quotient of 1 and 2; on a square for products 4 is no sum."""
    game = ready([2, 4, 12], two_operations=reading)
    laid(game, 12, "I8", "left")
    laid(game, 2, "I7", "left")
    laid(game, 4, "J7", "left")
    assert game.gained == points


SEVEN = [3, 3, 4, 6, 6, 7, 7]


def test_a_full_rack_laid_in_one_turn_brings_50_more():
    game = ready(SEVEN)
    seven_in_a_turn(game)
    plays(game, ANNA, "finish")
    assert (game.bonus, value(game, "points", ANNA)) == (50, 36 + 50)


def test_a_shorter_rack_brings_nothing_more():
    game = ready([3])
    laid(game, 3, "I7", "left")
    plays(game, ANNA, "finish")
    assert (game.bonus, value(game, "points", ANNA)) == (0, 3)


@pytest.mark.parametrize(("reading", "bonus"), [("empty_rack", 0), ("seven_laid", 50)])
def test_an_extra_tile_and_the_50(reading: str, bonus: int):
    game = ready(SEVEN, fifty_extra=reading)
    seven_in_a_turn(game)
    change(game, rack={ANNA: [90]})
    plays(game, ANNA, "finish")
    assert game.bonus == bonus


def test_exchanging_puts_all_back_before_drawing_and_ends_the_turn():
    game = ready([10, 20, 30], pile=[1, 2])
    plays(game, ANNA, "give_back", tile=30)
    cannot(game, ANNA, "lay", "`lay` is for turn", tile=10, at="I8", claims=["left"])
    plays(game, ANNA, "give_back", tile=20)
    cannot(game, ANNA, "give_back", "not so many tiles", tile=10)
    plays(game, ANNA, "draw_new")
    game.apply(chance("exchange", tile=30))
    game.apply(chance("exchange", tile=1))
    assert (game.active, value(game, "rack", ANNA), game.pile) == (BO, [1, 10, 30], [2, 20])
    assert game.idle == 1


def test_own_tiles_can_be_drawn_again_if_read_so():
    game = ready([10, 90], other=[7], pile=[], short_table="own_again")
    plays(game, ANNA, "give_back", tile=90)
    plays(game, ANNA, "draw_new")
    game.apply(chance("exchange", tile=90))
    assert game.active == BO


def test_three_rounds_without_a_tile_end_the_game_unless_read_otherwise():
    def idle_turns(game: MatteKryss) -> int:
        for turn in range(1, 11):
            plays(game, game.active, "pass_turn")
            if game.phase == "over":
                return turn
        return 0

    assert idle_turns(ready(FULL, no_way_on="may_pass")) == 6
    assert idle_turns(ready(FULL, no_way_on="may_pass", endless="literal")) == 0


def test_passing_is_for_those_who_can_do_nothing_else():
    stuck, busy = [90], [7]
    game = ready(stuck, busy, pile=[])
    assert [event["move"] for event in game.legal()] == ["pass_turn"]
    cannot(ready(stuck, busy), ANNA, "pass_turn", "neither lay nor exchange")
    cannot(ready(busy, stuck, pile=[]), ANNA, "pass_turn", "neither lay nor exchange")
    assert ready(stuck, busy, pile=[], no_way_on="unsaid").legal() == []
    plays(ready(busy, no_way_on="may_pass"), ANNA, "pass_turn")
    plays(game, ANNA, "pass_turn")
    assert game.active == BO


def test_the_game_ends_when_somebody_is_out_of_tiles():
    game = ready([7], [90, 2], pile=[])
    laid(game, 7, "I8", "left")
    plays(game, ANNA, "finish")
    assert game.phase == "over"
    assert (game.score(), game.winners()) == ({ANNA: 7, BO: -92}, [ANNA])


def test_the_game_ends_when_nobody_can_lay():
    game = ready([7, 80], [90], pile=[])
    laid(game, 7, "I8", "left")
    plays(game, ANNA, "finish")
    assert (game.phase, game.score()) == ("over", {ANNA: -73, BO: -90})


def test_a_wrong_result_can_be_objected_to_if_read_so():
    game = ready([9, 10], wrong_result="challenged")
    laid(game, 9, "I8", "left")
    plays(game, ANNA, "finish")
    assert (game.phase, value(game, "points", ANNA), game.wrong) == ("objecting", 9, True)
    cannot(game, ANNA, "object", "not for player")
    cannot(game, ANNA, "let_stand", "not for player")
    plays(game, BO, "object")
    assert (game.active, value(game, "rack", ANNA)) == (BO, [9, 10])
    assert (value(game, "board", "I8"), value(game, "points", ANNA)) == (None, 0)


def test_what_nobody_objects_to_stands():
    game = MatteKryss(3, {"wrong_result": "challenged"})
    change(game, phase="turn", rack={1: [9, 10]}, began=2)
    laid(game, 9, "I8", "left")
    plays(game, 1, "finish")
    cannot(game, 3, "let_stand", "player 2 who begins")
    plays(game, 2, "let_stand")
    assert (game.phase, value(game, "board", "I8"), value(game, "points", 1)) == ("filling", 9, 9)


def test_a_right_result_cannot_be_objected_to():
    game = ready([7, 10], wrong_result="challenged")
    laid(game, 7, "I8", "left")
    plays(game, ANNA, "finish")
    assert [event["move"] for event in game.legal()] == ["let_stand"]
    cannot(game, BO, "object", "no result of this turn is wrong")


def lots(game: MatteKryss, *tiles: int) -> None:
    for player, tile in enumerate(tiles, start=1):
        game.apply(chance("draw_lot", p=player, tile=tile))


def test_the_highest_lot_begins_and_all_lots_go_back():
    game = MatteKryss(3)
    refuses(game, chance("draw_lot", p=2, tile=1), "not player 2")
    refuses(game, chance("begin", p=1), "not everybody has drawn")
    lots(game, 4, 90, 0)
    refuses(game, chance("begin", p=1), "does not begin")
    game.apply(chance("begin", p=2))
    assert (game.active, game.pile) == (2, TILES)
    refuses(game, chance("deal", p=2, tile=1), "not player 2")


def test_equal_lots():
    first, other = chance("begin", p=1), chance("begin", p=3)
    game = MatteKryss(3)
    lots(game, 9, 1, 9)
    refuses(game, other, "does not begin")
    game.apply(first)
    game = MatteKryss(3, {"equal_lots": "by_chance"})
    lots(game, 9, 1, 9)
    begin: list[Any] = [game.roll(Random(seed)) for seed in range(20)]
    assert {event["args"]["p"] for event in begin} == {1, 3}
    game.apply(other)
    assert game.active == 3
