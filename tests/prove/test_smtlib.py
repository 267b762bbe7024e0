"""`--smtlib`: every question is a file of its own, and any solver that reads it says the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from checker.cli.main import run_safely

ASKED = ["--players", "2", "--only", "one_winner", "--only", "goes_on", "--jobs", "1"]


def answers(folder: Path) -> dict[str, str]:
    """What z3 says of each file."""
    import z3

    found = {}
    for path in sorted(folder.glob("*.smt2")):
        context = z3.Context()
        said = z3.Z3_eval_smtlib2_string(context.ref(), path.read_text("utf-8"))
        found[path.name] = said.strip()
    return found


def test_each_question_has_its_file_and_the_same_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_safely(["prove", "pig", *ASKED, "--smtlib", str(tmp_path)]) == 0
    capsys.readouterr()
    found = answers(tmp_path)
    assert set(found.values()) == {"unsat"}
    names = [re.sub(r"-[0-9a-f]{8}\.smt2$", "", each) for each in found]
    assert "2-players-hold-p=1-one_winner" in names
    assert "2-players-goes_on-goes_on" in names
    assert len(set(names)) == len(names)


def test_a_file_says_what_it_asks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_safely(["prove", "pig", *ASKED, "--smtlib", str(tmp_path)])
    capsys.readouterr()
    (path,) = tmp_path.glob("2-players-hold-p=1-one_winner-*")
    head = [line for line in path.read_text("utf-8").splitlines() if line.startswith(";")]
    assert head[:3] == [
        "; pig, 2 players",
        "; hold p=1: one_winner",
        "; unsat means: the goal follows",
    ]
    assert any(re.fullmatch(r"; h\d+ is won_with_100", line) for line in head)


def test_moves_by_different_players_have_different_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("checker.prove.job.seats_alike", lambda spec: False)
    run_safely(["prove", "pig", *ASKED, "--smtlib", str(tmp_path)])
    capsys.readouterr()
    holds = sorted(tmp_path.glob("*hold-p=*-one_winner-*"))
    assert [re.search(r"p=(\d)", path.name)[1] for path in holds] == ["1", "2"]  # type: ignore[index]


def test_a_question_with_a_model_is_satisfiable_in_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rules = (
        'game g "G"\n    players 1..1\n\nphase play\n\nstate\n    n: 0..9 = 0\n\n'
        'move up by p in play\n    needs room "room": n < 9\n    does n += 1\n\n'
        'invariant small "stays small": n <= 5\n'
    )
    (tmp_path / "g.rules").write_text(rules)
    asked = ["prove", "g.rules", "--only", "small", "--smtlib", str(tmp_path / "out")]
    assert run_safely(asked) == 1
    capsys.readouterr()
    found = answers(tmp_path / "out")
    assert "sat" in {said for name, said in found.items() if "-up-" in name}
