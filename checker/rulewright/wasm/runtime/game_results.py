"""What came of games that were played inside a module: at random, or in every way there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from struct import Struct

from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.instance import Instance
from rulewright.syntax.node import Node
from rulewright.wasm.codegen.data_layout import ones
from rulewright.wasm.runtime.portable_states import Happening, State


class GameStatistics:
    """What random games came to: events, how many games ended in which way, who won, which score
    each player had, game by game; and what was wrong with the game after these, if it is known."""

    def __init__(self, instance: Instance, noted: int = 0) -> None:
        """With so many numbers about each game besides."""
        self.players = instance.players
        self.games = 0
        self.events = 0
        self.endings = [0, 0, 0]
        self.counts: dict[str, Counter[str]] = {
            kind: Counter() for kind in ("events", "proposed", "decided")
        }
        """How often each event happened, how often each proposal was taken, and in watched games
        how often each requirement alone refused a near miss."""
        self.wrong: tuple[int, int] | None = None
        """The number of a game with which something is wrong, and after how many events."""
        self.broken: c.Property | None = None
        """The property that does not hold in it."""
        self.error: Exception | None = None
        """What the rules cannot say in it."""
        self._layout = Struct(f"<ii{self.players + 1}q{8 * noted}x")
        self._whole = Struct(f"<ii{self.players + 1 + noted}q")
        self._records: list[bytes] = []

    def add(self, memory: memoryview, at: int, many: int) -> None:
        """Adds the records of a batch."""
        size = self._layout.size
        records = bytes(memory[at : at + size * many])
        numbers, step = memoryview(records).cast("i"), size // 4
        self.games += many
        self.events += sum(numbers[::step])
        for ending in range(len(self.endings)):
            self.endings[ending] += numbers[1::step].tolist().count(ending)
        self._records.append(records)

    def join(self, other: GameStatistics) -> None:
        """Adds other games, which came after."""
        self.games += other.games
        self.events += other.events
        self.endings = [one + more for one, more in zip(self.endings, other.endings)]
        for kind, counts in other.counts.items():
            self.counts[kind].update(counts)
        self.wrong, self.broken, self.error = other.wrong, other.broken, other.error
        self._records += other._records

    @property
    def scores(self) -> list[tuple[int, ...]]:
        """The scores of all players, game by game."""
        return [tuple(scores) for _, _, *scores, _ in self.each()]

    @property
    def winners(self) -> list[tuple[int, ...]]:
        """Who has won, game by game."""
        return [tuple(ones(winners)) for *_, winners in self.each()]

    def columns(self) -> list[tuple[int, ...]]:
        """The same in columns, one for each number about a game, and what was noted besides."""
        rows = chain.from_iterable(map(self._whole.iter_unpack, self._records))
        return [*zip(*rows)]

    def each(self) -> Iterator[tuple[int, ...]]:
        """Of each game the events, how it ended, the scores, and a bit for each who has won."""
        for records in self._records:
            yield from self._layout.iter_unpack(records)


class Explored(Node):
    """How many positions were found, at which distance (`lines` of a level are positions), and the
    property that does not hold in one of them."""

    positions: int
    levels: tuple[Level, ...]
    broken: c.Property | None


class Reached(Node):
    """What a search has come to after so many positions: a property that is met, an error of the
    rules, or else a stop if there is a way there, and nothing if there is none. The way leads back
    from the last state to where the game began; `event` is what happened in that state, if it is
    not the state itself that counts."""

    positions: int
    met: c.Property | None
    error: EvaluationError | None
    way: tuple[State, ...]
    event: Happening | None


class Level(Node):
    """All lines of play of one length: how many there are, how many of them end the game, how
    many end it unfinished with nothing to follow, and how many end with each event."""

    depth: int
    lines: int
    finished: int
    stuck: int
    events: Counter[str]
