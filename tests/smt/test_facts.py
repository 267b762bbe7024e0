"""What a solver is told without asking is true: of sums, of bags in bags, and of a question from
which the quantifiers were taken."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from rulewright.smt.encode import arrays as b
from rulewright.smt.encode import large_collections
from rulewright.smt.encode.sum_axioms import for_all
from rulewright.smt.solver.smtlib import LabelledAssertion, script
from rulewright.smt.solver.solver import SAT, UNSAT, Z3
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.instantiate import GroundAssertions
from rulewright.smt.terms.term import Term, parts
from tests.smt.meaning import World

KEYS = range(5)
SQUARES = range(7)
NAMES = ("one", "two")


def _world(random: Random) -> World:
    most = random.choice((0, 1, 3))
    bags = {name: {key: random.randint(0, most) for key in KEYS} for name in NAMES}
    cells = {square: random.choice((-1, *KEYS)) for square in SQUARES}
    tally = {key: sum(value == key for value in cells.values()) for key in KEYS}
    cells[SQUARES.stop] = b.NONE  # what lies beyond the last square
    numbers = {"key": random.choice(KEYS), "square": random.choice(SQUARES)}
    return World(numbers, {**bags, "cells": cells, "tally of cells": tally})


def _bags(terms: TermBuilder) -> list[b.SymbolicArray]:
    one, two = (b.UnknownArray(KEYS, name, 0, None) for name in NAMES)
    key, square = terms.unknown("key", 0, 4), terms.unknown("square", 0, 6)
    cells = b.UnknownArray(SQUARES, "cells", b.NONE, 4)
    moved = b.StoredArray(cells, square, terms.number(2))
    more = b.StoredArray(one, key, terms.plus(one.read(terms, key), terms.number(1)))
    few = b.StoredArray(b.ListedArray(KEYS, {}, terms.number(0)), key, terms.number(1))
    whole = b.SumArray(two, b.ValueCounts(KEYS, cells), 1)
    either = b.ConditionalArray(terms.equal(key, square), whole, one)
    over = b.StoredArray(whole, key, terms.number(3))
    tallies = [b.ValueCounts(KEYS, cells), b.ValueCounts(KEYS, moved)]
    return [one, two, more, few, whole, either, over, *tallies]


def _facts(claims: Sequence[Term]) -> set[Term]:
    found: set[Term] = set()
    waiting = list(claims)
    while waiting:
        for each in parts(waiting.pop()):
            waiting += [fact for fact in each.facts if fact not in found]
            found.update(each.facts)
    return found


@pytest.mark.parametrize("seed", range(20))
def test_facts_about_sums_and_bags_hold(seed: int) -> None:
    terms, world = TermBuilder(), _world(Random(seed))
    bags = _bags(terms)
    claims = [each.total(terms) for each in bags]
    inside = [
        large_collections.bag_operator(terms, "sub_bag", one, other)
        for one in bags
        for other in bags
    ]
    claims += [each for each in inside if isinstance(each, Term)]
    weights = (3, 1, 4, 0, 5)
    for root in bags[:2]:
        claims.append(
            root.measure(terms, lambda key, n: terms.times(n, terms.table(0, weights, key)))
        )
        claims.append(
            root.measure(terms, lambda key, n: terms.times(terms.plus(n, n), terms.number(2)))
        )
    facts = _facts(claims)
    assert len(facts) > 20
    for fact in facts:
        assert world.value(fact) == 1, fact


@pytest.mark.parametrize("seed", range(20))
def test_sums_and_bags_are_worth_what_looking_at_every_key_says(seed: int) -> None:
    terms, world = TermBuilder(), _world(Random(seed))
    for one in _bags(terms):
        counts = {key: world.value(one.read(terms, terms.number(key))) for key in KEYS}
        assert world.value(one.total(terms)) == sum(counts.values())
        for other in _bags(terms):
            more = {key: world.value(other.read(terms, terms.number(key))) for key in KEYS}
            contained = large_collections.bag_operator(terms, "sub_bag", one, other)
            assert isinstance(contained, Term)
            assert world.value(contained) == all(counts[key] <= more[key] for key in KEYS)


def _claims(terms: TermBuilder, random: Random) -> list[Term]:
    """Things to say about bags and cells, with quantifiers in all places."""
    bags = _bags(terms)
    cells = b.UnknownArray(SQUARES, "cells", b.NONE, 4)

    def rises(key: Term) -> Term:
        here, next_one = cells.read(terms, key), cells.read(terms, terms.plus(key, terms.number(1)))
        return terms.any_of(terms.equal(key, terms.number(6)), terms.at_most(here, next_one))

    def not_two(key: Term) -> Term:
        return terms.no(terms.equal(cells.read(terms, key), terms.number(2)))

    rising, some = for_all(terms, SQUARES, rises), terms.no(for_all(terms, SQUARES, not_two))
    pairs = [random.sample(bags, 2) for _ in range(4)]
    inside = [large_collections.bag_operator(terms, "sub_bag", one, other) for one, other in pairs]
    size = terms.at_most(bags[0].total(terms), bags[1].total(terms))
    plain = [each for each in (rising, some, size, *inside) if isinstance(each, Term)]
    mixed = [terms.choose_truth(*random.sample(plain, 3)) for _ in range(4)]
    return [*plain, *mixed, *(terms.same_truth(*random.sample(plain, 2)) for _ in range(3))]


@pytest.mark.parametrize("seed", range(40))
def test_what_is_so_is_not_contradicted_without_quantifiers(seed: int) -> None:
    random = Random(seed)
    terms, world = TermBuilder(), _world(random)
    said = [each if world.value(each) else terms.no(each) for each in _claims(terms, random)]
    grounded = GroundAssertions(terms, [LabelledAssertion("", each) for each in said])
    text = script(grounded.asserted, facts=grounded.facts)
    assert Z3(text.text).check(text.switches, 30).result == SAT


def test_a_question_that_leads_from_square_to_square_is_decided() -> None:
    terms = TermBuilder()
    squares = range(57600)
    cells = b.UnknownArray(squares, "cells", -1, 57)

    def not_alone(key: Term) -> Term:
        here, right, left = (
            terms.equal(cells.read(terms, terms.linear(step, ((1, key),))), terms.number(-1))
            for step in (0, 1, -1)
        )
        place = terms.remainder(key, terms.number(240))
        inner = terms.both(terms.less(place, terms.number(239)), terms.less(terms.number(0), place))
        return terms.no(terms.every((terms.no(here), right, left, inner)))

    def not_after(key: Term) -> Term:
        return terms.any_of(not_alone(key), terms.at_most(key, terms.number(3)))

    asked = [
        LabelledAssertion("a", for_all(terms, squares, not_alone)),
        LabelledAssertion("b", terms.no(for_all(terms, squares, not_after))),
    ]
    grounded = GroundAssertions(terms, asked)
    text = script(grounded.asserted, facts=grounded.facts)
    assert "forall" not in text.text
    assert Z3(text.text).check(text.switches, 30).result == UNSAT


FACTORS = ("a", "b", "c", "d")


def _products(terms: TermBuilder, random: Random) -> list[Term]:
    """Claims about products of unknowns, some of them of the same factors in another order."""
    factors = [terms.unknown(name, -3, 3) for name in FACTORS]
    chosen = [
        terms.choose(terms.less(random.choice(factors), random.choice(factors)), *pair)
        for pair in (random.sample(factors, 2) for _ in range(3))
    ]
    numbers = [*factors, *chosen]
    products = [terms.times(random.choice(numbers), random.choice(numbers)) for _ in range(6)]
    pairs = [random.sample([*products, *factors], 2) for _ in range(6)]
    return [random.choice((terms.equal, terms.at_most))(*pair) for pair in pairs]


@pytest.mark.parametrize("seed", range(40))
def test_what_is_so_is_not_contradicted_where_products_may_be_anything(seed: int) -> None:
    random = Random(seed)
    terms = TermBuilder()
    world = World({name: random.randint(-3, 3) for name in FACTORS}, {})
    here = [
        terms.equal(terms.unknown(name, -3, 3), terms.number(world.numbers[name]))
        for name in FACTORS
    ]
    claims = _products(terms, random)
    said = [*here, *(each if world.value(each) else terms.no(each) for each in claims)]
    text = script([LabelledAssertion("", each) for each in said], any_product=True)
    assert Z3(text.text).check(text.switches, 30).result == SAT


def test_the_same_factors_have_the_same_product_whatever_that_is() -> None:
    terms = TermBuilder()
    a, b_, c, d = (terms.unknown(name, 0, 90) for name in FACTORS)
    same = [terms.equal(a, d), terms.equal(b_, c)]
    differ = terms.no(terms.equal(terms.times(a, b_), terms.times(c, d)))
    five = [terms.equal(each, terms.number(5)) for each in (a, b_)]
    thirty = terms.equal(terms.times(a, b_), terms.number(30))

    def answer(said: Sequence[Term], any_product: bool) -> str:
        text = script([LabelledAssertion("", each) for each in said], any_product=any_product)
        return Z3(text.text).check(text.switches, 30).result

    assert answer([*same, differ], True) == UNSAT
    assert answer([*five, thirty], True) == SAT  # nothing is worked out
    assert answer([*five, thirty], False) == UNSAT


@pytest.mark.parametrize("low", [0, -2])
def test_nothing_times_something_is_nothing(low: int) -> None:
    terms = TermBuilder()
    x, y = terms.unknown("x", low, 3), terms.unknown("y", -2, 3)
    none = terms.at_most(x, terms.number(0))
    zero = terms.number(0)
    products = [x, terms.times(x, y), terms.linear(0, ((5, x),)), terms.linear(1, ((5, x),)), y]
    chosen = [terms.choose(none, zero, each) for each in products]
    assert [each is product for each, product in zip(chosen, products)][:3] == [low == 0] * 3
    for left in range(low, 4):
        for right in range(-2, 4):
            world = World({"x": left, "y": right}, {})
            wanted = [0 if left <= 0 else world.value(each) for each in products]
            assert [world.value(each) for each in chosen] == wanted
