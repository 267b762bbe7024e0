"""Games in which a mistake shows later, by something that the engine does say.

An engine need not report all variables. A mistake that comes out only in one that it keeps to
itself is not seen in the vector that shows it; but rules read what others write, so that sooner or
later another move is allowed, or something is wrong that the engine reports. Spec and mutant play
on together, at random, until they part in that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, TypeAlias

from rulewright.conform.engine.protocol import Json
from rulewright.conform.mutation.mutants import Mutant
from rulewright.conform.oracle.configurations import Oracles
from rulewright.conform.oracle.oracle import Oracle
from rulewright.conform.stages.examples import examples, tried
from rulewright.conform.stages.lockstep import EngineGame
from rulewright.conform.vectors.directed_games import play_towards
from rulewright.conform.vectors.fewer_players import seated
from rulewright.play.io.json_codec import decode_position
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.instance import Instance
from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State
from rulewright.wasm.runtime.queries import LimitError

WALKS = 8
LONGEST = 12
"""So many times spec and mutant play on from a position, for so many events at most."""
MOST_LINES = 120
"""Other vectors from which they do."""
MOST_DIRECTED, MOST_POSITIONS = 3, 150_000
"""Positions that are played towards, and how far."""
Parting: TypeAlias = "tuple[list[Happening], Happening | None]"
"""What is played until two part, and an event that only one of them allows; none if what they say
of their state is enough."""
Story: TypeAlias = "tuple[State, Sequence[Happening]]"
"""A position, and what is tried from there on; what is not legal is not."""


class LaterGames:
    """Looks for games in which a mutant shows by what an engine says: whether it takes an event,
    the variables that it reports, and the results if it is asked for them."""

    def __init__(self, oracle: Oracle, mutant: Mutant, seen: Collection[str], scored: bool) -> None:
        self._oracle = oracle
        instance = Instance(mutant.spec, oracle.setup.players, dict(oracle.setup.readings))
        self._wrong = CompiledGame(instance)
        self._seen = [name for name in oracle.instance.variables if name in seen]
        self._results = ("score", "wins") if scored else ()

    def find(
        self,
        lines: Sequence[Mapping[str, Any]],
        stories: Sequence[Story],
        random: Random,
        load: bool,
    ) -> EngineGame | None:
        """A game in which the mutant shows. It is one of these stories, which examples tell, or
        goes on from one of these vectors, the first of which shows the mutant; if no game is known
        to a position from which that goes, one is played towards it."""
        oracle = self._oracle
        first = oracle.parse(lines[0]["event"]) if lines else None
        elsewhere: list[tuple[State, Parting]] = []
        for state, events in stories:
            try:
                found = self._walk(state, events)
            except (EvaluationError, LimitError):
                continue
            if found is None:
                continue
            told = EngineGame(oracle, state, True, tuple(found[0]), found[1])
            if load and _is_in_turn(told):
                return told
            elsewhere.append((state, found))
        if elsewhere:  # what an example tells is near what is easily got wrong
            elsewhere.sort(key=lambda each: len(each[1][0]))
            reached = self._played_towards(elsewhere[:MOST_DIRECTED], random)
            if reached is not None:
                return reached
            elsewhere = []
        for line in (*lines[:1], *random.sample(lines[1:], min(MOST_LINES, len(lines[1:])))):
            state = oracle.state(decode_position(line["position"], oracle.instance))
            found = self._parting(state, first if line is lines[0] else None, random)
            if found is None:
                continue
            begin, events = _way_to(oracle, line, load)
            if begin is not None:
                game = EngineGame(oracle, begin, load, (*events, *found[0]), found[1])
                if _is_in_turn(game):
                    return game
                continue
            elsewhere.append((state, found))
        return self._played_towards(elsewhere[:MOST_DIRECTED], random)

    def _played_towards(
        self, elsewhere: Sequence[tuple[State, Parting]], random: Random
    ) -> EngineGame | None:
        """A game towards one of these states in which spec and mutant part in the same way."""
        oracle = self._oracle
        for state, parting in elsewhere:
            reached = play_towards(
                oracle, state, partial(self._parts_so, parting), random, MOST_POSITIONS
            )
            if reached.state is not None:
                played, last = parting
                events = [*reached.events, *played]
                game = EngineGame(oracle, reached.begin, False, tuple(events), last)
                if _is_in_turn(game):
                    return game
        return None

    def _parting(self, state: State, first: Happening | None, random: Random) -> Parting | None:
        """How spec and mutant part that begin in a state, if they do so soon."""
        for _ in range(WALKS):
            try:
                event = first or self._oracle.choose(state, random)
                found = self._walk(state, [] if event is None else [event], random)
            except (EvaluationError, LimitError):
                continue
            if found is not None:
                return found
        return None

    def _parts_so(self, parting: Parting, state: State) -> bool:
        """Whether spec and mutant part in just this way from another state."""
        oracle, wrong = self._oracle, self._wrong
        played, last = parting
        try:
            other: State | None = wrong.load(oracle.position(state))
            for number, event in enumerate(played):
                now = oracle.machine.tried(state, event)
                other = None if other is None else wrong.tried(other, event)
                if now is None or other is None:
                    return False
                state = oracle.with_clean_notes(now)
                if self._is_seen(state, other):
                    return last is None and number == len(played) - 1
            if last is None or other is None:
                return False
            return oracle.allows(state, last) != wrong.allows(other, last)
        except (EvaluationError, LimitError):
            return False

    def _walk(
        self, state: State, first: Sequence[Happening], random: Random | None = None
    ) -> Parting | None:
        """Plays from a state, beginning with some events, and then on at random if it may: what is
        played until the two part, and an event that only one of them allows. What both refuse
        changes nothing."""
        oracle, wrong, right = self._oracle, self._wrong, self._oracle.machine
        other = wrong.load(oracle.position(state))
        played: list[Happening] = []
        due = list(first)[::-1]
        while due and len(played) < LONGEST:
            event = due.pop()
            after, allowed = wrong.tried(other, event), right.allows(state, event)
            if allowed != (after is not None):
                return played, event
            if after is None:
                continue
            state, _ = oracle.take(state, event)
            other = after
            played.append(event)
            if self._is_seen(state, other):
                return played, None
            if oracle.lists_all(state) and not right.is_final(state):
                listed, taken = right.legal(state), wrong.legal(other)
                known = set(taken)
                parting = [each for each in listed if each not in known]
                known = set(listed)
                parting += [each for each in taken if each not in known]
                if parting:
                    return played, parting[0]
            if not due and random is not None:
                due = [each for each in (oracle.choose(state, random),) if each is not None]
        return None

    def _is_seen(self, state: State, other: State) -> bool:
        """Whether the engine would say something else of one state than of the other."""
        right, wrong = self._oracle.machine, self._wrong
        if any(
            right.portable.part(state, name) != wrong.portable.part(other, name)
            for name in self._seen
        ):
            return True
        results = self._results if right.is_final(state) else self._results[:1]
        return any(right.of_players(n, state) != wrong.of_players(n, other) for n in results)


def stories_of(oracles: Oracles, oracle: Oracle) -> list[Story]:
    """What the worked examples tell from each of their positions on, in a set-up of as many
    players as they have or fewer, the ends of examples first."""
    found: list[Story] = []
    for example, setup in examples(oracles):
        if setup.variant != oracle.setup.variant or setup.players < oracle.setup.players:
            continue
        own = oracles.oracle(setup)
        told = list(tried(example, own))
        events: list[dict[str, Json]] = []
        for state, here in reversed(told):
            events = [*map(own.event_json, here), *events]
            for begin, kept in seated(own.state_json(state), events, setup.players, oracle):
                found.append((begin, [each for each in kept if each is not None]))
    return found


def _is_in_turn(game: EngineGame) -> bool:
    """Whether players answer in the order in which the engine asks them."""
    oracle, state = game.oracle, game.begin
    if oracle.order is None:
        return True
    for event in game.events:
        if not oracle.order.is_in_turn(state, event):
            return False
        state, _ = oracle.take(state, event)
    last = game.last
    return (
        not isinstance(last, tuple)
        or not oracle.allows(state, last)
        or oracle.order.is_in_turn(state, last)
    )


def _way_to(
    oracle: Oracle, line: Mapping[str, Any], load: bool
) -> tuple[State | None, list[Happening]]:
    """Where a vector's game begins, and its events; None if none is known."""
    if load:
        return oracle.state(decode_position(line["position"], oracle.instance)), []
    if line["game"] is None:
        return None, []
    start = {name: line["setup"][name] for name in line["setup"]
             if name in oracle.instance.variables}  # fmt: skip
    first = oracle.position(oracle.begin())
    begin = oracle.state(decode_position(start, oracle.instance, first))
    return begin, [event for each in line["game"] if (event := oracle.parse(each)) is not None]
