"""Proving again after a change: everything without a cache, nothing changed, and one requirement
changed.

Answers to questions that a change does not affect are taken from the cache. Each run has a process
of its own, on one core. The properties are the four of the script.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.harness.measure import Row
from benchmarks.questions.invariants import FOUR, QWIXX, prove

CHANGE = ("all s in crossed[p][row]: s < at", "all s in crossed[p][row]: s <= at - 1")
"""The same rule in other words: what rests on it has to be asked anew."""
QUESTION = "proving again after one change, 2 players"


def questions(quick: bool) -> Iterator[Row]:
    """Anew, unchanged, changed; each time with a cache of its own."""
    values: dict[str, list[float]] = {"anew": [], "unchanged": [], "one requirement changed": []}
    only = [word for name in FOUR for word in ("--only", name)]
    for _ in range(1 if quick else 3):
        with tempfile.TemporaryDirectory() as cache:
            changed = Path(cache, "qwixx.rules")
            text = QWIXX.read_text("utf-8")
            if CHANGE[0] not in text:
                raise RuntimeError("the rules have no such requirement to change")
            changed.write_text(text.replace(*CHANGE), "utf-8")
            for subject, spec in zip(values, (QWIXX, QWIXX, changed)):
                seconds, _ = prove(spec, 2, *only, cache=cache)
                values[subject].append(seconds)
    for subject, each in values.items():
        yield Row(QUESTION, subject, "s", tuple(each))
