"""Rulewright: write the rules of a game once; prove, play and publish them, test engines."""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # `typing` would be imported for it with every start of the program
if TYPE_CHECKING:
    from pathlib import Path

    from rulewright.simulate.game import Rules


def load(spec: str | Path) -> Rules:
    """The rules in a file, or of the bundled game of that name, ready to be played."""
    from rulewright.simulate.game import load as load_rules

    return load_rules(spec)
