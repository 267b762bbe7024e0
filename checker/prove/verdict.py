"""What is known of a property in one setting, put together from the answers to its questions.

    proved    it holds in every position of every game, of any length
    bounded   it holds for games of so many turns, and no further was looked
    refuted   a game shows that it does not
    unknown   neither; where induction fails, at which position

A `possible` is proved by a game and refuted by a proof that there is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from checker.play.event import Event
from checker.syntax.node import Node

PROVED, BOUNDED, REFUTED, UNKNOWN = "proved", "bounded", "refuted", "unknown"


class Game(Node):
    """A game that shows something: where it begins, what happens, where it has led."""

    start: Mapping[str, Any]
    events: tuple[Event, ...]
    end: Mapping[str, Any]
    turns: int


class Outcome(Node):
    """What a worker found out about one goal. `wants` and `result` are the solver's words."""

    name: str
    kind: str
    wants: str
    result: str
    reason: str | None
    used: tuple[str, ...]
    seconds: float
    note: str
    transition: str | None
    position: Mapping[str, Any] | None = None
    event: Event | None = None
    game: Game | None = None
    depth: int | None = None


class Verdict(Node):
    """The verdict on one property in one setting."""

    name: str
    kind: str
    verdict: str
    reason: str | None
    seconds: float
    used: tuple[str, ...]
    depth: int | None = None
    game: Game | None = None
    position: Mapping[str, Any] | None = None
    event: Event | None = None
    note: str = ""


def combined(name: str, kind: str, outcomes: list[Outcome]) -> Verdict:
    """The verdict of an induction: proved if every part of it is."""
    seconds = sum(each.seconds for each in outcomes)
    used = tuple(dict.fromkeys(label for each in outcomes for label in each.used))
    for each in outcomes:
        if each.result == "sat" and each.wants == "unsat":
            return Verdict(
                name, kind, UNKNOWN, "the induction fails", seconds, (), None, None,
                each.position, each.event, _after(each),
            )  # fmt: skip
    for each in outcomes:
        if each.result == "unknown":
            return Verdict(name, kind, UNKNOWN, each.reason, seconds, (), note=_after(each))
        if each.result != each.wants:
            return Verdict(name, kind, REFUTED, "there is no such position", seconds, each.used)
    return Verdict(name, kind, PROVED, None, seconds, used)


def _after(outcome: Outcome) -> str:
    if outcome.transition is None or outcome.transition == outcome.note:
        return f"after {outcome.transition}" if outcome.transition else outcome.note
    return f"by {outcome.transition}: {outcome.note}" if outcome.note else outcome.transition
