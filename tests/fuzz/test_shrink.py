"""What is false is made small: as long as it stays so, everything else goes."""

from __future__ import annotations

from fuzz.compare.shrink import shrunk, shrunk_pair
from fuzz.generate.mutations import hand_written


def test_lines_that_do_not_matter_are_left_out():
    text = next(each for each in hand_written() if "game halves" in each)
    small = shrunk(text, lambda each: "by_two = heap / 2" in each and "game" in each)
    assert [line.strip() for line in small.strip().split("\n")][-1] == "by_two = heap / 2"
    assert len(small.split("\n")) < 8


def test_expressions_become_parts_of_themselves():
    text = 'game g "g"\ninvariant i "i": ((a + 7) == 3 and (not (b or c)))\n'
    small = shrunk(text, lambda each: "not" in each and "invariant" in each)
    assert "(a + 7)" not in small and "not" in small


def test_two_versions_are_made_small_together():
    text = next(each for each in hand_written() if "game late" in each)
    new = text.replace("n <= 2", "n <= 1")

    def still(one: str, other: str) -> bool:
        return "n <= 2" in one and "n <= 1" in other and "game" in one

    small, other = shrunk_pair(text, new, still)
    assert "n <= 2" in small and "n <= 1" in other
    assert len(small) < 0.4 * len(text)
    assert "possible five" not in small and "possible five" not in other
