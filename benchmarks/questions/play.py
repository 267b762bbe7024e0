"""Random games: steps a second of Qwixx, by the evaluator, the compiled spec, the reference engine,
a simulator written by hand and the peers; of the other games, by spec and engine.

One step is one decision: a throw, an answer to the white sum, a second action. Our own contestants
take turns in one process; a peer has its own process, and its start-up is left out if it can be
measured apart. The goals: the compiled spec runs at half the speed of the simulator at least, and
at 20 times that of the evaluator; 20,000 steps a second of twenty one, 5,000 of Matte-Kryss, 2,000
turns of Kubbar. In Kubbar spec and engine play differently, since each first tries the moves that
it proposes itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import count
from random import Random

from benchmarks.harness.measure import ROOT, SEED, Row, attempted, in_turns, rows, spent
from benchmarks.harness.peer import PLAYERS as PEERS
from benchmarks.peers import qwixx_sim
from rulewright.frontend import LoadedSpec, read
from rulewright.play.semantics.chance import draw
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.legal_moves import legal_moves
from rulewright.play.semantics.rules import apply, is_final
from rulewright.wasm.runtime.game_results import GameStatistics
from rulewright.wasm.runtime.wasm_game import WasmGame
from rulewright_engines.engine import Engine
from rulewright_engines.kubbar import Kubbar
from rulewright_engines.matte_kryss import MatteKryss
from rulewright_engines.qwixx import Qwixx
from rulewright_engines.twenty_one import TwentyOne

USUAL = 3
ENOUGH = 500
"""Steps; what is left of a longer game is not played."""
FASTER = 10
"""So many times as many games the compiled spec plays."""
OTHERS: dict[type[Engine], int] = {TwentyOne: 60, MatteKryss: 2, Kubbar: 2}
"""How many games of each are enough to measure."""


def questions(quick: bool) -> Iterator[Row]:
    """Compiling; random play of each; how the speed of ours goes with the number of players."""
    qwixx = read(ROOT / "spec" / "qwixx.rules")
    rounds = 2 if quick else 9
    once = in_turns({"rulewright": lambda: spent(lambda: player(qwixx, USUAL)) * 1000}, rounds)
    yield from rows("compiling Qwixx", "ms", once)
    question = f"random play of Qwixx, {USUAL} players"
    measured = in_turns(contestants(qwixx, USUAL, 3 if quick else 60), rounds)
    yield from rows(question, "steps/s", measured)
    for peer in PEERS:
        if quick or not peer.found:
            yield peer.skipped(question, quick)
        else:
            measure = {peer.name: partial(peer.speed, USUAL, 1.5)}
            ask = partial(measured_in_turns, question, measure)
            yield from attempted(question, peer.name, ask)
    for players in (2,) if quick else range(2, 6):
        some = contestants(qwixx, players, 3 if quick else 60)
        few = {name: some[name] for name in ("compiled spec", "simulator")}
        measured = in_turns(few, rounds)
        yield from rows("random play by players", "steps/s", measured, at=players)
    for kind, games in OTHERS.items():
        spec = read(ROOT / "spec" / f"{kind.NAME}.rules")
        both = spec_and_engine(spec, kind, 2 if quick else games)
        question = f"random play of {kind.NAME}, {USUAL} players"
        yield from rows(question, "steps/s", in_turns(both, rounds // 2))
    kubbar = in_whole_turns(read(ROOT / "spec" / "kubbar.rules"), 2 if quick else 10)
    question = f"turns of kubbar at random, {USUAL} players"
    yield from rows(question, "turns/s", in_turns(kubbar, rounds))


def measured_in_turns(question: str, measure: Mapping[str, Callable[[], float]]) -> Iterable[Row]:
    """A peer by itself, three times."""
    return rows(question, "steps/s", in_turns(measure, 3))


def contestants(qwixx: LoadedSpec, players: int, games: int) -> dict[str, Callable[[], float]]:
    """Everything that plays in this process, each with its measure of speed."""
    game, engine = player(qwixx, players), Qwixx()
    instance = game.instance
    return {
        "evaluator": speed(lambda random: evaluated(instance, random, 25), max(2, games // 30)),
        "compiled spec": batches(game, games * FASTER),
        "reference engine": speed(lambda random: played(engine, players, random), games // 3),
        "simulator": speed(lambda random: qwixx_sim.play(players, random), games),
    }


def spec_and_engine(
    game: LoadedSpec, kind: type[Engine], games: int
) -> dict[str, Callable[[], float]]:
    """A compiled spec and its engine, each with its measure of speed."""
    playing, engine = player(game, USUAL), kind()
    return {
        "compiled spec": batches(playing, games * FASTER),
        "reference engine": speed(lambda random: played(engine, USUAL, random), games),
    }


def in_whole_turns(game: LoadedSpec, games: int) -> dict[str, Callable[[], float]]:
    """A compiled spec, with its measure of turns a second. Dealing, drawing, filling the pool and
    handing tiles on take their time, but are no turns."""
    playing = player(game, USUAL)
    moves = [each.name for each in playing.instance.of_kind("move") if "turn" in each.phases]
    return {"compiled spec": batches(playing, games, lambda played: sum(
        played.counts["events"][name] for name in moves))}  # fmt: skip


def batches(
    game: WasmGame,
    games: int,
    counted: Callable[[GameStatistics], int] = lambda played: played.events,
) -> Callable[[], float]:
    """Steps a second of the compiled spec, other games in each round."""
    seeds = count(SEED)

    def measure() -> float:
        steps, seed = 0, next(seeds)

        def some() -> None:
            nonlocal steps
            steps = counted(game.play(max(1, games), seed, longest=ENOUGH))

        seconds = spent(some)
        return steps / seconds

    return measure


def speed(play: Callable[[Random], int], games: int) -> Callable[[], float]:
    """Steps a second over some games, other ones in each round."""
    seeds = count(SEED)

    def measure() -> float:
        random, steps = Random(next(seeds)), 0

        def some() -> None:
            nonlocal steps
            for _ in range(max(1, games)):
                steps += play(random)

        seconds = spent(some)
        return steps / seconds

    return measure


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


def played(engine: Engine, players: int, random: Random) -> int:
    """A game at random, by the reference engine."""
    engine.new(players)
    steps = 0
    while steps < ENOUGH:
        event = engine.roll(random)
        if event is None:
            moves = engine.legal()
            if not moves:
                return steps
            event = moves[random.randrange(len(moves))]
        engine.apply(event)
        steps += 1
    return steps


def player(checked: LoadedSpec, players: int) -> WasmGame:
    """A compiled spec that plays at random."""
    assert checked.spec is not None
    return WasmGame(Instance(checked.spec, players), parts=frozenset(("play",)))
