"""Positions drawn in text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rulewright.meaning.types import Grid
from rulewright.play.explain.text_board import draw_board
from rulewright.play.explain.text_picture import WIDTH, picture
from rulewright.play.semantics.initial_states import initial_position
from rulewright.resources import bundled_specs
from tests.meaning.states import LARGEST_SEED, any_position, instances
from tests.play.games import game, random_play, small


@given(instances(), some.integers(0, LARGEST_SEED), some.lists(some.text(), max_size=3))
def test_any_position_is_drawn_in_a_hundred_columns(instance, seed, seats):
    lines = picture(instance, any_position(instance, seed), seats)
    assert lines and all(len(line) <= WIDTH for line in lines)


def test_a_score_sheet_shows_the_printed_numbers(golden):
    position = random_play(game("qwixx", 3), 5, 60)[-1][1]
    lines = picture(game("qwixx", 3), position, ("max", "emma", "laura"))
    golden("play/sheet.txt", "\n".join(lines) + "\n")


def test_what_a_move_would_add_to_a_sheet_stands_in_parentheses():
    instance = game("qwixx", 2)
    position = initial_position(instance)
    crossed = position["crossed"]
    rows = {**crossed[1], "red": frozenset({1})}
    then = {**position, "crossed": {**crossed, 1: {**rows, "green": frozenset({11})}}}
    lines = picture(instance, {**position, "crossed": {**crossed, 1: rows}}, leads=then)
    red, green = (next(line for line in lines if line.split()[:1] == [row]) for row in ROWS)
    assert red.split()[1:3] == ["[", "2]"] and "(" not in red
    assert green.endswith("( 2)") and "[" not in green
    assert sum("(" in line for line in lines) == 1


ROWS = ("red", "green")


BOARD = """
    type Colour = red | green
    type Tile = tile(colour: Colour, value: 1..12) | joker
    type Square = grid 240 x 240
    phase play, over final
    state
        board[Square]: Tile? = none
        reached: Set[Square] = {}
        bag: Bag[Tile] hidden = {joker, joker, tile(red, 1)}
        worth[Colour]: 0..20 = 3
        dice[1..3]: 1..6? = 2
        each Player
            rack: Bag[Tile] hidden = {}
            place: Square? = none
"""


def test_boards_racks_and_lines(golden):
    instance = small(BOARD, 2)
    position = initial_position(instance)
    board = {"T20": "red 12", "T21": "green 12", "BH20": "joker", "CV22": "green 10"}
    drawn = {
        **position,
        "board": type(position["board"])(position["board"].order, board),
        "reached": frozenset({"A1", "B2"}),
        "rack": {
            1: type(position["bag"])([f"red {n}" for n in range(1, 13)] * 2),
            2: position["bag"],
        },
    }
    empty = "\n".join(picture(instance, position))
    golden("play/boards.txt", empty + "\n\n" + "\n".join(picture(instance, drawn)) + "\n")


def test_what_a_move_would_lay_on_a_board_stands_in_parentheses():
    instance = small(BOARD, 2)
    position = initial_position(instance)
    empty = position["board"]
    here = type(empty)(empty.order, {"T20": "red 12"})
    there = type(empty)(empty.order, {"T20": "red 12", "U20": "green 12"})
    drawn = {**position, "board": here}
    lines = picture(instance, drawn, leads={**drawn, "board": there})
    assert any(line.split() == ["20", "red", "12", "(green", "12)"] for line in lines)
    narrow = {f"{letter}20": f"red {n}" for n, letter in enumerate("ABCDEFGHIJKLMNO", 1)}
    drawn = {**position, "board": type(empty)(empty.order, narrow)}
    there = type(empty)(empty.order, {**narrow, "P20": "red 1"})
    lines = picture(instance, drawn, leads={**drawn, "board": there})
    assert any("(r1)" in line for line in lines) and any("r red" in line for line in lines)


@given(
    some.dictionaries(
        some.builds("{}{}".format, some.sampled_from(["A", "C", "Z", "AB", "IF"]),
                    some.integers(1, 240)),
        some.text(alphabet="ab 12é", min_size=1, max_size=30),
        max_size=12,
    ),
    some.integers(0, 8),
)  # fmt: skip
def test_boards_of_any_marks_keep_to_their_width(marks, indent):
    lines = list(draw_board(marks, Grid("Board", 240, 240), " " * indent, WIDTH))
    assert lines and all(len(line) <= WIDTH for line in lines)


@pytest.mark.parametrize("name", bundled_specs())
def test_every_game_has_a_picture(name):
    instance = game(name)
    lines = picture(instance, initial_position(instance))
    assert all(len(line) <= WIDTH for line in lines)
    unseen = {each.subject for each in instance.spec.views if each.shape == "nothing"}
    for variable in instance.spec.variables:
        if variable.name in unseen:
            continue
        mark = f"{variable.name} (hidden):" if variable.hidden else f"{variable.name}:"
        assert any(line.strip().startswith(mark) for line in lines)
