"""`rulewright verify`: one table, and green only for what was looked at."""

from __future__ import annotations

import json

import pytest

from checker.front import spec_hash

HASH = spec_hash("game pig\n")


def test_a_row_per_spec(rulewright, reading):
    reading(pig=(), cow=("RW501?",), hen=("RW102",))
    ran = rulewright("verify", "pig.rules", "cow.rules", "hen.rules")
    assert ran.exit == 2
    assert ran.out.split("\n\n")[-1].splitlines() == [
        "game       check      clauses",
        "pig        ok               3",
        "cow        1 warning        3",
        "hen.rules  1 error          -",
    ]
    assert ran.err == "verified 3 specs: 2 of 3 hold\n"


@pytest.mark.parametrize(
    ("findings", "closing"),
    [
        ({"pig": ()}, "verified 1 spec: it holds"),
        ({"pig": ("RW501",)}, "verified 1 spec: it does not hold"),
        ({"pig": (), "cow": ("RW501?",)}, "verified 2 specs: all hold"),
    ],
)
def test_the_closing_line(rulewright, reading, findings, closing):
    reading(**findings)
    ran = rulewright("verify", *(f"{name}.rules" for name in findings))
    assert ran.err == closing + "\n"


def test_json_has_a_verdict_per_column(rulewright, reading):
    reading(pig=("RW501",))
    read = json.loads(rulewright("verify", "pig.rules", "--format", "json").out)
    assert read["results"] == [
        {
            "spec": "pig.rules",
            "spec_hash": HASH,
            "verdict": "fails",
            "check": {"verdict": "fails", "errors": 1, "warnings": 0},
            "clauses": {"verdict": "holds", "number": 3},
        }
    ]
    assert read["summary"] == {"specs": 1, "hold": 0}


def test_without_a_spec_it_takes_the_bundled_games(rulewright, reading, monkeypatch, tmp_path):
    game = tmp_path / "qwixx.rules"
    game.touch()
    monkeypatch.setattr("checker.cli.verify.bundled_games", lambda: {"qwixx": game})
    ran = rulewright("verify")
    assert ran.out.splitlines()[1].startswith("qwixx ")


def test_nothing_to_verify_is_an_error(rulewright, monkeypatch):
    monkeypatch.setattr("checker.cli.verify.bundled_games", dict)
    ran = rulewright("verify")
    assert ran.exit == 2
    assert ran.err.startswith("error: no games come with this program\n")
