"""Games compiled to WebAssembly beside the player that writes Python, and beside a C program.

Random play, with all properties looked at or not; lines of play, positions explored, compiling.
Both players play the same specs in this process; `connect_four` and `othello` are in
`benchmarks/specs`. The C program (`peers/qwixx.c`, `cc -O2`) has the rules of Qwixx and nothing
else, and is skipped where there is no C compiler. Watched play is what `rulewright run` does: all
properties are looked at after each transition, and three near misses of each event are tried.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

from benchmarks.measure import ROOT, SEED, Row, attempted, in_turns, rows, skipped, spent
from checker.front import read
from checker.play.compiled import Machine
from checker.play.instance import Instance
from checker.play.perft import perft
from checker.play.random_play import Counts, play_out, play_watched
from checker.wasm.game import Game

WASM, PYTHON, C = "WebAssembly", "Python", "C"
PLAYERS = 3
GAMES = {"qwixx": 60, "twenty_one": 30, "matte_kryss": 2, "kubbar": 1, "connect_four": 60,
         "othello": 1}  # fmt: skip
"""How many games of each the slower player plays in a round."""
TIMES = 10
"""So many times as many games the faster one plays."""
LINES = {"connect_four": (3, 6), "othello": (3, 5)}
"""How deep lines are counted, quickly and otherwise."""
PLAY = frozenset(("play",))


def questions(quick: bool) -> Iterator[Row]:
    """Compiling; random play, watched or not; lines; positions."""
    rounds = 2 if quick else 7
    for name, games in GAMES.items():
        instance = instance_of(name)
        some = 1 if quick else games
        compiling = {
            WASM: partial(compiled, lambda given: Game(given, parts=PLAY), instance),
            PYTHON: partial(compiled, Machine, instance),
        }
        yield from rows(f"compiling {name}", "ms", in_turns(compiling, rounds))
        machine, game = Machine(instance), Game(instance, parts=PLAY)
        playing = {WASM: fast(game, some * TIMES), PYTHON: slow(machine, some)}
        question = f"random play of {name}"
        yield from rows(question, "steps/s", in_turns(playing, rounds))
        if name == "qwixx":
            yield from attempted(question, C, partial(in_c, question, quick))
        watched = Game(instance, watched=True, parts=PLAY)
        few = max(1, some // 6)
        watching = {WASM: fast(watched, few * TIMES), PYTHON: slow_watched(machine, few)}
        yield from rows(f"watched play of {name}", "steps/s", in_turns(watching, rounds // 2))
    for name, depths in LINES.items():
        depth = depths[0 if quick else 1]
        question = f"lines of {depth} events of {name}"
        yield from rows(question, "lines/s", in_turns(lines(name, depth), rounds // 2))
    game = Game(instance_of("connect_four"), parts=frozenset(("explore",)))
    game.begin()
    reach = 5 if quick else 8
    exploring = {WASM: lambda: explored(game, reach)}
    question = f"positions of connect_four within {reach} events"
    yield from rows(question, "positions/s", in_turns(exploring, rounds // 2))


def instance_of(name: str) -> Instance:
    """A game that comes with the program, or one of `benchmarks/specs`."""
    own = ROOT / "benchmarks" / "specs" / f"{name}.rules"
    spec = read(own if own.exists() else ROOT / "spec" / f"{name}.rules").spec
    assert spec is not None
    return Instance(spec, min(PLAYERS, spec.most))


def compiled(compile: Callable[[Instance], object], instance: Instance) -> float:
    """The milliseconds it takes to compile a game."""
    return spent(lambda: compile(instance)) * 1000


def fast(game: Game, games: int) -> Callable[[], float]:
    """Steps a second inside the module, other games in each round."""
    seeds = count(SEED)

    def measure() -> float:
        seed, steps = next(seeds), 0

        def play() -> None:
            nonlocal steps
            steps = game.play(games, seed).events

        seconds = spent(play)
        return steps / seconds

    return measure


def slow(machine: Machine, games: int) -> Callable[[], float]:
    """Steps a second of the player that writes Python."""
    return _speed(games, lambda random: play_out(machine, random)[1])


def slow_watched(machine: Machine, games: int) -> Callable[[], float]:
    """The same with the properties looked at, as `rulewright run` does it."""
    counts = Counts([machine])
    return _speed(games, lambda random: play_watched(machine, random, counts).events)


def _speed(games: int, play: Callable[[Random], int]) -> Callable[[], float]:
    seeds = count(SEED)

    def measure() -> float:
        random, steps = Random(next(seeds)), 0

        def some() -> None:
            nonlocal steps
            for _ in range(games):
                steps += play(random)

        seconds = spent(some)
        return steps / seconds

    return measure


def lines(name: str, depth: int) -> dict[str, Callable[[], float]]:
    """Lines of play counted a second, by both."""
    instance = instance_of(name)
    game, machine = Game(instance, parts=frozenset(("explore",))), Machine(instance)
    game.begin()
    state = machine.load(game.position)
    total = sum(level.lines for level in game.perft(depth))
    return {
        WASM: lambda: total / spent(lambda: game.perft(depth)),
        PYTHON: lambda: total / spent(lambda: perft(machine, state, depth)),
    }


def explored(game: Game, reach: int) -> float:
    """Positions found a second."""
    found = 0

    def explore() -> None:
        nonlocal found
        found = game.explore(500_000, reach).positions

    seconds = spent(explore)
    return found / seconds


def in_c(question: str, quick: bool) -> Iterable[Row]:
    """Steps a second of the C program."""
    compiler = shutil.which("cc")
    if compiler is None:
        return [skipped(question, C, "there is no C compiler")]
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "qwixx"
        source = ROOT / "benchmarks" / "peers" / "qwixx.c"
        subprocess.run([compiler, "-O2", "-o", program, source], check=True, capture_output=True)

        def measure() -> float:
            command = [program, "2000" if quick else "50000", str(SEED), str(PLAYERS)]
            said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            steps, seconds, _ = said.split()
            return int(steps) / float(seconds)

        return list(rows(question, "steps/s", in_turns({C: measure}, 3)))
