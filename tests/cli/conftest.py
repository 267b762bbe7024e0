"""Specs with findings of our choosing, so that commands can be tested apart from the checker."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rulewright.cli.output.verify_columns import COLUMNS
from rulewright.diagnostics import Diagnostic, Text
from rulewright.frontend import LoadedSpec

HASH = "0123456789abcdef"


def _found(file: str, code: str) -> Diagnostic:
    severity = "warning" if code.endswith("?") else "error"
    code = code.rstrip("?")
    return Diagnostic(file, 1, 6, 1, 9, code, severity, f"`pig` has {code}")


@pytest.fixture
def reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes reading a file find the given codes, each an error or, with `?`, a warning."""
    findings: dict[str, tuple[str, ...]] = {}

    def read(path: Path) -> LoadedSpec:
        file = str(path)
        text = Text(file, "game pig\n")
        found = tuple(_found(file, code) for code in findings.get(file, ()))
        usable = not any(each.code < "RW3" and each.severity == "error" for each in found)
        spec: Any = SimpleNamespace(name=Path(path).stem, clauses=(1, 2, 3)) if usable else None
        return LoadedSpec(file, text, found, None, spec, HASH if usable else None)

    monkeypatch.setattr("rulewright.cli.inputs.read_specs.read", read)
    monkeypatch.setattr(
        "rulewright.cli.commands.verify.COLUMNS", COLUMNS[:2]
    )  # those that only look

    def set_findings(**by_name: tuple[str, ...]) -> None:
        for name, codes in by_name.items():
            findings[f"{name}.rules"] = codes
            (tmp_path / f"{name}.rules").touch()

    return set_findings
