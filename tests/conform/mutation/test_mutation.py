"""The mutation benchmark: it makes every small mistake, and those that matter are found."""

from __future__ import annotations

import os

import pytest

from benchmarks.harness.recorded import Recorder, answers_alike
from benchmarks.mutation import ENGINES, judged, killed_by, mistakes, mutants_of
from rulewright.conform.engine.python_engine import PythonEngine
from rulewright.conform.stages.conformance import Plan
from rulewright.conform.stages.runner import ConformanceRun
from rulewright_engines.qwixx import Qwixx
from tests.conform.conftest import oracles

SOURCE = '''
def may(player: int, points: int) -> bool:
    """Whether a player may go on."""
    if points + 1 < 21 and not player:
        raise ValueError(f"{points + 1} points")
    return True
'''


def test_every_mistake_is_made_once():
    made = {what.split(":")[0] for _, what, _ in mistakes(SOURCE)}
    assert made == {
        "LtE", "GtE", "Sub", "2", "0", "22", "20", "Or", "no not", "left out",
        "return nothing", "the opposite",
    }  # fmt: skip


@pytest.mark.parametrize("game", ENGINES)
def test_there_are_mutants_of_every_engine(game):
    assert len(mutants_of(game)) > 200


def test_a_mistake_is_found_and_the_engine_left_as_it_was():
    from rulewright_engines.qwixx import LAST

    (mutant,) = (each for each in mutants_of("qwixx") if each.what == "12: 11")
    assert str(mutant).startswith("engines/rulewright_engines/qwixx.py:")
    verdict = judged(mutant, lambda it: killed_by(it, oracles("qwixx"), 2, ["examples"]))
    assert verdict.stage in ("start", "examples") and verdict.how
    from rulewright_engines.qwixx import LAST as AGAIN

    assert LAST == AGAIN == 11


@pytest.mark.parametrize(
    ("judge", "stage"),
    [
        (lambda _: ("games", "refused"), "games"),
        (lambda _: None, None),
        (lambda _: os._exit(3), "fault"),
    ],
)
def test_a_mutant_has_a_process_of_its_own(judge, stage):
    assert judged(mutants_of("qwixx")[0], judge).stage == stage


def test_functions_are_left_out_by_name():
    assert not list(mistakes(SOURCE, ["may"]))
    assert not any("as_event" in each.what for each in mutants_of("kubbar"))


def recorded(stage: str):
    """What the right engine is asked and answers in a stage."""
    with PythonEngine.of(Qwixx) as engine:
        recorder = Recorder(engine)
        assert (
            ConformanceRun(oracles("qwixx"), recorder, Plan(games=2)).stage(stage).finding is None
        )
        return {stage: recorder.record()}


def test_an_engine_that_answers_as_recorded_is_not_held_to_the_spec_again():
    asked = recorded("examples")
    with PythonEngine.of(Qwixx) as engine:
        assert answers_alike(engine, asked["examples"])
    every = mutants_of("qwixx")
    name = next(each for each in every if "NAME" in each.what)
    last = next(each for each in every if each.what == "12: 11")
    for mutant in (name, last):
        verdict = killed_by(mutant, oracles("qwixx"), 2, ["examples"])
        assert killed_by(mutant, oracles("qwixx"), 2, ["examples"], asked) == verdict
    assert killed_by(name, oracles("qwixx"), 2, ["examples"], asked) is None


def test_what_differs_from_a_record_counts_only_if_the_spec_says_so():
    """An answer that is another and yet right, such as moves in another order."""
    record = recorded("examples")["examples"]
    other = record._replace(asked=[each._replace(answer="another") for each in record.asked[:1]])
    mutant = next(each for each in mutants_of("qwixx") if "NAME" in each.what)
    assert killed_by(mutant, oracles("qwixx"), 2, ["examples"], {"examples": other}) is None


def test_games_are_recorded():
    verbs = {each.verb for each in recorded("games")["games"].asked}
    assert verbs >= {"new", "apply", "legal"}


def test_an_engine_that_can_do_more_is_asked_more():
    record = recorded("examples")["examples"]
    with PythonEngine.of(Qwixx) as engine:
        assert not answers_alike(engine, record._replace(can=record.can - {"legal"}))
