"""`rulewright fmt`: files change whole or not at all, and only when they have to."""

from __future__ import annotations

import io
import json
import os
import stat
from pathlib import Path
from types import SimpleNamespace

import pytest

from rulewright.diagnostics import Diagnostic

UNTIDY = 'game pig "Pig"   \n    players 2..4\n'
TIDY = 'game pig "Pig"\n    players 2..4\n'
BROKEN = "game ???\n"


@pytest.fixture(autouse=True)
def layout_without_trailing_spaces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A layout of which it is plain what it changes."""

    def format_text(text: str, file: str) -> tuple[str | None, list[Diagnostic]]:
        if "?" in text:
            found = Diagnostic(file, 1, 6, 1, 9, "RW001", "error", "expected a name")
            return None, [found]
        return "".join(line.rstrip() + "\n" for line in text.splitlines()), []

    monkeypatch.setattr("rulewright.cli.commands.fmt.format_text", format_text)


@pytest.fixture
def pig(tmp_path: Path) -> Path:
    path = tmp_path / "pig.rules"
    path.write_text(UNTIDY)
    return path


def test_an_untidy_file_is_laid_out(rulewright, pig: Path):
    assert rulewright("fmt", "pig.rules") == (0, "", "1 file changed\n")
    assert pig.read_text() == TIDY
    assert rulewright("fmt", "pig.rules") == (0, "", "1 in order\n")


def test_a_tidy_file_is_not_touched(rulewright, pig: Path):
    pig.write_text(TIDY)
    os.utime(pig, (1, 1))
    rulewright("fmt", "pig.rules")
    assert pig.stat().st_mtime == 1


def test_check_changes_nothing_and_points_at_the_first_difference(rulewright, pig: Path):
    ran = rulewright("fmt", "--check", "pig.rules")
    assert ran.exit == 1
    assert ran.out == (
        "error RW509: this file is not in the canonical layout\n"
        " --> pig.rules:1:1\n"
        "  |\n"
        '1 | game pig "Pig"\n'
        "  | ^^^^^^^^^^^^^^^^^\n"
        "help: `rulewright fmt pig.rules` lays it out\n\n"
    )
    assert ran.err == "1 file would change\n"
    assert pig.read_text() == UNTIDY


def test_check_of_a_tidy_file_holds(rulewright, pig: Path):
    pig.write_text(TIDY)
    assert rulewright("fmt", "--check", "pig.rules") == (0, "", "1 in order\n")


def test_a_file_that_lacks_its_last_line_end_differs(rulewright, pig: Path):
    pig.write_text(TIDY.rstrip("\n"))
    assert rulewright("fmt", "--check", "pig.rules").exit == 1


def test_what_cannot_be_read_is_left_alone_and_the_rest_is_laid_out(rulewright, pig, tmp_path):
    broken = tmp_path / "broken.rules"
    broken.write_text(BROKEN)
    ran = rulewright("fmt", "broken.rules", "gone.rules", "pig.rules", "--format", "concise")
    assert ran.exit == 2
    assert ran.out.splitlines() == [
        "broken.rules:1:6: error RW001 expected a name",
        "gone.rules:1:1: error RW011 there is no such file",
    ]
    assert broken.read_text() == BROKEN
    assert pig.read_text() == TIDY


def test_json_says_what_changed(rulewright, pig: Path):
    read = json.loads(rulewright("fmt", "pig.rules", "--format", "json").out)
    assert read["results"] == [{"file": "pig.rules", "verdict": "holds", "changed": True}]
    assert read["summary"] == {"changed": 1, "unchanged": 0, "unusable": 0}


def test_permissions_and_links_stay(rulewright, pig: Path, tmp_path: Path):
    pig.chmod(0o640)
    link = tmp_path / "link.rules"
    link.symlink_to(pig)
    assert rulewright("fmt", "link.rules").exit == 0
    assert link.is_symlink()
    assert pig.read_text() == TIDY
    assert stat.S_IMODE(pig.stat().st_mode) == 0o640


def test_a_failure_to_write_leaves_the_file_and_no_litter(rulewright, pig, tmp_path, monkeypatch):
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("rulewright.system.atomic_write.os.replace", refuse)
    ran = rulewright("fmt", "pig.rules", "--format", "concise")
    assert ran.exit == 2
    assert ran.out == "pig.rules:1:1: error RW014 cannot write it: permission denied\n"
    assert pig.read_text() == UNTIDY
    assert os.listdir(tmp_path) == ["pig.rules"]


@pytest.mark.parametrize(
    ("text", "arguments", "exit_code", "out"),
    [
        (UNTIDY, [], 0, TIDY),
        (TIDY, [], 0, TIDY),
        (BROKEN, [], 2, ""),
        (UNTIDY, ["--check"], 1, ""),
        (TIDY, ["--check"], 0, ""),
    ],
)
def test_standard_input(rulewright, monkeypatch, text, arguments, exit_code, out):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
    ran = rulewright("fmt", "-", *arguments)
    assert (ran.exit, ran.out) == (exit_code, out)


def test_standard_input_has_to_be_text(rulewright, monkeypatch):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"\xff")))
    ran = rulewright("fmt", "-")
    assert (ran.exit, ran.out) == (2, "")
    assert ran.err.startswith("error: standard input is not UTF-8 text\n")


def test_standard_input_goes_alone(rulewright):
    ran = rulewright("fmt", "-", "pig.rules")
    assert (ran.exit, ran.err.splitlines()[0]) == (2, "error: `-` cannot be mixed with files")
