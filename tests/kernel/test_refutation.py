"""Each rule by which something is refuted, and that nothing else refutes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

from rulewright.kernel.refutation import Alternative, Problem, SolverQuestion, parted
from rulewright.smt.encode.sum_axioms import for_all
from rulewright.smt.solver.smtlib import LabelledAssertion, script
from rulewright.smt.solver.solver import SAT, UNKNOWN, UNSAT, Z3, SolverAnswer
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.term import FALSE, Term
from tests.smt.meaning import World


class Says:
    """Terms to say things with: three truths and a number from 0 to 2."""

    def __init__(self) -> None:
        self.terms = TermBuilder()
        self.a, self.b, self.c = (self.terms.flag(name) for name in "abc")
        self.n = self.terms.unknown("n", 0, 2)

    def problem(self, denied: Term, **assumed: Term) -> Problem:
        labelled = [LabelledAssertion(label, term) for label, term in assumed.items()]
        return Problem(parted(self.terms, labelled), denied)

    def equals(self, number: int) -> Term:
        return self.terms.equal(self.n, self.terms.number(number))


@pytest.fixture
def says() -> Says:
    return Says()


def z3(question: SolverQuestion) -> SolverAnswer:
    """Asks the solver."""
    text = script(question.asserted, facts=question.facts, any_product=question.any_product)
    return Z3(text.text).check(text.switches, 10)


# ---- Rule SIGHT


def test_what_cannot_hold_needs_no_assumption(says: Says) -> None:
    assert says.problem(FALSE, one=says.a).used() == ()


def test_an_assumption_that_cannot_hold_is_named(says: Says) -> None:
    assert says.problem(says.b, one=says.a, other=FALSE).used() == ("other",)


def test_nothing_is_refuted_before_anything_was_looked_at(says: Says) -> None:
    problem = says.problem(says.a, one=says.terms.no(says.a))
    assert problem.used() is None
    assert problem.ways() == [] and problem.used() == ("one",)


def test_an_assumption_excludes_a_way_at_sight(says: Says) -> None:
    both, either, no = says.terms.both, says.terms.any_of, says.terms.no
    a, b, c = says.a, says.b, says.c
    contradicted = [
        (both(a, b), no(b)),  # one part fails
        (no(either(a, b)), a),  # one part holds
        (a, both(no(a), c)),  # a part of the assumption says so
        (both(c, no(both(a, b))), both(a, b)),  # the assumption says all of a part
    ]
    for denied, assumed in contradicted:
        problem = says.problem(denied, other=c, one=assumed)
        assert problem.ways() == [] and problem.used() == ("one",), denied


def test_what_only_resembles_a_contradiction_is_none(says: Says) -> None:
    both, either, no = says.terms.both, says.terms.any_of, says.terms.no
    a, b, c = says.a, says.b, says.c
    consistent = [
        (either(a, b), no(b)),  # the other way is left
        (no(both(a, b)), a),
        (both(a, b), either(no(a), no(c))),
        (both(c, no(both(a, b))), a),  # only one of the parts is said
        (either(no(both(a, b)), c), both(a, no(c))),  # one part may still fail
        (no(both(no(either(a, b)), c)), both(no(a), c)),  # one part may still hold
        (a, b),
    ]
    for denied, assumed in consistent:
        problem = says.problem(denied, one=assumed)
        assert problem.ways() and problem.used() is None, denied


# ---- Rule WAYS


def _two_ways(says: Says) -> tuple[Problem, list[Alternative]]:
    """A problem with two ways in which it could hold, a third is excluded at sight."""
    either = says.terms.either((says.a, says.b, says.c))
    problem = says.problem(
        either,
        no_c=says.terms.no(says.c),
        not_a=says.terms.no(says.terms.both(says.a, says.terms.no(says.c))),
        not_b=says.terms.no(says.terms.both(says.b, says.terms.no(says.c))),
    )
    ways = problem.ways()
    assert [way.term for way in ways] == [says.a, says.b]
    return problem, ways


def test_all_ways_together_prove_and_the_excluded_ones_are_named(says: Says) -> None:
    problem, (a, b) = _two_ways(says)
    first, second = problem.by_ways([[a], [b]])
    first.ask(first.question(), z3)
    assert first.used() is not None and problem.used() is None  # the other is left
    second.ask(second.question(), z3)
    assert set(problem.used() or ()) == {"no_c", "not_a", "not_b"}


@pytest.mark.parametrize("kept", [[], [0], [1]])
def test_groups_that_leave_a_way_out_are_refused(says: Says, kept: list[int]) -> None:
    problem, ways = _two_ways(says)
    with pytest.raises(AssertionError, match="the groups are not the ways"):
        problem.by_ways([[ways[number]] for number in kept])
    assert problem.used() is None


def test_a_group_with_a_way_of_somebody_else_is_refused(says: Says) -> None:
    problem, ways = _two_ways(says)
    with pytest.raises(AssertionError, match="the groups are not the ways"):
        problem.by_ways([ways, [Alternative(FALSE, True)]])
    with pytest.raises(AssertionError, match="the groups are not the ways"):
        problem.by_ways([[Alternative(FALSE, True), Alternative(FALSE, True)]])
    assert problem.used() is None


def test_ways_that_somebody_made_up_are_refused(says: Says) -> None:
    problem = says.problem(says.a, one=says.b)  # both can hold
    problem.ways()
    with pytest.raises(AssertionError, match="the groups are not the ways"):
        problem.by_ways([])
    assert problem.used() is None


def test_parts_put_together_count_for_each_of_them(says: Says) -> None:
    problem, (a, b) = _two_ways(says)
    first, second = problem.by_ways([[a], [b]])
    one = problem.together([first, second])
    assert one.used() is None and problem.used() is None
    one.ask(one.question(), z3)
    assert problem.used() is not None and first.used() is None


def test_parts_that_are_not_put_together_are_still_needed(says: Says) -> None:
    three = says.terms.either((says.a, says.b, says.c))
    problem = says.problem(three, one=says.terms.at_most(says.n, says.terms.number(1)))
    ways = problem.ways()
    a, b, c = problem.by_ways([[way] for way in ways])
    one = problem.together([a, b])
    one.ask(one.question(), lambda _: SolverAnswer(UNSAT, core=("h0",)))
    assert one.used() == ("one",) and problem.used() is None  # the third is left
    c.ask(c.question(), lambda _: SolverAnswer(UNSAT, core=()))
    assert problem.used() == ("one",)
    stranger = says.problem(FALSE)
    with pytest.raises(AssertionError, match="not parts of this problem"):
        problem.together([stranger])


def test_a_way_is_taken_apart_into_ways_that_are_all_there_are() -> None:
    """Where `or(rest, and(parts))` fails, `or(rest, part)` fails for one of the parts."""
    terms = TermBuilder()
    rest = terms.flag("rest")
    boards = [
        for_all(terms, range(3), lambda key, name=name: terms.equal(  # type: ignore[misc]
            terms.apply(name, key, 0, 1), terms.number(1)))
        for name in ("one", "two")
    ]  # fmt: skip
    denied = terms.no(terms.any_of(rest, terms.every(boards)))
    problem = Problem(parted(terms, [LabelledAssertion("one", boards[0])]), denied)
    first, second = ways = problem.ways()
    assert all(way.alone and not way.holds for way in ways)
    assert [way.term for way in ways] == [terms.any_of(rest, board) for board in boards]
    parts = problem.by_ways([[first], [second]])
    for part in parts:
        part.ask(part.question(), z3)
    assert [part.used() for part in parts] == [("one",), None]
    assert problem.used() is None


# ---- Rule CASES


def test_all_cases_together_prove(says: Says) -> None:
    no, both = says.terms.no, says.terms.both
    assumed = {f"not_{number}": no(both(says.a, says.equals(number))) for number in range(3)}
    problem = says.problem(says.a, **assumed)
    parts = problem.by_cases([says.n])
    assert len(parts) == 3
    for place, part in enumerate(parts):
        assert problem.used() is None
        assert part.ways() == [] and part.used() == (f"not_{place}",)
    assert problem.used() == ("not_0", "not_1", "not_2")


def test_a_case_in_which_it_can_be_is_left(says: Says) -> None:
    problem = says.problem(
        says.a,
        not_0=says.terms.no(says.equals(0)),
        not_2=says.terms.no(says.terms.both(says.a, says.equals(2))),
    )
    zero, one, two = problem.by_cases([says.n])
    assert zero.used() == ("not_0",)  # the case itself cannot be
    assert two.ways() == [] and two.used() == ("not_2",)
    assert one.ways() and one.used() is None
    assert one.ask(one.question(), z3).result == SAT
    assert problem.used() is None


def test_two_unknowns_have_a_case_for_each_pair(says: Says) -> None:
    other = says.terms.unknown("m", 1, 2)
    assert len(says.problem(says.a).by_cases([says.n, other])) == 6


# ---- Rule WEAKER


def test_what_follows_from_some_assumptions_follows_from_all(says: Says) -> None:
    problem = says.problem(
        says.a, near=says.terms.no(says.a), far=says.terms.any_of(says.b, says.c)
    )
    near = problem.about(says.a.unknowns)
    assert [label for label, _ in near.assumed.what] == ["near"]
    near.ask(near.question(), z3)
    assert problem.used() == ("near",)


def test_what_does_not_follow_from_some_assumptions_is_left_open(says: Says) -> None:
    either = says.terms.any_of
    problem = says.problem(
        says.a, one=either(says.terms.no(says.a), says.b), other=says.terms.no(says.b)
    )
    near = problem.about(says.a.unknowns)
    assert near.assumed.what == ()
    assert near.ask(near.question(), z3).result == SAT
    assert near.used() is None and problem.used() is None
    problem.ask(problem.question(), z3)
    assert set(problem.used() or ()) == {"one", "other"}


# ---- Rule SOLVER


def test_the_solver_names_the_assumptions_it_used(says: Says) -> None:
    less = says.terms.less
    problem = says.problem(
        less(says.n, says.terms.number(1)),
        idle=says.b,
        high=less(says.terms.number(1), says.n),
    )
    assert problem.ask(problem.question(), z3).result == UNSAT
    assert problem.used() == ("high",)


@pytest.mark.parametrize("word", [SAT, UNKNOWN, "", "UNSAT"])
def test_any_other_word_of_the_solver_proves_nothing(says: Says, word: str) -> None:
    problem = says.problem(says.a, one=says.b)
    problem.ask(problem.question(), lambda _: SolverAnswer(word, core=("h0",)))
    assert problem.used() is None


def test_what_the_denied_term_alone_contradicts_uses_nothing(says: Says) -> None:
    problem = says.problem(says.a, one=says.b, other=says.c)
    problem.ask(problem.question(), lambda _: SolverAnswer(UNSAT, core=("h2",)))  # the denied term
    assert problem.used() == ()


def test_instances_stand_for_quantifiers() -> None:
    terms = TermBuilder()
    key = terms.unknown("key", 0, 99)

    def low(at: Term) -> Term:
        return terms.at_most(terms.apply("board", at, 0, 9), terms.number(3))

    assumed = [LabelledAssertion("all_low", for_all(terms, range(100), low))]
    problem = Problem(parted(terms, assumed), terms.no(low(key)))
    question = problem.question(rounds=1)
    assert question.facts is not None
    assert "forall" not in script(question.asserted, facts=question.facts).text
    problem.ask(question, z3)
    assert problem.used() == ("all_low",)


# ---- all rules, in any order


def _random_term(says: Says, random: Random, depth: int = 3) -> Term:
    if depth == 0 or random.random() < 0.2:
        return random.choice((says.a, says.b, says.c, *(says.equals(each) for each in range(3))))
    inner = [_random_term(says, random, depth - 1) for _ in range(2)]
    match random.randrange(4):
        case 0:
            return says.terms.no(inner[0])
        case 1:
            return says.terms.either(inner)
        case _:
            return says.terms.every(inner)


def _worlds() -> list[World]:
    return [
        World({"a": a, "b": b, "c": c, "n": n}, {})
        for a, b, c, n in product((0, 1), (0, 1), (0, 1), range(3))
    ]


def _work_on(says: Says, problem: Problem, random: Random, depth: int = 3) -> None:
    """Applies rules at random."""
    if problem.used() is not None or depth == 0:
        return
    parts: Sequence[Problem] = ()
    match random.randrange(4):
        case 0:
            ways = problem.ways()
            cut = random.randint(0, len(ways))
            groups = [group for group in (ways[:cut], ways[cut:]) if group]
            parts = problem.by_ways(groups) if ways else ()
            if len(parts) == 2 and random.random() < 0.3:
                parts = [problem.together(parts[:1]), *parts[1:]]
        case 1:
            parts = problem.by_cases([says.n])
        case 2:
            kept = random.sample((says.a, says.b, says.c, says.n), random.randint(1, 4))
            parts = [problem.about(sum(each.unknowns for each in kept))]
        case _:
            problem.ask(problem.question(), z3)
    for each in parts:
        _work_on(says, each, random, depth - 1)


def test_whatever_rules_are_applied_what_is_refuted_cannot_be() -> None:
    """Problems at random, rules at random, and all that the unknowns can be gone through."""
    worlds, proved, possible = _worlds(), 0, 0
    for seed in range(400):
        random, says = Random(seed), Says()
        assumed = {f"a{place}": _random_term(says, random) for place in range(3)}
        denied = _random_term(says, random)
        problem = says.problem(denied, **assumed)
        _work_on(says, problem, random)
        used = problem.used()
        if used is not None:
            named = [assumed[label] for label in used]
            assert not any(all(w.value(each) for each in (*named, denied)) for w in worlds), seed
            proved += 1
        else:
            possible += any(all(w.value(each) for each in (*assumed.values(), denied))
                            for w in worlds)  # fmt: skip
    assert proved > 50 and possible > 50
