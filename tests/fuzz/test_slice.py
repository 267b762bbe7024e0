"""A slice of the fuzzer: so many specs, always the same, and nothing false is said of any of them.

`make fuzz-proofs` goes on with others for as long as one likes. A failure here names the numbers of
the specs; `python -m fuzz --seed 0 --count N` makes them small and saves them.
"""

from __future__ import annotations

from collections import Counter

import pytest

from fuzz.__main__ import Tally, add, spec_of
from fuzz.compare.run_prover import briefly
from fuzz.compare.save import told

PARTS, EACH = 4, 15


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_false_is_said(part: int):
    tally = Tally()
    false = []
    with briefly():
        for number in range(part * EACH, (part + 1) * EACH):
            false += [
                f"{number}: {told(each.false)}" for each in add(tally, spec_of(number), number)
            ]
    assert not false
    words = Counter(word for (_, word), n in tally.verdicts.items() for _ in range(n))
    assert tally.usable > 0.8 * EACH
    assert words["proved"] > 8 * EACH and words["refuted"] > EACH
