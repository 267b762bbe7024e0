"""The truth about a small game: every position that any game of it reaches, gone through one by one
by the evaluator alone. What the prover says of the same game has to agree with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from rulewright.meaning import core as c
from rulewright.play.io.json_codec import encode_position
from rulewright.play.semantics.chance import outcomes
from rulewright.play.semantics.errors import EndlessError, EvaluationError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.initial_states import initial_positions
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.legal_moves import legal_moves
from rulewright.play.semantics.rules import TakenTransition, apply, is_final
from rulewright.play.semantics.values import Position


class Truth(NamedTuple):
    """What does not hold, by name, what is reached, and how many positions there are. Something
    that has no value breaks `safe`; where nothing follows, `goes_on`."""

    broken: set[str]
    reached: set[str]
    positions: int
    endless: bool


def explored(instance: Instance) -> Truth:
    """Goes through every position that a game can reach."""
    return _Exploring(instance).all()


class _Exploring:
    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.broken: set[str] = set()
        self.reached: set[str] = set()
        self.follow: dict[str, set[str]] = {}

    def all(self) -> Truth:
        waiting = list(initial_positions(self.instance))
        for position in waiting:
            self._look_at(position)
        while waiting:
            position = waiting.pop()
            key = self._key(position)
            if key in self.follow:
                continue
            after = [] if is_final(self.instance, position) else list(self._next(position))
            self.follow[key] = {self._key(each) for each in after}
            waiting += after
        return Truth(self.broken, self.reached, len(self.follow), _has_a_loop(self.follow))

    def _next(self, position: Position) -> Iterator[Position]:
        """Where each event leads, looking at everything on the way."""
        try:
            events = self._events(position)
        except EvaluationError:
            self.broken.add("safe")
            return
        if not events:
            self.broken.add("goes_on")
        for event in events:
            try:
                happened = apply(self.instance, position, event)
            except EndlessError:  # where steps never stop, nothing is said to be without a value
                self.broken.add("steps_stop")
                continue
            except EvaluationError:
                self.broken.add("safe")
                continue
            for each in happened:
                self._look_at(each.after)
                self._compare(each)
            yield happened[-1].after

    def _events(self, position: Position) -> list[Event]:
        by_chance = [event for event, weight in outcomes(self.instance, position) if weight]
        return [*legal_moves(self.instance, position), *by_chance]

    def _look_at(self, position: Position) -> None:
        self._judge(("invariant",), Environment(self.instance, position), self.broken, wanted=False)
        self._judge(("possible",), Environment(self.instance, position), self.reached, wanted=True)

    def _compare(self, happened: TakenTransition) -> None:
        env = Environment(self.instance, happened.before, happened.after)
        self._judge(("always",), env, self.broken, wanted=False)

    def _judge(
        self, kinds: tuple[str, ...], env: Environment, found: set[str], wanted: bool
    ) -> None:
        for each in self._claims(kinds):
            try:
                if evaluate(each.claim, env) == wanted:
                    found.add(each.name)
            except EvaluationError:
                self.broken.add("safe")

    def _claims(self, kinds: tuple[str, ...]) -> list[c.Property]:
        return [each for each in self.instance.spec.properties if each.kind in kinds]

    def _key(self, position: Position) -> str:
        return json.dumps(encode_position(position, self.instance), sort_keys=True)


def _has_a_loop(follow: dict[str, set[str]]) -> bool:
    """Whether a game can come back to where it was: takes away what has nothing after it."""
    before: dict[str, list[str]] = {key: [] for key in follow}
    left = {key: len(after) for key, after in follow.items()}
    for key, after in follow.items():
        for each in after:
            before[each].append(key)
    done = [key for key, count in left.items() if not count]
    for key in done:
        for each in before[key]:
            left[each] -= 1
            if not left[each]:
                done.append(each)
    return len(done) < len(follow)
