"""Qwixx, proved."""

from __future__ import annotations

from checker.front import check_text
from checker.kernel.outcome import Outcome
from checker.meaning.core import Spec
from checker.prove.cache import Cache
from checker.prove.effort import Effort
from checker.prove.job import Job, Worker, jobs_for
from checker.prove.verdict import PROVED, combined
from checker.resources import bundled_games
from checker.vc.context import Setting

TWO = Setting(2, (), None)
THREE = Setting(3, (), None)


def _qwixx() -> Spec:
    spec = check_text("qwixx", bundled_games()["qwixx"].read_text("utf-8")).spec
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
        assert combined(spec, 2, name, kind, outcomes).verdict == PROVED, name
    used = {label for group in found.values() for each in group for label in each.used}
    assert {"may_cross.five_first", "may_cross.left_to_right", "cross_sum.is_sum"} <= used


def test_a_game_has_a_proved_greatest_length() -> None:
    worker = Worker({None: _qwixx()}, Effort(30), Cache(None))
    outcomes = worker.run(Job(TWO, "ends", "finite"))
    assert {each.result for each in outcomes} == {"unsat"}
    assert outcomes[0].depth == 88
