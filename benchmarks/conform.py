"""How fast engine and spec play side by side, beside how fast the spec plays alone.

The goals: the Qwixx engine in process at 40% of the compiled spec's own speed at least, and 8,000
events a second over pipes. The first is not met: the engine's own work on an event takes twice as
long as the spec's, as `docs/explanation/conformance.md` shows.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from benchmarks.measure import Row
from checker.conform.ahead import PairAhead
from checker.conform.coverage import Coverage
from checker.conform.engine import Engine, open_engine
from checker.conform.process import ProcessEngine
from checker.conform.referee import Referee, Setup
from checker.conform.setups import Rulebook
from checker.conform.side_by_side import Pair
from checker.front import read

ENGINES = {
    "qwixx": "engines.qwixx:Qwixx",
    "twenty_one": "engines.twenty_one:TwentyOne",
    "matte_kryss": "engines.matte_kryss:MatteKryss",
    "kubbar": "engines.kubbar:Kubbar",
}
ROOT = Path(__file__).parent.parent


def rate(seconds: float, game: Callable[[Random], int]) -> float:
    """Events a second of games played one after another."""
    random = Random(1)
    game(random)
    gc.collect()
    gc.freeze()  # as the program does: what is built stays
    events = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        events += game(random)
    return events / (time.perf_counter() - began)


def alone(referee: Referee) -> Callable[[Random], int]:
    """The spec by itself."""
    machine = referee.machine

    def play(random: Random) -> int:
        state = machine.begin(random)
        events = 0
        while (event := machine.choose(state, random)) is not None:
            machine.apply(state, event)
            events += 1
        return events

    return play


def together(referee: Referee, engine: Engine) -> Callable[[Random], int]:
    """The spec and an engine, every state compared; a program is told ahead, as `conform` does."""
    coverage = Coverage()
    pair = Pair(referee, engine, coverage)
    if isinstance(engine, ProcessEngine):
        pair = PairAhead(referee, engine, coverage)

    def play(random: Random) -> int:
        pair.begin(referee.begin(random))
        while (event := referee.machine.choose(pair.state, random)) is not None:
            pair.play(event)
        if isinstance(pair, PairAhead):
            pair.catch_up()
        return len(pair.played)

    return play


def questions(quick: bool) -> Iterator[Row]:
    """Spec alone, with the engine in process, with the engine over pipes."""
    rounds, seconds = (1, 0.2) if quick else (5, 1.0)
    for name, place in list(ENGINES.items())[: 1 if quick else None]:
        rulebook = Rulebook(read(ROOT / "spec" / f"{name}.rules"))
        referee = rulebook.referee(Setup(rulebook.spec.least, (), None))
        module = place.partition(":")[0]
        with (
            open_engine(f"python:{place}") as here,
            open_engine(f"exec:{sys.executable} -m {module}") as there,
        ):
            for subject, game in {
                "spec alone": alone(referee),
                "engine in process": together(referee, here),
                "engine over pipes": together(referee, there),
            }.items():
                values = tuple(rate(seconds, game) for _ in range(rounds))
                yield Row(f"engine and spec side by side, {name}", subject, "events/s", values)
