"""Runs jobs on all cores and puts their outcomes together.

What a job found is kept under the meaning of the spec and the program that worked on it; entries
are written whole, so that a run can be stopped at any time. What could not be decided is kept for a
run that has no more time for it; what was cut short is not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from checker.kernel.outcome import Outcome
from checker.meaning import core as c
from checker.play.errors import UsageError
from checker.play.instance import Instance
from checker.prove.cache import Cache
from checker.prove.effort import Effort
from checker.prove.fingerprint import fingerprint, of_job
from checker.prove.job import Job, Worker
from checker.prove.lost import lost
from checker.prove.record import read, written
from checker.prove.workers import Limit, Lost, Workers
from checker.smt.solver import UNKNOWN
from checker.vc.context import Setting

Report = Callable[[int, int], None]
"""Told how many jobs are done, of how many."""


class Run:
    """How jobs are run: on how many processes, how hard, how long, and where answers are kept."""

    def __init__(
        self, specs: Mapping[str | None, c.Spec], effort: Effort, folder: Path | None,
        processes: int | None, report: Report, limit: Limit | None = None,
    ) -> None:  # fmt: skip
        self._specs = specs
        self._effort = effort
        self._folder = folder
        self._cache = Cache(folder)
        self._processes = processes or os.cpu_count() or 1
        self._report = report
        self._limit = limit or Limit(None)
        make = partial(Worker, specs, effort, self._cache)
        self._workers = Workers(self._processes, make, self._limit)
        self._meanings: dict[str | None, str] = {}
        self._instances: dict[Setting, Instance] = {}

    def on(self, specs: Mapping[str | None, c.Spec]) -> Run:
        """The same way of running, on other specs."""
        return Run(specs, self._effort, self._folder, self._processes, self._report, self._limit)

    def outcomes(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, list[Outcome]]]:
        """Each job with what it found, in the order in which they finish."""
        fresh = []
        done = 0
        for job in jobs:
            known = self._remembered(job)
            if known is None:
                fresh.append(job)
                continue
            done += 1
            yield job, known
        self._report(done, len(jobs))
        for job, found in self._workers.outcomes(fresh):
            done += 1
            self._report(done, len(jobs))
            if isinstance(found, Lost):
                yield job, lost(self._spec(job), job, found.reason)
                continue
            self._remember(job, found)
            yield job, found

    def known(self, jobs: Sequence[Job]) -> list[tuple[Job, list[Outcome]]] | None:
        """What these jobs found when they were run before, None if one of them is not kept."""
        found = []
        for job in jobs:
            kept = self._remembered(job)
            if kept is None:
                return None
            found.append((job, kept))
        return found

    def _remembered(self, job: Job) -> list[Outcome] | None:
        if self._folder is None or self._effort.smtlib is not None or self._effort.second:
            return None
        kept = self._cache.load(self._key(job))
        if kept is None:
            kept = self._cache.load(self._key(job, late=True))
        if kept is None:
            return None
        instance = self._instance(job.setting)
        try:
            return [read(each, instance) for each in kept]
        except (UsageError, KeyError, TypeError, ValueError):
            return None

    def _remember(self, job: Job, outcomes: list[Outcome]) -> None:
        if self._folder is None:
            return
        instance = self._instance(job.setting)
        late = not outcomes or any(each.result == UNKNOWN for each in outcomes)
        self._cache.save(self._key(job, late), [written(each, instance) for each in outcomes])

    def _key(self, job: Job, late: bool = False) -> str:
        """What a job is kept under; what is undecided, for this time to decide it in only."""
        variant = job.setting.variant
        if variant not in self._meanings:
            self._meanings[variant] = fingerprint(self._specs[variant])
        kept = "job " + of_job(self._meanings[variant], self._spec(job), job)
        return f"{kept} in {self._effort.timeout}" if late else kept

    def _instance(self, setting: Setting) -> Instance:
        if setting not in self._instances:
            spec = self._specs[setting.variant]
            self._instances[setting] = Instance(spec, setting.players, dict(setting.readings))
        return self._instances[setting]

    def _spec(self, job: Job) -> c.Spec:
        return self._specs[job.setting.variant]
