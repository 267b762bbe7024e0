"""Specs and what `check` says of them: a folder per case under tests/golden/check/.

Each holds an `input.rules`; the expected output in each format lies beside it. They double as a
collection of what users see, so read the diff after `--update-golden`.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulewright import __version__

CASES = sorted((Path(__file__).parent.parent / "golden" / "check").iterdir())
FORMATS = {"full": "txt", "json": "json"}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Path, format: str, rulewright, golden, tmp_path: Path):
    shutil.copy(case / "input.rules", tmp_path)
    ran = rulewright("check", "input.rules", "--format", format)
    said = (ran.out + ran.err).replace(f'"version": "{__version__}"', '"version": "..."')
    golden(f"check/{case.name}/expected.{FORMATS[format]}", said)
