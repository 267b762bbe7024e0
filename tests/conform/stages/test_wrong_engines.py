"""Every wrong engine is caught, and blamed on a clause that it breaks; the right ones are not."""

from __future__ import annotations

import pytest

from rulewright.conform.engine.python_engine import PythonEngine
from rulewright.conform.stages.conformance import Plan
from rulewright.conform.stages.runner import ConformanceRun
from rulewright_engines.qwixx import Qwixx
from rulewright_engines.twenty_one import TwentyOne
from tests.conform.stages.wrong_engines import TWINS

PLAN = Plan(games=30, first=True)
STAGES = ("examples", "games")
EVERY = [(name, *twin) for name, twins in TWINS.items() for twin in twins]


@pytest.mark.parametrize("name", TWINS)
def test_there_are_enough_twins(name):
    assert len(TWINS[name]) >= 15


@pytest.mark.parametrize(
    ("name", "twin", "clauses"), EVERY, ids=[f"{name}-{twin.__name__}" for name, twin, _ in EVERY]
)
def test_a_wrong_engine_is_caught_and_blamed(game, name, twin, clauses):
    with PythonEngine.of(twin) as engine:
        check = ConformanceRun(game(name), engine, PLAN)
        findings = [each for stage in STAGES for each in check.stage(stage).findings]
    assert findings, f"{twin.__name__} survives"
    assert clauses & set(findings[0].blame.clauses), findings[0].message


@pytest.mark.parametrize(
    ("engine", "not_met"),
    [(Qwixx, set()), (TwentyOne, {"sheet.own", "sheet.six", "box.players"})],
    ids=["qwixx", "twenty_one"],
)
def test_the_right_engine_conforms(game, engine, not_met):
    """What is said of the sheets and the box never comes up in a game of Twenty-One."""
    with PythonEngine.of(engine) as opened:
        check = ConformanceRun(game(engine.NAME), opened, Plan(("examples", "games"), games=12))
        conformance = check.run()
    for stage in conformance.stages:
        assert stage.finding is None, stage.finding.message
        assert stage.checked
    assert {clause for clause, times in conformance.coverage.items() if not times} == not_met
