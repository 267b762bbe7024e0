"""Random games, played by spec and engine side by side.

Each game has a random source of its own, made from the seed and the game's number, so that any
game can be played again alone. In every other game the kinds of moves are chosen as a whim of the
game has it, so that moves which chance makes rare come often for once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from checker.conform.candidates import near_miss
from checker.conform.side_by_side import Pair
from checker.play.compile.layout import State
from checker.play.compiled import Happening

PROBES = 0.5
"""How often a near miss is tried before an event."""
LISTINGS = 0.1
"""How often the lists of legal moves are compared."""
MOST_EVENTS = 2_000
CUT_SHORT = 300
"""Events after which two of three games are broken off: how a long game goes on is much the same
for long, and more games see more beginnings."""
WHOLE = 1 / 3
WHIMS = (0.1, 1.0, 1.0, 8.0)


def source(seed: int, *parts: object) -> Random:
    """A random source for one part of a run."""
    return Random(f"{seed}/{'/'.join(map(str, parts))}")


def length(seed: int, number: int) -> int:
    """How many events a game may have."""
    return MOST_EVENTS if source(seed, number, "length").random() < WHOLE else CUT_SHORT


def random_game(
    pair: Pair, random: Random, whim: bool = False, most: int = MOST_EVENTS
) -> Iterator[Happening]:
    """Plays a game to its end, event by event; raises where spec and engine part."""
    pair.begin(pair.referee.begin(random))
    yield from random_play(pair, random, whim, most)


def random_play(
    pair: Pair, random: Random, whim: bool = False, most: int = MOST_EVENTS
) -> Iterator[Happening]:
    """Goes on with a game at random, for so many events at most."""
    referee, state, play = pair.referee, pair.state, pair.play
    choose = _choose_on_a_whim(pair, random) if whim else referee.machine.choose
    chance = random.random
    for _ in range(most):
        event = choose(state, random)
        if event is None:
            break
        if chance() < PROBES:
            candidate = near_miss(referee, state, event, random)
            if candidate is not None:
                pair.try_event(candidate)
        play(event)
        if chance() < LISTINGS:
            pair.compare_legal()
        yield event
    pair.compare_scores()


def exhaust(events: Iterable[Happening]) -> int:
    """Plays a game that is given out event by event; says how long it was."""
    return sum(1 for _ in events)


def _choose_on_a_whim(pair: Pair, random: Random) -> Any:
    """Chooses moves by weights of their kinds, which are drawn once for the game."""
    referee = pair.referee
    weights = [random.choice(WHIMS) for _ in referee.instance.spec.transitions]

    def choose(state: State, source: Random) -> Happening | None:
        if not referee.lists_all(state):
            return referee.machine.choose(state, source)
        moves = referee.machine.legal(state)
        if not moves:
            return referee.machine.choose(state, source)
        kinds = {move[0]: weights[move[0]] for move in moves}
        kind = source.choices(list(kinds), list(kinds.values()))[0]
        return source.choice([move for move in moves if move[0] == kind])

    return choose
