"""Jobs of the prover as tasks: how they travel, and how what they find is read.

Specs travel as the text of their records and are read anew where the job is done. Games and
positions are written as JSON by the rules of their setting, as in the cache. An outcome that comes
back is held to its types, to the words of the solver and to the rules of the game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from pickle import loads
from typing import Any

from rulewright.distribute.records import from_text, to_text
from rulewright.distribute.work import Lost, LostError, Work
from rulewright.kernel.outcome import Outcome
from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.cache.outcome_json import (
    game_from_json,
    game_to_json,
    outcome_from_json,
    outcome_to_json,
)
from rulewright.prove.run.job import Job, Worker
from rulewright.prove.run.prover_options import ProverOptions, SecondSolverTally
from rulewright.prove.run.workers import JobRunner
from rulewright.resources import cache_directory
from rulewright.smt.solver.solver import SAT, UNKNOWN, UNSAT
from rulewright.syntax.node import replace

Specs = Mapping[str | None, c.Spec]
Here = Callable[[Sequence[Job]], Iterator[tuple[int, list[Outcome] | Lost]]]
"""Does jobs on this machine."""
WORDS = (SAT, UNSAT, UNKNOWN)


class JobWork(Work[list[Outcome]]):
    """Jobs on some specs."""

    kind = "prove"

    def __init__(
        self, specs: Specs, effort: ProverOptions, cached: bool, jobs: Sequence[Job], here: Here,
        instance_of: Callable[[Configuration], Instance], awaited: bool,
    ) -> None:  # fmt: skip
        self._specs = specs
        self._effort = effort
        self._cached = cached
        self._jobs = jobs
        self._here = here
        self._instance_of = instance_of
        self.everywhere = awaited
        self.title = f"proving {next((each.name for each in specs.values()), 'nothing')}"

    def __len__(self) -> int:
        return len(self._jobs)

    def task(self, number: int) -> str:
        job = self._jobs[number]
        guide = None
        if job.guide is not None:
            guide = game_to_json(job.guide, self._instance_of(_guiding(job)))
        return json.dumps({"job": to_text(replace(job, guide=None)), "guide": guide})

    def shared(self) -> str:
        effort = self._effort
        return json.dumps({
            "specs": to_text(dict(self._specs)), "timeout": effort.timeout,
            "second": effort.second is not None, "cached": self._cached,
        })  # fmt: skip

    def read(self, number: int, answer: str) -> list[Outcome]:
        instance = self._instance_of(self._jobs[number].configuration)
        return [_outcome(each, instance) for each in json.loads(answer)]

    def written(self, number: int, answer: list[Outcome]) -> str:
        return _written(answer, self._instance_of(self._jobs[number].configuration))

    def here(self, numbers: Iterable[int]) -> Iterator[tuple[int, list[Outcome] | Lost]]:
        places = list(numbers)
        for number, found in self._here([self._jobs[each] for each in places]):
            yield places[number], found


def perform(shared: str, task: str) -> str:
    """Does one job in this process."""
    runner, instances = _ready(shared)
    asked = json.loads(task)
    job: Job = from_text(asked["job"])
    if asked["guide"] is not None:
        guide = game_from_json(asked["guide"], instances(_guiding(job)))
        job = replace(job, guide=guide)
    found: list[Outcome] | Lost = loads(runner.run(job))  # from a copy of this very process
    if isinstance(found, Lost):
        raise LostError(found.reason)
    return _written(found, instances(job.configuration))


@lru_cache(maxsize=1)
def _ready(shared: str) -> tuple[JobRunner, Callable[[Configuration], Instance]]:
    """Who does the jobs on some specs."""
    given = json.loads(shared)
    specs: Specs = from_text(given["specs"])
    second = SecondSolverTally() if given["second"] else None
    folder = cache_directory() / "proofs" if given["cached"] else None
    make = partial(Worker, specs, ProverOptions(given["timeout"], None, second), Cache(folder))

    @cache
    def instance_of(configuration: Configuration) -> Instance:
        spec = specs[configuration.variant]
        return Instance(spec, configuration.players, dict(configuration.readings))

    return JobRunner(make, []), instance_of


def _guiding(job: Job) -> Configuration:
    """The setting of the game that a job is led by."""
    return Configuration(job.configuration.players, (), None)


def _written(found: Sequence[Outcome], instance: Instance) -> str:
    return json.dumps([outcome_to_json(each, instance) for each in found])


def _outcome(json: Any, instance: Instance) -> Outcome:
    """An outcome from elsewhere; raises where it cannot be one."""
    found = outcome_from_json(json, instance)
    words = (found.name, found.kind, found.note)
    rest = (found.reason, found.transition)
    if not all(isinstance(each, str) for each in (*words, *found.used)):
        raise ValueError("an outcome has names")
    if not all(each is None or isinstance(each, str) for each in rest):
        raise ValueError("an outcome has words")
    if found.wants not in WORDS or found.result not in WORDS:
        raise ValueError("an outcome is sat, unsat or unknown")
    if not isinstance(found.seconds, int | float) or not isinstance(found.complete, bool):
        raise ValueError("an outcome takes seconds")
    if found.depth is not None and type(found.depth) is not int:
        raise ValueError("a depth is a number")
    return found
