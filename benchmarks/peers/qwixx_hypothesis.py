"""The model of README.md as a Hypothesis state machine over the plain simulator.

`python -m benchmarks.peers.qwixx_hypothesis PLAYERS NEED STEPS EXAMPLES [rows=2]` plays at random
and watches the four invariants, and with `rows=2` that no third row closes; prints the steps, the
seconds it computed, and whether any of them was broken. Leaves out scores and odds: it draws what
it likes, to break things rather than to play.
"""

from __future__ import annotations

import json
import sys
import time

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as some
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from benchmarks.peers.qwixx_sim import COLOUR, ROLL, WHITE, Simulator

players, need, steps, examples = map(int, sys.argv[1:5])
rows = 2 if "rows=2" in sys.argv else 3
die = some.integers(1, 6)


class Game(RuleBasedStateMachine):
    """One game, decision by decision."""

    count = 0

    def __init__(self):
        super().__init__()
        self.game = Simulator(players, need)

    @precondition(lambda self: not self.game.over and self.game.phase == ROLL)
    @rule(dice=some.lists(die, min_size=6, max_size=6))
    def roll(self, dice):
        Game.count += 1
        self.game.roll(dice)

    @precondition(lambda self: not self.game.over and self.game.phase == WHITE)
    @rule(data=some.data())
    def first_action(self, data):
        Game.count += 1
        self.game.first_action(data.draw(some.sampled_from(self.game.moves())))

    @precondition(lambda self: not self.game.over and self.game.phase == COLOUR)
    @rule(data=some.data())
    def second_action(self, data):
        Game.count += 1
        self.game.second_action(data.draw(some.sampled_from(self.game.moves())))

    @precondition(lambda self: self.game.over)
    @rule()
    def over(self):
        pass

    @invariant()
    def four(self):
        assert self.game.holds() and len(self.game.closed) <= rows


began, broken = time.process_time(), False
try:
    run_state_machine_as_test(
        Game,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, deadline=None, database=None,
            phases=[Phase.generate, Phase.shrink], derandomize=True,
            suppress_health_check=list(HealthCheck), print_blob=False,
        ),
    )  # fmt: skip
except AssertionError:
    broken = True
seconds = time.process_time() - began
print(json.dumps({"steps": Game.count, "seconds": seconds, "broken": broken}))
