"""A long run against an engine, in parts: what they come to is what one run comes to."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from rulewright.cli.tasks import conformance
from tests.conftest import Ran
from tests.distribute.test_cluster import ENGINE, timeless

Run = Callable[..., Ran]
WRONG = "python:tests.conform.stages.wrong_engines:FourAreEnough"


def test_parts_come_to_what_one_run_comes_to(
    rulewright: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ["conform", "twenty_one", ENGINE, "--stages", "games", "--games", "7"]
    whole = rulewright(*asked, "--format", "json")
    monkeypatch.setattr(conformance, "TOGETHER", 3)
    parts = rulewright(*asked, "--format", "json")
    assert timeless(parts.out) == timeless(whole.out) and whole.exit == 0


def test_a_difference_in_one_part_is_a_difference(
    rulewright: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conformance, "TOGETHER", 3)
    asked = ["conform", "qwixx", WRONG, "--stages", "examples,games", "--games", "7"]
    found = rulewright(*asked, "--format", "json")
    assert found.exit == 1
    examples, games = json.loads(found.out)["results"]
    assert examples["verdict"] == "differs" and examples["difference"]["clauses"]
    assert games["checked"] > 7, "those of all parts, and short ones"
