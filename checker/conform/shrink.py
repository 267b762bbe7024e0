"""Makes the game in which spec and engine part as short as can be found.

Events are taken out, in long stretches and then in short ones, for as long as what is left still
parts them in the same way; events that are no longer legal then fall out by themselves.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from checker.conform.coverage import Coverage
from checker.conform.engine import Engine, EngineFault
from checker.conform.games import random_game, source
from checker.conform.side_by_side import Game, Pair, Parted, replay
from checker.play.errors import UsageError
from checker.syntax.node import replace

Found = Parted | EngineFault
SECONDS = 4.0
LOOKING = 0.5
"""Seconds in which other random games may show the same in fewer events."""


def shrunk(
    found: Found, engine: Engine, seconds: float = SECONDS, clock: Callable[[], float] | None = None
) -> Found:
    """The same difference in the shortest game that was found in the time given."""
    now = clock or time.monotonic
    deadline = now() + seconds
    if found.game is None:
        return found
    if not found.game.loaded and len(found.game.events) > 2:
        found = _looked_elsewhere(found, engine, min(deadline, now() + LOOKING), now)
    wanted = signature(found)
    width = max(len(found.game.events) // 2, 1)
    while width and now() < deadline:
        before = len(found.game.events)
        found = _without(found, width, wanted, engine, deadline, now)
        shorter = len(found.game.events) < before
        width = min(width, len(found.game.events)) if shorter else width - max(width // 3, 1)
    return found


def signature(found: Found) -> tuple[object, ...]:
    """What two differences have in common that are the same one."""
    if isinstance(found, EngineFault):
        return ("fault", found.reason)
    game: Game = found.game
    last = game.last if game.last is not None else next(reversed(game.events), None)
    what = last[0] if isinstance(last, tuple) else type(last)
    return (found.kind, what, frozenset(each.variable for each in found.mismatches))


def _without(
    found: Found,
    width: int,
    wanted: tuple[object, ...],
    engine: Engine,
    deadline: float,
    now: Callable[[], float],
) -> Found:
    """The game without some stretches of that many events."""
    at = 0
    while at + width <= len(found.game.events) and now() < deadline:
        game: Game = found.game
        shorter = replace(game, events=game.events[:at] + game.events[at + width :])
        again = _again(shorter, engine)
        if again is not None and signature(again) == wanted and _is_shorter(again, game):
            found = again
        else:
            at += max(width // 4, 1)
    return found


def _looked_elsewhere(
    found: Found, engine: Engine, deadline: float, now: Callable[[], float]
) -> Found:
    """The same difference in another random game of the same set-up, if one is shorter."""
    wanted = signature(found)
    number = 0
    while now() < deadline and len(found.game.events) > 2:
        pair = Pair(found.game.referee, engine, Coverage())
        most = len(found.game.events) - 1
        try:
            for _ in random_game(pair, source(number, "shorter"), number % 2 == 1, most):
                pass
        except Parted as other:
            if signature(other) == wanted and _is_shorter(other, found.game):
                found = other
        except EngineFault:
            _ready(engine)
        number += 1
    return found


def _again(game: Game, engine: Engine) -> Found | None:
    found = replay(game, engine)
    if isinstance(found, EngineFault):
        _ready(engine)
    return found


def _ready(engine: Engine) -> None:
    """An engine that has failed is started anew; one that cannot be stays as it is."""
    try:
        engine.restart()
    except (EngineFault, UsageError):
        return


def _is_shorter(found: Found, game: Game) -> bool:
    return found.game is not None and len(found.game.events) < len(game.events)
