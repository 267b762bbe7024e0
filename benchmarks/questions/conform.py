"""How fast engine and spec play side by side, compared with the spec alone.

The goals: 8,000 events a second of Qwixx over pipes, and in process twice what it was with the
player that wrote Python. The second goal is met in Matte-Kryss only: in the other games most of
the time goes into the engine itself and into comparing what it reports, as
`docs/explanation/conformance.md` shows. As in `conform`, the spec plays some events ahead of the
engine, and every state that the engine reports is compared. The spec alone is asked for one event
after the other. In process it is the processor's seconds that count, over pipes those that go by.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from benchmarks.baseline import figure
from benchmarks.harness.measure import ROOT, Row
from rulewright.conform.engine.protocol import Engine, open_engine
from rulewright.conform.oracle.configurations import Oracles
from rulewright.conform.oracle.coverage import Coverage
from rulewright.conform.oracle.oracle import Oracle
from rulewright.conform.stages.pipelining import PipelinedLockstep
from rulewright.conform.stages.random_games import MOST_EVENTS
from rulewright.frontend import read
from rulewright.play.semantics.instance import Configuration
from rulewright.simulate.compiled.compiled_game import CompiledGame

IN_PROCESS = "engine in process"
ENGINES = {
    "qwixx": "rulewright_engines.qwixx:Qwixx",
    "twenty_one": "rulewright_engines.twenty_one:TwentyOne",
    "matte_kryss": "rulewright_engines.matte_kryss:MatteKryss",
    "kubbar": "rulewright_engines.kubbar:Kubbar",
}


def rate(
    seconds: float, game: Callable[[Random], int], clock: Callable[[], float] = time.process_time
) -> float:
    """Events a second of games played one after another."""
    random = Random(1)
    game(random)
    gc.collect()
    gc.freeze()  # as the program does: what is built stays
    events = 0
    began = clock()
    while clock() - began < seconds:
        events += game(random)
    return events / (clock() - began)


def alone(oracle: Oracle) -> Callable[[Random], int]:
    """The spec by itself, without the notes that a referee has it take."""
    compiled = CompiledGame(oracle.instance)

    def game(random: Random) -> int:
        state, events = compiled.begin(random), 0
        while (event := compiled.choose(state, random)) is not None:
            state = compiled.apply(state, event)
            events += 1
        return events

    return game


def together(oracle: Oracle, engine: Engine) -> Callable[[Random], int]:
    """The spec and an engine, every state compared; the spec is ahead, as it is in `conform`."""
    pair = PipelinedLockstep(oracle, engine, Coverage())

    def game(random: Random) -> int:
        pair.begin(oracle.begin(random))
        accept = pair.accept
        for event, now in oracle.play(pair.state, random, MOST_EVENTS):
            accept(event, now)
        pair.catch_up()
        return len(pair.played)

    return game


def questions(quick: bool) -> Iterator[Row]:
    """Spec alone, with the engine in process, with the engine over pipes."""
    rounds, seconds = (1, 0.2) if quick else (5, 1.0)
    for name, place in list(ENGINES.items())[: 1 if quick else None]:
        oracles = Oracles(read(ROOT / "spec" / f"{name}.rules"))
        oracle = oracles.oracle(Configuration(oracles.spec.least, (), None))
        module = place.partition(":")[0]
        with (
            open_engine(f"python:{place}") as here,
            open_engine(f"exec:{sys.executable} -m {module}") as there,
        ):
            games = {
                "spec alone": partial(rate, seconds, alone(oracle)),
                IN_PROCESS: partial(rate, seconds, together(oracle, here)),
                f"{IN_PROCESS}, Python player (recorded)": partial(figure, name, "conform"),
                "engine over pipes": partial(
                    rate, seconds, together(oracle, there), time.perf_counter
                ),
            }  # fmt: skip
            taken = [[measure() for measure in games.values()] for _ in range(rounds)]
            for subject, values in zip(games, zip(*taken)):
                yield Row(f"engine and spec side by side, {name}", subject, "events/s", values)
