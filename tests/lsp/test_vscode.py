"""The VS Code extension: its colours are those of the grammar, and it works with the server."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from rulewright.lsp.textmate import text
from rulewright.syntax.parsing.parse_tables import load_tables

EXTENSION = Path(__file__).parents[2] / "editors" / "vscode"
GRAMMAR = EXTENSION / "syntaxes" / "rules.tmLanguage.json"


def test_the_colours_are_made_from_the_grammar():
    assert GRAMMAR.read_text("utf-8") == text(), (
        f"python -m rulewright.lsp.textmate {GRAMMAR.relative_to(EXTENSION.parents[1])}"
    )


def test_every_keyword_has_a_colour():
    patterns = [each["match"] for each in json.loads(GRAMMAR.read_text("utf-8"))["patterns"]]
    known = {word for each in patterns for word in re.findall(r"\w+", each)}
    assert set(load_tables().words) - {"x"} <= known


def test_snippets_begin_like_declarations():
    snippets = json.loads((EXTENSION / "snippets" / "rules.json").read_text("utf-8"))
    begins = load_tables().actions[load_tables().start]
    words = {word for word, kind in load_tables().words.items() if kind in begins}
    for each in snippets.values():
        assert each["prefix"] in words
        assert each["body"][0].startswith(each["prefix"])


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="needs npm")
def test_the_extension_works_with_the_server(tmp_path: Path):
    """Builds it and runs its own tests, in a copy."""
    copy = tmp_path / "vscode"
    shutil.copytree(EXTENSION, copy, ignore=shutil.ignore_patterns("node_modules", "out", "dist"))
    program = Path(sys.executable).with_name("rulewright")
    environment = {**os.environ, "RULEWRIGHT": str(program)}
    installed = subprocess.run(
        ["npm", "ci", "--no-audit", "--no-fund"], cwd=copy, capture_output=True, text=True
    )
    if installed.returncode and re.search("ENOTFOUND|ECONNREFUSED|ETIMEDOUT", installed.stderr):
        pytest.skip("npm cannot reach its registry")
    assert installed.returncode == 0, installed.stderr
    for script in ("build", "test"):
        ran = subprocess.run(
            ["npm", "run", script], cwd=copy, capture_output=True, text=True, env=environment
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
    assert (copy / "dist" / "extension.js").exists()
