"""`rulewright run`: what somebody sees who lets games be played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.cli.main import run as main

STUCK = """game stuck "Stuck"
    players 2..3

phase play, over final

state
    count: 0..3 = 0

move add by p in play "add one"
    needs room "there is room": count < 3
    does count += 1

invariant low "it stays low": count <= 3
"""


def test_games_are_played_and_counted(capsys: pytest.CaptureFixture[str]):
    assert main(["run", "qwixx", "--games", "5", "--players", "3", "--seed", "7"]) == 0
    shown = capsys.readouterr()
    assert "qwixx, 3 players: 5 of 5 games finished" in shown.out
    assert "may_cross.left_to_right" in shown.out
    assert shown.err == "played 5 games, seed 7: all as the rules have it\n"


def test_without_a_number_all_numbers_of_players_play(capsys: pytest.CaptureFixture[str]):
    assert main(["run", "qwixx", "--games", "2", "--seed", "7", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [each["players"] for each in report["results"]] == [2, 3, 4, 5]
    assert report["summary"] == {"seed": 7, "games": 8, "faults": 0}
    assert report["results"][0]["length"]["least"] > 10
    assert set(report["results"][0]["wins"]) == {"1", "2"}


def test_a_seed_is_made_up_and_shown(capsys: pytest.CaptureFixture[str]):
    assert main(["run", "qwixx", "--games", "1", "--players", "2"]) == 0
    assert "seed " in capsys.readouterr().err


def test_the_same_seed_shows_the_same(capsys: pytest.CaptureFixture[str]):
    shown = []
    for _ in range(2):
        main(["run", "twenty_one", "--games", "3", "--players", "2", "--seed", "9"])
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]


def test_what_goes_wrong_is_shown_at_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "stuck.rules"
    path.write_text(STUCK)
    assert main(["run", str(path), "--games", "2", "--players", "2", "--seed", "1"]) == 1
    shown = capsys.readouterr()
    assert "error RW513: nothing can happen in the phase `play`" in shown.out
    assert "(game 1 with 2 players, event 3)" in shown.out
    assert "help: see it again with --players 2 --seed 1" in shown.out
    assert "2 went wrong" in shown.err


def test_one_game_that_goes_wrong_can_be_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "stuck.rules"
    path.write_text(STUCK)
    assert main(["run", str(path), "--games", "9", "--seed", "1", "--stop"]) == 1
    assert "played 1 game, seed 1: 1 went wrong" in capsys.readouterr().err
    assert main(["run", "qwixx", "--games", "2", "--players", "2", "--seed", "1", "--stop"]) == 0
    assert "played 2 games" in capsys.readouterr().err


def test_games_are_recorded_and_can_be_replayed(tmp_path: Path):
    trace = tmp_path / "games.jsonl"
    assert main(["run", "qwixx", "--games", "3", "--seed", "1", "--trace", str(trace)]) == 0
    headers = [line for line in trace.read_text().splitlines() if '"rulewright"' in line]
    assert len(headers) == 12
    assert main(["replay", "qwixx", str(trace)]) == 0


def test_the_states_are_recorded_on_request_and_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    trace = tmp_path / "game.jsonl"
    command = ["run", "pig", "--games", "1", "--players", "2", "--seed", "1", "--states"]
    assert main([*command, "--trace", str(trace)]) == 0
    header, *events = map(json.loads, trace.read_text().splitlines())
    assert "state" not in header
    assert all({"phase", "active"} <= each["state"].keys() for each in events)
    assert main(["replay", "pig", str(trace)]) == 0
    assert main(command) == 2
    assert "add `--trace FILE`" in capsys.readouterr().err


def test_a_game_is_recorded_for_other_tools(tmp_path: Path):
    trace = tmp_path / "game.itf.json"
    command = ["run", "qwixx", "--games", "3", "--players", "2", "--seed", "1", "--trace"]
    assert main([*command, str(trace)]) == 0
    written = json.loads(trace.read_text())
    assert "crossed" in written["vars"]
    assert written["states"][0]["#meta"]["index"] == 0
    assert len(written["states"]) > 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--games", "0"], "is not a number from 1 on"),
        (["--players", "9"], "`qwixx` cannot be played by 9"),
        (["--reading", "ties=never"], "the reading `ties` has no option `never`"),
        (["--variant", "none"], "`qwixx` has no variant `none`"),
        (["--trace", "/nowhere/at/all"], "cannot be written"),
    ],
)
def test_what_cannot_be_played_is_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["run", "qwixx", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_without_checks_games_are_only_played(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    file = tmp_path / "wrong.rules"
    file.write_text(
        'game wrong "Wrong"\n    players 1\n\nphase play, over final\n\n'
        "state\n    left: 0..3 = 3\n\n"
        "move take by p in play\n    does\n        left -= 1\n"
        "        if left == 0: phase = over\n\n"
        "invariant full: left == 3\n"
    )
    assert main(["run", str(file), "--games", "5", "--seed", "1"]) == 1
    assert "`full` does not hold" in capsys.readouterr().out
    assert main(["run", str(file), "--games", "5", "--seed", "1", "--no-checks"]) == 0
    assert "nothing was checked" in capsys.readouterr().err
