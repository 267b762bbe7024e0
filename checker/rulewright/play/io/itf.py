"""Games in the Informal Trace Format, which other tools' viewers read: the ADR 015 of Apalache.

    {"#meta": {...}, "vars": [...], "states": [{"#meta": {"index": 0}, "VAR": VALUE, ...}, ...]}

Numbers are {"#bigint": "5"}, sets {"#set": [...]}, maps {"#map": [[key, value], ...]}. A bag is the
map of how many there are of each element; an optional is the set of its value, which is empty for
`none`: the format has nothing for it that all its readers take.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from rulewright.meaning import types as y
from rulewright.play.io.notation import write_line
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position, ordered

FORMAT = "https://apalache-mc.org/docs/adr/015adr-trace.html"


def itf_text(
    instance: Instance, source: str, states: Iterable[tuple[Event | None, Position]]
) -> Iterator[str]:
    """A game as pieces of text: each position, with the event that led to it."""
    meta = {
        "format": "ITF",
        "format-description": FORMAT,
        "source": source,
        "description": f"{instance.spec.title}, {instance.players} players",
    }
    yield f'{{"#meta":{_dumped(meta)},"vars":{_dumped(list(instance.variables))},"states":['
    for index, (event, position) in enumerate(states):
        about: dict[str, Any] = {"index": index}
        if event is not None:
            about["event"] = write_line(event, instance)
        state = {"#meta": about, **itf_state(instance, position)}
        yield (",\n" if index else "\n") + _dumped(state)
    yield "\n]}\n"


def itf_state(instance: Instance, position: Position) -> dict[str, Any]:
    """The values of a position in the format."""
    return {
        name: itf_value(position[name], variable.type, instance)
        for name, variable in instance.variables.items()
    }


def itf_value(value: Any, type: y.Type, instance: Instance) -> Any:
    """A value in the format."""
    match type:
        case y.Option(inner):
            return {"#set": [] if value is None else [itf_value(value, inner, instance)]}
        case y.Int() | y.Player():
            return {"#bigint": str(value)}
        case y.Set(element):
            inside = ordered(value, element, instance)
            return {"#set": [itf_value(each, element, instance) for each in inside]}
        case y.Bag(element):
            counts = [
                [itf_value(each, element, instance), {"#bigint": str(value[each])}]
                for each in ordered(value, element, instance)
            ]
            return {"#map": counts}
        case y.Map(key, inner):
            pairs = [
                [itf_value(each, key, instance), itf_value(value[each], inner, instance)]
                for each in instance.order(key)
            ]
            return {"#map": pairs}
        case _:
            return value


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
