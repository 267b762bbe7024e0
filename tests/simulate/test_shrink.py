"""Delta debugging: what a game does not need is left out, and nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rulewright.simulate.search.shrink import shrink


@given(st.lists(st.integers(0, 9), max_size=40), st.sets(st.integers(0, 9), max_size=3))
def test_what_is_needed_stays_and_nothing_else(events: list[int], needed: set[int]) -> None:
    def attempt(kept: list[int], rest: list[int]) -> list[int] | None:
        shorter = [*kept, *rest]
        return shorter if needed <= set(shorter) else None

    found = shrink(events, attempt, lambda: False)
    if needed <= set(events):
        assert sorted(found) == sorted(needed)
    else:
        assert found == events


def test_what_an_attempt_makes_shorter_still_is_taken() -> None:
    found = shrink([1, 2, 3, 4], lambda kept, rest: [4] if 4 in (*kept, *rest) else None, bool)
    assert found == [4]


def test_no_more_is_tried_when_it_is_over() -> None:
    tries: list[int] = []

    def attempt(kept: list[int], rest: list[int]) -> None:
        tries.append(len(kept))

    assert shrink(list(range(20)), attempt, lambda: len(tries) == 3) == list(range(20))
    assert len(tries) == 3
