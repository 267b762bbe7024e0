"""Goal slicing: asks small questions first, one part of a goal with the assumptions it depends on.

A goal is split into the ways in which it can fail, grouped by the players they speak of. Where
something is written at an unknown key, each value of the key is a case. A group that is refuted
under some assumptions is refuted under all of them. What is not refuted goes to `ask_solver` with
all assumptions. Equal texts have equal answers and are asked once, whatever seat or configuration
they come from. Only the rules of `kernel.refutation` turn answers into proofs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from itertools import islice
from math import prod
from time import perf_counter

from rulewright.kernel import refutation as k
from rulewright.kernel.outcome import Outcome, SolverResult, answered
from rulewright.kernel.query import Goal, Query
from rulewright.kernel.refutation import Alternative, Problem
from rulewright.meaning import types as y
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.discharge import open_places
from rulewright.prove.discharge.ask_solver import QuestionLimit, ask_whole
from rulewright.prove.discharge.question_budgets import USUAL, QuestionBudget
from rulewright.prove.discharge.smt_export import ExportedQuestion, export_question
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.smt.encode.symbolic_values import possible
from rulewright.smt.solver.smtlib import LabelledAssertion, Script, script
from rulewright.smt.solver.solver import UNKNOWN, UNSAT, Z3, SolverAnswer
from rulewright.smt.solver.work_limit import WorkLimitError
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.instantiate import has_quantifiers
from rulewright.smt.terms.term import Term
from rulewright.vc.context import ProofContext

PATIENCE = 10.0
"""Seconds for a small question on a busy machine."""
CASES = 40
"""Keys are tried one value at a time if there are at most so many cases."""


class GaveUpError(Exception):
    """The solver gave up where there is another way."""


class GoalSlicer:
    """Answers queries, part by part where it can."""

    def __init__(self, effort: ProverOptions, cache: Cache) -> None:
        self.effort = effort
        self._cache = cache
        self._asked: dict[str, SolverAnswer] = {}
        self._same: dict[tuple[Term, ...], SolverAnswer] = {}
        self._terms: TermBuilder | None = None
        self._seats: _Seats | None = None

    def answers(
        self,
        context: ProofContext,
        query: Query,
        budget: QuestionBudget = USUAL,
        shown: bool = True,
    ) -> list[Outcome]:
        """The answers to all goals of a query, in order; `shown` is as in `ask_whole`."""

        def work(asked: Query, problems: Sequence[Problem]) -> list[SolverResult]:
            return self.work(context, asked, problems, budget, shown)

        return answered(context.terms, query, work)

    def work(
        self,
        context: ProofContext,
        query: Query,
        problems: Sequence[Problem],
        budget: QuestionBudget,
        shown: bool,
    ) -> list[SolverResult]:
        """Works on the problems of a query, one for each goal."""
        if self._seats is None or self._seats.context.instance is not context.instance:
            self._seats = _Seats(context)
        seats = self._seats.unknowns()
        found: dict[int, SolverResult] = {}
        left: dict[int, Problem] = {}
        for number, (goal, problem) in enumerate(zip(query.goals, problems)):
            began = perf_counter()
            search = _Search(self, context.terms, query, seats, budget)
            rest: Problem | None
            try:
                rest = self._in_time(goal, problem, search)
            except GaveUpError:
                rest, open_end = problem, True
            else:
                open_end = rest is not None and not _asked_whole(query, rest, budget)
            doubt = _contradicted(context, query, goal, search.answered, self.effort)
            if doubt is not None or open_end:
                found[number] = SolverResult(UNKNOWN, doubt, perf_counter() - began)
            elif rest is None:
                found[number] = SolverResult(UNSAT, None, perf_counter() - began)
            else:
                left[number] = rest
        patience = QuestionLimit(budget.seconds, budget.whole)
        asked = open_places.Asker(context, query, self.effort, self._cache, patience, shown)
        for number in [each for each in left if query.goals[each].hazards]:
            found[number] = asked.of(query.goals[number], left.pop(number))
        goals = [query.goals[number] for number in left]
        rests = list(left.values())
        told = ask_whole(context, query, goals, rests, self.effort, self._cache, patience, shown)
        found.update(zip(left, told))
        return [found[number] for number in range(len(problems))]

    def _in_time(self, goal: Goal, problem: Problem, search: _Search) -> Problem | None:
        """What is left of a problem after small questions, within the time that one question has;
        all of it if that is not enough, or if it is about something possible."""
        watch = search.terms.watch
        try:
            with watch.within(self.effort.timeout):
                if goal.wants == UNSAT:
                    return search.left_of(problem)
        except WorkLimitError:
            watch.check()  # whoever set another deadline has to know
        return problem

    def answer(
        self, terms: TermBuilder, question: k.SolverQuestion, work: int, budget: QuestionBudget
    ) -> SolverAnswer:
        terms.watch.check()
        timeout = min(self.effort.timeout, budget.seconds)
        if question.facts is None:
            if terms is not self._terms:  # equal terms of others are not the same
                self._terms, self._same = terms, {}
            key = tuple(each.term for each in question.asserted)
            found = self._same.get(key)
            if found is None:
                patience = min(PATIENCE, timeout)
                found = self._asked_once(terms, script(question.asserted), patience, work)
                if found.result != UNKNOWN:
                    self._same[key] = found
            return found
        text = script(
            question.asserted, facts=question.facts, any_product=question.any_product
        )  # fmt: skip
        return self._asked_once(terms, text, timeout, work)

    def _asked_once(
        self, terms: TermBuilder, text: Script, timeout: float, work: int
    ) -> SolverAnswer:
        key = sha256(text.text.encode()).hexdigest()
        given_up = f"{key} within {timeout} and {work}"
        left = terms.watch.left()
        answer = self._asked.get(key) or self._asked.get(given_up)
        if answer is None:
            seconds = min(timeout, left)
            answer = self._cache.answer(
                f"{key} narrow", seconds, work,
                lambda: Z3(text.text, work=work).check(text.switches, seconds),
            )  # fmt: skip
        if answer.result != UNKNOWN:
            self._asked[key] = answer
        elif timeout <= left:
            self._asked[given_up] = answer
        return answer


def _asked_whole(query: Query, problem: Problem, budget: QuestionBudget) -> bool:
    """Whether what small questions left of a goal is asked whole."""
    return budget.boards or not has_quantifiers(
        [*query.assumed, LabelledAssertion("", problem.denied)]
    )


def _contradicted(
    context: ProofContext, query: Query, goal: Goal, questions: Sequence[k.SolverQuestion],
    effort: ProverOptions,
) -> str | None:  # fmt: skip
    """Hands the small questions that ruled out parts of a goal to others, if they are to have them;
    what a second solver has to object."""
    for number, each in enumerate(questions, 1):
        switches = [f"h{place}" for place in range(len(each.asserted))]
        question = ExportedQuestion(
            each.asserted, switches, f"part {number}", each.facts, each.any_product
        )
        first = SolverAnswer(UNSAT)
        told = export_question(effort, context, query, goal, question, first)
        if told is not first:
            return told.reason
    return None


class _Search:
    """Looks for refutations of the problems of one query by small questions."""

    def __init__(
        self, narrow: GoalSlicer, terms: TermBuilder, query: Query, seats: dict[str | None, int],
        budget: QuestionBudget,
    ) -> None:  # fmt: skip
        self._narrow = narrow
        self.terms = terms
        self._query = query
        self._seats = seats
        self._manner = budget
        self.answered: list[k.SolverQuestion] = []

    def left_of(self, problem: Problem) -> Problem | None:
        """What of a problem small questions do not refute, None if they refute it all."""
        if problem.used() is not None:
            return None
        ways = problem.ways()
        if not ways:
            return None
        groups = self._groups(ways)
        parts = problem.by_ways(groups)
        left = [part for part in parts if not self._group(part)]
        if not left:
            return None
        return problem if len(left) == len(parts) else problem.together(left)

    def _group(self, part: Problem) -> bool:
        """Whether a group is ruled out in every case."""
        mask = part.denied.unknowns
        keys = [key for key in self._query.keys if key.unknowns & mask]
        if prod(len(possible(key)) for key in keys) > CASES:
            keys = []
        return all(self._case(each) for each in (part.by_cases(keys) if keys else [part]))

    def _case(self, problem: Problem) -> bool:
        """Whether a group is ruled out in one case, by some of the attempts."""
        if problem.used() is not None:
            return True
        unsure: list[tuple[Problem, k.SolverQuestion]] = []
        for wide, rounds, any_product in self._manner.attempts:
            mask = problem.denied.unknowns
            near = problem.about(self._closure(mask) if wide else mask)
            if near.used() is not None:
                return True
            question = near.question(rounds, any_product)
            answer = self._ask(near, question, self._manner.work[0])
            if answer.result == UNSAT:
                return True
            if answer.result == UNKNOWN:
                unsure.append((near, question))
        for work in self._manner.work[1:]:
            for near, question in unsure:
                if self._ask(near, question, work).result == UNSAT:
                    return True
        if unsure and self._manner.another_way:
            raise GaveUpError
        return False

    def _ask(self, problem: Problem, question: k.SolverQuestion, work: int) -> SolverAnswer:
        def oracle(asked: k.SolverQuestion) -> SolverAnswer:
            return self._narrow.answer(self.terms, asked, work, self._manner)

        answer = problem.ask(question, oracle)
        if answer.result == UNSAT:
            self.answered.append(question)
        return answer

    def _closure(self, unknowns: int) -> int:
        """All unknowns of the seats that some belong to, and those that belong to no seat."""
        result = self._seats[None]
        for seat, its in self._seats.items():
            if seat is not None and its & unknowns:
                result |= its
        return result

    def _groups(self, ways: Sequence[Alternative]) -> list[list[Alternative]]:
        """Ways to fail, those about the same seats together. Where something has to hold of every
        key of several boards, it is asked of one after another."""
        found: dict[int, list[Alternative]] = {}
        for way in ways:
            if not way.alone:
                found.setdefault(self._closure(way.term.unknowns), []).append(way)
        return [*found.values(), *([way] for way in ways if way.alone)]


def _by_player(type: y.Map | y.Set) -> bool:
    return isinstance(type.key if isinstance(type, y.Map) else type.element, y.Player)


class _Seats:
    """The unknowns of each seat, in variables that players have of their own; and the others."""

    def __init__(self, context: ProofContext) -> None:
        own = [
            name
            for name, variable in context.instance.variables.items()
            if isinstance(variable.type, y.Map | y.Set) and _by_player(variable.type)
        ]
        self.context = context
        self._seat = re.compile(rf"(?:{'|'.join(own)})[\[:](\d+)") if own else None
        self._found: dict[str | None, int] = {None: 0}
        self._looked_at = 0

    def unknowns(self) -> dict[str | None, int]:
        """All that there are by now."""
        names = self.context.terms.names
        for name, bit in islice(names.items(), self._looked_at, None):
            match = self._seat.match(name) if self._seat is not None else None
            number = None if match is None else match.group(1)
            self._found[number] = self._found.get(number, 0) | bit
        self._looked_at = len(names)
        return self._found
