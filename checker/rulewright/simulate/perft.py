"""Counts the lines of play from a position, depth by depth: the quickest way to find out that two
programs do not play the same game.

With a seed, chance decides once in each position, from a random source made of the seed and the
depth; so the same line of play has the same dice wherever it is counted. Without a seed all
outcomes are counted, inside the module as far as one call goes.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State
from rulewright.wasm.assembler.instructions import Unsupported
from rulewright.wasm.runtime.exploring import Explorer
from rulewright.wasm.runtime.game_results import Level
from rulewright.wasm.runtime.queries import LimitError
from rulewright.wasm.runtime.wasm_game import WasmGame
from rulewright.wasm.simulate.line_counting import DEEPEST

WORK = 1 << 26
"""Of counting in one call. What takes more is taken apart, so that whoever waits can end it."""


def perft(game: CompiledGame, state: State, depth: int, seed: int | None = None) -> list[Level]:
    """The lines of play from a state, for each length up to a depth."""
    counting = _Counting(game, depth, seed)
    counting.count(state, 0, None)
    return [
        Level(length, each.lines, each.finished, each.stuck, each.events)
        for length, each in enumerate(counting.tallies)
    ]


def follow(game: CompiledGame, state: State, depth: int, seed: int | None) -> list[Happening]:
    """Everything that can happen next: the legal moves, and what chance decides."""
    if seed is None:
        chance = [event for _, event in game.outcomes(state)]
    else:
        drawn = game.draw(state, Random(f"{seed}/{depth}"))
        chance = [] if drawn is None else [drawn]
    return [*game.legal(state), *chance]


def perft_by_turns(
    game: CompiledGame, state: State, depth: int, seed: int | None = None
) -> list[Level]:
    """The lines of play from a state, for each number of turns up to a depth. A turn is what one
    player does, and chance after it, until somebody else can move or the game is over."""
    tallies = [_Tally() for _ in range(depth + 1)]
    tallies[0].lines = 1
    _count_turns(game, state, (0, 0, None), tallies, seed)
    return [
        Level(length, each.lines, each.finished, each.stuck, each.events)
        for length, each in enumerate(tallies)
    ]


def _count_turns(
    game: CompiledGame,
    state: State,
    place: tuple[int, int, int | None],
    tallies: list[_Tally],
    seed: int | None,
) -> None:
    """Counts the lines that go on from a state. The place is how many turns are over, how many
    events there were, and who has moved in this turn."""
    turns, length, mover = place
    if turns == len(tallies) - 1:
        return
    tally = tallies[turns + 1]
    events = follow(game, state, length, seed)
    if not events:
        tallies[turns].stuck += 1
    for event in events:
        after = game.apply(state, event)
        here = event[1] or mover
        tally.events[game.transitions[event[0]].name] += 1
        final = game.is_final(after)
        if final or any(each[1] != here for each in game.legal(after)):
            tally.lines += 1
            tally.finished += final
            here, over = None, turns + 1
        else:
            over = turns
        if not final:
            _count_turns(game, after, (over, length + 1, here), tallies, seed)


class _Tally:
    def __init__(self) -> None:
        self.lines = 0
        self.finished = 0
        self.stuck = 0
        self.events: Counter[str] = Counter()


class _Counting:
    def __init__(self, game: CompiledGame, depth: int, seed: int | None) -> None:
        self.tallies = [_Tally() for _ in range(depth + 1)]
        self._game = game
        self._depth = depth
        self._seed = seed
        self._inside = (
            Explorer(WasmGame(game.instance, parts=frozenset(("explore",))))
            if seed is None
            else None
        )
        self._shallow = DEEPEST - 1
        """What was found to be too deep for one call is not tried again."""

    def count(self, state: State, length: int, last: str | None) -> None:
        """Counts the lines that go on from a state."""
        left = self._depth - length
        if self._inside is not None and left <= self._shallow:
            if self._counted_inside(self._inside, state, length, last):
                return
            self._shallow = left - 1
        tally, game = self.tallies[length], self._game
        tally.lines += 1
        if last is not None:
            tally.events[last] += 1
        if game.is_final(state):
            tally.finished += 1
            return
        if not left:
            return
        events = follow(game, state, length, self._seed)
        if not events:
            tally.stuck += 1
        for event in events:
            name = game.transitions[event[0]].name
            self.count(game.apply(state, event), length + 1, name)

    def _counted_inside(
        self, inside: Explorer, state: State, length: int, last: str | None
    ) -> bool:
        """Counts the same inside the module; False if that takes too long for one call."""
        inside.game.state = state
        try:
            levels = inside.lines(self._depth - length, WORK)
        except (LimitError, Unsupported):
            return False
        for tally, level in zip(self.tallies[length:], levels):
            tally.lines += level.lines
            tally.finished += level.finished
            tally.stuck += level.stuck
            tally.events.update(level.events)
        if last is not None:
            self.tallies[length].events[last] += 1
        return True
