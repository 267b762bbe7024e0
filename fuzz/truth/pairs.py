"""Two games that look alike to a player, by the evaluator alone: does the player ever see a
difference, or may play in one what is refused in the other?

It knows nothing of the spec of pairs that the prover works on: two positions at a time are taken
from one pair of events to the next. What an event shows lets a player tell two games apart rightly;
such a pair is not followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fuzz.truth.choices import TooManyError, beginnings, choices, event_of, key_of
from fuzz.truth.explorer import LONGEST_CHAIN
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import is_final, requirements, take, unmet
from rulewright.play.semantics.values import Position

MOST_PAIRS, MOST_TRIES = 400, 60_000
MOST_CHOICES = 60
"""Choices of mover and parameters of one event; more are not gone through."""


class PartedError(Exception):
    """A player sees a difference; the number of events until then."""


def told_apart(instance: Instance) -> int | None:
    """After how many events two games that looked alike differ in what a player sees; -1 if no two
    ever do, None if that is not known."""
    if len(instance.spec.phases) == 0:
        return None
    try:
        return _Pairs(instance).all()
    except (TooManyError, EvaluationError):
        return None


class _Pairs:
    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self._steps = instance.of_kind("step")
        self._seen: set[Any] = set()
        self._tries = 0

    def all(self) -> int | None:
        starts, safe = beginnings(self.instance)
        if not safe:
            return None
        waiting: list[tuple[int, int, Position, Position]] = []
        for viewer in range(1, self.instance.players + 1):
            for one in starts:
                for other in starts:
                    if self._look(viewer, one) == self._look(viewer, other):
                        self._add(waiting, 0, viewer, one, other)
        try:
            while waiting:
                if len(self._seen) > MOST_PAIRS or self._tries > MOST_TRIES:
                    return None
                self._go_on(waiting, *waiting.pop(0))
        except PartedError as parted:
            return int(parted.args[0])
        return -1

    def _add(self, waiting: list[Any], number: int, viewer: int, *pair: Position) -> None:
        key = viewer, *map(key_of, pair)
        if key not in self._seen:
            self._seen.add(key)
            waiting.append((number, viewer, *pair))

    def _go_on(
        self, waiting: list[Any], number: int, viewer: int, one: Position, other: Position
    ) -> None:
        if is_final(self.instance, one):
            return
        ways = [list(self._events(each)) for each in (one, other)]
        for event in ways[0]:
            if event.by == viewer and event not in ways[1]:
                raise PartedError(number + 1)
            for twin in ways[1]:
                self._tries += 1
                if event.name != twin.name or event.by != twin.by:
                    continue
                if self._told(viewer, one, event) == self._told(viewer, other, twin):
                    transition = self.instance.transitions[event.name]
                    pair = [
                        take(self.instance, position, transition, each).after
                        for position, each in ((one, event), (other, twin))
                    ]
                    settled = self._settled(viewer, number + 1, *pair)
                    if settled is not None:
                        self._add(waiting, number + 1, viewer, *settled)

    def _settled(
        self, viewer: int, number: int, one: Position, other: Position
    ) -> tuple[Position, Position] | None:
        """Where the steps lead that follow in both; None where the viewer is told the games apart,
        or they do not stop."""
        for _ in range(LONGEST_CHAIN):
            if self._look(viewer, one) != self._look(viewer, other):
                raise PartedError(number)
            for step in self._steps:
                due = [not unmet(step.requirements, self._env(each)) for each in (one, other)]
                if due[0] != due[1]:
                    if self._hears(viewer, step, one if due[0] else other):
                        return None
                    raise PartedError(number)
                if all(due):
                    break
            else:
                return one, other
            nothing = Event(step.name, None, {})
            if self._told(viewer, one, nothing) != self._told(viewer, other, nothing):
                return None
            one, other = (take(self.instance, each, step, None).after for each in (one, other))
        return None

    # ---- what a player sees

    def _env(self, position: Position, event: Event | None = None) -> Environment:
        transition = self.instance.transitions[event.name] if event is not None else None
        known = event.locals(transition) if event is not None and transition is not None else {}
        return Environment(self.instance, position, locals=known)

    def _events(self, position: Position) -> Iterator[Event]:
        for transition in self.instance.spec.transitions:
            if transition.kind == "step" or position["phase"] not in transition.phases:
                continue
            types: dict[str, y.Type] = {each.name: each.type for each in transition.params}
            if transition.mover is not None:
                types = {transition.mover: self.instance.player, **types}
            for values in choices(types, self.instance, MOST_CHOICES):
                event = event_of(transition, values)
                env = self._env(position, event)
                if not unmet(requirements(transition), env) and _has_a_chance(transition, env):
                    yield event

    def _told(self, viewer: int, position: Position, event: Event) -> list[Any]:
        """What a player comes to know of an event: who does what, but for what is hidden; and what
        it shows, to all or to the player; or that it shows somebody else something."""
        transition = self.instance.transitions[event.name]
        env = self._env(position, event)
        found: list[Any] = [
            event.arguments[each.name]
            for each in transition.params
            if not each.hidden or event.by == viewer
        ]
        for shown in transition.shows:
            to = None if shown.to is None else evaluate(shown.to, env)
            heard = shown.to is None or to == viewer
            found.append((True, to, evaluate(shown.value, env)) if heard else (False,))
        return found

    def _hears(self, viewer: int, step: c.Transition, position: Position) -> bool:
        env = self._env(position)
        return any(each.to is None or evaluate(each.to, env) == viewer for each in step.shows)

    def _look(self, viewer: int, position: Position) -> list[Any]:
        """What a player sees of a position."""
        found: list[Any] = []
        for name, variable in self.instance.variables.items():
            value = position[name]
            if not variable.hidden:
                found.append(key_of({name: value}))
                continue
            found.append(_many(value, variable.type))
            if variable.owned:
                found += [
                    key_of({name: value[seat]})
                    for seat in range(1, self.instance.players + 1)
                    if (seat == viewer) != variable.from_owner
                ]
        return found


def _has_a_chance(transition: c.Transition, env: Environment) -> bool:
    return transition.weight is None or evaluate(transition.weight, env) > 0


def _many(value: Any, type: y.Type) -> Any:
    """How many there are of something, which all see; of a map, at each key."""
    match type:
        case y.Map(value=inner):
            return [_many(each, inner) for each in value.values()]
        case y.Option():
            return value is None
        case y.Set():
            return len(value)
        case y.Bag():
            return sum(value.counts.values())
        case _:
            return None
