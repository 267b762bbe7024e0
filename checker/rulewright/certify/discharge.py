"""Decides whether a goal follows: which questions are put to the solver, and in which order.

Nothing here has to be trusted for an answer to be right: a goal is confirmed only if the solver
refutes every case of some list of cases that leaves none out, each from assumptions that were
allowed. A case is a value of an unknown whose range is known; all values of it are asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulewright.certify.smt.smtlib import question, unknowns
from rulewright.certify.smt.solver import SAT, UNKNOWN, UNSAT, Solver
from rulewright.certify.smt.term import BOOL, Term, Truth, is_known
from rulewright.certify.symbolic.board_lemmas import BoardLemmas
from rulewright.certify.symbolic.evaluate import Evaluator
from rulewright.certify.symbolic.symbolic_values import Square

QUICK, USUAL, PATIENT, SIDE = 3_000_000, 20_000_000, 30_000_000, 1_000_000
"""Units of work for a question at first and in cases, for one before it is split, for a case that
cannot be split further, and for a lemma."""
REACH = 2
"""How many squares around a given one are looked at, at the most."""
MOST_QUESTIONS = 600
"""So many questions for one goal, and it is left open."""
OPEN = "it does not follow, or the solver does not see it"
MOST_CASES = 24
"""Unknowns with more values are not split."""


@dataclass(slots=True)
class CertifierGoal:
    """A goal with what may be assumed: `facts` in any case, and `offers`, the names of hypotheses
    that are tried, one list after the other. `squares` and `splits` are hints: which squares
    matter, and of which unknowns to try each value. One that is `hasty` is split into cases before
    much work is spent on it."""

    goal: Truth
    facts: Sequence[Truth]
    offers: Sequence[Sequence[str]] = ((),)
    hypotheses: Mapping[str, Truth] = field(default_factory=dict)
    squares: Sequence[Square] = ()
    splits: Sequence[Term] = ()
    hasty: bool = False


@dataclass(slots=True)
class CertifierAnswer:
    """Whether a goal follows, and from which hypotheses; `second` says of how many questions
    another solver says the same, and how many it left open."""

    confirmed: bool
    used: tuple[str, ...] = ()
    questions: int = 0
    reason: str = ""
    agreed: int = 0
    undecided: int = 0


@dataclass(slots=True)
class _Budget:
    left: int = MOST_QUESTIONS
    asked: list[str] = field(default_factory=list)


class Discharger:
    """Puts questions to a solver, and again to a second one if there is one."""

    def __init__(self, evaluator: Evaluator, solver: Solver, second: Solver | None = None) -> None:
        self._ev = evaluator
        self._t = evaluator.t
        self._solver = solver
        self._second = second
        self.lemmas = BoardLemmas(evaluator, self._valid)
        self._valid_texts: list[str] = []

    def _valid(self, truth: Truth) -> bool:
        if isinstance(truth, bool):
            return truth
        text = question([], truth)
        if self._solver.ask(text, SIDE) != UNSAT:
            return False
        self._valid_texts.append(text)
        return True

    def example(self, truth: Truth) -> dict[Term, int | bool] | None:
        """Values of all unknowns of a truth that the solver thinks make it true, found one after
        another; whether they do is for others to work out."""
        found: dict[Term, int | bool] = {}
        known: list[Truth] = [truth]
        for each in unknowns([truth]):
            for value in _values(each):
                here = self._is(each, value)
                if self._solver.ask(question([*known, here], False), QUICK) == SAT:
                    known.append(here)
                    found[each] = bool(value) if each.sort == BOOL else value
                    break
            else:
                return None
        return found

    def decide(self, asked: CertifierGoal) -> CertifierAnswer:
        """Whether the goal follows from the facts and one of the offers."""
        if asked.goal is True or any(each is False for each in asked.facts):
            return CertifierAnswer(True)
        budget = _Budget()
        self._valid_texts = []
        for patient in (False, True):
            for place, offer in enumerate(asked.offers, 1):
                names = [name for name in offer if asked.hypotheses[name] is not True]
                known = [asked.hypotheses[name] for name in names]
                for assumed in self._with_lemmas([*asked.facts, *known], asked):
                    said = self._follows(assumed, asked, budget, patient)
                    if said == UNSAT:
                        return self._confirmed(names, budget)
                    if said == SAT and not self._incomplete(assumed, asked.goal):
                        if place == len(asked.offers):  # nothing more could be assumed
                            return CertifierAnswer(False, (), MOST_QUESTIONS - budget.left, OPEN)
                        break
        return CertifierAnswer(False, (), MOST_QUESTIONS - budget.left, OPEN)

    def _confirmed(self, names: Sequence[str], budget: _Budget) -> CertifierAnswer:
        answer = CertifierAnswer(True, tuple(names), MOST_QUESTIONS - budget.left)
        if self._second is not None:
            for text in [*budget.asked, *self._valid_texts]:
                said = self._second.ask(text, QUICK)
                if said == SAT:
                    reason = f"{self._second.name} does not agree"
                    return CertifierAnswer(False, (), answer.questions, reason)
                answer.agreed += said == UNSAT
                answer.undecided += said == UNKNOWN
        return answer

    def _with_lemmas(self, assumed: Sequence[Truth], asked: CertifierGoal) -> Iterator[list[Truth]]:
        """The assumptions with more and more lemmas, where large boards are in the question."""
        for reach in (0, REACH):
            lemmas = self.lemmas.for_question(assumed, asked.goal, asked.squares, reach)
            yield [*assumed, *lemmas]
            if not lemmas:
                return

    def _incomplete(self, assumed: Sequence[Truth], goal: Truth) -> bool:
        """Whether more might be known than was said: of whole boards, products and quotients."""
        boards = self._ev.boards.summaries
        return any(each in boards or each.op == "apply" for each in unknowns([*assumed, goal]))

    def _follows(
        self, assumed: Sequence[Truth], asked: CertifierGoal, budget: _Budget, patient: bool
    ) -> str:
        if not patient:
            return self._ask(assumed, asked.goal, QUICK, budget)
        goal = asked.goal
        said = UNKNOWN if asked.hasty else self._ask(assumed, goal, USUAL, budget)
        if said != UNKNOWN:
            return said
        parts: Sequence[Truth] = (goal,)
        if isinstance(goal, Term) and goal.op == "and":
            parts = goal.args
        splits = _ranked(asked.splits, [*assumed, goal])
        return self._all(self._in_cases(assumed, part, splits, budget) for part in parts)

    @staticmethod
    def _all(answers: Iterable[str]) -> str:
        """The first answer that is not *unsat*, if there is one."""
        return next((said for said in answers if said != UNSAT), UNSAT)

    def _in_cases(
        self, assumed: Sequence[Truth], goal: Truth, splits: Sequence[Term], budget: _Budget
    ) -> str:
        """Asks; where that is too hard, for each value of an unknown that is in the question."""
        there = set(unknowns([*assumed, goal])) if splits else set()
        useful = [each for each in splits if each in there and _values(each)]
        said = self._ask(assumed, goal, QUICK if useful else PATIENT, budget)
        if said != UNKNOWN or not useful:
            return said
        first, *rest = useful
        return self._all(
            self._in_cases([*assumed, self._is(first, value)], goal, rest, budget)
            for value in _values(first)
        )

    def _is(self, unknown: Term, value: int) -> Truth:
        if unknown.sort == BOOL:
            return unknown if value else self._t.no(unknown)
        return self._t.equal(unknown, value)

    def _ask(self, assumed: Sequence[Truth], goal: Truth, work: int, budget: _Budget) -> str:
        if any(each is False for each in assumed) or goal is True:
            return UNSAT
        if budget.left == 0:
            return UNKNOWN
        budget.left -= 1
        text = question(assumed, goal)
        said = self._solver.ask(text, work)
        if said == UNSAT:
            budget.asked.append(text)
        return said


def _ranked(splits: Sequence[Term], terms: Sequence[Truth]) -> list[Term]:
    """The unknowns on whose values most hangs first: those that are compared with constants most
    often. Truths come last."""
    count = dict.fromkeys(splits, 0)
    seen: set[Term] = set()
    waiting = [each for each in terms if isinstance(each, Term)]
    while waiting:
        each = waiting.pop()
        for inner in each.args:
            if not isinstance(inner, Term):
                continue
            if inner.op == "=" and inner.args[0] in count and is_known(inner.args[1]):
                count[inner.args[0]] += 1
            if inner not in seen:
                seen.add(inner)
                waiting.append(inner)
    return sorted(count, key=lambda each: -count[each])


def _values(unknown: Term) -> Sequence[int]:
    """All values of an unknown, none if they are many."""
    if unknown.sort == BOOL:
        return (0, 1)
    if unknown.low is None or unknown.high is None or unknown.high - unknown.low >= MOST_CASES:
        return ()
    return range(unknown.low, unknown.high + 1)
