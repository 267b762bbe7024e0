"""Replays a game in the evaluator up to where it first meets a goal. Only such a game is shown,
however it was found.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.kernel.outcome import WitnessGame
from rulewright.play.semantics import rules
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position
from rulewright.prove.search.search_goals import SearchGoal


def replay(
    instance: Instance, target: SearchGoal, start: Position, events: Sequence[Event]
) -> WitnessGame | None:
    """The shortest beginning of a game that meets the target, None if none does."""
    position, turn, number = start, 1, 0
    if target.at_start and target.met_first(instance, start):
        return WitnessGame(start, (), start, 0)
    try:
        for number, happened in enumerate(rules.replay(instance, start, events), 1):
            for each in happened:
                if target.met(instance, each.before, each.after):
                    return WitnessGame(start, tuple(events[:number]), each.after, turn)
            position = happened[-1].after
            turn += position.get("phase") == start.get("phase")
    except rules.Refused:
        return None
    except EvaluationError as error:
        if target.stops(error):
            return WitnessGame(start, tuple(events[: number + 1]), position, turn, error.message)
    return None


def turns(instance: Instance, start: Position, events: Sequence[Event]) -> int:
    """In how many turns a game was played: it begins another one whenever play is back in the
    phase it began in."""
    count = 1 if events else 0
    for happened in rules.replay(instance, start, events[:-1]):
        count += happened[-1].after.get("phase") == start.get("phase")
    return count
