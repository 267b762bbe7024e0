"""Random games, played by spec and engine side by side.

Each game has a random source of its own, made from the seed and the game's number, so that any
game can be played again alone. In every other game the kinds of moves are chosen as a whim of the
game has it, so that moves which chance makes rare come often for once. Short games try near misses
and compare lists and scores as often as they go on, so that what is wrong early shows soon.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random

from rulewright.conform.inputs.near_misses import beyond_range, near_miss
from rulewright.conform.stages.lockstep import EngineLockstep
from rulewright.simulate.compiled.compiled_game import Happening, State

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
BEYOND, MOST_BEYOND = 12, 400
"""Moves with a number beyond its range that are tried at once, and that they are chosen from."""
SHORT_GAMES = 15
SHORT = 25
"""What is done in a short game: an event, a near miss or a comparison each."""


def source(seed: int, *parts: object) -> Random:
    """A random source for one part of a run."""
    return Random(f"{seed}/{'/'.join(map(str, parts))}")


def length(seed: int, number: int) -> int:
    """How many events a game may have."""
    return MOST_EVENTS if source(seed, number, "length").random() < WHOLE else CUT_SHORT


def random_game(
    pair: EngineLockstep, random: Random, whim: bool = False, most: int = MOST_EVENTS
) -> Iterator[Happening]:
    """Plays a game to its end, event by event; raises where spec and engine part."""
    pair.begin(pair.oracle.begin(random))
    yield from random_play(pair, random, whim, most)


def random_play(
    pair: EngineLockstep, random: Random, whim: bool = False, most: int = MOST_EVENTS
) -> Iterator[Happening]:
    """Goes on with a game at random, for so many events at most."""
    oracle, attempt, chance = pair.oracle, pair.attempt, random.random
    played = _on_a_whim(pair, random, most) if whim else oracle.play(pair.state, random, most)
    for event, now in played:
        if chance() < PROBES:
            candidate = near_miss(oracle, pair.state, event, random)
            if candidate is not None:
                attempt(pair.try_event, candidate)
        attempt(pair.accept, event, now)
        if chance() < LISTINGS:
            attempt(pair.compare_legal)
        yield event
    attempt(pair.compare_scores)


def short_game(pair: EngineLockstep, random: Random) -> None:
    """Plays the beginning of a game and looks at it from all sides."""
    oracle = pair.oracle
    pair.begin(oracle.begin(random))
    for _ in range(SHORT):
        what = random.randrange(4)
        if what == 0:
            pair.compare_legal()
            pair.compare_scores()
            continue
        if what == 3:
            _try_beyond(pair, random)
            continue
        event = oracle.choose(pair.state, random)
        if event is None:
            continue
        if what == 1:
            pair.play(event)
        elif (candidate := near_miss(oracle, pair.state, event, random)) is not None:
            pair.try_event(candidate)


def _try_beyond(pair: EngineLockstep, random: Random) -> None:
    """Tries moves with a number beyond its range, some of all that there are."""
    beyond = list(islice(beyond_range(pair.oracle, pair.state), MOST_BEYOND))
    for nonsense in random.sample(beyond, min(BEYOND, len(beyond))):
        pair.probe_nonsense(nonsense)


def exhaust(events: Iterable[Happening]) -> int:
    """Plays a game that is given out event by event; says how long it was."""
    return sum(1 for _ in events)


def _on_a_whim(
    pair: EngineLockstep, random: Random, most: int
) -> Iterator[tuple[Happening, State]]:
    """A game in which moves are chosen by weights of their kinds, which are drawn once for it."""
    oracle = pair.oracle
    weights = [random.choice(WHIMS) for _ in oracle.instance.spec.transitions]

    def choose(state: State, source: Random) -> Happening | None:
        if not oracle.lists_all(state):
            return oracle.choose(state, source)
        moves = oracle.machine.legal(state)
        if not moves:
            return oracle.choose(state, source)
        if oracle.order is not None and (seat := oracle.order.waiting(state, moves)) is not None:
            moves = [move for move in moves if move[1] == seat]
        kinds = {move[0]: weights[move[0]] for move in moves}
        kind = source.choices(list(kinds), list(kinds.values()))[0]
        return source.choice([move for move in moves if move[0] == kind])

    for _ in range(most):
        state = pair.state
        event = choose(state, random)
        if event is None:
            return
        yield event, oracle.machine.apply(state, event)
