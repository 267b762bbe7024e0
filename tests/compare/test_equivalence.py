"""Mistakes that are none are proved to be none, on big boards as well; real ones never are."""

from __future__ import annotations

import pytest

from rulewright.compare.equivalence import Equivalence
from rulewright.conform.mutation.difference_query import OriginalContext
from rulewright.conform.mutation.mutants import mutants
from rulewright.conform.oracle.configurations import Oracles
from rulewright.conform.vectors.solver_vectors import Equivalent, VectorSolver
from rulewright.frontend import check_text
from rulewright.kernel.comparison import Comparison
from rulewright.play.semantics.instance import Configuration
from rulewright.vc.conditions import SETTLED
from tests.conform.conftest import oracles


def mutant_of(name, label, what, at=0):
    found = [
        each for each in mutants(oracles(name).spec) if (each.label, each.what) == (label, what)
    ]
    return found[at]


def leans_on(name, label, what, at=0):
    """The labels that a proof uses, of all that there is to refute; None if none is found."""
    original = OriginalContext(oracles(name).spec, Configuration(2, (), None))
    known = [each for each in original.known if each.label != SETTLED]
    spec = mutant_of(name, label, what, at).spec
    ledger = Comparison(original.context.spec, spec, 2, safely=True)
    found = Equivalence().refuted(original.context, known, spec, ledger)
    return None if found is None else {label for _, each in found for label in each.used}


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
    book = oracles(game)
    setups = [
        Configuration(2, (), None),
        *(
            Configuration(2, ((each.name, option.name),), None)
            for each in book.spec.readings
            for option in each.options
            if option.name != each.default
        ),
    ]
    assert not isinstance(
        VectorSolver(book, setups)._proved(mutant_of(game, label, what)), Equivalent
    )


def told_of(text, label, what):
    """What is said of a mutant of a small game."""
    book = Oracles(check_text("g.rules", text))
    mutant = next(m for m in mutants(book.spec) if (m.label, m.what) == (label, what))
    return VectorSolver(book, [Configuration(2, (), None)]).tell(mutant)


BEGINS = """
game g "g"
    players 2..2
phase a, over final
state
    n: 0..3 = few()
fun few(): 0..3 = 1
move stop by p in a "stop"
    needs some_are_there "some": n >= 1 and few() >= 1
    does phase = over
invariant one_at_least "one": n >= 1
"""
ODDS = """
game g "g"
    players 2..2
phase a, over final
state
    n: 0..3 = 0
fun heavy(d: 1..2): 0..3 = 1 if d == 1 else 2
chance fall(d: 1..2) in a "fall"
    weight heavy(d)
    does phase = over
"""
WRITTEN = """
game g "g"
    players 2..2
phase a simultaneous, b, over final
state
    n: 0..3 = 0
move up by p in a "up"
    does n = 1
step all_in in a "all"
    when due "due": size(answered) == 2
    does phase = b
move raise by p in b "raise"
    does answered = {p}
move stop by p in b "stop"
    needs nobody "nobody": size(answered) == 0
    does phase = over
"""


@pytest.mark.parametrize(
    ("text", "label", "what"),
    [
        (BEGINS, "few", "one more: 2 for 1"),  # it shows only in how a game begins
        (ODDS, "heavy", "one more: 3 for 2"),  # it shows only in how likely something is
        (WRITTEN, "stop.nobody", "left out"),  # a spec may write to `answered` itself
    ],
)
def test_what_is_easily_missed_is_not_called_equivalent(text, label, what):
    assert not isinstance(told_of(text, label, what), Equivalent)
