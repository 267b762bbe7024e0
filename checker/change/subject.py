"""What is compared, and what either side calls it: moves and their parameters may have other names
by the new rules. Parameters are matched by name, those left over in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from checker.change.pair import agree
from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.event import Event
from checker.play.values import Value
from checker.syntax.node import Node


class Subject(Node):
    """Something of a spec that is compared: a move, chance event or step, the beginning, or a
    result of the game; `old` or `new` is None where it is not there. `first` are the steps that
    come before a step by the old rules only, and by the new rules only."""

    kind: str
    name: str
    old: c.Transition | c.Function | None = None
    new: c.Transition | c.Function | None = None
    first: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


def parameters(subject: Subject) -> dict[str, tuple[c.Param, c.Param]]:
    """The parameters that belong together, as both sides have them, by what the new one calls
    them; some are missing where one side has more."""
    if subject.old is None or subject.new is None:
        return {}
    before = {each.name: each for each in subject.old.params}
    after = {each.name: each for each in subject.new.params}
    spare = iter([each for name, each in before.items() if name not in after])
    pairs = ((before.get(name) or next(spare, None), each) for name, each in after.items())
    return {each.name: (was, each) for was, each in pairs if was is not None}


def differing_parameters(subject: Subject) -> str | None:
    """Why two transitions cannot be compared choice by choice, None if they can."""
    if subject.old is None or subject.new is None:
        return None
    matched = parameters(subject)
    if not len(matched) == len(subject.old.params) == len(subject.new.params):
        return "it has other parameters"
    unlike = [
        name for name, (was, now) in matched.items()
        if not agree(was.type, now.type) and not _numbers(was, now)
    ]  # fmt: skip
    return f"its parameter `{unlike[0]}` has another type" if unlike else None


def _numbers(was: c.Param, now: c.Param) -> bool:
    """Whether both are numbers: a range that has grown or shrunk is compared all the same."""
    return isinstance(was.type, y.Int) and isinstance(now.type, y.Int)


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


class Naming:
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
