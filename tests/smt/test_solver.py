"""A solver has so much time of the processor, and can be asked again after it gave up."""

from __future__ import annotations

from itertools import combinations
from time import process_time

import pytest

from checker.smt.solver import UNKNOWN, UNSAT, Z3

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
    for _ in range(2):
        began = process_time()
        answer = solver.check([], 0.3)
        assert (answer.result, answer.reason) == (UNKNOWN, "out of time")
        assert 0.3 <= process_time() - began < 1.0
    answer = solver.check(["s"], 0.3)
    assert answer.result == UNSAT and answer.core == ("s",)


def test_the_work_of_one_solver_does_not_limit_another() -> None:
    early, hasty = Z3(pigeons()), Z3(pigeons(), work=1000)
    began = process_time()
    assert hasty.check([], 10).result == UNKNOWN
    assert process_time() - began < 0.3
    for patient in (early, Z3(pigeons())):
        began = process_time()
        assert patient.check([], 0.4).result == UNKNOWN
        assert process_time() - began >= 0.4
