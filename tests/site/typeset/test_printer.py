"""Rulebooks in print: whole, the same every time, and never read as code."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.frontend import read
from rulewright.site.model.book import Book
from rulewright.site.model.verdicts import read_verdicts
from rulewright.site.typeset.printer import printed

typst = pytest.importorskip("typst")
ROOT = Path(__file__).parents[3]

HOSTILE = (
    "#read(sys.inputs.format)", "#panic(1)", "$ x $", "*bold* _it_ `raw`", "<label> @ref", "// no",
    "/* open", "\\u{41} \\", "= heading", "#let data = 3", "]#panic(2)[", "'</svg><svg>",
    "&amp; <b>",
)  # fmt: skip


def spec_with(prose: str) -> str:
    return f"""game tiny "{prose}"
    players 2..3

source en "{prose}"

clause a.one may en:1.1 "{prose}"
clause a.two example en:1.2 "{prose}"

section turn "{prose}"
    "{prose}" in play: a

reading r "{prose}" [a.one]
    yes "{prose}" default
    no "{prose}"

table value[1..3]: 1..3 "{prose}" [a.one]
    1 2 3

phase play "{prose}", over final "{prose}"

state
    count: 0..3 = 0 "{prose}"
    each Player
        crossed[1..2]: Set[1..4] = {{}} "{prose}"

move rest by p in play "{prose}" [a.one]
    does
        crossed[p][1] += {{value[1]}}
        if r == yes:
            phase = over

example e "{prose}" [a.two]
    players 2
    1 plays rest
"""


def test_prose_is_shown_and_never_run(tmp_path: Path):
    file = tmp_path / "tiny.rules"
    for prose in HOSTILE:
        file.write_text(spec_with(prose), "utf-8")
        checked = read(file)
        assert checked.spec is not None, checked.diagnostics
        for name, content in printed(Book(checked, read_verdicts([]))):
            assert content.startswith(b"%PDF"), (prose, name)


def test_a_game_is_printed_and_the_same_every_time():
    file = ROOT / "spec" / "qwixx.rules"
    first, again = (dict(printed(Book(read(file), read_verdicts([])))) for _ in range(2))
    assert first == again
    assert list(first) == [
        "qwixx-booklet.pdf", "qwixx-a4.pdf", "qwixx-reference.pdf", "qwixx-sheets.pdf"
    ]  # fmt: skip
    assert _pages(first["qwixx-reference.pdf"]) == 1
    assert _pages(first["qwixx-booklet.pdf"]) > 1 and _pages(first["qwixx-a4.pdf"]) > 1
    assert b"/MediaBox[0 0 419.5" in first["qwixx-booklet.pdf"], "A5"
    assert b"/MediaBox[0 0 595.2" in first["qwixx-a4.pdf"], "A4"


def _pages(pdf: bytes) -> int:
    """How many pages a file says it has."""
    return pdf.count(b"/Type /Page\n") + pdf.count(b"/Type/Page/")
