"""What one process of a run was answered, the others know; and they know nothing else."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import pytest

from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.cache.shared_answers import SharedAnswers
from rulewright.smt.solver.solver import UNKNOWN, UNSAT, SolverAnswer
from rulewright.system.work_budget import METER

forked = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux")


def in_a_copy(action: Callable[[], object]) -> None:
    """Does something in a copy of this process."""
    copy = os.fork()
    if copy == 0:
        code = 1
        try:
            action()
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(copy, 0)[1] == 0


@forked
def test_what_a_copy_was_answered_the_others_know() -> None:
    shared = SharedAnswers()
    assert shared.get("a question") is None
    in_a_copy(lambda: shared.put("a question", {"result": "sat"}))
    assert shared.get("a question") == {"result": "sat"}

    def knows() -> None:
        assert shared.get("a question") == {"result": "sat"}

    in_a_copy(knows)


@forked
@pytest.mark.parametrize("half", [b"\ncu", b'\ncut\t{"result": "un', b'\ncut\t{"work":1'])
def test_what_was_written_by_half_is_not_believed(half: bytes) -> None:
    shared = SharedAnswers()
    assert shared._shared is not None
    os.write(shared._shared, half)
    in_a_copy(lambda: shared.put("after it", {"work": 2}))
    assert shared.get("cut") is None and shared.get("cu") is None
    assert shared.get("after it") == {"work": 2}


@forked
def test_what_is_too_long_is_known_to_whoever_asked() -> None:
    shared, long = SharedAnswers(longest=50), {"model": "x" * 100}
    in_a_copy(lambda: shared.put("long", long))
    in_a_copy(lambda: shared.put("short", {}))
    assert shared.get("long") is None and shared.get("short") == {}
    shared.put("long", long)
    assert shared.get("long") == long


def asked(cache: Cache, work: int, answer: SolverAnswer) -> tuple[SolverAnswer, bool, int]:
    """What comes of a question with so much work, whether the solver was asked, and what it took
    out of what is left."""
    solver: list[SolverAnswer] = []

    def ask() -> SolverAnswer:
        solver.append(answer)
        METER.charge(answer.work)
        return answer

    before = METER.spent
    told = cache.answer("a question", 30.0, work, ask)
    return told, bool(solver), METER.spent - before


def test_an_answer_counts_as_much_whether_it_was_asked_or_known() -> None:
    cache = Cache(None)
    refuted = SolverAnswer(UNSAT, core=("h0",), work=500)
    assert asked(cache, 1_000, refuted) == (refuted, True, 500)
    assert asked(cache, 1_000, refuted) == (refuted, False, 500)


def test_whoever_may_do_less_is_not_told_what_took_more() -> None:
    cache = Cache(None)
    refuted, late = SolverAnswer(UNSAT, work=500), SolverAnswer(UNKNOWN, "out of time", work=400)
    asked(cache, 1_000, refuted)
    assert asked(cache, 400, late) == (late, True, 400)
    assert asked(cache, 400, late) == (late, False, 400)
    assert asked(cache, 1_000, refuted) == (refuted, False, 500)


def test_what_was_given_up_is_asked_again_with_more_work() -> None:
    cache = Cache(None)
    refuted, late = SolverAnswer(UNSAT, work=500), SolverAnswer(UNKNOWN, "out of time", work=400)
    asked(cache, 400, late)
    assert asked(cache, 1_000, refuted) == (refuted, True, 500)
    assert asked(cache, 400, late) == (late, False, 400)
