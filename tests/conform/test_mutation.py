"""The mutation benchmark: it makes every small mistake, and those that matter are found."""

from __future__ import annotations

import os

import pytest

from benchmarks.mutation import ENGINES, judged, killed_by, mistakes, mutants_of
from tests.conform.conftest import rulebook

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
    from engines.qwixx import LAST

    (mutant,) = (each for each in mutants_of("qwixx") if each.what == "12: 11")
    assert str(mutant).startswith("engines/qwixx.py:")
    verdict = judged(mutant, lambda it: killed_by(it, rulebook("qwixx"), 2, ["examples"]))
    assert verdict.stage in ("start", "examples") and verdict.how
    from engines.qwixx import LAST as AGAIN

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
