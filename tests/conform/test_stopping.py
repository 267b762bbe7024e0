"""A difference that was found is told, at whatever moment the run is ended afterwards."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

from rulewright.conform.engine.python_engine import PythonEngine
from rulewright.conform.stages.conformance import Conformance, Plan
from rulewright.conform.stages.lockstep import Divergence
from rulewright.conform.stages.runner import ConformanceRun
from rulewright.system.interrupts import Limit
from rulewright_engines.twenty_one import TwentyOne
from tests.conform.conftest import oracles

WHY = "it was interrupted"


class Listless(TwentyOne):
    """Lists no moves at all."""

    def legal(self) -> list[Any]:
        return []


def test_a_difference_is_told_whenever_the_run_is_ended():
    """The end comes at the nth line after a difference was met, for every n."""
    told = 0
    for lines in (*range(60), *range(60, 3000, 397)):
        ended = _ended_after(lines)
        assert [each.finding is not None for each in ended.stages] == [True], lines
        if ended.stopped is not None:
            told += 1
            said = f"the differing game is not shortened: {WHY}"
            assert said in ended.stages[0].left_out, lines
    assert told > 40


def _ended_after(lines: int) -> Conformance:
    """A check of the engine that is ended so many lines of this package after a difference."""
    limit, left = Limit(), [lines]

    def trace(frame: FrameType, event: str, given: Any) -> Any:
        if "conform" not in frame.f_code.co_filename:
            return None
        if event == "exception" and issubclass(given[0], Divergence):
            met.append(frame)
        if met and event == "line":
            left[0] -= 1
            if left[0] == -1:
                limit.stop(WHY)
        return trace

    met: list[FrameType] = []
    with PythonEngine.of(Listless) as engine:
        check = ConformanceRun(
            oracles("twenty_one"), engine, Plan(("games",), games=1), limit=limit
        )
        check._ahead = False  # a difference that is seen ahead does not count yet
        before = sys.gettrace()
        sys.settrace(trace)
        try:
            return check.run()
        finally:
            sys.settrace(before)
