"""A simulated cluster: how long batches of tasks take on so many workers.

Batches follow each other. The scheduler hands out one task after the other, in their order, and
takes its time for each; a task goes to the worker that is free first, and what it is told and
answers crosses the network.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias


class Task(NamedTuple):
    """What a task is called, how long it takes and how many bytes it is told and answers."""

    name: str
    seconds: float
    size: int = 0


class Costs(NamedTuple):
    """Seconds that the scheduler takes for a task, and that a byte takes."""

    scheduling: float
    byte: float


Batch: TypeAlias = "list[Task]"
GOOD = 0.8
"""The efficiency that is aimed at."""
EACH = 20
"""So many tasks of one length for each worker."""


def takes(batches: Sequence[Sequence[Task]], workers: int, costs: Costs) -> float:
    """The seconds until the last task of the last batch is done."""
    now = 0.0
    for batch in batches:
        free = [now] * workers
        handed_out = last = now
        for task in batch:
            handed_out += costs.scheduling
            begins = max(heapq.heappop(free), handed_out)
            ends = begins + task.seconds + task.size * costs.byte
            heapq.heappush(free, ends)
            last = max(last, ends)
        now = last
    return now


def efficiency(batches: Sequence[Sequence[Task]], workers: int, costs: Costs) -> float:
    """How much of the time of all workers is spent on tasks."""
    work = sum(task.seconds for batch in batches for task in batch)
    return work / (workers * takes(batches, workers, costs))


def smallest_task(costs: Costs, workers: int) -> float:
    """The seconds that tasks of one length must take if so many workers are to be used well."""
    low, high = 0.0, 3600.0
    while high - low > high / 1000:
        middle = (low + high) / 2
        batch = [Task("", middle)] * (EACH * workers)
        if efficiency([batch], workers, costs) < GOOD:
            low = middle
        else:
            high = middle
    return high
