"""Four invariants of Qwixx proved for every reachable position, by the number of players: with
`rulewright prove`, with a script written by hand for z3, and with Alloy.

Each runs in a process of its own, on one core and without a cache, and everything counts: reading,
building, solving. Rulewright also proves what the four invariants depend on, and that all lookups
are safe. The helper invariants of the script and of Alloy were found by hand. The other peers
cannot prove the invariants at all.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from benchmarks.harness.measure import ROOT, Row, attempted, in_turns, rows, run, unanswered
from benchmarks.harness.peer import Alloy, Script

QWIXX = ROOT / "spec" / "qwixx.rules"
QUESTION = "four invariants by players"
FOUR = ("lock_needs_five", "to_the_right", "three_rows", "over_by_rule")
PATIENCE = 40
"""Seconds that a peer may compute for one answer."""
SETTING = ("--reading", "window_end=at_once")
"""One setting instead of all."""


def questions(quick: bool) -> Iterator[Row]:
    """The four, for each number of players."""
    script, alloy = Script(), Alloy()
    for players in (2,) if quick else range(2, 6):
        contestants: dict[str, Callable[[], float]] = {
            "rulewright": proving(QWIXX, players),
            script.name: partial(script.proof, players),
        }
        ask = partial(side_by_side, contestants, players, 1 if quick else 3)
        yield from attempted(QUESTION, "rulewright", ask)
    if quick or not alloy.found:
        yield alloy.skipped(QUESTION, quick)
    else:
        yield from attempted(QUESTION, alloy.name, lambda: growing(alloy))


def side_by_side(
    contestants: dict[str, Callable[[], float]], players: int, rounds: int
) -> Iterable[Row]:
    """With so many players, in turns."""
    return rows(QUESTION, "s", in_turns(contestants, rounds, warm=False), at=players)


def growing(alloy: Alloy) -> Iterator[Row]:
    """Alloy with more and more players, for as long as it answers."""
    for players in range(2, 6):
        seconds = alloy.proof(players, PATIENCE)
        if seconds is None:
            yield unanswered(QUESTION, alloy.name, f"no answer for {players} in {PATIENCE} s")
            break
        yield Row(QUESTION, alloy.name, "s", (seconds,), at=players)


def proving(spec: Path, players: int) -> Callable[[], float]:
    """Measures a proof that must succeed."""

    def measure() -> float:
        only = [word for name in FOUR for word in ("--only", name)]
        seconds, answer = prove(spec, players, *only, "--no-cache")
        counts = answer["summary"]
        if counts.get("refuted") or counts.get("unknown") or not counts.get("proved"):
            raise RuntimeError(f"not proved: {counts}")
        return seconds

    return measure


def prove(spec: Path, players: int, *options: str, cache: str = "") -> tuple[float, dict]:
    """The seconds that `rulewright prove` computes on one core, and its report."""
    ran = run(
        [sys.executable, "-m", "rulewright", "prove", spec, "--players", players, "--jobs", 1,
         "--format", "json", *SETTING, *options],
        environment={"XDG_CACHE_HOME": cache} if cache else {}, errors=False,
    )  # fmt: skip
    return ran.seconds, json.loads(ran.output)
