"""Processes that do jobs, one job each at a time.

One that dies takes its job with it, never the run: another takes its place. A worker has a share of
the memory and ends where it asks for more; it ends with whoever started it, however that one ends.
Ctrl-C is not for workers: whoever started them stops them.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any
from weakref import finalize

from checker.kernel.outcome import Outcome
from checker.prove.job import Job, Worker
from checker.syntax.node import Node

FORK = "fork" if sys.platform == "linux" else None
"""Where it is safe, a worker begins with all that is read already."""
OUT_OF_MEMORY = 101
"""What z3 ends a process with that has no memory left."""
LEAST_MEMORY = 1 << 30

Make = Callable[[], Worker]


class Lost(Node):
    """What came of a job that a worker died of: nothing, and why."""

    reason: str


class Limit:
    """How long everything may take together, by the clock on the wall."""

    def __init__(self, seconds: float | None, clock: Callable[[], float] = monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._began = clock()

    def left(self) -> float | None:
        """Seconds that are left, None for no limit."""
        if self._seconds is None:
            return None
        return max(0.0, self._began + self._seconds - self._clock())

    @property
    def reason(self) -> str:
        return f"it was not decided within {self._seconds:g} seconds"


class Workers:
    """So many processes at the most, begun when there is something to do. When the time is over,
    they are stopped, and what they worked on is lost."""

    def __init__(self, number: int, make: Make, limit: Limit) -> None:
        self._number = number
        self._make = make
        self._limit = limit
        self._idle: list[_Process] = []
        self._stop = finalize(self, _stop, self._idle)

    def outcomes(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, list[Outcome] | Lost]]:
        """Each job with what came of it, in the order in which they finish."""
        waiting = list(reversed(jobs))
        busy: dict[Any, tuple[_Process, Job]] = {}
        try:
            while (waiting or busy) and self._limit.left() != 0:
                while waiting and len(busy) < self._number:
                    process = self._idle.pop() if self._idle else self._begin()
                    job = waiting.pop()
                    process.give(job)
                    busy[process.pipe] = process, job
                for ready in wait(list(busy), self._limit.left()):
                    process, job = busy.pop(ready)
                    found = process.take()
                    if not isinstance(found, Lost):
                        self._idle.append(process)
                    yield job, found
        finally:
            _stop([process for process, _ in busy.values()])
        for job in (*(job for _, job in busy.values()), *reversed(waiting)):
            yield job, Lost(self._limit.reason)

    def _begin(self) -> _Process:
        share = max(LEAST_MEMORY, _memory() // self._number)
        return _Process(self._make, share)


class _Process:
    """One worker, from outside."""

    def __init__(self, make: Make, memory: int) -> None:
        context: Any = get_context(FORK)
        self.pipe, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other, make, memory), daemon=True)
        self._process.start()
        other.close()

    def give(self, job: Job) -> None:
        with suppress(OSError):  # it died; `take` will say so
            self.pipe.send(job)

    def take(self) -> list[Outcome] | Lost:
        try:
            found: list[Outcome] | Lost = self.pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            self.pipe.close()
            return Lost(_ending(self._process.exitcode))
        return found

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self.pipe.close()


def _stop(processes: list[_Process]) -> None:
    for each in processes:
        each.stop()
    processes.clear()


def _ending(code: int | None) -> str:
    """Why a process ended, for a person to read."""
    if code == OUT_OF_MEMORY:
        return "out of memory"
    if code is not None and code == -getattr(signal, "SIGPROF", 0):
        return "out of time, and the solver did not stop by itself"
    if code == -signal.SIGKILL:
        return "the process that worked on it was killed, perhaps for want of memory"
    return f"the process that worked on it died (exit code {code})"


def _memory() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return LEAST_MEMORY


def _serve(pipe: Connection[Any, Any], make: Make, memory: int) -> None:
    """What a worker does all day."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit(memory)
    _end_with_parent()
    worker = make()
    while True:
        try:
            job = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            found: list[Outcome] | Lost = worker.run(job)
        except MemoryError:
            worker = make()
            found = Lost("out of memory")
        with suppress(BrokenPipeError):
            pipe.send(found)


def _limit(memory: int) -> None:
    """Lets this process have so many bytes and no more, where the system can do that."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _end_with_parent() -> None:
    """Has this process end when the one that started it does, where the system can do that."""
    if sys.platform == "linux":
        import ctypes

        set_death_signal = 1
        ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)
