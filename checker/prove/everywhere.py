"""Goes through every position of a game that has few. What holds in all of them is proved, whatever
an induction makes of it; a game that shows the contrary is one of the shortest there are.

The compiled game is gone through breadth first, from every start, by every move and every outcome
of chance. A game with too many positions is left to others, and so is one with moves that are only
proposed, for they cannot be listed. What is found is played in the evaluator before it counts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from checker.budget import EVENT, Allowance
from checker.kernel.outcome import Game
from checker.play.compile.layout import State
from checker.play.compiled import Happening, Machine, machine_of
from checker.play.errors import EvaluationError, UsageError
from checker.play.instance import Instance
from checker.prove.replayed import replay
from checker.prove.search import Searched
from checker.prove.target import Sought, Watch
from checker.prove.verdict import POSITION
from checker.syntax.node import Node, replace

MOST_POSITIONS = 20_000


class _VastError(Exception):
    """There are too many positions."""


class _Place(Node):
    """A state, and how it was come by."""

    state: State
    before: _Place | None
    event: Happening | None


def look_everywhere(instance: Instance, target: Sought, seconds: float) -> Searched | None:
    """The shortest game that meets a target, or that none does; None if that would take too long
    or cannot be done."""
    if any(each.proposals for each in instance.spec.transitions):
        return None
    try:
        return _Everywhere(machine_of(instance), target).look(Allowance(seconds))
    except (UsageError, EvaluationError):  # nothing to play, or the rules cannot say what follows
        return None
    except _VastError:
        return None


class _Everywhere:
    def __init__(self, machine: Machine, target: Sought) -> None:
        self._machine = machine
        self._target = target
        self._watch: Watch = target.watch(machine)
        self._seen: set[Any] = set()
        self._waiting: deque[_Place] = deque()

    def look(self, allowed: Allowance) -> Searched | None:
        for start in self._machine.beginnings():
            place = _Place(start[:], None, None)
            if self._target.at_start and self._watch(start, start):
                return self._found(place)
            self._add(place, allowed)
        while self._waiting:
            place = self._waiting.popleft()
            if not self._machine.is_final(place.state):
                met = self._go_on(place, allowed)
                if met is not None:
                    return self._found(met)
        return Searched((), len(self._seen), True, None, POSITION)

    def _go_on(self, place: _Place, allowed: Allowance) -> _Place | None:
        """Looks at all that can follow; returns where the target is met, if it is."""
        nothing = True
        for event in self._events(place.state):
            nothing = False
            state = place.state[:]
            after = _Place(state, place, event)
            before = place.state
            try:
                for _ in self._machine.steps(state, event):
                    if self._watch(before, state):
                        return after
                    before = state[:]
            except EvaluationError as error:
                if self._target.stops(error):
                    return after
                raise
            self._add(after, allowed)
        return place if nothing and self._target.stops(None) else None

    def _events(self, state: State) -> Iterator[Happening]:
        yield from self._machine.legal(state)
        outcomes = self._machine.outcomes(state)
        if len(outcomes) > MOST_POSITIONS:
            raise _VastError
        yield from (event for weight, event in outcomes if weight)

    def _add(self, place: _Place, allowed: Allowance) -> None:
        allowed.charge(EVENT)
        if len(self._seen) > MOST_POSITIONS or allowed.over:
            raise _VastError
        key = tuple([_hashable(each) for each in place.state])
        if key not in self._seen:
            self._seen.add(key)
            self._waiting.append(place)

    def _found(self, place: _Place) -> Searched | None:
        """The game that leads to a place, as the evaluator has it."""
        events = []
        while place.before is not None:
            events.append(self._machine.decode(place.event or ()))
            place = place.before
        start = self._machine.position(place.state)
        game = replay(self._machine.instance, self._target, start, events[::-1])
        if game is None:
            return None
        shortest: Game = replace(game, shortest=True)
        return Searched((shortest,), 0, False, None)


def _hashable(value: Any) -> Any:
    """Bags and large boards are kept as dicts."""
    if isinstance(value, dict):
        return frozenset((key, _hashable(held)) for key, held in value.items())
    return tuple([_hashable(each) for each in value]) if isinstance(value, tuple) else value
