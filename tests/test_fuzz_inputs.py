"""A slice of the inputs that `make fuzz` tries, always the same ones."""

from __future__ import annotations

import sys

import pytest

from fuzz.inputs.__main__ import warm
from fuzz.inputs.running import Case, judged, run
from fuzz.inputs.targets import TARGETS, case

SLICES = {
    "specs": 150, "traces": 60, "positions": 60, "engines": 15, "verdicts": 20, "options": 60,
    "caches": 10, "books": 20, "shards": 4, "certificates": 3, "editors": 10, "pages": 15,
}  # fmt: skip
"""How many of each; together about forty seconds of the processor."""
USABLE = {
    "specs": 0.5, "traces": 0.25, "positions": 0.1, "engines": 0.9, "verdicts": 0.3, "books": 0.2,
    "editors": 1, "pages": 1,
}  # fmt: skip
"""What share gets past the first look, at the least."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="it counts the processor as Linux does"),
]


def test_every_kind_of_input_has_a_slice():
    assert SLICES.keys() == TARGETS.keys()


@pytest.mark.parametrize("target", SLICES)
def test_no_input_breaks_the_program(target: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    warm()
    usable = 0
    for number in range(SLICES[target]):
        made = case(7, number, target)
        outcome = run(made)
        assert outcome.wrong is None, (
            f"{target} 7:{number}: {outcome.wrong}; see it with "
            f"`python -m fuzz.inputs --seed 7 --first {number} --count 1 --only {target}`"
        )
        usable += outcome.exit not in (2, None)
    assert usable >= USABLE.get(target, 0) * SLICES[target]


@pytest.mark.parametrize(
    ("code", "out", "err", "wrong"),
    [
        (4, "", "internal error: x", "exit code 4"),
        (0, "", "Traceback (most recent call last):", "traceback"),
        (-11, "", "", "signal 11"),
        (-24, "", "", "hangs"),
        (1, "a\x1b[2J", "", "U+001B"),
        (1, "::error::x\n", "", "begins with"),
        (0, "fine", "", None),
    ],
)
def test_what_is_wrong_is_seen(code: int, out: str, err: str, wrong: str | None):
    found = judged(Case("specs", ("check", "x.rules")), code, out, err)
    assert (found is None) == (wrong is None)
    assert wrong is None or wrong in (found or "")


def test_the_same_number_is_the_same_input():
    assert case(3, 5) == case(3, 5)
    assert case(3, 5) != case(4, 5)
