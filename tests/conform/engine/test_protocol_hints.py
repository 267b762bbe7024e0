"""Mistakes in how an engine speaks: the report says how it should, and what it never said."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.conform.engine.python_engine import PythonEngine
from rulewright.conform.stages.conformance import Plan
from rulewright.conform.stages.runner import ConformanceRun
from rulewright_engines.qwixx import Qwixx


class _Reporting(Qwixx):
    """Reports its state in a way of its own."""

    def state(self) -> dict[str, Any]:
        return self.reported(super().state())

    def reported(self, state: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError


class MapsAsObjects(_Reporting):
    def reported(self, state):
        return {**state, "misthrows": {str(player): n for player, n in state["misthrows"]}}


class PlayersFromZero(_Reporting):
    def reported(self, state):
        return {**state, "active": state["active"] - 1}


class OwnNames(_Reporting):
    def reported(self, state):
        return {**state, "round": 1}


class Little(_Reporting):
    def reported(self, state):
        return {"phase": state["phase"], "active": state["active"]}


class TakesAnything(Qwixx):
    """Does not look whether a die can show what it is told."""

    def apply(self, event):
        try:
            return super().apply(event)
        except Exception:
            if event.get("chance") != "throw" or self.phase != "throw":
                raise
            return None


class ListsNames(Qwixx):
    def legal(self):
        return [each["move"] for each in super().legal()]


class ListsOne(Qwixx):
    def legal(self):
        return super().legal()[:1]


class TouchesFirst(Qwixx):
    """Changes something before it looks whether it may."""

    def apply(self, event):
        try:
            return super().apply(event)
        except Exception:
            self.active = 1
            raise


def helped(game, engine, stage="examples"):
    plan = Plan(games=4, players=range(2, 3))
    finding = ConformanceRun(game("qwixx"), PythonEngine.of(engine), plan).stage(stage).finding
    assert finding is not None
    return finding.help


@pytest.mark.parametrize(
    ("engine", "help"),
    [
        (MapsAsObjects, "write `misthrows` as [[1, 0], [2, 0]]"),
        (PlayersFromZero, "write `active` as 1"),
        (OwnNames, "`round` is no variable of the spec"),
        (ListsNames, 'list each move like {"move": "NAME", "by": 1, "args": {}}'),
        (ListsOne, "leave `legal` out of `can`"),
    ],
)
def test_the_help_says_how_it_is_done(game, engine, help):
    said = helped(game, engine)
    assert said is not None and help in said


def test_it_is_said_why_something_is_no_event(game):
    said = helped(game, TakesAnything, "games")
    assert said is not None and ("but is" in said or "needs" in said)
    assert "refused like any other" in said


def test_an_engine_that_refuses_too_late_is_told(game):
    finding = ConformanceRun(game("qwixx"), PythonEngine.of(TouchesFirst), Plan(games=4)).stage(
        "games"
    )
    assert finding.finding is not None and "yet its state changes" in finding.finding.message
    assert str(finding.finding.help).startswith("a refusal changes nothing")


def test_a_wrong_beginning_is_shown_at_the_variable(game):
    oracles = game("qwixx")
    stage = ConformanceRun(oracles, PythonEngine.of(MapsAsObjects), Plan()).stage("examples")
    assert stage.finding is not None
    place = stage.finding.diagnostic(oracles.checked.text)
    assert oracles.checked.text.line(place.line).strip().startswith("misthrows")


def test_what_an_engine_never_reports_is_listed(game):
    plan = Plan(stages=("examples",))
    (said,) = ConformanceRun(game("qwixx"), PythonEngine.of(Little), plan).run().not_compared
    assert said.startswith("`answered`, `white`,") and "`misthrows`" in said
    assert "`phase`" not in said and said.endswith("the engine does not report them")
