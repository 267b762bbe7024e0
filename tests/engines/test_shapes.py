"""Readers of JSON: what they take, and what they say of the rest."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright_engines.shapes import (
    Reader,
    ShapeError,
    bag,
    distinct,
    mapping,
    maybe,
    name,
    number,
    pairs,
    sparse,
    subset,
    truth,
)

PIPS = number(1, 6)
COLOUR = name("red", "blue")


@pytest.mark.parametrize(
    ("reader", "json", "value"),
    [
        (PIPS, 6, 6),
        (COLOUR, "red", "red"),
        (truth, False, False),
        (maybe(PIPS), None, None),
        (maybe(PIPS), 1, 1),
        (bag(PIPS), [1, 1], [1, 1]),
        (subset(PIPS), [2, 1], [2, 1]),
        (mapping(("red", "blue"), PIPS), {"blue": 1, "red": 2}, {"red": 2, "blue": 1}),
        (pairs((1, 2), PIPS), [[1, 5], [2, 6]], {1: 5, 2: 6}),
        (pairs((1, 2), PIPS), [[2, 5], [1, 6]], {1: 6, 2: 5}),
        (pairs((1, 2, 3), PIPS), [[1, 5], [2, 6], [3, 1]], {1: 5, 2: 6, 3: 1}),
        (pairs((1, 2, 3), PIPS), [[3, 5], [1, 6], [2, 1]], {1: 6, 2: 1, 3: 5}),
        (sparse(COLOUR, PIPS), [["blue", 5]], {"blue": 5}),
        (distinct(pairs((1, 2), PIPS)), [[1, 5], [2, 6]], {1: 5, 2: 6}),
    ],
)
def test_what_fits_is_read(reader: Reader[Any], json: Any, value: Any):
    read = reader(json)
    assert read == value
    assert not isinstance(read, dict) or [*read] == [*value]


@pytest.mark.parametrize(
    ("reader", "json", "complaint"),
    [
        (PIPS, 0, "a whole number from 1 to 6, not `0`"),
        (PIPS, 7, "not `7`"),
        (PIPS, True, "not `True`"),
        (PIPS, 1.0, "not `1.0`"),
        (PIPS, "1", "not `'1'`"),
        (PIPS, None, "not `null`"),
        (COLOUR, "green", "one of red, blue, not `'green'`"),
        (COLOUR, ["red"], "not a list of 1"),
        (COLOUR, "x" * 1000, "…`$"),
        (truth, 0, "true or false"),
        (maybe(PIPS), 9, "from 1 to 6"),
        (bag(PIPS), {}, "a list, not an object"),
        (bag(PIPS), [1, 9], "from 1 to 6"),
        (subset(PIPS), [1, 1], "each element once"),
        (subset(COLOUR), [[], []], "one of red"),
        (mapping(("red",), PIPS), {}, "an object with red"),
        (mapping(("red",), PIPS), {"red": 1, "blue": 1}, "an object with red"),
        (mapping(("red",), PIPS), [], "an object with red"),
        (pairs((1, 2), PIPS), [[1, 1]], "`2` has none"),
        (pairs((1, 2), PIPS), [[1, 1], [2, 7]], "from 1 to 6, not `7`"),
        (pairs((1, 2), PIPS), [[True, 1], [2, 1]], "there is no key"),
        (pairs((1, 2), PIPS), [[1, 1], [2, 1], [3, 1]], "there is no key `3`"),
        (pairs((1, 2, 3), PIPS), [[1, 1], [2, 1], [3, True]], "from 1 to 6, not `True`"),
        (pairs((1, 2), PIPS), [[1, 1], [1, 1]], "no key twice"),
        (pairs((1, 2), PIPS), [[1, 1], [3, 1]], "there is no key `3`"),
        (pairs((1, 2), PIPS), [[1, 1], [[], 1]], "there is no key a list"),
        (pairs((1, 2), PIPS), [[1, 1], [True, 1]], "there is no key"),
        (pairs((1, 2), PIPS), [[1], [2]], "a pair of key and value"),
        (sparse(COLOUR, PIPS), {"red": 1}, "a list of pairs"),
        (distinct(pairs((1, 2), PIPS)), [[1, 5], [2, 5]], "no value twice"),
    ],
)
def test_what_does_not_fit_is_said(reader: Reader[Any], json: Any, complaint: str):
    with pytest.raises(ShapeError, match=complaint):
        reader(json)


@pytest.mark.parametrize("alike", [True, 1.0, [1], {}, "1"])
def test_what_only_looks_like_something_read_before_does_not_fit(alike: Any):
    reader = mapping(("red", "blue"), maybe(PIPS))
    assert reader({"red": 1, "blue": None}) == {"red": 1, "blue": None}
    with pytest.raises(ShapeError, match="a whole number"):
        reader({"red": alike, "blue": None})
    with pytest.raises(ShapeError, match="a whole number"):
        reader({"blue": 1, "red": alike})


def test_what_was_read_is_a_copy():
    reader, json = mapping(("red", "blue"), PIPS), {"red": 1, "blue": 2}
    for _ in range(2):
        read = reader(json)
        assert read == json and read is not json


def test_what_is_read_as_something_else_is_looked_at_each_time():
    squares = mapping(("red",), lambda json: {"a1": 1}[json])
    assert squares({"red": "a1"}) == squares({"red": "a1"}) == {"red": 1}
    with pytest.raises(KeyError):
        squares({"red": 1})
