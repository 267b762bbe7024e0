"""Test vectors: for each mistake one could make in the rules, a position and a move that show it.

A vector is a situation in which the spec and a mutant of it part. The solver finds the smallest;
random play finds one that a game leads to, for engines that cannot load a position. A mutant that
nothing shows is either proved to be no mistake, or listed as undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulewright.conform.inputs.test_cases import (
    GAMES,
    MADE_UP,
    PLAYED,
    SOLVED,
    TRIED,
    Situation,
    SituationPool,
    collect,
    collect_from,
    collect_tried,
)
from rulewright.conform.mutation.engine_slips import engine_mistakes
from rulewright.conform.mutation.judgement import told_by
from rulewright.conform.mutation.kill_check import KillChecker
from rulewright.conform.mutation.mutants import Mutant
from rulewright.conform.oracle.configurations import Oracles
from rulewright.conform.stages.examples import examples, tried
from rulewright.conform.vectors.directed_games import DirectedSearch
from rulewright.conform.vectors.random_vectors import EVENTS, VectorSearch
from rulewright.conform.vectors.solver_vectors import NO_TIME, Equivalent, Undecided, VectorSolver
from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Configuration
from rulewright.play.semantics.rules import requirements
from rulewright.syntax.node import Node, replace
from rulewright.system.interrupts import StoppedError

MOST_TRIED = 250
"""Situations of each origin that are tried on a mutant of something that happens or is shared."""
FEW_LEFT = 12
"""If no more mutants are undecided, the solver is asked again and may take longer."""
USUAL = 2
"""The first set-ups, in which further games are looked for."""
OTHER_SETUPS = 4
"""Only every so manieth game is played with each set-up but the first."""


class Shown(Node):
    """A mistake that a vector shows, by its number in the catalogue, and what tells it from the
    spec: whether the event is legal, some variables, the results."""

    mistake: int
    what: str
    told_by: tuple[str, ...]


class Vector(Node):
    """A situation, the requirement or statement it is about, and the mistakes it shows."""

    situation: Situation
    label: str
    clauses: tuple[str, ...]
    shows: tuple[Shown, ...]


class Vectors(Node):
    """The vectors of a spec; the mutants that are proved equivalent to it, each with what the
    proof leans on; and those of which neither is known."""

    mutants: int
    found: tuple[Vector, ...]
    equivalent: tuple[Equivalent, ...]
    undecided: tuple[Undecided, ...]
    stopped: str | None = None
    """Why not all of them were looked for, if the run was ended."""


def find_vectors(
    oracles: Oracles,
    seed: int = 0,
    say: Callable[[str], None] = lambda _: None,
    games: int = GAMES,
    only: Sequence[int] | None = None,
) -> Vectors:
    """A vector for each mutant that can be told from the spec; the same for a seed. A run that is
    ended has those that it found by then, and knows nothing of the rest. `only` are the numbers of
    the mutants that are asked about, if not all are."""
    everything = engine_mistakes(oracles.spec)
    asked = everything if only is None else [everything[number - 1] for number in only]
    shown = VectorCollector(SituationPool(), oracles.spec)
    stopped = None
    try:
        setups = _setups(oracles.spec)
        shown = VectorCollector(_collected(oracles, setups, seed, say, games), oracles.spec)
        _look_for(shown, asked, oracles, setups, seed, say, games)
    except StoppedError as end:
        stopped = end.why
    return Vectors(
        len(asked),
        tuple(shown.vectors(everything)),
        tuple(shown.equivalent),
        tuple(shown.undecided(asked)),
        stopped,
    )


def _look_for(
    shown: VectorCollector,
    everything: Sequence[Mutant],
    oracles: Oracles,
    setups: Sequence[Configuration],
    seed: int,
    say: Callable[[str], None],
    games: int,
) -> None:
    """Looks for what shows each mutant. Play comes first, since it is quick; the solver is asked
    about what play does not show, then for small positions in place of those of games."""
    for number, mutant in enumerate(everything):
        say(f"vectors: {number} of {len(everything)} mutants tried on what was played")
        shown.by_play(mutant)
    search = VectorSearch(oracles, setups[:USUAL], shown.shows, shown.keep)
    search.seek(shown.not_by(PLAYED, everything), seed, say, EVENTS * games // GAMES)
    solver = VectorSolver(oracles, setups)
    shown.ask(solver, everything, say)
    left = shown.undecided(everything)
    if len(left) <= FEW_LEFT and solver.try_harder():
        shown.ask(solver, everything, say)
    visible = [each for each in everything if shown.by(each) is not None]
    for number, mutant in enumerate(visible):
        if not solver.is_tired:
            say(f"vectors: solver asked for a smaller position, {number} of {len(visible)}")
            shown.smaller(mutant, solver)
    directed = DirectedSearch(shown.shows, shown.keep)
    directed.seek(shown.without_a_game(visible), seed, say)


def _collected(
    oracles: Oracles,
    setups: Sequence[Configuration],
    seed: int,
    say: Callable[[str], None],
    games: int,
) -> SituationPool:
    """The situations of random games and of what follows the worked examples."""
    collection = SituationPool()
    for number, setup in enumerate(setups):
        say(f"vectors: playing {setup.described()}")
        most = max(2, games // OTHER_SETUPS) if number else games
        collect(oracles.oracle(setup), seed, collection, most)
    readings = dict.fromkeys(each.readings for each in setups)
    for example, setup in examples(oracles):
        if setup.variant is None:
            say(f"vectors: looking around in {example.name}")
            for each in dict.fromkeys((setup.readings, *readings)):
                oracle = oracles.oracle(replace(setup, readings=each))
                for state, events in tried(example, oracle):
                    collect_tried(oracle, state, events, seed, collection)
                    if each == setup.readings:
                        collect_from(oracle, state, seed, collection)
    collection.sort()
    return collection


class VectorCollector:
    """Keeps the situations that show a mutant, as few as will do."""

    def __init__(self, collection: SituationPool, spec: c.Spec) -> None:
        self.collection = collection
        self.equivalent: list[Equivalent] = []
        self._spec = spec
        self._telling = KillChecker(spec)
        self._shown: dict[str, dict[int, tuple[Situation, list[Mutant]]]] = {}
        self._by: dict[int, list[Situation]] = {}
        """What shows a mutant, by its identity."""
        self._open: dict[int, Undecided] = {}
        self._fitting: dict[object, Sequence[Situation]] = {}

    def by_play(self, mutant: Mutant) -> None:
        """Looks for a situation of a game, or of what follows an example; also for one of the
        usual game with the fewest players, for engines that play no other."""
        self._telling.forget()
        played = [each for each in self._candidates(mutant) if each.origin != MADE_UP]
        found = self._use(mutant, played)
        if found is not None and not self._is_smallest(found):
            self._use(mutant, list(filter(self._is_smallest, played)))

    def _is_smallest(self, situation: Situation) -> bool:
        """Whether a situation is one of a usual game with the fewest players, from its start."""
        least = Configuration(self._spec.least, (), None)
        return situation.origin == PLAYED and situation.oracle.setup == least

    def by_solver(self, mutant: Mutant, solver: VectorSolver) -> None:
        """Asks the solver about a mutant that play does not show; if it does not know either, a
        situation that was made up may show it. Where the solver finds no situations, those that
        were made up come first."""
        if self._use_again(mutant, SOLVED) is not None:
            return
        if solver.is_futile and self._by_what_was_made_up(mutant):
            return
        told = solver.tell(mutant)
        if isinstance(told, Situation):
            self.keep(mutant, told)
        elif isinstance(told, Equivalent):
            self.equivalent.append(told)
        else:
            self._open[id(mutant)] = told
            self._by_what_was_made_up(mutant)

    def _by_what_was_made_up(self, mutant: Mutant) -> bool:
        self._telling.forget()
        made_up = [each for each in self._candidates(mutant) if each.origin == MADE_UP]
        return self._use(mutant, made_up) is not None

    def ask(
        self, solver: VectorSolver, everything: Sequence[Mutant], say: Callable[[str], None]
    ) -> None:
        """Asks the solver about all mutants that stay hidden."""
        hidden = [each.mutant for each in self.undecided(everything)]
        for number, mutant in enumerate(hidden):
            say(f"vectors: solver asked about {number} of {len(hidden)} that stay hidden")
            self.by_solver(mutant, solver)

    def smaller(self, mutant: Mutant, solver: VectorSolver) -> None:
        """Asks the solver for a situation like one that shows a mutant, but smaller."""
        by = self.by(mutant)
        if by is not None and self._use_again(mutant, SOLVED) is None:
            smaller = solver.smaller(mutant, by)
            if smaller is not None:
                self.keep(mutant, smaller)

    def by(self, mutant: Mutant) -> Situation | None:
        """The situation that showed a mutant first."""
        return next(iter(self._by.get(id(mutant), ())), None)

    def not_by(self, origin: int, everything: Sequence[Mutant]) -> list[Mutant]:
        """The mutants that no situation of an origin shows."""
        return [
            each
            for each in everything
            if all(situation.origin != origin for situation in self._by.get(id(each), ()))
        ]

    def without_a_game(self, visible: Sequence[Mutant]) -> list[tuple[Mutant, Situation]]:
        """The mutants that no game shows at all, each with what does; then those that no game of
        the fewest players shows, though something does."""
        none: list[tuple[Mutant, Situation]] = []
        some: list[tuple[Mutant, Situation]] = []
        for mutant in visible:
            shown = self._by[id(mutant)]
            few = [each for each in shown if each.oracle.setup.players == self._spec.least]
            if all(each.origin != PLAYED for each in shown):
                none.append((mutant, (few or shown)[0]))
            elif few and all(each.origin != PLAYED for each in few):
                some.append((mutant, few[0]))
        return [*none, *some]

    def undecided(self, everything: Sequence[Mutant]) -> list[Undecided]:
        """The mutants of which nothing is known, and why not."""
        equivalent = {id(each.mutant) for each in self.equivalent}
        return [
            self._open.get(id(each), Undecided(each, NO_TIME))
            for each in everything
            if id(each) not in self._by and id(each) not in equivalent
        ]

    def keep(self, mutant: Mutant, situation: Situation) -> None:
        """Takes a situation that shows a mutant."""
        used = self._shown.setdefault(mutant.label, {})
        used.setdefault(id(situation), (situation, []))[1].append(mutant)
        self._by.setdefault(id(mutant), []).append(situation)

    def shows(self, mutant: Mutant, situation: Situation) -> bool:
        """Whether a situation may show a mutant at all, and does."""
        return (
            self._telling.may_show(mutant, situation.transition.name)
            and self._telling.tells(mutant, situation)
            and bool(told_by(self._spec, mutant.spec, situation))
        )

    def _use(self, mutant: Mutant, candidates: Sequence[Situation]) -> Situation | None:
        """Takes the first situation that shows a mutant, one already used if it can be."""
        fit = {id(each) for each in candidates}
        used = self._shown.get(mutant.label, {})
        again = sorted(
            (each for each, _ in used.values() if id(each) in fit), key=lambda each: each.size
        )
        for situation in (*again, *candidates):
            if self.shows(mutant, situation):
                self.keep(mutant, situation)
                return situation
        return None

    def _use_again(self, mutant: Mutant, origin: int) -> Situation | None:
        """Takes a situation of this origin that shows another mutant of the same requirement."""
        used = self._shown.get(mutant.label, {})
        return self._use(mutant, [each for each, _ in used.values() if each.origin == origin])

    def vectors(self, everything: Sequence[Mutant]) -> Iterator[Vector]:
        """What was kept, with what it shows of all mistakes."""
        numbers = {id(each): number for number, each in enumerate(everything, start=1)}
        for label, used in self._shown.items():
            for situation, shown in used.values():
                mistakes = tuple(
                    Shown(numbers[id(each)], each.what, told_by(self._spec, each.spec, situation))
                    for each in shown
                )
                yield Vector(situation, label, shown[0].clauses, mistakes)

    # ---- what may show a mutant

    def _candidates(self, mutant: Mutant) -> Sequence[Situation]:
        """The situations that may show a mutant, the smallest first."""
        key = (mutant.transition, mutant.requirement, mutant.shared)
        if key not in self._fitting:
            self._fitting[key] = self._find_candidates(mutant)
        return self._fitting[key]

    def _find_candidates(self, mutant: Mutant) -> Sequence[Situation]:
        legal, refused = self.collection.legal, self.collection.refused
        every = [each for one in legal.values() for each in one]
        name = str(mutant.transition)
        if mutant.shared is not None:
            kinds = [[*every, *self._refused(mutant.shared)]]
        elif self._telling.is_step(mutant):
            asked = mutant.requirement is not None
            kinds = [[each for each in every if asked or name in _steps_of(each)]]
        elif mutant.requirement is None:
            kinds = [legal.get(name, [])]
        else:
            kinds = [refused.get((name, mutant.requirement), []), legal.get(name, [])]
        found = [each for kind in kinds for each in _varied(self._bearing(mutant, kind))]
        return sorted(found, key=lambda each: each.origin)

    def _bearing(self, mutant: Mutant, situations: Sequence[Situation]) -> list[Situation]:
        """The situations whose event and set-up have to do with what is mistaken. What the usual
        rules never allow is looked at wherever it is allowed, and what an example tries wherever a
        requirement decides."""
        telling = self._telling
        usual = {name for name, some in self.collection.legal.items() if any(map(_is_usual, some))}
        readings = {each.name for each in self._spec.readings if telling.matters(each.name, mutant)}
        return [
            each
            for each in situations
            if telling.may_show(mutant, each.transition.name)
            and (
                each.transition.name not in usual
                or (each.origin == TRIED and mutant.requirement is not None)
                or readings.issuperset(name for name, _ in each.oracle.setup.readings)
            )
        ]

    def _refused(self, shared: str) -> Iterator[Situation]:
        """What a requirement refuses that leans on something shared."""
        for (name, number), situations in self.collection.refused.items():
            transition = self._spec.transition(name)
            assert transition is not None
            condition = requirements(transition)[number].condition
            if shared in self._telling.dependencies.closure([condition]):
                yield from situations


def _is_usual(situation: Situation) -> bool:
    return not situation.oracle.setup.readings


def _steps_of(situation: Situation) -> set[str]:
    """The steps that followed from an event."""
    carried_out = situation.oracle.carried_out(situation.done or b"")
    return {each.name for each in carried_out if isinstance(each, c.Transition)}


def _varied(situations: Sequence[Situation]) -> list[Situation]:
    """The smallest of each kind first, so that few have to be tried; of each origin as many, and
    one set-up after another, since a mutant is compiled for each."""
    kinds: dict[object, int] = {}
    origins: dict[int, list[tuple[int, int, Situation]]] = {}
    setups = {each.oracle.setup: None for each in situations}
    order = {setup: number for number, setup in enumerate(setups)}
    for number, each in enumerate(sorted(situations, key=lambda each: each.size)):
        kind = (each.event[0], each.refused_by, each.done, each.oracle.setup, each.origin)
        kinds[kind] = kinds.get(kind, 0) + 1
        origins.setdefault(each.origin, []).append((kinds[kind], number, each))
    found = []
    for alike in origins.values():
        ranked = sorted(alike, key=lambda one: one[:2])
        if ranked[0][2].origin != TRIED:  # examples try little, and each has its reason
            ranked = ranked[:MOST_TRIED]
        ranked.sort(key=lambda one: order[one[2].oracle.setup])
        found += [one[2] for one in ranked]
    return found


def _setups(spec: c.Spec) -> list[Configuration]:
    """With the fewest players, with three, with each option of each reading, and with any other
    number of players."""
    numbers = dict.fromkeys([spec.least, max(spec.least, min(spec.most, 3))])
    found = [Configuration(number, (), None) for number in numbers]
    for reading in spec.readings:
        for option in reading.options:
            if option.name != reading.default:
                found.append(Configuration(spec.least, ((reading.name, option.name),), None))
    others = (each for each in range(spec.least, spec.most + 1) if each not in numbers)
    return [*found, *(Configuration(number, (), None) for number in others)]
