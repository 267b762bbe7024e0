"""Backends: whoever does the tasks of a batch. Commands hand over `Work` and do not know to whom.

`LocalBackend` does everything on this machine; `cluster` and `shards` have the others. The one in
use is set for a whole command by `using`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

from rulewright.distribute.work import Lost, Work
from rulewright.system.interrupts import StoppedError

T = TypeVar("T")


class Backend(Protocol):
    """Does the tasks of a batch."""

    def results(self, work: Work[T], numbers: Sequence[int]) -> Iterator[tuple[int, T | Lost]]:
        """The numbers of these tasks and what came of each, in the order in which they finish.
        A backend may leave out tasks that are for others to do."""
        ...


class LocalBackend:
    """This machine."""

    def results(self, work: Work[T], numbers: Sequence[int]) -> Iterator[tuple[int, T | Lost]]:
        return work.here(numbers)


_BACKEND: ContextVar[Backend] = ContextVar("_BACKEND", default=LocalBackend())  # noqa: B039


@contextmanager
def using(backend: Backend) -> Iterator[None]:
    """What is done in here is done by this backend."""
    token = _BACKEND.set(backend)
    try:
        yield
    finally:
        _BACKEND.reset(token)


def results(work: Work[T]) -> Iterator[tuple[int, T | Lost]]:
    """What came of each task, in the order in which they finish."""
    return _BACKEND.get().results(work, range(len(work)))


def answers(work: Work[T]) -> Iterator[T]:
    """The answers in the order of the tasks, each as soon as all before it are there. Where one
    was lost the run ends, with what is known by then."""
    found = results(work)
    return in_order(found)


def in_order(found: Iterable[tuple[int, T | Lost]]) -> Iterator[T]:
    """Answers in the order of their tasks, the first one that was lost ending it."""
    waiting: dict[int, T | Lost] = {}
    following = 0
    for number, answer in found:
        waiting[number] = answer
        while following in waiting:
            ready = waiting.pop(following)
            if isinstance(ready, Lost):
                raise StoppedError(ready.reason)
            yield ready
            following += 1
