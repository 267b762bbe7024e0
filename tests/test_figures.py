"""Figures in hand-written pages that come from the program are those of the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.conform.engine.subprocess_engine import START_TIMEOUT
from rulewright.conform.stages.random_games import SHORT_GAMES
from rulewright.kernel.exploration import MOST_POSITIONS
from rulewright.prove.invariants.templates import MOST
from rulewright.site.model.evidence_runs import EvidenceBudget
from rulewright.wasm.simulate.random_play import PROPOSED

DOCS = Path(__file__).parent.parent / "docs"
EFFORT = EvidenceBudget()


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("explanation/proofs.md", f"no more than {MOST_POSITIONS:,} positions"),
        ("explanation/helpers.md", f"never more than {MOST}."),
        ("howto/check-your-engine.md", f"because {SHORT_GAMES} short ones are played too"),
        ("howto/publish-a-rulebook.md", f"{EFFORT.timeout:g}, and no limit"),
        ("reference/language.md", {4: "anything else in a quarter of the cases"}[PROPOSED]),
        ("reference/protocol.md", f"may take {START_TIMEOUT:g} seconds, for starting"),
        ("explanation/witnesses.md", f"has {6**6:,} outcomes"),
    ],
)
def test_a_figure_is_that_of_the_program(page: str, words: str) -> None:
    assert EFFORT.limit is None
    text = " ".join((DOCS / page).read_text("utf-8").split())
    assert words in text
