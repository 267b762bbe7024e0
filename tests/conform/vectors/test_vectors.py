"""Test vectors: the same for a seed, true of the spec, and of use to somebody without it."""

from __future__ import annotations

import json

import pytest

from rulewright.conform.engine.python_engine import PythonEngine
from rulewright.conform.mutation.mutants import Mutant, mutants
from rulewright.conform.oracle.coverage import Coverage
from rulewright.conform.stages.vector_stage import try_vector
from rulewright.conform.vectors.find_vectors import find_vectors
from rulewright.conform.vectors.vector_file import lines_of, setup_of
from rulewright.meaning.core import Spec
from rulewright.play.io.json_codec import decode_event, decode_position, encode_position
from rulewright.play.semantics.rules import apply, broken_invariants, failing
from rulewright_engines.engine import IllegalError
from rulewright_engines.qwixx import Qwixx
from tests.conform.conftest import oracles

pytestmark = pytest.mark.slow


def first_mistakes(spec: Spec) -> list[Mutant]:
    """One mistake of each requirement and statement."""
    return list({each.label: each for each in reversed(mutants(spec))}.values())[::-1]


@pytest.fixture(scope="module")
def lines():
    """With few mistakes, games and questions to the solver, so that both find some quickly."""
    book = oracles("qwixx")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rulewright.conform.vectors.find_vectors.engine_mistakes", first_mistakes)
        patch.setattr("rulewright.conform.vectors.solver_vectors.MOST_WRITTEN", 1_000_000)
        return list(lines_of(book, find_vectors(book, seed=1, games=2), 1))


def test_every_requirement_has_a_vector(lines):
    shown = {line["requirement"] for line in lines[1:]}
    missed = {each["requirement"] for each in (*lines[0]["equivalent"], *lines[0]["undecided"])}
    assert {each.label for each in mutants(oracles("qwixx").spec)} <= shown | missed
    assert {"played", "solved"} <= {line["origin"] for line in lines[1:]}
    assert {"may_cross.row_open", "may_cross.five_first", "own_turn.is_active"} <= shown


def test_vectors_are_what_the_evaluator_says(lines):
    book = oracles("qwixx")
    for line in lines[1:]:
        instance = book.oracle(setup_of(line, book)).instance
        position = decode_position(line["position"], instance)
        assert not broken_invariants(instance, position)
        event = decode_event(line["event"], instance)
        refused = [each.label for each in failing(instance, position, event)]
        if line["expected"]["legal"]:
            after = apply(instance, position, event)[-1].after
            assert encode_position(after, instance) == line["expected"]["state"]
        else:
            assert refused == line["expected"]["refused_by"]


def test_vectors_can_be_used_without_the_checker(lines):
    """What the documentation tells engine authors to do."""
    engine = Qwixx()
    for line in map(json.loads, map(json.dumps, lines[1:])):
        engine.new(**line["setup"])
        engine.load(line["position"])
        try:
            engine.apply(line["event"])
        except IllegalError:
            assert not line["expected"]["legal"], line
        else:
            assert line["expected"]["legal"], line
            assert engine.state() == line["expected"]["state"]


def test_a_known_game_leads_to_the_position(lines):
    engine = Qwixx()
    with_games = [line for line in lines[1:] if line["game"] is not None]
    assert with_games
    for line in with_games:
        engine.new(**line["setup"])
        for event in line["game"]:
            engine.apply(event)
        assert engine.state() == line["position"]


def test_an_engine_that_cannot_load_is_played_to_the_position(lines):
    class NoLoad(Qwixx):
        load = None  # type: ignore[assignment]

    NoLoad.RULES = Qwixx.RULES
    book = oracles("qwixx")
    with PythonEngine.of(NoLoad) as engine:
        tried = [try_vector(line, book, engine, Coverage()) for line in lines[1:]]
    assert any(tried) and not all(tried)


def test_the_same_seed_finds_the_same_vectors():
    book = oracles("pig")
    one, other = (list(lines_of(book, find_vectors(book, 3), 3)) for _ in range(2))
    assert one == other
