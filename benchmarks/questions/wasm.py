"""Games compiled to WebAssembly beside the player that wrote Python, a C program, other tools.

Random play, with all properties looked at or not; lines of play, positions explored, compiling. The
board games are those of the library. The player that wrote Python is gone; its figures
were recorded and are shown as they would be on this machine. The C program (`peers/qwixx.c`,
`cc -O2`) has the rules of Qwixx and nothing else, and is skipped where there is no C compiler. Of
OpenSpiel the rules are in C++ and the players in Python; Pgx and Ludax play a thousand games at a
time, and what they take to compile them is not counted. Watched play is what `rulewright run` does:
all properties are looked at after each transition, and three near misses of each event are tried.
The goals: 15 times the old player in Qwixx and twenty one, 5 times in Matte-Kryss, 3 in Kubbar, 50
watched; 0.6 of C; 40 times in lines; 3 times OpenSpiel; a game compiled within 100 ms.
"""

from __future__ import annotations

import gc
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count
from pathlib import Path

from benchmarks.baseline import figure
from benchmarks.harness.measure import ROOT, SEED, Row, attempted, in_turns, rows, skipped, spent
from benchmarks.harness.peer import BOARDS
from rulewright.cli.main import SELDOM
from rulewright.frontend import check_text, read
from rulewright.play.semantics.instance import Instance
from rulewright.resources import find_spec
from rulewright.wasm.runtime.exploring import Explorer
from rulewright.wasm.runtime.wasm_game import WasmGame

WASM, PYTHON, C = "WebAssembly", "Python (recorded)", "C"
PLAYERS = 3
GAMES = {"qwixx": 20_000, "twenty_one": 2000, "matte_kryss": 40, "kubbar": 5, "connect_four": 5000,
         "othello": 500, "breakthrough": 1000, "hex": 1000, "draughts": 500}  # fmt: skip
"""How many games of each are played in a round."""
FEWER = 20
"""Of watched games so many times fewer."""
LINES = {"connect_four": (4, 8), "othello": (4, 7)}
"""How deep lines are counted, quickly and otherwise."""
Measures = dict[str, Callable[[], float]]
PLAY, EXPLORE = frozenset(("play",)), frozenset(("explore",))


def questions(quick: bool) -> Iterator[Row]:
    """Compiling; random play, watched or not; lines; positions."""
    rounds = 2 if quick else 7
    for name, games in GAMES.items():
        instance = instance_of(name)
        some = max(1, games // 50) if quick else games
        compiling: Measures = {
            WASM: partial(compiled, instance), PYTHON: partial(figure, name, "compiling")
        }  # fmt: skip
        yield from rows(f"compiling {name}", "ms", in_turns(compiling, rounds))
        game, question = WasmGame(instance, parts=PLAY), f"random play of {name}"
        playing: Measures = {WASM: speed(game, some), PYTHON: partial(figure, name, "random")}
        if name == "qwixx":
            with tempfile.TemporaryDirectory() as folder:
                program = in_c(Path(folder))
                if program is not None:
                    playing[C] = partial(ran, program, some)
                yield from rows(question, "steps/s", in_turns(playing, rounds))
                if program is None:
                    yield skipped(question, C, "there is no C compiler")
        else:
            yield from rows(question, "steps/s", in_turns(playing, rounds))
        yield from peers(name, question, quick)
        watched = WasmGame(instance, watched=True, parts=PLAY)
        watching: Measures = {WASM: speed(watched, max(1, some // FEWER)),
                              PYTHON: partial(figure, name, "watched")}  # fmt: skip
        yield from rows(f"watched play of {name}", "steps/s", in_turns(watching, rounds // 2))
    for name, depths in LINES.items():
        depth = depths[0 if quick else 1]
        question = f"lines of {depth} events of {name}"
        yield from rows(question, "lines/s", in_turns(lines(name, depth), rounds // 2))
    yield from explored(quick)


def peers(name: str, question: str, quick: bool) -> Iterator[Row]:
    """Random play of a board game by the tools that have it."""
    for peer in BOARDS:
        if not peer.has(name):
            continue
        if quick or not peer.found:
            yield peer.skipped(question, quick)
        else:
            yield from attempted(question, peer.name, partial(by_peer, question, peer.name, name))


def by_peer(question: str, peer: str, name: str) -> Iterable[Row]:
    """Steps a second of one peer, three times."""
    (found,) = (each for each in BOARDS if each.name == peer)
    return rows(question, "steps/s", in_turns({peer: partial(found.speed, name)}, 3, warm=False))


def instance_of(name: str) -> Instance:
    """A game that comes with the program."""
    spec = read(find_spec(name)).spec
    assert spec is not None
    return Instance(spec, min(PLAYERS, spec.most))


def compiled(instance: Instance) -> float:
    """The milliseconds it takes to compile a game that is to be played at random; garbage is looked
    for as seldom as the program does."""
    gc.collect()
    usual = gc.get_threshold()
    gc.set_threshold(*SELDOM)
    try:
        return spent(lambda: WasmGame(instance, parts=PLAY)) * 1000
    finally:
        gc.set_threshold(*usual)


def speed(game: WasmGame, games: int) -> Callable[[], float]:
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


def lines(name: str, depth: int) -> dict[str, Callable[[], float]]:
    """Lines of play counted a second."""
    game = WasmGame(instance_of(name), parts=EXPLORE)
    game.begin()
    total = sum(level.lines for level in Explorer(game).lines(depth))
    return {
        WASM: lambda: total / spent(lambda: Explorer(game).lines(depth)),
        PYTHON: partial(figure, name, "lines"),
    }


def explored(quick: bool) -> Iterator[Row]:
    """Positions found a second, and what one takes of memory: Connect Four some events deep, and
    all of it on a board of four columns, which has 15,835,683 positions."""
    whole = small_board()
    reach, most = (6, 100_000) if quick else (11, 8_000_000)
    game = WasmGame(instance_of("connect_four"), parts=EXPLORE, memory=1 << 32)
    game.begin()
    question = f"positions of connect_four within {reach} events"
    measure = {"breadth first": partial(found, game, most, reach)}
    yield from rows(question, "positions/s", in_turns(measure, 1 if quick else 3, warm=False))
    yield Row(question, "memory", "bytes/position", (Explorer(game).room(most) / most,))
    if quick:
        return
    most = 16_000_000
    game = WasmGame(whole, parts=EXPLORE, memory=1 << 32)
    game.begin()
    question = "all positions of connect_four with four columns"
    measure = {
        "breadth first": partial(found, game, most),
        "depth first": partial(found, game, most, None, True),
    }
    yield from rows(question, "positions/s", in_turns(measure, 2, warm=False))
    yield Row(question, "memory", "bytes/position", (Explorer(game).room(most) / most,))


def small_board() -> Instance:
    """Connect Four with four columns."""
    text = (ROOT / "spec" / "library" / "connect_four.rules").read_text()
    text = text.partition("# ---- what is proved")[0]
    text = text.replace("grid 7 x 6", "grid 4 x 6").replace("1..7", "1..4")
    spec = check_text("connect_four.rules", text.replace("c <= 7", "c <= 4")).spec
    assert spec is not None
    return Instance(spec, 2)


def found(game: WasmGame, most: int, reach: int | None = None, deep: bool = False) -> float:
    """Positions found a second."""
    positions = 0

    def explore() -> None:
        nonlocal positions
        positions = Explorer(game).positions(most, reach, deep).positions

    seconds = spent(explore)
    return positions / seconds


def in_c(folder: Path) -> Path | None:
    """The C program, if there is a compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    program = folder / "qwixx"
    source = ROOT / "benchmarks" / "peers" / "qwixx.c"
    subprocess.run([compiler, "-O2", "-o", program, source], check=True, capture_output=True)
    return program


def ran(program: Path, games: int) -> float:
    """Steps a second of the C program, which measures the seconds itself."""
    command = [str(program), str(games), str(SEED), str(PLAYERS)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    steps, seconds, _ = said.split()
    return int(steps) / float(seconds)
