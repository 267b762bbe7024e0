"""Board changes: boards and bags with some things in them changed, as an argument of a move that
may be wrong.

A move that lays tiles gives the whole table as it lies then. What people get wrong about it are
the tiles that are laid, so those are changed: one is left out, lies beside its place, is another
that is at hand, or there is one more.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from rulewright.conform.inputs.state_leaves import leaves
from rulewright.conform.oracle.oracle import Oracle
from rulewright.meaning import types as y
from rulewright.meaning.geometry import ways
from rulewright.play.semantics.values import (
    BagValue,
    Position,
    SparseMap,
    entries,
    is_sparse,
    ordered,
)
from rulewright.simulate.compiled.compiled_game import Happening, State

Board = dict[Any, Any]
MOST_CHANGES = 3
OWN = 0.8
"""How often something of one's own is taken, if there is any."""


def rearranged(
    given: Any, type: y.Type, oracle: Oracle, state: State, by: int | None, random: Random
) -> Any:
    """A board or a bag like another; None if there is nothing to change."""
    position = oracle.position(state)
    match type:
        case y.Map():
            found = _laid_otherwise(dict(entries(given)), type, oracle, position, by, random)
            return None if found is None else _board(found, type, oracle)
        case y.Bag(element):
            other = _at_hand(element, oracle, position, by, random)
            return _filled_otherwise(given, element, other, oracle, random)
        case _:
            return None


def both(oracle: Oracle, state: State, one: Happening, other: Happening) -> Happening | None:
    """Two moves that lay something, as one move that lays all of it; None if they are no such."""
    if one[:2] != other[:2] or one == other:
        return None
    portable, found = oracle.machine.portable, list(one)
    position: Position | None = None
    for at, type in enumerate(portable.types[one[0]], start=2):
        if isinstance(type, y.Map) and isinstance(type.value, y.Option):
            position = position or oracle.position(state)
            before = _before(type, oracle, position)
            first, second = (entries(portable.plain(each[at], type)) for each in (one, other))
            laid = {key: thing for key, thing in second.items() if before.get(key) != thing}
            found[at] = portable.raw(_board({**first, **laid}, type, oracle), type)
    return tuple(found)


def laid_elsewhere(
    oracle: Oracle, state: State, event: Happening, random: Random
) -> Happening | None:
    """A move with all that it lays in another place, where it touches what lies there at a side or
    a corner; None if it lays nothing on a board."""
    portable, found = oracle.machine.portable, list(event)
    for at, type in enumerate(portable.types[event[0]], start=2):
        if not isinstance(type, y.Map) or not isinstance(type.key, y.Grid):
            continue
        position = oracle.position(state)
        before, after = _before(type, oracle, position), entries(portable.plain(event[at], type))
        laid = {key: thing for key, thing in after.items() if before.get(key) != thing}
        kept = {key: thing for key, thing in after.items() if key not in laid}
        moved = _moved_beside(laid, kept, type.key, oracle, random)
        if moved is None:
            return None
        found[at] = portable.raw(_board({**kept, **moved}, type, oracle), type)
    return tuple(found) if tuple(found) != event else None


def _moved_beside(
    laid: Mapping[Any, Any], kept: Mapping[Any, Any], grid: y.Grid, oracle: Oracle, random: Random
) -> Board | None:
    """Things moved together, so that one of them lies beside something else."""
    order = oracle.instance.order(grid)
    if not laid or not kept:
        return None
    one = order[random.choice(ordered(laid, grid, oracle.instance))]
    other = order[random.choice(ordered(kept, grid, oracle.instance))]
    right, down = random.choice(list(ways(grid).values()))
    across = other % grid.width + right - one % grid.width
    along = other // grid.width + down - one // grid.width
    moved: Board = {}
    for key, thing in laid.items():
        column, row = order[key] % grid.width + across, order[key] // grid.width + along
        there = y.square_name(column + 1, row + 1)
        if not (0 <= column < grid.width and 0 <= row < grid.height) or there in kept:
            return None
        moved[there] = thing
    return moved


def _board(held: Mapping[Any, Any], type: y.Map, oracle: Oracle) -> Mapping[Any, Any]:
    """A map with these entries and no others."""
    order = oracle.instance.order(type.key)
    if is_sparse(type):
        return SparseMap(order, held)
    return {key: held.get(key) for key in order}


def _filled_otherwise(
    bag: BagValue, element: y.Type, other: Any, oracle: Oracle, random: Random
) -> BagValue:
    """A bag with one thing less, one more, or one for another."""
    kind = random.randrange(3)
    if len(bag) and kind != 0:
        bag = bag - BagValue((random.choice(ordered(bag, element, oracle.instance)),))
    if other is not None and kind != 1:
        bag = bag + BagValue((other,))
    return bag


def _laid_otherwise(
    board: Board, type: y.Map, oracle: Oracle, position: Position, by: int | None, random: Random
) -> Board | None:
    found = dict(board)
    before = _before(type, oracle, position)
    laid = [key for key in board if board[key] != before.get(key)]
    for _ in range(random.randint(1, MOST_CHANGES)):
        keys = [key for key in laid if key in found] or list(found)
        if not keys:
            return None
        other = _at_hand(type.value, oracle, position, by, random)
        _change(found, random.choice(keys), keys, type, other, oracle, random)
    return found


def _change(
    board: Board, at: Any, keys: list[Any], type: y.Map, other: Any, oracle: Oracle,
    random: Random,
) -> None:  # fmt: skip
    """Changes one entry, or what lies beside it."""
    beside = _beside(at, type.key, oracle, random)
    match random.randrange(5):
        case 0:
            del board[at]
        case 1:
            thing, there = board.pop(at), board.pop(beside, None)
            board[beside] = thing
            if there is not None:
                board[at] = there
        case 2 if other is not None:
            board[at] = other
        case 3 if other is not None:
            board[beside] = other
        case _:
            place = random.choice(keys)
            board[at], board[place] = board[place], board[at]


def _before(type: y.Map, oracle: Oracle, position: Position) -> Mapping[Any, Any]:
    """The board as it lies now, if a variable is of the same kind."""
    for name, variable in oracle.instance.variables.items():
        if variable.type == type:
            return entries(position[name])
    return {}


def _beside(at: Any, keys: y.Type, oracle: Oracle, random: Random) -> Any:
    """A square that touches another; of keys that are no squares, any."""
    match keys:
        case y.Grid(_, width, height):
            number, step = oracle.instance.order(keys)[at], random.choice((-1, 1))
            column, row = number % width + 1, number // width + 1
            if random.random() < 0.5:
                column = min(max(column + step, 1), width)
            else:
                row = min(max(row + step, 1), height)
            return y.square_name(column, row)
        case _:
            return random.choice(list(oracle.instance.order(keys)))


def _at_hand(
    type: y.Type, oracle: Oracle, position: Position, by: int | None, random: Random
) -> Any | None:
    """Something of a type that lies in a bag, most often one of the player's own."""
    inner = type.inner if isinstance(type, y.Option) else type
    own: list[BagValue] = []
    others: list[BagValue] = []
    instance = oracle.instance
    for name, variable in instance.variables.items():
        for leaf in leaves(name, variable.type, instance):
            if leaf.type != y.Bag(inner):
                break
            bag = leaf.of(position)
            if len(bag):
                is_own = by is not None and variable.owned and leaf.keys == (by,)
                (own if is_own else others).append(bag)
    bags = own if own and random.random() < OWN else others or own
    return random.choice(ordered(random.choice(bags), inner, instance)) if bags else None
