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
from typing import Any
from weakref import finalize

from checker.kernel.outcome import Outcome
from checker.limits import most
from checker.prove.job import Job, Worker
from checker.stopping import Limit
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


class Workers:
    """So many processes at the most, begun when there is something to do. When the time is over, or
    a signal comes, they are stopped, and what they worked on is lost."""

    def __init__(self, number: int, make: Make, limit: Limit) -> None:
        self._number = number
        self._make = make
        self._limit = limit
        self._idle: list[_Process] = []
        self._stop = finalize(self, _stop, self._idle)

    def outcomes(self, jobs: Sequence[Job]) -> Iterator[tuple[int, list[Outcome] | Lost]]:
        """The number of each job and what came of it, in the order in which they finish."""
        waiting = list(range(len(jobs)))[::-1]
        busy: dict[Any, tuple[_Process, int]] = {}
        try:
            while (waiting or busy) and not self._limit.over:
                while waiting and len(busy) < self._number:
                    process = self._idle.pop() if self._idle else self._begin()
                    number = waiting.pop()
                    process.give(jobs[number])
                    busy[process.pipe] = process, number
                for ready in wait([*busy, *self._limit.wakes], self._limit.left()):
                    if ready not in busy:
                        continue  # a signal came
                    process, number = busy.pop(ready)
                    found = process.take()
                    if not isinstance(found, Lost):
                        self._idle.append(process)
                    yield number, found
            for ready in wait(list(busy), 0) if busy else ():  # what is done is not lost
                process, number = busy.pop(ready)
                yield number, process.take()
                self._idle.append(process)
        finally:
            _stop([process for process, _ in busy.values()])
        for number in (*(number for _, number in busy.values()), *reversed(waiting)):
            yield number, Lost(self._limit.reason)

    def _begin(self) -> _Process:
        share = (most("memory") << 20) or max(LEAST_MEMORY, _memory() // self._number)
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
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _limit(memory)
    _end_with_parent()
    while True:
        try:
            job = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            # a new one for each: what it finds does not depend on what was done before it
            found: list[Outcome] | Lost = make().run(job)
        except MemoryError:
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
