"""A position as it would be with fewer players, for engines that play no other number.

Who is too many is left out, whoever that may be: of all choices those count that leave a position
as the invariants have it. That need not be a position that a game comes to; it is where the search
for such a game begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeAlias

from rulewright.conform.engine.protocol import Json
from rulewright.conform.inputs.perturbed_states import is_allowed
from rulewright.conform.oracle.oracle import Oracle
from rulewright.meaning import types as y
from rulewright.play.io.json_codec import decode_position
from rulewright.play.semantics.errors import UsageError
from rulewright.simulate.compiled.compiled_game import Happening, State

Seats: TypeAlias = "Mapping[int, int]"
"""The new seats of those who stay."""


def with_fewer_players(line: Mapping[str, Any], oracle: Oracle) -> dict[str, Any] | None:
    """A vector in a set-up with fewer players; None if it has no meaning there."""
    given = line["setup"]["players"]
    if oracle.setup.players >= given:
        return None
    for state, (event,) in seated(line["position"], [line["event"]], given, oracle):
        if event is not None:
            position, setup = oracle.state_json(state), oracle.setup_json(oracle.first)
            written = oracle.event_json(event)
            return {**line, "setup": setup, "position": position, "event": written, "game": None}
    return None


def seated(
    position: Mapping[str, Json], events: Sequence[Mapping[str, Json]], given: int, oracle: Oracle
) -> Iterator[tuple[State, list[Happening | None]]]:
    """A position of so many players and what is tried there, in a set-up with as many or fewer,
    for each choice of who stays; None in the place of what those do who do not."""
    players = oracle.setup.players
    types = {name: each.type for name, each in oracle.instance.variables.items()}
    for staying in combinations(range(1, given + 1), players):
        seats = {old: new for new, old in enumerate(staying, start=1)}
        fewer = {name: _fewer(value, types[name], seats) for name, value in position.items()}
        try:
            state = oracle.state(decode_position(fewer, oracle.instance))
        except UsageError:
            continue
        if is_allowed(oracle, state):
            yield state, [_of_those_who_stay(each, seats, oracle) for each in events]


def _of_those_who_stay(event: Mapping[str, Json], seats: Seats, oracle: Oracle) -> Happening | None:
    """What somebody who stays does."""
    if event.get("by") is None:
        return oracle.parse(event)
    return oracle.parse({**event, "by": seats[event["by"]]}) if event["by"] in seats else None


def _fewer(value: Json, type: y.Type, seats: Seats) -> Json:
    """A value without the players that are too many; who should be one of them is the last."""
    match type:
        case y.Player() if value is not None:
            return seats.get(value, len(seats))
        case y.Option(inner) if value is not None:
            return _fewer(value, inner, seats)
        case y.Set(y.Player()):
            return [seats[each] for each in value if each in seats]
        case y.Map(y.Player(), inner):
            return [[seats[each], _fewer(of, inner, seats)] for each, of in value if each in seats]
        case y.Map(_, inner) if isinstance(value, dict):
            return {key: _fewer(each, inner, seats) for key, each in value.items()}
        case y.Map(_, inner):
            return [[key, _fewer(each, inner, seats)] for key, each in value]
        case _:
            return value
