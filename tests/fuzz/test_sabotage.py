"""Faults that are put into the program on purpose are noticed, and leave nothing behind."""

from __future__ import annotations

import pytest

from fuzz.compare.run_prover import briefly
from fuzz.faults.fault import Fault, broken
from fuzz.faults.sabotage import FAULTS, noticed
from fuzz.generate.mutations import hand_written
from rulewright.kernel import ledger, obligations, refutation
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.vc import conditions

BY = {
    "refuted_assumed": "never_there",
    "circle_open": "never_there",
    "last_case_left_out": "at_pointer",
    "any_case_is_whole": "by_case",
    "first_phase_only": "two_phases",
    "steps_not_asked": "both_due",
    "seats_always_alike": "second_seat",
    "stuck_at_start": "stuck",
    "enabling_ignored": "raise_hands",
    "loop_before_measure": "before_measure",
    "fixed_key_in_sum": "one_stone",
    "captured_names": "one_stone",
    "step_order_ignored": "pair_of_steps",
    "stricter_not_asked": "other_seat",
    "looser_not_asked": "looser",
    "changed_not_asked": "looser",
    "silence_not_asked": "no_answer",
    "starts_not_compared": "other_start",
    "results_not_compared": "other_winner",
    "steps_not_compared": "pair_of_steps",
    "odds_not_compared": "other_odds",
    "first_seat_only": "other_seat",
    "every_invariant_trusted": "looser",
    "readings_taken_alike": "reading_at_start",
    "bases_not_compared": "other_odds",
    "carried_anywhere": "other_reading",
    "last_part_left_out": "pair_of_steps",
}
"""By which game written by hand some faults are noticed, the old mistakes among them."""


def named(fault: str) -> Fault:
    return next(each for each in FAULTS if each.name == fault)


def test_there_are_many_faults_with_names_of_their_own():
    assert len({each.name for each in FAULTS}) == len(FAULTS) >= 25


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_taken_out_again(fault: Fault):
    def functions() -> tuple[object, ...]:
        owners = (refutation.Problem, TermBuilder)
        inside = (each.__dict__[name] for each in owners for name in sorted(each.__dict__))
        return (
            *inside,
            ledger.missing,
            obligations.required,
            conditions.begins,
            conditions.preserved,
        )

    before = functions()
    with broken(fault):
        pass
    assert functions() == before


@pytest.mark.parametrize("fault", BY)
def test_a_fault_is_noticed(fault: str):
    number, text = next(
        (at, each) for at, each in enumerate(hand_written()) if f"game {BY[fault]} " in each
    )
    texts = [""] * number + [text]  # what is asked of a spec depends on its number
    with briefly():
        found = noticed(named(fault), texts, set())
    assert found.specs == number + 1, found


def test_without_a_fault_nothing_is_noticed():
    nothing = Fault("nothing", "", "", lambda put: None)
    texts = [each for each in hand_written() if "game second_seat " in each]
    with briefly():
        assert noticed(nothing, texts, set()).specs is None
