"""Watched random games: checked after every transition, with everything counted.

The invariants and `always` properties of the spec are checked. Before every event a few near misses
are tried: the same event with its mover or some arguments changed. A requirement that alone refuses
one has decided something. Games run inside the module, many in one call. A game with a listener
runs event by event. A game that the module cannot play runs with the help of the evaluator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from time import perf_counter
from typing import TypeAlias

from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import Position
from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State
from rulewright.simulate.compiled.modules import made
from rulewright.simulate.near_misses import near_miss
from rulewright.simulate.search.playthrough import LONG, SEEN, Observer, Playthrough
from rulewright.simulate.search.policies import uniform
from rulewright.syntax.node import NOWHERE, Node, Span, replace
from rulewright.wasm.assembler.instructions import Unsupported
from rulewright.wasm.moves.near_misses import MISSES
from rulewright.wasm.runtime.game_results import GameStatistics
from rulewright.wasm.runtime.queries import LimitError
from rulewright.wasm.runtime.wasm_game import WasmGame
from rulewright.wasm.simulate.random_play import BATCH, BROKEN, FINISHED, STUCK

LONGEST = 100_000
"""Events; a game that goes on longer is given up."""
MOMENT = 0.1
"""Seconds that one call should take, so that somebody who waits can be told and can end it; what
comes of the games does not depend on it."""

Listener: TypeAlias = "Callable[[Event | None, Callable[[], Position]], None]"
"""Told of each event and the position after it, first (with no event) of the beginning."""


class GameFault(Node):
    """Something that must not happen in a game: what, where in the spec, after which event."""

    kind: str
    """invariant, always, error, stuck or endless."""
    message: str
    span: Span
    events: int


class GameOutcome(Node):
    """How one game went."""

    events: int
    fault: GameFault | None
    scores: dict[int, int] | None
    winners: list[int] | None


class EventCounts:
    """What happened in games: events by name, those that were proposed by what proposed them,
    requirements by how often they decided alone."""

    def __init__(self, instance: Instance) -> None:
        self.events: Counter[str] = Counter()
        self.proposed: Counter[str] = Counter()
        self.decided: Counter[str] = Counter()
        for transition in instance.spec.transitions:
            if transition.kind != "step":
                self.events[transition.name] += 0
                for proposal in transition.proposals:
                    self.proposed[f"{transition.name}.{proposal.name}"] += 0
                for requirement in transition.requirements[1:]:  # not that of the phase
                    self.decided[requirement.label] += 0

    def add(self, played: GameStatistics) -> None:
        """Adds what was counted in some games."""
        for name, counts in played.counts.items():
            mine: Counter[str] = getattr(self, name)
            for key, many in counts.items():
                if key in mine:
                    mine[key] += many


class WatchedGames:
    """Plays watched games of an instance and counts what happens in them; unless they are
    `checked`, only that, and nothing of what the spec claims is looked at."""

    def __init__(self, instance: Instance, checked: bool = True) -> None:
        if not checked:
            spec = replace(instance.spec, properties=())
            instance = Instance(spec, instance.players, instance.readings)
        self.instance = instance
        self.counts = EventCounts(instance)
        self.game = made(lambda: WasmGame(instance, watched=checked, parts=frozenset(("play",))))
        names = {each.name for each in instance.spec.functions}
        self._scored, self._won = "score" in names, "wins" in names

    def play(
        self, games: int, seed: int, longest: int = LONGEST, first: int = 1
    ) -> Iterator[GameOutcome]:
        """So many games, numbered from the first on."""
        done, batch = 0, 1
        while done < games:
            began = perf_counter()
            some = min(batch, games - done)
            played = self.game.some(some, seed, first + done, longest)
            self.counts.add(played)
            yield from self._outcomes(played, seed, first + done, longest)
            done += played.games
            if played.wrong is not None:
                done += 1
                yield self._wrong(played, seed, longest)
            if batch < BATCH and perf_counter() - began < MOMENT:
                batch *= 2

    def listen(
        self, number: int, seed: int, heard: Listener, longest: int = LONGEST
    ) -> GameOutcome:
        """The game with a number, event by event."""
        game, portable = self.game, self.game.portable
        before = game.counters()
        game.start(seed, number)
        heard(None, lambda: game.position)
        played = GameStatistics(self.instance)
        events, ended = 0, None
        try:
            while ended is None and events < longest:
                ended = game.advance()
                if game.moved_on:
                    events += 1
                    if ended != BROKEN:
                        heard(portable.decode(game.chosen), lambda: game.position)
        except (EvaluationError, Unsupported, LimitError) as error:
            played.error, played.wrong = error, (number, events + game.moved_on)
        if ended == BROKEN:
            played.broken, played.wrong = game.found, (number, events)
        game.count(played, before)
        if isinstance(played.error, Unsupported | LimitError):
            return self._slowly(number, seed, longest, heard)
        self.counts.add(played)
        if played.wrong is not None:
            return self._wrong(played, seed, longest)
        whole = game.some(1, seed, number, longest)
        return next(self._outcomes(whole, seed, number, longest))

    def _outcomes(
        self, played: GameStatistics, seed: int, first: int, longest: int
    ) -> Iterator[GameOutcome]:
        """The games that came to an end, or to none."""
        players = range(1, self.instance.players + 1)
        for number, (events, ending, *scores, winners) in enumerate(played.each(), first):
            if ending == FINISHED:
                score = dict(zip(players, scores)) if self._scored else None
                won = [each for each in players if winners >> each & 1] if self._won else None
                yield GameOutcome(events, None, score, won)
            elif ending == STUCK:
                fault = stuck(self._phase(seed, number, longest), events)
                yield GameOutcome(events, fault, None, None)
            else:
                yield GameOutcome(events, endless(events), None, None)

    def _phase(self, seed: int, number: int, longest: int) -> c.Phase:
        """The phase that a game ends in."""
        self.game.some(1, seed, number, longest)
        return self.instance.spec.phases[self.game.state[self.game.portable.phase]]

    def _wrong(self, played: GameStatistics, seed: int, longest: int) -> GameOutcome:
        """A game with which something is wrong."""
        assert played.wrong is not None
        number, events = played.wrong
        match played:
            case GameStatistics(broken=c.Property() as claim):
                return GameOutcome(events, broken(claim, events), None, None)
            case GameStatistics(error=EvaluationError() as error):
                fault = GameFault("error", error.message, error.span, events)
                return GameOutcome(events, fault, None, None)
            case _:
                return self._slowly(number, seed, longest)

    def _slowly(
        self, number: int, seed: int, longest: int, heard: Listener | None = None
    ) -> GameOutcome:
        """A game that the module gives up, event by event and with the help of the evaluator."""
        game, random = CompiledGame(self.instance), Random(f"{seed}/{number}")
        return _SlowGame(game, random, self.counts, heard).play(longest)


def broken(claim: c.Property, events: int) -> GameFault:
    """That a property does not hold."""
    said = f": {claim.prose}" if claim.prose else ""
    return GameFault(claim.kind, f"`{claim.name}` does not hold{said}", claim.span, events)


def stuck(phase: c.Phase, events: int) -> GameFault:
    """That nothing can happen, and the game is not over."""
    message = f"nothing can happen in the phase `{phase.name}`, and the game is not over"
    return GameFault("stuck", message, phase.span, events)


def endless(events: int) -> GameFault:
    """That a game was given up."""
    return GameFault("endless", "the game goes on and on", NOWHERE, events)


class _SlowGame(Observer):
    """One watched game, the evaluator helping where the module cannot."""

    def __init__(
        self, game: CompiledGame, random: Random, counts: EventCounts, heard: Listener | None
    ) -> None:
        self._random = random
        self._counts = counts
        self._heard = heard
        self._played = Playthrough(game, game.begin(random))
        self._fault: GameFault | None = None

    def play(self, longest: int) -> GameOutcome:
        """The game to its end, or for so many events."""
        played, game = self._played, self._played.game
        if self._heard is not None:
            self._heard(None, lambda: game.position(played.start))
        try:
            if not self._broken(("invariant",), played.start, played.start):
                ended = played.play(uniform(self._random), self, longest)
                self._stopped(ended)
        except EvaluationError as error:
            self._fault = GameFault("error", error.message, error.span, len(played.events))
        except UsageError as error:
            self._fault = GameFault("error", error.message, NOWHERE, len(played.events))
        events = len(played.events)
        if self._fault is not None:
            return GameOutcome(events, self._fault, None, None)
        return GameOutcome(events, None, game.scores(played.state), game.winners(played.state))

    def _stopped(self, ended: str) -> None:
        """Finds fault with how a game ended."""
        played, game = self._played, self._played.game
        events = len(played.events)
        if played.error is not None:
            error = played.error
            self._fault = GameFault("error", error.message, error.span, events)
        elif ended != SEEN and not game.is_final(played.state):
            phase = game.phases[game.phase(played.state)]
            self._fault = endless(events) if ended == LONG else stuck(phase, events)

    def chosen(self, state: State, event: Happening) -> None:
        """Counts the event, and the requirements that alone refuse a near miss of it."""
        game = self._played.game
        for _ in range(MISSES):
            try:
                refusing = game.broken(state, near_miss(game, event, self._random))
            except EvaluationError:
                continue  # no value where something else refuses, but in another order
            if len(refusing) == 1 and refusing[0].label in self._counts.decided:
                self._counts.decided[refusing[0].label] += 1
        self._counts.events[game.transitions[event[0]].name] += 1

    def passed(self, transition: c.Transition, before: State, after: State) -> bool:
        return self._broken(("always", "invariant"), before, after)

    def settled(self, event: Happening, state: State) -> None:
        if self._heard is not None:
            game = self._played.game
            self._heard(game.decode(event), lambda: game.position(state))

    def _broken(self, kinds: tuple[str, ...], before: State, now: State) -> bool:
        """Whether a property of some kinds does not hold; notes which."""
        for kind in kinds:
            for claim in self._played.game.broken_claims(kind, before, now):
                self._fault = broken(claim, len(self._played.events))
                return True
        return False
