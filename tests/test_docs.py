"""What the documentation shows of the language is of the language."""

import re
from pathlib import Path

import pytest

from checker.message import Messages, Text
from checker.syntax.parse import parse

DOCS = Path(__file__).parent.parent / "docs"
FENCE = re.compile(r"^```rules\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = [
    page for page in sorted(DOCS.rglob("*.md"))
    if "codes" not in page.parts and FENCE.search(page.read_text())
]  # fmt: skip


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_rules_in_the_docs_can_be_read(page):
    for block in FENCE.findall(page.read_text()):
        messages = Messages(Text(page.name, block))
        tree = parse(block, messages)
        assert messages.all == [], block
        assert tree.declarations
