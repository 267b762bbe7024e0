"""What a change does to play: many random games by either set of rules, and how they went.

Random players are no good players, but they are the same by both rules. Every number comes with
its standard error, so that nobody takes noise for an effect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import compress
from math import ceil, inf, log10, sqrt

from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import results
from rulewright.simulate.compiled.modules import made
from rulewright.syntax.node import Node
from rulewright.wasm.runtime.wasm_game import WasmGame
from rulewright.wasm.simulate.random_play import BATCH, FINISHED

LONGEST = 20_000
"""Events; a game that goes on longer is given up and counted as unfinished."""
GAMES = 1_000_000
LEAST = 256
MOST_WORK = 100_000_000
"""Unless somebody says how many, so many games are played by either rules, as far as they take no
more work in all, which is counted inside the module: of Qwixx there are some 400,000 then. Of games
with moves that take long to find there are few, but never fewer than the least."""
FIRST = 64
"""Games in one call to begin with, in case they are long."""
BEGUN = "the start"
"""What ends a game that is over before it has begun."""

Counts = Mapping[int, int]
"""How often each number came up."""


class GameSample(Node):
    """Games by one set of rules: how often each of them came to what."""

    games: int
    unfinished: int
    lengths: Counts
    scores: Counts
    best: Counts
    ties: Counts
    endings: Mapping[str, int]
    sizes: Mapping[str, Counts]
    """How many elements each set that all share has at the end: rows closed, for example."""


class Estimate(Node):
    """A mean with its standard error."""

    mean: float
    error: float

    def shown(self, percent: bool = False) -> str:
        """`51.2 ± 0.9`; with more places where the error would not be seen."""
        factor, unit = (100, " %") if percent else (1, "")
        mean, error = self.mean * factor, self.error * factor
        places = max(1, ceil(-log10(error))) if error else 1
        return f"{mean:.{places}f} ± {error:.{places}f}{unit}"


class StatisticsRow(Node):
    """One number by both rules; `percent` says that it is a share of the games."""

    name: str
    old: Estimate
    new: Estimate
    percent: bool

    @property
    def clear(self) -> bool:
        """Whether the difference is more than chance would bring about (two standard errors)."""
        spread = sqrt(self.old.error**2 + self.new.error**2)
        return abs(self.new.mean - self.old.mean) > 2 * spread


def estimate(numbers: Counts) -> Estimate:
    """The mean of some numbers and how far it may be off."""
    count = sum(numbers.values())
    mean = sum(each * times for each, times in numbers.items()) / count
    if count < 2:
        return Estimate(mean, 0.0)
    squares = sum(times * (each - mean) ** 2 for each, times in numbers.items())
    return Estimate(mean, sqrt(squares / (count - 1) / count))


def share(happened: int, count: int) -> Estimate:
    """Of how many games something is true. What was never seen may still happen, so the error is
    that of two games more, one with it and one without."""
    near = (happened + 1) / (count + 2)
    return Estimate(happened / count, sqrt(near * (1 - near) / (count + 2)))


def sample_games(
    old: Instance, new: Instance, games: int | None, seed: int
) -> tuple[GameSample, GameSample]:
    """Plays so many games at random by either rules, as many by both; None stands for as many as
    are worth it."""
    sides = _Side(old, seed), _Side(new, seed)
    most, games = (MOST_WORK, GAMES) if games is None else (inf, games)
    played = 0
    while played < games and (played < LEAST or sum(side.work for side in sides) < most):
        batch = min(FIRST if not played else BATCH, games - played)
        for side in sides:
            side.play(played, batch)
        played += batch
    one, other = (side.sample(played) for side in sides)
    return one, other


class _Side:
    """Games by one set of rules, counted as they are played."""

    def __init__(self, instance: Instance, seed: int) -> None:
        self._instance = instance
        self._seed = seed
        self._game = made(lambda: WasmGame(
            instance, parts=frozenset(("play",)), reserving=False, noting=True
        ))  # fmt: skip
        self._unfinished = 0
        names = {each.name for each in results(instance)}
        self._scored, self._won = "score" in names, "wins" in names
        self._counts: dict[str, Counter[int]] = {
            name: Counter() for name in ("lengths", "scores", "best", "ties", "endings")
        }
        self._sizes: dict[str, Counter[int]] = {
            each.name: Counter() for each in self._game.compiled.playing.sets
        }

    @property
    def work(self) -> int:
        """What was done so far."""
        at = self._game.compiled.playing.work_done
        return int.from_bytes(self._game.memory[at : at + 8], "little")

    def play(self, first: int, games: int) -> None:
        """Plays games with numbers from the first on. One in which the rules have no answer does
        not finish."""
        end = first + games
        while first < end:
            played = self._game.some(end - first, self._seed, first, LONGEST)
            self._add(played.columns())
            first += played.games
            if played.wrong is not None:
                self._unfinished += 1
                first += 1

    def _add(self, columns: Sequence[Sequence[int]]) -> None:
        if not columns:
            return
        over = [each == FINISHED for each in columns[1]]
        self._unfinished += over.count(False)
        players = self._instance.players
        lengths, _, *rest = (list(compress(each, over)) for each in columns)
        scores, (winners, endings, *sizes) = rest[:players], rest[players:]
        counts = self._counts
        counts["lengths"].update(lengths)
        counts["endings"].update(endings)
        if self._scored:
            for each in scores:
                counts["scores"].update(each)
            counts["best"].update(map(max, *scores) if players > 1 else scores[0])
        if self._won:
            counts["ties"].update(int(each.bit_count() != 1) for each in winners)
        for count, each in zip(self._sizes.values(), sizes):
            count.update(each)

    def sample(self, games: int) -> GameSample:
        """What so many games came to."""
        log = self._game.compiled.transitions.log
        assert log is not None
        counts = self._counts
        endings = {log.names[each] or BEGUN: times for each, times in counts["endings"].items()}
        return GameSample(
            games, self._unfinished, counts["lengths"], counts["scores"], counts["best"],
            counts["ties"], endings, self._sizes,
        )  # fmt: skip


def statistics_rows(old: GameSample, new: GameSample) -> list[StatisticsRow]:
    """The numbers side by side; what neither side has is left out."""
    found = []
    for name, field in (("events a game", "lengths"), ("score", "scores"),
                        ("best score", "best")):  # fmt: skip
        one, other = getattr(old, field), getattr(new, field)
        if one and other:
            found.append(StatisticsRow(name, estimate(one), estimate(other), False))
    if old.ties and new.ties:
        shares = [share(side.ties.get(1, 0), sum(side.ties.values())) for side in (old, new)]
        found.append(StatisticsRow("games without a single winner", shares[0], shares[1], True))
    for name in old.sizes:
        one, other = old.sizes[name], new.sizes.get(name, {})
        if one and other and (any(one) or any(other)):
            found.append(
                StatisticsRow(f"in `{name}` at the end", estimate(one), estimate(other), False)
            )
    if old.endings and new.endings:
        for label in sorted({*old.endings, *new.endings}):
            shares = [
                share(side.endings.get(label, 0), sum(side.endings.values())) for side in (old, new)
            ]
            found.append(StatisticsRow(f"ended by {label}", shares[0], shares[1], True))
    if old.unfinished or new.unfinished:
        shares = [share(side.unfinished, side.games) for side in (old, new)]
        found.append(StatisticsRow("not finished", shares[0], shares[1], True))
    return found


def histogram(numbers: Counts, low: int, width: int, bins: int) -> list[float]:
    """Which share of the numbers falls into each bin."""
    counts: Counter[int] = Counter()
    for each, times in numbers.items():
        counts[min(bins - 1, max(0, (each - low) // width))] += times
    total = sum(numbers.values())
    return [counts[at] / total for at in range(bins)] if total else [0.0] * bins
