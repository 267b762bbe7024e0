"""The model of README.md as a Python game in OpenSpiel, played at random through its state API.

`python -m benchmarks.peers.qwixx_openspiel PLAYERS SECONDS` prints the steps and the seconds it
computed. Leaves out scores (`returns` is all zeros) and odds: the six dice are one chance node with
a single outcome, which draws them itself.
"""

from __future__ import annotations

import json
import random
import sys
import time

import pyspiel  # type: ignore[import-not-found]

from benchmarks.peers.qwixx_sim import ROLL, WHITE, Simulator

PLAYERS = int(sys.argv[1])
TYPE = pyspiel.GameType(
    short_name="python_qwixx_core", long_name="Qwixx core",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL, max_num_players=5, min_num_players=2,
    provides_information_state_string=False, provides_information_state_tensor=False,
    provides_observation_string=False, provides_observation_tensor=False,
    parameter_specification={},
)  # fmt: skip
INFO = pyspiel.GameInfo(
    num_distinct_actions=9, max_chance_outcomes=1, num_players=PLAYERS, min_utility=-20.0,
    max_utility=300.0, utility_sum=None, max_game_length=1000,
)  # fmt: skip


class Game(pyspiel.Game):  # type: ignore[misc]
    def __init__(self, params=None):
        super().__init__(TYPE, INFO, params or {})

    def new_initial_state(self):
        return State(self)

    def make_py_observer(self, iig_obs_type=None, params=None):
        return None


class State(pyspiel.State):  # type: ignore[misc]
    """Actions: 0 passes; 1 to 4 cross the white sum in a row; 1 to 8 a coloured sum."""

    source = random.Random(1)

    def __init__(self, game):
        super().__init__(game)
        self.game = Simulator(PLAYERS)

    def current_player(self):
        if self.game.over:
            return pyspiel.PlayerId.TERMINAL
        if self.game.phase == ROLL:
            return pyspiel.PlayerId.CHANCE
        return self.game.who if self.game.phase == WHITE else self.game.active

    def chance_outcomes(self):
        return [(0, 1.0)]

    def _legal_actions(self, player):
        game = self.game
        if game.phase == WHITE:
            total = sum(game.white)
            return [0] + [1 + row for row in range(4) if game.can(player, row, total)]
        return [0] + [
            1 + 4 * die + row
            for die in (0, 1)
            for row in range(4)
            if game.can(player, row, game.white[die] + game.coloured[row])
        ]

    def _apply_action(self, action):
        game = self.game
        if game.phase == ROLL:
            game.roll([self.source.randint(1, 6) for _ in range(6)])
        elif game.phase == WHITE:
            game.first_action(None if action == 0 else (action - 1, sum(game.white)))
        else:
            die, row = divmod(action - 1, 4)
            number = game.white[die] + game.coloured[row]
            game.second_action(None if action == 0 else (row, number))

    def _action_to_string(self, player, action):
        return str(action)

    def is_terminal(self):
        return self.game.over

    def returns(self):
        return [0.0] * PLAYERS

    def __str__(self):
        return "qwixx"


def main() -> None:
    pyspiel.register_game(TYPE, Game)
    game, source, steps = pyspiel.load_game(TYPE.short_name), random.Random(1), 0
    began = time.process_time()
    while time.process_time() - began < float(sys.argv[2]):
        state = game.new_initial_state()
        while not state.is_terminal():
            chance = state.is_chance_node()
            state.apply_action(0 if chance else source.choice(state.legal_actions()))
            steps += 1
    print(json.dumps({"steps": steps, "seconds": time.process_time() - began}))


main()
