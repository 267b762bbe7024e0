"""Values as JSON and back, and what is said of JSON that is not a value."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rulewright.meaning import types as y
from rulewright.play.io.json_codec import (
    DecodeError,
    decode,
    decode_event,
    decode_position,
    encode,
    encode_event,
    encode_position,
)
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import BagValue, SparseMap
from tests.meaning.states import Drawn, any_value, playground
from tests.play.games import game, random_play

INSTANCE = Instance(playground(), 3)
COLOUR = next(each for each in playground().enums if each.name == "Colour")
TILE = next(each for each in playground().enums if each.name == "Tile")

scalars: some.SearchStrategy[Any] = some.sampled_from(
    [y.BOOL, y.Int(-2, 7), y.Player(2, 3), COLOUR, TILE, y.Grid("S", 3, 3), y.DIRECTION]
)
keys = some.one_of(scalars, some.just(y.Grid("Large", 35, 35)))
types = some.recursive(
    some.one_of(scalars, scalars.map(y.Option), scalars.map(y.Set), scalars.map(y.Bag)),
    lambda inner: some.builds(y.Map, scalars, inner),
    max_leaves=3,
) | some.builds(y.Map, keys, scalars.map(y.Option))


@given(some.data())
def test_every_value_survives_json(data):
    type = data.draw(types)
    value = data.draw(some.composite(lambda draw: any_value(type, INSTANCE, Drawn(draw)))())
    written = json.dumps(encode(value, type, INSTANCE), allow_nan=False)
    assert decode(json.loads(written), type, INSTANCE) == value


@pytest.mark.parametrize(
    ("value", "type", "written"),
    [
        (frozenset({"green", "red"}), y.Set(COLOUR), ["red", "green"]),
        (BagValue(["joker", "red 2", "red 2"]), y.Bag(TILE), ["red 2", "red 2", "joker"]),
        ({"red": 1, "yellow": 0, "green": 2}, y.Map(COLOUR, y.Int(0, 2)),
         {"red": 1, "yellow": 0, "green": 2}),
        ({1: None, 2: 3}, y.Map(y.Int(1, 2), y.Option(y.Int(0, 9))), [[1, None], [2, 3]]),
        (SparseMap(INSTANCE.order(y.Grid("L", 35, 35)), {"B2": 7}),
         y.Map(y.Grid("L", 35, 35), y.Option(y.Int(0, 9))), [["B2", 7]]),
    ],
)  # fmt: skip
def test_values_are_written_as_the_contract_says(value, type, written):
    assert encode(value, type, INSTANCE) == written


@pytest.mark.parametrize(
    ("found", "type", "message"),
    [
        (7, y.Int(0, 5), "`x` should be a number 0..5, but is 7"),
        (True, y.Int(0, 5), "`x` should be a number 0..5, but is true"),
        (2.0, y.Int(0, 5), "`x` should be a number 0..5, but is 2.0"),
        (1, y.BOOL, "`x` should be true or false, but is 1"),
        (4, y.Player(2, 3), "`x` should be a player from 1 to 3, but is 4"),
        ("blue", COLOUR, '`x` should be a Colour (red, yellow, green), but is "blue"'),
        (["blue"], COLOUR, "`x` should be a Colour (red, yellow, green), but is a list of 1"),
        ("D1", y.Grid("S", 3, 3), '`x` should be a S from A1 to C3, but is "D1"'),
        ("red", y.Set(COLOUR), '`x` should be a list, but is "red"'),
        (["red", "red"], y.Set(COLOUR), "`x` should be a set, each element once, "
                                        "but is a list of 2"),
        (["red", 1], y.Bag(COLOUR), "`x[1]` should be a Colour (red, yellow, green), but is 1"),
        ([], y.Map(COLOUR, y.BOOL), "`x` should be an object with a member for each key, "
                                    "but is a list of 0"),
        ({"red": True}, y.Map(COLOUR, y.BOOL), "`x` has no value for `yellow`"),
        ({"red": 5}, y.Map(COLOUR, y.BOOL), "`x[red]` should be true or false, but is 5"),
        ({}, y.Map(y.Int(1, 2), y.BOOL), "`x` should be a list of pairs [key, value], "
                                         "but is an object"),
        ([[1, True], [1, True]], y.Map(y.Int(1, 2), y.BOOL), "`x` has the key `1` twice"),
        ([[3, True]], y.Map(y.Int(1, 2), y.BOOL), "`x` should be a key of a number 1..2, but is 3"),
        ("y" * 200, COLOUR, '`x` should be a Colour (red, yellow, green), '
                            f'but is "{"y" * 58}…'),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said_with_where_it_stands(found, type, message):
    with pytest.raises(DecodeError) as error:
        decode(found, type, INSTANCE, "x")
    assert error.value.message == message


@given(some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=4),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=4), inner),
    max_leaves=6,
), types)  # fmt: skip
def test_no_json_whatever_crashes_decoding(found, type):
    try:
        value = decode(found, type, INSTANCE)
    except DecodeError:
        return
    assert decode(encode(value, type, INSTANCE), type, INSTANCE) == value


def test_a_whole_game_survives_json():
    instance = game("qwixx", 3)
    for event, position in random_play(instance, 1, 30):
        written = json.loads(json.dumps(encode_position(position, instance)))
        assert decode_position(written, instance) == position
        if event is not None:
            written = json.loads(json.dumps(encode_event(event, instance)))
            assert decode_event(written, instance) == event


def test_events_are_written_as_the_contract_says():
    instance = game("qwixx", 3)
    _, (throw, _), (move, _), *_ = random_play(instance, 3)
    assert throw is not None and move is not None
    assert encode_event(throw, instance).keys() == {"chance", "args"}
    assert encode_event(throw, instance)["args"]["d"].keys() == {"red", "yellow", "green", "blue"}
    assert encode_event(move, instance).keys() == {"move", "by", "args"}


@pytest.mark.parametrize(
    ("event", "message", "help"),
    [
        ({"move": "cross_sums", "by": 1}, "`qwixx` has no move `cross_sums`",
         "did you mean `cross_sum`?"),
        ({"move": "throw", "by": 1}, "`qwixx` has no move `throw`",
         "it has `cross_sum`, `pass_sum`, `cross_colour`, `pass_colour`"),
        ({"chance": "roll"}, "`qwixx` has no chance event `roll`", "it has `throw`"),
        ({"by": 1}, "an event has either `move` or `chance`, this has neither", None),
        ({"move": 3, "by": 1}, "`move` should be a name, but is 3", None),
        ({"move": "pass_sum"}, "the move does not say whose it is", None),
        ({"move": "pass_sum", "by": 9}, "`by` should be a player from 1 to 3, but is 9", None),
        ({"move": "pass_sum", "by": 1, "args": {"x": 1}}, "`pass_sum` has no parameter `x`",
         "it takes none"),
        ({"move": "cross_sum", "by": 1, "args": {"row": "red"}}, "`cross_sum` also needs `at`",
         "it takes row, at"),
        ({"move": "cross_sum", "by": 1, "args": {"row": "red", "at": "1"}},
         '`args.at` should be a number 1..11, but is "1"', None),
        ({"move": "cross_sum", "by": 1, "args": []}, "`args` should be an object, "
                                                    "but is a list of 0", None),
    ],
)  # fmt: skip
def test_events_that_there_are_not(event, message, help):
    with pytest.raises(UsageError) as error:
        decode_event(event, game("qwixx", 3))
    assert error.value.message == message
    assert help is None or error.value.help == help


def test_a_position_may_leave_out_what_is_as_at_the_start():
    instance = game("pig", 2)
    begin = random_play(instance, 0, 0)[0][1]
    found = decode_position({"total": 5}, instance, begin)
    assert found == {**begin, "total": 5}
    with pytest.raises(DecodeError, match="does not say `phase`"):
        decode_position({"total": 5}, instance)
    with pytest.raises(DecodeError, match="no state variable `totl`"):
        decode_position({"totl": 5}, instance, begin)
