"""What the solver says of a mutant: the smallest situation that shows it, or that there is none."""

from __future__ import annotations

import pytest

from rulewright.conform.inputs.test_cases import SOLVED, Situation
from rulewright.conform.mutation.engine_slips import engine_mistakes
from rulewright.conform.mutation.mutants import mutants
from rulewright.conform.vectors.find_vectors import find_vectors
from rulewright.conform.vectors.solver_vectors import GIVEN_UP, Equivalent, Undecided, VectorSolver
from rulewright.play.semantics.instance import Configuration
from rulewright.play.semantics.rules import broken_invariants, failing
from rulewright.vc.difference import NOBODY
from tests.conform.conftest import oracles


def told(name, label, what):
    book = oracles(name)
    mutant = next(each for each in mutants(book.spec) if (each.label, each.what) == (label, what))
    return VectorSolver(book, [Configuration(2, (), None)]).tell(mutant)


def test_the_position_is_the_smallest_that_shows_it():
    found = told("qwixx", "may_cross.five_first", "one more: 6 for 5")
    assert isinstance(found, Situation) and found.origin == SOLVED
    position = found.position()
    crossed = [len(row) for query in position["crossed"].values() for row in query.values()]
    assert sum(crossed) == 5
    assert position["misthrows"] == {1: 0, 2: 0} and not position["closed"]
    instance = found.oracle.instance
    assert not broken_invariants(instance, position)
    assert not failing(instance, position, found.as_event())


def test_a_requirement_that_is_left_out_decides_alone():
    found = told("qwixx", "may_cross.row_open", "left out")
    refused = failing(found.oracle.instance, found.position(), found.as_event())
    assert [each.label for each in refused] == ["may_cross.row_open"]


def test_a_step_shows_by_the_event_that_sets_it_off():
    found = told("qwixx", "end_first_action.second", "forgotten")
    assert found.as_event().name in ("cross_sum", "pass_sum")


@pytest.mark.parametrize(
    ("label", "what", "given"),
    [
        ("cross_colour.is_die_sum", "all for some", "die_of_closed"),
        ("end_first_action.phase", "left out", NOBODY),
    ],
)
def test_no_mistake_at_all_is_proved(label, what, given):
    found = told("qwixx", label, what)
    assert isinstance(found, Equivalent)
    assert given in found.given


@pytest.mark.parametrize(
    ("game", "label", "what"),
    [
        ("twenty_one", "end_game.phase", "left out"),
        ("twenty_one", "next_turn.none_done", "left out"),
        ("twenty_one", "next_turn.none_done", "all for some"),
        # what another step has ruled out needs no solver, however big it is
        ("matte_kryss", "next_turn.goes_on", "left out"),
        # an effect that only a step performs
        ("kubbar", "new_round", "the left neighbour instead"),
    ],
)
def test_a_step_that_is_never_felt_is_seen_without_what_leads_there(game, label, what):
    assert isinstance(told(game, label, what), Equivalent)


def test_what_stays_open_says_why(monkeypatch):
    monkeypatch.setattr("rulewright.conform.vectors.solver_vectors.WORK", 5)
    found = told("qwixx", "may_cross.five_first", "one more: 6 for 5")
    assert isinstance(found, Undecided) and found.why == GIVEN_UP


def test_the_same_question_has_the_same_answer():
    one, other = (told("qwixx", "may_cross.left_to_right", "left out") for _ in range(2))
    assert (one.state, one.event) == (other.state, other.event)


def test_every_mutant_of_a_small_game_is_decided():
    vectors = find_vectors(oracles("pig"), games=2)
    assert not vectors.undecided and not vectors.equivalent
    shown = {(each.label, one.what) for each in vectors.found for one in each.shows}
    assert shown == {(each.label, each.what) for each in engine_mistakes(oracles("pig").spec)}
    assert {each.situation.origin for each in vectors.found} >= {SOLVED}
