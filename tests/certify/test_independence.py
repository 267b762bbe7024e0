"""The checker shares nothing with the prover but the core of a spec."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "checker" / "rulewright" / "certify"
MODULES = sorted(FOLDER.rglob("*.py"))
SHARED = (
    "rulewright.certify",
    "rulewright.meaning",
    "rulewright.syntax.node",
    "rulewright.frontend",
)
"""What it may import; of the front only to read a spec."""
DATA = "rulewright.play.semantics.instance"
"""Which variables, readings and functions there are, and nothing of what they mean."""


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            found.add(str(node.module))
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_nothing_of_the_prover_is_imported(path: Path):
    ours = {name for name in imported(path) if name.split(".")[0] == "rulewright"}
    strange = {name for name in ours if name != DATA and not name.startswith(SHARED)}
    assert not strange


def test_there_is_something_to_look_at():
    assert len(MODULES) > 10
    assert "z3" in set().union(*map(imported, MODULES))


def test_no_module_is_long():
    assert max(len(path.read_text().splitlines()) for path in MODULES) <= 500
