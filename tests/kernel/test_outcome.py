"""Whoever works on a problem may say what was seen, not what is proved."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rulewright.frontend import check_text
from rulewright.kernel.ledger import entry
from rulewright.kernel.outcome import Outcome, SolverResult, answered
from rulewright.kernel.query import Query
from rulewright.kernel.refutation import Problem
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.discharge.goal_slicing import GoalSlicer
from rulewright.prove.run.job import Worker, jobs_for
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.smt.solver.solver import SAT, UNKNOWN, UNSAT
from rulewright.vc.conditions import begins, preserved
from rulewright.vc.context import ProofContext

TEXT = """game rising "Rising"
    players 1..1

phase play

state
    count: 0..9 = 0

move more(twice: Bool) by p in play "one more"
    needs room "there is room": count < 8
    does count += (2 if twice else 1)

invariant whole "it is what it is": count <= 9
invariant small "it stays small": count <= 5
always rises "it rises": count > old(count)
"""
ONE = Configuration(1, (), None)
INDUCTION = ("begins", "preserved")


@pytest.fixture
def context() -> ProofContext:
    spec = check_text("rising", TEXT).spec
    assert spec is not None
    return ProofContext(spec, ONE)


def asked(context: ProofContext) -> Query:
    return preserved(context, context.instance.transitions["more"], {"p": 1}, True)


class Says:
    """Looks at nothing and says the same of every problem."""

    def __init__(self, word: str) -> None:
        self._word = word

    def __call__(self, query: Query, problems: Sequence[Problem]) -> list[SolverResult]:
        return [SolverResult(self._word, "it was said", 0.0) for _ in problems]


def results(found: Sequence[Outcome]) -> dict[str, str]:
    return {each.name: each.result for each in found}


def test_who_only_says_that_it_is_so_proves_nothing(context: ProofContext) -> None:
    query = asked(context)
    found = answered(context.terms, query, Says(UNSAT))
    assert [each.name for each in found] == ["whole", "small", "rises", "safe"]
    for goal, each in zip(query.goals, found, strict=True):
        at_sight = query.problem(context.terms, goal).used()
        assert each.result == (UNKNOWN if at_sight is None else UNSAT)
    assert results(found)["small"] == UNKNOWN
    assert [each.used for each in found if each.name == "small"] == [()]


@pytest.mark.parametrize("word", [UNKNOWN, "", "proved", "UNSAT"])
def test_any_other_word_is_no_proof(context: ProofContext, word: str) -> None:
    assert results(answered(context.terms, asked(context), Says(word)))["small"] == UNKNOWN


def test_nor_is_it_said_that_something_is_impossible(context: ProofContext) -> None:
    """There is a start, whoever says there is none."""
    found = answered(context.terms, begins(context), Says(UNSAT))
    assert results(found)["begins"] == UNKNOWN


def test_what_was_seen_to_fail_is_told(context: ProofContext) -> None:
    assert results(answered(context.terms, asked(context), Says(SAT)))["small"] == SAT


def test_what_nobody_worked_on_is_not_answered(context: ProofContext) -> None:
    def lazy(query: Query, problems: Sequence[Problem]) -> list[SolverResult]:
        return [SolverResult(UNSAT, None, 0.0)]

    query = asked(context)
    found = answered(context.terms, query, lazy)
    assert [each.name for each in found] == [each.name for each in query.goals[:1]]


def test_no_other_problem_stands_for_the_one_that_is_asked(context: ProofContext) -> None:
    """A problem is refuted only by itself, not by one that somebody makes of it."""

    def sly(query: Query, problems: Sequence[Problem]) -> list[SolverResult]:
        for each in problems:
            easy = Problem(each.assumed, each.terms.truth(False))
            assert easy.used() == ()
        return [SolverResult(UNSAT, None, 0.0) for _ in problems]

    assert results(answered(context.terms, asked(context), sly))["small"] == UNKNOWN


def test_what_holds_is_proved_and_the_outcome_says_what_it_covers(context: ProofContext) -> None:
    query = asked(context)
    found = GoalSlicer(ProverOptions(5), Cache(None)).answers(context, query)
    assert results(found) == {"whole": UNSAT, "small": SAT, "rises": UNSAT, "safe": UNSAT}
    for each in found:
        assert (each.transition, each.fixed) == ("more", ())
        assert [(o.part, o.transition, o.seat) for o in each.covers] == [("taken", "more", 1)]


def test_an_outcome_is_about_the_case_that_was_asked_about(context: ProofContext) -> None:
    more = context.instance.transitions["more"]
    query = preserved(context, more, {"p": 1, "twice": 1}, True)
    for each in answered(context.terms, query, Says(UNKNOWN)):
        assert each.fixed == (("twice", 1),)


def test_a_prover_that_only_says_so_proves_no_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = check_text("rising", TEXT).spec
    assert spec is not None

    def said(
        self: GoalSlicer,
        context: ProofContext,
        query: Query,
        problems: Sequence[Problem],
        *_: object,
    ) -> list[SolverResult]:
        return Says(UNSAT)(query, problems)

    monkeypatch.setattr(GoalSlicer, "work", said)
    worker = Worker({None: spec}, ProverOptions(5), Cache(None))
    jobs = [each for each in jobs_for(spec, ONE, first=False) if each.kind in INDUCTION]
    outcomes = [each for job in jobs for each in worker.run(job) if each.name == "small"]
    found = entry(spec, 1, "small", "invariant", outcomes)
    assert found.rests is None
    assert [each.transition for each in found.open] == ["more"]
