"""The sessions on the page about playing from Python go as they are written."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "python.md"


def test_the_sessions_go_as_they_are_written():
    text = PAGE.read_text(encoding="utf-8").replace("```", "")
    test = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    assert len(test.examples) > 8
    failed = doctest.DocTestRunner().run(test).failed
    assert failed == 0
