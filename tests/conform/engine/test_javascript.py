"""The engine in JavaScript conforms; its wrong twin does not. Runs where Node is installed."""

from __future__ import annotations

import shutil

import pytest

from rulewright.conform.engine.subprocess_engine import SubprocessEngine
from rulewright.conform.stages.conformance import Plan
from rulewright.conform.stages.runner import ConformanceRun
from tests.conform.conftest import ROOT

ENGINE = ROOT / "examples" / "javascript-engine" / "qwixx.mjs"
pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def test_the_engine_conforms(game):
    with SubprocessEngine(f"node {ENGINE}", 10) as engine:
        plan = Plan(("examples", "games"), games=10)
        conformance = ConformanceRun(game("qwixx"), engine, plan).run()
    for stage in conformance.stages:
        assert stage.finding is None, stage.finding.message
        assert stage.checked
        assert all("only the usual sheet is known" in each for each in stage.left_out)


def test_a_slip_in_it_is_found(game, tmp_path):
    wrong = tmp_path / "wrong.mjs"
    text = ENGINE.read_text()
    assert "crosses.length < 5" in text
    wrong.write_text(text.replace("crosses.length < 5", "crosses.length < 4"))
    with SubprocessEngine(f"node {wrong}", 10) as engine:
        stage = ConformanceRun(game("qwixx"), engine, Plan()).stage("examples")
    assert stage.finding is not None
    assert stage.finding.blame.requirement == "may_cross.five_first"
