"""Counts positions to a small depth on both sides, every legal move tried.

Moves are gone through in full, and so are those with a number beyond its range, which must be
refused; of what chance can decide a few outcomes are drawn and injected
into both. The engine comes back to a position by loading it, or by playing to it anew.
"""

from __future__ import annotations

from random import Random

from checker.conform.candidates import beyond_range
from checker.conform.side_by_side import Pair
from checker.play.compile.layout import State
from checker.play.compiled import Happening
from checker.syntax.node import Node

DEEPEST = 8
OUTCOMES = 2
"""So many outcomes of chance are looked at in each position."""
MOST_POSITIONS = 500


class Counted(Node):
    """How many positions lie at each depth; spec and engine agree on them."""

    positions: tuple[int, ...]


def count(
    pair: Pair, random: Random, most: int = MOST_POSITIONS, deepest: int = DEEPEST
) -> Counted:
    """Goes through the positions, depth by depth, for as long as a depth has not too many; raises
    where spec and engine part."""
    referee = pair.referee
    begin = referee.begin(random)
    level: list[tuple[Happening, ...]] = [()]
    found: list[int] = []
    while level and len(found) <= deepest:
        deeper: list[tuple[Happening, ...]] = []
        for path in level:
            _go_to(pair, begin, path)
            pair.compare_legal()
            for nonsense in beyond_range(referee, pair.state):
                pair.probe_nonsense(nonsense)
            deeper += [(*path, event) for event in _events(pair, random)]
        found.append(len(level))
        if len(deeper) + sum(found) > most:
            random.shuffle(deeper)
            deeper = deeper[: most - sum(found)]
        level = deeper
    pair.compare_scores()
    return Counted(tuple(found))


def _go_to(pair: Pair, begin: State, path: tuple[Happening, ...]) -> None:
    """Brings both to a position; the last event on the way is compared."""
    pair.begin(begin)
    for event in path:
        pair.play(event)


def _events(pair: Pair, random: Random) -> list[Happening]:
    """What can happen in the present position, of chance only a few outcomes."""
    machine = pair.referee.machine
    if machine.is_final(pair.state):
        return []
    drawn = [machine.draw(pair.state, random) for _ in range(OUTCOMES)]
    return [*machine.legal(pair.state), *(event for event in drawn if event is not None)]
