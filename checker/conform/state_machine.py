"""A Hypothesis state machine made from a spec: it plays an engine, and shrinks what it finds.

Hypothesis chooses the set-up, the events and the near misses, and when spec and engine part it
looks for the simplest choices that still part them: fewer events, lower dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,
)

from checker.conform.candidates import near_miss
from checker.conform.coverage import Coverage
from checker.conform.engine import Engine, EngineFault
from checker.conform.referee import Setup
from checker.conform.setups import Rulebook
from checker.conform.side_by_side import Pair
from checker.play.compiled import Happening

RUNS = 15
STEPS = 25
SEEDS = st.integers(0, 2**16)


def state_machine(
    rulebook: Rulebook, setups: Sequence[Setup], engine: Engine, coverage: Coverage
) -> type[RuleBasedStateMachine]:
    """The class of machines that play the engine in these set-ups."""

    class Play(RuleBasedStateMachine):
        """One game."""

        pair: Pair

        @initialize(number=st.integers(0, len(setups) - 1), seed=SEEDS)
        def begin(self, number: int, seed: int) -> None:
            referee = rulebook.referee(setups[number])
            self.pair = Pair(referee, engine, coverage)
            self._try(self.pair.begin, referee.begin(Random(seed)))

        @rule(data=st.data())
        def play(self, data: Any) -> None:
            event = self._event(data)
            if event is not None:
                self._try(self.pair.play, event)

        @rule(data=st.data())
        def probe(self, data: Any) -> None:
            event = self._event(data)
            if event is not None:
                random = Random(data.draw(SEEDS))
                candidate = near_miss(self.pair.referee, self.pair.state, event, random)
                if candidate is not None:
                    self._try(self.pair.try_event, candidate)

        @rule()
        def compare(self) -> None:
            self._try(self.pair.compare_legal)
            self._try(self.pair.compare_scores)

        def _event(self, data: Any) -> Happening | None:
            """A legal move, or what chance decides; None when the game is over."""
            machine = self.pair.referee.machine
            if machine.is_final(self.pair.state):
                return None
            moves = machine.legal(self.pair.state)
            if moves:
                found: Happening = moves[data.draw(st.integers(0, len(moves) - 1))]
                return found
            return machine.draw(self.pair.state, Random(data.draw(SEEDS)))

        def _try(self, act: Any, *given: Any) -> None:
            try:
                act(*given)
            except EngineFault as fault:
                fault.game = self.pair.game(self.pair.trying)
                raise

    return Play


def run_machine(
    rulebook: Rulebook,
    setups: Sequence[Setup],
    engine: Engine,
    coverage: Coverage,
    runs: int = RUNS,
    steps: int = STEPS,
) -> None:
    """Runs the machine; raises the simplest difference that was found."""
    machine = state_machine(rulebook, setups, engine, coverage)
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=runs,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            derandomize=True,
            report_multiple_bugs=False,
            verbosity=Verbosity.quiet,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        ),
    )
