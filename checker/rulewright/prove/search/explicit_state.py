"""Explicit-state exploration: all positions of a game are gone through. A game that meets what is
looked for is one of the shortest there are.

The compiled game is gone through breadth first, from every start, by every move and every outcome
of chance: inside the module, or where only the evaluator can tell whether something is met, event
by event and not as far. A game with too many positions is left to others, and so is one with moves
that are only proposed, for they cannot be listed. What is found is played in the evaluator before
it counts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from rulewright.kernel.outcome import WitnessGame
from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.prove.search.bmc import BmcResult
from rulewright.prove.search.replay_witness import replay
from rulewright.prove.search.search_goals import SearchGoal, Watch
from rulewright.prove.verdict.verdict import POSITION
from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State, compiled_game
from rulewright.simulate.search.exhaustive_search import search
from rulewright.syntax.node import Node, replace
from rulewright.system.work_budget import EVENT, Allowance

MOST_POSITIONS = 20_000
"""Where the evaluator looks at each of them."""


class _VastError(Exception):
    """There are too many positions."""


class _Place(Node):
    """A state, and how it was come by."""

    state: State
    before: _Place | None
    event: Happening | None


def explore_all_states(
    instance: Instance, target: SearchGoal, seconds: float, most: int
) -> BmcResult | None:
    """The shortest game that meets a target, or that none does; None if that would take too long,
    there are more than so many positions, or it cannot be done."""
    if any(each.proposals for each in instance.spec.transitions):
        return None
    watch, allowed = target.watched(instance), Allowance(seconds)
    try:
        if watch is None:
            return _Everywhere(compiled_game(instance), target).look(allowed)
        return _inside(instance, target, watch, allowed, most)
    except (UsageError, EvaluationError):  # nothing to play, or the rules cannot say what follows
        return None
    except _VastError:
        return None


def _inside(
    instance: Instance, target: SearchGoal, watch: Sequence[c.Property], allowed: Allowance,
    most: int,
) -> BmcResult | None:  # fmt: skip
    """The same, all of it done by the module."""
    found = search(instance, watch, target.stops(None), allowed, most)
    if found is None or (found.error is not None and not target.stops(found.error)):
        return None
    if found.start is None:
        return BmcResult((), found.positions, True, None, POSITION)
    game = compiled_game(instance)
    return _shown(game, target, found.start, [game.decode(each) for each in found.events])


def _shown(
    game: CompiledGame, target: SearchGoal, start: State, events: Sequence[Event]
) -> BmcResult | None:
    """The game, as the evaluator has it."""
    shown = replay(game.instance, target, game.position(start), events)
    if shown is None:
        return None
    shortest: WitnessGame = replace(shown, shortest=True)
    return BmcResult((shortest,), 0, False, None)


class _Everywhere:
    """Goes through all positions event by event."""

    def __init__(self, game: CompiledGame, target: SearchGoal) -> None:
        self._game = game
        self._target = target
        self._watch: Watch = target.watch(game)
        self._seen: set[State] = set()
        self._waiting: deque[_Place] = deque()

    def look(self, allowed: Allowance) -> BmcResult | None:
        for start in self._game.beginnings():
            place = _Place(start, None, None)
            first = self._game.position(start)
            if self._target.at_start and self._target.met_first(self._game.instance, first):
                return self._found(place)
            self._add(place, allowed)
        while self._waiting:
            place = self._waiting.popleft()
            if not self._game.is_final(place.state):
                met = self._go_on(place, allowed)
                if met is not None:
                    return self._found(met)
        return BmcResult((), len(self._seen), True, None, POSITION)

    def _go_on(self, place: _Place, allowed: Allowance) -> _Place | None:
        """Looks at all that can follow; returns where the target is met, if it is."""
        nothing = True
        for event in self._events(place.state):
            nothing = False
            state = place.state
            try:
                for _, after in self._game.steps(state, event):
                    if self._watch(state, after):
                        return _Place(after, place, event)
                    state = after
            except EvaluationError as error:
                if self._target.stops(error):
                    return _Place(state, place, event)
                raise
            self._add(_Place(state, place, event), allowed)
        return place if nothing and self._target.stops(None) else None

    def _events(self, state: State) -> Iterator[Happening]:
        yield from self._game.legal(state)
        outcomes = self._game.outcomes(state)
        if len(outcomes) > MOST_POSITIONS:
            raise _VastError
        yield from (event for weight, event in outcomes if weight)

    def _add(self, place: _Place, allowed: Allowance) -> None:
        allowed.charge(EVENT)
        if len(self._seen) > MOST_POSITIONS or allowed.over:
            raise _VastError
        if place.state not in self._seen:
            self._seen.add(place.state)
            self._waiting.append(place)

    def _found(self, place: _Place) -> BmcResult | None:
        """The game that leads to a place, as the evaluator has it."""
        events = []
        while place.before is not None:
            events.append(self._game.decode(place.event or ()))
            place = place.before
        return _shown(self._game, self._target, place.state, events[::-1])
