"""Boards and bags with some things in them changed, as an argument of a move that may be wrong.

A move that lays tiles gives the whole table as it lies then. What people get wrong about it are
the tiles that are laid, so those are changed: one is left out, lies beside its place, is another
that is at hand, or there is one more.
"""

from __future__ import annotations

from random import Random
from typing import Any

from checker.conform.referee import Referee
from checker.meaning import types as y
from checker.play.compile.layout import Slots, State
from checker.play.compiled import Happening

Board = dict[Any, Any]
MOST_CHANGES = 3
OWN = 0.8
"""How often something of one's own is taken, if there is any."""


def rearranged(
    given: dict[Any, Any],
    type: y.Type,
    referee: Referee,
    state: State,
    by: int | None,
    random: Random,
) -> dict[Any, Any] | None:
    """A board or a bag like another; None if there is nothing to change."""
    match type:
        case y.Map():
            return _laid_otherwise(given, type, referee, state, by, random)
        case y.Bag(element):
            return _filled_otherwise(given, _at_hand(element, referee, state, by, random), random)
        case _:
            return None


def both(referee: Referee, state: State, one: Happening, other: Happening) -> Happening | None:
    """Two moves that lay something, as one move that lays all of it; None if they are no such."""
    params = referee.instance.spec.transitions[one[0]].params
    if one[:2] != other[:2] or one == other:
        return None
    found = list(one)
    for at, param in enumerate(params, start=2):
        if isinstance(param.type, y.Map) and isinstance(one[at], dict):
            before = _before(param.type, referee, state)
            laid = {key: thing for key, thing in other[at].items() if before.get(key) != thing}
            found[at] = {**one[at], **laid}
    return tuple(found)


def _filled_otherwise(bag: dict[Any, int], other: Any, random: Random) -> dict[Any, int]:
    """A bag with one thing less, one more, or one for another."""
    found = dict(bag)
    kind = random.randrange(3)
    if found and kind != 0:
        gone = random.choice(list(found))
        found[gone] -= 1
    if other is not None and kind != 1:
        found[other] = found.get(other, 0) + 1
    return {each: times for each, times in found.items() if times}


def _laid_otherwise(
    board: Board, type: y.Map, referee: Referee, state: State, by: int | None, random: Random
) -> Board | None:
    found = dict(board)
    before = _before(type, referee, state)
    laid = [key for key in board if board[key] != before.get(key)]
    for _ in range(random.randint(1, MOST_CHANGES)):
        keys = [key for key in laid if key in found] or list(found)
        if not keys:
            return None
        _change(found, random.choice(keys), keys, type, referee, state, by, random)
    return found


def _change(
    board: Board,
    at: Any,
    keys: list[Any],
    type: y.Map,
    referee: Referee,
    state: State,
    by: int | None,
    random: Random,
) -> None:
    """Changes one entry, or what lies beside it."""
    beside = _beside(at, type.key, referee, random)
    other = _at_hand(type.value, referee, state, by, random)
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


def _before(type: y.Map, referee: Referee, state: State) -> Board:
    """The board as it lies now, if a variable is of the same kind."""
    for slots in referee.machine.layout.slots.values():
        if slots.inner == type and slots.count == 1:
            found: Board = state[slots.base]
            return found
    return {}


def _beside(at: Any, keys: y.Type, referee: Referee, random: Random) -> Any:
    """A square that touches another; of keys that are no squares, any."""
    match keys:
        case y.Grid(_, width, height):
            column, row = at % width, at // width
            step = random.choice((-1, 1))
            if random.random() < 0.5:
                return row * width + min(max(column + step, 0), width - 1)
            return min(max(row + step, 0), height - 1) * width + column
        case _:
            return random.choice(referee.machine.layout.values(keys))


def _at_hand(
    type: y.Type, referee: Referee, state: State, by: int | None, random: Random
) -> Any | None:
    """Something of a type that lies in a bag, most often one of the player's own."""
    inner = type.inner if isinstance(type, y.Option) else type
    own: list[dict[Any, int]] = []
    others: list[dict[Any, int]] = []
    for slots in referee.machine.layout.slots.values():
        if slots.inner == y.Bag(inner):
            for number in range(slots.count):
                if state[slots.base + number]:
                    is_own = by is not None and _owner(slots, number) == by
                    (own if is_own else others).append(state[slots.base + number])
    bags = own if own and random.random() < OWN else others or own
    return random.choice(list(random.choice(bags))) if bags else None


def _owner(slots: Slots, number: int) -> int | None:
    """Whose a bag is, if it is anybody's."""
    match slots.keys:
        case (y.Player(),):
            return number + 1
        case _:
            return None
