"""Mistakes as tasks: who notices those in one requirement, effect, function, table or constant."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from rulewright.distribute.shape import Row, read_json
from rulewright.distribute.work import Lost, Work
from rulewright.evidence.mistakes import Mistake, carriers, mistakes
from rulewright.evidence.noticers import KINDS, Noticer, Watch
from rulewright.frontend import LoadedSpec
from rulewright.simulate.tasks.spec_text import opened, with_spec

Noticed = list[list[Noticer]]


class TrialsWork(Work[Noticed]):
    """Who notices each mistake, carrier by carrier."""

    kind = "evidence"

    def __init__(self, checked: LoadedSpec, tried: Sequence[Sequence[Mistake]]) -> None:
        assert checked.spec is not None
        self.title = f"trying mistakes in {checked.spec.name}"
        self._checked = checked
        self._carriers = tried

    def __len__(self) -> int:
        return len(self._carriers)

    def task(self, number: int) -> str:
        return json.dumps(number)

    def shared(self) -> str:
        return with_spec(self._checked)

    def here(self, numbers: Iterable[int]) -> Iterator[tuple[int, Noticed | Lost]]:
        assert self._checked.spec is not None
        watch = Watch(self._checked.spec)
        for number in numbers:
            yield number, watch.noticers(self._carriers[number])

    def read(self, number: int, answer: str) -> Noticed:
        return _read(read_json(answer, [[Row(str, str)]]), len(self._carriers[number]))

    def written(self, number: int, answer: Noticed) -> str:
        return json.dumps(_written(answer))


def perform(shared: str, task: str) -> str:
    """Tries the mistakes in one carrier."""
    watch, tried = _opened(shared)
    return json.dumps(_written(watch.noticers(tried[json.loads(task)])))


@lru_cache(maxsize=1)
def _opened(shared: str) -> tuple[Watch, list[list[Mistake]]]:
    checked, _ = opened(shared)
    assert checked.spec is not None
    return Watch(checked.spec), carriers(mistakes(checked))


def _written(found: Noticed) -> list[list[list[str]]]:
    return [[[each.name, each.kind] for each in noticers] for noticers in found]


def _read(written: list[list[list[str]]], number: int) -> Noticed:
    if len(written) != number:
        raise ValueError("these are other mistakes")
    found = [[Noticer(name, kind) for name, kind in noticers] for noticers in written]
    if not all(each.kind in KINDS for noticers in found for each in noticers):
        raise ValueError("this is nobody who notices")
    return found
