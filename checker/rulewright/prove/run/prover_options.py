"""How hard to try, and what becomes of questions besides being answered."""

from __future__ import annotations

from pathlib import Path

from rulewright.syntax.node import Node


class SecondSolverTally:
    """How many questions a second solver was asked, and how many of them it did not decide."""

    def __init__(self) -> None:
        self.asked = 0
        self.undecided = 0


class ProverOptions(Node):
    """How hard to try: seconds for each question, where text goes, and if a second solver is asked,
    how often that was. Every other limit is a multiple of the first."""

    timeout: float
    smtlib: Path | None = None
    second: SecondSolverTally | None = None

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
