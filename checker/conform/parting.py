"""The question where a mutant parts from the spec: a position, an event, and what follows from it.

It is asked about any position in which the invariants hold and no step is due. *Unsatisfiable*
means that the event is allowed by both or by neither and leads both to the same position; a model
is a situation that tells the mutant from the spec. Asking is the work of `solved`.
"""

from __future__ import annotations

from collections.abc import Iterator

from checker.conform.mutants import Mutant
from checker.conform.shared import RESULT, Leaning
from checker.meaning import core as c
from checker.play.instance import Instance
from checker.play.rules import results
from checker.smt.expression import Expressions
from checker.smt.restrict import Facts
from checker.smt.scene import Scene, World
from checker.smt.statement import State, Statements, Taken
from checker.smt.term import FALSE, TRUE, Term
from checker.smt.text import Labelled
from checker.smt.value import Members, same
from checker.vc.context import ProofContext, Setting
from checker.vc.questions import SETTLED, begins_settled, same_state

NOBODY = "nobody has answered outside a simultaneous phase"


MOST_STEPS = 3
"""Of so many steps any number may follow one another; of more, nothing is asked."""


class Parting:
    """One transition by which a mutant may part from the spec: what is assumed, what is looked
    for, and the unknowns of the event."""

    def __init__(
        self, transition: c.Transition, assumed: list[Labelled], goal: Term, locals: State
    ) -> None:
        self.transition = transition
        self.assumed = assumed
        self.goal = goal
        self.locals = locals


class Twin(ProofContext):
    """The mutant over the position of the spec, which it shares."""

    def __init__(self, ground: ProofContext, mutant: Mutant) -> None:
        self.spec = spec = mutant.spec
        self.setting = ground.setting
        self.instance = Instance(spec, ground.setting.players, dict(ground.setting.readings))
        self.world = World(self.instance)
        self.world.terms = ground.terms
        self.world.tables = {
            name: table
            for name, table in ground.world.tables.items()
            if f"table {name}" != mutant.shared
        }
        self.terms = ground.terms
        self.ex = Expressions(self.world)
        self.statements = Statements(self.ex)
        self.state = ground.state
        self.invariants = []


class Original:
    """The spec in a setting, ready to be compared with its mutants."""

    def __init__(self, spec: c.Spec, setting: Setting) -> None:
        self.ground = ProofContext(spec, setting)
        self.terms = self.ground.terms
        self.leaning = Leaning(spec)
        self._taken: dict[str, Taken] = {}
        self._after: dict[str, tuple[State, Term]] = {}
        accepted = self.ground.instance.accepted
        settled = TRUE
        if begins_settled(self.ground):  # else a step may be due where the first event happens
            settled = self.terms.no(self.ground.step_due(self.ground.state))
            self.ground.world.take_hazards()
        self.known = [
            *(each for each in self.ground.invariants if each.label not in accepted),
            Labelled(SETTLED, settled),
            Labelled(NOBODY, self._nobody_answered()),
        ]

    def events(self, mutant: Mutant) -> list[c.Transition]:
        """The moves and chance events by which a mutant may show; if by none of them it does, it
        is equivalent."""
        played = [each for each in self.ground.spec.transitions if each.kind != "step"]
        if self._matters_in_steps(mutant) or self._matters_in_results(mutant):
            return played
        return [
            each
            for each in played
            if each.name == mutant.transition or mutant.shared in self.leaning.of[each.name]
        ]

    def partings(self, mutant: Mutant, transition: c.Transition) -> Iterator[Parting | None]:
        """Where a mutant parts from the spec by a transition. What follows by itself makes a
        question big, so where the event alone may show a mistake, that is asked first; only the
        last of the questions rules a mistake out. None if that one is not asked, because too many
        steps may follow."""
        if mutant.transition == transition.name and mutant.condition is not None:
            yield self._decision(transition, mutant)
            return
        results = self._matters_in_results(mutant)
        here = mutant.transition == transition.name
        folded = results or (not here and self._matters_in_steps(mutant))
        twin = Twin(self.ground, mutant)
        if folded and mutant.shared in self.leaning.of[transition.name]:
            yield self._outcome(transition, twin, folded=False, results=False)
        if folded and len(self.ground.instance.of_kind("step")) > MOST_STEPS:
            yield None
        else:
            yield self._outcome(transition, twin, folded, results)

    def _nobody_answered(self) -> Term:
        """Acting in a simultaneous phase is noted in `answered`, and a change of phase empties it;
        so elsewhere it is empty, which nobody writes down as an invariant."""
        answered = self.ground.state.get("answered")
        if not isinstance(answered, Members):
            return TRUE
        together = [each.name for each in self.ground.spec.phases if each.simultaneous]
        elsewhere = self.terms.no(self.ground.phase_is(self.ground.state, together))
        nobody = self.terms.no(self.terms.either(answered.flags.values()))
        return self.terms.implies(elsewhere, nobody)

    def _decision(self, transition: c.Transition, mutant: Mutant) -> Parting:
        """Where all other requirements hold and this one decides, one way or the other."""
        terms, ground = self.terms, self.ground
        taken = self.take(transition)
        assert mutant.requirement is not None and mutant.condition is not None
        asked = [each.holds for each in taken.asked]
        here = asked.pop(mutant.requirement)
        scene = Scene(ground.state, ground.state, taken.locals)
        for before in asked[: mutant.requirement]:
            scene = scene.where(before)
        ground.world.take_hazards()
        mistaken = ground.ex.term(mutant.condition, scene)
        mistaken = terms.both(mistaken, ground.safe(ground.world.take_hazards()))
        decides = terms.either(
            (terms.both(here, terms.no(mistaken)), terms.both(terms.no(here), mistaken))
        )
        return self._parting(transition, taken, terms.every((*asked, decides)))

    def _outcome(
        self, transition: c.Transition, twin: Twin, folded: bool, results: bool
    ) -> Parting:
        """Where the transition is allowed by one only, or leads elsewhere: at once or, if `folded`,
        when the steps that it sets off are done; to another position or, if `results`, to other
        scores or winners."""
        terms, ground = self.terms, self.ground
        taken = self.take(transition)
        wrong = twin.statements.take(
            twin.instance.transitions[transition.name], ground.state, taken.locals
        )
        allowed = terms.every(each.holds for each in taken.asked)
        wrongly_asked = terms.every(each.holds for each in wrong.asked)
        wrongly_allowed = terms.both(wrongly_asked, twin.safe(wrong.hazards))
        elsewhere = [terms.no(wrongly_allowed), terms.no(twin.safe(wrong.body_hazards))]
        expected, after = taken.after, wrong.after
        if folded:
            expected, due = self._settled(transition, taken)
            after, sure = _stepped(twin, after)
            elsewhere += [due, twin.step_due(after), terms.no(sure)]
        elsewhere.append(terms.no(same_state(ground, expected, after)))
        if results:
            elsewhere.append(self.other_results(twin, expected))
        certain = ground.safe(taken.body_hazards)
        differs = terms.every((allowed, certain, terms.either(elsewhere)))
        let_pass = terms.both(terms.no(allowed), wrongly_allowed)
        return self._parting(transition, taken, terms.any_of(differs, let_pass))

    def other_results(self, twin: Twin, state: State) -> Term:
        """Where the mutant has other scores or, at the end of a game, other winners."""
        terms, ground = self.terms, self.ground
        final = ground.phase_is(state, list(ground.instance.final_phases))
        found = []
        for right in results(ground.instance):
            counts = TRUE if right.name == "score" else final
            for seat in range(1, ground.instance.players + 1):
                scene = Scene(state, state, {right.params[0].name: terms.number(seat)})
                said = ground.ex.value(right.body, scene)
                wrongly = twin.ex.value(twin.instance.functions[right.name].body, scene)
                found.append(terms.both(counts, terms.no(same(terms, said, wrongly))))
        ground.world.take_hazards()
        twin.world.take_hazards()
        return terms.either(found)

    def _settled(self, transition: c.Transition, taken: Taken) -> tuple[State, Term]:
        """The position when the steps after a transition are done, and where they are not."""
        if transition.name not in self._after:
            state, _ = _stepped(self.ground, taken.after)
            self._after[transition.name] = state, self.ground.step_due(state)
            self.ground.world.take_hazards()
        return self._after[transition.name]

    def _parting(self, transition: c.Transition, taken: Taken, goal: Term) -> Parting:
        sure = Labelled("safe", self.ground.safe(taken.hazards))
        return Parting(transition, [*self.known, sure], goal, taken.locals)

    def take(self, transition: c.Transition) -> Taken:
        if transition.name not in self._taken:
            locals = self.ground.parameters(transition)
            self._taken[transition.name] = self.ground.statements.take(
                transition, self.ground.state, locals
            )
        return self._taken[transition.name]

    # ---- where a mistake matters

    def _matters_in_steps(self, mutant: Mutant) -> bool:
        """Whether a mutant says something else about what happens by itself."""
        return any(
            each.name == mutant.transition or mutant.shared in self.leaning.of[each.name]
            for each in self.ground.instance.of_kind("step")
        )

    def _matters_in_results(self, mutant: Mutant) -> bool:
        """Whether a mutant says something else about scores and winners."""
        return mutant.shared in self.leaning.of[RESULT]


def _stepped(ground: ProofContext, state: State) -> tuple[State, Term]:
    """The position after as many steps as there are, each the first that is due, and that the
    rules have an answer all the way."""
    sure = TRUE
    for _ in ground.instance.of_kind("step"):
        state, _, answered = step(ground, state)
        sure = ground.terms.both(sure, answered)
    return state, sure


def step(ground: ProofContext, state: State) -> tuple[State, Term, Term]:
    """The position after the first step that is due, if any is; whether one is; and that the
    rules have an answer."""
    terms = ground.terms
    after: State = state
    any_due, sure = FALSE, TRUE
    for taken, due in reversed(_due(ground, state)):
        carried_out = terms.implies(due, ground.safe(taken.body_hazards))
        later = terms.any_of(due, sure)  # what comes after the first step that is due is not asked
        sure = terms.every((ground.safe(taken.hazards), carried_out, later))
        any_due = terms.any_of(due, any_due)
        if due is not FALSE:
            after = ground.statements.joined(due, taken.after, after)
    return after, any_due, sure


def _due(ground: ProofContext, state: State) -> list[tuple[Taken, Term]]:
    """The steps, each with where it is due if none of those before it is. Most often two of the
    same phase are the opposite of each other, which is plain then and no question to a solver."""
    terms = ground.terms
    found: list[tuple[Taken, Term]] = []
    for step in ground.instance.of_kind("step"):
        taken = ground.statements.take(step, state, {})
        phase, *others = (each.holds for each in taken.asked)
        here = Facts(terms, [phase])
        known = Facts(terms, [terms.no(here.term(earlier)) for _, earlier in found])
        found.append((taken, terms.both(phase, known.term(terms.every(others)))))
    return found
