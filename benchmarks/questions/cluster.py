"""Work on a cluster: what a task costs, what a megabyte costs, and what more workers would bring.

A Dask scheduler and one or two workers run as processes of this machine. Costs are seconds of the
processor of all of them together, so a busy machine does not count; only the two rows about two
workers are by the clock. What 8, 64 and 512 workers would bring is simulated from the measured
times of single tasks: each batch waits for the one before, tasks go out in their order to whoever
is free, the scheduler takes its measured time for each of them one after the other, and texts cross
a network of 1 Gbit/s. No simulation knows of slow disks or of neighbours.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.harness.measure import ROOT, SEED, Row, attempted, skipped
from benchmarks.harness.simulated_cluster import Batch, Costs, Task, efficiency, smallest_task
from rulewright.cli.main import run_safely
from rulewright.distribute.backend import using
from rulewright.distribute.cluster import ClusterBackend, opened
from rulewright.distribute.work import Lost, Work, perform
from rulewright.system.interrupts import Limit

NETWORK = 8e-9
"""Seconds for a byte, at 1 Gbit/s."""
WORKERS = (8, 64, 512)
TICKS = os.sysconf("SC_CLK_TCK")


def questions(quick: bool) -> Iterator[Row]:
    """Costs first; the simulation needs them."""
    with tempfile.TemporaryDirectory() as folder, processes(Path(folder), 1) as (file, numbers):
        costs: list[float] = []
        yield from attempted("cost of a task", "Dask", lambda: _costs(file, numbers, quick, costs))
    if not costs:
        return
    known = Costs(costs[0], NETWORK)
    if quick:
        yield skipped("speed-up of two workers", "replay", "not in a quick run")
    else:
        yield from attempted("speed-up of two workers", "replay", _speed_up)
    for name, (command, times) in commands(quick).items():
        question = f"{name} on many workers, simulated"
        yield from attempted(question, name, partial(_simulated, name, command, times, known))
    for workers in WORKERS:
        size = (1000 * smallest_task(known, workers),)
        question = "shortest task with an efficiency of 80 %, simulated"
        yield Row(question, "tasks of one length", "ms", size, at=workers)


def commands(quick: bool) -> dict[str, tuple[list[str], int]]:
    """What is simulated, and how often its tasks are repeated: nobody needs many workers for a few
    games, and a sample of a million tells what each takes."""
    games = ["--games", "20" if quick else "500", "--seed", str(SEED), "--trace", os.devnull]
    if quick:
        proofs = ["prove", "pig", "--no-cache", "--players", "2"]
    else:
        proofs = ["prove", "qwixx", "--no-cache", "--players", "2..3"]
    return {"prove": (proofs, 1), "run": (["run", "qwixx", "--players", "2..3", *games], 1000)}


class Nothing(Work[int]):
    """Tasks that are none: they look for a file that is not there. `size` makes their text long."""

    kind = "traces"
    title = "doing nothing"

    def __init__(self, number: int, size: int = 0) -> None:
        self._number = number
        self._text = json.dumps(["x" * size])

    def __len__(self) -> int:
        return self._number

    def task(self, number: int) -> str:
        return self._text

    def read(self, number: int, answer: str) -> int:
        return len(answer)


def _costs(file: Path, numbers: Sequence[int], quick: bool, costs: list[float]) -> Iterator[Row]:
    """What a task costs everybody, and the scheduler alone; and what a megabyte costs."""
    scheduler = numbers[0]
    with opened(str(file), Limit(), lambda _: None) as backend:
        _done(backend, Nothing(20))
        all_of_them, alone = [], []
        many = 20 if quick else 400
        for _ in range(3):
            before = _spent(numbers), _spent([scheduler])
            _done(backend, Nothing(many))
            all_of_them.append((_spent(numbers) - before[0]) / many * 1000)
            alone.append((_spent([scheduler]) - before[1]) / many)
        yield Row("cost of a task", "all processes", "ms", tuple(all_of_them))
        yield Row("cost of a task", "scheduler", "ms", tuple(1000 * each for each in alone))
        costs.append(sorted(alone)[1])
        megabytes = []
        for _ in range(3):
            before = (_spent(numbers), 0.0)
            _done(backend, Nothing(20, 1 << 20))  # there and back
            whole = (_spent(numbers) - before[0]) / 20 * 1000
            megabytes.append(max(0.0, whole - sorted(all_of_them)[1]) / 2)
        yield Row("cost of a megabyte", "all processes", "ms", tuple(megabytes))


def _done(backend: ClusterBackend, work: Work[int]) -> None:
    for _, answer in backend.results(work, range(len(work))):
        assert not isinstance(answer, Lost), answer


def _speed_up() -> Iterator[Row]:
    """The same games replayed on one worker and on two, by the clock."""
    with tempfile.TemporaryDirectory() as folder:
        games = Path(folder) / "games.jsonl"
        _quietly(["run", "qwixx", "--players", "2", "--games", "1000", "--seed", str(SEED),
                  "--trace", str(games)])  # fmt: skip
        for copy in range(8):
            os.link(games, f"{games}.{copy}.jsonl")
        for workers in (1, 2):
            place = Path(folder) / str(workers)
            place.mkdir()
            with processes(place, workers) as (file, _):
                asked = ["replay", "qwixx", f"{games}.*.jsonl", "--cluster", str(file)]
                _quietly(asked)  # once to warm up
                began = time.perf_counter()
                _quietly(asked)
                took = (time.perf_counter() - began,)
            yield Row("speed-up of two workers", f"replay on {workers}", "s by the clock", took)


def _simulated(name: str, command: list[str], times: int, costs: Costs) -> Iterator[Row]:
    """How well many workers would be used by a command, and which task bounds it."""
    measured = Measured()
    with using(measured):
        _quietly(command)
    batches = [times * each for each in measured.batches]
    tasks = [task for batch in batches for task in batch]
    longest = max(tasks, key=lambda each: each.seconds)
    total = sum(each.seconds for each in tasks)
    note = f"longest task {longest.name}, {longest.seconds:.1f} of {total:.1f} s"
    for workers in WORKERS:
        used = (100 * efficiency(batches, workers, costs),)
        yield Row(f"{name} on many workers, simulated", name, "% efficiency", used, note, workers)


class Measured:
    """A backend that does every task in this process and notes what it costs."""

    def __init__(self) -> None:
        self.batches: list[Batch] = []

    def results(self, work: Work[Any], numbers: Sequence[int]) -> Iterator[tuple[int, Any]]:
        shared, batch = work.shared(), []
        for number in numbers:
            task = work.task(number)
            before = _here()
            answer = perform(work.kind, shared, task)
            name = _name(task) or work.kind
            batch.append(Task(name, _here() - before, len(task) + len(answer)))
            yield number, work.read(number, answer)
        self.batches.append(batch)


def _name(task: str) -> str:
    """What a job of the prover is about."""
    job = json.loads(task).get("job") if task.startswith('{"job"') else None
    if job is None:
        return ""
    written = json.loads(job)["records"][-1]
    return " ".join(each for each in written[2:4] if each)


def _here() -> float:
    """Seconds that this process and its children have computed."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _quietly(command: list[str]) -> None:
    """Runs a command for its effects."""
    out = os.dup(1), os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        sys.stdout.flush()
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        code = run_safely(command)
        sys.stdout.flush()
    finally:
        for number, kept in enumerate(out, start=1):
            os.dup2(kept, number)
            os.close(kept)
        os.close(nowhere)
    assert code in (0, 1, 3), f"{command} ended with {code}"


@contextmanager
def processes(folder: Path, workers: int) -> Iterator[tuple[Path, list[int]]]:
    """A scheduler and workers; the file that names them, and the numbers of their processes."""
    file = folder / "scheduler.json"
    common = ["--host", "127.0.0.1", "--scheduler-file", str(file)]
    asked = [["scheduler", "--port", "0", "--dashboard-address", "127.0.0.1:0", *common]]
    asked += [["worker", "--nthreads", "1", "--no-nanny", "--no-dashboard", *common]] * workers
    begun = [
        subprocess.Popen(
            [sys.executable, "-m", "dask", *each], cwd=ROOT,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        for each in asked
    ]  # fmt: skip
    try:
        from distributed import Client

        while not file.exists():
            time.sleep(0.05)
        with Client(scheduler_file=str(file)) as client:
            client.wait_for_workers(workers, 60)
        yield file, [each.pid for each in begun]
    finally:
        for each in begun:
            each.kill()
            each.wait()


def _spent(numbers: Sequence[int]) -> float:
    """Seconds that some processes have computed, with all that comes from them."""
    parents: dict[int, int] = {}
    used: dict[int, float] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                told = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(name)] = int(told[1])
            used[int(name)] = sum(map(int, told[11:15])) / TICKS
    found = set(numbers)
    while more := {each for each, parent in parents.items() if parent in found} - found:
        found |= more
    return sum(used.get(each, 0.0) for each in found)
