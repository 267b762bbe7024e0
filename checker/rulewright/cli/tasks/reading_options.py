"""Options of open questions as tasks: each against the default, as `readings` reports it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from rulewright.change.semantic.readings import ComparisonOptions, compare_option, other_options
from rulewright.cli.commands.readings import OUTCOMES, result_of
from rulewright.distribute.shape import Row, read_json
from rulewright.distribute.work import Lost, Work
from rulewright.frontend import LoadedSpec
from rulewright.meaning.core import Spec
from rulewright.report.model import STATUSES, Result
from rulewright.resources import cache_directory
from rulewright.simulate.tasks.spec_text import opened, with_spec

WRITTEN = Row(
    str, str,
    {"reading": str, "option": str, "default": str, "clauses": [str], "outcome": str,
     "differences": [{str: object}]},
    [str],
)  # fmt: skip
"""The form of an answer: name, status, data and lines of a result."""


class ReadingsWork(Work[Result]):
    """Every option of every open question that is not the default."""

    kind = "readings"

    def __init__(
        self, checked: LoadedSpec, numbers: Sequence[int], asking: ComparisonOptions,
        timeout: float, cached: bool, seed: int,
    ) -> None:  # fmt: skip
        assert checked.spec is not None
        self._spec: Spec = checked.spec
        self._numbers = list(numbers)
        self._asking = asking
        self._options = other_options(checked.spec)
        self._shared = with_spec(
            checked, numbers=self._numbers, timeout=timeout, cached=cached, seed=seed
        )
        self.title = f"comparing the readings of {self._spec.name}"

    def __len__(self) -> int:
        return len(self._options)

    def task(self, number: int) -> str:
        reading, option = self._options[number]
        return json.dumps([reading.name, option.name])

    def shared(self) -> str:
        return self._shared

    def here(self, numbers: Iterable[int]) -> Iterator[tuple[int, Result | Lost]]:
        for number in numbers:
            chosen = self._options[number]
            found = compare_option(self._spec, *chosen, self._numbers, self._asking)
            yield number, result_of(found)

    def read(self, number: int, answer: str) -> Result:
        name, status, data, lines = read_json(answer, WRITTEN)
        reading, option = self._options[number]
        if (data["reading"], data["option"]) != (reading.name, option.name):
            raise ValueError("this is about another option")
        if status not in STATUSES or data["outcome"] not in OUTCOMES:
            raise ValueError("this is no result")
        return Result(name, status, data, tuple(lines))

    def written(self, number: int, answer: Result) -> str:
        return _written(answer)


def perform(shared: str, task: str) -> str:
    """Compares one option with the default."""
    checked, how = opened(shared)
    assert checked.spec is not None
    chosen = json.loads(task)
    for reading, option in other_options(checked.spec):
        if [reading.name, option.name] == chosen:
            asking = _asking(how["timeout"], how["cached"], how["seed"])
            numbers = how["numbers"]
            return _written(
                result_of(compare_option(checked.spec, reading, option, numbers, asking))
            )
    raise ValueError(f"there is no option {chosen}")


@lru_cache(maxsize=1)
def _asking(timeout: float, cached: bool, seed: int) -> ComparisonOptions:
    folder = cache_directory() / "proofs" if cached else None
    return ComparisonOptions(timeout, folder, 1, seed, _nothing)


def _nothing(_: str) -> None:
    """Whoever does a task has nobody to tell of it."""


def _written(result: Result) -> str:
    found: list[Any] = [result.name, result.status, dict(result.data), list(result.lines)]
    return json.dumps(found)
