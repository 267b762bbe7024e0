"""The same games played by the old and the new rules side by side, until they part.

Both sides play every event that both allow and that leads both to the same position. Wherever one
side allows what the other refuses, or they go different ways, a difference has been reached by a
game. Of each difference the shortest game found is kept.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from operator import attrgetter
from random import Random
from typing import Any

from rulewright.change.games.probes import ProbeGenerator
from rulewright.change.games.rare_states import RareStates
from rulewright.change.semantic.witness import Witness, judge_witness, shared
from rulewright.change.text.subject import EventRenaming, choices
from rulewright.meaning import core as c
from rulewright.meaning.counterparts import Subject
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import Refused, replay
from rulewright.play.semantics.values import Position
from rulewright.simulate.compiled.compiled_game import CompiledGame, Happening, State
from rulewright.simulate.search.policies import Biased, Policy, uniform
from rulewright.syntax.node import Node
from rulewright.system.work_budget import EVENT, Allowance

LONGEST = 2000
"""Events; a game that goes on longer is given up."""
ENOUGH = 40
"""Games after the last discovery that nobody found a shorter one in."""
STEP = 8 * EVENT
"""What an event costs by two sets of rules, with all that is looked at."""
DETOURS = 24
DETOUR = 30
"""As long as nothing is found, after each game so many others go on from rare positions, each for
so many events."""
ENDINGS = 8
LAST_PART = 4
"""Where results may differ, so many more endings of each game are played, from its last quarter."""


class DivergingGame(Node):
    """A game that reaches a difference: its start, what happened, and the difference."""

    start: Mapping[str, Any]
    events: tuple[Event, ...]
    witness: Witness


class Lockstep:
    """Plays at random by two sets of rules at once."""

    def __init__(
        self, instances: tuple[Instance, Instance], subjects: Sequence[Subject], seed: int,
        telling: Collection[str] = (), naming: EventRenaming | None = None,
    ) -> None:  # fmt: skip
        """`text` are the variables that it depends on whether the two sides part, if known."""
        self.instances = instances
        self.old, self.new = (CompiledGame(each) for each in instances)
        self.games: dict[tuple[str, str], DivergingGame] = {}
        self._random = Random(seed)
        self._naming = naming or EventRenaming(subjects)
        self._subjects = tuple(
            {shape.name: each for each in subjects if (shape := of(each)) is not None}
            for of in (attrgetter("old"), attrgetter("new"))
        )
        self._results = [each for each in subjects if each.kind == "result"]
        self._steps = [each for each in subjects if each.kind == "step"]
        self._shared = shared(instances)
        self._alike = _alike(*instances)
        self._suggesting = ProbeGenerator(
            (self.old, self.new), {name for side in self._subjects for name in side}, self._random
        )
        self._rarities: RareStates[_Line] = RareStates(
            self.old,
            telling,
            [each.old for each in subjects if isinstance(each.old, c.Transition)],
        )
        self._since = self._begun = 0

    def run(self, wanted: tuple[str, str] | None, games: int, seconds: float) -> None:
        """Plays so many games, or so long, or until nothing shorter has been found for a while;
        without something `wanted`, whatever comes up will do."""
        allowed = Allowance(seconds)
        for _ in range(games):
            found = wanted in self.games if wanted is not None else bool(self.games)
            if (found and self._since > ENOUGH) or allowed.over:
                return
            self._since += 1
            try:
                self._game(allowed, DETOURS if not found else 0)
            except EvaluationError:
                continue

    def _game(self, allowed: Allowance, detours: int) -> None:
        """One game, and so many times a little further from where few have been; if it is the
        result that differs, its last part more than once. Every other game is biased."""
        line = self._beginning()
        if line is None:
            return
        self._begun += 1
        policies: tuple[Policy, ...] = Biased(self.old, self._random), uniform(self._random)
        policy = policies[self._begun % 2]
        passed = [line.copy()]
        self._play(line, policy, allowed, LONGEST, passed)
        for _ in range(ENDINGS if self._results else 0):
            last = passed[-max(1, len(passed) // LAST_PART) :]
            self._play(self._random.choice(last).copy(), policy, allowed, LONGEST, [])
        for _ in range(detours):
            rare = self._rarities.pick(self._random)
            if rare is not None:
                policy = Biased(self.old, self._random)
                self._play(rare, policy, allowed, len(rare) + DETOUR, [])

    def _beginning(self) -> _Line | None:
        """A game to begin with, None if the other side cannot begin like that."""
        old, new = self.old, self.new
        states = [old.begin(self._random), new.begin(self._random)]
        start = old.position(states[0])
        try:
            states[1] = new.load({**new.position(states[1]), **self._known(start)})
        except (KeyError, ValueError):
            return None
        return _Line(start, [], states)

    def _play(
        self,
        line: _Line,
        policy: Policy,
        allowed: Allowance,
        longest: int,
        passed: list[_Line],
    ) -> None:
        """Plays on to the end, or to where the two sides part; notes the way there."""
        old, new = self.old, self.new
        while len(line) < longest and not allowed.over:
            allowed.charge(STEP)
            states = line.states
            if old.is_final(states[0]) or new.is_final(states[1]):
                self._note_results(line)
                return
            leader, state = (old, states[0]) if self._random.random() < 0.5 else (new, states[1])
            chosen = policy(leader, state)
            if chosen is None:
                return
            self._look(line, leader, chosen)
            if not self._happen(line, leader, chosen):
                return
            self._rarities.note(line.states[0], line)
            if self._results:
                passed.append(line.copy())

    def _known(self, position: Position) -> dict[str, Any]:
        return {name: position[name] for name in self._shared}

    def _look(self, line: _Line, leader: CompiledGame, chosen: Happening) -> None:
        """Keeps the game wherever the two sides say different things of an event here."""
        states = line.states
        for game, happening in self._suggesting.events(states, leader, chosen):
            side = 0 if game is self.old else 1
            subject = self._subjects[side].get(game.transitions[happening[0]].name)
            if subject is None or not self._apart(states, game, happening):
                continue
            positions = self.old.position(states[0]), self.new.position(states[1])
            chosen_there = choices(subject, game.decode(happening), side)
            self._keep(subject, line, positions, chosen_there)

    def _translated(self, game: CompiledGame, happening: Happening) -> Happening | None:
        """An event of one side as the other has it, None if it has no such event."""
        if self._alike:
            return happening
        side, other = (0, self.new) if game is self.old else (1, self.old)
        event = self._naming.across(game.decode(happening), side)
        return other.encode(event) if event is not None else None

    def _apart(self, states: list[State], game: CompiledGame, happening: Happening) -> bool:
        """Whether the compiled rules say different things of an event."""
        other = self.new if game is self.old else self.old
        mine, theirs = states if game is self.old else reversed(states)
        translated = self._translated(game, happening)
        if translated is None:
            return True
        allowed = game.allows(mine, happening)
        if allowed != other.allows(theirs, translated):
            return True
        if not allowed:
            return False
        after = game.take(mine, happening), other.take(theirs, translated)
        return not self._same(game, after[0], other, after[1])

    def _same(self, game: CompiledGame, mine: State, other: CompiledGame, theirs: State) -> bool:
        if self._alike:
            return mine == theirs
        return self._known(game.position(mine)) == self._known(other.position(theirs))

    def _happen(self, line: _Line, leader: CompiledGame, chosen: Happening) -> bool:
        """Makes an event happen on both sides; False where they part."""
        translated = self._translated(leader, chosen)
        if translated is None:
            return False
        events = (chosen, translated) if leader is self.old else (translated, chosen)
        passed: list[list[tuple[str, State]]] = []
        for game, state, happening in zip((self.old, self.new), line.states, events):
            if not game.allows(state, happening):
                return False
            passed.append([(each.name, after) for each, after in game.steps(state, happening)])
        line.events.append(events[0])
        line.states = [side[-1][1] for side in passed]
        for number, (one, other) in enumerate(zip(*passed), 1):
            if not self._same(self.old, one[1], self.new, other[1]):
                return False
            if self._steps and self._part(*(side[number : number + 1] for side in passed)):
                positions = self.old.position(one[1]), self.new.position(other[1])
                for step in self._steps:
                    self._keep(step, line, positions, ({}, {}))
        return len(passed[0]) == len(passed[1])

    def _part(self, old: list[tuple[str, State]], new: list[tuple[str, State]]) -> bool:
        """Whether the sides do not take the same step next, if they take one at all."""
        if not old or not new:
            return bool(old or new)
        (one, mine), (other, theirs) = old[0], new[0]
        return one != other or not self._same(self.old, mine, self.new, theirs)

    def _note_results(self, line: _Line) -> None:
        positions = None
        for subject in self._results:
            if subject.old is None or subject.new is None:
                continue
            if self._result(self.old, subject, line) == self._result(self.new, subject, line):
                continue
            positions = positions or (
                self.old.position(line.states[0]), self.new.position(line.states[1])
            )  # fmt: skip
            for player in range(1, self.instances[0].players + 1):
                given = tuple({each.params[0].name: player} for each in (subject.old, subject.new))
                self._keep(subject, line, positions, (given[0], given[1]))

    def _result(self, game: CompiledGame, subject: Subject, line: _Line) -> Any:
        state = line.states[0 if game is self.old else 1]
        return game.of_players(subject.name, state)

    def _keep(
        self, subject: Subject, line: _Line, positions: tuple[Position, Position],
        given: tuple[Mapping[str, Any], Mapping[str, Any]],
    ) -> None:  # fmt: skip
        known = min(
            (len(game.events) for (name, _), game in self.games.items() if name == subject.name),
            default=LONGEST,
        )
        ways = {way for name, way in self.games if name == subject.name}
        if len(line.events) >= known and len(ways) > 1:
            return
        witness = judge_witness(subject, self.instances, positions, given)
        if witness is None:
            return
        key = subject.name, witness.way
        if key not in self.games or len(line.events) < len(self.games[key].events):
            events = tuple(self.old.decode(each) for each in line.events)
            self.games[key] = DivergingGame(line.start, events, witness)
            self._since = 0


class _Line:
    """A game so far: where it began, what happened as the old side has it, where both are."""

    def __init__(self, start: Position, events: list[Happening], states: list[State]) -> None:
        self.start = start
        self.events = events
        self.states = states

    def __len__(self) -> int:
        return len(self.events)

    def copy(self) -> _Line:
        return _Line(self.start, self.events[:], self.states)


def _alike(old: Instance, new: Instance) -> bool:
    """Whether states and events of both sides are the same lists of the same things."""
    types = [[(each.name, each.type) for each in side.spec.variables] for side in (old, new)]
    events = [
        [(each.kind, each.name, each.params, each.mover) for each in side.spec.transitions]
        for side in (old, new)
    ]
    return types[0] == types[1] and events[0] == events[1] and old.spec.enums == new.spec.enums


def replays(game: DivergingGame, side: int) -> bool:
    """Whether the evaluator, too, plays the game and arrives at the difference."""
    instance = game.witness.instances[side]
    places: list[Position] = [dict(game.start)]
    try:
        for happened in replay(instance, places[0], game.events):
            places = [each.after for each in happened]
    except (Refused, EvaluationError):
        return False
    return dict(game.witness.positions[side]) in places
