"""Mistakes that are none are proved to be none, on big boards as well; real ones never are."""

from __future__ import annotations

import pytest

from checker.conform.alike import Alike
from checker.conform.mutants import mutants
from checker.conform.parting import Original
from checker.conform.referee import Setup
from checker.conform.solved import Equivalent, Finder
from checker.vc.context import Setting
from tests.conform.conftest import rulebook


def mutant_of(name, label, what, at=0):
    found = [
        each for each in mutants(rulebook(name).spec) if (each.label, each.what) == (label, what)
    ]
    return found[at]


def leans_on(name, label, what, at=0):
    original = Original(rulebook(name).spec, Setting(2, (), None))
    return Alike().leans_on(original, mutant_of(name, label, what, at))


@pytest.mark.parametrize(
    ("game", "label", "what", "at", "invariant"),
    [
        ("matte_kryss", "can_give", "one more: 3 for 2", 0, "nothing_owed"),
        ("matte_kryss", "can_give", "the left neighbour instead", 0, "racks_filled"),
        ("kubbar", "round_ends.over_now", "left out", 0, "skips_counted"),
        ("kubbar", "round_ends.over_now", "turned: unequal for equal", 0, "one_goes_out"),
        # what `passed` leaves undone the next step does
        ("kubbar", "passed", "forgotten", -1, "skips_counted"),
    ],
)
def test_what_the_invariants_rule_out_is_no_mistake(game, label, what, at, invariant):
    assert invariant in leans_on(game, label, what, at)


def test_other_requirements_rule_a_mistake_out():
    assert leans_on("kubbar", "new_line", "one less: 2 for 3") is not None


@pytest.mark.parametrize(
    ("game", "label", "what"),
    [
        ("matte_kryss", "earns_fifty", "one less: 6 for 7"),
        ("kubbar", "force.three_left", "left out"),
        ("kubbar", "round_ends.match_over", "forgotten"),
    ],
)
def test_a_real_mistake_is_not_proved_to_be_none(game, label, what):
    book = rulebook(game)
    setups = [
        Setup(2, (), None),
        *(
            Setup(2, ((each.name, option.name),), None)
            for each in book.spec.readings
            for option in each.options
            if option.name != each.default
        ),
    ]
    assert not isinstance(Finder(book, setups)._proved(mutant_of(game, label, what)), Equivalent)
