"""Qwixx, proved."""

from __future__ import annotations

from rulewright.frontend import check_text
from rulewright.kernel.outcome import Outcome
from rulewright.meaning.core import Spec
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.run.job import Job, Worker, jobs_for
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.verdict.verdict import PROVED, combined
from rulewright.resources import bundled_games

TWO = Configuration(2, (), None)
THREE = Configuration(3, (), None)


def _qwixx() -> Spec:
    spec = check_text("qwixx", bundled_games()["qwixx"].read_text("utf-8")).spec
    assert spec is not None
    return spec


def _outcomes(
    spec: Spec, configuration: Configuration, only: tuple[str, ...] = ()
) -> list[Outcome]:
    worker = Worker({None: spec}, ProverOptions(30), Cache(None))
    kinds = ("theorems", "begins", "preserved", "steps", "stuck", "order", "ends", "assumptions")
    jobs = [each for each in jobs_for(spec, configuration, first=False) if each.kind in kinds]
    jobs = [Job(each.configuration, each.kind, each.subject, each.fixed, only) for each in jobs]
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
    worker = Worker({None: _qwixx()}, ProverOptions(30), Cache(None))
    outcomes = worker.run(Job(TWO, "ends", "finite"))
    assert {each.result for each in outcomes} == {"unsat"}
    assert outcomes[0].depth == 88
