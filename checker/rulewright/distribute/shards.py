"""Shards: one run in several parts that know nothing of each other, and putting them together.

A shard does the tasks that are its own and those that others wait for. What is left of the command
depends on answers of other shards, so it ends there: what it has is the answers, each under a name
for its task. Merging is the same command once more, by a backend that knows these answers; what no
shard could do, it does itself. So the report of a merge is that of one run, however it was split.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, TypeVar

from rulewright.distribute.backend import Backend
from rulewright.distribute.work import NO_ANSWER, Lost, Work
from rulewright.syntax.node import Node

T = TypeVar("T")


class OtherShardsError(Exception):
    """What comes next needs answers of other shards."""


class ShardNumber(Node):
    """Which one of how many, from 1 on."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


class ShardBackend:
    """Does one shard of every batch, and keeps the answers as text."""

    def __init__(self, shard: ShardNumber, inner: Backend) -> None:
        self._shard = shard
        self._inner = inner
        self.answers: dict[str, str] = {}
        self.lost: list[str] = []
        """Why a task of this shard has no answer."""
        self.elsewhere = 0
        """So many tasks are for others."""

    def results(self, work: Work[T], numbers: Sequence[int]) -> Iterator[tuple[int, T | Lost]]:
        names = task_names(work, numbers)
        if work.everywhere:
            mine = list(numbers)
        else:
            mine = [each for each in numbers if self._is_mine(names[each])]
        self.elsewhere += len(numbers) - len(mine)
        for number, answer in self._inner.results(_Kept(work, names, self.answers), mine):
            if isinstance(answer, Lost):
                self.lost.append(answer.reason)
            yield number, answer
        if len(mine) < len(numbers):
            raise OtherShardsError

    def _is_mine(self, name: str) -> bool:
        return int(name[:12], 16) % self._shard.of == self._shard.number - 1


class MergeBackend:
    """Knows the answers of all shards; what is not among them is done by another backend."""

    def __init__(self, answers: Mapping[str, str], inner: Backend) -> None:
        self._answers = answers
        self._inner = inner

    def results(self, work: Work[T], numbers: Sequence[int]) -> Iterator[tuple[int, T | Lost]]:
        missing = []
        for number, name in task_names(work, numbers).items():
            try:
                found = work.read(number, self._answers[name])
            except NO_ANSWER:  # nobody has done it, or it is to be done anew
                missing.append(number)
            else:
                yield number, found
        if missing:
            yield from self._inner.results(work, missing)


class _Kept(Work[T]):
    """The same work, each answer of which is also kept as text."""

    def __init__(self, work: Work[T], names: Mapping[int, str], answers: dict[str, str]) -> None:
        self._work = work
        self._names = names
        self._answers = answers
        self.kind, self.title = work.kind, work.title

    def __len__(self) -> int:
        return len(self._work)

    def task(self, number: int) -> str:
        return self._work.task(number)

    def shared(self) -> str:
        return self._work.shared()

    def read(self, number: int, answer: str) -> T:
        found = self._work.read(number, answer)
        self._answers[self._names[number]] = answer
        return found

    def answered_here(self, shared: str, number: int) -> str:
        return self._work.answered_here(shared, number)

    def here(self, numbers: Iterable[int]) -> Iterator[tuple[int, T | Lost]]:
        if type(self._work).here is Work.here:  # done as text, which `read` keeps
            yield from super().here(numbers)
            return
        for number, answer in self._work.here(numbers):
            if not isinstance(answer, Lost):
                self._answers[self._names[number]] = self._work.written(number, answer)
            yield number, answer


def task_names(work: Work[Any], numbers: Sequence[int]) -> dict[int, str]:
    """A name for each of these tasks, by all that it is."""
    common = sha256(json.dumps([work.kind, work.shared()]).encode())
    found = {}
    for number in numbers:
        name = common.copy()
        name.update(work.task(number).encode())
        found[number] = name.hexdigest()
    return found
