"""`rulewright perft`: the counts, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.cli.main import run as main


def test_lines_of_play_are_counted(capsys: pytest.CaptureFixture[str]):
    assert main(["perft", "qwixx", "--depth", "3", "--players", "2", "--seed", "1"]) == 0
    shown = capsys.readouterr()
    assert [line.split()[:2] for line in shown.out.splitlines()[1:]] == [
        ["0", "1"],
        ["1", "1"],
        ["2", "10"],
        ["3", "50"],
    ]
    assert shown.err == "qwixx with 2, seed 1: 50 lines of play to depth 3\n"


def test_every_outcome_can_be_counted(capsys: pytest.CaptureFixture[str]):
    command = ["perft", "qwixx", "--depth", "1", "--every-outcome", "--format", "json"]
    assert main(command) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["summary"]["lines"] == 6**6
    assert report["summary"]["seed"] is None
    assert report["results"][1]["events"] == {"throw": 6**6}


def test_a_depth_is_asked_for(capsys: pytest.CaptureFixture[str]):
    assert main(["perft", "qwixx"]) == 2
    assert main(["perft", "qwixx", "--depth", "none"]) == 2
    assert "is not a number from 1 on" in capsys.readouterr().err


AGAIN = """game again "Again"
    players 2

phase play, over final

state
    active: Player = 1
    more: Bool = false

move end_turn by p in play
    needs turn: p == active
    does
        more = false
        active = left_of(p)

move go_on by p in play
    needs turn: p == active
    needs once: not more
    does more = true
"""


def test_turns_are_what_one_player_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A turn is `end_turn`, or `go_on` before it: two ways each, whatever the events are."""
    file = tmp_path / "again.rules"
    file.write_text(AGAIN)
    counts = {}
    for by in ([], ["--turns"]):
        assert main(["perft", str(file), "--depth", "4", "--format", "json", *by]) == 0
        report = json.loads(capsys.readouterr().out)
        counts[report["summary"]["unit"]] = [each["lines"] for each in report["results"]]
    assert counts == {"events": [1, 2, 3, 5, 8], "turns": [1, 2, 4, 8, 16]}
