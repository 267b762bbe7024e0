"""`rulewright new`: what it writes works as it is, and it never overwrites."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("name", ["dice", "my_game", "møllespill", "game", "Game2"])
def test_what_it_writes_checks(rulewright, tmp_path: Path, name: str):
    ran = rulewright("new", name)
    assert ran.exit == 0
    assert ran.out.startswith(f"wrote {name}.rules, {name}_engine.py and test_{name}.py\n")
    checked = rulewright("check", "--strict", f"{name}.rules")
    assert (checked.exit, checked.err) == (0, "checked 1 spec: no problems\n")
    assert f"game {name} " in (tmp_path / f"{name}.rules").read_text(encoding="utf-8")
    for file in tmp_path.glob(f"*{name}*"):
        assert "starter" not in file.read_text(encoding="utf-8").lower()


def test_what_it_writes_is_in_the_canonical_layout(rulewright):
    rulewright("new", "dice")
    assert rulewright("fmt", "--check", "dice.rules").exit == 0


def test_the_engine_conforms_as_printed(rulewright, monkeypatch, tmp_path: Path):
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    printed = rulewright("new", "harbour").out
    (command,) = (line.split() for line in printed.splitlines() if " conform " in line)
    ran = rulewright(*command[1:], "--games", "10")
    assert (ran.exit, ran.out.count("conforms")) == (0, 3)
    sys.modules.pop("harbour_engine", None)


def test_the_test_passes_as_printed(rulewright, tmp_path: Path):
    printed = rulewright("new", "harbour").out
    command = printed.splitlines()[-1].split()
    pytest_run = [sys.executable, "-m", *command, "-q", "-p", "no:cacheprovider"]
    ran = subprocess.run(
        [*pytest_run, "-k", "example or games or wins"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout
    assert "5 passed" in ran.stdout


def test_the_test_fails_where_the_engine_is_wrong(rulewright, tmp_path: Path):
    rulewright("new", "harbour")
    engine = tmp_path / "harbour_engine.py"
    engine.write_text(engine.read_text().replace("self.die > GOAL", "self.die >= GOAL"))
    pytest_run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    ran = subprocess.run(
        [*pytest_run, "-k", "example", "test_harbour.py"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert ran.returncode == 1
    assert "take.not_beyond" in ran.stdout


@pytest.mark.parametrize("file", ["dice_engine.py", "test_dice.py"])
def test_nothing_is_written_where_one_of_the_files_is_there(rulewright, tmp_path: Path, file):
    (tmp_path / file).write_text("mine")
    assert rulewright("new", "dice").exit == 2
    assert [each.name for each in tmp_path.iterdir() if "dice" in each.name] == [file]


def test_it_never_overwrites(rulewright, tmp_path: Path):
    (tmp_path / "dice.rules").write_text("mine")
    ran = rulewright("new", "dice")
    assert (ran.exit, ran.out) == (2, "")
    assert ran.err == "error: `dice.rules` is already there\nhelp: choose another name\n"
    assert (tmp_path / "dice.rules").read_text() == "mine"


@pytest.mark.parametrize("name", ["", "2dice", "a b", "../dice", "a-b", 'x"y'])
def test_what_cannot_be_a_name_is_refused(rulewright, tmp_path: Path, name: str):
    ran = rulewright("new", name)
    assert (ran.exit, ran.err.splitlines()[0]) == (2, f"error: `{name}` cannot name a game")
    assert list(tmp_path.iterdir()) == []


def test_a_file_name_is_not_a_name(rulewright):
    ran = rulewright("new", "dice.rules")
    assert ran.exit == 2
    assert ran.err.endswith("help: say `rulewright new dice`\n")
