"""`safe`, place by place: what small questions leave open is asked of each index, range, lookup and
division by itself, so that one that is hard does not hide what is known of the others.

All places together are the ways in which something can have no value (Rule WAYS).
"""

from __future__ import annotations

from rulewright.kernel.outcome import SolverResult
from rulewright.kernel.query import Goal, Query
from rulewright.kernel.refutation import Alternative, Problem
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.discharge.ask_solver import QuestionLimit, ask_whole
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.smt.open_place import OpenPlace
from rulewright.smt.solver.solver import SAT, UNKNOWN, UNSAT
from rulewright.smt.terms.term import Term, conjuncts
from rulewright.syntax.node import NOWHERE, replace
from rulewright.vc.context import ProofContext

Place = tuple[tuple[int, int], str]
"""From where to where, and what may go wrong there."""
LEAST = 2.0
"""Seconds that each of many places has at least, of those for one question."""


class Asker:
    """Asks about the places of the goals of one query."""

    def __init__(
        self, context: ProofContext, query: Query, effort: ProverOptions, cache: Cache,
        patience: QuestionLimit, shown: bool,
    ) -> None:  # fmt: skip
        self._context = context
        self._query = query
        self._effort = effort
        self._cache = cache
        self._patience = patience
        self._shown = shown

    def of(self, goal: Goal, problem: Problem) -> SolverResult:
        """What is found out about all places that are left of a goal, and which stay open."""
        ways = problem.ways()
        if problem.used() is not None or not ways:
            return SolverResult(UNSAT, None, 0.0)
        groups = self._grouped(goal, ways)
        parts = problem.by_ways(list(groups.values()))
        goals = [
            replace(goal, negated=part.denied, note=what)
            for part, (_, what) in zip(parts, groups)
        ]  # fmt: skip
        each_has = max(LEAST, self._effort.timeout / len(goals))
        patience = replace(self._patience, seconds=min(self._patience.seconds, each_has))
        told = ask_whole(
            self._context, self._query, goals, parts, self._effort, self._cache, patience,
            self._shown,
        )  # fmt: skip
        seconds = sum(each.seconds for each in told)
        left = tuple(
            OpenPlace(span, what, seen.result, seen.position, seen.events)
            for (span, what), seen in zip(groups, told)
            if seen.result != UNSAT
        )
        for word in (SAT, UNKNOWN):
            for seen in told:
                if seen.result == word:
                    return replace(seen, seconds=seconds, places=left)
        return SolverResult(UNSAT, None, seconds)

    def _grouped(self, goal: Goal, ways: list[Alternative]) -> dict[Place, list[Alternative]]:
        """The ways in which something can have no value, by where that is."""
        places: dict[Term, Place] = {}
        for each in goal.hazards:
            for part in conjuncts(self._context.terms.implies(each.path, each.safe)):
                said = part.args[0] if part.op == "not" else part
                places.setdefault(said, ((each.span.start, each.span.end), each.message))
        somewhere = ((NOWHERE.start, NOWHERE.end), goal.note)
        found: dict[Place, list[Alternative]] = {}
        for way in ways:
            found.setdefault(places.get(way.term, somewhere), []).append(way)
        return found
