"""What is said to be still proved is proved by the new rules: also where the change lies in what is
asked only at the start, where a move is refused, or when the game is over."""

from __future__ import annotations

import pytest

from rulewright.change.impact.affected_proofs import affected_proofs
from rulewright.change.impact.properties import ChangeProver
from rulewright.frontend import check_text
from rulewright.kernel.comparison import EQUAL
from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Configuration
from tests.change.test_easily_missed import HEAD, PLAIN, UP, compared

SCORED = PLAIN + "\nfun score(p: Player): 0..9 = n\n"
DUE = HEAD + '    n: 0..3 = 0\n\nstep done in a "done"\n    does phase = over\n'
USED = PLAIN + '\nmove use by p in a "use"\n    needs some_n "some": n >= 1\n    does n = 0\n'


def spec(text: str) -> c.Spec:
    found = check_text("x.rules", text)
    assert found.spec is not None, found.diagnostics
    return found.spec


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        # the step is due at once, but steps only follow events
        (DUE + UP, DUE, "goes_on"),
        # where the one refuses, the other has no answer; what they allow is the same
        (USED, USED.replace("n >= 1", "9 / n >= 1"), "safe"),
        (SCORED, SCORED.replace("0..9 = n", "0..9 = 9 / n"), "safe"),
    ],
    ids=["start", "refused", "over"],
)
def test_a_property_that_is_lost_is_not_still_proved(old: str, new: str, lost: str) -> None:
    verdicts = compared(old, new)
    if "9 / n >= 1" in new:
        assert {each.verdict for each in verdicts} == {EQUAL}
    touch = affected_proofs(spec(old), spec(new), verdicts)
    prover = ChangeProver(5.0, None, 1, lambda _: None)
    ways = [Configuration(2, (), None)]
    fates = prover.fates(spec(old), spec(new), ways, touch, lambda _: {})
    found = {each.name: each.new.verdict for each in fates if each.new is not None}
    assert found[lost] != "proved"
