"""How long `diff` takes for a change of one requirement of Qwixx, against proving the game.

The cache is empty first; proving the old rules fills it. Times are of the processor, so that a busy
machine does not count. The goals: 10 seconds, and 30% of the time that proving takes.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Row, skipped

ROOT = Path(__file__).parent.parent
QWIXX = ROOT / "spec" / "qwixx.rules"
CHANGE = ("[close.five] = 5", "[close.five] = 4")


def questions(quick: bool) -> Iterator[Row]:
    """Proving the rules, then comparing them with changed ones."""
    question = "what a rule change does, 2 players"
    if quick:
        yield skipped(question, "rulewright diff", "not in a quick run")
        return
    with tempfile.TemporaryDirectory() as folder:
        new = Path(folder) / "four.rules"
        new.write_text(QWIXX.read_text(encoding="utf-8").replace(*CHANGE), encoding="utf-8")
        proving = spent(folder, "prove", QWIXX, "--players", 2)
        yield Row(question, "rulewright prove", "s", (proving,))
        comparing = spent(folder, "diff", QWIXX, new, "--players", 2)
        yield Row(question, "rulewright diff", "s", (comparing,))


def spent(cache: str, *arguments: object) -> float:
    """The processor time of one run, its workers included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "checker", *map(str, arguments)],
        cwd=ROOT, env={**os.environ, "XDG_CACHE_HOME": cache}, check=False,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
