"""What the documentation shows is so: rules can be read, commands print what the page says.

In a page, a fence ```rules title="pig.rules" writes that file (and so does ```python), ```console
runs each line that begins with `$ rulewright` in the same folder and compares what it prints with
what follows; a line `…` stands for any lines, and `> FILE` keeps what is printed. A fence ```diff
title="new.rules" from="qwixx" writes a bundled game, or a file of the page, with the
lines that begin with `-` replaced by those that begin with `+`.
"""

import re
import shlex
from pathlib import Path

import pytest

from rulewright.cli.main import run_safely
from rulewright.diagnostics import Messages, Text
from rulewright.resources import bundled_specs
from rulewright.syntax.parsing.parser import parse

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
        if language in ("rules", "python") and title:
            (tmp_path / title[1]).write_text(body)
        origin = re.search(r'from="([^"]+)"', options)
        if language == "diff" and title and origin:
            own = tmp_path / origin[1]
            source = own if own.exists() else ROOT / bundled_specs()[origin[1]]
            (tmp_path / title[1]).write_text(_patched(source, body))
        if language != "console":
            continue
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", body, re.MULTILINE):
            program, *arguments = shlex.split(command)
            if program == "rulewright":
                *words, sign, file = ["", "", *arguments]
                run_safely([each for each in words if each] if sign == ">" else arguments)
                printed = capsys.readouterr()
                if sign == ">":
                    (tmp_path / file).write_text(printed.out, encoding="utf-8")
                out = "" if sign == ">" else printed.out
                assert _shows(_plain(shown), _plain(out + printed.err)), command


def _shows(shown: str, printed: str) -> bool:
    """Whether a page shows what was printed, `…` standing for lines left out."""
    parts = [re.escape(part) for part in re.split(r"^…$", shown, flags=re.MULTILINE)]
    return re.fullmatch("(?s:.*?)".join(parts), printed) is not None


def _patched(path: Path, change: str) -> str:
    """A file with each run of `-` lines replaced by the `+` lines that follow it."""
    text = path.read_text(encoding="utf-8")
    for gone, come in re.findall(r"((?:^-.*\n)+)((?:^\+.*\n)*)", change, re.MULTILINE):
        old, new = (re.sub(r"^[-+]", "", part, flags=re.MULTILINE) for part in (gone, come))
        assert old in text, old
        text = text.replace(old, new)
    return text


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
