"""Positions that nobody played, and what worked examples try under other readings."""

from __future__ import annotations

from random import Random

import pytest

from checker.conform.examples import examples, tried
from checker.conform.made_up import is_allowed, made_up
from checker.conform.mutants import mutants
from checker.conform.rearranged import both
from checker.conform.referee import Setup
from checker.conform.situations import Collection, collect_tried
from checker.conform.vectors import Shown
from checker.play.rules import broken_invariants
from checker.syntax.node import replace
from tests.conform.conftest import rulebook


def tried_under(game: str, name: str, *readings: tuple[str, str]) -> Shown:
    """What an example tries, gathered under some readings."""
    book = rulebook(game)
    example, setup = next(each for each in examples(book) if each[0].name == name)
    referee = book.referee(replace(setup, readings=readings))
    found = Collection()
    for state, events in tried(example, referee):
        collect_tried(referee, state, events, 0, found)
    found.sort()
    return Shown(found, book.spec)


@pytest.mark.parametrize("game", ["kubbar", "matte_kryss"])
def test_tiles_change_places_and_none_is_lost(game):
    referee = rulebook(game).referee(Setup(2, (), None))
    random = Random(2)
    state = referee.begin(random)
    changed = set()
    for _ in range(80):
        other = made_up(referee, state, random)
        if other is not None:
            position = referee.position(other)
            assert not broken_invariants(referee.instance, position)
            before = referee.position(state)
            changed |= {name for name in position if position[name] != before[name]}
        event = referee.machine.choose(state, random)
        assert event is not None
        referee.take(state, event)
    assert {"rack", {"kubbar": "bag", "matte_kryss": "pile"}[game]} <= changed


def test_two_layings_are_made_into_one():
    referee = rulebook("kubbar").referee(Setup(2, (), None))
    lay = next(
        number
        for number, each in enumerate(referee.instance.spec.transitions)
        if each.name == "lay"
    )
    state = referee.begin()
    assert both(referee, state, (lay, 1, {5: 1}), (lay, 1, {9: 2})) == (lay, 1, {5: 1, 9: 2})
    assert both(referee, state, (lay, 1, {5: 1}), (lay, 2, {9: 2})) is None


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
        each for each in mutants(rulebook(game).spec) if (each.label, each.what) == (label, what)
    )
    shown.by_play(mutant)
    found = shown.by(mutant)
    assert found is not None and found.refused_by == mutant.requirement


def test_what_only_a_reading_allows_is_looked_at_under_it():
    """Nobody objects as the rules are usually read, and what is mistaken names no reading."""
    shown = tried_under("matte_kryss", "challenged", ("wrong_result", "challenged"))
    wanted = [
        each
        for each in mutants(rulebook("matte_kryss").spec)
        if each.label == "object.another" and each.what == "left out"
    ]
    for mutant in wanted:
        shown.by_play(mutant)
    assert [shown.by(each) is not None for each in wanted] == [True]


def test_an_example_stops_where_a_reading_does_not_allow_it():
    book = rulebook("matte_kryss")
    example, setup = next(each for each in examples(book) if each[0].name == "challenged")
    usual = book.referee(replace(setup, readings=()))
    known = book.referee(setup)
    assert 0 < len(list(tried(example, usual))) < len(list(tried(example, known)))
    assert all(is_allowed(usual, state) for state, _ in tried(example, usual))
