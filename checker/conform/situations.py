"""Positions and events in which a single requirement decides: the raw material of test vectors.

They come from random games, from the worked examples, and from positions that are made up of those
of games. An event is telling if it is legal, or if just one requirement refuses it: then a mistake
in that requirement shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, product
from math import prod
from random import Random

from checker.conform.candidates import near_miss
from checker.conform.games import MOST_EVENTS, WHIMS, source
from checker.conform.made_up import made_up
from checker.conform.rearranged import both
from checker.conform.referee import Referee
from checker.meaning import core as c
from checker.play.compile.layout import State
from checker.play.compiled import Happening
from checker.play.errors import EvaluationError
from checker.play.event import Event
from checker.play.values import Position
from checker.syntax.node import Node

GAMES = 12
LONGEST = 120
"""Events of a game that are looked at."""
ROUNDS = 2
ROUND = 12
"""From a position of an example, so many times so many events."""
CANDIDATES = 8
CHANGED = 3
"""So many positions are made up of each."""
EXHAUSTIVE = 0.25
"""How often all moves of a position are gone through, where they are few."""
FEW = 800
KEPT = 150
"""Situations of each kind that are kept; the smallest ones."""


PLAYED, TRIED, SHOWN, MADE_UP, SOLVED = range(5)


class Situation(Node):
    """An event in a position: legal (`refused_by` is None), or refused by one requirement, named
    by its number. `game` leads there from `begin`; None where no game is known. `origin` is
    PLAYED, TRIED (by an example), SHOWN (it follows from a position of an example), MADE_UP or
    SOLVED (by a solver)."""

    referee: Referee
    state: tuple[object, ...]
    event: Happening
    refused_by: int | None
    done: object
    """Of a legal event, the notes of what it carries out."""
    begin: tuple[object, ...] | None
    game: tuple[Happening, ...] | None
    origin: int

    @property
    def size(self) -> tuple[int, int, int]:
        """Small ones are easy to read and quick to reach; made-up ones come last."""
        length = len(self.game) if self.game is not None else 0
        return (self.origin, self.referee.setup.players, length)

    @property
    def transition(self) -> c.Transition:
        return self.referee.instance.spec.transitions[self.event[0]]

    def position(self) -> Position:
        return self.referee.position(list(self.state))

    def as_event(self) -> Event:
        return self.referee.event(self.event)


class Collection:
    """Situations by what they are good for."""

    def __init__(self) -> None:
        self.legal: dict[str, list[Situation]] = {}
        self.refused: dict[tuple[str, int], list[Situation]] = {}
        self._kinds: dict[object, int] = {}

    def add(self, found: Situation) -> None:
        """Keeps a situation if there are not too many of its kind."""
        name = found.transition.name
        kind = (name, found.refused_by, found.done, found.origin, found.referee.setup)
        if self._kinds.get(kind, 0) >= KEPT:
            return
        self._kinds[kind] = self._kinds.get(kind, 0) + 1
        if found.refused_by is None:
            self.legal.setdefault(name, []).append(found)
        else:
            self.refused.setdefault((name, found.refused_by), []).append(found)

    def sort(self) -> None:
        """The smallest first."""
        for each in (*self.legal.values(), *self.refused.values()):
            each.sort(key=lambda one: one.size)


def collect(referee: Referee, seed: int, into: Collection, games: int = GAMES) -> None:
    """Adds the telling situations of some random games."""
    for number in range(games):
        chosen = seed, "vectors", referee.setup.described(), number
        random = source(*chosen)
        begin = referee.begin(random)
        late = number % 2 == 1  # how a game ends matters as much as how it begins
        most = MOST_EVENTS if late else LONGEST
        game = [each for _, each in play_on(referee, begin[:], random, number % 3 == 2, most)]
        skipped = max(len(game) - LONGEST, 0)
        again = islice(_played_again(referee, state := begin[:], game), skipped, None)
        _look(referee, state, begin, again, source(*chosen, "look"), into)


def collect_from(referee: Referee, state: State, seed: int, into: Collection) -> None:
    """Adds the telling situations of a position that somebody made up, and of what follows."""
    for number in range(ROUNDS):
        random = source(seed, "vectors", referee.setup.described(), repr(state), number)
        here = state[:]
        game = play_on(referee, here, random, number % 2 == 1, ROUND)
        _look(referee, here, None, (played for played, _ in game), random, into)


def collect_tried(
    referee: Referee, state: State, events: Sequence[Happening], seed: int, into: Collection
) -> None:
    """Adds what an example tries in a position and what else could be tried there, and in a few
    positions that are made up of it."""
    for found in _alone(referee, state, events):
        into.add(situation_of(referee, state, *found, None, None, TRIED))
    for found in _alone(referee, state, _every(referee, state)):
        into.add(situation_of(referee, state, *found, None, None, SHOWN))
    random = source(seed, "tried", referee.setup.described(), repr(state))
    for changed in _made_up(referee, state, random):
        for found in _alone(referee, changed, chain(events, _every(referee, changed))):
            into.add(situation_of(referee, changed, *found, None, None, MADE_UP))


def _played_again(
    referee: Referee, state: State, game: Sequence[Happening]
) -> Iterator[tuple[Happening, ...]]:
    """Plays a game once more, and says in each position what has happened so far."""
    for at, event in enumerate(game):
        yield tuple(game[:at])
        referee.take(state, event)


def _look(
    referee: Referee,
    state: State,
    begin: State | None,
    game: Iterable[tuple[Happening, ...]],
    random: Random,
    into: Collection,
) -> None:
    """Follows a game that is played from a state, and looks around in every position."""
    for played in game:
        for found in _telling(referee, state, random):
            origin = SHOWN if begin is None else PLAYED
            known = None if begin is None else played
            into.add(situation_of(referee, state, *found, begin, known, origin))
        for changed in _made_up(referee, state, random):
            for found in _telling(referee, changed, random):
                into.add(situation_of(referee, changed, *found, None, None, MADE_UP))


def _made_up(referee: Referee, state: State, random: Random) -> Iterator[State]:
    """Positions that are made up of one."""
    for _ in range(CHANGED):
        changed = made_up(referee, state, random)
        if changed is not None:
            yield changed


def play_on(
    referee: Referee, state: State, random: Random, whim: bool, most: int
) -> Iterator[tuple[tuple[Happening, ...], Happening]]:
    """Plays on, and says in each position what has happened so far and what happens next."""
    played: list[Happening] = []
    weights = [random.choice(WHIMS) for _ in referee.instance.spec.transitions]
    while len(played) < most:
        event = referee.machine.choose(state, random)
        for _ in range(4 if whim else 0):
            if event is None or random.random() < weights[event[0]]:
                break
            event = referee.machine.choose(state, random)
        if event is None:
            return
        yield tuple(played), event
        referee.take(state, event)
        played.append(event)


def _telling(
    referee: Referee, state: State, random: Random
) -> Iterator[tuple[Happening, int | None]]:
    """Events of a state that are legal, or that one requirement alone refuses."""
    candidates: Iterable[object] = _at_random(referee, state, random)
    if random.random() < EXHAUSTIVE:
        candidates = chain(candidates, _every(referee, state))
    yield from _alone(referee, state, candidates)


def _alone(
    referee: Referee, state: State, candidates: Iterable[object]
) -> Iterator[tuple[Happening, int | None]]:
    """Those that are legal, or that one requirement alone refuses."""
    seen: set[str] = set()
    for each in candidates:
        if not isinstance(each, tuple) or repr(each) in seen:
            continue
        seen.add(repr(each))
        try:
            broken = referee.broken(state, each)
        except EvaluationError:
            continue
        if len(broken) <= 1:
            yield each, broken[0] if broken else None


def _at_random(referee: Referee, state: State, random: Random) -> Iterator[object]:
    before: Happening | None = None
    for _ in range(CANDIDATES):
        event = referee.machine.choose(state, random)
        if event is None:
            break
        yield event
        yield near_miss(referee, state, event, random)
        if before is not None:
            yield both(referee, state, before, event)
        before = event
    yield _of_another_phase(referee, state, random)


def _of_another_phase(referee: Referee, state: State, random: Random) -> Happening | None:
    """Something that could happen now if only it were another phase."""
    elsewhere = state[:]
    elsewhere[0] = random.randrange(len(referee.instance.spec.phases))
    try:
        return referee.machine.choose(elsewhere, random)
    except (EvaluationError, IndexError, KeyError):
        return None


def _every(referee: Referee, state: State) -> Iterator[Happening]:
    """Every event of the present phase with every choice of arguments, where they are few."""
    layout = referee.machine.layout
    phase = referee.instance.spec.phases[state[0]].name
    for number, transition in enumerate(referee.instance.spec.transitions):
        if transition.kind == "step" or phase not in transition.phases:
            continue
        sizes = [layout.size(param.type) for param in transition.params]
        if None in sizes or prod(each or 0 for each in sizes) > FEW:
            continue
        values = [layout.values(param.type) for param in transition.params]
        players = range(1, referee.setup.players + 1)
        for player in players if transition.kind == "move" else (None,):
            yield from ((number, player, *given) for given in product(*values))


def situation_of(
    referee: Referee,
    state: State,
    event: Happening,
    refused_by: int | None,
    begin: State | None,
    game: tuple[Happening, ...] | None,
    origin: int,
) -> Situation:
    """An event in a state, and what it carries out."""
    done: object = None
    if refused_by is None:
        done = referee.take(state[:], event)
    first = None if begin is None else tuple(begin)
    return Situation(referee, tuple(state), event, refused_by, done, first, game, origin)
