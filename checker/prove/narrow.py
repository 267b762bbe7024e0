"""Small questions first: one part of a goal at a time, with the assumptions that bear on it.

A goal is taken apart into groups of ways to fail that are about the same seats. Where something is
written at a key that is not known, each value of the key is a case of its own. A group that is
ruled out by some of the assumptions is ruled out by all; one that is not is left to `ask`, which
takes them all. Small questions repeat, from seat to seat and from setting to setting: equal text
has equal answers, and is asked once. All of this only chooses among the rules of `kernel.problem`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from itertools import islice
from math import prod
from time import perf_counter

from checker.kernel import problem as k
from checker.kernel.outcome import Outcome, Seen, answered
from checker.kernel.problem import Problem, Way
from checker.kernel.query import Goal, Query
from checker.meaning import types as y
from checker.prove.ask import Patience, ask_whole
from checker.prove.cache import Cache
from checker.prove.effort import Effort
from checker.prove.manner import USUAL, Manner
from checker.prove.outside import Question, handed_over
from checker.smt.instantiate import has_quantifiers
from checker.smt.number import Terms
from checker.smt.solver import UNKNOWN, UNSAT, Z3, Answer
from checker.smt.term import Term
from checker.smt.text import Labelled, Script, script
from checker.smt.value import possible
from checker.smt.watch import LateError
from checker.vc.context import ProofContext

PATIENCE = 10.0
"""Seconds for a small question on a busy machine."""
CASES = 40
"""Keys are tried one value at a time if there are at most so many cases."""


class HardError(Exception):
    """The solver gave up where there is another way."""


class Narrow:
    """Answers queries, part by part where it can."""

    def __init__(self, effort: Effort, cache: Cache) -> None:
        self.effort = effort
        self._cache = cache
        self._asked: dict[str, Answer] = {}
        self._same: dict[tuple[Term, ...], Answer] = {}
        self._terms: Terms | None = None
        self._seats: _Seats | None = None

    def answers(
        self, context: ProofContext, query: Query, manner: Manner = USUAL, shown: bool = True
    ) -> list[Outcome]:
        """The answers to all goals of a query, in order; `shown` is as in `ask_whole`."""

        def work(asked: Query, problems: Sequence[Problem]) -> list[Seen]:
            return self.work(context, asked, problems, manner, shown)

        return answered(context.terms, query, work)

    def work(
        self, context: ProofContext, query: Query, problems: Sequence[Problem], manner: Manner,
        shown: bool,
    ) -> list[Seen]:  # fmt: skip
        """Works on the problems of a query, one for each goal."""
        if self._seats is None or self._seats.context.instance is not context.instance:
            self._seats = _Seats(context)
        seats = self._seats.unknowns()
        found: dict[int, Seen] = {}
        left: dict[int, Problem] = {}
        for number, (goal, problem) in enumerate(zip(query.goals, problems)):
            began = perf_counter()
            search = _Search(self, context.terms, query, seats, manner)
            rest: Problem | None
            try:
                rest = self._in_time(goal, problem, search)
            except HardError:
                rest, open_end = problem, True
            else:
                open_end = rest is not None and not _asked_whole(query, rest, manner)
            doubt = _contradicted(context, query, goal, search.answered, self.effort)
            if doubt is not None or open_end:
                found[number] = Seen(UNKNOWN, doubt, perf_counter() - began)
            elif rest is None:
                found[number] = Seen(UNSAT, None, perf_counter() - began)
            else:
                left[number] = rest
        patience = Patience(manner.seconds, manner.whole)
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
        except LateError:
            watch.check()  # whoever set another deadline has to know
        return problem

    def answer(self, terms: Terms, question: k.Question, work: int, manner: Manner) -> Answer:
        terms.watch.check()
        timeout = min(self.effort.timeout, manner.seconds)
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

    def _asked_once(self, terms: Terms, text: Script, timeout: float, work: int) -> Answer:
        key = sha256(text.text.encode()).hexdigest()
        given_up = f"{key} within {timeout} and {work}"
        left = terms.watch.left()
        answer = self._asked.get(key) or self._asked.get(given_up)
        answer = answer or self._cache.get(f"{key} narrow", min(timeout, left), work)
        if answer is None:
            answer = Z3(text.text, work=work).check(text.switches, min(timeout, left))
            if answer.result != UNKNOWN:
                self._cache.put(f"{key} narrow", answer)
        if answer.result != UNKNOWN:
            self._asked[key] = answer
        elif timeout <= left:
            self._asked[given_up] = answer
        return answer


def _asked_whole(query: Query, problem: Problem, manner: Manner) -> bool:
    """Whether what small questions left of a goal is asked whole."""
    return manner.boards or not has_quantifiers([*query.assumed, Labelled("", problem.denied)])


def _contradicted(
    context: ProofContext, query: Query, goal: Goal, questions: Sequence[k.Question],
    effort: Effort,
) -> str | None:  # fmt: skip
    """Hands the small questions that ruled out parts of a goal to others, if they are to have them;
    what a second solver has to object."""
    for number, each in enumerate(questions, 1):
        switches = [f"h{place}" for place in range(len(each.asserted))]
        question = Question(each.asserted, switches, f"part {number}", each.facts, each.any_product)
        first = Answer(UNSAT)
        told = handed_over(effort, context, query, goal, question, first)
        if told is not first:
            return told.reason
    return None


class _Search:
    """Looks for refutations of the problems of one query by small questions."""

    def __init__(
        self, narrow: Narrow, terms: Terms, query: Query, seats: dict[str | None, int],
        manner: Manner,
    ) -> None:  # fmt: skip
        self._narrow = narrow
        self.terms = terms
        self._query = query
        self._seats = seats
        self._manner = manner
        self.answered: list[k.Question] = []

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
        unsure: list[tuple[Problem, k.Question]] = []
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
            raise HardError
        return False

    def _ask(self, problem: Problem, question: k.Question, work: int) -> Answer:
        def oracle(asked: k.Question) -> Answer:
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

    def _groups(self, ways: Sequence[Way]) -> list[list[Way]]:
        """Ways to fail, those about the same seats together. Where something has to hold of every
        key of several boards, it is asked of one after another."""
        found: dict[int, list[Way]] = {}
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
