"""`conform` tells engines apart as reading their code does: with and without `load`, with two
players only, with part of their state reported."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.conform.engine.python_engine import PythonEngine
from rulewright.conform.oracle.answer_order import checked_start
from rulewright.conform.oracle.configurations import Oracles
from rulewright.conform.stages.conformance import Conformance, Plan
from rulewright.conform.stages.runner import ConformanceRun
from rulewright.conform.stages.vector_stage import vector_lines
from rulewright.frontend import read
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import Configuration
from tests.conform.stages import authors_engines as engines


@cache
def rows() -> Oracles:
    return Oracles(read(Path(__file__).parent / "rows.rules"))


@cache
def rows_in_turn() -> Oracles:
    oracles = Oracles(rows().checked, "1")
    header, lines = vector_lines(rows(), 0)
    oracles.vectors[0] = [header, *lines]
    return oracles


def run(engine: type, **plan: object) -> Conformance:
    oracles = rows_in_turn() if plan.get("in_turn") else rows()
    with PythonEngine.of(engine) as opened:
        return ConformanceRun(oracles, opened, Plan(**{"games": 20, **plan})).run()  # type: ignore[arg-type]


def messages(conformance: Conformance) -> list[str]:
    found = [each.message for stage in conformance.stages for each in stage.findings]
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("engine", [engines.Rows, engines.CanLoad, engines.RightInSecret])
def test_a_right_engine_conforms_and_every_mistake_was_tried(engine):
    conformance = run(engine)
    assert messages(conformance) == []
    assert conformance.tested is not None and conformance.tested.mistakes > 60
    if engine is engines.CanLoad:
        assert conformance.tested.untested == ()
    assert {each.why for each in conformance.tested.untested} <= {
        "the engine does not report `score`"
    }


def test_what_a_silent_engine_cannot_be_tested_for_is_listed():
    tested = run(engines.Silent).tested
    assert tested is not None and tested.untested
    assert tested.tried + len(tested.untested) == tested.mistakes
    assert all("does not report" in each.why for each in tested.untested)


@pytest.mark.parametrize(
    ("engine", "clauses"),
    [
        (engines.ClosesAtOnce, {"close.all"}),
        (engines.ClosesAtOnceInSecret, {"close.all", "close.done"}),
        (engines.TwoForThree, {"close.three"}),
    ],
)
def test_engines_that_are_wrong_deep_in_the_game_are_found_by_the_vectors_alone(engine, clauses):
    conformance = run(engine, stages=("vectors",))
    blamed = {
        clause
        for stage in conformance.stages
        for each in stage.findings
        for clause in each.blame.clauses
    }
    assert blamed & clauses, messages(conformance)


def test_what_went_wrong_unseen_some_events_ago_is_blamed():
    """The second player is refused what the first made impossible, in a variable that the engine
    keeps to itself."""
    conformance = run(engines.ClosesAtOnceInSecret, stages=("vectors",), first=True)
    (found,) = (each for stage in conformance.stages for each in stage.findings)
    assert found.kind == "refused" and not found.blame.is_guess
    assert (found.blame.requirement, found.blame.others) == ("all_answered.close", ())


def test_a_run_that_did_not_find_all_mistakes_in_time_has_no_verdict():
    """Whoever looks for vectors and is ended has some of them, and the run is over."""
    header, *lines = vector_lines(rows(), 0)[0], *vector_lines(rows(), 0)[1]
    oracles = Oracles(rows().checked)
    oracles.vectors[0] = [{**header, "stopped": "it was ended by a signal"}, *lines[:5]]
    with PythonEngine.of(engines.CanLoad) as opened:
        conformance = ConformanceRun(oracles, opened, Plan(("vectors",))).run()
    assert conformance.stopped == "it was ended by a signal"
    assert conformance.tested is not None and conformance.tested.untested


def test_what_one_game_leaves_to_the_next_is_said():
    found = messages(run(engines.KeepsClosedRows, stages=("games",)))
    assert any(each.startswith("the engine keeps something from the game before") for each in found)


def test_two_games_at_a_time_do_not_touch():
    assert messages(run(engines.Rows, stages=("games",))) == []
    found = run(engines.OneTableForAll, stages=("games",)).stages[0].findings
    assert [each.where for each in found] == ["two games at a time"]


def test_games_that_the_rules_do_not_know_do_not_begin():
    (found,) = messages(run(engines.AnyNumberOfPlayers, stages=("games",)))
    assert found == "the engine begins a game of 4 players, which the rules do not know"


def test_events_of_the_wrong_form_are_refused():
    found = messages(run(engines.TakesAnything, stages=("games",), games=60))
    assert found and all("the engine accepts `{" in each for each in found)


def test_all_differences_are_found_in_one_run():
    found = messages(run(engines.TwoFaults))
    assert any("close.three" in each for each in found)
    assert any("end.both" in each for each in found)
    assert len(messages(run(engines.TwoFaults, first=True))) == 1


def test_an_engine_that_asks_in_turn_is_held_to_games_in_that_order():
    assert messages(run(engines.AsksInTurn, stages=("games",)))
    right = run(engines.AsksInTurn, in_turn="1")
    assert messages(right) == []
    assert right.tested is not None and right.tested.tried > 40
    found = messages(run(engines.AsksInTurnAndClosesAtOnce, in_turn="1"))
    assert any("close" in each for each in found)


def test_a_known_game_is_played_with_its_answers_in_order():
    oracle = rows_in_turn().oracle(Configuration(2, (), None))
    assert oracle.order is not None
    written: list[dict[str, Any]] = [
        {"chance": "fall", "args": {"n": 2}},
        {"move": "cross", "by": 2, "args": {"row": "red"}},
        {"move": "pass", "by": 1, "args": {}},
        {"chance": "fall", "args": {"n": 3}},
    ]
    game = [each for each in map(oracle.parse, written) if each]
    found = oracle.order.arranged(oracle.begin(), game)
    assert [each[1] for each in found] == [None, 1, 2, None] and set(found) == set(game)
    assert oracle.order.arranged(oracle.begin(), game[1:]) == game[1:]  # nobody can answer yet


def test_where_the_order_begins_is_checked():
    spec = rows().spec
    assert checked_start(spec, "1") == "1"
    with pytest.raises(UsageError, match="`nobody` is no variable that names a player"):
        checked_start(spec, "nobody")
