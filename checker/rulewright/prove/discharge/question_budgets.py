"""Solver budgets per kind of question.

Work is what a solver counts itself, the same on every machine; about four million units are a
second.
"""

from __future__ import annotations

from math import inf
from typing import TypeAlias

from rulewright.syntax.node import Node, replace

WORK = (3_000_000, 8_000_000)
"""What a solver may do for a small question: about two seconds, but less at first, as the next
question may be easy where this one is not."""
LITTLE = 500_000
"""The same for what can be asked in another way, and for what is mostly asked in vain."""

Attempt: TypeAlias = tuple[bool, int, bool]
ATTEMPTS: tuple[Attempt, ...] = (
    (False, 1, True), (True, 1, True), (False, 2, True), (True, 2, True), (True, 2, False),
)  # fmt: skip
"""How a group is asked about, the cheapest first: with the wide or the narrow assumptions, with so
many rounds of instances, and with products that may be anything or are worked out."""


class QuestionBudget(Node):
    """With which small questions a sheet is asked, with how many seconds at most for each question,
    and with how much work for small ones and for one about the whole. Without `boards`, nothing is
    asked whole that is about every key of one. Where there is `another_way`, a goal is unknown as
    soon as the solver gives up on a part of it."""

    attempts: tuple[Attempt, ...] = ATTEMPTS
    seconds: float = inf
    work: tuple[int, ...] = WORK
    whole: int | None = None
    boards: bool = True
    another_way: bool = False


USUAL = QuestionBudget()
HASTY = QuestionBudget(ATTEMPTS[:2], seconds=2.0, boards=False)
"""For what may well be asked in vain."""
LIGHT = replace(HASTY, whole=LITTLE)
"""For what is mostly asked in vain: that something does not hold is costly to find out."""
BRIEF = QuestionBudget(seconds=0.5, work=(LITTLE,), another_way=True)
"""For what is easier case by case, if it is not easy at once."""
SOON = QuestionBudget(ATTEMPTS[:1], 0.5, (LITTLE,), whole=LITTLE, boards=False, another_way=True)
"""For what is worth asking only if it is easy."""
AT_ONCE = QuestionBudget(
    ((False, 0, True), *ATTEMPTS[:2]), 2.0, (LITTLE,), whole=LITTLE, boards=False
)  # fmt: skip
"""For all that is easy, before anything that is not: first without a look at what is said of every
key, for what is decided by it may be the same before and after."""
ONE_CASE = QuestionBudget(
    ((False, 0, True), *ATTEMPTS[:2]), 2.0, (WORK[0],), whole=LITTLE, boards=False
)  # fmt: skip
"""For one of many cases: the next claim may be easier where this one is not."""
UNSEEN = QuestionBudget(seconds=1.5)
"""For a position that shows what no random game did. It is mostly about whole boards, of which a
solver takes three times as long for the same work as of other questions."""
