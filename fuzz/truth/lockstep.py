"""Two games side by side, by the evaluator alone: where do they part, and how?

Positions that both games reach are compared event by event, as `diff` does: what only the old rules
allow (stricter), what only the new ones allow (looser), what leads elsewhere (changed). And both
are played in lockstep, steps included, to see whether anybody could tell them apart at all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from fuzz.truth.choices import MOST_CHOICES, TooManyError, beginnings, choices, event_of, key_of
from fuzz.truth.explorer import LONGEST_CHAIN, Truth
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import is_final, requirements, scores, take, unmet, winners
from rulewright.play.semantics.values import Position

STRICTER, LOOSER, CHANGED = "stricter", "looser", "changed"
MOST_COMPARED = 120
"""Positions in which two games are compared."""
NO_VALUE = "no value"


class Parting:
    """How two games differ, by subject: in positions both reach (`in_both`), in positions one of
    them reaches (`in_either`); and whether they are told apart in play."""

    def __init__(self) -> None:
        self.in_both: set[tuple[str, str]] = set()
        self.in_either: set[tuple[str, str]] = set()
        self.parts: str | None = None
        """How a game played by both comes apart, None if it does not."""
        self.complete = True


def parted(old: Instance, new: Instance, before: Truth, after: Truth) -> Parting:
    """How the old and the new game differ."""
    comparing = _Comparing(old, new)
    comparing.compare(before, after)
    comparing.play()
    comparing.found.complete = comparing.found.complete and before.complete and after.complete
    return comparing.found


class _Comparing:
    def __init__(self, old: Instance, new: Instance) -> None:
        self.old = old
        self.new = new
        self.found = Parting()

    # ---- position by position

    def compare(self, before: Truth, after: Truth) -> None:
        """Compares starts, and events and results wherever a game of either gets."""
        starts = [{key_of(p) for p in self._starts(each)} for each in (self.old, self.new)]
        for way, only in ((STRICTER, starts[0] - starts[1]), (LOOSER, starts[1] - starts[0])):
            if only:
                self.found.in_both.add(("start", way))
                self.found.in_either.add(("start", way))
        sides = [{key_of(p.position): p.position for p in each.places} for each in (before, after)]
        shared = sides[0].keys() & sides[1].keys()
        every = {**sides[0], **sides[1]}
        for number, (key, position) in enumerate(every.items()):
            if number > MOST_COMPARED:
                self.found.complete = False
                break
            for difference in self._differences(position):
                self.found.in_either.add(difference)
                if key in shared:
                    self.found.in_both.add(difference)
        self._steps(before, after)

    def _starts(self, instance: Instance) -> list[Position]:
        try:
            return beginnings(instance)[0]
        except TooManyError:
            self.found.complete = False
            return []

    def _differences(self, position: Position) -> Iterator[tuple[str, str]]:
        over = [is_final(each, position) for each in (self.old, self.new)]
        if all(over):
            yield from self._results(position)
        names = [*self.new.transitions, *(n for n in self.old.transitions
                                          if n not in self.new.transitions)]  # fmt: skip
        for name in names:
            one, other = self.old.transitions.get(name), self.new.transitions.get(name)
            shape = other or one
            assert shape is not None
            if shape.kind == "step" or (one and other and not _alike(one, other)):
                continue
            for event in self._events(shape, position):
                yield from ((name, way) for way in self._ways(position, event, one, other))

    def _events(self, transition: c.Transition, position: Position) -> Iterator[Event]:
        """All events of a transition; only those of its mover and parameters matter here."""
        types: dict[str, y.Type] = {each.name: each.type for each in transition.params}
        if transition.mover is not None:
            types = {transition.mover: self.new.player, **types}
        try:
            for values in choices(types, self.new, MOST_CHOICES):
                yield event_of(transition, values)
        except TooManyError:
            self.found.complete = False

    def _ways(
        self, position: Position, event: Event, one: c.Transition | None, other: c.Transition | None
    ) -> Iterator[str]:
        before, after = self._legal(self.old, one, position, event), self._legal(
            self.new, other, position, event
        )  # fmt: skip
        if before is True and after is not True:
            yield STRICTER
        if after is True and before is not True:
            yield LOOSER
        if before is True and after is True:
            assert one is not None and other is not None
            outcomes = [
                _outcome(self.old, one, position, event), _outcome(self.new, other, position, event)
            ]  # fmt: skip
            if outcomes[0] != outcomes[1]:
                yield CHANGED

    @staticmethod
    def _legal(
        instance: Instance, transition: c.Transition | None, position: Position, event: Event
    ) -> bool | None:
        if transition is None:
            return False
        env = Environment(instance, position, locals=event.locals(transition))
        try:
            return not unmet(requirements(transition), env)
        except EvaluationError:
            return None

    def _results(self, position: Position) -> Iterator[tuple[str, str]]:
        for name, ask in (("score", scores), ("wins", winners)):
            said = [_result(ask, each, position) for each in (self.old, self.new)]
            if said[0] != said[1] and all(name in each.functions for each in (self.old, self.new)):
                yield name, CHANGED

    def _steps(self, before: Truth, after: Truth) -> None:
        """Compares each step where both games get and no step that comes before it is due."""
        passed = [{key_of(one.after): one.after for one in each.passed} for each in (before, after)]
        for key in list(passed[0].keys() & passed[1].keys())[:MOST_COMPARED]:
            position = passed[0][key]
            due = [_due(each, position) for each in (self.old, self.new)]
            if NO_VALUE in due:
                continue
            for name in {each for each in due if each is not None}:
                one, other = self.old.transitions.get(name), self.new.transitions.get(name)
                if due[0] != due[1] or one is None or other is None:
                    continue
                ends = [_outcome(self.old, one, position, None),
                        _outcome(self.new, other, position, None)]  # fmt: skip
                if ends[0] != ends[1]:
                    self.found.in_both.add((name, CHANGED))

    # ---- in play

    def play(self) -> None:
        """Plays both in lockstep, to where they first come apart."""
        starts = [{key_of(p): p for p in self._starts(each)} for each in (self.old, self.new)]
        if starts[0].keys() != starts[1].keys():
            self.found.parts = "they begin otherwise"
            return
        waiting = deque(starts[0].values())
        seen = set(starts[0])
        while waiting:
            position = waiting.popleft()
            if len(seen) > MOST_COMPARED:
                self.found.complete = False
                return
            for after in self._on(position):
                key = key_of(after)
                if key not in seen:
                    seen.add(key)
                    waiting.append(after)
            if self.found.parts is not None:
                return

    def _on(self, position: Position) -> Iterator[Position]:
        """Where both get from here; notes where they come apart."""
        over = [is_final(each, position) for each in (self.old, self.new)]
        if over[0] != over[1]:
            self.found.parts = "only one of them is over"
        if any(over):
            for _ in self._results(position):
                self.found.parts = "their results differ"
            return
        for name, one in self.old.transitions.items():
            other = self.new.transitions.get(name)
            if one.kind == "step":
                continue
            if other is None or not _alike(one, other):
                self.found.complete = False
                continue
            for event in self._events(other, position):
                legal = [
                    self._legal(self.old, one, position, event),
                    self._legal(self.new, other, position, event),
                ]
                if None in legal:
                    continue
                if legal[0] != legal[1]:
                    self.found.parts = f"only one of them allows {event.name}"
                    return
                if legal[0]:
                    after = [_settled(each, position, event) for each in (self.old, self.new)]
                    if NO_VALUE in after:
                        continue
                    if key_of(after[0]) != key_of(after[1]):
                        self.found.parts = f"{event.name} leads elsewhere"
                        return
                    yield after[0]
        for name, other in self.new.transitions.items():
            if name not in self.old.transitions and other.kind != "step":
                for event in self._events(other, position):
                    if self._legal(self.new, other, position, event):
                        self.found.parts = f"only one of them allows {name}"


def _alike(one: c.Transition, other: c.Transition) -> bool:
    """Whether two transitions have the same choices."""
    return (
        one.kind == other.kind and one.mover == other.mover
        and [(p.name, p.type) for p in one.params] == [(p.name, p.type) for p in other.params]
    )  # fmt: skip


def _outcome(
    instance: Instance, transition: c.Transition, position: Position, event: Event | None
) -> Any:
    """Where a transition leads at once, and with what weight."""
    try:
        after = key_of(take(instance, position, transition, event).after)
        weight = None
        if transition.weight is not None and event is not None:
            env = Environment(instance, position, locals=event.locals(transition))
            weight = evaluate(transition.weight, env)
        return after, 1 if weight is None else weight
    except EvaluationError:
        return NO_VALUE


def _due(instance: Instance, position: Position) -> str | None:
    env = Environment(instance, position)
    try:
        for step in instance.of_kind("step"):
            if all(evaluate(each.condition, env) for each in step.requirements):
                return step.name
    except EvaluationError:
        return NO_VALUE
    return None


def _settled(instance: Instance, position: Position, event: Event) -> Any:
    """Where an event and all its steps lead."""
    try:
        position = take(instance, position, instance.transitions[event.name], event).after
        for _ in range(LONGEST_CHAIN):
            step = _due(instance, position)
            if step is None or step == NO_VALUE:
                return position if step is None else NO_VALUE
            position = take(instance, position, instance.transitions[step], None).after
    except EvaluationError:
        pass
    return NO_VALUE


def _result(ask: Any, instance: Instance, position: Position) -> Any:
    try:
        return ask(instance, position)
    except EvaluationError:
        return NO_VALUE
