"""Interrupts solvers whose time is over, in seconds of the processor.

One thread looks after all of them now and then, and ends when there has been nothing to look after
for a while: to start one for each question takes longer than many a question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Thread
from time import process_time, sleep

LOOK = 0.02
"""Seconds between two looks at the clock."""
IDLE = 50
"""After so many looks at nothing the thread ends."""


class _Question:
    """What a solver works on, until when, and how to interrupt it."""

    def __init__(self, seconds: float, interrupt: Callable[[], None]) -> None:
        self._until = process_time() + seconds
        self._interrupt: Callable[[], None] | None = interrupt
        self._lock = Lock()

    def look(self) -> None:
        """Interrupts the solver if its time is over, once."""
        if process_time() >= self._until:
            with self._lock:
                if self._interrupt is not None:
                    self._interrupt()
                    self._interrupt = None

    def answered(self) -> None:
        """From here on nothing is interrupted; the solver is let go, so that it does not end in the
        thread that looks after it."""
        with self._lock:
            self._interrupt = None


class Patience:
    """Looks after the solvers of a process."""

    def __init__(self) -> None:
        self._open: dict[_Question, None] = {}
        self._thread: Thread | None = None

    @contextmanager
    def within(self, seconds: float, interrupt: Callable[[], None]) -> Iterator[None]:
        """Interrupts what is done here after so many seconds."""
        question = _Question(seconds, interrupt)
        self._open[question] = None
        if self._thread is None or not self._thread.is_alive():  # none outlives a fork
            self._begin()
        try:
            yield
        finally:
            del self._open[question]
            question.answered()

    def _begin(self) -> None:
        self._thread = Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        idle = 0
        while idle < IDLE:
            sleep(LOOK)
            questions = list(self._open)
            idle = 0 if questions else idle + 1
            for each in questions:
                each.look()
        self._thread = None
        if self._open:  # asked after the last look, by somebody who still saw the thread
            self._begin()
