"""What to do about a difference, where the rule that it breaks does not say so by itself.

Most mistakes of an engine are mistakes in a rule, and the finding names that rule. Others are
mistakes in how the engine speaks: a value of another shape, a name that the spec does not have, an
event taken that is none. For those the finding gets a line of help, and where nothing has happened
yet the place of the variable that is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from rulewright.conform.engine.protocol import EngineFault, excerpt
from rulewright.conform.oracle.oracle import StateMismatch
from rulewright.conform.report.finding import Finding
from rulewright.conform.stages.lockstep import Divergence, EngineGame
from rulewright.play.io.json_codec import decode_event
from rulewright.play.semantics.errors import UsageError
from rulewright.simulate.compiled.compiled_game import State
from rulewright.syntax.node import NOWHERE, Span, replace

MOVE_HELP = 'list each move like {"move": "NAME", "by": 1, "args": {}}'
POSITION_HELP = "leave `load` out of `can` if the engine takes only some positions"
SETUP_HELP = "what is asked for by name the engine has to play"
LISTING_HELP = "leave `legal` out of `can` if the engine lists only some moves"
TRACE_HELP = "a refusal changes nothing: look at every reason to refuse before the first change"
NONE = "none"
"""How an empty optional is written, which is a value like any other."""


def advised(finding: Finding, found: Divergence | EngineFault) -> Finding:
    """The finding with what to do about it; an engine that fails has been told."""
    if isinstance(found, EngineFault):
        return finding
    span = finding.blame.span
    if span == NOWHERE and found.mismatches:
        span = _declared(found.game, found.mismatches)
    blame = replace(finding.blame, span=span)
    return replace(finding, help=_help(found), blame=blame)


def _help(found: Divergence) -> str | None:
    game = found.game
    if isinstance(game.last, Mapping) and found.kind != "state":
        return _of_nonsense(game, game.last, found.kind)
    if found.kind == "setup":
        return POSITION_HELP if game.loaded else SETUP_HELP
    if found.kind == "unlisted":
        return LISTING_HELP
    if found.kind != "state":
        return None
    return _of_shape(game, found.mismatches) or (TRACE_HELP if found.why else None)


def _of_nonsense(game: EngineGame, event: Mapping[str, object], kind: str) -> str | None:
    """Why something is no event of the game."""
    if kind == "listed" and not event:
        return MOVE_HELP
    try:
        decode_event(dict(event), game.oracle.instance)
    except UsageError as error:
        return f"{error.message}; what is no event of the game is refused like any other"
    return None


def _of_shape(game: EngineGame, mismatches: tuple[StateMismatch, ...]) -> str | None:
    """How a value is written that the engine writes otherwise; the shortest one shows it."""
    variables = game.oracle.instance.variables
    unknown = [each.variable for each in mismatches if each.variable not in variables]
    if unknown:
        return (
            f"`{unknown[0]}` is no variable of the spec: name it as the spec does, or leave it out"
        )
    unread = [each.variable for each in mismatches if each.value is None and each.got != NONE]
    if not unread:
        return None
    written = game.oracle.state_json(_state_after(game))
    name = min(unread, key=lambda each: len(json.dumps(written[each])))
    return f"write `{name}` as {excerpt(written[name])}, as the protocol has values of its type"


def _state_after(game: EngineGame) -> State:
    """The state that the events of a game lead to."""
    state = game.begin
    for event in game.events:
        state, _ = game.oracle.take(state, event)
    return state


def _declared(game: EngineGame, mismatches: tuple[StateMismatch, ...]) -> Span:
    """Where the first variable that is wrong is declared, as far as the spec declares it."""
    variables = game.oracle.instance.variables
    spans = [variables[each.variable].span for each in mismatches if each.variable in variables]
    return next((span for span in spans if span != NOWHERE), NOWHERE)
