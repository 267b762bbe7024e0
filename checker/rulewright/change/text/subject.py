"""What is compared, and what either side calls it: moves and their parameters may have other names
by the new rules. Parameters are matched by name, those left over in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.counterparts import Subject, differing_parameters, parameters
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.values import Value


def knows(param: c.Param, value: Value) -> bool:
    """Whether a side has such a choice at all: numbers of the other may lie outside its range."""
    match param.type, value:
        case y.Int(low, high), int():
            return (low is None or low <= value) and (high is None or value <= high)
        case _:
            return True


def choices(subject: Subject, event: Event, side: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The mover and the parameters of an event of one side, by the names of either side."""
    found: tuple[dict[str, Any], dict[str, Any]] = (dict(event.arguments), dict(event.arguments))
    for was, now in parameters(subject).values():
        names = was.name, now.name
        value = event.arguments[names[side]]
        for given, name in zip(found, names):
            given[name] = value
    for given, shape in zip(found, (subject.old, subject.new)):
        if isinstance(shape, c.Transition) and shape.mover is not None:
            given[shape.mover] = event.by
    return found


class EventRenaming:
    """Translates events between the two sides."""

    def __init__(self, subjects: Iterable[Subject]) -> None:
        self._others: tuple[dict[str, _Other], dict[str, _Other]] = ({}, {})
        for each in subjects:
            if each.old is None or each.new is None or differing_parameters(each) is not None:
                continue
            pairs = parameters(each).values()
            self._others[0][each.old.name] = each.new.name, {a.name: b for a, b in pairs}
            self._others[1][each.new.name] = each.old.name, {b.name: a for a, b in pairs}

    def across(self, event: Event, side: int) -> Event | None:
        """An event of one side as the other has it, None if it has no such event."""
        if event.name not in self._others[side]:
            return None
        name, theirs = self._others[side][event.name]
        if not all(knows(theirs[each], value) for each, value in event.arguments.items()):
            return None
        given = {theirs[each].name: value for each, value in event.arguments.items()}
        return Event(name, event.by, given)


_Other = tuple[str, Mapping[str, c.Param]]
"""What the other side calls an event, and its parameters by what this side calls them."""
