"""Positions and events in which a single requirement decides: the raw material of test vectors.

They come from random games, from the worked examples, and from positions that are made up of those
of games. An event is telling if it is legal, or if just one requirement refuses it: then a mistake
in that requirement shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, product
from math import prod
from random import Random

from rulewright.conform.inputs.board_changes import both
from rulewright.conform.inputs.near_misses import arguments, near_miss
from rulewright.conform.inputs.perturbed_states import perturbed_states
from rulewright.conform.oracle.oracle import Oracle
from rulewright.conform.stages.random_games import MOST_EVENTS, WHIMS, source
from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.values import Position
from rulewright.simulate.compiled.compiled_game import Happening, State
from rulewright.syntax.node import Node

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

    oracle: Oracle
    state: State
    event: Happening
    refused_by: int | None
    done: bytes | None
    """Of a legal event, the notes of what it carries out."""
    begin: State | None
    game: tuple[Happening, ...] | None
    origin: int

    @property
    def size(self) -> tuple[int, int, int]:
        """Small ones are easy to read and quick to reach; made-up ones come last."""
        length = len(self.game) if self.game is not None else 0
        return (self.origin, self.oracle.setup.players, length)

    @property
    def transition(self) -> c.Transition:
        return self.oracle.instance.spec.transitions[self.event[0]]

    def position(self) -> Position:
        return self.oracle.position(self.state)

    def as_event(self) -> Event:
        return self.oracle.event(self.event)


class SituationPool:
    """Situations by what they are good for."""

    def __init__(self) -> None:
        self.legal: dict[str, list[Situation]] = {}
        self.refused: dict[tuple[str, int], list[Situation]] = {}
        self._kinds: dict[object, int] = {}

    def add(self, found: Situation | None) -> None:
        """Keeps a situation if there are not too many of its kind."""
        if found is None:
            return
        name = found.transition.name
        kind = (name, found.refused_by, found.done, found.origin, found.oracle.setup)
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


def collect(oracle: Oracle, seed: int, into: SituationPool, games: int = GAMES) -> None:
    """Adds the telling situations of some random games."""
    for number in range(games):
        chosen = seed, "vectors", oracle.setup.described(), number
        random = source(*chosen)
        begin = oracle.begin(random)
        late = number % 2 == 1  # how a game ends matters as much as how it begins
        most = MOST_EVENTS if late else LONGEST
        game = list(play_on(oracle, begin, random, number % 3 == 2, most))
        last = game[max(len(game) - LONGEST, 0) :]
        places = ((state, played) for state, played, _ in last)
        _look(oracle, begin, places, source(*chosen, "look"), into)


def collect_from(oracle: Oracle, state: State, seed: int, into: SituationPool) -> None:
    """Adds the telling situations of a position that somebody made up, and of what follows."""
    for number in range(ROUNDS):
        random = source(seed, "vectors", oracle.setup.described(), repr(state), number)
        game = play_on(oracle, state, random, number % 2 == 1, ROUND)
        _look(oracle, None, ((here, played) for here, played, _ in game), random, into)


def collect_tried(
    oracle: Oracle, state: State, events: Sequence[Happening], seed: int, into: SituationPool
) -> None:
    """Adds what an example tries in a position and what else could be tried there, and in a few
    positions that are made up of it."""
    for found in _alone(oracle, state, events):
        into.add(situation_of(oracle, state, *found, None, None, TRIED))
    for found in _alone(oracle, state, _every(oracle, state)):
        into.add(situation_of(oracle, state, *found, None, None, SHOWN))
    random = source(seed, "tried", oracle.setup.described(), repr(state))
    for changed in _made_up(oracle, state, random):
        for found in _alone(oracle, changed, chain(events, _every(oracle, changed))):
            into.add(situation_of(oracle, changed, *found, None, None, MADE_UP))


def _look(
    oracle: Oracle,
    begin: State | None,
    game: Iterable[tuple[State, tuple[Happening, ...]]],
    random: Random,
    into: SituationPool,
) -> None:
    """Looks around in every position of a game, each of which comes with what led there."""
    for state, played in game:
        for found in _telling(oracle, state, random):
            origin = SHOWN if begin is None else PLAYED
            known = None if begin is None else played
            into.add(situation_of(oracle, state, *found, begin, known, origin))
        for changed in _made_up(oracle, state, random):
            for found in _telling(oracle, changed, random):
                into.add(situation_of(oracle, changed, *found, None, None, MADE_UP))


def _made_up(oracle: Oracle, state: State, random: Random) -> Iterator[State]:
    """Positions that are made up of one."""
    for _ in range(CHANGED):
        changed = perturbed_states(oracle, state, random)
        if changed is not None:
            yield changed


def play_on(
    oracle: Oracle, state: State, random: Random, whim: bool, most: int
) -> Iterator[tuple[State, tuple[Happening, ...], Happening]]:
    """Plays on, and says of each position what has happened so far and what happens next."""
    played: list[Happening] = []
    weights = [random.choice(WHIMS) for _ in oracle.instance.spec.transitions]
    while len(played) < most:
        event = oracle.machine.choose(state, random)
        for _ in range(4 if whim else 0):
            if event is None or random.random() < weights[event[0]]:
                break
            event = oracle.machine.choose(state, random)
        if event is None:
            return
        yield state, tuple(played), event
        try:
            state, _ = oracle.take(state, event)
        except EvaluationError:  # a hole in the rules: `prove` and `run` report it
            return
        played.append(event)


def _telling(
    oracle: Oracle, state: State, random: Random
) -> Iterator[tuple[Happening, int | None]]:
    """Events of a state that are legal, or that one requirement alone refuses."""
    candidates: Iterable[object] = _at_random(oracle, state, random)
    if random.random() < EXHAUSTIVE:
        candidates = chain(candidates, _every(oracle, state))
    yield from _alone(oracle, state, candidates)


def _alone(
    oracle: Oracle, state: State, candidates: Iterable[object]
) -> Iterator[tuple[Happening, int | None]]:
    """Those that are legal, or that one requirement alone refuses."""
    seen: set[str] = set()
    for each in candidates:
        if not isinstance(each, tuple) or repr(each) in seen:
            continue
        seen.add(repr(each))
        try:
            broken = oracle.broken(state, each)
        except EvaluationError:
            continue
        if len(broken) <= 1:
            yield each, broken[0] if broken else None


def _at_random(oracle: Oracle, state: State, random: Random) -> Iterator[object]:
    before: Happening | None = None
    for _ in range(CANDIDATES):
        event = oracle.machine.choose(state, random)
        if event is None:
            break
        yield event
        yield near_miss(oracle, state, event, random)
        if before is not None:
            yield both(oracle, state, before, event)
        before = event
    yield _of_another_phase(oracle, state, random)


def _of_another_phase(oracle: Oracle, state: State, random: Random) -> Happening | None:
    """Something that could happen now if only it were another phase."""
    phase = random.randrange(len(oracle.instance.spec.phases))
    elsewhere = oracle.machine.in_phase(state, phase)
    try:
        return oracle.machine.choose(elsewhere, random)
    except (EvaluationError, IndexError, KeyError):
        return None


def _every(oracle: Oracle, state: State) -> Iterator[Happening]:
    """Every event of the present phase with every choice of arguments, where they are few."""
    phase = oracle.instance.spec.phases[oracle.machine.phase(state)].name
    for number, transition in enumerate(oracle.instance.spec.transitions):
        if transition.kind == "step" or phase not in transition.phases:
            continue
        values = [arguments(param.type, oracle.machine.portable) for param in transition.params]
        if not all(values) or prod(map(len, values)) > FEW:
            continue
        players = range(1, oracle.setup.players + 1)
        for player in players if transition.kind == "move" else (None,):
            yield from ((number, player, *given) for given in product(*values))


def situation_of(
    oracle: Oracle,
    state: State,
    event: Happening,
    refused_by: int | None,
    begin: State | None,
    game: tuple[Happening, ...] | None,
    origin: int,
) -> Situation | None:
    """An event in a state, and what it carries out; None where the rules have no answer to it, as
    can be in positions that are made up."""
    try:
        done = oracle.take(state, event)[1] if refused_by is None else None
    except EvaluationError:
        return None
    return Situation(oracle, state, event, refused_by, done, begin, game, origin)
