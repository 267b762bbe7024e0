"""Recorded games of Qwixx checked for legality: steps a second, and memory.

Up to a thousand random games are recorded first. Larger numbers repeat these games; they have five
times as many lines as the program remembers. The goals: at least half the speed of random play, and
memory that does not grow with the number of games (at most 20 MB more than the program needs
anyway).
"""

from __future__ import annotations

import io
import resource
from collections.abc import Iterator
from functools import partial
from typing import IO, cast

from benchmarks.harness.measure import ROOT, SEED, Row, in_turns, rows, spent
from benchmarks.questions.play import USUAL, batches, player
from rulewright.frontend import LoadedSpec, read
from rulewright.play.semantics.instance import Instance
from rulewright.simulate.compiled.compiled_game import CompiledGame
from rulewright.simulate.recording import recorder
from rulewright.simulate.replay import RecordedGame, replay
from rulewright.simulate.watched_games import WatchedGames

RECORDED = 1000


def questions(quick: bool) -> Iterator[Row]:
    """Throughput beside random play; then throughput and memory by the number of games."""
    qwixx = read(ROOT / "spec" / "qwixx.rules")
    assert qwixx.spec is not None
    game = CompiledGame(Instance(qwixx.spec, USUAL))
    text, events = record(game.instance, qwixx, 100)
    rounds = 2 if quick else 9

    def some() -> float:
        return events / spent(lambda: replayed(io.StringIO(text), qwixx, game))

    together = {"replay": some, "random play": batches(player(qwixx, USUAL), 2000)}
    yield from rows("replay beside random play", "steps/s", in_turns(together, rounds))
    memories = []
    for games in (100,) if quick else (100, 1000, 10_000, 100_000):
        different = min(games, RECORDED)
        text, events = record(game.instance, qwixx, different)
        before, times = memory(), games // different
        recorded = cast(IO[str], Repeated(text, times))
        speeds = (times * events / spent(partial(replayed, recorded, qwixx, game)),)
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


def record(instance: Instance, qwixx: LoadedSpec, games: int) -> tuple[str, int]:
    """Games at random, recorded one after another; how many events they have."""
    stream = io.StringIO()
    recording = recorder(stream, "games.jsonl", qwixx)
    watched, events = WatchedGames(instance), 0
    for number in range(1, games + 1):
        heard = recording.game(instance)
        assert heard is not None
        events += watched.listen(number, SEED, heard).events
    return stream.getvalue(), events


def replayed(stream: IO[str], qwixx: LoadedSpec, game: CompiledGame) -> None:
    """Replays games that must all be legal."""
    assert qwixx.spec is not None
    for found in replay(stream, qwixx.spec.name, qwixx.hash, lambda _: game):
        if not isinstance(found, RecordedGame) or found.wrong is not None:
            raise RuntimeError(f"a game that was played is not legal: {found}")
