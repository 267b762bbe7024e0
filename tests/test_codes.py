"""Every code's page is true: its example triggers it, its fix does not, its page is current."""

from pathlib import Path

import pytest

from rulewright.codes import REGISTRY
from rulewright.site.pages.code_pages import check, pages

ROOT = Path(__file__).parent.parent
WITH_EXAMPLE = [code for code in REGISTRY.values() if code.example]


@pytest.mark.parametrize("code", WITH_EXAMPLE, ids=lambda code: code.code)
def test_the_example_triggers_its_code_and_no_other(code):
    found = {each.code for each in check(code).diagnostics}
    assert code.code in found
    assert found <= {code.code, "RW108"}, "an example shows one mistake"


@pytest.mark.parametrize("code", WITH_EXAMPLE, ids=lambda code: code.code)
def test_the_fix_mends_it(code):
    found = check(code, fixed=True).diagnostics
    assert code.code not in {each.code for each in found}
    assert not [each for each in found if each.severity == "error"]


def test_every_code_in_the_program_is_in_the_registry():
    import re

    used = set()
    for path in (ROOT / "checker").rglob("*.py"):
        if path.name != "codes.py":
            used |= set(re.findall(r'"(RW\d{3})"', path.read_text()))
    assert used - set(REGISTRY) == set()
    assert set(REGISTRY) - used == set(), "a code nobody emits"


def test_the_pages_in_the_docs_are_current():
    folder = ROOT / "docs" / "reference" / "codes"
    written = {path.name: path.read_text() for path in folder.glob("*.md")}
    assert written == pages(), "run `make docs-codes`"
