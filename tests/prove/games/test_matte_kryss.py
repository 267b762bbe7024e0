"""Matte-Kryss, proved; and the game that goes on for ever where the text is read to the letter."""

from __future__ import annotations

import pytest

from rulewright.frontend import read
from rulewright.kernel.outcome import Outcome
from rulewright.meaning.core import Spec
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.play.semantics.rules import apply
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.run.job import Job, Worker, jobs_for
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.verdict.verdict import PROVED, combined
from rulewright.resources import bundled_games

TWO = Configuration(2, (), None)
IN_FULL = ("theorems", "begins", "preserved", "steps", "stuck", "ends", "assumptions")


def _spec() -> Spec:
    spec = read(bundled_games()["matte_kryss"]).spec
    assert spec is not None
    return spec


@pytest.mark.slow
def test_everything_claimed_is_proved_for_two_players() -> None:
    spec = _spec()
    worker = Worker({None: spec}, ProverOptions(60), Cache(None))
    found: dict[tuple[str, str], list[Outcome]] = {}
    for job in jobs_for(spec, TWO, first=False):
        for each in worker.run(job) if job.kind in IN_FULL else []:
            found.setdefault((each.name, each.kind), []).append(each)
    claimed = {each.name for each in spec.properties if each.kind != "possible"}
    assert claimed | {"safe", "goes_on", "finite"} <= {name for name, _ in found}
    for (name, kind), outcomes in found.items():
        assert combined(spec, 2, name, kind, outcomes).verdict == PROVED, name
    used = {label for group in found.values() for each in group for label in each.used}
    assert {"lay.correct", "lay.only_sign", "lay.two_numbers", "lay.empty"} <= used


def test_read_to_the_letter_players_who_only_exchange_never_come_to_an_end() -> None:
    spec = _spec()
    configuration = Configuration(2, (("endless", "literal"),), None)
    worker = Worker({None: spec}, ProverOptions(30), Cache(None))
    (outcome,) = worker.run(Job(configuration, "refute", "finite", of="ends"))
    game = outcome.game
    assert game is not None
    instance = Instance(spec, 2, dict(configuration.readings))
    position = dict(game.start)
    seen = [position]
    for event in game.events:
        position = apply(instance, position, event)[-1].after
        seen.append(position)
    assert position in seen[:-1]
    again = game.events[seen.index(position) :]
    assert {"give_back", "draw_new", "exchange"} == {each.name for each in again}
