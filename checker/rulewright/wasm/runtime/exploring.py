"""Going through a compiled game: lines of play, and all positions that can be reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from struct import Struct

from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.wasm.codegen.compilation_unit import STATE
from rulewright.wasm.runtime.game_results import Explored, Level, Reached
from rulewright.wasm.runtime.portable_states import State
from rulewright.wasm.runtime.wasm_game import WasmGame
from rulewright.wasm.simulate.line_counting import DEEPEST
from rulewright.wasm.simulate.state_exploration import STOPPED

MOST_WORK = 1 << 40
"""For counting and exploring, which go through many positions in one call."""
FARTHEST = (1 << 31) - 1


class Explorer:
    """Goes through a game; its module has the part `explore`."""

    def __init__(self, game: WasmGame) -> None:
        self.game = game
        self._size = game.layout.size

    def lines(self, depth: int, work: int = MOST_WORK) -> list[Level]:
        """The lines of play from the position, for each length up to a depth, all outcomes of
        chance counted, if that takes no more than so much work."""
        if depth >= DEEPEST:
            raise UsageError(f"lines of {depth} events are too long to count", "count shorter ones")
        self._clear_levels()
        with self._coming_back():
            self.game.call("lines", depth, signature="i>i", work=work)
        return self._levels()[: depth + 1]

    def positions(self, most: int, depth: int | None = None, deep: bool = False) -> Explored:
        """All positions that can be reached from the position in so many events, breadth first, if
        they are at most `most`; or all of them depth first, as one level. What is watched is looked
        at in each; where it does not hold, that is the position afterwards. `room` says how much
        memory this takes."""
        if deep and depth is not None:
            raise ValueError("going deep, nothing is known of the distance")
        game = self.game
        with self._coming_back():
            self._prepare(most)
            game.call("add")
            if deep:
                game.call("descend", work=MOST_WORK)
            else:
                far = FARTHEST if depth is None else depth
                game.call("explore", far, 0, signature="ii>i", work=MOST_WORK)
            found = self._found
            where = bytes(game.memory[STATE : STATE + self._size])
        if found is not None:
            game.held = None
            game.memory[STATE : STATE + self._size] = where
        levels = [each for each in self._levels() if each.lines]
        return Explored(self.count, tuple(levels), found)

    def search(self, starts: Iterable[State], most: int, work: int, stopping: bool) -> Reached:
        """Goes breadth first from these states until something is met that is watched for, the
        rules have no answer, or with `stopping` nothing can happen; how it was come by. Raises what
        any call may raise but an error of the rules."""
        game, error = self.game, None
        found, exploring = game.compiled.playing.found, game.compiled.exploring
        self._prepare(most)
        for start in starts:
            game.state = start
            game.call("add", work=work)
            if game.word(found):
                break
        game.held = None
        try:
            game.call("explore", FARTHEST, int(stopping), signature="ii>i", work=work)
        except EvaluationError as failed:
            error = failed
        if not game.word(found) and error is None:
            return Reached(self.count, None, None, (), None)
        at = game.word(exploring.event)
        event = game.read(at) if at else None
        return Reached(self.count, self._found, error, tuple(self._way()), event)

    def room(self, most: int) -> int:
        """The bytes that exploring so many positions takes beyond what the module has: each state,
        its number on a stack and in a table that is at most half full."""
        return (most + 2) * (self._size + 4) + 4 * (1 << _table_bits(most))

    def _prepare(self, most: int) -> None:
        self._clear_levels()
        try:
            self.game.call("prepare", most, _table_bits(most), signature="ii>i")
        finally:
            self.game.look_again()

    @property
    def count(self) -> int:
        """How many positions are known."""
        return self.game.word(self.game.compiled.exploring.positions)

    @property
    def _found(self) -> c.Property | None:
        """What is met, None if nothing is or the game has come to a stop."""
        found = self.game.word(self.game.compiled.playing.found)
        return None if found in (0, STOPPED) else self.game.compiled.properties.watched[found - 1]

    def _way(self) -> Iterator[State]:
        """The states from the one that was gone on from last back to where it began."""
        game, exploring = self.game, self.game.compiled.exploring
        states, stack = (game.word(exploring.places + at) for at in (0, 4))
        number = game.word(exploring.expanded)
        while True:
            at = states + number * self._size
            game.held = None
            game.memory[STATE : STATE + self._size] = game.memory[at : at + self._size]
            yield game.state
            before = game.word(stack + 4 * number)
            if before == number:
                return
            number = before

    @contextmanager
    def _coming_back(self) -> Iterator[None]:
        """Goes through the game, and comes back to the position."""
        game = self.game
        here = bytes(game.memory[STATE : STATE + self._size])
        try:
            yield
        finally:
            game.memory[STATE : STATE + self._size] = here
            game.held = None

    def _clear_levels(self) -> None:
        counting = self.game.compiled.counting
        size = counting.level * (DEEPEST + 1)
        self.game.memory[counting.levels : counting.levels + size] = bytes(size)

    def _levels(self) -> list[Level]:
        counting, memory = self.game.compiled.counting, self.game.memory
        layout = Struct(f"<{counting.level // 8}q")
        found = []
        for depth in range(DEEPEST + 1):
            at = counting.levels + depth * counting.level
            lines, finished, stuck, *counts = layout.unpack(memory[at : at + layout.size])
            names = (each.name for each in self.game.events.transitions)
            events = Counter({name: many for name, many in zip(names, counts) if many})
            found.append(Level(depth, lines, finished, stuck, events))
        return found


def _table_bits(most: int) -> int:
    """How long a table of so many positions is, as a power of two."""
    return max(10, (2 * most).bit_length())
