"""Quotients and remainders are worked out where they can be seen, as the rows and columns of a
square that was made of a row and a column."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from rulewright.smt.encode.arrays import ConditionalArray, StoredArray, SymbolicArray, UnknownArray
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.term import Term
from tests.smt.meaning import World

NAMES = "xyz"


@pytest.mark.parametrize("seed", range(60))
def test_a_quotient_and_a_remainder_mean_what_they_say(seed: int) -> None:
    random, terms = Random(seed), TermBuilder()
    spans = {}
    for name in NAMES:
        low = random.randint(-3, 2)
        spans[name] = low, low + random.randint(0, 4)
    number = random.randint(1, 8)
    by = terms.number(number)

    def some(parts: list[Term]) -> Term:
        factors = (1, 1, number, number, -number, 2 * number, -1)
        return terms.linear(random.randint(-9, 9), [(random.choice(factors), p) for p in parts])

    unknowns = [terms.unknown(name, *spans[name]) for name in NAMES]
    plain = some(unknowns)
    x = unknowns[0]
    again = terms.linear(3, ((1, terms.remainder(x, by)), (number, terms.divide(x, by))))
    asked = [terms.divide(plain, by), terms.remainder(plain, by)]
    asked += [terms.divide(again, by), terms.remainder(again, by)]
    for values in product(*(range(low, high + 1) for low, high in spans.values())):
        world = World(dict(zip(NAMES, values)), {})
        whole, more = world.value(plain), values[0] + 3
        found = [world.value(each) for each in asked]
        assert found == [whole // number, whole % number, more // number, more % number]
        for each, value in zip(asked, found):
            assert each.low is None or each.low <= value
            assert each.high is None or value <= each.high


def test_a_square_made_of_a_column_and_a_row_is_in_that_column_and_row() -> None:
    terms = TermBuilder()
    column, row, seven = terms.unknown("c", 1, 7), terms.unknown("r", 1, 6), terms.number(7)
    square = terms.linear(-8, ((7, row), (1, column)))
    assert terms.linear(1, ((1, terms.remainder(square, seven)),)) is column
    assert terms.linear(1, ((1, terms.divide(square, seven)),)) is row


def test_the_square_in_the_column_and_row_of_a_square_is_that_square() -> None:
    terms = TermBuilder()
    square, eight = terms.unknown("s", 0, 63), terms.number(8)
    column, row = terms.remainder(square, eight), terms.divide(square, eight)
    assert terms.linear(0, ((8, row), (1, column))) is square
    assert terms.linear(9, ((16, row), (2, column))) is terms.linear(9, ((2, square),))


def test_a_board_with_many_choices_is_gone_through_once() -> None:
    terms = TermBuilder()
    first: SymbolicArray = UnknownArray(range(9), "board", 0, 1)
    board = first
    for number in range(60):
        written = StoredArray(board, terms.unknown(f"k{number}", 0, 8), terms.number(1))
        board = ConditionalArray(terms.flag(f"c{number}"), written, board)
    assert board.root() is first
    assert board.total(terms).op in ("sum", "ite", "measure", "held")
