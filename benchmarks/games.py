"""Everything that is claimed of a game proved anew, for every number of players, with the open
questions read by their defaults; and once more, from what was kept.

On all cores, as people run it. Computing is what all processes do together; asking is what of it
the questions to the solver take; the clock says how long somebody waits. The goals: three minutes
by the clock for the four games together, and a twentieth of that for proving them again.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import ROOT, Ran, Row, run

GAMES = ("qwixx", "twenty_one", "matte_kryss", "kubbar")
PIG = Path("tutorial", "pig")
PATIENCE = 10
"""Seconds for one question."""


def questions(quick: bool) -> Iterator[Row]:
    """Each game anew and again, each with a cache of its own; then all together."""
    waited, again = 0.0, 0.0
    for name in (PIG,) if quick else map(Path, GAMES):
        with tempfile.TemporaryDirectory() as cache:
            first, second = (prove(ROOT / "spec" / f"{name}.rules", cache) for _ in range(2))
        found = json.loads(first.output)["summary"]
        question = (
            f"proving {name.name}: {found['proved']} claims, {found['obligations']} questions"
        )
        yield Row(question, "computing", "s", (first.seconds,))
        yield Row(question, "asking", "s", (found["solver_seconds"],))
        yield Row(question, "by the clock", "s", (first.elapsed,))
        yield Row(question, "again, by the clock", "s", (second.elapsed,))
        waited, again = waited + first.elapsed, again + second.elapsed
    if not quick:
        yield Row("proving all four games", "by the clock", "s", (waited,))
        yield Row("proving all four games", "again, by the clock", "s", (again,))


def prove(spec: Path, cache: str) -> Ran:
    """A proof that must succeed."""
    ran = run(
        [sys.executable, "-m", "checker", "prove", spec, "--defaults", "--timeout", PATIENCE,
         "--format", "json"],
        environment={"XDG_CACHE_HOME": cache},
    )  # fmt: skip
    if ran.code:
        raise RuntimeError(f"not all that is claimed of {spec.stem} is proved")
    return ran
