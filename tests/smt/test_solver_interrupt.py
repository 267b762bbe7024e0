"""A signal reaches a process whose solver is at work; a worker that does not stop is ended."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
HARD = """
from rulewright.smt.solver.solver import Z3
from rulewright.system.interrupts import Limit, StoppedError

squares = "".join(f"(declare-const x{n} Int)(assert (<= 2 x{n} 90000))" for n in range(12))
text = squares + (
    "(assert (= (+ (* x0 x0 x0) (* x1 x1 x1)) (+ 1 (* x2 x2 x2) (* x3 x4 x5))))"
    "(assert (= (* x6 x7 x8 x9) (+ 3 (* x10 x11 x0))))"
    "(declare-const h Bool)"
)
limit = Limit(LIMIT)
try:
    with limit.watched():
        solver = Z3(text)
        print("begins", flush=True)
        for _ in range(100):
            solver.check(["h"], 800)
        print("done")
except StoppedError as end:
    print(end.why)
"""
"""A question that no solver has an answer to, asked again and again."""


def asking(limit: float | None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HARD.replace("LIMIT", repr(limit))], cwd=ROOT,
        stdout=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize(
    ("number", "why"),
    [(signal.SIGTERM, "it was ended by a signal"), (signal.SIGINT, "it was interrupted")],
)
def test_a_signal_ends_a_question(number: int, why: str) -> None:
    process = asking(None)
    assert process.stdout is not None and process.stdout.readline() == "begins\n"
    process.send_signal(number)
    assert process.communicate()[0].strip() == why


def test_the_end_of_the_time_ends_a_question() -> None:
    process = asking(1.0)
    assert process.communicate()[0].split("\n")[1] == "it was not decided within 1 seconds"
