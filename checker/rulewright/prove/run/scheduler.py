"""Has jobs done, by whatever backend is in use, and puts their outcomes together.

What a job found is kept under the meaning of the spec, the program that worked on it and how hard
it tried; entries are written whole, so that a run can be stopped at any time. What was cut short is
not kept. Jobs are told of in the order in which they were given, whoever finishes first.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from rulewright.distribute.backend import results
from rulewright.distribute.work import Lost
from rulewright.kernel.outcome import Outcome
from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.cache.fingerprint import fingerprint, of_job
from rulewright.prove.cache.outcome_json import outcome_from_json, outcome_to_json
from rulewright.prove.run.in_process import ALONE, InProcess
from rulewright.prove.run.job import Job, Worker
from rulewright.prove.run.job_tasks import JobWork
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.run.workers import Unfinished, WorkerPool
from rulewright.prove.verdict.undecided import undecided_outcomes
from rulewright.system.interrupts import Limit

Report = Callable[[int, int], None]
"""Told how many jobs are done, of how many."""


class Scheduler:
    """How jobs are run: on how many processes, how hard, how long, and where answers are kept."""

    def __init__(
        self, specs: Mapping[str | None, c.Spec], effort: ProverOptions, folder: Path | None,
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
        self._workers: WorkerPool | InProcess = (
            InProcess(make, self._limit)
            if ALONE
            else WorkerPool(self._processes, make, self._limit)
        )
        self._meanings: dict[str | None, str] = {}
        self._instances: dict[Configuration, Instance] = {}

    @property
    def hurried(self) -> bool:
        """Whether there may not be time for everything."""
        return self._limit.left() is not None

    def on(self, specs: Mapping[str | None, c.Spec]) -> Scheduler:
        """The same way of running, on other specs."""
        return Scheduler(
            specs, self._effort, self._folder, self._processes, self._report, self._limit
        )

    def outcomes(
        self, jobs: Sequence[Job], awaited: bool = False
    ) -> Iterator[tuple[Job, list[Outcome]]]:
        """Each job with what it found, in the order in which they were given. Other jobs wait for
        those that are `awaited`."""
        known = [self._remembered(job) for job in jobs]
        fresh = [place for place, found in enumerate(known) if found is None]
        done = len(jobs) - len(fresh)
        self._report(done, len(jobs))
        told = 0
        work = JobWork(
            self._specs, self._effort, self._folder is not None, [jobs[each] for each in fresh],
            self._workers.outcomes, self._instance, awaited,
        )  # fmt: skip
        answers = results(work)
        for number, found in answers if fresh else ():
            done += 1
            self._report(done, len(jobs))
            place = fresh[number]
            if isinstance(found, Lost):
                by_then = found.found if isinstance(found, Unfinished) else ()
                left = undecided_outcomes(self._spec(jobs[place]), jobs[place], found.reason)
                known[place] = [*by_then, *left]
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
        instance = self._instance(job.configuration)
        found: list[Outcome] | None = self._cache.load(
            self._key(job), lambda kept: [outcome_from_json(each, instance) for each in kept]
        )
        return found

    def _remember(self, job: Job, outcomes: list[Outcome]) -> None:
        if self._folder is None or any(each.places for each in outcomes):
            return  # where places are may change without the meaning: they are looked for anew
        instance = self._instance(job.configuration)
        self._cache.save(self._key(job), [outcome_to_json(each, instance) for each in outcomes])

    def _key(self, job: Job) -> str:
        """What a job is kept under, with how hard it was tried: whoever tries less hard might not
        have found it, and whoever tries harder may find more."""
        variant = job.configuration.variant
        if variant not in self._meanings:
            self._meanings[variant] = fingerprint(self._specs[variant])
        kept = of_job(self._meanings[variant], self._spec(job), job)
        return f"job {kept} in {self._effort.timeout:g}"

    def _instance(self, configuration: Configuration) -> Instance:
        if configuration not in self._instances:
            spec = self._specs[configuration.variant]
            self._instances[configuration] = Instance(
                spec, configuration.players, dict(configuration.readings)
            )
        return self._instances[configuration]

    def _spec(self, job: Job) -> c.Spec:
        return self._specs[job.configuration.variant]
