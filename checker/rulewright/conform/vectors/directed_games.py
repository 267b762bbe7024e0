"""Games that lead to where a mistake shows, for engines that cannot load a position.

A position that shows the mistake is known already; it may be one that somebody made up or a solver
found. A beam search plays towards it: of all that can happen it keeps what comes nearest, and it
has chance decide as it likes. In the positions on the way the event that shows the mistake is
tried. The position itself need not be met: whatever shows the mistake is good. How far is counted
in positions, so that it is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import nsmallest
from itertools import islice
from random import Random
from typing import TypeAlias

from rulewright.conform.inputs.test_cases import PLAYED, Situation, situation_of
from rulewright.conform.mutation.mutants import Mutant
from rulewright.conform.oracle.oracle import Oracle
from rulewright.conform.stages.random_games import source
from rulewright.meaning import core as c
from rulewright.meaning.traversal import walk
from rulewright.play.semantics.errors import EvaluationError
from rulewright.simulate.compiled.compiled_game import Happening, State
from rulewright.syntax.node import Node
from rulewright.wasm.codegen.data_layout import ones

WIDTH = 300
"""Positions that are kept at each distance from the start."""
DRAWS, MOVES = 8, 16
"""Outcomes of chance and moves that are tried in each."""
DEEPEST = 80
MOST_FOR_ONE = 150_000
MOST = 1_200_000
"""Positions that are come to for one mistake, and for all of a game."""
TRANSIENT = ("phase", "answered")
STARTS = 24
WANTED = 2
"""What is missing counts more than what is there and should not be."""
CHUNK, PARTS = 16, 6
"""Bits of a set, and parts of it that count differently."""

Position: TypeAlias = "tuple[State, Position | None, Happening | None]"
"""A position with what led to it."""


class DirectedSearch:
    """Looks for games; `shows` says whether a situation shows a mutant, and `keep` takes one."""

    def __init__(
        self,
        shows: Callable[[Mutant, Situation], bool],
        keep: Callable[[Mutant, Situation], None],
    ) -> None:
        self._shows = shows
        self._keep = keep
        self._left = MOST

    def seek(
        self,
        missing: Sequence[tuple[Mutant, Situation]],
        seed: int,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Looks for a game for each mutant, of which a situation is known that shows it."""
        kept: list[Situation] = []
        for number, (mutant, known) in enumerate(missing):
            again = next((each for each in kept if self._shows(mutant, each)), None)
            if again is not None:
                self._keep(mutant, again)
            if again is not None or self._left <= 0:
                continue
            say(f"vectors: {number} of {len(missing)} mutants looked for in directed games")
            random = source(seed, "directed", number)
            found = self._game(mutant, known, random)
            if found is not None:
                self._keep(mutant, found)
                kept.append(found)

    def _game(self, mutant: Mutant, known: Situation, random: Random) -> Situation | None:
        """A situation of a game that shows a mutant, towards one that does."""
        oracle = known.oracle
        most = min(MOST_FOR_ONE, self._left)

        def tried(state: State) -> int | bool | None:
            """Which requirement refuses the event, None if it is legal; False if the mutant does
            not show."""
            try:
                broken = oracle.broken(state, known.event)
            except EvaluationError:
                return False
            if len(broken) > 1:
                return False
            by = broken[0] if broken else None
            here = situation_of(oracle, state, known.event, by, None, None, PLAYED)
            return by if here is not None and self._shows(mutant, here) else False

        found = play_towards(oracle, known.state, tried, random, most)
        self._left -= found.positions
        if found.state is None:
            return None
        by = tried(found.state)
        return situation_of(oracle, found.state, known.event, by, found.begin, found.events, PLAYED)


class Reached(Node):
    """Where a directed game came to: None if nowhere, and after how many positions."""

    state: State | None
    begin: State
    events: tuple[Happening, ...]
    positions: int


def play_towards(
    oracle: Oracle, target: State, tried: Callable[[State], object], random: Random, most: int
) -> Reached:
    """A game to a state in which what is tried does not give False, played towards a target."""
    distance = _distance_to(oracle, target)
    begin = min(islice(oracle.machine.beginnings(), STARTS), key=distance)
    level: list[Position] = [(begin, None, None)]
    seen, positions = {begin}, 0
    for _ in range(DEEPEST):
        for node in level:
            if tried(node[0]) is not False:
                return Reached(node[0], begin, tuple(_events_to(node)), positions)
        reached: list[tuple[float, float, Position]] = []
        for node in level:
            for event in _events(oracle, node[0], random):
                try:
                    after, _ = oracle.take(node[0], event)
                except EvaluationError:
                    continue
                if after not in seen:
                    seen.add(after)
                    reached.append((distance(after), random.random(), (after, node, event)))
        positions += len(reached)
        if positions > most:
            break
        level = [node for _, _, node in nsmallest(WIDTH, reached, key=lambda one: one[:2])]
    return Reached(None, begin, (), positions)


def _events_to(node: Position) -> list[Happening]:
    """The events that lead to a position."""
    found: list[Happening] = []
    at: Position | None = node
    while at is not None and at[2] is not None:
        found.append(at[2])
        at = at[1]
    return found[::-1]


def _events(oracle: Oracle, state: State, random: Random) -> Iterator[Happening]:
    """Some of what can happen: a few outcomes of chance, some moves."""
    machine = oracle.machine
    if machine.is_final(state):
        return
    drawn = machine.draw(state, random)
    if drawn is not None:
        yield drawn
        yield from filter(None, (machine.draw(state, random) for _ in range(DRAWS - 1)))
    if oracle.lists_all(state):
        moves = machine.legal(state)
        yield from moves if len(moves) <= MOVES else random.sample(moves, MOVES)
    elif drawn is None:
        yield from filter(None, (machine.choose(state, random) for _ in range(DRAWS)))


def _distance_to(oracle: Oracle, target: State) -> Callable[[State], float]:
    """How far a state is from another: in how many bits they differ, but for what chance decides
    and what says whose turn it is, which comes and goes. Of what is missing in a set, low elements
    count more: what is filled in order is filled from below."""
    layout = oracle.machine.portable.layout
    fixed = layout.fixed
    mask = bytearray(b"\xff" * fixed)
    for name in (*_decided_by_chance(oracle), *TRANSIENT):
        if name in layout.places and layout.places[name].offset < fixed:
            place = layout.places[name]
            mask[place.offset : place.offset + place.kept.size] = bytes(place.kept.size)
    number = int.from_bytes
    counted = number(mask, "little")
    wanted = number(target[:fixed], "little") & counted
    unwanted = counted & ~wanted
    lowest = [sum(1 << bit for bit in ones(wanted) if bit % CHUNK < CHUNK * part // PARTS)
              for part in range(1, PARTS)]  # fmt: skip
    entries = len(target) - fixed

    def distance(state: State) -> float:
        have = number(state[:fixed], "little")
        missing = wanted & ~have
        far = WANTED * missing.bit_count() + (have & unwanted).bit_count()
        for low in lowest:
            far += (missing & low).bit_count()
        return far + abs(len(state) - fixed - entries) / 4

    return distance


def _decided_by_chance(oracle: Oracle) -> set[str]:
    """The variables that chance events write."""
    return {
        node.variable
        for transition in oracle.instance.of_kind("chance")
        for statement in transition.body
        for node in walk(statement)
        if isinstance(node, c.Assign)
    }
