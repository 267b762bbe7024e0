"""A solver has so much work, and can be asked again after it gave up."""

from __future__ import annotations

from itertools import combinations

import pytest

from rulewright.smt.solver.solver import UNKNOWN, UNSAT, Z3
from rulewright.system.work_budget import METER, units

HOLES = 11


def pigeons() -> str:
    """More pigeons than holes: easy to say, hard to refute. And a switch that refutes itself."""
    pigeons, holes = range(HOLES + 1), range(HOLES)
    lines = [f"(declare-const p{i}_{j} Bool)" for i in pigeons for j in holes]
    lines += [f"(assert (or {' '.join(f'p{i}_{j}' for j in holes)}))" for i in pigeons]
    lines += [
        f"(assert (not (and p{i}_{j} p{k}_{j})))"
        for j in holes
        for i, k in combinations(pigeons, 2)
    ]
    return "\n".join([*lines, "(declare-const s Bool)", "(assert (=> s false))"])


@pytest.mark.parametrize("logic", [None, "QF_FD"])
def test_a_solver_gives_up_after_so_much_work(logic: str | None) -> None:
    solver = Z3(pigeons(), logic)
    for seconds in (0.3, 0.5):
        before = METER.spent
        answer = solver.check([], seconds)
        assert (answer.result, answer.reason) == (UNKNOWN, "out of time")
        assert units(seconds) <= answer.work <= 1.1 * units(seconds)
        assert METER.spent - before == answer.work, "what was done is noted"
    answer = solver.check(["s"], 0.3)
    assert answer.result == UNSAT and answer.core == ("s",)


def test_the_work_of_one_solver_does_not_limit_another() -> None:
    early, hasty = Z3(pigeons()), Z3(pigeons(), work=1000)
    assert hasty.check([], 10).work < 2000
    for patient in (early, Z3(pigeons())):
        answer = patient.check([], 0.4)
        assert answer.result == UNKNOWN and answer.work >= units(0.4)


def test_an_answer_does_not_depend_on_what_was_asked_before() -> None:
    """The same model, whether the question before it was asked or came from a cache."""
    numbers = "".join(f"(declare-const x{n} Int)(assert (<= 0 x{n} 50))" for n in range(8))
    text = numbers + (
        "(declare-const a Bool)(assert (=> a (= (+ (* 3 x0) x1 (* 7 x2)) (+ x3 (* 2 x4) 31))))"
        "(declare-const b Bool)(assert (=> b (distinct x0 x1 x2 x3 x4 x5 x6 x7)))"
    )
    names = [f"x{number}" for number in range(8)]
    alone = Z3(text).check(["a", "b"], 1, names)
    both = Z3(text)
    both.check(["b"], 1, names)
    both.check(["a"], 1, names)
    assert both.check(["a", "b"], 1, names) == alone


def test_a_value_that_the_solver_leaves_as_a_formula_is_worked_out() -> None:
    """z3 keeps quantifiers over ranges in the values of its models."""
    text = (
        "(declare-const in (Array Int Bool))"
        "(define-const n Int (ite (forall ((x Int)) (or (< x 3) (select in x))) 4 7))"
        "(define-const all Bool (forall ((x Int)) (or (< x 3) (not (= x 9)))))"
        "(assert (not (select in 5)))"
    )
    answer = Z3(text).check([], 10, ["n", "all"])
    assert answer.model == {"n": 7, "all": 0}
