"""Makes the game in which spec and engine part as short as can be found.

Events are left out for as long as the rest still parts them in the same way; events that are no
longer legal then fall out by themselves, or somebody else does the same: without a turn, what
follows is the turn of others. How long is tried is counted in answers of the engine, so
that the same game is found on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.conform.engine.protocol import Engine, EngineFault
from rulewright.conform.oracle.answer_order import OutOfTurnError
from rulewright.conform.oracle.coverage import Coverage
from rulewright.conform.stages.lockstep import Divergence, EngineGame, EngineLockstep, replay
from rulewright.conform.stages.random_games import random_game, source
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.simulate.compiled.compiled_game import Happening
from rulewright.simulate.search.shrink import shrink
from rulewright.syntax.node import replace
from rulewright.system.work_budget import ANSWER, Allowance

Found = Divergence | EngineFault
SECONDS = 8.0
"""How much is tried, in seconds' worth of answers."""
LOOK = ANSWER // 40
"""An event that only the spec plays, to see whether the engine need be asked."""
FEW = 6
"""Events of a game that is easier to follow than a position."""
LOOKING = 0.5
"""How much of it with other random games, which may show the same in fewer events."""


def shrunk(found: Found, engine: Engine, seconds: float = SECONDS) -> Found:
    """The same difference in the shortest game that was found with so much work."""
    if found.game is None:
        return found
    found = _last_alone(found, engine)
    if not found.game.loaded and len(found.game.events) > 2:
        found = _looked_elsewhere(found, engine, Allowance(min(seconds, LOOKING)))
    return _without_detours(found, engine, Allowance(seconds))


def _last_alone(found: Found, engine: Engine) -> Found:
    """The last event of a long game in the position before it, if the engine can load that and the
    same shows there."""
    game: EngineGame = found.game
    events = list(game.events)
    if "load" not in engine.can or len(events) <= FEW or isinstance(found, EngineFault):
        return found
    last = game.last if game.last is not None else events.pop()
    state = game.begin
    for event in events:
        state, _ = game.oracle.take(state, event)
    again = _again(EngineGame(game.oracle, state, True, (), last), engine)
    if again is not None and signature(again) == signature(found):
        return again
    return found


def signature(found: Found) -> tuple[object, ...]:
    """What two differences have in common that are the same one."""
    if isinstance(found, EngineFault):
        return ("fault", found.reason)
    game: EngineGame = found.game
    last = game.last if game.last is not None else next(reversed(game.events), None)
    what = last[0] if isinstance(last, tuple) else type(last)
    return (found.kind, what, frozenset(each.variable for each in found.mismatches))


def _without_detours(found: Found, engine: Engine, allowed: Allowance) -> Found:
    """The same difference in the same game with events left out."""
    wanted = signature(found)
    _, due = _as_far_as_legal(found.game)

    def attempt(kept: list[Happening], rest: list[Happening]) -> Sequence[Happening] | None:
        nonlocal found
        game: EngineGame = found.game
        shorter = replace(game, events=(*kept, *rest))
        for by_others in (False, True):
            allowed.charge(LOOK * len(shorter.events))
            left, verdict = _as_far_as_legal(shorter, by_others)
            if len(left.events) >= len(game.events) or verdict != due:
                continue
            allowed.charge(ANSWER * (len(left.events) + 1))
            again = _again(left, engine)
            if again is not None and signature(again) == wanted and _is_shorter(again, game):
                found = again
                return again.game.events
        return None

    length = len(found.game.events) + 1
    while len(found.game.events) < length and not allowed.over:
        length = len(found.game.events)
        shrink(found.game.events, attempt, lambda: allowed.over, lambda size: 1 + size // 3)
    return found


def _as_far_as_legal(game: EngineGame, by_others: bool = False) -> tuple[EngineGame, object]:
    """A game without the events that are not legal in it, and what the rules say to what comes
    last. What a player may no longer do is done by the first who may, if `by_others`."""
    oracle, state = game.oracle, game.begin
    seats = range(1, oracle.setup.players + 1) if by_others else ()
    played: list[Happening] = []
    last: object = None
    for event in game.events:
        name, by, *arguments = event
        others = [(name, each, *arguments) for each in seats if by not in (None, each)]
        last = None
        for each in (event, *others):
            try:
                now = oracle.machine.tried(state, each)
            except EvaluationError:
                now = None
            if now is not None:
                state = oracle.with_clean_notes(now)
                played.append(each)
                last = name
                break
    if isinstance(game.last, tuple):
        try:
            last = tuple(oracle.broken(state, game.last))
        except EvaluationError:
            last = None
    return replace(game, events=tuple(played)), last


def _looked_elsewhere(found: Found, engine: Engine, allowed: Allowance) -> Found:
    """The same difference in another random game of the same set-up, if one is shorter."""
    wanted = signature(found)
    number = 0
    while not allowed.over and len(found.game.events) > 2:
        allowed.charge(ANSWER)
        pair = EngineLockstep(found.game.oracle, engine, Coverage())
        most = len(found.game.events) - 1
        try:
            for _ in random_game(pair, source(number, "shorter"), number % 2 == 1, most):
                allowed.charge(ANSWER)
        except Divergence as other:
            if signature(other) == wanted and _is_shorter(other, found.game):
                found = other
        except EngineFault:
            _ready(engine)
        number += 1
    return found


def _again(game: EngineGame, engine: Engine) -> Found | None:
    try:
        found = replay(game, engine)
    except OutOfTurnError:
        return None
    if isinstance(found, EngineFault):
        _ready(engine)
    return found


def _ready(engine: Engine) -> None:
    """An engine that has failed is started anew; one that cannot be stays as it is."""
    try:
        engine.restart()
    except (EngineFault, UsageError):
        return


def _is_shorter(found: Found, game: EngineGame) -> bool:
    return found.game is not None and len(found.game.events) < len(game.events)
