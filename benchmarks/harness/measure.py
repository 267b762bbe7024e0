"""What was measured, and how: rows of values, taken in turns, in seconds of the processor.

Seconds are those that a process and its children spend computing, so that a busy machine does not
count; contestants take turns, so that a busy moment hits all alike. A row keeps every value; what
is shown is the median, with the lowest and the highest beside it.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
SEED = 1
"""Where random numbers begin, wherever there are any."""
FAILED = "failed: "


class Row(NamedTuple):
    """The values measured for one subject of a question; none, and why, if it was skipped or did
    not answer. `at` is the size it was measured at, for questions about growth."""

    question: str
    subject: str
    unit: str
    values: tuple[float, ...]
    note: str = ""
    at: float | None = None

    @property
    def failed(self) -> bool:
        """Whether it went wrong; being skipped, or finding nothing in time, is no failure."""
        return self.note.startswith(FAILED)

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def spread(self) -> tuple[float, float]:
        """The lowest and the highest value."""
        return min(self.values), max(self.values)


def skipped(question: str, subject: str, why: str) -> Row:
    """A row that stands for what was not asked."""
    return unanswered(question, subject, f"skipped: {why}")


def unanswered(question: str, subject: str, why: str) -> Row:
    """A row that stands for what was asked in vain."""
    return Row(question, subject, "", (), why)


def attempted(question: str, subject: str, ask: Callable[[], Iterable[Row]]) -> Iterator[Row]:
    """The rows of one attempt; if it goes wrong, a row that says so, and the others go on."""
    try:
        yield from ask()
    except Exception as why:
        words = " ".join(str(why).split()) or type(why).__name__
        yield unanswered(question, subject, FAILED + words[:200])


def spent(action: Callable[[], object]) -> float:
    """The seconds this process computes to do something."""
    began = time.process_time()
    action()
    return time.process_time() - began


def in_turns(
    contestants: Mapping[str, Callable[[], float]], rounds: int, warm: bool = True
) -> dict[str, tuple[float, ...]]:
    """What each contestant measures, once a round; a round before that warms up, if asked."""
    values: dict[str, list[float]] = {name: [] for name in contestants}
    for number in range(-warm, rounds):
        for name, contestant in contestants.items():
            value = contestant()
            if number >= 0:
                values[name].append(value)
    return {name: tuple(each) for name, each in values.items()}


def rows(
    question: str, unit: str, measured: Mapping[str, Sequence[float]], at: float | None = None
) -> Iterable[Row]:
    """A row for each contestant."""
    for subject, values in measured.items():
        yield Row(question, subject, unit, tuple(values), "", at)


class Ran(NamedTuple):
    """A command that has ended: its output, its exit code, the seconds it and its children
    computed, and the seconds that went by."""

    output: str
    code: int
    seconds: float
    elapsed: float


def run(
    command: Sequence[object],
    folder: Path = ROOT,
    environment: Mapping[str, str] | None = None,
    limit: int | None = None,
    errors: bool = True,
) -> Ran:
    """Runs a command to its end. Byte code is kept, as in any other use of the program. One that
    computes longer than its limit is ended, with a negative code. `errors` says whether what it
    writes to stderr is part of its output."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", **(environment or {})}
    with tempfile.TemporaryFile() as output:
        began = time.perf_counter()
        process = subprocess.Popen(
            list(map(str, command)), cwd=folder, env=environment, stdout=output,
            stderr=subprocess.STDOUT if errors else subprocess.DEVNULL, stdin=subprocess.DEVNULL,
            preexec_fn=None if limit is None else partial(_limit, limit),
        )  # fmt: skip
        _, status, usage = os.wait4(process.pid, 0)
        elapsed = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    seconds = usage.ru_utime + usage.ru_stime
    return Ran(text, process.returncode, seconds, elapsed)


def _limit(seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
