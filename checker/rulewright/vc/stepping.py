"""What happens by itself: the position after the step that is due, or after as many as there are.

Beside the position stands where the rules have an answer on the way.
"""

from __future__ import annotations

from rulewright.smt.encode.statement import EncodedTransition, State
from rulewright.smt.terms.assume import AssumedFacts
from rulewright.smt.terms.term import FALSE, TRUE, Term
from rulewright.vc.context import ProofContext


def stepped(context: ProofContext, state: State) -> tuple[State, Term]:
    """The position after as many steps as there are, each the first that is due, and that the
    rules have an answer all the way."""
    sure = TRUE
    for _ in context.instance.of_kind("step"):
        state, _, answered = step(context, state)
        sure = context.terms.both(sure, answered)
    return state, sure


def step(context: ProofContext, state: State) -> tuple[State, Term, Term]:
    """The position after the first step that is due, if any is; whether one is; and that the
    rules have an answer."""
    terms = context.terms
    after: State = state
    any_due, sure = FALSE, TRUE
    for taken, due in reversed(_due(context, state)):
        carried_out = terms.implies(due, context.safe(taken.body_hazards))
        later = terms.any_of(due, sure)  # what comes after the first step that is due is not asked
        sure = terms.every((context.safe(taken.hazards), carried_out, later))
        any_due = terms.any_of(due, any_due)
        if due is not FALSE:
            after = context.statements.joined(due, taken.after, after)
    return after, any_due, sure


def _due(context: ProofContext, state: State) -> list[tuple[EncodedTransition, Term]]:
    """The steps, each with where it is due if none of those before it is. Most often two of the
    same phase are the opposite of each other, which is plain then and no question to a solver."""
    terms = context.terms
    found: list[tuple[EncodedTransition, Term]] = []
    for step in context.instance.of_kind("step"):
        taken = context.statements.take(step, state, {})
        phase, *others = (each.holds for each in taken.asked)
        here = AssumedFacts(terms, [phase])
        known = AssumedFacts(terms, [terms.no(here.term(earlier)) for _, earlier in found])
        found.append((taken, terms.both(phase, known.term(terms.every(others)))))
    return found
