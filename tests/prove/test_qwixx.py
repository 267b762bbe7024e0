"""Qwixx, proved; and refuted where its rules are changed. Every game shown was replayed."""

from __future__ import annotations

import pytest

from checker.front import check_text
from checker.meaning.core import Spec
from checker.play.errors import EvaluationError
from checker.play.instance import Instance
from checker.play.rules import apply, broken_always, broken_invariants
from checker.prove.ask import Effort
from checker.prove.cache import Cache
from checker.prove.ground import Setting
from checker.prove.job import Job, Worker, jobs_for
from checker.prove.verdict import PROVED, Outcome, combined
from checker.resources import bundled_games
from tests.prove.mutants import MUTANTS, Mutant

TWO = Setting(2, (), None)
THREE = Setting(3, (), None)


def _qwixx(old: str = "", new: str = "") -> Spec:
    text = bundled_games()["qwixx"].read_text("utf-8")
    assert old in text
    spec = check_text("qwixx", text.replace(old, new) if old else text).spec
    assert spec is not None
    return spec


def _outcomes(spec: Spec, setting: Setting, only: tuple[str, ...] = ()) -> list[Outcome]:
    worker = Worker({None: spec}, Effort(30), Cache(None))
    kinds = ("theorems", "begins", "preserved", "steps", "stuck", "order", "ends", "assumptions")
    jobs = [each for each in jobs_for(spec, setting, first=False) if each.kind in kinds]
    jobs = [Job(each.setting, each.kind, each.subject, each.fixed, only) for each in jobs]
    return [outcome for job in jobs for outcome in worker.run(job)]


def test_everything_claimed_is_proved_for_two_players() -> None:
    spec = _qwixx()
    found: dict[tuple[str, str], list[Outcome]] = {}
    for each in _outcomes(spec, TWO):
        found.setdefault((each.name, each.kind), []).append(each)
    assert len(found) > 40
    for (name, kind), outcomes in found.items():
        assert combined(name, kind, outcomes).verdict == PROVED, name
    used = {label for group in found.values() for each in group for label in each.used}
    assert {"may_cross.five_first", "may_cross.left_to_right", "cross_sum.is_sum"} <= used


def test_a_game_has_a_proved_greatest_length() -> None:
    worker = Worker({None: _qwixx()}, Effort(30), Cache(None))
    outcomes = worker.run(Job(TWO, "ends", "finite"))
    assert {each.result for each in outcomes} == {"unsat"}
    assert outcomes[0].depth == 88


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda each: f"{each.property}: {each.new}")
def test_a_changed_rule_breaks_its_property(mutant: Mutant) -> None:
    spec = _qwixx(mutant.old, mutant.new)
    worker = Worker({None: spec}, Effort(20), Cache(None))
    (outcome,) = worker.run(Job(TWO, "refute", mutant.property))
    assert outcome.game is not None, outcome.reason
    instance = Instance(spec, 2)
    position = dict(outcome.game.start)
    broken: set[str] = set()
    for event in outcome.game.events:
        for happened in apply(instance, position, event):
            position = happened.after
            try:
                broken |= {each.name for each in broken_invariants(instance, position)}
                broken |= {each.name for each in broken_always(instance, happened)}
            except EvaluationError:  # a claim without a value does not hold
                broken.add(mutant.property)
    assert mutant.property in broken
