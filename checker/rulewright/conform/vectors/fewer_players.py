"""A vector as it would be with fewer players, for engines that play no other number.

Who is too many is left out of the position. That need not be a position that a game comes to; it
is where the search for such a game begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.conform.engine.protocol import Json
from rulewright.conform.inputs.perturbed_states import is_allowed
from rulewright.conform.oracle.oracle import Oracle
from rulewright.meaning import types as y
from rulewright.play.io.json_codec import decode_position
from rulewright.play.semantics.errors import UsageError


def with_fewer_players(line: Mapping[str, Any], oracle: Oracle) -> dict[str, Any] | None:
    """The vector in a set-up with fewer players; None if it has no meaning there."""
    players = oracle.setup.players
    if players >= line["setup"]["players"]:
        return None
    variables = oracle.instance.variables
    position = {
        name: _fewer(value, variables[name].type, players)
        for name, value in line["position"].items()
    }
    event = dict(line["event"])
    if event.get("by") is not None:
        event["by"] = min(event["by"], players)
    try:
        state = oracle.state(decode_position(position, oracle.instance))
    except UsageError:
        return None
    if not is_allowed(oracle, state) or oracle.parse(event) is None:
        return None
    setup = oracle.setup_json(oracle.first)
    return {**line, "setup": setup, "position": position, "event": event, "game": None}


def _fewer(value: Json, type: y.Type, players: int) -> Json:
    """A value without the players that are too many; who should be one of them is the last."""
    match type:
        case y.Player() if value is not None:
            return min(value, players)
        case y.Option(inner) if value is not None:
            return _fewer(value, inner, players)
        case y.Set(y.Player()):
            return [each for each in value if each <= players]
        case y.Map(y.Player(), inner):
            return [[each, _fewer(of, inner, players)] for each, of in value if each <= players]
        case y.Map(_, inner) if isinstance(value, dict):
            return {key: _fewer(each, inner, players) for key, each in value.items()}
        case y.Map(_, inner):
            return [[key, _fewer(each, inner, players)] for key, each in value]
        case _:
            return value
