"""Every kind of mistake is made, also in what rules share; and what shows it really does."""

from __future__ import annotations

import pytest

from rulewright.conform.inputs.test_cases import Situation
from rulewright.conform.mutation.dependencies import RESULT, DependencyGraph
from rulewright.conform.mutation.judgement import REFUSED, RuleJudge, said_by
from rulewright.conform.mutation.moved_statements import EARLY, EXCHANGED
from rulewright.conform.mutation.mutants import mutants
from rulewright.conform.vectors.solver_vectors import VectorSolver
from rulewright.play.semantics.instance import Configuration
from tests.conform.conftest import oracles

KINDS = {
    "number one too high": ("qwixx", "may_cross.five_first", "one more: 6 for 5"),
    "number one too low": ("qwixx", "may_cross.five_first", "one less: 4 for 5"),
    "comparison weaker": ("qwixx", "may_cross.left_to_right", "weaker: less_equal for less"),
    "comparison stricter": ("twenty_one", "write.not_higher", "stricter: less for less_equal"),
    "comparison turned": ("qwixx", "may_cross.left_to_right", "turned: greater for less"),
    "condition left out": ("qwixx", "may_cross.row_open", "left out"),
    "part of a condition left out": (
        "qwixx",
        "end_first_action.last_row",
        "`and` without its left side",
    ),
    "statement forgotten": ("qwixx", "pass_colour.take_misthrow", "forgotten"),
    "statement done twice": ("qwixx", "pass_colour.take_misthrow", "done twice"),
    "wrong player": ("qwixx", "pass_colour.take_misthrow", "the left neighbour instead"),
    "wrong row": ("qwixx", "may_cross.row_open", "the next Colour instead"),
    "wrong way round the table": ("qwixx", "end_turn.next_active", "right_of for left_of"),
    "function": ("qwixx", "white_sum", "turned: subtract for add"),
    "number in a table": ("twenty_one", "bonus", "one less: 14 for 15 at [5]"),
    "name in a table": ("qwixx", "colour", "yellow for red at [red][1]"),
    "score": ("qwixx", "points", "one more: 2 for 1 at [1]"),
    "winners": ("qwixx", "wins", "turned: less for greater"),
}


def mutant_of(name, label, what):
    return next(
        each for each in mutants(oracles(name).spec) if (each.label, each.what) == (label, what)
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_mistake_has_a_situation_that_shows_it(kind):
    name, label, what = KINDS[kind]
    mutant = mutant_of(name, label, what)
    book = oracles(name)
    found = VectorSolver(book, [Configuration(players, (), None) for players in (2, 3)]).tell(
        mutant
    )
    assert isinstance(found, Situation)
    right, wrong = (RuleJudge(each, found.oracle) for each in (book.spec, mutant.spec))
    assert right.says(found, True) != wrong.says(found, True)
    assert said_by(book.spec, found) != said_by(mutant.spec, found)
    assert (said_by(book.spec, found) == REFUSED) == (found.refused_by is not None)


def test_a_table_keeps_to_its_range():
    what = {each.what for each in mutants(oracles("qwixx").spec) if each.label == "number"}
    assert "one more: 3 for 2 at [red][1]" in what
    assert not any(each.startswith(("one less: 1 ", "one more: 13 ")) for each in what)


def test_what_only_proposes_moves_is_not_changed():
    labels = {each.label for each in mutants(oracles("kubbar").spec)}
    assert "is_run" in labels and "bare_spot" not in labels


def test_what_a_rule_leans_on_is_found_at_any_depth():
    dependencies = DependencyGraph(oracles("twenty_one").spec)
    noting = [name for name, used in dependencies.of.items() if "effect note_points" in used]
    assert noting and all("table bonus" in dependencies.of[name] for name in noting)
    assert "table points" in DependencyGraph(oracles("qwixx").spec).of[RESULT]


def test_squares_and_ways_are_mistaken_too():
    made = {(each.label, each.what) for each in mutants(oracles("matte_kryss").spec)}
    assert ("lay.empty", "the square to the right instead") in made
    assert ("fits", "the next Direction instead") in made


def test_only_what_goes_on_from_what_is_there_is_done_twice():
    made = {(each.label, each.what) for each in mutants(oracles("qwixx").spec)}
    assert ("end_turn.next_active", "done twice") in made
    assert ("end_first_action", "done twice") not in made


def test_what_a_step_does_may_be_done_too_early():
    early = [each for each in mutants(oracles("qwixx").spec) if each.what == EARLY]
    (closing,) = early
    assert closing.label == "end_first_action.close_rows" and "play.order" in closing.clauses
    bodies = {each.name: each.body for each in closing.spec.transitions}
    original = {each.name: each.body for each in oracles("qwixx").spec.transitions}
    assert len(bodies["end_first_action"]) == len(original["end_first_action"]) - 1
    assert len(bodies["pass_sum"]) == len(original["pass_sum"]) + 1
    assert bodies["cross_colour"] == original["cross_colour"]


def test_statements_that_bear_on_each_other_may_change_places():
    labels = {each.label for each in mutants(oracles("qwixx").spec) if each.what == EXCHANGED}
    assert {"cross_colour", "pass_colour"} <= labels
