"""How fast a spec is played: against a simulator written by hand, against the evaluator, from
recorded games; and how the time to check a big board grows.

Everything is measured in turns and in seconds of this process, so that a busy machine hits all
alike; what counts are the ratios. Exits with 1 if a goal is missed.
"""

from __future__ import annotations

import io
import resource
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from random import Random

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.peers import qwixx_sim  # noqa: E402
from checker.front import Checked, check_text, read  # noqa: E402
from checker.play.beginning import initial_position  # noqa: E402
from checker.play.chance import draw  # noqa: E402
from checker.play.compiled import Machine  # noqa: E402
from checker.play.game import Rules  # noqa: E402
from checker.play.instance import Instance  # noqa: E402
from checker.play.listing import legal_moves  # noqa: E402
from checker.play.random_play import play_out  # noqa: E402
from checker.play.recording import recorder  # noqa: E402
from checker.play.replay import Game, replay  # noqa: E402
from checker.play.rules import apply, is_final  # noqa: E402

PLAYERS = 3
ROUNDS = 7
SIMULATOR_GOAL = 0.5
EVALUATOR_GOAL = 20
REPLAY_GOAL = 0.5
COMPILE_GOAL = 0.3
MEMORY_GOAL = 20
"""Megabytes more than before, for any number of games."""
GRID_GOAL = 1.5
"""Times as long on a grid of sixteen times the squares."""


def main() -> int:
    """Measures, prints a table, and says whether the goals are met."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="recorded games to replay")
    options = parser.parse_args()
    qwixx = read(ROOT / "spec" / "qwixx.rules")
    table = Table()
    seconds = min(timed(lambda: compiled(qwixx)) for _ in range(3))
    table.row("compiling Qwixx", f"{seconds:.3f} s", seconds <= COMPILE_GOAL, f"{COMPILE_GOAL} s")
    play(qwixx, table)
    replaying(qwixx, table, options.games)
    board(read(ROOT / "spec" / "kubbar.rules"), table)
    return 0 if table.met else 1


class Table:
    """What was measured, with the goals."""

    def __init__(self) -> None:
        self.met = True

    def row(self, what: str, measured: str, met: bool = True, goal: str = "") -> None:
        self.met = self.met and met
        missed = "" if met else "  missed"
        print(f"{what:48} {measured:>20}  {'goal ' + goal if goal else ''}{missed}", flush=True)


def play(qwixx: Checked, table: Table) -> None:
    """Random play: simulator, compiled spec and evaluator in turns."""
    machine = compiled(qwixx)
    instance = machine.instance
    contestants: dict[str, Callable[[Random], int]] = {
        "simulator": lambda random: qwixx_sim.play(PLAYERS, random),
        "compiled": lambda random: play_out(machine, random)[1],
        "evaluator": lambda random: evaluated(instance, random, 25),
    }
    speeds = in_turns(contestants, {"simulator": 150, "compiled": 150, "evaluator": 2})
    for name, speed in speeds.items():
        table.row(f"random play of Qwixx, {name}", f"{speed:,.0f} steps/s")
    ratio = speeds["compiled"] / speeds["simulator"]
    table.row("  compiled to simulator", f"{ratio:.2f}", ratio >= SIMULATOR_GOAL,
              f"{SIMULATOR_GOAL}")  # fmt: skip
    ratio = speeds["compiled"] / speeds["evaluator"]
    table.row("  compiled to evaluator", f"{ratio:.0f}", ratio >= EVALUATOR_GOAL,
              f"{EVALUATOR_GOAL}")  # fmt: skip


def replaying(qwixx: Checked, table: Table, games: int) -> None:
    """Recorded games, against random play in the same turns; and what memory they take."""
    machine = compiled(qwixx)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games.jsonl")
        events = record(machine, qwixx, path, games)
        rules = Rules(qwixx)
        rules.machine(PLAYERS)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        seconds = timed(lambda: replayed(path, qwixx, rules, games))
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        table.row(f"memory for {games:,} games", f"+{grown:.1f} MB", grown <= MEMORY_GOAL,
                  f"{MEMORY_GOAL} MB")  # fmt: skip
        table.row(f"replay of {games:,} games", f"{events / seconds:,.0f} steps/s")
        few = "".join(path.open(encoding="utf-8").readlines()[:20_000])
    lines = few.count("\n")
    assert qwixx.spec is not None
    name = qwixx.spec.name

    def some(_: Random) -> int:
        for _found in replay(io.StringIO(few), name, qwixx.hash, lambda _: machine):
            pass
        return lines

    speeds = in_turns(
        {"replay": some, "play": lambda random: play_out(machine, random)[1]},
        {"replay": 1, "play": 150},
    )
    ratio = speeds["replay"] / speeds["play"]
    table.row("  replay to random play", f"{ratio:.2f}", ratio >= REPLAY_GOAL, f"{REPLAY_GOAL}")


def board(kubbar: Checked, table: Table) -> None:
    """Checking a rearranged table: by tiles on it, and by the size of the grid."""
    assert kubbar.text is not None
    times: dict[int, dict[int, float]] = {}
    for width in (120, 480):
        text = kubbar.text.text.replace("grid 240 x 240", f"grid {width} x {width}")
        spec = check_text("kubbar.rules", text).spec
        assert spec is not None
        machine = Machine(Instance(spec, PLAYERS))
        times[width] = {tiles: checking(machine, width, tiles) for tiles in (12, 24, 48, 96)}
    for tiles in times[120]:
        small, large = times[120][tiles], times[480][tiles]
        table.row(f"checking a table of {tiles} tiles, grid of 120 x 120", f"{small * 1e6:.0f} µs")
        ratio = large / small
        table.row(
            "  the same on 480 x 480", f"{ratio:.2f} times", ratio <= GRID_GOAL, f"{GRID_GOAL}"
        )


def checking(machine: Machine, width: int, tiles: int) -> float:
    """Seconds to check one more run of three laid on a table of so many tiles."""
    state = machine.begin()
    spec = machine.instance.spec
    slot = {name: slots.base for name, slots in machine.layout.slots.items()}
    runs = {}
    for number in range(tiles // 3):
        row, column = 2 + 3 * (number // 8), 2 + 5 * (number % 8)
        for step in range(3):
            runs[row * width + column + step] = 14 * (number % 4) + 3 * (number // 8 % 4) + step
    state[0] = [phase.name for phase in spec.phases].index("turn")
    state[slot["active"]] = 1
    state[slot["board"]] = runs
    state[slot["founded"]] = 2 + 4 + 8
    state[slot["rack"]] = {11: 1, 12: 1, 13: 1, 0: 1}
    at = 90 * width + 50
    lay = (machine.numbers["lay"], 1, {**runs, at: 11, at + 1: 12, at + 2: 13})
    repeats = max(1, 2000 // tiles)
    return (
        min(
            timed(lambda: [machine.broken(state, lay) for _ in range(repeats)])
            for _ in range(ROUNDS)
        )
        / repeats
    )


def in_turns(
    contestants: dict[str, Callable[[Random], int]], games: dict[str, int]
) -> dict[str, float]:
    """The best steps a second of each over some rounds."""
    best = dict.fromkeys(contestants, 0.0)
    for number in range(ROUNDS):
        for name, contestant in contestants.items():
            random = Random(number)
            began, steps = time.process_time(), 0
            for _ in range(games[name]):
                steps += contestant(random)
            best[name] = max(best[name], steps / (time.process_time() - began))
    return best


def evaluated(instance: Instance, random: Random, steps: int) -> int:
    """So many steps at random, by the evaluator."""
    position, done = initial_position(instance), 0
    while done < steps and not is_final(instance, position):
        event = draw(instance, position, random)
        if event is None:
            moves = list(legal_moves(instance, position))
            event = moves[random.randrange(len(moves))]
        position = apply(instance, position, event)[-1].after
        done += 1
    return done


def record(machine: Machine, qwixx: Checked, path: Path, games: int) -> int:
    """Records games at random; how many events they have."""
    with path.open("w", encoding="utf-8") as stream:
        record = recorder(stream, path.name, qwixx)
        random, events = Random(1), 0
        for _ in range(games):
            heard, state = record.game(machine), machine.begin(random)
            assert heard is not None
            heard(None, state)
            while (event := machine.choose(state, random)) is not None:
                machine.apply(state, event)
                heard(event, state)
                events += 1
    return events


def replayed(path: Path, qwixx: Checked, rules: Rules, games: int) -> None:
    assert qwixx.spec is not None
    legal = 0
    with path.open(encoding="utf-8") as stream:
        for found in replay(
            stream, qwixx.spec.name, qwixx.hash, lambda header: rules.machine(header.players)
        ):
            legal += isinstance(found, Game) and found.wrong is None
    assert legal == games


def compiled(checked: Checked) -> Machine:
    assert checked.spec is not None
    return Machine(Instance(checked.spec, PLAYERS), checked.text)


def timed(action: Callable[[], object]) -> float:
    """The seconds of this process that something takes."""
    began = time.process_time()
    action()
    return time.process_time() - began


if __name__ == "__main__":
    sys.exit(main())
