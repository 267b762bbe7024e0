"""Recorded games of Qwixx checked for legality: steps a second, and the memory it takes.

A few hundred games are recorded at random and read over and over, up to the number asked for. The
goal: half the speed of random play at least, and memory that does not grow with the number of
games (20 MB at the most, beyond what the program takes anyway).
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

RECORDED = 100


def questions(quick: bool) -> Iterator[Row]:
    """Throughput beside random play; then throughput and memory by the number of games."""
    qwixx = read(ROOT / "spec" / "qwixx.rules")
    machine = compiled(qwixx, USUAL)
    text, events = record(machine, qwixx, RECORDED)
    rounds = 2 if quick else 9

    def some() -> float:
        return events / spent(lambda: replayed(io.StringIO(text), qwixx, machine))

    together = {"replay": some, "random play": speed(lambda r: play_out(machine, r)[1], 60)}
    yield from rows("replay beside random play", "steps/s", in_turns(together, rounds))
    for games in (100,) if quick else (100, 1000, 10_000, 100_000):
        before = memory()
        stream = cast(IO[str], Repeated(text, games // RECORDED))
        seconds = spent(partial(replayed, stream, qwixx, machine))
        speeds = (events * (games // RECORDED) / seconds,)
        yield Row("replay by recorded games", "rulewright replay", "steps/s", speeds, at=games)
        grown = (memory() - before,)
        yield Row("memory by recorded games", "rulewright replay", "MB", grown, at=games)


class Repeated:
    """A text that can be read so many times, line by line, before it ends."""

    def __init__(self, text: str, times: int) -> None:
        self.text = text
        self.times = times
        self.stream = io.StringIO(text)

    def readline(self, most: int) -> str:
        line = self.stream.readline(most)
        if not line and self.times > 1:
            self.times -= 1
            self.stream = io.StringIO(self.text)
            line = self.stream.readline(most)
        return line


def memory() -> float:
    """The most this process has taken so far, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def record(machine: Machine, qwixx: Checked, games: int) -> tuple[str, int]:
    """Games at random, recorded one after another; how many events they have."""
    stream = io.StringIO()
    recording = recorder(stream, "games.jsonl", qwixx)
    random, events = Random(SEED), 0
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
