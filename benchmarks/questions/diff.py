"""How long `diff` takes for a change of one requirement of Qwixx, compared with proving the game.

The cache is empty at first; proving the old rules fills it. Times are CPU seconds; the time of
`diff` by the clock is given as well. The goals: 10 seconds, and 30% of the time that proving takes,
with 2 players and with the most players.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from benchmarks.harness.measure import ROOT, Row, skipped

QWIXX = ROOT / "spec" / "qwixx.rules"
CHANGE = ("[close.five] = 5", "[close.five] = 4")


PLAYERS = {"2": "2 players", "2..5": "2 to 5 players"}


def questions(quick: bool) -> Iterator[Row]:
    """Proving the rules, then comparing them with changed ones."""
    for players, shown in PLAYERS.items():
        question = f"what a rule change does, {shown}"
        if quick:
            yield skipped(question, "rulewright diff", "not in a quick run")
            continue
        with tempfile.TemporaryDirectory() as folder:
            new = Path(folder) / "four.rules"
            new.write_text(QWIXX.read_text(encoding="utf-8").replace(*CHANGE), encoding="utf-8")
            proving, _ = spent(folder, "prove", QWIXX, "--players", players)
            yield Row(question, "rulewright prove", "s", (proving,))
            comparing, waited = spent(folder, "diff", QWIXX, new, "--players", players)
            note = f"{waited:.1f} s by the clock"
            yield Row(question, "rulewright diff", "s", (comparing,), note)


def spent(cache: str, *arguments: object) -> tuple[float, float]:
    """The processor time of one run, its workers included, and how long it took."""
    began = perf_counter()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "rulewright", *map(str, arguments)],
        cwd=ROOT, env={**os.environ, "XDG_CACHE_HOME": cache}, check=False,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    computed = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return computed, perf_counter() - began
