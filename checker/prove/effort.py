"""How hard to try, and what becomes of questions besides being answered."""

from __future__ import annotations

from pathlib import Path

from checker.syntax.node import Node


class Effort(Node):
    """How hard to try: seconds for each question, where text goes, whether a second solver is
    asked. Every other limit is a multiple of the first."""

    timeout: float
    smtlib: Path | None = None
    second: bool = False

    @property
    def helping(self) -> float:
        """Seconds for looking for helper invariants."""
        return 2 * self.timeout

    @property
    def searching(self) -> float:
        """Seconds for looking for a game with the solver."""
        return 2 * self.timeout

    @property
    def measuring(self) -> float:
        """Seconds for showing event by event that a measure falls."""
        return 4 * self.timeout
