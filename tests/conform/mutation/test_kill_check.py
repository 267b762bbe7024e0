"""What tells a mutant from the spec: with little compiled, and as the evaluator has it."""

from __future__ import annotations

from random import Random

import pytest

from rulewright.conform.inputs.near_misses import near_miss
from rulewright.conform.inputs.test_cases import SituationPool, collect
from rulewright.conform.mutation.judgement import said_by
from rulewright.conform.mutation.kill_check import KillChecker
from rulewright.conform.mutation.mutants import mutants
from rulewright.play.semantics.instance import Configuration
from tests.conform.conftest import oracles


def situations(name: str):
    found = SituationPool()
    collect(oracles(name).oracle(Configuration(2, (), None)), 0, found, games=1)
    every = [each for one in (*found.legal.values(), *found.refused.values()) for each in one]
    return Random(0).sample(every, min(len(every), 40))


@pytest.mark.parametrize(("name", "every"), [("pig", 1), ("qwixx", 20)])
def test_what_is_left_out_of_a_mutant_makes_no_difference(name, every):
    book = oracles(name)
    telling = KillChecker(book.spec)
    told = 0
    tried = situations(name)
    for mutant in mutants(book.spec)[::every]:
        for situation in tried:
            if telling.may_show(mutant, situation.transition.name):
                differs = said_by(mutant.spec, situation) != said_by(book.spec, situation)
                assert telling.tells(mutant, situation) == differs, (mutant.label, mutant.what)
                told += differs
        telling.forget()
    assert told


def test_a_reading_matters_to_what_leans_on_it():
    book = oracles("qwixx")
    telling = KillChecker(book.spec)
    by_label = {each.label: each for each in mutants(book.spec)}
    assert telling.matters("ties", by_label["wins"])
    assert not telling.matters("ties", by_label["may_cross.five_first"])


def test_tiles_are_laid_wrongly_in_ways_that_one_requirement_refuses():
    """Of a move that gives a whole board: tiles beside their place, swapped, of another hand."""
    oracle = oracles("kubbar").oracle(Configuration(2, (), None))
    random = Random(1)
    state = oracle.begin(random)
    alone = set()
    for _ in range(400):
        event = oracle.machine.choose(state, random)
        if event is None:
            break
        transition = oracle.instance.spec.transitions[event[0]]
        if transition.name == "lay":
            for _ in range(40):
                other = near_miss(oracle, state, event, random)
                if isinstance(other, tuple) and other[0] == event[0]:
                    broken = oracle.machine.broken(state, other)
                    alone |= {broken[0].label} if len(broken) == 1 else set()
        state, _ = oracle.take(state, event)
    assert {"sound.three_or_more", "sound.set_or_run", "lay.at_least_one"} <= alone
