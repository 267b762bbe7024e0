"""Board games of OpenSpiel played at random from Python, as its own examples do.

`python -m benchmarks.peers.boards_openspiel GAME SECONDS` prints the steps and the seconds it
computed. The rules are in C++; every decision is asked for and applied from Python.
"""

from __future__ import annotations

import json
import random
import sys
import time

import pyspiel  # type: ignore[import-not-found]


def main(name: str, limit: float) -> None:
    game, chance, steps = pyspiel.load_game(name), random.Random(1), 0
    began = time.process_time()
    while time.process_time() - began < limit:
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(chance.random() * len(actions))])
            steps += 1
    print(json.dumps({"steps": steps, "seconds": time.process_time() - began}))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
