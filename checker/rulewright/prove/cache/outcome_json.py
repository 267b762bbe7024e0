"""Outcomes as JSON, and back, so that they can be kept between runs.

Arguments of events are written by where they stand, for the names of parameters may change without
anything else changing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.kernel.obligations import Obligation
from rulewright.kernel.outcome import Outcome, WitnessGame
from rulewright.play.io.json_codec import decode, decode_variables, encode
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.smt.open_place import OpenPlace


def outcome_to_json(outcome: Outcome, instance: Instance) -> dict[str, Any]:
    """An outcome as JSON."""
    found = {field: getattr(outcome, field) for field in outcome._fields}
    if outcome.position is not None:
        found["position"] = _position(outcome.position, instance)
    found["events"] = [_event(each, instance) for each in outcome.events]
    if outcome.game is not None:
        found["game"] = game_to_json(outcome.game, instance)
    found["more"] = [game_to_json(each, instance) for each in outcome.more]
    found["covers"] = [[getattr(each, f) for f in each._fields] for each in outcome.covers]
    found["fixed"] = [list(each) for each in outcome.fixed]
    found["places"] = [_place(each, instance) for each in outcome.places]
    return found


def outcome_from_json(json: dict[str, Any], instance: Instance) -> Outcome:
    """The outcome that JSON stands for; raises where it stands for none."""
    found = dict(json)
    found["used"] = tuple(found["used"])
    if found["position"] is not None:
        found["position"] = decode_variables(found["position"], instance)
    found["events"] = tuple(_read_event(each, instance) for each in found["events"])
    if found["game"] is not None:
        found["game"] = game_from_json(found["game"], instance)
    found["more"] = tuple(game_from_json(each, instance) for each in found["more"])
    found["covers"] = tuple(Obligation(*each) for each in found["covers"])
    found["fixed"] = tuple((str(name), int(code)) for name, code in found["fixed"])
    found["places"] = tuple(_read_place(each, instance) for each in found["places"])
    return Outcome(**found)


def game_to_json(game: WitnessGame, instance: Instance) -> dict[str, Any]:
    """A game as JSON, by the rules of its setting."""
    found = {field: getattr(game, field) for field in WitnessGame._fields}
    found["start"] = _position(game.start, instance)
    found["end"] = _position(game.end, instance)
    found["events"] = [_event(each, instance) for each in game.events]
    return found


def game_from_json(json: dict[str, Any], instance: Instance) -> WitnessGame:
    """The game that JSON stands for; raises where it stands for none."""
    found = dict(json)
    found["start"] = decode_variables(found["start"], instance)
    found["end"] = decode_variables(found["end"], instance)
    found["events"] = tuple(_read_event(each, instance) for each in found["events"])
    return WitnessGame(**found)


def _position(position: Mapping[str, Any], instance: Instance) -> dict[str, Any]:
    variables = instance.variables
    return {name: encode(each, variables[name].type, instance) for name, each in position.items()}


def _place(place: OpenPlace, instance: Instance) -> dict[str, Any]:
    found = {field: getattr(place, field) for field in place._fields}
    if place.position is not None:
        found["position"] = _position(place.position, instance)
    found["events"] = [_event(each, instance) for each in place.events]
    return found


def _read_place(json: dict[str, Any], instance: Instance) -> OpenPlace:
    start, end = json["span"]
    position = json["position"]
    if position is not None:
        position = decode_variables(position, instance)
    events = tuple(_read_event(each, instance) for each in json["events"])
    return OpenPlace(
        (int(start), int(end)), str(json["what"]), str(json["result"]), position, events
    )


def _event(event: Event, instance: Instance) -> list[Any]:
    params = instance.transitions[event.name].params
    arguments = [encode(event.arguments[each.name], each.type, instance) for each in params]
    return [event.name, event.by, arguments]


def _read_event(json: list[Any], instance: Instance) -> Event:
    name, by, arguments = json
    params = instance.transitions[name].params
    return Event(
        name, by,
        {
            param.name: decode(each, param.type, instance, param.name)
            for param, each in zip(params, arguments, strict=True)
        },
    )  # fmt: skip
