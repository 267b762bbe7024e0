"""The page about the kernel says what is so: its rules are the rules that the code cites, what it
names is there, and what is trusted is as large as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.test_layers import PACKAGE, ROOT, imports_of, modules_of

PAGE = (ROOT / "docs" / "explanation" / "kernel.md").read_text(encoding="utf-8")
KERNEL, CONDITIONS = PACKAGE / "kernel", PACKAGE / "vc"
MOST_LINES = 1_300
ALLOWED = ("kernel", "vc", "smt", "meaning", "syntax.node", "play.semantics")
CITED = re.compile(r"\bRules? ((?:[A-Z]{2,}(?: ON)?(?:, | and )?)+)")


def rules_of_the_page() -> set[str]:
    return set(re.findall(r"^(?:.*\*\* )?\*\*([A-Z]{2,}(?: ON)?)\.?\*\*", PAGE, re.M)) | set(
        re.findall(r"\*\*([A-Z]{2,}(?: ON)?)\.\*\*", PAGE)
    )


def rules_of_the_code() -> set[str]:
    found: set[str] = set()
    for path in [*modules_of(KERNEL), *modules_of(CONDITIONS), PACKAGE / "meaning/twin_games.py"]:
        text = re.sub(r"\s+(?:# )?", " ", path.read_text(encoding="utf-8"))
        for every in CITED.findall(text):
            found |= set(re.findall(r"[A-Z]{2,}(?: ON)?", every))
    return found


def lines_of(path: Path) -> int:
    return sum(len(each.read_text(encoding="utf-8").splitlines()) for each in
               (modules_of(path) if path.is_dir() else [path]))  # fmt: skip


def test_every_rule_is_on_the_page_and_cited_by_the_code():
    assert len(rules_of_the_page()) > 20
    assert rules_of_the_page() == rules_of_the_code()


def test_what_the_page_names_is_there():
    named = re.findall(r"`((?:checker/rulewright/)?[a-z_]+/[\w/]+(?:\.py|/))`", PAGE)
    assert len(named) > 10
    for each in named:
        path = ROOT / each if each.startswith("checker") else PACKAGE / each
        assert path.exists(), each


def test_what_is_trusted_is_as_large_as_the_page_says():
    rows = re.findall(r"^\| [^|]*`checker/.*$", PAGE, re.M)
    assert len(rows) >= 6
    for row in rows:
        part, lines, _ = (each.strip() for each in row.strip("|").split("|"))
        paths = [ROOT / each for each in re.findall(r"`([^`]+)`", part)]
        so = sum(map(lines_of, paths))
        said = int(lines.replace(",", ""))
        assert abs(said - so) <= max(15, so // 50), f"{part}: {so} lines, not {said}"


def test_the_kernel_is_small():
    assert lines_of(KERNEL) <= MOST_LINES


@pytest.mark.parametrize(
    "path", [*modules_of(KERNEL), *modules_of(CONDITIONS)], ids=lambda p: p.stem
)
def test_the_kernel_knows_nothing_of_who_proposes(path: Path):
    for each in imports_of(path):
        assert each.startswith(ALLOWED), f"{path.stem} imports {each}"
