"""How long proofs take beside an earlier version of the program, which is not here to be measured.

Time is told in units of a fixed piece of work, done just before and just after a proof: a puzzle
for z3 and a loop in Python, which no change of the program touches. The earlier version was
measured in the same units. To measure it anew, on an idle machine: unpack it (`git archive`) into a
folder, and `python -m benchmarks.earlier FOLDER` prints its `UNITS`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.harness.measure import ROOT, Row, attempted, run

EARLIER = "e4105b7"
PACKAGE = "checker"
"""What the program was called at that version."""
UNITS: dict[str, float] = {}
"""What each game took at that version."""
PIECE_OF_WORK = """
import z3

solver = z3.Solver()
pigeons, holes = range(9), range(8)
sits = [[z3.Bool(f"sits_{p}_{h}") for h in holes] for p in pigeons]
solver.add(*(z3.Or(row) for row in sits))
solver.add(*(z3.Or(z3.Not(sits[p][h]), z3.Not(sits[q][h])) for h in holes for p in pigeons
             for q in pigeons if p < q))
assert solver.check() == z3.unsat
seen = {}
for number in range(1_500_000):
    key = number * 7_919 % 100_003, number & 7
    seen[key] = seen.get(key, 0) + 1
"""


def beside_earlier() -> Iterator[Row]:
    """The games one by one, then all together."""
    units: dict[str, float] = {}
    for name in UNITS:
        yield from attempted(_question(name), "rulewright", partial(_beside, name, units))
    if units.keys() == UNITS.keys():
        ratio = sum(units.values()) / sum(UNITS.values())
        yield Row(_question("all four games"), "rulewright", "times", (ratio,))


def _beside(name: str, units: dict[str, float]) -> Iterator[Row]:
    units[name] = measured(name, ROOT)
    yield Row(_question(name), "rulewright", "times", (units[name] / UNITS[name],))


def _question(subject: str) -> str:
    return f"proving {subject} with 2 players, beside version {EARLIER}"


def measured(name: str, folder: Path, package: str = "rulewright") -> float:
    """What the program of a folder takes to prove a game, in units of the piece of work."""
    command = [sys.executable, "-m", package, "prove", name, "--players", 2, "--defaults"]
    piece = [sys.executable, "-c", PIECE_OF_WORK]
    before = run(piece).seconds
    proof = run([*command, "--jobs", 1, "--no-cache"], folder).seconds
    return 2 * proof / (before + run(piece).seconds)


if __name__ == "__main__":
    for game in sys.argv[2:] or ("qwixx", "twenty_one", "matte_kryss", "kubbar"):
        print(f'    "{game}": {measured(game, Path(sys.argv[1]), PACKAGE):.2f},', flush=True)
