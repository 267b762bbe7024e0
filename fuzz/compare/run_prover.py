"""Asks the prover in this very process, with little time for everything and nothing kept.

The prover's own limits are counted in events, work and seconds that suit a whole game; for specs of
twenty lines a small part of each is enough. Whatever it does not decide within them is `unknown`,
which is never false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

from rulewright.frontend import LoadedSpec
from rulewright.kernel.outcome import Outcome
from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.run import job as jobs
from rulewright.prove.run import scheduler as running
from rulewright.prove.run.configurations import proof_configurations
from rulewright.prove.run.job import Job, Worker
from rulewright.prove.run.prover import ProofResult, prove
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.run.scheduler import Scheduler
from rulewright.prove.verdict import cross_check
from rulewright.syntax.node import replace
from rulewright.system.interrupts import Limit

TIMEOUT, SHORT = 0.1, 0.03
"""Seconds of the processor for a question; or less, where games and helpers are not waited for."""
FEW_STEPS = 100
"""So many steps after one event do not stop."""
LIMITS: dict[str, dict[str, float | tuple[int, ...]]] = {
    "rulewright.play.semantics.rules": {"MOST_STEPS": FEW_STEPS},
    "rulewright.wasm.moves.transitions": {"MOST_STEPS": FEW_STEPS},
    "rulewright.prove.search.portfolio": {
        "MOST_EVENTS": 600,
        "MOMENT": 200,
        "BRIEFLY": 300,
        "LATE": 400,
        "SLOWLY": 0.1,
        "EVERYWHERE": 0.1,
        "SHORTEN": 0.1,
        "MENTION": 0.05,
    },
    "rulewright.prove.search.random_search": {"LONGEST": 60, "DETOURS": 300, "SHORTEN": 0.05},
    "rulewright.prove.verdict.vacuity": {"QUIET": 150, "AGAIN": 60, "LENGTHS": (60, 20, 20)},
    "rulewright.prove.search.lasso": {
        "ATTEMPTS": 10,
        "TO_THE_END": 60,
        "GAMES": 5,
        "SHORTEN": 0.05,
    },
    "rulewright.prove.invariants.state_samples": {
        "AS_THEY_COME": 30,
        "WITH_NEWS": 30,
        "LOOKED_AT": 200,
        "SECONDS": 0.1,
    },
    "rulewright.prove.search.bmc": {"MOST_TURNS": 4, "WORK": 100_000, "SOONER": 50_000},
    "rulewright.prove.search.explicit_state": {"MOST_POSITIONS": 1_000},
    "rulewright.kernel.exploration": {"MOST_POSITIONS": 300, "MOST_EVENTS": 1_500},
    "rulewright.prove.invariants.templates": {"MOST": 60},
    "rulewright.prove.invariants.houdini": {"PATIENCE": 0.1},
}
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
    put(running, "WorkerPool", _Here)
    put(cross_check, "claims", lambda verdicts: ())  # it must not hide what a proof gets wrong
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


class _Here:
    """Does jobs in this process, in place of others."""

    def __init__(self, number: int, make: Callable[[], Worker], limit: Limit) -> None:
        self._make = make
        self._worker: Worker | None = None

    def outcomes(self, jobs: Sequence[Job]) -> Iterator[tuple[int, list[Outcome]]]:
        for number, job in enumerate(jobs):
            self._worker = self._worker or self._make()
            yield number, self._worker.run(job)


def cores_of(checked: LoadedSpec) -> dict[str | None, c.Spec]:
    """The game itself and its variants."""
    assert checked.spec is not None
    names = [each.name for each in checked.spec.variants]
    return {None: checked.spec, **{name: checked.variant(name) for name in names}}


def proved(
    cores: Mapping[str | None, c.Spec], timeout: float = TIMEOUT, only: tuple[str, ...] = ()
) -> tuple[list[Configuration], list[ProofResult]]:
    """The verdicts of `prove` in every setting, on everything or `only` on some claims."""
    spec = cores[None]
    ways = proof_configurations(spec, None, None, None)
    run = Scheduler(cores, ProverOptions(timeout), None, 1, lambda done, of: None)
    return ways, prove(cores, ways, run, only)
