"""Positions that nobody played, and what worked examples try under other readings."""

from __future__ import annotations

from random import Random

import pytest

from rulewright.conform.inputs.board_changes import both
from rulewright.conform.inputs.perturbed_states import is_allowed, perturbed_states
from rulewright.conform.inputs.test_cases import SituationPool, collect_tried
from rulewright.conform.mutation.mutants import mutants
from rulewright.conform.stages.examples import examples, tried
from rulewright.conform.vectors.find_vectors import VectorCollector
from rulewright.meaning import types as y
from rulewright.play.semantics.instance import Configuration
from rulewright.play.semantics.rules import broken_invariants
from rulewright.play.semantics.values import SparseMap
from rulewright.simulate.compiled.compiled_game import Happening
from rulewright.syntax.node import replace
from tests.conform.conftest import oracles


def tried_under(game: str, name: str, *readings: tuple[str, str]) -> VectorCollector:
    """What an example tries, gathered under some readings."""
    book = oracles(game)
    example, setup = next(each for each in examples(book) if each[0].name == name)
    oracle = book.oracle(replace(setup, readings=readings))
    found = SituationPool()
    for state, events in tried(example, oracle):
        collect_tried(oracle, state, events, 0, found)
    found.sort()
    return VectorCollector(found, book.spec)


@pytest.mark.parametrize("game", ["kubbar", "matte_kryss"])
def test_tiles_change_places_and_none_is_lost(game):
    oracle = oracles(game).oracle(Configuration(2, (), None))
    random = Random(2)
    state = oracle.begin(random)
    changed = set()
    for _ in range(80):
        other = perturbed_states(oracle, state, random)
        if other is not None:
            position = oracle.position(other)
            assert not broken_invariants(oracle.instance, position)
            before = oracle.position(state)
            changed |= {name for name in position if position[name] != before[name]}
        event = oracle.machine.choose(state, random)
        assert event is not None
        state, _ = oracle.take(state, event)
    assert {"rack", {"kubbar": "bag", "matte_kryss": "pile"}[game]} <= changed


def test_two_layings_are_made_into_one():
    oracle = oracles("kubbar").oracle(Configuration(2, (), None))
    lay = next(
        number for number, each in enumerate(oracle.instance.spec.transitions) if each.name == "lay"
    )
    state = oracle.begin()
    type = oracle.instance.spec.transitions[lay].params[0].type
    assert isinstance(type, y.Map) and isinstance(type.value, y.Option)
    order, tiles = oracle.instance.order(type.key), list(oracle.instance.order(type.value.inner))
    squares = list(order)

    def laid(by: int, *places: int) -> Happening:
        board = SparseMap(order, {squares[place]: tiles[place] for place in places})
        return (lay, by, oracle.machine.portable.raw(board, type))

    assert both(oracle, state, laid(1, 5), laid(1, 9)) == laid(1, 5, 9)
    assert both(oracle, state, laid(1, 5), laid(2, 9)) is None


@pytest.mark.parametrize(
    ("game", "example", "label", "what"),
    [
        ("kubbar", "groups_of_others", "founding.one_each", "left out"),
        # the example has a reading of its own, under which nothing is wrong with it
        ("matte_kryss", "equal_lots_chance", "begin.first_of_equals", "left out"),
    ],
)
def test_what_an_example_tries_shows_a_mistake(game, example, label, what):
    shown = tried_under(game, example)
    mutant = next(
        each for each in mutants(oracles(game).spec) if (each.label, each.what) == (label, what)
    )
    shown.by_play(mutant)
    found = shown.by(mutant)
    assert found is not None and found.refused_by == mutant.requirement


def test_what_only_a_reading_allows_is_looked_at_under_it():
    """Nobody objects as the rules are usually read, and what is mistaken names no reading."""
    shown = tried_under("matte_kryss", "challenged", ("wrong_result", "challenged"))
    wanted = [
        each
        for each in mutants(oracles("matte_kryss").spec)
        if each.label == "object.another" and each.what == "left out"
    ]
    for mutant in wanted:
        shown.by_play(mutant)
    assert [shown.by(each) is not None for each in wanted] == [True]


def test_an_example_stops_where_a_reading_does_not_allow_it():
    book = oracles("matte_kryss")
    example, setup = next(each for each in examples(book) if each[0].name == "challenged")
    usual = book.oracle(replace(setup, readings=()))
    known = book.oracle(setup)
    assert 0 < len(list(tried(example, usual))) < len(list(tried(example, known)))
    assert all(is_allowed(usual, state) for state, _ in tried(example, usual))
