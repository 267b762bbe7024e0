"""What is blamed on what: results on the table they come from, states on what they contradict; a
guess is said to be one."""

from __future__ import annotations

from typing import Any

from rulewright.conform.engine.python_engine import PythonEngine
from rulewright.conform.oracle.oracle import StateMismatch
from rulewright.conform.report.blame import for_beginning, for_score, for_state
from rulewright.conform.stages.conformance import Plan
from rulewright.conform.stages.runner import ConformanceRun
from rulewright.play.semantics.instance import Configuration
from rulewright.play.semantics.rules import apply, scores
from rulewright_engines.qwixx import Qwixx

TWO = Configuration(2, (), None)
DICE = {"red": 6, "yellow": 3, "green": 3, "blue": 3}
THROW = {"chance": "throw", "args": {"w": [[1, 4], [2, 1]], "d": DICE}}
CROSS = {"move": "cross_sum", "by": 1, "args": {"row": "red", "at": 4}}


def thrown(game):
    """The referee of two players, the position after a throw, and a legal cross."""
    oracle = game("qwixx").oracle(TWO)
    state, _ = oracle.take(oracle.first, oracle.parse(THROW))
    return oracle, oracle.position(state), oracle.event(oracle.parse(CROSS))


def mismatch(variable: str, value: Any, json: Any = None) -> StateMismatch:
    return StateMismatch(variable, "", "", value, json)


def test_a_wrong_entry_of_a_table_is_blamed_on_the_table(game):
    oracle, position, event = thrown(game)
    after = apply(oracle.instance, position, event)[-1].after
    right = scores(oracle.instance, after) or {}
    wrong = [[player, points + (player == 1)] for player, points in right.items()]
    blame = for_score(oracle, after, [mismatch("score", None, wrong)])
    assert "points" in (blame.requirement, *blame.others) and not blame.is_guess
    assert "score.table" in blame.clauses


def test_a_result_that_no_mistake_explains_is_a_guess_that_names_all_it_is_made_from(game):
    oracle, position, event = thrown(game)
    after = apply(oracle.instance, position, event)[-1].after
    blame = for_score(oracle, after, [mismatch("score", None, [[1, 77], [2, 55]])])
    assert blame.is_guess
    assert {"score", "crosses", "points"} <= {blame.requirement, *blame.others}


def test_a_state_that_no_mistake_explains_breaks_the_properties_it_contradicts(game):
    oracle, position, event = thrown(game)
    after = apply(oracle.instance, position, event)[-1].after
    crossed = {**after["crossed"], 1: {**after["crossed"][1], "red": frozenset({4, 9})}}
    blame = for_state(oracle, position, event, [mismatch("crossed", crossed)])
    assert blame.requirement == "sum_only" and blame.others == ("cross_sum",)  # and what wrote it
    assert blame.clauses == ("play.sum", "play.first", "cross.start", "cross.skip")
    assert not blame.is_guess


def test_what_nothing_speaks_for_is_said_to_be_a_guess(game):
    oracle, position, event = thrown(game)
    blame = for_state(oracle, position, event, [mismatch("coloured", dict.fromkeys(DICE, 1))])
    assert blame.is_guess


def test_a_wrong_beginning_is_blamed_on_the_variable(game):
    oracle = game("qwixx").oracle(TWO)
    blame = for_beginning(oracle, [mismatch("misthrows", {1: 1, 2: 0})])
    assert blame.requirement == "misthrows"


class ListsTwice(Qwixx):
    """Lists each move once for each die that makes it."""

    def legal(self):
        return [*super().legal(), *super().legal()]


ListsTwice.RULES = Qwixx.RULES


def test_a_move_that_is_listed_twice_is_not_said_to_be_refused(game):
    with PythonEngine.of(ListsTwice) as engine:
        plan = Plan(("examples",), first=True)
        finding = ConformanceRun(game("qwixx"), engine, plan).stage("examples").finding
    assert finding is not None and finding.message.endswith("twice")
    assert (finding.expected, finding.got) == ("listed once", "listed twice")


def test_a_difference_is_told_as_soon_as_there_is_one(game):
    told: list[str] = []
    with PythonEngine.of(ListsTwice) as engine:
        plan = Plan(("examples",), first=True)
        ConformanceRun(game("qwixx"), engine, plan, note=told.append).stage("examples")
    assert len(told) == 1 and told[0].startswith("differs: the engine lists `")
