"""twenty one, proved; and refuted where its rules are changed."""

from __future__ import annotations

import pytest

from checker.front import check_text
from checker.meaning.core import Spec
from checker.play.instance import Instance
from checker.prove.ask import Effort
from checker.prove.cache import Cache
from checker.prove.ground import Setting
from checker.prove.job import Job, Worker, jobs_for
from checker.prove.replayed import play_at_random
from checker.prove.target import Target
from checker.prove.verdict import PROVED, Outcome, combined
from checker.resources import bundled_games
from tests.prove.mutants import Mutant
from tests.prove.mutants_twenty_one import MUTANTS, THEOREMS

TWO = Setting(2, (), None)
IN_FULL = ("theorems", "begins", "preserved", "steps", "stuck", "order", "ends", "assumptions")


def _twenty_one(mutant: Mutant | None = None) -> Spec:
    text = bundled_games()["twenty_one"].read_text("utf-8")
    if mutant is not None:
        assert mutant.old in text
        text = text.replace(mutant.old, mutant.new)
    spec = check_text("twenty_one", text).spec
    assert spec is not None
    return spec


def test_everything_claimed_is_proved_for_two_players() -> None:
    spec = _twenty_one()
    worker = Worker({None: spec}, Effort(30), Cache(None))
    found: dict[tuple[str, str], list[Outcome]] = {}
    for job in jobs_for(spec, TWO, first=False):
        for each in worker.run(job) if job.kind in IN_FULL else []:
            found.setdefault((each.name, each.kind), []).append(each)
    claimed = {each.name for each in spec.properties if each.kind != "possible"}
    assert claimed | {"safe", "order", "goes_on", "thirty_turns"} <= {name for name, _ in found}
    for (name, kind), outcomes in found.items():
        assert combined(name, kind, outcomes).verdict == PROVED, name
    assert [each.depth for each in found["thirty_turns", "ends"]] == [30]
    used = {label for group in found.values() for each in group for label in each.used}
    assert {"write.not_higher", "write.one_or_more", "cross_out.leftmost", "written_fits"} <= used


def test_every_property_has_a_mutant() -> None:
    claimed = {p.name for p in _twenty_one().properties if p.kind != "possible"}
    assert {each.property for each in (*THEOREMS, *MUTANTS)} == claimed - {"sheets_enough"}


@pytest.mark.parametrize("mutant", THEOREMS, ids=lambda each: each.property)
def test_a_changed_sheet_breaks_its_theorem(mutant: Mutant) -> None:
    worker = Worker({None: _twenty_one(mutant)}, Effort(20), Cache(None))
    (outcome,) = worker.run(Job(TWO, "theorems", only=(mutant.property,)))
    assert outcome.result == "sat"


def test_a_seventh_player_has_no_sheet() -> None:
    spec = _twenty_one(Mutant("sheets_enough", "players 2..6", "players 2..7"))
    worker = Worker({None: spec}, Effort(20), Cache(None))
    (outcome,) = worker.run(Job(Setting(7, (), None), "theorems", only=("sheets_enough",)))
    assert outcome.result == "sat"


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda each: each.property)
def test_a_changed_rule_breaks_its_property(mutant: Mutant) -> None:
    spec = _twenty_one(mutant)
    target = Target(next(p for p in spec.properties if p.name == mutant.property), broken=True)
    if mutant.property == "own_sheets":  # two equal sheets are no usual start
        worker = Worker({None: spec}, Effort(20), Cache(None))
        outcomes = worker.run(Job(TWO, "begins", only=(mutant.property,)))
        assert [each.result for each in outcomes] == ["sat"]
        return
    found = play_at_random(Instance(spec, 2), [target], 60.0)[mutant.property]
    assert found
