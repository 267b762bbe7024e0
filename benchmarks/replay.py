"""Recorded games of Qwixx checked for legality: steps a second, and the memory it takes.

Up to a thousand games are played at random and recorded first; more than that are the same ones
over and over, which have five times as many lines as are remembered. The goal: half the speed of
random play at least, and memory that does not grow with the number of games (20 MB at the most,
beyond what the program takes anyway).
"""

from __future__ import annotations

import io
import resource
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import IO, cast

from benchmarks.measure import ROOT, SEED, Row, in_turns, rows, spent
from benchmarks.play import USUAL, compiled, speed
from checker.front import Checked, read
from checker.play.compiled import Machine
from checker.play.random_play import play_out
from checker.play.recording import recorder
from checker.play.replay import Game, replay

RECORDED = 1000


def questions(quick: bool) -> Iterator[Row]:
    """Throughput beside random play; then throughput and memory by the number of games."""
    qwixx = read(ROOT / "spec" / "qwixx.rules")
    machine = compiled(qwixx, USUAL)
    text, events = record(machine, qwixx, 100, Random(SEED))
    rounds = 2 if quick else 9

    def some() -> float:
        return events / spent(lambda: replayed(io.StringIO(text), qwixx, machine))

    together = {"replay": some, "random play": speed(lambda r: play_out(machine, r)[1], 60)}
    yield from rows("replay beside random play", "steps/s", in_turns(together, rounds))
    memories = []
    for games in (100,) if quick else (100, 1000, 10_000, 100_000):
        different = min(games, RECORDED)
        text, events = record(machine, qwixx, different, Random(SEED))
        before, times = memory(), games // different
        recorded = cast(IO[str], Repeated(text, times))
        speeds = (times * events / spent(partial(replayed, recorded, qwixx, machine)),)
        yield Row("replay by recorded games", "rulewright replay", "steps/s", speeds, at=games)
        grown = (memory() - before,)
        memories.append(Row("memory by recorded games", "rulewright replay", "MB", grown, at=games))
    yield from memories


class Repeated:
    """The same recorded games to be read line by line, so many times over."""

    def __init__(self, text: str, times: int) -> None:
        self.text = text
        self.times = times
        self.stream = io.StringIO()

    def readline(self, most: int) -> str:
        line = self.stream.readline(most)
        if not line and self.times:
            self.times -= 1
            self.stream = io.StringIO(self.text)
            line = self.stream.readline(most)
        return line


def memory() -> float:
    """The most this process has taken so far, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def record(machine: Machine, qwixx: Checked, games: int, random: Random) -> tuple[str, int]:
    """Games at random, recorded one after another; how many events they have."""
    stream = io.StringIO()
    recording = recorder(stream, "games.jsonl", qwixx)
    events = 0
    for _ in range(games):
        heard, state = recording.game(machine), machine.begin(random)
        assert heard is not None
        heard(None, state)
        while (event := machine.choose(state, random)) is not None:
            machine.apply(state, event)
            heard(event, state)
            events += 1
    return stream.getvalue(), events


def replayed(stream: IO[str], qwixx: Checked, machine: Machine) -> None:
    """Replays games that must all be legal."""
    assert qwixx.spec is not None
    for found in replay(stream, qwixx.spec.name, qwixx.hash, lambda _: machine):
        if not isinstance(found, Game) or found.wrong is not None:
            raise RuntimeError(f"a game that was played is not legal: {found}")
