"""The page about playing in a browser: what it shows is what happens."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.wasm.hosts import NODE, in_browser, needs_browser, needs_node

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "browser.md"
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"// → (.*)")
BEGIN = """
import { readFileSync } from 'node:fs'
import { load, stringify } from './rulewright/game.js'
const game = await load(readFileSync('qwixx.json', 'utf8'), readFileSync('qwixx.wasm'))
"""
REPORT = b"""
const moves = document.querySelector('#moves')
while (moves.children.length === 0) await new Promise((go) => setTimeout(go, 50))
const said = [document.querySelector('#dice').textContent, moves.children.length]
await fetch('/', { method: 'POST', body: JSON.stringify(said) })
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which the game was exported as the page says, with the files it shows."""
    text = PAGE.read_text(encoding="utf-8")
    session = doctest.DocTestParser().get_doctest(
        "\n".join(body for language, _, body in FENCE.findall(text) if language == "python"),
        {}, PAGE.name, str(PAGE), 0,
    )  # fmt: skip
    assert len(session.examples) > 6
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        assert doctest.DocTestRunner().run(session).failed == 0
    finally:
        os.chdir(before)
    for _, options, body in FENCE.findall(text):
        title = re.search(r'title="([^"]+)"', options)
        if title:
            (tmp_path / title[1]).write_text(body, encoding="utf-8")
    return tmp_path


@needs_node
def test_what_is_printed_is_what_the_page_shows(folder: Path):
    text = PAGE.read_text(encoding="utf-8")
    bodies = [body for language, options, body in FENCE.findall(text)
              if language == "js" and not options]  # fmt: skip
    (folder / "session.mjs").write_text(BEGIN + "".join(bodies), encoding="utf-8")
    ran = subprocess.run(
        [str(NODE), "session.mjs"],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )
    assert ran.returncode == 0, ran.stderr
    shown = [line for body in bodies for line in SHOWN.findall(body)]
    assert len(shown) > 6
    assert ran.stdout.splitlines() == shown


@needs_browser
def test_the_page_that_is_shown_works(folder: Path, tmp_path_factory: pytest.TempPathFactory):
    files = {
        f"/{path.relative_to(folder)}": path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    page = files.pop("/index.html").decode()
    report = '<script type="module" src="report.mjs"></script></html>'
    files["/"] = page.replace("</html>", report).encode()
    files["/report.mjs"] = REPORT
    dice, moves = in_browser(files, tmp_path_factory.mktemp("profile"))
    assert dice.startswith('{"w":[[1,')
    assert moves > 3
