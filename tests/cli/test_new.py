"""`rulewright new`: what it writes is a spec that checks, and it never overwrites."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.mark.parametrize("name", ["dice", "my_game", "møllespill", "game", "Game2"])
def test_what_it_writes_checks(rulewright, tmp_path: Path, name: str):
    ran = rulewright("new", name)
    assert ran.exit == 0
    assert ran.out.startswith(f"wrote {name}.rules\n")
    checked = rulewright("check", "--strict", f"{name}.rules")
    assert (checked.exit, checked.err) == (0, "checked 1 spec: no problems\n")
    assert f"game {name} " in (tmp_path / f"{name}.rules").read_text(encoding="utf-8")
    assert "starter" not in (tmp_path / f"{name}.rules").read_text(encoding="utf-8").lower()


def test_what_it_writes_is_in_the_canonical_layout(rulewright):
    rulewright("new", "dice")
    assert rulewright("fmt", "--check", "dice.rules").exit == 0


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
