"""Plays what was found in the evaluator: a game counts from where it begins to where it first meets
what was looked for. However a game was found, only what the evaluator says of it is shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from checker.kernel.outcome import Game
from checker.play.errors import EvaluationError
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.rules import Refused, apply
from checker.play.values import Position
from checker.prove.target import Sought


def replay(
    instance: Instance, target: Sought, start: Position, events: Sequence[Event]
) -> Game | None:
    """The shortest beginning of a game that meets the target, None if none does."""
    position = start
    turn = 1
    if target.at_start and target.met_first(instance, start):
        return Game(start, (), start, 0)
    for number, event in enumerate(events):
        used = tuple(events[: number + 1])
        try:
            happened = apply(instance, position, event)
        except Refused:
            return None
        except EvaluationError as error:
            if not target.stops(error):
                return None
            return Game(start, used, position, turn, error.message)
        for each in happened:
            if target.met(instance, each.before, each.after):
                return Game(start, used, each.after, turn)
        position = happened[-1].after
        turn += position.get("phase") == start.get("phase")
    return None


def turns(instance: Instance, start: Position, events: Sequence[Event]) -> int:
    """In how many turns a game was played: it begins another one whenever play is back in the
    phase it began in."""
    position = start
    first = position.get("phase")
    count = 1 if events else 0
    for event in events[:-1]:
        position = apply(instance, position, event)[-1].after
        count += position.get("phase") == first
    return count
