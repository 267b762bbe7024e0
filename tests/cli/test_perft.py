"""`rulewright perft`: the counts, for people and for programs."""

from __future__ import annotations

import json

import pytest

from checker.cli.main import run as main


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
