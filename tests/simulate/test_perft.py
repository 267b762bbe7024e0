"""Counting lines of play."""

from __future__ import annotations

import pytest

from rulewright.simulate import perft as counting
from rulewright.simulate.compiled.compiled_game import CompiledGame
from rulewright.simulate.perft import perft
from tests.play.games import game, small

COINS = """
    phase play, over final
    state
        left: 0..4 = 4
    move take(n: 1..2) by p in play
        needs enough "there are enough": n <= left
        needs first "only the first player": p == 1
        does
            left -= n
            if left == 0:
                phase = over
    """


def test_lines_are_counted_by_length():
    machine = CompiledGame(small(COINS, 2))
    levels = perft(machine, machine.begin(), 4)
    assert [each.lines for each in levels] == [1, 2, 4, 4, 1]
    assert [each.finished for each in levels] == [0, 0, 1, 3, 1]
    assert sum(each.stuck for each in levels) == 0
    assert levels[1].events == {"take": 2}


def test_chance_is_one_outcome_by_the_seed_or_all_of_them():
    machine = CompiledGame(
        small(
            """
            phase throwing, over final
            state
                shown: 0..6 = 0
            chance throw(n: 1..6) in throwing
                does shown = n
            """
        )
    )
    state = machine.begin()
    assert [each.lines for each in perft(machine, state, 2, seed=1)] == [1, 1, 1]
    assert [each.lines for each in perft(machine, state, 2)] == [1, 6, 36]


def test_a_position_with_nothing_to_follow_is_counted_as_stuck():
    machine = CompiledGame(small(COINS.replace("phase = over", "left = 0"), 2))
    levels = perft(machine, machine.begin(), 4)
    assert sum(each.stuck for each in levels) == 4


def test_the_count_does_not_depend_on_anything_but_the_seed():
    machine = CompiledGame(game("qwixx", 2))
    counts = [[each.lines for each in perft(machine, machine.begin(), 5, 1)] for _ in range(2)]
    assert counts[0] == counts[1]
    assert counts[0][:3] == [1, 1, 10]


def test_what_takes_long_is_counted_in_pieces(monkeypatch: pytest.MonkeyPatch):
    """A call into the module cannot be ended from outside, so none takes long."""
    machine = CompiledGame(game("pig", 2))
    whole = perft(machine, machine.begin(), 7)
    monkeypatch.setattr(counting, "WORK", 40)
    assert perft(machine, machine.begin(), 7) == whole
