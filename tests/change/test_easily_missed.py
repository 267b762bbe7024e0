"""Differences that are easily missed: only at the start, in a step that comes second, in the odds,
with three players, in how a game ends; and what only looks like one."""

from __future__ import annotations

import pytest

from rulewright.change.games.reachability import SearchBudget
from rulewright.change.semantic.compare import SpecComparison
from rulewright.change.text.text_diff import renames
from rulewright.frontend import check_text
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.invariants.lemmas import Lemmas

PHASES = "phase a, b, over final"
HEAD = f'game g "g"\n    players 2..3\n\n{PHASES}\n\nstate\n'
UP = '\nmove up by p in a "up"\n    needs low "low": n < 3\n    does n += 1\n'
STOP = '\nmove stop by p in a "stop"\n    does phase = over\n'
PLAIN = HEAD + "    n: 0..3 = 0\n" + UP + STOP
FREE = HEAD + "    n: 0..3\n    m: 0..1 = 0\n" + UP + STOP
AWAY = PLAIN + '\nmove on by p in a "on"\n    does phase = b\n\nmove back by p in b "back"\n'
AWAY += "    does phase = a\n"
STEPS = (
    HEAD + "    n: 0..3 = 0\n    k: 0..2 = 0\n" + STOP
    + '\nmove go by p in a "go"\n    needs yet "yet": k == 0\n    does k = 2\n'
    + '\nstep one in a "one"\n    when due "due": k == 2\n    does k = 1\n'
    + '\nstep two in a "two"\n    when due "due": k == 1\n    does n = 1; phase = over\n'
).replace("n = 1; phase = over", "\n        n = 1\n        phase = over")  # fmt: skip
CHANCE = (
    HEAD
    + "    n: 0..3 = 0\n\nfun heavy(d: 1..3): 0..3 = d\n"
    + ('\nchance fall(d: 1..3) in a "fall"\n    weight heavy(d)\n    does phase = over\n')
)
TWO = (
    HEAD
    + "    n: 0..9 = 0\n"
    + STOP
    + ('\nmove set(x: 0..2, y: 0..2) by p in a "set"\n    does n = x + 2 * y\n')
)
PAIRS = {
    "which phase ends the game": (
        AWAY, (PHASES, "phase a, b final, over final"), {"end": "changed"},
    ),
    "the second step": (STEPS, ("n = 1\n", "n = 2\n"), {"two": "changed"}),
    "odds by a function": (CHANCE, ("0..3 = d", "0..3 = 4 - d"), {"fall": "changed"}),
    "the start": (PLAIN, ("n: 0..3 = 0", "n: 0..3 = 1"), {"start": "changed"}),
    "parameters in another order": (TWO, ("x: 0..2, y: 0..2", "y: 0..2, x: 0..2"), {}),
    "parameters that change places": (TWO, ("x + 2 * y", "y + 2 * x"), {"set": "changed"}),
    "another name": (
        PLAIN, ('move up by p in a "up"', 'move rise by p in a "up"'), {},
    ),
    "only with three players": (
        PLAIN, ("n < 3", "n < 3 and (n < 2 or (all p: Player: left_of(left_of(p)) == p))"),
        {"up": "stricter"},
    ),
    "written otherwise": (PLAIN, ("n < 3", "not (n >= 3)"), {}),
}  # fmt: skip


def compared(old_text: str, new_text: str):
    old, new = check_text("old.rules", old_text), check_text("new.rules", new_text)
    assert old.spec is not None and new.spec is not None, (old.diagnostics, new.diagnostics)
    ways = [Configuration(number, (), None) for number in (2, 3)]
    comparison = SpecComparison(
        old.spec,
        new.spec,
        ways,
        Lemmas(5.0, None, 1),
        Cache(None),
        SearchBudget(5.0, games=20),
        lambda _: None,
    )
    assert old.tree is not None and new.tree is not None
    return comparison.run(renames(old.tree, new.tree)).verdicts


@pytest.mark.parametrize("what", PAIRS)
def test_what_is_easily_missed_is_seen(what):
    text, (was, now), expected = PAIRS[what]
    assert text.count(was) == 1
    found = compared(text, text.replace(was, now))
    assert {e.subject.name: e.verdict for e in found if e.verdict != "equal"} == expected
    assert all(each.proof == "proved" for each in found if each.verdict == "equal")


@pytest.mark.parametrize("change", [("n: 0..3\n", "n: 0..2\n"), ("n: 0..3\n", "n: 0..5\n")])
def test_beginnings_that_only_one_side_knows_are_not_called_equal(change):
    start = next(e for e in compared(FREE.replace("n < 3", "n < 2"), FREE.replace(
        "n < 3", "n < 2").replace(*change)) if e.subject.kind == "start")  # fmt: skip
    assert start.proof == "unknown"
