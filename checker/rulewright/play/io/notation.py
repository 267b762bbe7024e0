"""Values and events in the language's own notation: `cross_sum(row = red, at = 11)`.

What is written here can stand in a spec, and `parse_notation` reads it back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rulewright.meaning import types as y
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import frozen, ordered, text

LONGEST_LIST = 12
"""Maps with number keys are written as lists up to this length."""


def write(value: Any, type: y.Type, instance: Instance) -> str:
    """A value as it is written in a spec."""
    match type:
        case y.Option(inner) if value is not None:
            return write(value, inner, instance)
        case y.Enum(members=members, written=written) if written and value is not None:
            return written[members.index(value)]
        case y.Set(element):
            return _braces(ordered(value, element, instance), element, instance)
        case y.Bag(element):
            distinct = ordered(value, element, instance)
            repeated = [each for each in distinct for _ in range(value[each])]
            return _braces(repeated, element, instance)
        case y.Seq():
            filled = [
                value[place] for place in instance.order(type.key) if value[place] is not None
            ]
            return "[" + ", ".join(write(each, type.element, instance) for each in filled) + "]"
        case y.Map():
            return _map(value, type, instance)
        case _:
            return text(value)


def write_event(event: Event, instance: Instance) -> str:
    """An event with its arguments by name; no brackets if it has none."""
    params = instance.transitions[event.name].params
    given = [
        f"{param.name} = {write(event.arguments[param.name], param.type, instance)}"
        for param in params
    ]
    return f"{event.name}({', '.join(given)})" if given else event.name


def write_line(event: Event, instance: Instance, seats: Sequence[str] = ()) -> str:
    """An event as a line of an example: `emma plays …`, `2 plays …` or `chance …`."""
    if event.by is None:
        return f"chance {write_event(event, instance)}"
    return f"{seat(event.by, seats)} plays {write_event(event, instance)}"


def seat(player: int, seats: Sequence[str] = ()) -> str:
    """What a player is called: by name where the seats have names."""
    return seats[player - 1] if len(seats) >= player else str(player)


def _braces(elements: Sequence[Any], type: y.Type, instance: Instance) -> str:
    return "{" + ", ".join(write(each, type, instance) for each in elements) + "}"


def _map(value: Any, type: y.Map, instance: Instance) -> str:
    """`[6, 6]` for a few numbered keys, else by key, with `else` for what is there most often."""
    keys = list(instance.order(type.key))
    if isinstance(type.key, y.Int | y.Player) and len(keys) <= LONGEST_LIST:
        return "[" + ", ".join(write(value[key], type.value, instance) for key in keys) + "]"
    (usual, times), *_ = Counter(frozen(value[key]) for key in keys).most_common(1)
    entries = [
        f"{write(key, type.key, instance)}: {write(value[key], type.value, instance)}"
        for key in keys
        if times == 1 or frozen(value[key]) != usual
    ]
    if times > 1:
        example = next(value[key] for key in keys if frozen(value[key]) == usual)
        entries.append(f"else: {write(example, type.value, instance)}")
    return "[" + ", ".join(entries) + "]"
