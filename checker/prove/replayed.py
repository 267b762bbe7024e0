"""Plays what was found in the evaluator, and plays at random to find something.

A game counts from where it begins to where it first meets what was looked for. Found at random, it
is longer than need be: events are left out for as long as the rest can still be played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from time import perf_counter

from checker.play.beginning import initial_positions
from checker.play.chance import draw
from checker.play.compiled import Machine
from checker.play.errors import EvaluationError
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.listing import legal_moves
from checker.play.rules import Happened, Refused, apply, is_final
from checker.play.values import Position
from checker.prove.target import Sought
from checker.prove.verdict import Game

LONGEST = 400
"""Events of a random game before another one is begun."""
MOST_GAMES = 200
"""What does not come up in so many games is better asked of the solver."""
BEGINNINGS = 50
"""Random games begin in one of so many positions."""


def replay(
    instance: Instance, target: Sought, start: Position, events: Sequence[Event]
) -> Game | None:
    """The shortest beginning of a game that meets the target, None if none does."""
    position = start
    if target.at_start and target.met(instance, start, start):
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
            return Game(start, used, position, turns(instance, start, used), error.message)
        for each in happened:
            if target.met(instance, each.before, each.after):
                return Game(start, used, each.after, turns(instance, start, used))
        position = happened[-1].after
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


def play_at_random(
    instance: Instance, targets: Sequence[Sought], seconds: float, seed: int = 0, wanted: int = 1
) -> dict[str, list[Game]]:
    """Games found by playing at random for a while, by what they show; so many different ones of
    each are wanted."""
    random = Random(seed)
    found: dict[str, list[Game]] = {target.name: [] for target in targets}
    until = perf_counter() + seconds
    beginnings = list(islice(initial_positions(instance), BEGINNINGS))
    for _ in range(MOST_GAMES if beginnings else 0):
        if perf_counter() > until:
            break
        open_ones = [each for each in targets if len(found[each.name]) < wanted]
        if not open_ones:
            break
        start = random.choice(beginnings)
        events: list[Event] = []
        for event, happened in _random_game(instance, start, random, until):
            events.append(event)
            for target in list(open_ones):
                if _meets(instance, target, happened):
                    game = replay(instance, target, start, events)
                    if game is not None and game not in found[target.name]:
                        found[target.name].append(game)
                    open_ones.remove(target)
    return found


def _random_game(
    instance: Instance, position: Position, random: Random, until: float
) -> Iterator[tuple[Event, list[Happened] | EvaluationError]]:
    """The events of a game at random, each with what happened or why it could not."""
    for _ in range(LONGEST):
        if is_final(instance, position) or perf_counter() > until:
            return
        try:
            event = _any_event(instance, position, random)
        except EvaluationError:  # listing stumbles over what one event would ask
            return
        if event is None:
            return
        try:
            happened = apply(instance, position, event)
        except EvaluationError as error:
            yield event, error
            return
        yield event, happened
        position = happened[-1].after


def _any_event(instance: Instance, position: Position, random: Random) -> Event | None:
    moves = list(legal_moves(instance, position))
    return random.choice(moves) if moves else draw(instance, position, random)


def _meets(instance: Instance, target: Sought, happened: list[Happened] | EvaluationError) -> bool:
    if isinstance(happened, EvaluationError):
        return target.stops(happened)
    return any(target.met(instance, each.before, each.after) for each in happened)


def stuck_at_random(
    instance: Instance, target: Sought, seconds: float, seed: int = 0
) -> list[Game]:
    """A game found stuck by playing the compiled game at random, which goes far in little time."""
    random = Random(seed)
    until = perf_counter() + seconds
    machine = Machine(instance)
    for _ in range(MOST_GAMES):
        if perf_counter() > until:
            break
        state = machine.begin(random)
        start = machine.position(state)
        events: list[Event] = []
        try:
            while perf_counter() < until and not machine.is_final(state):
                happening = machine.choose(state, random)
                if happening is None:
                    game = replay(instance, target, start, events)
                    return [game] if game is not None else []
                machine.apply(state, happening)
                events.append(machine.decode(happening))
        except EvaluationError:  # `safe` tells of it
            continue
    return []


def shortened(instance: Instance, target: Sought, game: Game, seconds: float) -> Game:
    """The game with events left out, first many at a time, as long as there is time."""
    until = perf_counter() + seconds
    size = max(1, len(game.events) // 2)
    while size:
        at = len(game.events) - size
        while at >= 0 and perf_counter() < until:
            shorter = (*game.events[:at], *game.events[at + size :])
            found = replay(instance, target, dict(game.start), shorter)
            if found is not None and len(found.events) < len(game.events):
                game = found
            at = min(at - 1, len(game.events) - size)
        size //= 2
    return game
