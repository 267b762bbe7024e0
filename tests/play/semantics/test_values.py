"""Bags behave like counters, sparse maps like dense ones."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rulewright.meaning import types as y
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import (
    BagValue,
    SparseMap,
    changed,
    entries,
    frozen,
    is_sparse,
    make_map,
    ordered,
    stray,
    uniform_map,
)
from tests.meaning.states import playground

BOARD = y.Grid("Board", 40, 40)
BIG = y.Map(BOARD, y.Option(y.Int(0, 9)))
INSTANCE = Instance(playground(), 2)
SQUARES = list(INSTANCE.order(BOARD))

elements = some.lists(some.integers(0, 4), max_size=8)
cells = some.dictionaries(some.sampled_from(SQUARES), some.none() | some.integers(0, 9), max_size=9)


@given(elements, elements)
def test_bags_are_multisets(left, right):
    one, other = BagValue(left), BagValue(right)
    a, b = Counter(left), Counter(right)
    assert one + other == BagValue((a + b).elements())
    assert one & other == BagValue((a & b).elements())
    assert (one <= other) == (a <= b)
    assert (one < other) == (a < b)
    assert len(one) == len(left)
    assert all(one[each] == a[each] and (each in one) == (each in a) for each in range(5))
    assert (one == other) == (a == b) and (one != other or hash(one) == hash(other))
    assert (one + other) - other == one


@given(cells, cells, some.sampled_from(SQUARES), some.none() | some.integers(0, 9))
def test_sparse_maps_are_maps(left, right, key, value):
    def dense(found):
        return {square: found.get(square) for square in SQUARES}

    sparse = make_map(BIG, INSTANCE, left.get)
    assert isinstance(sparse, SparseMap)
    assert sparse == dense(left) and dense(left) == sparse
    other = make_map(BIG, INSTANCE, right.get)
    assert (sparse == other) == (dense(left) == dense(right)) == (frozen(sparse) == frozen(other))
    written = changed(sparse, key, value)
    assert written == {**dense(left), key: value}
    assert sparse == dense(left), "a write makes a new map"
    assert dict(entries(written)) == {k: v for k, v in written.items() if v is not None}


def test_a_big_empty_board_costs_nothing():
    board = uniform_map(BIG, INSTANCE, None)
    assert isinstance(board, SparseMap) and board.entries == {}
    assert len(board) == 1600 and board["AN40"] is None
    with pytest.raises(KeyError):
        board["AO1"]


def test_only_big_maps_of_optionals_are_sparse():
    assert is_sparse(BIG)
    assert not is_sparse(y.Map(BOARD, y.Int(0, 9)))
    assert not is_sparse(y.Map(y.Grid("Small", 14, 14), y.Option(y.Int(0, 9))))


def test_plain_values_are_sorted_as_their_type_says():
    colour = next(each for each in playground().enums if each.name == "Colour")
    assert ordered({"green", "red"}, colour, INSTANCE) == ["red", "green"]
    assert ordered({"B1", "A10", "A2"}, BOARD, INSTANCE) == ["B1", "A2", "A10"]
    assert ordered([3, None, 1], y.Option(y.Int(0, 5)), INSTANCE) == [None, 1, 3]


@pytest.mark.parametrize(
    ("value", "type", "found"),
    [
        (5, y.Int(0, 5), None),
        (6, y.Int(0, 5), (6, y.Int(0, 5))),
        (None, y.Option(y.Int(0, 5)), None),
        (3, y.Player(2, 3), (3, y.Player(2, 3))),
        (frozenset({1, 9}), y.Set(y.Int(0, 5)), (9, y.Int(0, 5))),
        (BagValue([9]), y.Bag(y.Int(0, 5)), (9, y.Int(0, 5))),
        ({1: 2, 2: 3}, y.Map(y.Int(1, 2), y.Int(0, 2)), (3, y.Int(0, 2))),
        (changed(uniform_map(BIG, INSTANCE, None), "A1", 10), BIG, (10, y.Int(0, 9))),
    ],
)
def test_what_leaves_its_range_is_found(value, type, found):
    assert stray(value, type, INSTANCE) == found
