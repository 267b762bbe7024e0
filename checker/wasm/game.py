"""A game compiled to WebAssembly, for Python: positions in and out, what is legal, what happens.

The state lies in the memory of the module and is changed in place. Values that cross over are those
of the evaluator, and so are the errors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from struct import Struct

from checker.meaning import core as c
from checker.play.beginning import initial_position, open_variables
from checker.play.errors import UsageError
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.perft import Level
from checker.play.rules import requirements
from checker.play.values import Position
from checker.syntax.node import Node
from checker.wasm.assembly import PARTS, Compiled
from checker.wasm.engine import Running, Trap
from checker.wasm.exploring import DEEPEST
from checker.wasm.layout import ones
from checker.wasm.playing import BATCH
from checker.wasm.program import MOST_MEMORY, stopped
from checker.wasm.unit import STATE, STOP, WORK


class Played:
    """What random games came to: events, how many games ended in which way, who won, which score
    each player had, game by game. If a property did not hold, which one and in which game."""

    def __init__(self, instance: Instance) -> None:
        self.players = instance.players
        self.games = 0
        self.events = 0
        self.endings = [0, 0, 0]
        self.counts: dict[str, Counter[str]] = {
            kind: Counter() for kind in ("events", "proposed", "decided")
        }
        """How often each event happened, how often each proposal was taken, and in watched games
        how often each requirement alone refused a near miss."""
        self.broken: c.Property | None = None
        self.game: int | None = None
        self._layout = Struct(f"<ii{self.players}qq")
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

    @property
    def scores(self) -> list[tuple[int, ...]]:
        """The scores of all players, game by game."""
        return [tuple(scores) for _, _, *scores, _ in self._each()]

    @property
    def winners(self) -> list[tuple[int, ...]]:
        """Who has won, game by game."""
        return [tuple(ones(winners)) for *_, winners in self._each()]

    def _each(self) -> Iterator[tuple[int, ...]]:
        for records in self._records:
            yield from self._layout.iter_unpack(records)


class Explored(Node):
    """How many positions were found, at which distance (`lines` of a level are positions), and the
    property that does not hold in one of them."""

    positions: int
    levels: tuple[Level, ...]
    broken: c.Property | None


class Game:
    """A compiled game that is being played."""

    def __init__(
        self,
        instance: Instance,
        watched: bool = False,
        parts: frozenset[str] = PARTS,
        memory: int = MOST_MEMORY,
    ) -> None:
        self.instance = instance
        self.compiled = Compiled(instance, watched, parts)
        self.unit = self.compiled.unit
        self.layout = self.unit.layout
        self.events = self.compiled.events
        self.running = Running(self.compiled.binary(memory))
        self._functions: dict[str, Callable[..., int]] = {}
        self._budget = self.running.function("budget", "l>")
        if "play" in parts:
            self._put_beginnings()

    def _put_beginnings(self) -> None:
        """Writes down the positions to begin with; they differ in what is open at the start."""
        memory, size, layout = self.running.memory, self.layout.size, self.layout
        first, open_ = self.compiled.playing.starts, open_variables(self.instance)
        for number, position in enumerate(self.compiled.beginnings):
            at = first + number * size
            if number == 0:
                layout.load(position, memory, at)
                continue
            memory[at : at + size] = memory[first : first + size]
            for name in open_:
                place = layout.places[name]
                layout.encode(position[name], place.type, memory, at + place.offset)

    # ---- positions

    def begin(self) -> None:
        """The first position a game can begin with."""
        self.load(initial_position(self.instance))

    def load(self, position: Position) -> None:
        """Sets the position."""
        self.layout.load(position, self.running.memory, STATE)

    @property
    def position(self) -> Position:
        """The position as it is."""
        return self.layout.position(self.running.memory, STATE)

    # ---- events

    def legal(self) -> list[Event]:
        """The legal moves, in the order of the file, then of players, then of parameters."""
        self.call("legal")
        return [self.events.decode(self.running.memory, at) for at in self._listed()]

    def outcomes(self) -> list[tuple[Event, int]]:
        """Everything that chance can decide here, with its weight."""
        self.call("outcomes")
        memory = self.running.memory
        return [
            (self.events.decode(memory, at), self.events.weight_at(memory, at))
            for at in self._listed()
        ]

    def allows(self, event: Event) -> bool:
        """Whether nothing refuses an event."""
        self._put(event)
        self.call("allows")
        return bool(self._answered())

    def failing(self, event: Event) -> list[c.Requirement]:
        """All requirements that refuse an event; none if it is allowed."""
        self._put(event)
        self.call("failing")
        needed = requirements(self.instance.transitions[event.name])
        marks, memory = self.compiled.transitions.marks, self.running.memory
        return [each for number, each in enumerate(needed) if memory[marks + number]]

    def apply(self, event: Event) -> None:
        """Makes an event happen, with the steps it sets off; asks nothing."""
        self._put(event)
        self.call("apply")

    def take(self, event: Event) -> None:
        """Makes an event happen without the steps it sets off."""
        self._put(event)
        self.call("take")

    def step(self) -> c.Transition | None:
        """Takes the step that is due, and says which it was; None if none is."""
        steps = self.compiled.transitions.steps
        if not steps:
            return None
        self.call("due")
        number = self._answered()
        if number < 0:
            return None
        self.call("step")
        return steps[number]

    # ---- properties

    def broken(self, kind: str, before: Position | None = None) -> list[c.Property]:
        """The invariants that do not hold in the position, or the `always` properties that do not
        hold of it and the one before."""
        if before is not None:
            self.layout.load(before, self.running.memory, self.unit.before)
        self.call(kind)
        properties, memory = self.compiled.properties, self.running.memory
        return [
            each
            for number, each in enumerate(properties.watched)
            if each.kind == kind and memory[properties.marks + number]
        ]

    # ---- games at random

    def choose(self, seed: int, number: int = 0) -> Event | None:
        """An event at random, as a random game would choose it; None if nothing can happen."""
        self.call("choose", seed, number, signature="ll>i")
        if not self._answered():
            return None
        return self.events.decode(self.running.memory, self.events.chosen)

    def play(self, games: int, seed: int, first: int = 0, longest: int = 100_000) -> Played:
        """Games at random, numbered from the first one on."""
        playing, memory = self.compiled.playing, self.running.memory
        played, before = Played(self.instance), self._counters()
        done = 0
        while done < games:
            many = min(BATCH, games - done)
            memory[playing.found : playing.found + 4] = bytes(4)
            self.call("play", first + done, many, seed, longest, signature="iili>i")
            found = int.from_bytes(memory[playing.found : playing.found + 4], "little")
            if found:
                played.broken = self.compiled.properties.watched[found - 1]
                played.game = int.from_bytes(memory[playing.game : playing.game + 4], "little")
                many = played.game - first - done
            played.add(memory, playing.records, many)
            if found:
                break
            done += many
        self._count(played, before)
        return played

    def _counters(self) -> dict[tuple[str, str], int]:
        """How often what has happened since the module was loaded: events, what proposed them,
        requirements that decided a near miss alone."""
        compiled, memory = self.compiled, self.running.memory
        counts, found = compiled.playing.counts, {}

        def at(place: int) -> int:
            return int.from_bytes(memory[place : place + 8], "little")

        for number, each in enumerate(self.events.transitions):
            if each.kind != "step":
                found["events", each.name] = at(counts + 8 * number)
        for (move, proposal), place in compiled.listing.proposals.places.items():
            found["proposed", f"{move}.{proposal}"] = at(place)
        for (name, number), place in compiled.misses.places.items():
            needed = requirements(self.instance.transitions[name])
            label = needed[number].label
            if number > 0:  # the first is that of the phase
                key = ("decided", label)
                found[key] = found.get(key, 0) + at(place)
        return found

    def _count(self, played: Played, before: dict[tuple[str, str], int]) -> None:
        for (kind, name), many in self._counters().items():
            played.counts[kind][name] = many - before[kind, name]

    # ---- everything that can happen

    def perft(self, depth: int) -> list[Level]:
        """The lines of play from the position, for each length up to a depth, all outcomes of
        chance counted."""
        if depth >= DEEPEST:
            raise UsageError(f"lines of {depth} events are too long to count", "count shorter ones")
        self._clear_levels()
        with self._coming_back():
            self.call("lines", depth, signature="i>i")
        return self._levels()[: depth + 1]

    def explore(self, most: int, depth: int = (1 << 31) - 1) -> Explored:
        """All positions that can be reached from the position in so many events, breadth first, if
        they are at most `most`. What is watched is looked at in each; where it does not hold, that
        is the position afterwards."""
        self._clear_levels()
        playing, memory = self.compiled.playing, self.running.memory
        memory[playing.found : playing.found + 4] = bytes(4)
        bits = max(10, (2 * most).bit_length())
        with self._coming_back():
            self.call("explore", most, bits, depth, signature="iii>i")
            memory = self.running.memory
            found = int.from_bytes(memory[playing.found : playing.found + 4], "little")
            where = bytes(memory[STATE : STATE + self.layout.size])
        if found:
            self.running.memory[STATE : STATE + self.layout.size] = where
        at = self.compiled.exploring.positions
        count = int.from_bytes(memory[at : at + 4], "little")
        levels = [each for each in self._levels() if each.lines]
        broken = self.compiled.properties.watched[found - 1] if found else None
        return Explored(count, tuple(levels), broken)

    @contextmanager
    def _coming_back(self) -> Iterator[None]:
        """Goes through the game, and comes back to the position."""
        size = self.layout.size
        here = bytes(self.running.memory[STATE : STATE + size])
        try:
            yield
        finally:
            self.running.memory[STATE : STATE + size] = here

    def _clear_levels(self) -> None:
        exploring = self.compiled.exploring
        size = exploring.level * (DEEPEST + 1)
        self.running.memory[exploring.levels : exploring.levels + size] = bytes(size)

    def _levels(self) -> list[Level]:
        exploring, memory = self.compiled.exploring, self.running.memory
        layout = Struct(f"<{exploring.level // 8}q")
        found = []
        for depth in range(DEEPEST + 1):
            lines, finished, stuck, *counts = layout.unpack_from(
                memory, exploring.levels + depth * exploring.level
            )
            names = (each.name for each in self.events.transitions)
            events = Counter({name: many for name, many in zip(names, counts) if many})
            found.append(Level(depth, lines, finished, stuck, events))
        return found

    # ---- the module

    def call(self, name: str, *arguments: int, signature: str = ">i", work: int = WORK) -> None:
        """Calls a function; a failure is raised as the evaluator would."""
        if name not in self._functions:
            self._functions[name] = self.running.function(name, signature)
        self.running.memory[STOP] = 0
        self._budget(work)
        try:
            failure = self._functions[name](*arguments)
        except Trap as trap:
            raise stopped(self.running.memory, trap) from None
        if failure:
            raise self.unit.error(self.running.memory, failure)

    def _put(self, event: Event) -> None:
        self.events.encode(event, self.running.memory, self.events.chosen)

    def _answered(self) -> int:
        at = self.compiled.answer
        return int.from_bytes(self.running.memory[at : at + 4], "little", signed=True)

    def _listed(self) -> Sequence[int]:
        at = self.compiled.end_of_list
        end = int.from_bytes(self.running.memory[at : at + 4], "little")
        return range(self.events.list, end, self.events.size)
