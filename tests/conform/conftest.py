"""What the tests of conformance share: the games, read once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from rulewright.conform.oracle.configurations import Oracles
from rulewright.frontend import read

ROOT = Path(__file__).parent.parent.parent


@cache
def oracles(name: str) -> Oracles:
    """A game that comes with the program."""
    folder = ROOT / "spec"
    found = folder / f"{name}.rules"
    return Oracles(read(found if found.exists() else folder / "tutorial" / f"{name}.rules"))


@pytest.fixture
def game() -> Callable[[str], Oracles]:
    """The rulebook of a game, by name."""
    return oracles
