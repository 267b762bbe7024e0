"""What the conditions of a path are said to decide follows from them."""

from __future__ import annotations

from itertools import product
from random import Random

from rulewright.smt.solver.decode_model import Model
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.bounds import PathFacts
from rulewright.smt.terms.term import FALSE, TRUE, Term


class _Maker:
    """Random terms about three unknown numbers."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.terms = TermBuilder()
        self.unknowns = [
            self.terms.unknown(f"n{i}", self.random.randint(-2, 0), self.random.randint(0, 2))
            for i in range(3)
        ]

    def number(self, depth: int) -> Term:
        random, terms = self.random, self.terms
        kind = random.randint(0, 7) if depth else 0
        if kind < 2:
            return random.choice(self.unknowns)
        inner = self.number(depth - 1)
        if kind < 5:
            parts = [(random.choice((-2, -1, 1, 2)), each) for each in (inner, self.number(0))]
            return terms.linear(random.randint(-3, 3), parts)
        if kind == 5:
            return terms.divide(inner, terms.number(2))
        if kind == 6:
            return terms.choose(self.truth(depth - 1), inner, self.number(depth - 1))
        return terms.remainder(inner, terms.number(3))

    def truth(self, depth: int) -> Term:
        random, terms = self.random, self.terms
        kind = random.randint(0, 6) if depth else 0
        if kind < 3:
            return terms.at_most(self.number(depth), terms.number(random.randint(-4, 4)))
        if kind == 3:
            return terms.equal(self.number(depth), terms.number(random.randint(-3, 3)))
        if kind == 4:
            return terms.no(self.truth(depth - 1))
        parts = [self.truth(depth - 1), self.truth(depth - 1)]
        return terms.every(parts) if kind == 5 else terms.either(parts)


def test_what_is_decided_holds_wherever_the_conditions_do() -> None:
    decided = 0
    for seed in range(400):
        make = _Maker(seed)
        conditions = [make.truth(2) for _ in range(3)]
        asked = make.truth(2)
        facts = None
        for each in conditions:
            facts = PathFacts(facts, each)
        assert facts is not None
        said = facts.decides(asked)
        if said is None or asked in (TRUE, FALSE):
            continue
        decided += 1
        names = {each: str(each.value) for each in make.unknowns}
        ranges = [range(each.low or 0, (each.high or 0) + 1) for each in make.unknowns]
        for values in product(*ranges):
            model = Model(names, dict(zip(names.values(), values)))
            if all(model.compute(each) for each in conditions):
                assert bool(model.compute(asked)) == said, (seed, values)
    assert decided > 10


def test_a_bound_on_a_sum_is_a_bound_on_what_it_is_part_of() -> None:
    terms = TermBuilder()
    column, way = terms.unknown("column", 1, 8), terms.unknown("way", -1, 1)
    there = terms.linear(0, ((1, column), (2, way)))
    facts = PathFacts(None, terms.at_most(terms.number(1), there))
    facts = PathFacts(facts, terms.at_most(there, terms.number(8)))
    between = terms.divide(terms.plus(column, there), terms.number(2))
    assert facts.decides(terms.at_most(terms.number(1), between)) is True
    assert facts.decides(terms.at_most(between, terms.number(8))) is True
    assert facts.decides(terms.at_most(between, terms.number(7))) is None


def test_each_part_is_looked_at_where_the_others_fail() -> None:
    terms = TermBuilder()
    seat = terms.unknown("seat", 1, 2)
    last = terms.equal(seat, terms.number(2))
    assert PathFacts(None, TRUE).decides(terms.either([last, terms.at_most(seat, terms.number(1))]))


def test_what_follows_one_from_another_is_soon_worked_out(monkeypatch):
    """As where steps follow steps: each number is chosen by conditions on the ones before."""
    begun = 0
    held = PathFacts.__init__

    def counted(*given, **named):
        nonlocal begun
        begun += 1
        held(*given, **named)

    monkeypatch.setattr(PathFacts, "__init__", counted)
    terms = TermBuilder()
    number = terms.number
    one, other = terms.unknown("one", 0, 5), terms.unknown("other", 0, 5)
    for value in (3, 2, 1) * 3:
        both = terms.linear(0, [(1, one), (1, other)])
        due = terms.either([
            terms.equal(other, number(value)), terms.equal(one, number(value)),
            terms.equal(both, number(value + 2)),
        ])  # fmt: skip
        one = terms.choose(due, terms.linear(1, [(1, one)]), one)
        other = terms.choose(due, number(value - 1), other)
    PathFacts(None, terms.at_most(one, number(4))).interval(one)
    assert begun < 2_000
