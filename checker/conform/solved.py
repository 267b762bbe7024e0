"""Situations found by the solver: for a mutant, the smallest position and event that show it.

The solver is asked where mutant and spec part, then for a position that is as at the start of a
game in all but so few places, fewer and fewer. Its work is counted rather than timed, so that the
same question always has the same answer. What it finds counts only when the evaluator has replayed
it; mutants that it shows to be no mistake at all are told apart from those that it gives up on, of
which `alike` is asked for a proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from checker.change.small import as_at_start, wished
from checker.conform.alike import OWN, SAFE, Alike
from checker.conform.mutants import Mutant
from checker.conform.parting import Original, Parting
from checker.conform.referee import Setup
from checker.conform.ruling import said_by
from checker.conform.setups import Rulebook
from checker.conform.situations import SOLVED, Situation
from checker.meaning import core as c
from checker.play.errors import EvaluationError
from checker.play.event import Event
from checker.play.rules import broken_invariants
from checker.prove.lemmas import Lemmas
from checker.smt.decode import Model, decode
from checker.smt.solver import SAT, UNSAT, Z3, Answer
from checker.smt.term import FALSE, TRUE
from checker.smt.text import Labelled, script
from checker.smt.value import UnboundedError, leaves
from checker.smt.values import UnreadableError
from checker.syntax.node import Node
from checker.vc.context import ProofContext, Setting
from checker.vc.questions import SETTLED

WORK = 2_000_000
"""Units of work for a question; most take a twentieth of it."""
MORE_WORK = 30_000_000
"""For the few questions that are left."""
SECONDS = inf
"""Nothing but its work limits a question."""
PLACES = (*range(13), 16, 20, 26, 34)
"""In at most so many places a position may differ from the start; the smallest that can be."""
PATIENCE, MORE_PATIENCE = 3, 12
"""Questions about a transition that stay open one after another before it is given up; more of
them for mutants that play does not show."""
MOST_WRITTEN = 24_000_000
"""Characters of questions about a game; of what play does not show and is left then, nothing is
known."""
SMALLER_WRITTEN = 8_000_000
"""As many more to find small positions in place of those of games."""
FUTILE = 6
"""Open questions after which situations are no longer looked for, in a game in which none was
found yet: its positions are too big. From then on only a proof is asked for."""
MOST_UNPROVED = 16
"""Mutants without a proof; then none is looked for any more."""


class Equivalent(Node):
    """A mutant that says the same as the spec in every position that these invariants allow."""

    mutant: Mutant
    given: tuple[str, ...]


class Undecided(Node):
    """A mutant of which neither is known, and why not."""

    mutant: Mutant
    why: str


Told = Situation | Equivalent | Undecided
"""What shows a mutant; or that nothing can; or that this could not be decided."""
TOO_BIG = "its values are too many to ask a solver"
TOO_LONG = "too many steps may follow one another to ask a solver"
GIVEN_UP = "the solver gave up"
NOT_PLAYED = "what the solver found does not come out so when it is played"
TOO_HARD = "the solver had given up on such questions before"
TOO_MUCH = "so much had been asked about this game that no more was"
NO_TIME = "there was no time left"
UNPROVED = "it is equivalent by an invariant that is not proved"
LEMMA = 10.0
"""Seconds' worth of work for each question about an invariant that is leaned on."""


class Finder:
    """Asks the solver about the mutants of a spec, one after another."""

    def __init__(self, rulebook: Rulebook, setups: Sequence[Setup]) -> None:
        self._rulebook = rulebook
        self._setups = setups
        self._originals: dict[Setup, Original] = {}
        self._open: dict[tuple[Setup, str], int] = {}
        self._found = 0
        self._written = 0
        self._written_for_smaller = 0
        self._alike = Alike()
        self._unproved = 0
        self._lemmas = Lemmas(LEMMA, None, 1)
        self._work = WORK
        self._why = GIVEN_UP
        """Why the last question stays open."""

    def try_harder(self) -> bool:
        """Takes more pains from now on; not if that is in vain in this game."""
        if self.is_futile:
            return False
        self._work, self._open = MORE_WORK, {}
        return True

    @property
    def is_tired(self) -> bool:
        """Whether it looks for small positions no longer."""
        return self.is_futile or self._written_for_smaller > SMALLER_WRITTEN

    @property
    def is_futile(self) -> bool:
        """Whether it finds no situations in this game, whose positions are too big."""
        return not self._found and sum(self._open.values()) >= FUTILE

    def tell(self, mutant: Mutant) -> Told:
        """What can be said of a mutant. What is too hard with few players is not asked again with
        more."""
        futile = self.is_futile
        proof_first = futile or self._is_step(mutant)
        told: Told | None = None
        try:
            if proof_first:
                told = self._proved(mutant)
            if told is None and not futile:
                told = self._looked_for(mutant)
            if isinstance(told, Undecided) and not proof_first:
                told = self._proved(mutant) or told
        except UnboundedError:
            return Undecided(mutant, TOO_BIG)
        return told or Undecided(mutant, GIVEN_UP)

    def _looked_for(self, mutant: Mutant) -> Told:
        """A situation that shows a mutant, or that there is none in any set-up."""
        given: set[str] = set()
        self._why = GIVEN_UP
        for setup in self._setups:
            told = self._told(setup, mutant, given)
            if told is not None:
                return told
        return self._equivalent(mutant, given) or Undecided(mutant, self._why)

    def _told(self, setup: Setup, mutant: Mutant, given: set[str]) -> Told | None:
        """What can be said of a mutant in a set-up; None if nothing shows it there, and then what
        rules that out is added to what is `given`."""
        decided = True
        for transition in self._original(setup).events(mutant):
            if self._written > MOST_WRITTEN:
                return Undecided(mutant, TOO_MUCH)
            told = self._ask(setup, transition, mutant, MORE_PATIENCE)
            if isinstance(told, Situation):
                self._found += 1
                return told
            if told is None:
                decided = False
            else:
                given |= set(told)
        return None if decided else Undecided(mutant, self._why)

    def _is_step(self, mutant: Mutant) -> bool:
        """Whether a mistake is in something that happens by itself: whatever leads there, it is
        little to ask whether that is the same."""
        return any(
            each.name == mutant.transition and each.kind == "step"
            for each in self._rulebook.spec.transitions
        )

    def _proved(self, mutant: Mutant) -> Equivalent | None:
        """That a mutant is the same as the spec in every set-up."""
        given: dict[Setup, set[str]] = {}
        for setup in self._setups:
            if self._unproved >= MOST_UNPROVED:
                return None
            usual = given.get(Setup(setup.players, (), None))
            if usual is not None and not self._bears_on(setup, mutant, usual):
                continue
            found = self._alike.leans_on(self._original(setup), mutant)
            if found is None:
                self._unproved += 1
                return None
            given[setup] = found
        leaned = {label for found in given.values() for label in found}
        return self._equivalent(mutant, leaned - OWN)

    def _equivalent(self, mutant: Mutant, given: set[str]) -> Equivalent | None:
        """That a mutant is equivalent, if the invariants by which it is are proved everywhere."""
        properties = self._rulebook.spec.properties
        leaned = given & {each.name for each in properties if each.kind == "invariant"}
        for setup in self._setups if leaned else ():
            setting = Setting(setup.players, setup.readings, setup.variant)
            spec = self._original(setup).ground.spec
            if not leaned <= self._lemmas.proved(spec, setting, leaned):
                self._why = UNPROVED
                return None
        return Equivalent(mutant, tuple(sorted(given)))

    def _bears_on(self, setup: Setup, mutant: Mutant, used: set[str]) -> bool:
        """Whether a proof for the usual readings, by what it used, may fail in a set-up: where its
        readings matter neither to the rules that are mistaken nor to the invariants used, the same
        questions have the same answers."""
        original = self._original(setup)
        leaning = original.leaning
        mistaken = [
            of
            for name, of in leaning.of.items()
            if mutant.transition == name or mutant.shared in of
        ]
        claims = [each.claim for each in self._rulebook.spec.properties if each.name in used]
        read = leaning.closure(claims).union(*mistaken)
        return (
            setup.variant is not None
            or bool(used & (OWN - {SAFE}))
            or any(f"reading {name}" in read for name, _ in setup.readings)
            or not used.isdisjoint(original.ground.instance.accepted)
        )

    def smaller(self, mutant: Mutant, shown: Situation) -> Situation | None:
        """A small situation in the set-up and with the kind of event of one that is known."""
        if self.is_tired:
            return None
        setup, transition = shown.referee.setup, shown.transition
        self._work = WORK
        before = self._written
        try:
            told = self._ask(setup, transition, mutant, PATIENCE)
        except UnboundedError:
            return None
        finally:
            self._written_for_smaller += self._written - before
        return told if isinstance(told, Situation) else None

    def _original(self, setup: Setup) -> Original:
        if setup not in self._originals:
            setting = Setting(setup.players, setup.readings, setup.variant)
            self._originals[setup] = Original(self._rulebook.spec, setting)
        return self._originals[setup]

    def _ask(
        self, setup: Setup, transition: c.Transition, mutant: Mutant, patience: int
    ) -> Situation | list[str] | None:
        """A situation, what rules one out, or None; about a transition that has proved too hard
        nothing is asked any more."""
        key = setup, transition.name
        if self._open.get(key, 0) >= patience:
            self._why = TOO_HARD
            return None
        told: Situation | list[str] | None = None
        for parting in self._original(setup).partings(mutant, transition):
            if parting is None:
                told, self._why = None, TOO_LONG
            else:
                told = self._asked(setup, parting, mutant)
            if isinstance(told, Situation):
                break
        self._open[key] = self._open.get(key, 0) + 1 if told is None else 0
        return told

    def _asked(
        self, setup: Setup, parting: Parting, mutant: Mutant
    ) -> Situation | list[str] | None:
        if parting.goal is FALSE:
            return []
        ground = self._originals[setup].ground
        assumed = [each for each in parting.assumed if each.term is not TRUE]
        must = [*assumed, Labelled("parting", parting.goal)]
        text = script([*must, *_places(ground, parting)])
        self._written += len(text.text)
        solver = Z3(text.text)
        solver.limit(self._work)
        names = list(text.names.values())
        asked, levels = text.switches[: len(must)], text.switches[len(must) :]
        answer = solver.check(asked, SECONDS, names)
        if answer.result == UNSAT:
            used = (each.label for each, switch in zip(must, asked) if switch in answer.core)
            return [each for each in used if each not in ("parting", SETTLED)]
        if answer.result != SAT:
            self._why = GIVEN_UP
            return None
        solver.limit(WORK // 5)
        for found in (_smallest(solver, asked, levels, names), answer):
            if found is not None and found.model is not None:
                model = Model(text.names, found.model)
                situation = self._situation(setup, ground, parting, model)
                if situation is not None and self._tells(mutant, situation):
                    return situation
        self._why = NOT_PLAYED
        return None

    def _tells(self, mutant: Mutant, situation: Situation) -> bool:
        """Whether the evaluator finds that a situation shows a mutant."""
        return bool(said_by(mutant.spec, situation) != said_by(self._rulebook.spec, situation))

    def _situation(
        self, setup: Setup, ground: ProofContext, parting: Parting, model: Model
    ) -> Situation | None:
        """What a model stands for, if the evaluator finds it to be a situation at all."""
        referee = self._rulebook.referee(setup)
        try:
            position = _decoded(ground, ground.state, _types(ground), model)
            given = _decoded(
                ground, parting.locals, ground.parameter_types(parting.transition), model
            )
            mover = parting.transition.mover
            by = None if mover is None else given.pop(mover)
            if broken_invariants(referee.instance, position):
                return None
            state = referee.state(position)
            event = referee.machine.encode(Event(parting.transition.name, by, given))
            if referee.is_stepping(state):
                return None
            broken = referee.broken(state, event)
            done = None if broken else referee.take(state[:], event)
        except (EvaluationError, UnreadableError):
            return None
        refused_by = broken[0] if broken else None
        return Situation(referee, tuple(state), event, refused_by, done, None, None, SOLVED)


def _types(ground: ProofContext) -> dict[str, Any]:
    return {name: each.type for name, each in ground.instance.variables.items()}


def _decoded(
    ground: ProofContext, values: Mapping[str, Any], types: Mapping[str, Any], model: Model
) -> dict[str, Any]:
    return {
        name: decode(value, types[name], model, ground.world.domains)
        for name, value in values.items()
    }


def _places(ground: ProofContext, parting: Parting) -> list[Labelled]:
    """That the position and the event are plain in all but so many places, from few to many."""
    terms = ground.terms
    plain = dict(as_at_start(ground, ground.state))
    for value in parting.locals.values():
        plain.update({leaf: leaf.low or 0 for leaf in leaves(value)})
    wishes = [each.term for each in wished(terms, list(plain.items()))]
    return [
        Labelled("", terms.at_least(len(wishes) - places, wishes))
        for places in PLACES
        if places < len(wishes)
    ]


def _smallest(
    solver: Z3, asked: Sequence[str], levels: Sequence[str], names: Sequence[str]
) -> Answer | None:
    """The answer with the fewest places that are not plain."""
    best = None
    low, high = 0, len(levels)
    while low < high:
        middle = (low + high) // 2
        answer = solver.check([*asked, levels[middle]], SECONDS, names)
        if answer.result == SAT:
            best, high = answer, middle
        else:
            low = middle + 1
    return best
