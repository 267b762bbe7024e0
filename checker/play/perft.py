"""Counts the lines of play from a position, depth by depth: the quickest way to find out that two
programs do not play the same game.

With a seed, chance decides once in each position, from a random source made of the seed and the
depth; so the same line of play has the same dice wherever it is counted. Without a seed all
outcomes are counted.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from checker.play.compile.layout import State
from checker.play.compiled import Happening, Machine
from checker.syntax.node import Node


class Level(Node):
    """All lines of play of one length: how many there are, how many of them end the game, how
    many end it unfinished with nothing to follow, and how many end with each event."""

    depth: int
    lines: int
    finished: int
    stuck: int
    events: Counter[str]


def perft(machine: Machine, state: State, depth: int, seed: int | None = None) -> list[Level]:
    """The lines of play from a state, for each length up to a depth."""
    tallies = [_Tally() for _ in range(depth + 1)]
    _count(machine, state, 0, depth, seed, None, tallies)
    return [
        Level(length, each.lines, each.finished, each.stuck, each.events)
        for length, each in enumerate(tallies)
    ]


def follow(machine: Machine, state: State, depth: int, seed: int | None) -> list[Happening]:
    """Everything that can happen next: the legal moves, and what chance decides."""
    if seed is None:
        chance = [event for _, event in machine.outcomes(state)]
    else:
        drawn = machine.draw(state, Random(f"{seed}/{depth}"))
        chance = [] if drawn is None else [drawn]
    return [*machine.legal(state), *chance]


class _Tally:
    def __init__(self) -> None:
        self.lines = 0
        self.finished = 0
        self.stuck = 0
        self.events: Counter[str] = Counter()


def _count(
    machine: Machine,
    state: State,
    length: int,
    depth: int,
    seed: int | None,
    last: str | None,
    tallies: list[_Tally],
) -> None:
    tally = tallies[length]
    tally.lines += 1
    if last is not None:
        tally.events[last] += 1
    if machine.is_final(state):
        tally.finished += 1
        return
    if length == depth:
        return
    events = follow(machine, state, length, seed)
    if not events:
        tally.stuck += 1
    for event in events:
        after = state[:]
        machine.apply(after, event)
        name = machine.transitions[event[0]].name
        _count(machine, after, length + 1, depth, seed, name, tallies)
