"""A Dask cluster as backend. Dask is an extra of the program and imported only here.

The client holds a window of tasks in flight, so that neither its memory nor the scheduler's grows
with the work. A task whose worker dies is given to another by Dask; one that keeps losing its
workers is asked for again, and given up in the end. When the scheduler is gone the run ends with
what is decided. What comes back is read as text and checked by whoever asked.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from logging import CRITICAL, getLogger
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, TypeVar
from uuid import uuid4

from rulewright.distribute import remote
from rulewright.distribute.pace import Pace
from rulewright.distribute.work import NO_ANSWER, Lost, Work
from rulewright.system.interrupts import Limit, StoppedError

T = TypeVar("T")
CONNECTING = 10.0
"""Seconds for a scheduler to answer."""
LOOK = 0.2
"""Seconds between two looks at whether the run is to end."""
ASK_AGAIN = 1.0
"""Seconds after which it is asked again which workers there are."""
IN_FLIGHT = 64
PER_THREAD = 4
"""So many tasks are in flight, or so many for each thread of the cluster if that is more."""
AGAIN = 5
"""So often a task is asked for again whose workers died, or whose answer was none."""
FETCHING = 2.0
"""Seconds for an answer to come; then others come first."""
HERE = "127.0.0.1:0"
"""Where the dashboard of a cluster on this machine is: at a port that is free."""
GONE = "the scheduler of the cluster went away"
EXTRA = "install it with `pip install rulewright[cluster]`"


class ClusterError(Exception):
    """The cluster cannot be used; says why, and what to do."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.message = message
        self.help = help


@contextmanager
def opened(address: str, limit: Limit, say: Callable[[str], None]) -> Iterator[ClusterBackend]:
    """The cluster at an address: of its scheduler, of a file that names it, or `local` for one
    that lives as long as the command. Refuses workers with another program."""
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        raise ClusterError("`--cluster` needs Dask, which is not installed", EXTRA) from error
    _quiet()
    cluster: Any = None
    client: Any = None
    connect: Any = partial(Client, timeout=CONNECTING)
    on_this_machine: Any = LocalCluster
    try:
        try:
            if address == "local":
                cluster = on_this_machine(
                    threads_per_worker=1, dashboard_address=HERE, silence_logs=CRITICAL
                )
                client = connect(cluster)
            elif os.path.isfile(address):
                client = connect(scheduler_file=address)
            else:
                client = connect(address)
        except (OSError, ValueError, TypeError, KeyError) as error:
            message = f"no scheduler answers at `{address}`"
            help = "give the address that `dask scheduler` prints, such as tcp://host:8786"
            raise ClusterError(message, help) from error
        backend = ClusterBackend(client, limit, say)
        backend.check_versions()
        yield backend
    finally:
        with suppress(Exception):  # whatever is left of it, we are done
            if client is not None:
                client.close(timeout=LOOK)
        with suppress(Exception):
            if cluster is not None:
                cluster.close()


class ClusterBackend:
    """The workers of a Dask scheduler."""

    def __init__(self, client: Any, limit: Limit, say: Callable[[str], None]) -> None:
        self._client = client
        self._limit = limit
        self._say = say
        self._run = uuid4().hex[:8]
        self._known: dict[str, Any] = {}
        self._ask_again = 0.0

    def check_versions(self) -> None:
        """Refuses workers whose program, solver or Python is another one. Those that do not answer
        now, or come later, will refuse their first task."""
        mine = remote.versions()
        try:
            found = self._client.run(
                remote.versions, on_error="return", callback_timeout=CONNECTING
            )
        except TimeoutError:
            return
        except (OSError, ValueError) as error:
            raise ClusterError("the workers of the cluster do not answer", f"{error}") from error
        for worker, theirs in found.items():
            if isinstance(theirs, Exception):
                raise ClusterError(
                    f"the worker {worker} cannot run this program: {theirs}",
                    "install the same version of rulewright where the workers run",
                )
            check_same(mine, theirs, f"the worker {worker}")

    def results(self, work: Work[T], numbers: Sequence[int]) -> Iterator[tuple[int, T | Lost]]:
        left: Sequence[int] = numbers
        if self._goes_on():
            batch = None
            pace = Pace(work.title, len(numbers), self._say)
            try:
                batch = _Batch(self._client, work, numbers, self._run)
                while batch.open and self._goes_on():
                    batch.fill(max(IN_FLIGHT, PER_THREAD * self._threads()))
                    finished = batch.finished(LOOK)
                    if finished is None:
                        pace.tell(self._workers())
                        continue
                    number, answer = finished
                    pace.done(self._workers())
                    yield number, answer
                    pace.tell(self._workers())  # over what whoever asked has to say
            except Exception:  # of whatever kind, when the scheduler is gone
                if self._connected():
                    raise
            finally:
                if batch is not None:
                    batch.close()
            left = numbers if batch is None else batch.left()
        if left:
            if not self._limit.over:
                self._limit.stop(GONE)
            for number in left:
                yield number, Lost(self._limit.reason)

    def _goes_on(self) -> bool:
        return not self._limit.over and self._connected()

    def _connected(self) -> bool:
        return bool(self._client.status == "running")

    def _workers(self) -> int:
        return len(self._info())

    def _threads(self) -> int:
        return sum(int(each.get("nthreads", 1)) for each in self._info().values())

    def _info(self) -> dict[str, Any]:
        """What the scheduler knows of its workers, asked for once in a while."""
        if monotonic() >= self._ask_again:
            with suppress(OSError, ValueError, TimeoutError):
                self._known = self._client.scheduler_info(n_workers=-1)["workers"]
            self._ask_again = monotonic() + ASK_AGAIN
        return self._known


class _Batch:
    """The tasks of a batch on their way."""

    def __init__(self, client: Any, work: Work[Any], numbers: Sequence[int], run: str) -> None:
        self._client = client
        self._work = work
        self._waiting = list(numbers)[::-1]
        self._futures: dict[int, Any] = {}
        self._done: SimpleQueue[tuple[int, Any]] = SimpleQueue()
        self._tried: dict[int, int] = {}
        self._asker = tuple(remote.asker())
        shared = work.shared()
        self._name = f"{work.kind}-{run}-{uuid4().hex[:8]}"
        self._shared = client.submit(remote.given, shared, key=f"given-{self._name}")

    @property
    def open(self) -> bool:
        """Whether anything is left to be done."""
        return bool(self._waiting or self._futures)

    def left(self) -> list[int]:
        """What was not done."""
        return sorted([*self._futures, *self._waiting])

    def fill(self, most: int) -> None:
        """Has so many tasks be in flight; none runs further ahead of the first that is not done,
        so that answers that wait for it are few, too."""
        while self._waiting and len(self._futures) < most:
            number = self._waiting[-1]
            if self._futures and number - min(self._futures) >= 2 * most:
                return
            self._submit(self._waiting.pop())

    def _submit(self, number: int) -> None:
        tried = self._tried[number] = self._tried.get(number, 0) + 1
        future = self._client.submit(
            remote.perform, self._asker, self._work.kind, self._shared, self._work.task(number),
            key=f"{self._name}-{number}-{tried}", pure=False,
        )  # fmt: skip
        self._futures[number] = future
        future.add_done_callback(lambda done: self._done.put((number, done)))

    def finished(self, patience: float) -> tuple[int, Any] | None:
        """A task that is done and what came of it; None if none is done for a while, or it is to
        be done again."""
        try:
            number, future = self._done.get(timeout=patience)
        except Empty:
            return None
        if self._futures.get(number) is not future:
            return None
        answer = self._answer(number, future)
        if answer is None:
            return None
        del self._futures[number]
        return number, answer

    def _answer(self, number: int, future: Any) -> Any:
        """What came of a task. None if it is asked for again, or if the cluster is gone."""
        from distributed import KilledWorker

        try:
            told = future.result(timeout=FETCHING)
        except TimeoutError:
            self._done.put((number, future))
            return None
        except (KilledWorker, OSError) as error:
            why = f"the workers that worked on it died ({type(error).__name__})"
        except ImportError as error:
            raise ClusterError(
                f"a worker cannot run this program: {error}",
                "install the same version of rulewright where the workers run",
            ) from error
        except Exception as error:
            if self._client.status != "running":
                return None
            if not future.cancelled():
                raise RuntimeError(f"a worker of the cluster failed: {error}") from error
            why = "somebody cancelled it"
        else:
            found = _read(told)
            if "refused" in found:
                check_same(remote.versions(), found["refused"], "a worker that has come since")
            if "error" in found:
                raise RuntimeError(f"a worker of the cluster failed: {found['error']}")
            if "lost" in found:
                return Lost(str(found["lost"]))
            try:
                return self._work.read(number, found["answer"])
            except NO_ANSWER as error:
                why = f"what came back from the cluster is no answer ({error})"
        if self._tried[number] > AGAIN:
            return Lost(why)
        del self._futures[number]
        self._submit(number)
        return None

    def close(self) -> None:
        """Takes back what is still on its way."""
        if self._client.status == "running":
            with suppress(Exception, StoppedError):
                self._client.cancel([*self._futures.values(), self._shared], force=True)


def _read(told: Any) -> dict[str, Any]:
    """What a worker answers; nothing, where that is no JSON."""
    try:
        found = json.loads(told)
    except (TypeError, ValueError):
        return {"answer": None}
    return found if isinstance(found, dict) else {"answer": None}


def check_same(mine: dict[str, str], theirs: dict[str, str], who: str) -> None:
    """Refuses a worker with another program, and says in what it differs."""
    for name in (*sorted({*mine, *theirs} - {"program"}), "program"):
        here, there = mine.get(name), theirs.get(name)
        if here != there:
            if name == "program":
                said = f"{who} has other sources of rulewright {mine['rulewright']}"
            else:
                said = f"{who} has {name} {there or 'not at all'}, this program {here or 'none'}"
            raise ClusterError(said, "install the same versions here and where the workers run")


def _quiet() -> None:
    """What Dask has to say of its connections goes to nobody: we tell what matters."""
    for name in ("distributed", "tornado", "bokeh", "asyncio"):
        getLogger(name).setLevel(CRITICAL)
