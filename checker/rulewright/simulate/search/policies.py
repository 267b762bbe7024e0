"""Policies: what decides which event comes next in a game that is played.

Uniform: anything that can happen. Biased: each player avoids some kinds of move for a while.
Following: the events of another game, as far as they are allowed. Directed: towards a given state.
A policy that returns None ends the game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Any, TypeAlias

from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.values import entries
from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State

Policy: TypeAlias = "Callable[[CompiledGame, State], Happening | None]"

OTHERWISE = 5
"""So often another move is looked for in place of one that a player would rather not make."""
RELUCTANCE = 0.9
SHARES = (0.0, 0.5, 0.8)
"""Of the kinds of move, how many a player may be averse to."""
CHANGE = 0.005
"""How often, by the event, all aversions change."""
BETWEEN = 20
"""Events at random in a row before a game that is followed is given up."""
CHOICES = 16
"""So many moves are looked at where they cannot be listed."""
ELSEWHERE = 10
"""How much farther a piece in another place is than another number."""


def uniform(random: Random) -> Policy:
    """Anything that can happen, at random."""
    return lambda game, state: game.choose(state, random)


class Biased:
    """Each player avoids some kinds of move for a while. Where everybody does everything equally
    often, all games look alike; so, somebody hoards what others spend at once, and games get to
    places that plain chance hardly ever sees."""

    def __init__(self, game: CompiledGame, random: Random) -> None:
        self._moves = [n for n, each in enumerate(game.transitions) if each.mover is not None]
        self._players = game.instance.players
        self._random = random
        self._averse = self._drawn()

    def _drawn(self) -> set[tuple[int, int]]:
        """Kinds of move and the players that avoid them."""
        random = self._random
        averse = set()
        for player in range(1, self._players + 1):
            share = random.choice(SHARES)
            averse |= {(move, player) for move in self._moves if random.random() < share}
        return averse

    def __call__(self, game: CompiledGame, state: State) -> Happening | None:
        chosen = game.choose(state, self._random)
        if self._random.random() < CHANGE:
            self._averse = self._drawn()
        for _ in range(OTHERWISE):
            if chosen is None or chosen[:2] not in self._averse:
                break
            if self._random.random() > RELUCTANCE:
                break
            chosen = game.choose(state, self._random)
        return chosen


class Following:
    """Does what happened in another game. Where that is not allowed, something else happens at
    random until it is."""

    def __init__(self, events: Sequence[Happening], random: Random) -> None:
        self._left = list(events)[::-1]
        self._random = random
        self._between = 0

    def __call__(self, game: CompiledGame, state: State) -> Happening | None:
        if self._between == BETWEEN:
            return None
        if self._left and game.allows(state, self._left[-1]):
            self._between = 0
            return self._left.pop()
        self._between += 1
        return game.choose(state, self._random)


class Directed:
    """Of all that can happen, does that after which a state is nearest to a goal."""

    def __init__(self, game: CompiledGame, goal: State, random: Random) -> None:
        self._random = random
        self._portable = game.portable
        self._types = {name: place.type for name, place in self._portable.layout.places.items()}
        self._wanted = {name: self._portable.part(goal, name) for name in self._types}
        self._known: dict[tuple[str, bytes], int] = {}

    def __call__(self, game: CompiledGame, state: State) -> Happening | None:
        if not self.distance(state):
            return None
        ways = []
        for number, event in enumerate(self._possible(game, state)):
            with suppress(EvaluationError):  # a hole in the rules: `safe` reports it
                ways.append((self.distance(game.apply(state, event)), number, event))
        return min(ways, key=lambda each: each[:2])[2] if ways else None

    def _possible(self, game: CompiledGame, state: State) -> list[Happening]:
        """What can happen in a state, in any order; of moves that are too many to list, some."""
        found = [event for _, event in game.outcomes(state)]
        if not found:
            found = game.listed(state)
            with suppress(EvaluationError):
                chosen = (game.choose(state, self._random) for _ in range(CHOICES))
                found += [event for event in chosen if event is not None]
        self._random.shuffle(found)
        return found

    def distance(self, state: State) -> int:
        """How far a state is from the goal: how many pieces lie elsewhere, what else differs."""
        total = 0
        for name, type in self._types.items():
            part = self._portable.part(state, name)
            if part != self._wanted[name]:
                key = name, part
                if key not in self._known:
                    here, there = (
                        self._portable.value(each, type) for each in (part, self._wanted[name])
                    )
                    self._known[key] = _distance(here, there, type)
                total += self._known[key]
        return total


def _distance(one: Any, other: Any, type: y.Type) -> int:
    """How far two values of a type are apart."""
    match type:
        case y.Bag():
            return ELSEWHERE * (len(one - other) + len(other - one))
        case y.Set():
            return ELSEWHERE * len(one ^ other)
        case y.Map(_, y.Option()):
            mine, theirs = entries(one), entries(other)
            keys = mine.keys() | theirs.keys()
            return ELSEWHERE * len([key for key in keys if mine.get(key) != theirs.get(key)])
        case y.Map(_, inner):
            return sum(_distance(one[key], other[key], inner) for key in one)
        case _:
            return int(one != other)
