"""Every wrong engine is caught, and blamed on a clause that it breaks; the right ones are not."""

from __future__ import annotations

import pytest

from checker.conform.objects import ObjectEngine
from checker.conform.run import Check, Plan
from engines.qwixx import Qwixx
from engines.twenty_one import TwentyOne
from tests.conform.wrong_twins import TWINS

PLAN = Plan(games=30)
EVERY = [(name, *twin) for name, twins in TWINS.items() for twin in twins]


@pytest.mark.parametrize("name", TWINS)
def test_there_are_enough_twins(name):
    assert len(TWINS[name]) >= 15


@pytest.mark.parametrize(
    ("name", "twin", "clauses"), EVERY, ids=[f"{name}-{twin.__name__}" for name, twin, _ in EVERY]
)
def test_a_wrong_engine_is_caught_and_blamed(game, name, twin, clauses):
    with ObjectEngine.of(twin) as engine:
        check = Check(game(name), engine, PLAN)
        findings = (check.stage(stage).finding for stage in ("examples", "games", "perft"))
        finding = next((each for each in findings if each is not None), None)
    assert finding is not None, f"{twin.__name__} survives"
    assert clauses & set(finding.blame.clauses), finding.message


@pytest.mark.parametrize("engine", [Qwixx, TwentyOne], ids=["qwixx", "twenty_one"])
def test_the_right_engine_conforms(game, engine):
    with ObjectEngine.of(engine) as opened:
        check = Check(game(engine.NAME), opened, Plan(("examples", "games"), games=12))
        conformance = check.run()
    for stage in conformance.stages:
        assert stage.finding is None, stage.finding.message
        assert stage.checked
    assert not [clause for clause, times in conformance.coverage.items() if not times] or (
        engine is TwentyOne
    )
