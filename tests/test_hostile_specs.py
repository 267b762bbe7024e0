"""Specs with hostile text in every place where text can stand, through every command: nothing of it
reaches an interpreter, a shell, a page or a terminal as anything but text."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as xml

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from rulewright.frontend import check_text
from rulewright.hidden_characters import HIDDEN
from rulewright.report.emit import FORMATS
from tests.conftest import ROOT, Ran
from tests.site.hostile import PAYLOADS, Structure

MARK = "zqxj"
PIG = (ROOT / "spec" / "tutorial" / "pig.rules").read_text("utf-8")
QWIXX = (ROOT / "spec" / "qwixx.rules").read_text("utf-8")
PLACES = len(re.findall(r'"[^"\n]*"', PIG))
WATCHED = (
    "compile",
    "exec",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "subprocess.Popen",
    "import",
)


class Watch:
    """Writes down whatever Python is asked to run, or to start, that holds the mark."""

    def __init__(self) -> None:
        self.note: str | None = None
        self._busy = False

    def __call__(self, event: str, given: tuple[Any, ...]) -> None:
        if self.note is None or self._busy or event not in WATCHED:
            return
        self._busy = True
        try:
            said = repr(given)
            if event == "exec" and given:
                code = given[0]
                said = repr((code.co_consts, code.co_names, code.co_varnames, code.co_filename))
                if code.co_filename == "<generated>" and event == "exec":
                    said = repr((code.co_names, code.co_varnames))  # strings are data there
            if MARK in said:
                with open(self.note, "a") as told:
                    told.write(f"{event}: {said[:300]}\n")
        finally:
            self._busy = False


WATCH = Watch()
sys.addaudithook(WATCH)

hostile_text = some.one_of(
    some.sampled_from(PAYLOADS),
    some.text("<>&'`*_[](){}#|\\$;:!%~^=+-./@, \u00e9\u6570", max_size=12),
    some.sampled_from(("__import__('os').abort()", "${IFS}$(id)", "`id`", "%0A::error::",
                       "::error::", "\\u000aimport os", "{0.__class__}", "%s%n",
                       "'''", "\\", "--", "-h")),
)  # fmt: skip


def with_texts(spec: str, texts: list[str]) -> str:
    """A spec with these texts in its sentences, one after the other, each with the mark."""
    number = -1

    def text(_: re.Match[str]) -> str:
        nonlocal number
        number += 1
        return f'"{texts[number % len(texts)]}{MARK}{number}"'

    return re.sub(r'"[^"\n]*"', text, spec)


COMMANDS: list[tuple[str, ...]] = [
    ("check", "x.rules"),
    ("fmt", "--check", "x.rules"),
    ("test", "x.rules"),
    ("run", "x.rules", "--games", "1", "--trace", "t.jsonl"),
    ("replay", "x.rules", "t.jsonl"),
    ("perft", "x.rules", "--depth", "2"),
    ("why", "x.rules", "--move", "hold()", "--by", "1"),
    ("diff", "x.rules", "y.rules", "--quick", "--jobs", "1", "--html", "page.html"),
    ("docs", "x.rules", "--no-prove", "--out", "pages"),
]
SLOW: list[tuple[str, ...]] = [("prove", "x.rules", "--players", "2", "--jobs", "1")]


@settings(
    max_examples=6, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip
@given(texts=some.lists(hostile_text, min_size=PLACES, max_size=PLACES), data=some.data())
def test_text_of_a_spec_stays_text(
    rulewright: Callable[..., Ran], tmp_path: Path, texts: list[str], data: some.DataObject
):
    (tmp_path / "x.rules").write_text(with_texts(PIG, texts), encoding="utf-8")
    other = with_texts(PIG.replace("total > 0", "total > 5"), texts[::-1])
    (tmp_path / "y.rules").write_text(other, encoding="utf-8")
    format = data.draw(some.sampled_from(FORMATS))
    for command in COMMANDS:
        watched(rulewright, tmp_path, *command, "--format", format)


def watched(rulewright: Callable[..., Ran], folder: Path, *arguments: str) -> None:
    """Runs a command and looks at all that came of it."""
    note = folder / ".note"
    WATCH.note = str(note)
    try:
        ran = rulewright(*arguments)
    finally:
        WATCH.note = None
    assert not note.exists(), note.read_text()
    assert ran.exit in (0, 1, 2, 3), ran.err
    assert not HIDDEN.search(ran.out + ran.err)
    format = arguments[-1]
    if format in ("json", "sarif"):
        json.loads(ran.out)
    elif format == "junit":
        xml.fromstring(ran.out)
    elif format in ("full", "concise"):
        lines = (ran.out + ran.err).splitlines()
        assert not any(line.lstrip().startswith("::") or "##[" in line for line in lines)
    for page in folder.rglob("*.html"):
        assert list(Structure(page.read_text("utf-8")).wrong()) == []
        page.unlink()
    for page in folder.rglob("*.md"):
        bare = re.sub(r"(?ms)^(`{3,})rules-expression$.*?^\1$", "", page.read_text("utf-8"))
        for sign in ("<script", "<img", "<iframe", "{{", "{%", "{#", "](javascript", "--8<--"):
            assert sign not in bare


@pytest.mark.slow
def test_text_of_a_spec_stays_text_in_proofs_and_beside_an_engine(
    rulewright: Callable[..., Ran], tmp_path: Path
):
    (tmp_path / "x.rules").write_text(with_texts(PIG, list(PAYLOADS)), encoding="utf-8")
    for command in SLOW:
        watched(rulewright, tmp_path, *command, "--format", "full")
    (tmp_path / "x.rules").write_text(with_texts(QWIXX, list(PAYLOADS)), encoding="utf-8")
    watched(
        rulewright,
        tmp_path,
        "conform",
        "x.rules",
        "python:rulewright_engines.qwixx:Qwixx",
        "--stages",
        "examples,games",
        "--games",
        "1",
        "--players",
        "2",
        "--format",
        "full",
    )


def test_the_watch_sees_what_it_should(tmp_path: Path):
    """The control: text that does reach an interpreter or a shell is written down."""
    note = tmp_path / "note"
    WATCH.note = str(note)
    try:
        exec(compile(f"x = 1  # {MARK}", "<x>", "exec"), {})
        os.system(f"true {MARK}")
    finally:
        WATCH.note = None
    assert [line.partition(":")[0] for line in note.read_text().splitlines()] == [
        "compile", "os.system",
    ]  # fmt: skip


@pytest.mark.parametrize("end", ["\r", "\u2028", "\x0b", "\x0c", "\x85", "\x1c"])
def test_prose_cannot_end_a_line_of_anything(end: str):
    """A carriage return in prose once ended a comment of generated code, and what followed ran."""
    text = PIG.replace('"Pig"', f'"Pig{end}import os; os.abort()"')
    found = check_text("x.rules", text)
    assert found.spec is None
    assert "RW015" in {each.code for each in found.diagnostics}
