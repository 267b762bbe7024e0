"""Changed versions of a bundled game, made by replacing text."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rulewright.change.games.reachability import SearchBudget
from rulewright.change.semantic.compare import SpecComparison
from rulewright.change.semantic.verdict import ComparisonResult
from rulewright.change.text.text_diff import renames
from rulewright.compare.solve import SolvedQuestion
from rulewright.frontend import LoadedSpec, check_text
from rulewright.kernel.outcome import Outcome
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.invariants.lemmas import Lemmas
from rulewright.syntax.tree import Spec

SPEC = Path(__file__).parents[2] / "spec"
QWIXX = check_text("qwixx.rules", (SPEC / "qwixx.rules").read_text(encoding="utf-8"))

FOUR = (("[close.five] = 5", "[close.five] = 4"),)
DOUBLE = (
    ('0..12 "crosses in a row', '0..13 "crosses in a row'),
    ("(1 if row in locked[p] else 0)", "(2 if row in locked[p] else 0)"),
    ("points[0..12]: 0..78", "points[0..13]: 0..91"),
    ("55 66 78\n", "55 66 78 91\n"),
    ("-20..312", "-20..364"),
)
WINDOW = (
    (
        "        cross(p, row, at)\n        if p == active:",
        "        cross(p, row, at)\n        close_rows()\n        if p == active:",
    ),
)


def tree(checked: LoadedSpec) -> Spec:
    """The tree of a spec that can be used."""
    assert checked.tree is not None
    return checked.tree


def text(checked: LoadedSpec) -> str:
    """The text of a spec that can be read."""
    assert checked.text is not None
    return checked.text.text


TWO = ("        no_pairs(table)\n", "        none_alone(table)\n")
"""Lines of two tiles in Kubbar."""


@cache
def changed(*replaced: tuple[str, str], of: LoadedSpec = QWIXX) -> LoadedSpec:
    """A game with some text replaced."""
    written = text(of)
    for old, new in replaced:
        assert old in written, old
        written = written.replace(old, new)
    found = check_text("changed.rules", written)
    assert found.spec is not None, found.diagnostics
    return found


def compared(
    new: LoadedSpec, players: int = 2, old: LoadedSpec = QWIXX, budget: SearchBudget | None = None
) -> ComparisonResult:
    """The verdicts on a change, without a cache."""
    assert old.spec is not None and new.spec is not None
    comparison = SpecComparison(
        old.spec, new.spec, [Configuration(players, (), None)], Lemmas(10.0, None, 1), Cache(None),
        budget or SearchBudget(), lambda _: None,
    )  # fmt: skip
    return comparison.run(renames(tree(old), tree(new)))


def not_asked() -> SolvedQuestion:
    """What becomes of a question that nobody asks."""
    told = Outcome("", "", "unsat", "unknown", "it was not asked", (), 0.0, "", None)
    return SolvedQuestion(told)
