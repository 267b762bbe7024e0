"""What the documentation shows is so: rules can be read, commands print what the page says.

In a page, a fence ```rules title="pig.rules" writes that file, ```console runs each line that
begins with `$ rulewright` in the same folder and compares what it prints with what follows.
"""

import re
import shlex
from pathlib import Path

import pytest

from checker.cli.main import run_safely
from checker.message import Messages, Text
from checker.syntax.parse import parse

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [
    page
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if "codes" not in page.parts and FENCE.search(page.read_text())
]


def blocks(page: Path, language: str) -> list[tuple[str, str]]:
    found = FENCE.findall(page.read_text())
    return [(options, body) for name, options, body in found if name == language]


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


WITH_RULES = [page for page in PAGES if blocks(page, "rules")]
WITH_COMMANDS = [page for page in PAGES if blocks(page, "console")]


@pytest.mark.parametrize("page", WITH_RULES, ids=named)
def test_rules_in_the_docs_can_be_read(page):
    for options, block in blocks(page, "rules"):
        messages = Messages(Text(page.name, block))
        tree = parse(block, messages)
        if "broken" not in options:
            assert messages.all == [], block
            assert tree.declarations


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=named)
def test_commands_in_the_docs_print_what_is_shown(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for language, options, body in FENCE.findall(page.read_text()):
        title = re.search(r'title="([^"]+)"', options)
        if language == "rules" and title:
            (tmp_path / title[1]).write_text(body)
        if language != "console":
            continue
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", body, re.MULTILINE):
            program, *arguments = shlex.split(command)
            if program == "rulewright":
                run_safely(arguments)
                printed = capsys.readouterr()
                assert _plain(printed.out + printed.err) == _plain(shown), command


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
