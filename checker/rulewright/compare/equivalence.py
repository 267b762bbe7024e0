"""Proves a mutant equivalent: what refutes each obligation of comparing it with its spec.

From every position of a game, each move, chance event and step is allowed by both or by neither and
leads both to the same position, and both have the same beginnings and results: then no game tells
them apart. Only a proof is looked for, from the invariants and with small questions first, as
proofs of the spec itself are; that there is none says nothing. What is found the kernel judges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.kernel.comparison import CHANGED, Comparison
from rulewright.kernel.outcome import Outcome, SolverResult, answered
from rulewright.kernel.query import Query
from rulewright.kernel.refutation import Problem
from rulewright.meaning import core as c
from rulewright.meaning.counterparts import Subject, subjects
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.discharge.goal_slicing import GoalSlicer
from rulewright.prove.discharge.question_budgets import LITTLE, QuestionBudget
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.smt.solver.smtlib import LabelledAssertion
from rulewright.smt.solver.solver import UNKNOWN, UNSAT
from rulewright.smt.terms.term import Term, parts
from rulewright.syntax.node import replace
from rulewright.vc.context import ProofContext
from rulewright.vc.difference import Difference, differences, then
from rulewright.vc.product import Mutated, Product

SECONDS = 600.0
"""For machines so slow that the work would never end."""
NARROW, FARTHER, WIDE = (False, 1, True), (False, 2, True), (True, 2, True)
"""With what is known of the same things only and with one round of instances, then two; and with
all that is known of the players concerned."""
SMALL = QuestionBudget((NARROW, FARTHER, WIDE), work=(500_000,), whole=LITTLE, boards=False)
HARD = replace(SMALL, whole=4 * LITTLE, boards=True)
"""How something is asked of which a solver has said that it is so."""

HANDY = 1500
"""What is made of at most so many terms is asked about at once, before it is taken apart."""
NEAR, LIGHT = 40, 400
"""What stands beside a way to differ is looked at if it is made of at most so many terms."""
MOST_WAYS = 120
"""If there are as many ways, they are not asked about one by one."""

Refuted = list[tuple[Subject, Outcome]]


class Equivalence:
    """Looks for proofs that mutants say the same as their spec."""

    def __init__(self) -> None:
        self._narrow = GoalSlicer(ProverOptions(SECONDS), Cache(None))

    def refuted(
        self,
        context: ProofContext,
        known: Sequence[LabelledAssertion],
        spec: c.Spec,
        ledger: Comparison,
        hard: bool = False,
    ) -> Refuted | None:
        """What refutes all that is open between a spec in its context, with what is `known` of its
        position, and another; None if something of it is not refuted."""
        product = Product(context, Mutated(context, spec), known)
        found: Refuted = []
        for subject in subjects(context.spec, spec, {}):
            for way in sorted(ledger.open(subject)):
                told = self._way(product, subject, way, HARD if hard else SMALL)
                if told is None:
                    return None
                found += ((subject, each) for each in told)
        return found

    def _way(
        self, product: Product, subject: Subject, way: str, manner: QuestionBudget
    ) -> list[Outcome] | None:
        """What refutes a way to differ. If a step leads elsewhere at once, it may still lead to the
        same with the step that follows; after a move, too much may follow."""
        queries = differences(product, subject, (way,))
        found = [self._asked(product, each, manner) for each in queries]
        if None in found and way == CHANGED and subject.kind == "step":
            found = [self._asked(product, then(product, subject), manner)]
        told = [each for each in found if each is not None]
        return told if queries and len(told) == len(found) else None

    def _asked(self, product: Product, query: Difference, manner: QuestionBudget) -> Outcome | None:
        """The refutation of a query: at once where that is little, or else way by way."""

        def work(asked: Query, problems: Sequence[Problem]) -> list[SolverResult]:
            (problem,) = problems
            handy = len(parts(problem.denied)) <= HANDY
            if problem.used() is None and handy:
                self._narrow.work(product.old, asked, problems, manner, shown=False)
            for most in (NEAR, LIGHT):
                if problem.used() is None:
                    apart = problem.apart(query.holds, query.fails, self._at_most(most))
                    self._each(product, asked, apart, manner)
            if problem.used() is None and not handy:
                self._narrow.work(product.old, asked, problems, manner, shown=False)
            return [SolverResult(UNKNOWN if problem.used() is None else UNSAT, None, 0.0)]

        (outcome,) = answered(product.terms, query, work)
        return outcome if outcome.result == UNSAT else None

    def _each(
        self, product: Product, query: Query, problems: Sequence[Problem], manner: QuestionBudget
    ) -> None:
        """Works on some ways to differ until one of them is not refuted."""
        if len(problems) < MOST_WAYS:
            for each in problems:
                self._narrow.work(product.old, query, [each], manner, shown=False)
                if each.used() is None:
                    break

    def _at_most(self, most: int) -> Callable[[Term], bool]:
        return lambda term: len(parts(term)) <= most
