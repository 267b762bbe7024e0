"""Everything that is claimed of a game proved without a cache, for every number of players with the
default readings; and proved again with the cache.

This runs on all cores, as users run it. *Computing* is the CPU time of all processes, *asking* the
part of it that questions to the solver take, and the clock says how long somebody waits. The goals:
three minutes by the clock for the four games together, and a twentieth of that with the cache.

An earlier version, from before the kernel and counted work, shows what those two cost. It was
measured with two players on one core. Both figures are in units of a fixed workload for z3 and
Python, run in between. The goal: at most 1.15 times as long.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.earlier import beside_earlier
from benchmarks.harness.measure import ROOT, Ran, Row, attempted, run
from rulewright.cli.exit_codes import HOLDS, UNDECIDED

GAMES = ("qwixx", "twenty_one", "matte_kryss", "kubbar")
PIG = Path("tutorial", "pig")
PATIENCE = 10
"""Seconds for one question."""


def questions(quick: bool) -> Iterator[Row]:
    """Each game anew and again, each with a cache of its own; then all together."""
    waited: list[tuple[float, float]] = []
    games = (PIG,) if quick else tuple(map(Path, GAMES))
    for name in games:
        ask = partial(anew_and_again, name, waited)
        yield from attempted(f"proving {name.name}", "rulewright", ask)
    if len(waited) == len(games) > 1:
        first, again = (sum(each) for each in zip(*waited))
        yield Row("proving all four games", "by the clock", "s", (first,))
        yield Row("proving all four games", "again, by the clock", "s", (again,))
    if not quick:
        yield from beside_earlier()


def anew_and_again(name: Path, waited: list[tuple[float, float]]) -> Iterator[Row]:
    """One game; how long one waits for it is noted, too."""
    with tempfile.TemporaryDirectory() as cache:
        first, second = (prove(ROOT / "spec" / f"{name}.rules", cache) for _ in range(2))
    found = json.loads(first.output)
    summary = found["summary"]
    unsettled = sorted(
        {
            each["name"]
            for each in found["results"]
            if each["verdict"] != "proved" and each["accepted"] is None
        }
    )
    note = f"{summary['proved']} claims, {summary['obligations']} questions"
    if unsettled:
        note += f", not proved: {', '.join(unsettled)}"
    question = f"proving {name.name}"
    yield Row(question, "computing", "s", (first.seconds,), note)
    yield Row(question, "asking", "s", (summary["solver_seconds"],))
    yield Row(question, "by the clock", "s", (first.elapsed,))
    yield Row(question, "again, by the clock", "s", (second.elapsed,))
    waited.append((first.elapsed, second.elapsed))


def prove(spec: Path, cache: str) -> Ran:
    """Proves what it can; what is left open is in its report."""
    ran = run(
        [sys.executable, "-m", "rulewright", "prove", spec, "--defaults", "--timeout", PATIENCE,
         "--format", "json"],
        environment={"XDG_CACHE_HOME": cache}, errors=False,
    )  # fmt: skip
    if ran.code not in (HOLDS, UNDECIDED):
        raise RuntimeError(f"exit code {ran.code}: {ran.output[-200:]}")
    return ran
