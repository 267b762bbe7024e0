"""Looks for games: a witness of what is possible, a counterexample to what is claimed.

First play at random, which costs little; then every game of one turn, of two turns, and so on, as
one question each to the solver. Whatever is found is replayed in the evaluator before it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from time import perf_counter

from checker.meaning import core as c
from checker.play.beginning import initial_position
from checker.play.chance import draw
from checker.play.errors import EvaluationError
from checker.play.evaluate import Scene as PlainScene
from checker.play.evaluate import evaluate
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.listing import legal_moves
from checker.play.rules import Happened, Refused, apply, is_final
from checker.play.values import Position
from checker.prove.ground import Ground
from checker.prove.unroll import Unrolled
from checker.prove.verdict import Game
from checker.smt.decode import Model
from checker.smt.scene import Scene
from checker.smt.solver import SAT, UNKNOWN, Z3
from checker.smt.statement import State
from checker.smt.term import Term
from checker.smt.text import Labelled, script
from checker.syntax.node import Node

LONGEST = 400
"""Events of a random game before another one is begun."""


LOGIC = "QF_FD"
"""Everything in a game is finite, which the solver has a logic for."""
PATIENCE = 1.0
"""Seconds for a turn before it is put off."""
PUT_OFF = 3
"""So many turns are put off before longer games are looked at, with more time."""
MOST_TURNS = 40
LONG_TURN = 8
"""Events for each player after which a turn is cut, whatever the phase."""


class Target(Node):
    """What to look for: a position (or two, one after another) in which the claim of a property
    is true, or where `broken`, is not."""

    property: c.Property
    broken: bool

    def met(self, instance: Instance, before: Position, after: Position) -> bool:
        """Whether the evaluator finds it here."""
        try:
            holds = bool(evaluate(self.property.claim, PlainScene(instance, before, after)))
        except EvaluationError:
            return self.broken
        return holds is not self.broken

    def term(self, ground: Ground) -> Callable[[State, State], Term]:
        def encoded(before: State, after: State) -> Term:
            holds = ground.claim(self.property.claim, Scene(before, after))
            return ground.terms.no(holds) if self.broken else holds

        return encoded


class Searched(Node):
    """A game if one was found; else for how many turns there is none, and why no more is known."""

    game: Game | None
    turns: int
    reason: str | None
    seconds: float


def replay(instance: Instance, target: Target, events: Sequence[Event]) -> Game | None:
    """The shortest beginning of a game that meets the target, None if none does."""
    start = position = initial_position(instance)
    if target.met(instance, start, start) and target.property.kind != "always":
        return Game(start, (), start, 0)
    for number, event in enumerate(events):
        try:
            happened = apply(instance, position, event)
        except (Refused, EvaluationError):
            return None
        for each in happened:
            if target.met(instance, each.before, each.after):
                used = tuple(events[: number + 1])
                return Game(start, used, each.after, turns(instance, used))
        position = happened[-1].after
    return None


def turns(instance: Instance, events: Sequence[Event]) -> int:
    """How often play came back to the phase it began in."""
    position = initial_position(instance)
    first = position.get("phase")
    count = 1 if events else 0
    for event in events[:-1]:
        before = position.get("phase")
        position = apply(instance, position, event)[-1].after
        count += position.get("phase") == first != before
    return count


def play_at_random(
    instance: Instance, targets: Sequence[Target], seconds: float, seed: int = 0
) -> dict[str, Game]:
    """Games found by playing at random for a while, by property."""
    random = Random(seed)
    found: dict[str, Game] = {}
    until = perf_counter() + seconds
    while perf_counter() < until and len(found) < len(targets):
        events: list[Event] = []
        position = initial_position(instance)
        while not is_final(instance, position) and len(events) < LONGEST:
            event = _any_event(instance, position, random)
            if event is None or perf_counter() > until:
                break
            try:
                happened = apply(instance, position, event)
            except EvaluationError:  # a hole in the rules: `safe` reports it
                break
            events.append(event)
            _note(instance, targets, happened, events, found)
            position = happened[-1].after
    return found


def _any_event(instance: Instance, position: Position, random: Random) -> Event | None:
    moves = list(legal_moves(instance, position))
    return random.choice(moves) if moves else draw(instance, position, random)


def _note(
    instance: Instance, targets: Sequence[Target], happened: Sequence[Happened],
    events: list[Event], found: dict[str, Game],
) -> None:  # fmt: skip
    for target in targets:
        name = target.property.name
        if name not in found and any(target.met(instance, h.before, h.after) for h in happened):
            game = replay(instance, target, events)
            if game is not None:
                found[name] = game


class Search:
    """Looks for one target, turn by turn. A turn that takes too long is put off: often a longer
    game is easier to find than the proof that no shorter one is there."""

    def __init__(self, ground: Ground, target: Target, in_seat_order: bool) -> None:
        self._ground = ground
        self._target = target
        self._unrolled = Unrolled.game(ground, in_seat_order)
        self._first = self._unrolled.phases()
        self._spans: list[tuple[int, int]] = []
        self._open: list[int] = []
        self._game: Game | None = None
        self._reason: str | None = None

    def run(self, seconds: float, most: int = MOST_TURNS) -> Searched:
        """Looks until a game is found, the time is over, or all turns were looked at."""
        began = perf_counter()
        until = began + seconds
        budget = PATIENCE
        while self._game is None and self._reason is None and perf_counter() < until:
            if len(self._spans) >= most or not self._extend():
                break
            if len(self._open) < PUT_OFF:
                self._look(len(self._spans) - 1, min(budget, until - perf_counter()))
            elif self._extend():  # look further ahead, and longer
                budget *= 4
                self._look(len(self._spans) - 1, min(budget, until - perf_counter()))
        known = min(self._open, default=len(self._spans))
        reason = self._reason or (None if self._game is not None else self._why(until))
        return Searched(self._game, known, reason, perf_counter() - began)

    def _why(self, until: float) -> str:
        return "out of time" if perf_counter() >= until else "no longer games were looked at"

    def _extend(self) -> bool:
        """Plays one turn more: until the game is where it began, or has gone on for long."""
        unrolled = self._unrolled
        since = len(unrolled.slots)
        while unrolled.extend():
            if unrolled.phases() == self._first:
                break
            if len(unrolled.slots) - since >= LONG_TURN * self._ground.instance.players:
                break
        self._spans.append((since, len(unrolled.slots)))
        return len(unrolled.slots) > since

    def _look(self, turn: int, seconds: float) -> None:
        """Asks for a game whose last turn is this one."""
        goal = self._unrolled.meets(self._target.term(self._ground), *self._spans[turn])
        text = script([Labelled("game", goal)])
        answer = Z3(text.text, LOGIC).check(text.switches, seconds, list(text.names.values()))
        if answer.result == UNKNOWN and turn not in self._open:
            self._open.append(turn)
        elif answer.result == SAT and answer.model is not None:
            events = self._unrolled.events(Model(text.names, answer.model))
            self._game = replay(self._ground.instance, self._target, events)
            if self._game is None:
                self._reason = "a game was found that does not replay: a bug of ours"
