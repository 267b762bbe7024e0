"""Jobs done in this process, one after the other: where no other process can be started, as in a
browser. Whoever ends the run waits for no more than the question that the solver is at.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pickle import loads

from rulewright.distribute.work import Lost
from rulewright.kernel.outcome import Outcome
from rulewright.prove.run.job import Job
from rulewright.prove.run.workers import JobRunner, Make
from rulewright.system.interrupts import Limit, StoppedError

ALONE = sys.platform in ("emscripten", "wasi")
"""Whether this is the only process that there can be."""


class InProcess:
    """Does what `WorkerPool` does elsewhere."""

    def __init__(self, make: Make, limit: Limit) -> None:
        self._make = make
        self._limit = limit
        self._runner: JobRunner | None = None

    def outcomes(self, jobs: Sequence[Job]) -> Iterator[tuple[int, list[Outcome] | Lost]]:
        """The number of each job and what came of it."""
        for number, job in enumerate(jobs):
            yield number, Lost(self._limit.reason) if self._limit.over else self._done(job)

    def _done(self, job: Job) -> list[Outcome] | Lost:
        try:
            with self._limit.interruptible():
                runner = self._runner = self._runner or JobRunner(self._make, [])
                found: list[Outcome] | Lost = loads(runner.run(job))  # what we made just now
        except StoppedError:
            return Lost(self._limit.reason)
        return found
