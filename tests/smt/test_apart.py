"""Where one truth holds and another does not, one of the ways is open; and few are looked at."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from rulewright.smt.encode.sum_axioms import for_all
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.case_split import case_splits
from rulewright.smt.terms.term import FALSE, TRUE, Term

NAMES = "abcd"


def is_true(term: Term, given_values: dict[str, bool]) -> bool:
    if term is TRUE or term is FALSE:
        return term is TRUE
    inside = [is_true(each, given_values) for each in term.args]
    match term.op:
        case "variable":
            return given_values[term.value]
        case "not":
            return not inside[0]
        case "and":
            return all(inside)
        case "or":
            return any(inside)
    raise AssertionError(term.op)


shapes = st.recursive(
    st.sampled_from(NAMES),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.sampled_from(["and", "or"]), st.lists(inner, min_size=1, max_size=4)),
    ),
    max_leaves=8,
)


def built(terms: TermBuilder, shape) -> Term:
    match shape:
        case str():
            return terms.flag(shape)
        case "not", inner:
            return terms.no(built(terms, inner))
        case _:
            joined, inner = shape
            parts = [built(terms, each) for each in inner]
            return terms.every(parts) if joined == "and" else terms.either(parts)


@given(shapes, shapes)
def test_a_difference_is_always_in_one_of_the_ways(one, other):
    terms = TermBuilder()
    holds, fails = built(terms, one), built(terms, other)
    found = list(case_splits(terms, holds, fails))
    for values in product([False, True], repeat=len(NAMES)):
        here = dict(zip(NAMES, values))
        if is_true(holds, here) and not is_true(fails, here):
            assert any(
                all(is_true(each, here) for each in (*way.holds, *way.near, *way.far))
                for way in found
            )


def test_what_is_the_same_in_both_is_left_aside():
    terms = TermBuilder()
    a, b, c, d = map(terms.flag, NAMES)
    (way,) = case_splits(terms, terms.every((a, b, c)), terms.every((a, b, d)))
    assert way.holds == (c, terms.no(d)) and way.near == (a, b)
    assert not list(case_splits(terms, terms.every((a, b)), terms.every((a, b))))


def test_what_fails_for_some_key_is_looked_at_there():
    terms = TermBuilder()
    keys = range(40)

    def at_most(number: int) -> Term:
        most = terms.number(number)
        return for_all(terms, keys, lambda k: terms.at_most(terms.apply("board", k, 0, 9), most))

    less, more = at_most(3), at_most(5)
    assert [len(way.holds) for way in case_splits(terms, less, more)] == [2]
    (way,) = case_splits(terms, less, more)
    assert not any(each.free for each in way.holds)
