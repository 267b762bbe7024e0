"""Events in a player's words."""

from __future__ import annotations

import pytest

from rulewright.frontend import read
from rulewright.meaning.core import Expectation
from rulewright.play.explain.examples import play_example
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.site.model.example_steps import steps
from rulewright.site.words.event_text import event_sentence
from rulewright.site.words.expectation_text import expectation_text
from tests.site.conftest import ROOT, core


def test_dice_are_told_by_name_and_those_that_are_gone_left_out():
    dice = {"red": 6, "yellow": 3, "green": None, "blue": 1}
    throw = Event("throw", None, {"w": {1: 4, 2: 1}, "d": dice})
    qwixx = Instance(core("qwixx"), 2)
    assert (
        event_sentence(throw, qwixx)
        == "The active player throws (white 4 1, red 6, yellow 3, blue 1)."
    )
    assert event_sentence(throw, qwixx, drawn=True) == "The active player throws."


def test_a_field_is_told_by_the_number_on_the_sheet_of_the_variant():
    cross = Event("cross_sum", 2, {"row": "green", "at": 3})
    qwixx = Instance(core("qwixx"), 2)
    words = "*Emma*: cross the sum of the white dice (green 10)."
    assert event_sentence(cross, qwixx, ("max", "emma")) == words
    mixed = Instance(read(ROOT / "spec" / "qwixx.rules").variant("mixed_colours"), 2)
    words = "*Emma*: cross the sum of the white dice (row green, number 10)."
    assert event_sentence(cross, mixed, ("max", "emma")) == words, "its field is blue"


def test_squares_and_tiles_are_told_as_they_are_written():
    lay = Event("lay", 1, {"tile": 12, "at": "I8", "claims": frozenset({"left"})})
    told_so = event_sentence(lay, Instance(core("matte_kryss"), 2))
    assert told_so.endswith("(tile 12, at I8, claims left).")


def test_a_letter_is_not_told_as_a_name_and_a_player_without_one_by_the_seat():
    kubbar = Instance(core("kubbar"), 3)
    assert event_sentence(Event("fill_pool", None, {"t": "green 3"}), kubbar).endswith("(green 3).")
    assert event_sentence(Event("draw", 2, {}), kubbar).startswith("*player 2*: ")


@pytest.mark.parametrize(
    ("game", "example", "words"),
    [
        ("qwixx", "red_row", "crossed of Max, red: **5, 7**"),
        ("qwixx", "laura_score", "score of Laura: **70**"),
        ("qwixx", "laura_score", "*Laura* wins; *Max* does not win"),
        ("kubbar", "run_of_five", "rack of Anna: **blue 11, draw three**"),
        ("twenty_one", "sara_writes", "hits of Sara, 1: **3, 1**"),
        ("matte_kryss", "four_figures", "rack of Anna has 7; rack of Bo has 7; pile has 88"),
    ],
)
def test_what_is_expected_is_told_with_what_is_printed_on_the_sheet(game, example, words):
    assert words in told_of(game, example)


def test_what_has_no_words_is_shown_as_it_stands():
    assert None in told_of("qwixx", "first_action")


def told_of(game, name):
    (example,) = [each for each in core(game).examples if each.name == name]
    played = play_example(core(game), example)
    return [
        expectation_text(step.line.condition, played.instance, step.before, example.seats)
        for step in steps(played)
        if isinstance(step.line, Expectation)
    ]
