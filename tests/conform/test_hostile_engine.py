"""What an engine says is shown, saved and reported; it never steers anything."""

from __future__ import annotations

import json
import shlex
import sys
from xml.etree import ElementTree as xml

import pytest

from checker.characters import HIDDEN
from tests.conform.conftest import ROOT

WORDS = "\\ud800 \\u001b[2J\\u202e\\n::error::forged\\r##[error]forged <b>&]]>"
"""As JSON has it: half a character, an escape, a turn of direction, commands of a build."""
ANSWERS = {
    "state": f'{{"ok": true, "state": {{"phase": "{WORDS}", "{WORDS}": 1}}}}',
    "refusal": f'{{"ok": false, "why": "{WORDS}"}}',
    "key": f'{{"{WORDS}": 1}}',
    "text": "\x1b[2J\u202e ::error::forged \x07",
    "deep": "[" * 50_000,
    "numbers": '{"ok": true, "state": {"active": NaN, "white": [[1, 1e999], [2, -0.0]]}}',
    "digits": '{"ok": true, "state": {"active": ' + "9" * 5000 + "}}",
    "twice": '{"ok": true, "state": {"active": 1, "active": []}}',
}


@pytest.fixture(autouse=True)
def _in_the_checkout(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=list(ANSWERS))
@pytest.mark.parametrize("format", ["full", "concise", "json", "junit", "github", "sarif"])
def test_what_an_engine_says_steers_nothing(rulewright, tmp_path, answer, format):
    engine = f"exec:{sys.executable} -m tests.conform.bad_engine {shlex.quote(f'says {answer}')}"
    ran = rulewright(
        "conform", "qwixx", engine, "--stages", "games", "--games", "1", "--format", format,
        "--save", "saved.jsonl",
    )  # fmt: skip
    assert ran.exit == 1, ran.err
    assert not HIDDEN.search(ran.out + ran.err)
    lines = (ran.out + ran.err).splitlines()
    if format == "github":
        stopped = None
        for line in lines:
            if stopped is not None:
                stopped = None if line == f"::{stopped}::" else stopped
            elif line.startswith("::stop-commands::"):
                stopped = line.removeprefix("::stop-commands::")
                assert answer.find(stopped) < 0
            else:
                assert not line.startswith("::error::forged")
                assert "##[" not in line or line.startswith("::")
        assert stopped is None
    elif format in ("full", "concise"):
        assert not any(line.lstrip().startswith("::") or "##[" in line for line in lines)
    elif format == "junit":
        xml.fromstring(ran.out)
    else:
        json.loads(ran.out)
    saved = (tmp_path / "saved.jsonl").read_text("utf-8")
    for line in saved.splitlines():
        json.loads(line)
