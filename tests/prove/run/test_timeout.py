"""`--timeout` and `--limit`: nothing goes on long after its time, and what is decided is kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from time import sleep

import pytest

from rulewright.cli.main import run_safely
from rulewright.frontend import check_text
from rulewright.kernel.outcome import Outcome, SolverResult, WitnessGame
from rulewright.kernel.query import Goal, Query
from rulewright.meaning.core import Spec
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.discharge import goal_slicing
from rulewright.prove.invariants import houdini
from rulewright.prove.invariants.houdini import InvariantSearch
from rulewright.prove.invariants.state_samples import positions
from rulewright.prove.run import scheduler as runs
from rulewright.prove.run.job import Job, Worker
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.run.scheduler import Scheduler
from rulewright.prove.search.bmc import BoundedModelChecker
from rulewright.prove.search.search_goals import PropertyGoal
from rulewright.prove.search.turn_unrolling import TurnUnrolling
from rulewright.resources import bundled_specs
from rulewright.smt.solver.solver import UNKNOWN, UNSAT, SolverAnswer
from rulewright.smt.solver.work_limit import WorkLimit, WorkLimitError
from rulewright.smt.terms.term import Term
from rulewright.system.interrupts import Limit
from rulewright.system.work_budget import METER, SECOND, Meter
from rulewright.vc.conditions import preserved
from rulewright.vc.context import ProofContext

TWO = Configuration(2, (), None)


def spec_of(name: str) -> Spec:
    spec = check_text(name, bundled_specs()[name].read_text("utf-8")).spec
    assert spec is not None
    return spec


class Clock:
    """Seconds that go by only where a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Hard(Meter):
    """Work of which every look finds so many seconds' worth done."""

    def __init__(self, a_look: float) -> None:
        super().__init__()
        self._a_look = a_look

    def charge(self, work: int) -> None:
        self.spent += int(self._a_look * SECOND)


class Slow:
    """A solver that does a second's worth of work for every question and never has an answer."""

    asked = 0

    def __init__(self, meter: Meter) -> None:
        self._meter = meter

    def __call__(self, *_: object, **__: object) -> Slow:
        return self

    def add(self, text: str) -> None:
        pass

    def check(
        self, switches: Sequence[str], timeout: float, values: Sequence[str] = ()
    ) -> SolverAnswer:
        self.asked += 1
        self._meter.charge(int(min(1.0, timeout) * SECOND))
        return SolverAnswer(UNKNOWN, "out of time")


def unanswered(
    context: ProofContext, query: Query, goals: Sequence[Goal], *_: object
) -> list[SolverResult]:
    return [SolverResult(UNKNOWN, None, 0.0) for _ in goals]


def test_a_closer_deadline_ends_first_and_a_later_one_changes_nothing() -> None:
    meter = Meter()
    watch = WorkLimit(meter)
    with watch.within(10):
        with watch.within(3), watch.within(100):
            assert watch.left() == 3
            meter.charge(4 * SECOND)
            assert watch.left() == 0
            with pytest.raises(WorkLimitError):
                watch.check(0)
        assert watch.left() == 6
        watch.check()
        assert watch.left() < 6, "who looks has done something"


def test_what_takes_too_long_to_write_down_is_unknown_with_the_reason() -> None:
    worker = Worker({None: spec_of("qwixx")}, ProverOptions(30), Cache(None))
    worker.context(TWO).terms.watch = WorkLimit(Hard(a_look=100))
    outcomes = worker.run(Job(TWO, "preserved", "cross_sum", (("p", 1),)))
    unknown = [each for each in outcomes if each.result == UNKNOWN]
    assert {each.reason for each in unknown} == {"out of time before the question was written down"}
    assert "safe" in {each.name for each in unknown}
    assert {each.result for each in outcomes} <= {UNKNOWN, UNSAT}, (
        "what is small is written all the same"
    )
    worker.context(TWO).terms.watch = WorkLimit()  # and nothing is left half done
    again = worker.run(Job(TWO, "preserved", "cross_sum", (("p", 1),), ("three_rows", "safe")))
    assert {each.result for each in again} == {UNSAT}


def test_small_questions_together_take_no_longer_than_one(monkeypatch: pytest.MonkeyPatch) -> None:
    meter = Meter()
    solver = Slow(meter)
    monkeypatch.setattr(goal_slicing, "Z3", solver)
    monkeypatch.setattr(goal_slicing, "ask_whole", unanswered)
    worker = Worker({None: spec_of("qwixx")}, ProverOptions(3), Cache(None))
    context = worker.context(TWO)
    context.terms.watch = WorkLimit(meter)
    cross = context.instance.transitions["cross_sum"]
    query = preserved(context, cross, {"p": 1}, True, "lock_needs_five".__eq__)
    goal_slicing.GoalSlicer(ProverOptions(3), Cache(None)).answers(context, query)
    assert 3 <= solver.asked <= 4 * len(query.goals)


def test_a_search_asks_no_more_than_its_time_allows() -> None:
    meter = Meter()
    solver = Slow(meter)
    spec = spec_of("qwixx")
    context = ProofContext(spec, TWO)
    context.terms.watch = WorkLimit(meter)
    third = next(each for each in spec.properties if each.name == "third_row")
    target = PropertyGoal(third, broken=False)
    found = BoundedModelChecker(TurnUnrolling(context), target, solver=solver).run(5)
    assert (found.games, found.reason, found.complete) == ((), "out of time", False)
    assert 2 <= solver.asked <= 6


def test_no_helpers_are_found_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    context = ProofContext(spec_of("pig"), TWO)
    seen = positions(context.instance)
    meter = Meter()
    monkeypatch.setattr(houdini, "Z3", Slow(meter))
    context.terms.watch = WorkLimit(meter)
    helpers = InvariantSearch(context, settled=True)
    helpers.find(seen, 5)
    assert helpers.helpers() == []
    assert meter.spent <= 7 * SECOND


def test_a_short_timeout_is_little_work() -> None:
    worker = Worker({None: spec_of("qwixx")}, ProverOptions(0.5), Cache(None))
    before = METER.spent
    assert worker.run(Job(TWO, "strengthen", only=("third_row",))) == []
    assert METER.spent - before < 20 * 0.5 * SECOND


class Stalling(Worker):
    """It never comes to an end with holding."""

    def run(self, job: Job) -> list[Outcome]:
        while job.subject == "hold":
            sleep(1)
        return super().run(job)


def test_what_was_decided_before_the_limit_is_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(runs, "Worker", Stalling)
    clock = Clock()
    jobs = [
        Job(TWO, "preserved", name, fixed, ("safe",))
        for name, fixed in (("hold", (("p", 1),)), ("roll", (("p", 1),)), ("fall", ()))
    ]

    def report(done: int, of: int) -> None:
        clock.now = 1000.0 if done == of - 1 else 0.0

    run = Scheduler(
        {None: spec_of("pig")}, ProverOptions(5), tmp_path, 2, report, Limit(100, clock)
    )
    found = dict(run.outcomes(jobs))
    assert {each.result for each in found[jobs[1]]} == {UNSAT}
    assert [(each.result, each.reason) for each in found[jobs[0]]] == [
        (UNKNOWN, "it was not decided within 100 seconds")
    ]
    no_time = Scheduler(
        {None: spec_of("pig")}, ProverOptions(5), tmp_path, 2, lambda *_: None, Limit(0, clock)
    )
    kept = dict(no_time.outcomes(jobs))
    assert kept[jobs[1]] == found[jobs[1]] and kept[jobs[2]] == found[jobs[2]]
    assert {each.result for each in kept[jobs[0]]} == {UNKNOWN}


def test_with_hardly_any_time_nothing_passes_for_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    asked = ["prove", "pig", "--players", "2", "--limit", "0.001", "--format", "json"]
    assert run_safely(asked) == 3
    results = json.loads(capsys.readouterr().out)["results"]
    assert results
    assert {each["verdict"] for each in results} == {"unknown"}
    assert {each["reason"] for each in results} <= {
        "it was not decided within 0.001 seconds", "not decided",
    }  # fmt: skip


class NeverFinds(BoundedModelChecker):
    """A search to which the solver always says that there is no game."""

    def _asked(self, goal: Term, until: int, work: int) -> tuple[str, WitnessGame | None]:
        return UNSAT, None


def test_games_that_were_not_looked_at_are_not_called_longer() -> None:
    """A search that stops before it has come to games of so many events has not seen them all."""
    spec = spec_of("pig")
    context = ProofContext(spec, TWO)
    target = PropertyGoal(next(p for p in spec.properties if p.kind == "possible"), broken=False)
    assert NeverFinds(TurnUnrolling(context), target).run(20, below=4).exhausted
    assert not NeverFinds(TurnUnrolling(context), target).run(20, most=1, below=100).exhausted
