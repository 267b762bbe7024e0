"""Makes the game in which spec and engine part as short as can be found.

Events are taken out, in long stretches and then in short ones, for as long as what is left still
parts them in the same way; events that are no longer legal then fall out by themselves. How long is
tried is counted in answers of the engine, so that the same game is found on every machine.
"""

from __future__ import annotations

from checker.budget import ANSWER, Allowance
from checker.conform.coverage import Coverage
from checker.conform.engine import Engine, EngineFault
from checker.conform.games import random_game, source
from checker.conform.side_by_side import Game, Pair, Parted, replay
from checker.play.errors import UsageError
from checker.syntax.node import replace

Found = Parted | EngineFault
SECONDS = 4.0
"""How much is tried, in seconds' worth of answers."""
LOOKING = 0.5
"""How much of it with other random games, which may show the same in fewer events."""


def shrunk(found: Found, engine: Engine, seconds: float = SECONDS) -> Found:
    """The same difference in the shortest game that was found with so much work."""
    if found.game is None:
        return found
    if not found.game.loaded and len(found.game.events) > 2:
        found = _looked_elsewhere(found, engine, Allowance(min(seconds, LOOKING)))
    allowed = Allowance(seconds)
    wanted = signature(found)
    width = max(len(found.game.events) // 2, 1)
    while width and not allowed.over:
        before = len(found.game.events)
        found = _without(found, width, wanted, engine, allowed)
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
    allowed: Allowance,
) -> Found:
    """The game without some stretches of that many events."""
    at = 0
    while at + width <= len(found.game.events) and not allowed.over:
        game: Game = found.game
        allowed.charge(ANSWER * (len(game.events) - width + 1))
        shorter = replace(game, events=game.events[:at] + game.events[at + width :])
        again = _again(shorter, engine)
        if again is not None and signature(again) == wanted and _is_shorter(again, game):
            found = again
        else:
            at += max(width // 4, 1)
    return found


def _looked_elsewhere(found: Found, engine: Engine, allowed: Allowance) -> Found:
    """The same difference in another random game of the same set-up, if one is shorter."""
    wanted = signature(found)
    number = 0
    while not allowed.over and len(found.game.events) > 2:
        allowed.charge(ANSWER)
        pair = Pair(found.game.referee, engine, Coverage())
        most = len(found.game.events) - 1
        try:
            for _ in random_game(pair, source(number, "shorter"), number % 2 == 1, most):
                allowed.charge(ANSWER)
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
