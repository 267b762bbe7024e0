"""Test vectors by the solver: for a mutant, the smallest position and event that kill it.

The solver is asked where mutant and spec part, then for a position that is as at the start of a
game in all but so few places, fewer and fewer. Its work is counted rather than timed, so that the
same question always has the same answer. What it finds counts only when the evaluator has replayed
it; mutants that it shows to be no mistake at all are told apart from those that it gives up on, of
which `Equivalence` is asked for a proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from rulewright.compare.equivalence import Equivalence, Refuted
from rulewright.compare.minimize import as_at_start, wished
from rulewright.conform.inputs.test_cases import SOLVED, Situation
from rulewright.conform.mutation.difference_query import OriginalContext, TransitionQuestion
from rulewright.conform.mutation.judgement import said_by
from rulewright.conform.mutation.mutants import Mutant
from rulewright.conform.oracle.configurations import Oracles
from rulewright.kernel.comparison import Comparison
from rulewright.kernel.ledger import Key, LedgerEntry
from rulewright.kernel.outcome import Outcome
from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Configuration
from rulewright.play.semantics.rules import broken_invariants
from rulewright.prove.invariants.lemmas import Lemmas
from rulewright.smt.encode.symbolic_values import UnboundedError, leaves
from rulewright.smt.solver.decode_model import Model, decode
from rulewright.smt.solver.model_values import UnreadableError
from rulewright.smt.solver.smtlib import LabelledAssertion, script
from rulewright.smt.solver.solver import SAT, UNSAT, Z3, SolverAnswer
from rulewright.smt.terms.term import FALSE, TRUE
from rulewright.syntax.node import Node, replace
from rulewright.vc.conditions import EARLIER, SETTLED
from rulewright.vc.context import ProofContext
from rulewright.vc.difference import SAFE

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


MutantStatus = Situation | Equivalent | Undecided
"""What shows a mutant; or that nothing can; or that this could not be decided."""
TOO_BIG = "its values are too many to ask a solver"
TOO_LONG = "too many steps may follow one another to ask a solver"
GIVEN_UP = "the solver gave up"
NOT_PLAYED = "what the solver found does not come out so when it is played"
TOO_HARD = "the solver had given up on such questions before"
TOO_MUCH = "so much had been asked about this game that no more was"
NO_TIME = "there was no time left"
UNPROVED = "it is equivalent by something that is not proved"
NO_PROOF = "a solver finds nothing that shows it, but there is no proof that nothing does"
OWN = frozenset({"", SAFE, EARLIER, SETTLED})
"""Labels of what is known without an invariant."""
LEMMA = 10.0
"""Seconds' worth of work for each question about an invariant that is leaned on."""


class VectorSolver:
    """Asks the solver about the mutants of a spec, one after another."""

    def __init__(self, oracles: Oracles, setups: Sequence[Configuration]) -> None:
        self._rulebook = oracles
        self._setups = setups
        self._originals: dict[Configuration, OriginalContext] = {}
        self._open: dict[tuple[Configuration, str], int] = {}
        self._found = 0
        self._written = 0
        self._written_for_smaller = 0
        self._equivalence = Equivalence()
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

    def tell(self, mutant: Mutant) -> MutantStatus:
        """What can be said of a mutant. What is too hard with few players is not asked again with
        more."""
        futile = self.is_futile
        proof_first = futile or self._is_step(mutant)
        told: MutantStatus | None = None
        try:
            if proof_first:
                told = self._proved(mutant)
            if told is None and not futile:
                told = self._looked_for(mutant)
                if told is None:
                    told = self._proved(mutant, sure=True) or Undecided(mutant, NO_PROOF)
                elif isinstance(told, Undecided) and not proof_first:
                    told = self._proved(mutant) or told
        except UnboundedError:
            return Undecided(mutant, TOO_BIG)
        return told or Undecided(mutant, GIVEN_UP)

    def _looked_for(self, mutant: Mutant) -> Situation | Undecided | None:
        """A situation that shows a mutant, None if a solver finds none in any set-up."""
        self._why = GIVEN_UP
        for setup in self._setups:
            told = self._told(setup, mutant)
            if told is not None:
                return told
        return None

    def _told(self, setup: Configuration, mutant: Mutant) -> Situation | Undecided | None:
        """What can be said of a mutant in a set-up; None if nothing shows it there."""
        decided = True
        for transition in self._original(setup).events(mutant):
            if self._written > MOST_WRITTEN:
                return Undecided(mutant, TOO_MUCH)
            told = self._ask(setup, transition, mutant, MORE_PATIENCE)
            if isinstance(told, Situation):
                self._found += 1
                return told
            decided = decided and told is not None
        return None if decided else Undecided(mutant, self._why)

    def _is_step(self, mutant: Mutant) -> bool:
        """Whether a mistake is in something that happens by itself: whatever leads there, it is
        little to ask whether that is the same."""
        return any(
            each.name == mutant.transition and each.kind == "step"
            for each in self._rulebook.spec.transitions
        )

    def _proved(self, mutant: Mutant, sure: bool = False) -> Equivalent | None:
        """That a mutant is the same as the spec in every set-up, by the kernel's word. Where it is
        `sure` that there is a proof, more is done for it."""
        found: dict[Configuration, Refuted] = {}
        for setup in self._setups:
            if self._unproved >= MOST_UNPROVED and not sure:
                return None
            original = self._original(setup)
            chosen = (setup.readings, setup.readings)
            ledger = Comparison(self._rulebook.spec, mutant.spec, setup.players, chosen, True)
            usual = found.get(Configuration(setup.players, (), None), [])
            for subject, outcome in usual:
                ledger.carry(outcome, subject, self._entries(setup, ledger, outcome))
            known = [each for each in original.known if each.label != SETTLED]
            refuted = self._equivalence.refuted(original.context, known, mutant.spec, ledger, sure)
            if refuted is None:
                self._unproved += not sure
                return None
            for _, outcome in refuted:
                ledger.note(outcome, self._entries(setup, ledger, outcome))
            if not ledger.equivalent():
                self._why = UNPROVED
                return None
            found[setup] = [*usual, *refuted]
        used = {label for each in found.values() for _, outcome in each for label in outcome.used}
        return Equivalent(mutant, tuple(sorted(used - OWN)))

    def _entries(
        self, setup: Configuration, ledger: Comparison, outcome: Outcome
    ) -> Mapping[Key, LedgerEntry]:  # fmt: skip
        """What is shown of all that a refutation rests on."""
        configuration = Configuration(setup.players, setup.readings, setup.variant)
        names = [name for name, _ in ledger.rests(outcome)[0]]
        return self._lemmas.entries(self._original(setup).context.spec, configuration, names)

    def smaller(self, mutant: Mutant, shown: Situation) -> Situation | None:
        """A small situation with the kind of event of one that is known, in a game of the fewest
        players: an engine that plays only that should be told, too."""
        if self.is_tired:
            return None
        setup = replace(shown.oracle.setup, players=self._rulebook.spec.least)
        transition = self._rulebook.spec.transition(shown.transition.name)
        assert transition is not None
        self._work = WORK
        before = self._written
        try:
            told = self._ask(setup, transition, mutant, PATIENCE)
        except UnboundedError:
            return None
        finally:
            self._written_for_smaller += self._written - before
        return told if isinstance(told, Situation) else None

    def _original(self, setup: Configuration) -> OriginalContext:
        if setup not in self._originals:
            configuration = Configuration(setup.players, setup.readings, setup.variant)
            self._originals[setup] = OriginalContext(self._rulebook.spec, configuration)
        return self._originals[setup]

    def _ask(
        self, setup: Configuration, transition: c.Transition, mutant: Mutant, patience: int
    ) -> Situation | bool | None:
        """A situation, False if there is none, None if that is not known; about a transition that
        has proved too hard nothing is asked any more."""
        key = setup, transition.name
        if self._open.get(key, 0) >= patience:
            self._why = TOO_HARD
            return None
        told: Situation | bool | None = None
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
        self, setup: Configuration, parting: TransitionQuestion, mutant: Mutant
    ) -> Situation | bool | None:
        if parting.goal is FALSE:
            return False
        context = self._originals[setup].context
        assumed = [each for each in parting.assumed if each.term is not TRUE]
        must = [*assumed, LabelledAssertion("parting", parting.goal)]
        text = script([*must, *_places(context, parting)])
        self._written += len(text.text)
        solver = Z3(text.text)
        solver.limit(self._work)
        names = list(text.names.values())
        asked, levels = text.switches[: len(must)], text.switches[len(must) :]
        answer = solver.check(asked, SECONDS, names)
        if answer.result == UNSAT:
            return False
        if answer.result != SAT:
            self._why = GIVEN_UP
            return None
        solver.limit(WORK // 5)
        for found in (_smallest(solver, asked, levels, names), answer):
            if found is not None and found.model is not None:
                model = Model(text.names, found.model)
                situation = self._situation(setup, context, parting, model)
                if situation is not None and self._tells(mutant, situation):
                    return situation
        self._why = NOT_PLAYED
        return None

    def _tells(self, mutant: Mutant, situation: Situation) -> bool:
        """Whether the evaluator finds that a situation shows a mutant."""
        return bool(said_by(mutant.spec, situation) != said_by(self._rulebook.spec, situation))

    def _situation(
        self, setup: Configuration, context: ProofContext, parting: TransitionQuestion, model: Model
    ) -> Situation | None:
        """What a model stands for, if the evaluator finds it to be a situation at all."""
        oracle = self._rulebook.oracle(setup)
        try:
            position = _decoded(context, context.state, _types(context), model)
            given = _decoded(
                context, parting.locals, context.parameter_types(parting.transition), model
            )
            mover = parting.transition.mover
            by = None if mover is None else given.pop(mover)
            if broken_invariants(oracle.instance, position):
                return None
            state = oracle.state(position)
            event = oracle.machine.encode(Event(parting.transition.name, by, given))
            if oracle.is_stepping(state):
                return None
            broken = oracle.broken(state, event)
            done = None if broken else oracle.take(state, event)[1]
        except (EvaluationError, UnreadableError):
            return None
        refused_by = broken[0] if broken else None
        return Situation(oracle, state, event, refused_by, done, None, None, SOLVED)


def _types(context: ProofContext) -> dict[str, Any]:
    return {name: each.type for name, each in context.instance.variables.items()}


def _decoded(
    context: ProofContext, values: Mapping[str, Any], types: Mapping[str, Any], model: Model
) -> dict[str, Any]:
    return {
        name: decode(value, types[name], model, context.world.domains)
        for name, value in values.items()
    }


def _places(context: ProofContext, parting: TransitionQuestion) -> list[LabelledAssertion]:
    """That the position and the event are plain in all but so many places, from few to many."""
    terms = context.terms
    plain = dict(as_at_start(context, context.state))
    for value in parting.locals.values():
        plain.update({leaf: leaf.low or 0 for leaf in leaves(value)})
    wishes = [each.term for each in wished(terms, list(plain.items()))]
    return [
        LabelledAssertion("", terms.at_least(len(wishes) - places, wishes))
        for places in PLACES
        if places < len(wishes)
    ]


def _smallest(
    solver: Z3, asked: Sequence[str], levels: Sequence[str], names: Sequence[str]
) -> SolverAnswer | None:
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
