"""Exhaustive search inside the module: breadth first through all positions until something is met.

What is met first is met by one of the shortest games there are. Of that game the start and the
events are given; they are played anywhere else again before they count. How far is gone is limited
by positions, by memory and by counted work, so that it is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice, pairwise

from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.instance import Instance
from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State, compiled_game
from rulewright.simulate.compiled.modules import made
from rulewright.syntax.node import Node
from rulewright.system.work_budget import Allowance
from rulewright.wasm.assembler.instructions import Unsupported
from rulewright.wasm.runtime.exploring import Explorer
from rulewright.wasm.runtime.game_results import Reached
from rulewright.wasm.runtime.queries import ARENA, LimitError
from rulewright.wasm.runtime.wasm_game import WasmGame

MOST_POSITIONS = 10_000_000
"""More are gone through by nobody here."""
MOST_MEMORY = 3 << 28
"""Bytes for all of them: enough if a state takes up to sixty."""
MOST_STARTS = 20_000
"""Games with more positions to begin with are left to others."""
AT_FIRST = (1 << 14, 1 << 19)
"""Positions that there is room for at first, and then."""
MOST_UNITS = 1 << 50
"""More than can be done in a lifetime. One turn of a loop inside the module is one unit of work."""


class Found(Node):
    """What came of a search: a game and the error it ends with, if it does, or that none of so
    many positions, which are all there are, shows what was looked for."""

    positions: int
    start: State | None = None
    events: tuple[Happening, ...] = ()
    error: EvaluationError | None = None


def search(
    instance: Instance, watch: Sequence[c.Property], stopping: bool, allowed: Allowance,
    most: int,
) -> Found | None:  # fmt: skip
    """The shortest game that meets something that is watched for, in which the rules have no
    answer, or with `stopping` one that comes to a stop; None if there are too many positions or the
    module cannot go through them. Watched are an invariant or `always` that does not hold, and a
    `possible` that does."""
    game = compiled_game(instance)
    explorer = Explorer(made(lambda: WasmGame(
        instance, watched=bool(watch), parts=frozenset(("explore",)),
        memory=MOST_MEMORY + 2 * ARENA, reserving=False, watch=watch,
    )))  # fmt: skip
    while explorer.room(most) > MOST_MEMORY:
        most //= 2
    starts = [*islice(game.beginnings(), MOST_STARTS + 1)]
    if len(starts) > MOST_STARTS:
        return None
    reached = _reached(explorer, starts, stopping, allowed, most)
    if reached is None:
        return None
    if not reached.way:
        return Found(reached.positions)
    states = reached.way[::-1]
    events = [_between(game, one, other) for one, other in pairwise(states)]
    events += [] if reached.event is None else [reached.event]
    if reached.error is not None and reached.event is None:
        return None  # what can happen has no answer: no event of a game shows that
    return Found(reached.positions, states[0], tuple(events), reached.error)


def _reached(
    explorer: Explorer, starts: Sequence[State], stopping: bool, allowed: Allowance, most: int
) -> Reached | None:
    """What is reached, with room for few positions first, for room has to be cleared."""
    for room in (*(each for each in AT_FIRST if each < most), most):
        work = int(min(allowed.units_left, MOST_UNITS))
        try:
            return explorer.search(starts, room, work, stopping)
        except LimitError:
            if explorer.count < room:
                return None
        except Unsupported:
            return None
        finally:
            allowed.charge(work - explorer.game.work_left)
    return None


def _between(game: CompiledGame, before: State, after: State) -> Happening:
    """An event that leads from one state to another."""
    events = [*game.legal(before), *(event for weight, event in game.outcomes(before) if weight)]
    for each in events:
        with suppress(EvaluationError):
            if game.apply(before, each) == after:
                return each
    raise AssertionError("a state was reached that no event leads to")
