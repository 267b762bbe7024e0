"""`rulewright replay`: what somebody sees whose recorded games are checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.cli.main import run as main


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Three recorded games of Qwixx."""
    path = tmp_path / "games.jsonl"
    command = ["run", "qwixx", "--games", "3", "--players", "2", "--seed", "4"]
    assert main([*command, "--trace", str(path)]) == 0
    return path


def test_legal_games_are_legal(trace: Path, capsys: pytest.CaptureFixture[str]):
    capsys.readouterr()
    assert main(["replay", "qwixx", str(trace), str(trace)]) == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("replayed 6 games, ")
    assert shown.err.endswith("all legal\n")


def test_an_illegal_event_is_shown_with_its_clause(trace: Path, capsys: pytest.CaptureFixture[str]):
    lines = trace.read_text().splitlines()
    lines.insert(2, '{"move":"pass_colour","by":1,"args":{}}')
    trace.write_text("\n".join(lines) + "\n")
    assert main(["replay", "qwixx", str(trace)]) == 1
    shown = capsys.readouterr()
    assert "error RW511: line 3: `1 plays pass_colour` is not legal" in shown.out
    assert "pass_colour.phase" in shown.out
    assert "replayed 3 games" in shown.err
    assert "1 illegal" in shown.err


def test_programs_get_the_same(trace: Path, capsys: pytest.CaptureFixture[str]):
    lines = trace.read_text().splitlines()
    throw = next(number for number, line in enumerate(lines) if '"throw"' in line)
    lines.insert(throw + 1, '{"move":"cross_sum","by":1,"args":{"row":"red","at":11}}')
    trace.write_text("\n".join(lines) + "\n")
    capsys.readouterr()
    assert main(["replay", "qwixx", str(trace), "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    (wrong,) = report["results"]
    assert wrong["verdict"] == "illegal"
    assert wrong["line"] == throw + 2
    assert "may_cross.five_first" in wrong["requirements"]
    assert "close.five" in wrong["clauses"]
    assert report["summary"]["legal"] == 2
    assert report["summary"]["illegal"] == 1


def test_what_cannot_be_read_does_not_stop_the_rest(
    trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "bad.jsonl").write_bytes(b"\xff\xfe\x00")
    files = [str(tmp_path / "none.jsonl"), str(tmp_path / "bad.jsonl"), str(trace)]
    assert main(["replay", "qwixx", *files]) == 2
    shown = capsys.readouterr()
    assert "error RW512: line 1: the file cannot be read: no such file or directory" in shown.out
    assert "it is not text in utf-8" in shown.out
    assert "replayed 5 games" in shown.err
    assert "2 unreadable" in shown.err


def test_standard_input_is_read(trace: Path, monkeypatch: pytest.MonkeyPatch):
    with trace.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert main(["replay", "qwixx", "-"]) == 0


def test_games_of_another_version_are_noticed(trace: Path, capsys: pytest.CaptureFixture[str]):
    text = trace.read_text()
    version = json.loads(text.splitlines()[0])["spec_hash"]
    trace.write_text(text.replace(version, "0" * 16))
    assert main(["replay", "qwixx", str(trace)]) == 0
    assert "warning RW512" in capsys.readouterr().out
    assert main(["replay", "qwixx", str(trace), "--strict"]) == 2


def test_what_is_unknown_is_looked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path, deal = tmp_path / "game.jsonl", tmp_path / "deal.jsonl"
    path.write_text(
        '{"rulewright": 1, "spec": "qwixx", "players": 2, "start": {"active": 1}}\n'
        '{"chance": "throw", "args": {"w": [[1, 4], [2, 1]]}}\n'
        '{"move": "pass_sum", "by": 1, "args": {}}\n'
        '{"move": "pass_sum", "by": 2, "args": {}}\n'
        '{"move": "cross_colour", "by": 1, "args": {"row": "red", "at": 5, '
        '"white_die": 1, "die": "red"}}\n'
    )
    names = ["--unknown", "throw.d", "--deal", str(deal)]
    assert main(["replay", "qwixx", str(path), *names, "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["summary"]["unknown"] == ["throw.d"]
    assert report["summary"]["undecided"] == 0
    assert json.loads(deal.read_text().splitlines()[1])["args"]["d"]["red"] == 2


def test_a_name_that_stands_for_nothing_is_refused(trace: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["replay", "qwixx", str(trace), "--unknown", "throws"]) == 2
    assert "did you mean `throw`?" in capsys.readouterr().err
    assert main(["replay", "qwixx", str(trace), "--deal", "x.jsonl"]) == 2
