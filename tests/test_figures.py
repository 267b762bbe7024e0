"""Figures in hand-written pages that come from the program are those of the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.conform.process import START_TIMEOUT
from checker.conform.state_machine import RUNS
from checker.kernel.explore import MOST_POSITIONS
from checker.prove.candidate import MOST
from checker.site.answers import Effort

DOCS = Path(__file__).parent.parent / "docs"
EFFORT = Effort()


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("explanation/proofs.md", f"no more than {MOST_POSITIONS:,} positions"),
        ("explanation/helpers.md", f"never more than {MOST}."),
        ("howto/check-your-engine.md", f"a state machine of Hypothesis plays {RUNS} more"),
        ("howto/publish-a-rulebook.md", f"{EFFORT.timeout:g}, and no limit"),
        ("reference/protocol.md", f"may take {START_TIMEOUT:g} seconds, for starting"),
        ("explanation/witnesses.md", f"has {6**6:,} outcomes"),
    ],
)
def test_a_figure_is_that_of_the_program(page: str, words: str) -> None:
    assert EFFORT.limit is None
    text = " ".join((DOCS / page).read_text("utf-8").split())
    assert words in text
