"""Runs jobs on all cores and puts their outcomes together.

What a job found is kept under the meaning of the spec, the program that worked on it and how hard
it tried; entries are written whole, so that a run can be stopped at any time. What was cut short is
not kept. Jobs are told of in the order in which they were given, whoever finishes first.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from checker.kernel.outcome import Outcome
from checker.meaning import core as c
from checker.play.instance import Instance
from checker.prove.cache import Cache
from checker.prove.effort import Effort
from checker.prove.fingerprint import fingerprint, of_job
from checker.prove.job import Job, Worker
from checker.prove.lost import lost
from checker.prove.record import read, written
from checker.prove.workers import Lost, Workers
from checker.stopping import Limit
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
        """Each job with what it found, in the order in which they were given."""
        known = [self._remembered(job) for job in jobs]
        fresh = [place for place, found in enumerate(known) if found is None]
        done = len(jobs) - len(fresh)
        self._report(done, len(jobs))
        told = 0
        for number, found in self._workers.outcomes([jobs[place] for place in fresh]):
            done += 1
            self._report(done, len(jobs))
            place = fresh[number]
            if isinstance(found, Lost):
                known[place] = lost(self._spec(jobs[place]), jobs[place], found.reason)
            else:
                self._remember(jobs[place], found)
                known[place] = found
            while told < len(jobs) and (ready := known[told]) is not None:
                yield jobs[told], ready
                told += 1
        for job, ready in zip(jobs[told:], known[told:]):
            assert ready is not None
            yield job, ready

    def _remembered(self, job: Job) -> list[Outcome] | None:
        if self._folder is None or self._effort.smtlib is not None or self._effort.second:
            return None
        instance = self._instance(job.setting)
        found: list[Outcome] | None = self._cache.load(
            self._key(job), lambda kept: [read(each, instance) for each in kept]
        )
        return found

    def _remember(self, job: Job, outcomes: list[Outcome]) -> None:
        if self._folder is None:
            return
        instance = self._instance(job.setting)
        self._cache.save(self._key(job), [written(each, instance) for each in outcomes])

    def _key(self, job: Job) -> str:
        """What a job is kept under, with how hard it was tried: whoever tries less hard might not
        have found it, and whoever tries harder may find more."""
        variant = job.setting.variant
        if variant not in self._meanings:
            self._meanings[variant] = fingerprint(self._specs[variant])
        kept = of_job(self._meanings[variant], self._spec(job), job)
        return f"job {kept} in {self._effort.timeout:g}"

    def _instance(self, setting: Setting) -> Instance:
        if setting not in self._instances:
            spec = self._specs[setting.variant]
            self._instances[setting] = Instance(spec, setting.players, dict(setting.readings))
        return self._instances[setting]

    def _spec(self, job: Job) -> c.Spec:
        return self._specs[job.setting.variant]
