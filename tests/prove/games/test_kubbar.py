"""Kubbar, proved: what lies on an open table of any size, and where the tiles are."""

from __future__ import annotations

import pytest

from rulewright.kernel.outcome import Outcome
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.play.semantics.rules import apply
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.run.job import Job, Worker, jobs_for
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.verdict.validate_model import claim_holds
from rulewright.prove.verdict.verdict import PROVED, combined
from tests.prove.games.test_mutants import spec_of, text_of

pytestmark = pytest.mark.slow

TWO = Configuration(2, (), None)
MAIN = ("conserved", "pool_of_six", "group_limit", "lines_valid", "never_locked_out")


def _worker(text: str, seconds: float = 30) -> Worker:
    return Worker({None: spec_of("kubbar", text)}, ProverOptions(seconds), Cache(None))


def test_the_main_properties_are_proved_for_two_players() -> None:
    worker = _worker(text_of("kubbar"))
    spec = spec_of("kubbar", text_of("kubbar"))
    found: dict[str, list[Outcome]] = {}
    for job in jobs_for(spec, TWO, first=False):
        if job.kind in ("begins", "preserved"):
            for each in worker.run(Job(job.configuration, job.kind, job.subject, job.fixed, MAIN)):
                found.setdefault(each.name, []).append(each)
    assert found.keys() == {*MAIN}
    for name, outcomes in found.items():
        assert combined(spec, 2, name, "invariant", outcomes).verdict == PROVED, name
    used = {label for group in found.values() for each in group for label in each.used}
    assert {"lay.few_groups", "founding.one_each", "sound.set_or_run"} <= used


def test_tiles_of_others_are_not_laid() -> None:
    """Taking tiles from a rack is safe only because the requirement asks for own tiles."""
    lay = Job(TWO, "preserved", "lay", (("p", 1),), ("safe",))
    assert {each.result for each in _worker(text_of("kubbar")).run(lay)} == {"unsat"}
    own = "[lay.rules]: tally(table) <= tally(board) + rack[p]"
    assert own in text_of("kubbar")
    careless = _worker(text_of("kubbar").replace(own, "[lay.rules]: true"), 3)
    assert {each.result for each in careless.run(lay)} != {"unsat"}


@pytest.mark.parametrize(
    ("name", "players", "reading"),
    [
        ("never_locked_out", 3, ("second_group", "liberal")),
        ("always_an_action", 2, ("empty_bag", "literal")),
    ],
)
def test_a_hole_of_the_text_is_shown_by_a_game(
    name: str, players: int, reading: tuple[str, str]
) -> None:
    spec = spec_of("kubbar", text_of("kubbar"))
    worker = Worker({None: spec}, ProverOptions(10), Cache(None))
    (outcome,) = worker.run(Job(Configuration(players, (reading,), None), "refute", name))
    assert outcome.game is not None, outcome.reason
    instance = Instance(spec, players, dict([reading]))
    position = dict(outcome.game.start)
    for event in outcome.game.events:
        position = apply(instance, position, event)[-1].after
    claim = next(each for each in spec.properties if each.name == name)
    assert not claim_holds(instance, claim, position, position)


def test_a_match_ends_and_without_an_end_to_standstill_it_need_not() -> None:
    spec = spec_of("kubbar", text_of("kubbar"))
    worker = Worker({None: spec}, ProverOptions(10), Cache(None))
    (outcome,) = worker.run(Job(TWO, "ends", "finite"))
    assert outcome.result == outcome.wants == "unsat"
    plays_on = Configuration(2, (("standstill", "plays_on"),), None)
    (refuted,) = worker.run(Job(plays_on, "refute", "finite", of="ends"))
    assert refuted.game is not None and refuted.game.loop is not None
    again = refuted.game.events[refuted.game.loop :]
    assert {each.name for each in again} == {"skip"}
