"""`rulewright verify`: one table, and green only for what was looked at."""

from __future__ import annotations

import json

import pytest

from rulewright.cli.output import verify_columns
from rulewright.conform.stages.conformance import Plan
from rulewright.frontend import read
from rulewright.resources import ENGINES, bundled_games, bundled_specs
from rulewright.system.interrupts import Limit
from rulewright_engines.twenty_one import TwentyOne
from tests.cli.conftest import HASH


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
    said = json.loads(rulewright("verify", "pig.rules", "--format", "json").out)
    assert said["results"] == [
        {
            "spec": "pig.rules",
            "spec_hash": HASH,
            "verdict": "fails",
            "check": {"verdict": "fails", "errors": 1, "warnings": 0},
            "clauses": {"verdict": "holds", "number": 3},
        }
    ]
    assert said["summary"] == {"specs": 1, "hold": 0}


def test_without_a_spec_it_takes_the_bundled_games(rulewright, reading, monkeypatch, tmp_path):
    game = tmp_path / "qwixx.rules"
    game.touch()
    monkeypatch.setattr("rulewright.cli.commands.verify.bundled_games", lambda: {"qwixx": game})
    ran = rulewright("verify")
    assert ran.out.splitlines()[1].startswith("qwixx ")


def test_the_library_is_asked_for(rulewright, reading, monkeypatch, tmp_path):
    game = tmp_path / "othello.rules"
    game.touch()
    monkeypatch.setattr("rulewright.cli.commands.verify.library_games", lambda: {"othello": game})
    ran = rulewright("verify", "--library")
    assert [line.split()[0] for line in ran.out.splitlines()[1:2]] == ["othello"]
    ran = rulewright("verify", "pig", "--library")
    assert [line.split()[0] for line in ran.out.splitlines()[1:3]] == ["pig", "othello"]


def test_nothing_to_verify_is_an_error(rulewright, monkeypatch):
    monkeypatch.setattr("rulewright.cli.commands.verify.bundled_games", dict)
    ran = rulewright("verify")
    assert ran.exit == 2
    assert ran.err.startswith("error: no games come with this program\n")


def test_what_is_claimed_is_proved_and_what_is_not_so_is_refuted(rulewright, tmp_path):
    pig = bundled_specs()["pig"].read_text("utf-8")
    (tmp_path / "pig.rules").write_text(pig)
    (tmp_path / "hog.rules").write_text(
        f'{pig}\ninvariant modest "nobody has ten points": all p: Player: points[p] < 10\n'
    )
    ran = rulewright("verify", "pig.rules", "hog.rules", "--format", "json")
    assert ran.exit == 1
    good, bad = json.loads(ran.out)["results"]
    assert good["proofs"]["verdict"] == "holds" and good["proofs"]["proved"] > 30
    assert bad["proofs"]["verdict"] == "fails" and bad["proofs"]["refuted"] == 3
    assert good["engine"] == {"verdict": "holds", "engine": None}


def test_proofs_can_be_left_out_and_that_is_said(rulewright, tmp_path):
    (tmp_path / "pig.rules").write_text(bundled_specs()["pig"].read_text("utf-8"))
    ran = rulewright("verify", "pig.rules", "--no-prove")
    assert ran.exit == 0
    assert "proofs" not in ran.out
    assert ran.err == "verified 1 spec: it holds; left out: proofs (`--no-prove`)\n"


def test_the_engine_of_a_bundled_game_is_held_to_it(monkeypatch):
    checked = read(bundled_games()["twenty_one"])
    quick = Plan(("examples", "games"), games=2)
    monkeypatch.setattr("rulewright.conform.stages.runner.Plan", lambda stages, games: quick)
    said = verify_columns.engine(checked, lambda doing: None, Limit())
    assert said.exit == 0 and said.text.startswith("conforms, ")
    monkeypatch.setitem(ENGINES, "twenty_one", "python:tests.cli.test_verify:Forgetful")
    said = verify_columns.engine(checked, lambda doing: None, Limit())
    assert said.exit == 1 and said.text == "differs" and said.found


class Forgetful(TwentyOne):
    """An engine that never marks a hit."""

    def state(self):
        told = super().state()
        told["hits"] = [[player, [[row, []] for row, _ in rows]] for player, rows in told["hits"]]
        return told
