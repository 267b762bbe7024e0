"""Processes that do jobs, one job each at a time.

Where processes can be forked, a worker writes down once what all jobs of a setting begin with, and
a copy of it does each job and tells what it finds as it finds it. One that dies takes what is left
of its job with it, never the run: another takes its place. A worker has a share of the memory, and
so has its copy, which ends where it asks for more; both end with whoever started them, however that
one ends.
Ctrl-C is not for workers: whoever started them stops them.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection, Pipe, wait
from multiprocessing.reduction import ForkingPickler
from traceback import print_exc
from typing import Any, NoReturn
from weakref import finalize

from rulewright.distribute.work import Lost
from rulewright.kernel.outcome import Outcome
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.run.job import Job, Worker
from rulewright.smt.solver.solver import load_z3
from rulewright.system.interrupts import Limit
from rulewright.system.memory_limit import Bounded, worker_share
from rulewright.system.processes import end_with_parent

FORK = "fork" if sys.platform == "linux" else None
"""Where it is safe, a worker begins with all that is read already."""
OUT_OF_MEMORY = 101
"""What z3 ends a process with that has no memory left."""
MOMENT = 2.0
"""Seconds in which a worker ends by itself, and whatever was copied from it."""

Make = Callable[[], Worker]
Tell = Callable[[bytes], None]
"""Hands on what was found, as it is sent."""


class Unfinished(Lost):
    """A job that was cut short, and what it had found by then."""

    found: tuple[Outcome, ...] = ()


class WorkerPool:
    """So many processes at the most, begun when there is something to do. When the time is over, or
    a signal comes, they are stopped, and what they have not told yet is lost."""

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
                    process, number = busy[ready]
                    found = process.take()
                    if found is None:
                        continue  # there is more to come
                    del busy[ready]
                    if not isinstance(found, Lost):
                        self._idle.append(process)
                    yield number, found
            while ready_ones := wait(list(busy), 0) if busy else ():  # what is done is not lost
                for ready in ready_ones:
                    process, number = busy[ready]
                    found = process.take()
                    if found is not None:
                        del busy[ready]
                        if not isinstance(found, Lost):
                            self._idle.append(process)
                        yield number, found
        finally:
            _stop([process for process, _ in busy.values()])
        for process, number in busy.values():
            yield number, process.unfinished(self._limit.reason)
        for number in reversed(waiting):
            yield number, Lost(self._limit.reason)

    def _begin(self) -> _Process:
        return _Process(self._make, worker_share(self._number))


class _Process:
    """One worker, from outside."""

    def __init__(self, make: Make, memory: int) -> None:
        context: Any = get_context(FORK)
        self.pipe, other = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(other, make, memory, os.getpid()), daemon=True
        )
        self._process.start()
        other.close()
        self._found: list[Outcome] = []

    def give(self, job: Job) -> None:
        self._found = []
        with suppress(OSError):  # it died; `take` will say so
            self.pipe.send(job)

    def take(self) -> list[Outcome] | Lost | None:
        """What came of a job, None if that was not all of it."""
        try:
            found: list[Outcome] | Outcome | Lost = self.pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            self.pipe.close()
            return self.unfinished(_ending(self._process.exitcode))
        if isinstance(found, Outcome):
            self._found.append(found)
            return None
        return self.unfinished(found.reason) if isinstance(found, Lost) else found

    def unfinished(self, why: str) -> Lost:
        """That a job was cut short."""
        return Unfinished(why, tuple(self._found)) if self._found else Lost(why)

    def stop(self) -> None:
        self._process.terminate()
        self._process.join(MOMENT)
        self._process.kill()  # if it is still there
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


def _serve(pipe: Connection[Any, Any], make: Make, memory: int, parent: int) -> None:
    """What a worker does all day. What a job finds does not depend on what was done before it: it
    is done by a copy of the worker, which has got ready for its setting and for nothing else."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    copies: list[int] = []
    signal.signal(signal.SIGTERM, partial(_end, copies) if FORK else signal.SIG_DFL)
    end_with_parent(parent)
    with Bounded(memory):
        _work(pipe, make, copies)


def _work(pipe: Connection[Any, Any], make: Make, copies: list[int]) -> None:
    runner = JobRunner(make, copies)
    while True:
        try:
            job = pipe.recv()
        except (EOFError, OSError):
            return
        with suppress(BrokenPipeError):
            pipe.send_bytes(runner.run(job, pipe.send_bytes))


class JobRunner:
    """Does jobs in this process, which has no threads. `copies` are those of it that are at work,
    for whoever ends it."""

    def __init__(self, make: Make, copies: list[int]) -> None:
        load_z3()
        self._make = make
        self._copies = copies
        self._worker = make()
        self._configuration: Configuration | None = None

    def run(self, job: Job, tell: Tell | None = None) -> Any:
        """What a job finds, or that it is lost, as it is sent; `tell` is told piece by piece."""
        try:
            if job.configuration != self._configuration or FORK is None:
                # the last one makes room
                self._worker, self._configuration = self._make(), job.configuration
            self._worker.prepare(job)
            if FORK:
                return _by_a_copy(self._worker, job, self._copies, tell)
            return ForkingPickler.dumps(_found(self._worker, job))
        except MemoryError:
            self._configuration = None
            return ForkingPickler.dumps(Lost("out of memory"))


def _found(worker: Worker, job: Job) -> list[Outcome] | Lost:
    try:
        return worker.run(job)
    except MemoryError:
        return Lost("out of memory")


def _by_a_copy(worker: Worker, job: Job, copies: list[int], tell: Tell | None) -> Any:
    """What a copy of this process finds, as it is sent; or why it did not come to its end."""
    gc.freeze()  # so that a copy that looks for garbage does not look here
    hears, tells = Pipe(duplex=False)
    parent = os.getpid()
    with _undisturbed():
        copy = os.fork()
        if copy == 0:
            _do(worker, job, tells, parent, tell is not None)
        copies.append(copy)
    tells.close()
    found: Any = None
    with hears, suppress(EOFError):
        while True:
            piece = hears.recv_bytes()
            if found is not None and tell is not None:
                tell(found)
            found = piece  # the last one is all that was found
    with _undisturbed():
        _, ended = os.waitpid(copy, 0)
        copies.clear()
    code = os.waitstatus_to_exitcode(ended)
    if code == 0:
        return found
    if found is not None and tell is not None:
        tell(found)
    return ForkingPickler.dumps(Lost(_ending(code)))


def _do(
    worker: Worker, job: Job, tells: Connection[Any, Any], parent: int, piecemeal: bool
) -> NoReturn:
    """What a copy does, once."""
    code = 1
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
        end_with_parent(parent)
        worker.tell = tells.send if piecemeal else None
        tells.send(_found(worker, job))
        code = 0
    except BaseException:
        print_exc()
    finally:
        os._exit(code)


def _end(copies: list[int], *_: object) -> NoReturn:
    """Ends this process, and its copy first."""
    for each in copies:
        os.kill(each, signal.SIGKILL)
        os.waitpid(each, 0)
    os._exit(0)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Has the end of this process wait until its copies are known."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
