"""Events and values are written as in a spec, and read back."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rulewright.meaning import types as y
from rulewright.meaning.core import Param
from rulewright.play.io.notation import write, write_event, write_line
from rulewright.play.io.parse_notation import read_arguments, read_event
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import BagValue
from rulewright.syntax.node import NOWHERE, replace
from tests.meaning.states import Drawn, any_value, playground
from tests.play.games import game, random_play

INSTANCE = Instance(playground(), 3)
ENUMS = {each.name: each for each in playground().enums}
COLOUR, TILE = ENUMS["Colour"], ENUMS["Tile"]
TYPES = [
    y.BOOL, y.Int(-20, 50), y.Player(2, 3), COLOUR, TILE, y.Grid("S", 3, 3), y.Option(TILE),
    y.Set(TILE), y.Bag(TILE), y.Map(COLOUR, y.Option(y.Int(0, 3))), y.Map(y.Int(1, 3), TILE),
    y.Map(y.Player(2, 3), y.Set(COLOUR)), y.Map(y.Grid("S", 3, 3), y.Option(TILE)),
    y.Map(y.Int(1, 20), y.BOOL), y.Map(COLOUR, y.Map(y.BOOL, y.Bag(TILE))),
]  # fmt: skip


@given(some.data())
def test_every_value_is_read_back_as_it_is_written(data):
    type = data.draw(some.sampled_from(TYPES))
    value = data.draw(some.composite(lambda draw: any_value(type, INSTANCE, Drawn(draw)))())
    said = f"say({write(value, type, INSTANCE)})"
    assert read_arguments(said, _saying(type), 1) == ("say", {"it": value})


def _saying(type):
    """A game with a move that takes such a value."""
    instance = Instance(playground(), 3)
    (move, *_) = instance.of_kind("move")
    params = (Param(NOWHERE, "it", type),)
    instance.transitions = {"say": replace(move, name="say", params=params)}
    return instance


@pytest.mark.parametrize(
    ("value", "type", "written"),
    [
        (True, y.BOOL, "true"),
        (None, y.Option(COLOUR), "none"),
        ("red 2", TILE, "tile(red, 2)"),
        (frozenset({"joker", "red 2"}), y.Set(TILE), "{tile(red, 2), joker}"),
        (BagValue(["red 2", "red 2"]), y.Bag(TILE), "{tile(red, 2), tile(red, 2)}"),
        ({1: 6, 2: 6}, y.Map(y.Int(1, 2), y.Int(1, 6)), "[6, 6]"),
        ({"red": 1, "yellow": None, "green": 1}, y.Map(COLOUR, y.Option(y.Int(1, 6))),
         "[yellow: none, else: 1]"),
        ({"red": 1, "yellow": 2, "green": 3}, y.Map(COLOUR, y.Int(1, 6)),
         "[red: 1, yellow: 2, green: 3]"),
    ],
)  # fmt: skip
def test_how_values_are_written(value, type, written):
    assert write(value, type, INSTANCE) == written


def test_events_of_a_game_are_read_back():
    instance = game("qwixx", 3)
    for event, _ in random_play(instance, 1, 60):
        if event is not None:
            assert read_event(write_event(event, instance), instance, event.by) == event


def test_an_event_is_a_line_of_an_example():
    instance = game("qwixx", 3)
    event = Event("cross_sum", 2, {"row": "red", "at": 5})
    assert write_line(event, instance) == "2 plays cross_sum(row = red, at = 5)"
    assert write_line(event, instance, ("max", "emma", "jo")).startswith("emma plays ")
    throw = read_event("throw([6, 6], [green: none, else: 1])", instance)
    assert write_line(throw, instance) == "chance throw(w = [6, 6], d = [green: none, else: 1])"


def test_arguments_may_come_by_place_or_name_and_be_left_out():
    instance = game("qwixx", 3)
    assert read_event("cross_sum(red,at=5)", instance, 1).arguments == {"row": "red", "at": 5}
    assert read_event(" pass_sum ( ) ", instance, 1).arguments == {}
    assert read_arguments("cross_sum(at=5)", instance, 1) == ("cross_sum", {"at": 5})


@pytest.mark.parametrize(
    ("text", "by", "message"),
    [
        ("cross_sun(red, 5)", 1, "`qwixx` has no move `cross_sun`"),
        ("cross_sum(red, 5)", None, "`qwixx` has no chance event `cross_sum`"),
        ("cross_sum(red, 5)", 7, "there is no player 7"),
        ("cross_sum(red, 12)", 1, "`12` is not a value of `Space`"),
        ("cross_sum(rad, 5)", 1, "`rad` is not a value of `Colour`"),
        ("cross_sum(red)", 1, "`cross_sum` also needs `at`"),
        ("cross_sum(red, 5, 6)", 1, "`cross_sum` has no parameter for `6`"),
        ("cross_sum(red, row=red)", 1, "`cross_sum` has no parameter for `row`"),
        ("cross_sum(red, 5", 1, "`cross_sum(red, 5` should have `,` where it has its end"),
        ("cross_sum(red, 5) now", 1, "`now` is too much in `cross_sum(red, 5) now`"),
        ("", 1, "`` should have more where it has its end"),
        ("throw([6], [else: 1])", None, "`throw([6], [else: 1])` gives 1 values for 2 keys"),
    ],
)
def test_what_cannot_be_read_is_said(text, by, message):
    with pytest.raises(UsageError) as error:
        read_event(text, game("qwixx", 3), by)
    assert error.value.message.replace("1..11", "Space") == message


@given(some.text(alphabet="cross_umpa(){}[],:= 150-red", max_size=20))
def test_no_text_whatever_crashes_reading(text):
    with suppress(UsageError):
        read_event("cross_sum" + text, game("qwixx", 3), 1)
