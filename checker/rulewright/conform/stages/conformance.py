"""What a conformance check is asked to do, and how it went."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.conform.report.finding import Finding
from rulewright.conform.stages.tried_mistakes import Tested
from rulewright.syntax.node import Node

STAGES = ("examples", "games", "vectors")
"""In the order of what they find in a second; vectors may have to be found first."""
GAMES = 100


class Plan(Node):
    """What to check. With `first`, up to the first difference; without `variants`, only the game
    itself. `in_turn` says where the order begins in which the engine asks its players, if it has
    one."""

    stages: tuple[str, ...] = STAGES
    games: int = GAMES
    seed: int = 0
    players: range | None = None
    readings: Mapping[str, str] = {}
    variant: str | None = None
    first: bool = False
    variants: bool = True
    in_turn: str | None = None


class Stage(Node):
    """How one stage went: so many things checked, what differs by cause and the worst first, what
    was left out and why."""

    name: str
    checked: int
    unit: str
    findings: tuple[Finding, ...]
    left_out: tuple[str, ...]
    seconds: float
    stopped: str | None = None
    """Why it did not come to its end, if it did not."""

    @property
    def finding(self) -> Finding | None:
        """The worst difference."""
        return next(iter(self.findings), None)


class Conformance(Node):
    """How a whole run went."""

    stages: tuple[Stage, ...]
    coverage: Mapping[str, int]
    events: int
    refusals: int
    not_compared: tuple[str, ...] = ()
    """What was not compared in any stage, and why."""
    stopped: str | None = None
    """Why the run ended before all was checked."""
    missing: tuple[str, ...] = ()
    """The stages that were not begun then."""
    tested: Tested | None = None
    """Which mistakes were tried; None if that was not asked for."""

    @property
    def conforms(self) -> bool:
        return all(stage.finding is None for stage in self.stages)
