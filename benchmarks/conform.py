"""How fast engine and spec play side by side, beside how fast the spec plays alone.

The goals: the Qwixx engine in process at 40% of the compiled spec's own speed at least, and 8,000
events a second over pipes. The first is not met: an engine that checked nothing of what it is told
would not meet it either, as `docs/explanation/conformance.md` shows. Alone, the spec plays as it
does in all other benchmarks, and takes no notes for a referee. As in `conform`, it is some events
ahead of the engine, and every state that the engine reports is compared with what was expected.
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
from checker.conform.referee import Referee, Setup
from checker.conform.setups import Rulebook
from checker.front import read
from checker.play.compiled import Machine
from checker.play.random_play import play_out

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
    """The spec by itself, without the notes that a referee has it take."""
    machine = Machine(referee.instance)
    return lambda random: play_out(machine, random)[1]


def together(referee: Referee, engine: Engine) -> Callable[[Random], int]:
    """The spec and an engine, every state compared; the spec is ahead, as it is in `conform`."""
    pair, machine = PairAhead(referee, engine, Coverage()), referee.machine

    def game(random: Random) -> int:
        pair.begin(referee.begin(random))
        state, play, choices, source = pair.state, pair.play, machine.choices, random.random
        while (choose := choices[state[0]]) and (event := choose(state, source)):
            play(event)
        pair.catch_up()
        return len(pair.played)

    return game


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
            games = {
                "spec alone": alone(referee),
                "engine in process": together(referee, here),
                "engine over pipes": together(referee, there),
            }
            taken = [[rate(seconds, game) for game in games.values()] for _ in range(rounds)]
            for subject, values in zip(games, zip(*taken)):
                yield Row(f"engine and spec side by side, {name}", subject, "events/s", values)
