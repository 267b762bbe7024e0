"""Conformance runs as tasks: all stages with some of the random games, then the other games.

A run of ordinary length is one task. One that plays through the night is many: each a run of its
own with an engine of its own, on games that depend on their numbers alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from rulewright.cli.commands.conform import conformance_of
from rulewright.cli.errors import RefusalError
from rulewright.conform.oracle.configurations import Oracles
from rulewright.conform.stages.conformance import Conformance, Plan, Stage
from rulewright.conform.stages.runner import unheard
from rulewright.distribute.records import from_text, to_text
from rulewright.distribute.work import Lost, Work
from rulewright.frontend import LoadedSpec
from rulewright.simulate.tasks.spec_text import opened, with_spec
from rulewright.syntax.node import replace
from rulewright.system.interrupts import Limit

TOGETHER = 1000
"""So many random games are one task."""
PLAYED = "games"
"""The stage that is split."""


class ConformanceWork(Work[Conformance]):
    """Checking an engine as a plan says."""

    kind = "conform"

    def __init__(
        self, checked: LoadedSpec, engine: str, timeout: float, plan: Plan,
        say: Callable[[str], None], limit: Limit, note: Callable[[str], None],
    ) -> None:  # fmt: skip
        assert checked.spec is not None
        self.title = f"checking {engine} against {checked.spec.name}"
        self._checked = checked
        self._engine = engine
        self._timeout = timeout
        self._plan = plan
        self._say = say
        self._note = note
        self._limit = limit
        most = plan.games if PLAYED in plan.stages else 0
        self._starts = range(0, max(most, 1), TOGETHER)

    def __len__(self) -> int:
        return len(self._starts)

    def task(self, number: int) -> str:
        return json.dumps(self._starts[number])

    def shared(self) -> str:
        return with_spec(
            self._checked, engine=self._engine, timeout=self._timeout, plan=to_text(self._plan)
        )

    def here(self, numbers: Iterable[int]) -> Iterator[tuple[int, Conformance | Lost]]:
        oracles = Oracles(self._checked, self._plan.in_turn)
        for number in numbers:
            plan, only = _part(self._plan, self._starts[number])
            yield (
                number,
                conformance_of(
                    oracles,
                    self._engine,
                    self._timeout,
                    plan,
                    self._say,
                    only,
                    self._limit,
                    self._note,
                ),
            )

    def read(self, number: int, answer: str) -> Conformance:
        told = json.loads(answer)
        if "refused" in told:
            raise RefusalError(str(told["refused"][0]), str(told["refused"][1]))
        found = from_text(told["found"])
        if not isinstance(found, Conformance) or not all(
            isinstance(each, Stage) and type(each.checked) is int for each in found.stages
        ):
            raise ValueError("this is not how an engine conforms")
        return found

    def written(self, number: int, answer: Conformance) -> str:
        return json.dumps({"found": to_text(answer)})


def perform(shared: str, task: str) -> str:
    """Checks an engine, with the games of one task."""
    _, how = opened(shared)
    plan, only = _part(from_text(how["plan"]), json.loads(task))
    try:
        found = conformance_of(
            _oracles(shared), how["engine"], how["timeout"], plan, unheard, only, Limit()
        )
    except RefusalError as refusal:
        return json.dumps({"refused": [refusal.message, refusal.help]})
    return json.dumps({"found": to_text(found)})


@lru_cache(maxsize=1)
def _oracles(shared: str) -> Oracles:
    checked, how = opened(shared)
    return Oracles(checked, from_text(how["plan"]).in_turn)


def _part(plan: Plan, start: int) -> tuple[Plan, range | None]:
    """The part of a plan with the games from a number on, and which games these are."""
    if start == 0:
        return replace(plan, games=min(plan.games, TOGETHER)), None
    return replace(plan, stages=(PLAYED,)), range(start, min(start + TOGETHER, plan.games))


def joined(parts: Sequence[Conformance]) -> Conformance:
    """What several runs come to together; what differs first is told first."""
    found, *others = parts
    for each in others:
        found = _joined(found, each)
    return found


def _joined(one: Any, other: Any) -> Any:
    """Counts are added up, lists put together, and of what there can be one the first counts."""
    if one is None or other is None:
        return other if one is None else one
    match one:
        case Conformance() | Stage():
            fields = one._fields
            return type(one)(*(_joined(getattr(one, f), getattr(other, f)) for f in fields))
        case bool() | str():
            return one
        case int() | float():
            return one + other
        case Mapping():
            return {key: _joined(one.get(key), other.get(key)) for key in (one | other)}
        case tuple():
            return _put_together(one, other)
    return one


def _put_together(one: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
    """Both, each entry once; stages of one name are one stage."""
    found = list(one)
    names = {each.name: place for place, each in enumerate(found) if isinstance(each, Stage)}
    for each in other:
        if isinstance(each, Stage) and each.name in names:
            place = names[each.name]
            found[place] = _joined(found[place], each)
        elif each not in found:
            found.append(each)
    return tuple(found)
