"""Games that an engine plays against itself, for people to read."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright_engines import kubbar, matte_kryss, qwixx, twenty_one
from rulewright_engines.play import main

PROGRAMS: dict[str, tuple[Any, Any]] = {
    "qwixx": (qwixx.Qwixx, qwixx.sensible),
    "twenty_one": (twenty_one.TwentyOne, twenty_one.sensible),
    "matte_kryss": (matte_kryss.MatteKryss, matte_kryss.sensible),
    "kubbar": (kubbar.Kubbar, kubbar.sensible),
}


def run(capsys: pytest.CaptureFixture[str], name: str, *options: str) -> tuple[int, str, str]:
    kind, sensible = PROGRAMS[name]
    code = main(kind, sensible, ["--play", *options])
    return code, *capsys.readouterr()


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_game_is_played_and_printed(name: str, capsys: pytest.CaptureFixture[str]):
    code, out, err = run(capsys, name, "--players", "3", "--seed", "1")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == f"{name}, 3 players, seed 1"
    assert any(line.endswith(" wins") for line in lines[-3:])
    assert run(capsys, name, "--players", "3", "--seed", "1")[1] == out


def test_events_read_like_moves(capsys: pytest.CaptureFixture[str]):
    _, out, _ = run(capsys, "qwixx", "--seed", "5", "--random", "--variant", "mixed_colours")
    assert "        throw(w = [[1, " in out
    assert " plays cross_sum(row = " in out


def test_a_game_without_a_seed_says_which_it_took(capsys: pytest.CaptureFixture[str]):
    _, out, _ = run(capsys, "twenty_one", "--reading", "ties=undecided")
    seed = out.splitlines()[0].rpartition(" ")[2]
    assert run(capsys, "twenty_one", "--reading", "ties=undecided", "--seed", seed)[1] == out


def test_what_cannot_be_played_is_said(capsys: pytest.CaptureFixture[str]):
    assert run(capsys, "qwixx", "--players", "9") == (
        2,
        "",
        "error: the game takes 2 to 5 players\n",
    )
    with pytest.raises(SystemExit):
        run(capsys, "qwixx", "--reading", "ties")
    assert "NAME=OPTION" in capsys.readouterr().err
