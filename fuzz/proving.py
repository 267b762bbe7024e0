"""Asks the prover in this very process, with little time for everything and nothing kept.

The prover's own limits are counted in events, work and seconds that suit a whole game; for specs of
twenty lines a small part of each is enough. Whatever it does not decide within them is `unknown`,
which is never false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from types import CodeType
from typing import Any

from checker.front import Checked
from checker.kernel.outcome import Outcome
from checker.meaning import core as c
from checker.play.compiled import Machine
from checker.prove import crosscheck
from checker.prove import job as jobs
from checker.prove import run as running
from checker.prove.effort import Effort
from checker.prove.job import Job, Worker
from checker.prove.prover import Proved, prove
from checker.prove.run import Run
from checker.prove.settings import settings
from checker.stopping import Limit
from checker.syntax.node import replace
from checker.vc.context import Setting

TIMEOUT, SHORT = 0.1, 0.03
"""Seconds of the processor for a question; or less, where games and helpers are not waited for."""
FEW_STEPS = 100
"""So many steps after one event do not stop."""
LIMITS: dict[str, dict[str, float | tuple[int, ...]]] = {
    "checker.play.rules": {"MOST_STEPS": FEW_STEPS},
    "checker.play.compile.transitions": {"MOST_STEPS": FEW_STEPS},
    "checker.prove.games": {
        "MOST_EVENTS": 600, "MOMENT": 200, "BRIEFLY": 300, "LATE": 400, "SLOWLY": 0.1,
        "EVERYWHERE": 0.1, "SHORTEN": 0.1, "MENTION": 0.05,
    },
    "checker.prove.at_random": {"LONGEST": 60, "DETOURS": 300, "SHORTEN": 0.05},
    "checker.prove.bearing": {"QUIET": 150, "AGAIN": 60, "LENGTHS": (60, 20, 20)},
    "checker.prove.loop": {"ATTEMPTS": 10, "TO_THE_END": 60, "GAMES": 5, "SHORTEN": 0.05},
    "checker.prove.sample": {"AS_THEY_COME": 30, "WITH_NEWS": 30, "LOOKED_AT": 200, "SECONDS": 0.1},
    "checker.prove.search": {"MOST_TURNS": 4, "WORK": 100_000, "SOONER": 50_000},
    "checker.prove.everywhere": {"MOST_POSITIONS": 1_000},
    "checker.kernel.explore": {"MOST_POSITIONS": 300, "MOST_EVENTS": 1_500},
    "checker.prove.candidate": {"MOST": 60},
    "checker.prove.strengthen": {"PATIENCE": 0.1},
}  # fmt: skip
"""What is lowered, by module; what is not there any more is passed over."""


@contextmanager
def briefly() -> Iterator[None]:
    """Lowers the prover's limits in this process, and has jobs done in it, for a while."""
    held: list[tuple[Any, str, Any]] = []

    def put(owner: Any, name: str, value: Any) -> None:
        held.append((owner, name, getattr(owner, name)))
        setattr(owner, name, value)

    for module, limits in LIMITS.items():
        with suppress(ImportError):
            found = import_module(module)
            for name, value in limits.items():
                if hasattr(found, name):
                    put(found, name, value)
    put(running, "Workers", _Here)
    put(crosscheck, "claims", lambda verdicts: ())  # it must not hide what a proof gets wrong
    put(Machine.steps, "__code__", _following_fewer(Machine.steps.__code__))
    try:
        yield
    finally:
        for owner, name, value in reversed(held):
            setattr(owner, name, value)


@contextmanager
def case_by_case(really: bool) -> Iterator[None]:
    """Has the solver give up at once on what can be asked case by case, so that it is; in small
    specs nothing would be hard enough."""
    held = getattr(jobs, "BRIEF")  # noqa: B009
    if really:
        setattr(jobs, "BRIEF", replace(held, work=(1,), whole=1))  # noqa: B010
    try:
        yield
    finally:
        setattr(jobs, "BRIEF", held)  # noqa: B010


def _following_fewer(code: CodeType) -> CodeType:
    """Steps that never stop are followed for a hundredth of the usual time: the compiled game has
    that number in its code."""
    fewer = tuple(FEW_STEPS if each == 10_000 else each for each in code.co_consts)
    return code.replace(co_consts=fewer)


class _Here:
    """Does jobs in this process, in place of others."""

    def __init__(self, number: int, make: Callable[[], Worker], limit: Limit) -> None:
        self._make = make
        self._worker: Worker | None = None

    def outcomes(self, jobs: Sequence[Job]) -> Iterator[tuple[int, list[Outcome]]]:
        for number, job in enumerate(jobs):
            self._worker = self._worker or self._make()
            yield number, self._worker.run(job)


def cores_of(checked: Checked) -> dict[str | None, c.Spec]:
    """The game itself and its variants."""
    assert checked.spec is not None
    names = [each.name for each in checked.spec.variants]
    return {None: checked.spec, **{name: checked.variant(name) for name in names}}


def proved(
    cores: Mapping[str | None, c.Spec], timeout: float = TIMEOUT
) -> tuple[list[Setting], list[Proved]]:
    """The verdicts of `prove` in every setting."""
    spec = cores[None]
    ways = settings(spec, None, None, None)
    run = Run(cores, Effort(timeout), None, 1, lambda done, of: None)
    return ways, prove(cores, ways, run, ())
