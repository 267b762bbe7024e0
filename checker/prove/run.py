"""Runs jobs on all cores and puts their outcomes together.

Workers are processes of their own: one that dies takes its job with it, which is then *unknown*
with that reason, and never the run. Ctrl-C stops the workers and leaves the cache valid, since
entries are written whole. With one job at a time everything runs in this process.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from checker.meaning import core as c
from checker.prove.ask import Effort
from checker.prove.cache import Cache
from checker.prove.job import Job, Worker, fingerprint
from checker.prove.verdict import Outcome
from checker.smt.solver import UNKNOWN

Report = Callable[[int, int], None]
"""Told how many jobs are done, of how many."""


class Run:
    """How jobs are run: on how many processes, how hard, and where answers are kept."""

    def __init__(
        self, specs: Mapping[str | None, c.Spec], effort: Effort, folder: Path | None,
        processes: int | None, report: Report,
    ) -> None:  # fmt: skip
        self._specs = specs
        self._effort = effort
        self._folder = folder
        self._processes = processes or os.cpu_count() or 1
        self._report = report

    def on(self, specs: Mapping[str | None, c.Spec]) -> Run:
        """The same way of running, on other specs."""
        return Run(specs, self._effort, self._folder, self._processes, self._report)

    def outcomes(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, list[Outcome]]]:
        """Each job with what it found, in the order in which they finish."""
        cache = Cache(self._folder)
        fresh = []
        done = 0
        for job in jobs:
            known = self._remembered(cache, job)
            if known is None:
                fresh.append(job)
                continue
            done += 1
            yield job, known
        self._report(done, len(jobs))
        found = self._alone(fresh) if self._processes == 1 else self._together(fresh)
        for job, outcomes in found:
            done += 1
            self._report(done, len(jobs))
            if all(each.result != UNKNOWN for each in outcomes):
                self._remember(cache, job, outcomes)
            yield job, outcomes

    def _alone(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, list[Outcome]]]:
        worker = Worker(self._specs, self._effort, Cache(self._folder))
        for job in jobs:
            yield job, worker.run(job)

    def _together(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, list[Outcome]]]:
        waiting = list(jobs)
        while waiting:
            lost = []
            started = (self._specs, self._effort, self._folder)
            with ProcessPoolExecutor(self._processes, initializer=_start, initargs=started) as pool:
                asked: dict[Future[list[Outcome]], Job] = {
                    pool.submit(_work, job): job for job in waiting
                }
                try:
                    while asked:
                        ready, _ = wait(asked, return_when=FIRST_COMPLETED)
                        for future in ready:
                            job = asked.pop(future)
                            try:
                                yield job, future.result()
                            except BrokenProcessPool:
                                lost.append(job)
                except BaseException:
                    pool.shutdown(wait=False, cancel_futures=True)
                    raise
            if len(lost) == 1 or len(lost) == len(waiting):
                yield lost[0], [_lost(lost[0])]
                lost = lost[1:]
            waiting = lost

    def _remembered(self, cache: Cache, job: Job) -> list[Outcome] | None:
        if self._effort.smtlib is not None or self._effort.second:
            return None
        found = cache.load(self._key(job))
        try:
            return None if found is None else list(pickle.loads(bytes.fromhex(found)))
        except (pickle.UnpicklingError, AttributeError, TypeError, ValueError):
            return None

    def _remember(self, cache: Cache, job: Job, outcomes: list[Outcome]) -> None:
        cache.save(self._key(job), pickle.dumps(tuple(outcomes)).hex())

    def _key(self, job: Job) -> str:
        return "job " + fingerprint(self._specs[job.setting.variant], job)


def _lost(job: Job) -> Outcome:
    reason = "the process that worked on it died"
    return Outcome(job.subject or job.kind, job.kind, "unsat", UNKNOWN, reason, (), 0.0, "", None)


class _Place:
    """Where a worker process keeps its worker."""

    worker: Worker | None = None


def _start(specs: Mapping[str | None, c.Spec], effort: Effort, folder: Path | None) -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started us
    _Place.worker = Worker(specs, effort, Cache(folder))


def _work(job: Job) -> list[Outcome]:
    assert _Place.worker is not None
    return _Place.worker.run(job)
