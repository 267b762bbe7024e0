"""What differs between two positions, place by place: `crossed[1][red]`, before and after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.meaning import types as y
from rulewright.play.io.notation import write
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position, SparseMap, ordered
from rulewright.syntax.node import Node


class StateChange(Node):
    """One place of the state with another value; `type` is that of the place."""

    variable: str
    place: str
    type: y.Type
    before: Any
    after: Any

    def shown(self, instance: Instance) -> str:
        """`crossed[1][red]: {} -> {4}`."""
        before, after = (write(v, self.type, instance) for v in (self.before, self.after))
        return f"{self.place}: {before} -> {after}"


def state_changes(before: Position, after: Position, instance: Instance) -> list[StateChange]:
    """Every place that changed, in the order of the state."""
    return [
        change
        for name, variable in instance.variables.items()
        for change in _within(name, name, variable.type, before[name], after[name], instance)
    ]


def _within(
    variable: str, place: str, type: y.Type, before: Any, after: Any, instance: Instance
) -> Iterator[StateChange]:
    if not isinstance(type, y.Map) or isinstance(type, y.Seq):
        if before != after:
            yield StateChange(variable, place, type, before, after)
        return
    keys = list(instance.order(type.key))
    if isinstance(before, SparseMap) and isinstance(after, SparseMap):
        keys = ordered(before.entries.keys() | after.entries.keys(), type.key, instance)
    for key in keys:
        inside = f"{place}[{write(key, type.key, instance)}]"
        yield from _within(variable, inside, type.value, before[key], after[key], instance)
