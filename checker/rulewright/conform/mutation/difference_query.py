"""The question where a mutant parts from the spec: a position, an event, and what follows from it.

It is asked about any position in which the invariants hold and no step is due. *Unsatisfiable*
means that the event is allowed by both or by neither and leads both to the same position; a model
is a situation that tells the mutant from the spec. Asking is the work of `solver_vectors`.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.conform.mutation.dependencies import RESULT, DependencyGraph
from rulewright.conform.mutation.mutants import Mutant
from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Configuration
from rulewright.play.semantics.rules import results
from rulewright.smt.encode.environment import SymbolicEnvironment
from rulewright.smt.encode.statement import EncodedTransition, State
from rulewright.smt.encode.symbolic_values import same
from rulewright.smt.solver.smtlib import LabelledAssertion
from rulewright.smt.terms.term import TRUE, Term
from rulewright.vc.conditions import SETTLED, begins_settled, same_state
from rulewright.vc.context import ProofContext
from rulewright.vc.difference import nobody_answered
from rulewright.vc.product import Mutated
from rulewright.vc.stepping import stepped

MOST_STEPS = 3
"""Of so many steps any number may follow one another; of more, nothing is asked."""


class TransitionQuestion:
    """One transition by which a mutant may part from the spec: what is assumed, what is looked
    for, and the unknowns of the event."""

    def __init__(
        self, transition: c.Transition, assumed: list[LabelledAssertion], goal: Term, locals: State
    ) -> None:
        self.transition = transition
        self.assumed = assumed
        self.goal = goal
        self.locals = locals


class OriginalContext:
    """The spec in a setting, ready to be compared with its mutants."""

    def __init__(self, spec: c.Spec, configuration: Configuration) -> None:
        self.context = ProofContext(spec, configuration)
        self.terms = self.context.terms
        self.dependencies = DependencyGraph(spec)
        self._taken: dict[str, EncodedTransition] = {}
        self._after: dict[str, tuple[State, Term]] = {}
        accepted = self.context.instance.accepted
        settled = TRUE
        if begins_settled(self.context):  # else a step may be due where the first event happens
            settled = self.terms.no(self.context.step_due(self.context.state))
            self.context.world.take_hazards()
        self.known = [
            *(each for each in self.context.invariants if each.label not in accepted),
            LabelledAssertion(SETTLED, settled),
            nobody_answered(self.context),
        ]

    def events(self, mutant: Mutant) -> list[c.Transition]:
        """The moves and chance events by which a mutant may show; if by none of them it does, it
        is equivalent."""
        played = [each for each in self.context.spec.transitions if each.kind != "step"]
        if self._matters_in_steps(mutant) or self._matters_in_results(mutant):
            return played
        return [
            each
            for each in played
            if each.name == mutant.transition or mutant.shared in self.dependencies.of[each.name]
        ]

    def partings(
        self, mutant: Mutant, transition: c.Transition
    ) -> Iterator[TransitionQuestion | None]:
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
        twin = Mutated(self.context, mutant.spec)
        if folded and mutant.shared in self.dependencies.of[transition.name]:
            yield self._outcome(transition, twin, folded=False, results=False)
        if folded and len(self.context.instance.of_kind("step")) > MOST_STEPS:
            yield None
        else:
            yield self._outcome(transition, twin, folded, results)

    def _decision(self, transition: c.Transition, mutant: Mutant) -> TransitionQuestion:
        """Where all other requirements hold and this one decides, one way or the other."""
        terms, context = self.terms, self.context
        taken = self.take(transition)
        assert mutant.requirement is not None and mutant.condition is not None
        asked = [each.holds for each in taken.asked]
        here = asked.pop(mutant.requirement)
        env = SymbolicEnvironment(context.state, context.state, taken.locals)
        for before in asked[: mutant.requirement]:
            env = env.where(before)
        context.world.take_hazards()
        mistaken = context.ex.term(mutant.condition, env)
        mistaken = terms.both(mistaken, context.safe(context.world.take_hazards()))
        decides = terms.either(
            (terms.both(here, terms.no(mistaken)), terms.both(terms.no(here), mistaken))
        )
        return self._parting(transition, taken, terms.every((*asked, decides)))

    def _outcome(
        self, transition: c.Transition, twin: Mutated, folded: bool, results: bool
    ) -> TransitionQuestion:
        """Where the transition is allowed by one only, or leads elsewhere: at once or, if `folded`,
        when the steps that it sets off are done; to another position or, if `results`, to other
        scores or winners."""
        terms, context = self.terms, self.context
        taken = self.take(transition)
        wrong = twin.statements.take(
            twin.instance.transitions[transition.name], context.state, taken.locals
        )
        allowed = terms.every(each.holds for each in taken.asked)
        wrongly_asked = terms.every(each.holds for each in wrong.asked)
        wrongly_allowed = terms.both(wrongly_asked, twin.safe(wrong.hazards))
        elsewhere = [terms.no(wrongly_allowed), terms.no(twin.safe(wrong.body_hazards))]
        expected, after = taken.after, wrong.after
        if folded:
            expected, due = self._settled(transition, taken)
            after, sure = stepped(twin, after)
            elsewhere += [due, twin.step_due(after), terms.no(sure)]
        elsewhere.append(terms.no(same_state(context, expected, after)))
        if results:
            elsewhere.append(self.other_results(twin, expected))
        certain = context.safe(taken.body_hazards)
        differs = terms.every((allowed, certain, terms.either(elsewhere)))
        let_pass = terms.both(terms.no(allowed), wrongly_allowed)
        return self._parting(transition, taken, terms.any_of(differs, let_pass))

    def other_results(self, twin: Mutated, state: State) -> Term:
        """Where the mutant has other scores or, at the end of a game, other winners."""
        terms, context = self.terms, self.context
        final = context.phase_is(state, list(context.instance.final_phases))
        found = []
        for right in results(context.instance):
            counts = TRUE if right.name == "score" else final
            for seat in range(1, context.instance.players + 1):
                env = SymbolicEnvironment(state, state, {right.params[0].name: terms.number(seat)})
                said = context.ex.value(right.body, env)
                wrongly = twin.ex.value(twin.instance.functions[right.name].body, env)
                found.append(terms.both(counts, terms.no(same(terms, said, wrongly))))
        context.world.take_hazards()
        twin.world.take_hazards()
        return terms.either(found)

    def _settled(self, transition: c.Transition, taken: EncodedTransition) -> tuple[State, Term]:
        """The position when the steps after a transition are done, and where they are not."""
        if transition.name not in self._after:
            state, _ = stepped(self.context, taken.after)
            self._after[transition.name] = state, self.context.step_due(state)
            self.context.world.take_hazards()
        return self._after[transition.name]

    def _parting(
        self, transition: c.Transition, taken: EncodedTransition, goal: Term
    ) -> TransitionQuestion:
        sure = LabelledAssertion("safe", self.context.safe(taken.hazards))
        return TransitionQuestion(transition, [*self.known, sure], goal, taken.locals)

    def take(self, transition: c.Transition) -> EncodedTransition:
        if transition.name not in self._taken:
            locals = self.context.parameters(transition)
            self._taken[transition.name] = self.context.statements.take(
                transition, self.context.state, locals
            )
        return self._taken[transition.name]

    # ---- where a mistake matters

    def _matters_in_steps(self, mutant: Mutant) -> bool:
        """Whether a mutant says something else about what happens by itself."""
        return any(
            each.name == mutant.transition or mutant.shared in self.dependencies.of[each.name]
            for each in self.context.instance.of_kind("step")
        )

    def _matters_in_results(self, mutant: Mutant) -> bool:
        """Whether a mutant says something else about scores and winners."""
        return mutant.shared in self.dependencies.of[RESULT]
