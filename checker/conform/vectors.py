"""Test vectors: for each mistake one could make in the rules, a position and a move that show it.

A vector is a situation in which the spec and a mutant of it part. The solver finds the smallest;
random play finds one that a game leads to, for engines that cannot load a position. A mutant that
nothing shows is either proved to be no mistake, or listed as undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from checker.conform.examples import examples, positions
from checker.conform.explain import effects_of
from checker.conform.mutants import Mutant, mutants
from checker.conform.referee import Setup
from checker.conform.setups import Rulebook
from checker.conform.situations import (
    GAMES,
    MADE_UP,
    SOLVED,
    Collection,
    Situation,
    collect,
    collect_from,
)
from checker.conform.solved import Equivalent, Finder
from checker.meaning import core as c
from checker.play.errors import EvaluationError
from checker.play.evaluate import Scene, evaluate
from checker.play.instance import Instance
from checker.play.rules import MOST_STEPS, due_step, take
from checker.play.values import Position
from checker.syntax.node import Node

MOST_TRIED = 40
"""Situations of each origin that are tried on a mutant of an effect, which takes longer."""


OTHER_SETUPS = 4
"""Only every so manieth game is played with each set-up but the first."""


class Vector(Node):
    """A situation, the requirement or statement it is about, and the mistakes it shows."""

    situation: Situation
    label: str
    clauses: tuple[str, ...]
    shows: tuple[str, ...]


class Vectors(Node):
    """The vectors of a spec; the mutants that are proved equivalent to it, each with what the
    proof leans on; and those of which neither is known."""

    mutants: int
    found: tuple[Vector, ...]
    equivalent: tuple[Equivalent, ...]
    undecided: tuple[Mutant, ...]


def find_vectors(
    rulebook: Rulebook,
    seed: int = 0,
    say: Callable[[str], None] = lambda _: None,
    games: int = GAMES,
) -> Vectors:
    """A vector for each mutant that can be told from the spec; the same for a seed."""
    collection = Collection()
    setups = _setups(rulebook.spec)
    for number, setup in enumerate(setups):
        say(f"vectors: playing {setup.described()}")
        most = max(2, games // OTHER_SETUPS) if number else games
        collect(rulebook.referee(setup), seed, collection, most)
    for example, setup in examples(rulebook):
        if setup.variant is None:
            say(f"vectors: looking around in {example.name}")
            referee = rulebook.referee(setup)
            for state in positions(example, referee):
                collect_from(referee, state, seed, collection)
    collection.sort()
    finder = Shown(collection)
    solver = Finder(rulebook, setups, finder.shows)
    everything = mutants(rulebook.spec)
    for number, mutant in enumerate(everything):
        say(f"vectors: {number} of {len(everything)} mutants")
        finder.show(mutant, solver)
    return Vectors(
        len(everything),
        tuple(finder.vectors()),
        tuple(finder.equivalent),
        tuple(finder.undecided),
    )


class Shown:
    """Keeps the situations that show a mutant, as few as will do."""

    def __init__(self, collection: Collection) -> None:
        self.collection = collection
        self.equivalent: list[Equivalent] = []
        self.undecided: list[Mutant] = []
        self._shown: dict[str, dict[int, tuple[Situation, list[Mutant]]]] = {}
        self._positions: dict[int, Position] = {}
        self._after: dict[int, Position] = {}
        self._fitting: dict[object, Sequence[Situation]] = {}
        self._mutant: Mutant | None = None
        self._instances: dict[Setup, Instance] = {}
        """Of the mutant that was looked at last."""

    def show(self, mutant: Mutant, solver: Finder) -> None:
        """Finds a situation that a game leads to and one from the solver; if neither shows the
        mutant, one that was made up."""
        candidates = self._candidates(mutant)
        known = [each for each in candidates if each.origin != MADE_UP]
        shown = self._use(mutant, known)
        if self._use_again(mutant, SOLVED):
            return
        told = solver.tell(mutant, shown)
        if isinstance(told, Situation):
            self._use(mutant, [told])
        elif shown is None and isinstance(told, Equivalent):
            self.equivalent.append(told)
        elif shown is None:
            made_up = [each for each in candidates if each.origin == MADE_UP]
            if self._use(mutant, made_up) is None:
                self.undecided.append(mutant)

    def shows(self, mutant: Mutant, situation: Situation) -> bool:
        """Whether the mutant says otherwise than the spec."""
        if mutant.condition is not None:
            transition = mutant.spec.transition(str(mutant.transition))
            assert transition is not None
            if transition.kind != "step":
                return self._decides(mutant, situation)
        return self._leads_elsewhere(mutant, situation)

    def _use(self, mutant: Mutant, candidates: Sequence[Situation]) -> Situation | None:
        """Takes the first situation that shows a mutant, one already used if it can be."""
        fit = {id(each) for each in candidates}
        used = self._shown.setdefault(mutant.label, {})
        again = [each for each, _ in used.values() if id(each) in fit]
        for situation in (*again, *candidates):
            if self.shows(mutant, situation):
                used.setdefault(id(situation), (situation, []))[1].append(mutant)
                return situation
        return None

    def _use_again(self, mutant: Mutant, origin: int) -> Situation | None:
        """Takes a situation of this origin that shows another mutant of the same requirement."""
        used = self._shown.get(mutant.label, {})
        return self._use(mutant, [each for each, _ in used.values() if each.origin == origin])

    def vectors(self) -> Iterator[Vector]:
        for label, used in self._shown.items():
            for situation, shown in used.values():
                what = tuple(dict.fromkeys(each.what for each in shown))
                yield Vector(situation, label, shown[0].clauses, what)

    def _candidates(self, mutant: Mutant) -> Sequence[Situation]:
        """The situations that may show a mutant, the smallest first."""
        key = (mutant.transition, mutant.requirement, mutant.effect)
        if key not in self._fitting:
            self._fitting[key] = self._find_candidates(mutant)
        return self._fitting[key]

    def _find_candidates(self, mutant: Mutant) -> Sequence[Situation]:
        legal = self.collection.legal
        name = mutant.transition
        every = [each for one in legal.values() for each in one]
        if mutant.effect is not None:
            return _varied([each for each in every if _performs(each, mutant.effect)])
        transition = mutant.spec.transition(str(name))
        assert transition is not None and name is not None
        if transition.kind == "step":
            asked = mutant.requirement is not None
            return _varied([each for each in every if asked or _includes(each, name)])
        if mutant.requirement is None:
            return _varied(legal.get(name, []))
        refused = self.collection.refused.get((name, mutant.requirement), [])
        return sorted([*legal.get(name, []), *refused], key=lambda each: each.size)

    def _decides(self, mutant: Mutant, situation: Situation) -> bool:
        assert mutant.condition is not None
        if situation.refused_by not in (None, mutant.requirement):
            return False
        instance = situation.referee.instance
        event = situation.as_event()
        names = event.locals(instance.transitions[event.name])
        try:
            holds = evaluate(
                mutant.condition, Scene(instance, self._position(situation), None, names)
            )
        except EvaluationError:
            return situation.refused_by is None
        return bool(holds) != (situation.refused_by is None)

    def _leads_elsewhere(self, mutant: Mutant, situation: Situation) -> bool:
        if situation.refused_by is not None:
            return False
        setup = situation.referee.setup
        if self._mutant is not mutant:
            self._mutant, self._instances = mutant, {}
        if setup not in self._instances:
            self._instances[setup] = Instance(mutant.spec, setup.players, dict(setup.readings))
        try:
            after = _carried_out(self._instances[setup], self._position(situation), situation)
        except EvaluationError:
            return True
        return after != self._expected(situation)

    def _position(self, situation: Situation) -> Position:
        if id(situation) not in self._positions:
            self._positions[id(situation)] = situation.position()
        return self._positions[id(situation)]

    def _expected(self, situation: Situation) -> Position:
        if id(situation) not in self._after:
            self._after[id(situation)] = state_after(situation)
        return self._after[id(situation)]


def state_after(situation: Situation) -> Position:
    """The position that a legal event leads to."""
    state = list(situation.state)
    situation.referee.take(state, situation.event)
    return situation.referee.position(state)


def _carried_out(instance: Instance, position: Position, situation: Situation) -> Position:
    """What follows from an event by other rules, without asking whether it is allowed."""
    event = situation.as_event()
    now = take(instance, position, instance.transitions[event.name], event).after
    for _ in range(MOST_STEPS):
        step = due_step(instance, now)
        if step is None:
            return now
        now = take(instance, now, step, None).after
    return now


def _varied(situations: Sequence[Situation]) -> list[Situation]:
    """The smallest of each kind first, so that few have to be tried; of each origin as many."""
    kinds: dict[object, int] = {}
    origins: dict[int, list[tuple[int, int, Situation]]] = {}
    for number, each in enumerate(sorted(situations, key=lambda each: each.size)):
        kind = (each.event[0], each.done, each.referee.setup, each.origin)
        kinds[kind] = kinds.get(kind, 0) + 1
        origins.setdefault(each.origin, []).append((kinds[kind], number, each))
    ranked = [sorted(each, key=lambda one: one[:2])[:MOST_TRIED] for each in origins.values()]
    return [each for one in ranked for *_, each in one]


def _includes(situation: Situation, step: str) -> bool:
    """Whether a step followed from an event."""
    carried_out = situation.referee.carried_out(situation.done)
    return any(isinstance(each, c.Transition) and each.name == step for each in carried_out)


def _performs(situation: Situation, effect: str) -> bool:
    """Whether what an event carried out has to do with an effect."""
    referee = situation.referee
    transition = referee.instance.spec.transitions[situation.event[0]]
    steps = [each for each in referee.carried_out(situation.done) if isinstance(each, c.Transition)]
    return any(effect in effects_of(referee, each.body) for each in (transition, *steps))


def _setups(spec: c.Spec) -> list[Setup]:
    """With the fewest players, with three, and with each option of each reading."""
    numbers = dict.fromkeys([spec.least, max(spec.least, min(spec.most, 3))])
    found = [Setup(number, (), None) for number in numbers]
    for reading in spec.readings:
        for option in reading.options:
            if option.name != reading.default:
                found.append(Setup(spec.least, ((reading.name, option.name),), None))
    return found
