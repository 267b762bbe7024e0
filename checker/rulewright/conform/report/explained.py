"""Explains a difference: shortened, told from an engine that forgets nothing, blamed, with advice.

An engine that is started anew and then plays the same game right keeps something from the game
before. Such a difference is shown with both games, and nothing of it is shortened.
"""

from __future__ import annotations

from contextlib import suppress

from rulewright.conform.engine.protocol import Engine, EngineFault
from rulewright.conform.engine.protocol_hints import advised
from rulewright.conform.report.finding import Finding, finding_of
from rulewright.conform.report.shrink import SECONDS, shrunk
from rulewright.conform.stages.differences import Cause, Found
from rulewright.conform.stages.lockstep import Divergence, replay
from rulewright.play.semantics.errors import UsageError
from rulewright.syntax.node import replace

MOST_SHRUNK = 10
"""Differences of a run that are shortened, the first with most pains."""


def explained(cause: Cause, engine: Engine | None, spec_hash: str | None, before: int) -> Finding:
    """What the differences of a cause say about the engine; without an engine nothing is tried
    again. So many have been explained `before`."""
    found, leaks = cause.found, False
    if engine is not None and not (isinstance(found, EngineFault) and found.late):
        found, leaks = _tried_again(found, engine, before)
    finding = advised(finding_of(found, spec_hash, leaks), found)
    return replace(finding, where=cause.where)


def _tried_again(found: Found, engine: Engine, before: int) -> tuple[Found, bool]:
    """The same difference in a shorter game, and whether it shows only after another game; the
    engine is ready for what comes next."""
    leaks = False
    try:
        engine.settle()
    except EngineFault as fault:  # an answer too many explains any difference
        fault.game = found.game
        found = fault
    except UsageError:
        pass
    else:
        leaks = isinstance(found, Divergence) and _leaks(found, engine)
        if not leaks and before < MOST_SHRUNK:
            found = shrunk(found, engine, SECONDS / (1 + before))
    _start_anew(engine)
    return found, leaks


def _leaks(found: Divergence, engine: Engine) -> bool:
    """Whether a difference shows after the game before it, and not in an engine started anew."""
    if found.after is None:
        return False
    _start_anew(engine)
    if replay(found.game, engine) is not None:
        return False
    _start_anew(engine)
    replay(found.after, engine)
    return replay(found.game, engine) is not None


def _start_anew(engine: Engine) -> None:
    with suppress(EngineFault, UsageError):
        engine.restart()
