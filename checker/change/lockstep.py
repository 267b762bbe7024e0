"""The same games played by the old and the new rules side by side, until they part.

Both sides play every event that both allow and that leads both to the same position. Wherever one
side allows what the other refuses, or they go different ways, a difference has been reached by a
game. Of each difference the shortest game found is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from time import process_time
from typing import Any

from checker.change.question import Subject
from checker.change.witness import Witness, judged, shared
from checker.meaning import core as c
from checker.play.compile.layout import State
from checker.play.compiled import Happening, Machine
from checker.play.errors import EvaluationError
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.random_play import near_miss
from checker.play.rules import Refused, apply
from checker.play.values import Position
from checker.syntax.node import Node

LONGEST = 2000
"""Events; a game that goes on longer is given up."""
ENOUGH = 40
"""Games after the last discovery that nobody found a shorter one in."""


class Game(Node):
    """A game that reaches a difference: its start, what happened, and the difference."""

    start: Mapping[str, Any]
    events: tuple[Event, ...]
    witness: Witness


class Lockstep:
    """Plays at random by two sets of rules at once."""

    def __init__(
        self, instances: tuple[Instance, Instance], subjects: Sequence[Subject], seed: int
    ) -> None:
        self.instances = instances
        self.old, self.new = (Machine(each) for each in instances)
        self.games: dict[tuple[str, str], Game] = {}
        self._random = Random(seed)
        self._subjects = {each.name: each for each in subjects}
        self._results = [each for each in subjects if each.kind == "result"]
        self._steps = [each for each in subjects if each.kind == "step"]
        self._shared = shared(instances)
        self._alike = _alike(*instances)
        self._since = 0

    def run(self, wanted: tuple[str, str] | None, games: int, seconds: float) -> None:
        """Plays so many games, or so long, or until nothing shorter has been found for a while;
        without something `wanted`, whatever comes up will do."""
        until = process_time() + seconds
        for _ in range(games):
            found = wanted in self.games if wanted is not None else bool(self.games)
            if (found and self._since > ENOUGH) or process_time() > until:
                return
            self._since += 1
            try:
                self._game(until)
            except EvaluationError:
                continue

    def _game(self, until: float) -> None:
        old, new = self.old, self.new
        states = [old.begin(self._random), new.begin(self._random)]
        beginning = old.position(states[0])
        try:
            states[1] = new.load({**new.position(states[1]), **self._known(beginning)})
        except (KeyError, ValueError):
            return
        start = old.position(states[0])
        events: list[Event] = []
        while len(events) < LONGEST and process_time() < until:
            if old.is_final(states[0]) or new.is_final(states[1]):
                self._note_results(start, events, states)
                return
            leader, state = (old, states[0]) if self._random.random() < 0.5 else (new, states[1])
            chosen = leader.choose(state, self._random)
            if chosen is None:
                return
            self._look(start, events, states, leader, chosen)
            event = leader.decode(chosen)
            if not self._happen(start, events, states, event):
                return
            events.append(event)

    def _known(self, position: Position) -> dict[str, Any]:
        return {name: position[name] for name in self._shared}

    def _look(
        self, start: Position, events: list[Event], states: list[State], leader: Machine,
        chosen: Happening,
    ) -> None:  # fmt: skip
        """Keeps the game wherever the two sides say different things of an event here."""
        for machine, happening in self._suggested(states, leader, chosen):
            subject = self._subjects.get(machine.transitions[happening[0]].name)
            if subject is None or not self._apart(states, machine, happening):
                continue
            positions = self.old.position(states[0]), self.new.position(states[1])
            choices = _choices(subject, machine.decode(happening))
            self._keep(subject, start, events, positions, choices)

    def _suggested(
        self, states: list[State], leader: Machine, chosen: Happening
    ) -> Iterator[tuple[Machine, Happening]]:
        """Events of which the two sides might say different things."""
        if leader.transitions[chosen[0]].name in self._subjects:
            yield leader, chosen
            missed = near_miss(leader, chosen, self._random)
            if missed is not None:
                yield leader, missed
        phase = leader.instance.spec.phases[states[0 if leader is self.old else 1][0]].name
        here = [each for each in leader.instance.of_kind("move") if phase in each.phases]
        if any(each.proposals for each in here):
            return
        if any(each.name in self._subjects for each in here):
            for machine, state in zip((self.old, self.new), states):
                yield from ((machine, each) for each in machine.legal(state))

    def _apart(self, states: list[State], machine: Machine, happening: Happening) -> bool:
        """Whether the compiled rules say different things of an event."""
        other = self.new if machine is self.old else self.old
        mine, theirs = states if machine is self.old else reversed(states)
        if not self._alike:
            event = machine.decode(happening)
            if event.name not in other.numbers:
                return True
            translated = other.encode(event)
        else:
            translated = happening
        allowed = machine.allows(mine, happening)
        if allowed != other.allows(theirs, translated):
            return True
        if not allowed:
            return False
        copies = mine[:], theirs[:]
        machine.do[happening[0]](copies[0], happening, _no_steps)
        other.do[translated[0]](copies[1], translated, _no_steps)
        return not self._same(machine, copies[0], other, copies[1])

    def _same(self, machine: Machine, mine: State, other: Machine, theirs: State) -> bool:
        if self._alike:
            return mine == theirs
        return self._known(machine.position(mine)) == self._known(other.position(theirs))

    def _happen(
        self, start: Position, events: list[Event], states: list[State], event: Event
    ) -> bool:
        """Makes an event happen on both sides; False where they part."""
        passed: list[list[tuple[str, State]]] = []
        for machine, state in zip((self.old, self.new), states):
            if event.name not in machine.numbers:
                return False
            happening = machine.encode(event)
            if not machine.allows(state, happening):
                return False
            passed.append([(each.name, state[:]) for each in machine.steps(state, happening)])
        for number, (one, other) in enumerate(zip(*passed), 1):
            if not self._same(self.old, one[1], self.new, other[1]):
                return False
            if self._steps and self._part(*(side[number : number + 1] for side in passed)):
                positions = self.old.position(one[1]), self.new.position(other[1])
                for step in self._steps:
                    self._keep(step, start, [*events, event], positions, ({}, {}))
        return len(passed[0]) == len(passed[1])

    def _part(self, old: list[tuple[str, State]], new: list[tuple[str, State]]) -> bool:
        """Whether the sides do not take the same step next, if they take one at all."""
        if not old or not new:
            return bool(old or new)
        (one, mine), (other, theirs) = old[0], new[0]
        return one != other or not self._same(self.old, mine, self.new, theirs)

    def _note_results(self, start: Position, events: list[Event], states: list[State]) -> None:
        positions = self.old.position(states[0]), self.new.position(states[1])
        for subject in self._results:
            if subject.old is None or subject.new is None:
                continue
            for player in range(1, self.instances[0].players + 1):
                given = tuple({each.params[0].name: player} for each in (subject.old, subject.new))
                self._keep(subject, start, events, positions, (given[0], given[1]))

    def _keep(
        self, subject: Subject, start: Position, events: Sequence[Event],
        positions: tuple[Position, Position],
        choices: tuple[Mapping[str, Any], Mapping[str, Any]],
    ) -> None:  # fmt: skip
        known = min(
            (len(game.events) for (name, _), game in self.games.items() if name == subject.name),
            default=LONGEST,
        )
        ways = {way for name, way in self.games if name == subject.name}
        if len(events) >= known and len(ways) > 1:
            return
        witness = judged(subject, self.instances, positions, choices)
        if witness is None:
            return
        key = subject.name, witness.way
        if key not in self.games or len(events) < len(self.games[key].events):
            self.games[key] = Game(start, tuple(events), witness)
            self._since = 0


def _alike(old: Instance, new: Instance) -> bool:
    """Whether states and events of both sides are the same lists of the same things."""
    types = [[(each.name, each.type) for each in side.spec.variables] for side in (old, new)]
    events = [
        [(each.kind, each.name, each.params, each.mover) for each in side.spec.transitions]
        for side in (old, new)
    ]
    return types[0] == types[1] and events[0] == events[1] and old.spec.enums == new.spec.enums


def _no_steps(state: State, step: int) -> None:
    """Instead of running the steps after an event."""


def _choices(subject: Subject, event: Event) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The mover and the parameters by the names that either side has for them."""
    found = []
    for shape in (subject.old, subject.new):
        given = dict(event.arguments)
        if isinstance(shape, c.Transition) and shape.mover is not None:
            given[shape.mover] = event.by
        found.append(given)
    return found[0], found[1]


def replays(game: Game, side: int) -> bool:
    """Whether the evaluator, too, plays the game and arrives at the difference."""
    instance = game.witness.instances[side]
    position: Position = dict(game.start)
    places: list[Position] = [position]
    for event in game.events:
        try:
            happened = apply(instance, position, event)
        except (Refused, EvaluationError):
            return False
        places = [each.after for each in happened]
        position = places[-1]
    return dict(game.witness.positions[side]) in places
