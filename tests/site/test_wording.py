"""Events in a player's words."""

from __future__ import annotations

from checker.play.event import Event
from checker.play.instance import Instance
from checker.site.wording import told
from tests.site.conftest import core


def test_dice_are_told_by_name_and_those_that_are_gone_left_out():
    dice = {"red": 6, "yellow": 3, "green": None, "blue": 1}
    throw = Event("throw", None, {"w": {1: 4, 2: 1}, "d": dice})
    qwixx = Instance(core("qwixx"), 2)
    assert told(throw, qwixx) == "The active player throws (white 4 1, red 6, yellow 3, blue 1)."
    assert told(throw, qwixx, drawn=True) == "The active player throws."


def test_a_field_is_told_by_the_number_on_the_sheet_of_the_variant():
    cross = Event("cross_sum", 2, {"row": "green", "at": 3})
    qwixx = Instance(core("qwixx"), 2)
    words = "*emma*: cross the sum of the white dice (row green, number 10)."
    assert told(cross, qwixx, ("max", "emma")) == words


def test_squares_and_tiles_are_told_as_they_are_written():
    lay = Event("lay", 1, {"tile": 12, "at": "I8", "claims": frozenset({"left"})})
    told_so = told(lay, Instance(core("matte_kryss"), 2))
    assert told_so.endswith(r"(tile 12, at I8, claims \{left\}).")
