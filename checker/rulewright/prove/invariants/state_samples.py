"""State samples to test candidate invariants on: positions of random games, then those with news.

A position has news where a counter or the size of a set has a value that was not seen in that phase
before. What seldom happens is so among them, and the many positions that are much alike are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count, islice
from random import Random
from typing import Any

from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import BagValue, Position
from rulewright.simulate.compiled.compiled_game import compiled_game
from rulewright.simulate.search.policies import Biased, uniform
from rulewright.system.work_budget import EVENT, Allowance

AS_THEY_COME = 80
WITH_NEWS = 140
"""How many positions of each sort."""
LOOKED_AT = 4000
SECONDS = 3.0
"""After so many positions, or so many seconds' worth of playing, that is enough."""


def positions(instance: Instance, seconds: float = SECONDS) -> list[Position]:
    """Positions of random games; the same ones every time."""
    found: list[Position] = []
    known: set[tuple[Any, ...]] = set()
    allowed = Allowance(min(seconds, SECONDS))
    for position in islice(_played(instance, Random(0)), LOOKED_AT):
        allowed.charge(EVENT)
        if allowed.over or len(found) >= AS_THEY_COME + WITH_NEWS:
            break
        news = set(_news(position)) - known
        if news or len(found) < AS_THEY_COME:
            known |= news
            found.append(position)
    return found


def _played(instance: Instance, random: Random) -> Iterator[Position]:
    """The positions of one game after another. In every other one players avoid some kinds of
    move, since plain chance leads all games through much the same positions."""
    try:
        game = compiled_game(instance)
    except UsageError:  # nothing to play
        return
    for number in count():
        policy = Biased(game, random) if number % 2 else uniform(random)
        state = game.begin(random)
        yield game.position(state)
        try:
            while (event := policy(game, state)) is not None:
                for _, after in game.steps(state, event):
                    yield game.position(state := after)
        except EvaluationError:  # a hole in the rules: `safe` reports it
            continue


def _news(position: Position) -> Iterator[tuple[Any, ...]]:
    phase = position.get("phase")
    for name, value in position.items():
        for each in _leaves(value):
            yield phase, name, each


def _leaves(value: Any) -> Iterator[Any]:
    match value:
        case Mapping():
            for each in value.values():
                yield from _leaves(each)
        case frozenset() | BagValue():
            yield len(value)
        case _:
            yield value
