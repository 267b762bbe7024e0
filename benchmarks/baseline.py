"""The player that wrote Python, which the program had before: figures recorded when it went.

`python_player.json` has what it did on one machine, and beside each figure how fast a simulator
written by hand (`peers/qwixx_sim.py`) was in the same minute. A figure is shown as it would be
here: multiplied by how much faster that simulator is now.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random

from benchmarks.harness.measure import SEED, spent
from benchmarks.peers import qwixx_sim

FILE = Path(__file__).parent / "python_player.json"
PLAYERS, GAMES, ROUNDS = 3, 60, 5


@cache
def calibration() -> float:
    """Steps a second of the simulator."""
    found = []
    for number in range(ROUNDS):
        random, steps = Random(SEED + number), 0

        def some(random: Random = random) -> None:
            nonlocal steps
            for _ in range(GAMES):
                steps += qwixx_sim.play(PLAYERS, random)

        seconds = spent(some)
        found.append(steps / seconds)
    return sorted(found)[ROUNDS // 2]


def figure(game: str, what: str) -> float:
    """What the player did: `random`, `watched`, `lines` or `conform` a second, or the milliseconds
    of `compiling`."""
    recorded = json.loads(FILE.read_text())["figures"][game]
    faster = calibration() / float(recorded["calibration"])
    value = float(recorded[what])
    return value / faster if what == "compiling" else value * faster
