"""Whether it matters, in a simultaneous phase, who of two players acts first.

Where both moves are legal: no step is due after either alone, each is legal after the other, and
both orders lead to the same position. Where one is legal and the other is not: it does not become
legal by the first, as long as the phase goes on and the first player counts as having acted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from fuzz.truth.choices import key_of
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import requirements, take, unmet
from rulewright.play.semantics.values import Position

MOST_PAIRS = 400
"""Pairs of events that are tried in both orders, in one position."""


class Orders:
    """Tries moves in both orders."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance

    def matters(
        self, position: Position, legal: list[tuple[Event, Position]], refused: list[Event]
    ) -> Iterator[bool | None]:
        """Whether it matters who moves first, of each two players with a move; None where that was
        not found out. Of what is legal it is known where it leads, steps included."""
        moves = [(e, after) for e, after in legal if e.by is not None]
        pairs = 0
        for one, after in moves:
            alone = self._alone(position, one)
            if alone is None:
                yield None
                continue
            stays = after.get("phase") == position.get("phase") and one.by in after["answered"]
            for other in [e for e, _ in moves] + (refused if stays else []):
                if other.by is None or other.by == one.by:
                    continue
                pairs += 1
                if pairs > MOST_PAIRS:
                    yield None
                    return
                yield self._apart(position, one, other, alone, after, stays)

    def _alone(self, position: Position, event: Event) -> Position | None:
        try:
            return take(self.instance, position, self.instance.transitions[event.name], event).after
        except EvaluationError:
            return None

    def _apart(
        self, position: Position, one: Event, other: Event, alone: Position, after: Position,
        stays: bool,
    ) -> bool | None:  # fmt: skip
        allowed = self._quietly(position, other)
        if allowed is None:
            return None
        if not allowed:
            return self._quietly(after, other) if stays else False
        first = self._in_turn(alone, other)
        swapped = self._alone(position, other)
        second = None if swapped is None else self._in_turn(swapped, one)
        if first is None or second is None:
            return None
        if isinstance(first, bool) or isinstance(second, bool):
            return True
        return key_of(first) != key_of(second)

    def _in_turn(self, alone: Position, second: Event) -> Position | Literal[False] | None:
        """Where a second event leads at once: False if a step comes first or it is refused, None if
        something has no value."""
        try:
            env = Environment(self.instance, alone)
            for step in self.instance.of_kind("step"):
                if all(evaluate(each.condition, env) for each in step.requirements):
                    return False
        except EvaluationError:
            return None
        allowed = self._quietly(alone, second)
        if allowed is None:
            return None
        return self._alone(alone, second) if allowed else False

    def _quietly(self, position: Position, event: Event) -> bool | None:
        transition = self.instance.transitions[event.name]
        env = Environment(self.instance, position, locals=event.locals(transition))
        try:
            return not unmet(requirements(transition), env)
        except EvaluationError:
            return None
