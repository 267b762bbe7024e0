"""Questions besides proofs: whether a spec says anything, and whether its theorems hold.

Satisfiable is what is wanted here: that the invariants allow some position, that a transition can
happen, that a requirement decides something, that the condition of a property comes about. A
theorem speaks of nothing unknown, so that the evaluator decides it.
"""

from __future__ import annotations

from rulewright.kernel.query import Goal, Query
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.spec_memo import once_per_spec
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment as PlainScene
from rulewright.play.semantics.evaluate import evaluate
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.values import Position
from rulewright.prove.discharge.start_symmetry import in_every_setting
from rulewright.smt.encode.environment import SymbolicEnvironment
from rulewright.smt.terms.term import FALSE, TRUE
from rulewright.vc.conditions import assume, happens
from rulewright.vc.context import ProofContext

OF_THE_LANGUAGE = ("phase", "once", "in_order", "weight")
"""The last part of the labels of what transitions require without being told."""


def theorems(context: ProofContext) -> Query:
    """Unsatisfiable: the theorem has a value and it is true. Nothing in it is unknown, so this is
    for the evaluator to say."""
    goals = [
        Goal(each.name, "theorem", FALSE if _holds(context, each) else TRUE)
        for each in context.spec.properties
        if each.kind == "theorem"
    ]
    return Query("theorems", [], goals, {})


def _holds(context: ProofContext, theorem: c.Property) -> bool:
    known = _theorems(context.spec)
    if theorem.name in known:
        return known[theorem.name]
    holds = _is_true(context, theorem.claim, {})
    if in_every_setting(theorem.claim, context.instance.functions):
        known[theorem.name] = holds
    return holds


@once_per_spec
def _theorems(spec: c.Spec) -> dict[str, bool]:
    """Which theorems hold, of those that were asked about and are the same in every setting."""
    return {}


def _is_true(context: ProofContext, claim: c.Expr, position: Position) -> bool:
    try:
        return bool(evaluate(claim, PlainScene(context.instance, position, position)))
    except EvaluationError:
        return False


def consistent(context: ProofContext) -> Query:
    """Satisfiable: there is a position in which all invariants hold, so that what is proved from
    them is not proved from nothing; and for each transition, one in which it can happen."""
    goal = Goal("assumptions", "sanity", TRUE, "sat")
    if _hold_at_start(context):  # that position will do
        goal = Goal("assumptions", "sanity", FALSE, note="at the start")
    return Query("assumptions", context.invariants, [goal], context.state)


def _hold_at_start(context: ProofContext) -> bool:
    """Whether the evaluator finds all invariants true in the position a game begins with."""
    try:
        start = initial_position(context.instance)
    except (UsageError, EvaluationError):
        return False
    claims = [each.claim for each in context.spec.properties if each.kind == "invariant"]
    return all(_is_true(context, each, start) for each in claims)


def possible_event(context: ProofContext, transition: c.Transition, settled: bool) -> Query:
    """Satisfiable, for the transition: some position that the invariants allow lets it happen.
    Satisfiable, for a requirement: in some such position it alone stands in the way, so that it
    decides something. Satisfiable, for an `always` of the form *if this, then that*: by this
    transition, this comes about."""
    terms = context.terms
    taken, assumed = assume(context, transition, {}, settled)
    events = happens(taken)
    labels = {each.requirement.label for each in taken.asked}
    rest = [each for each in assumed if each.label not in labels]
    asked = [each.holds for each in taken.asked]
    goals = [Goal(transition.name, "transition", terms.every(asked), "sat")]
    for each in taken.asked:
        label = each.requirement.label
        if label.rpartition(".")[2] in OF_THE_LANGUAGE:
            continue
        others = terms.every(other for other in asked if other is not each.holds)
        alone = terms.both(others, terms.no(each.holds))
        goals.append(Goal(label, "requirement", alone, "sat", transition.name))
    for property in context.spec.properties:
        unguarded = without_then(property.claim) if property.kind == "always" else None
        if unguarded is not None:
            holds = context.ex.term(unguarded, SymbolicEnvironment(context.state, taken.after))
            comes = terms.both(terms.every(asked), terms.no(holds))
            goals.append(Goal(property.name, "vacuity", comes, "sat", transition.name))
    context.world.take_hazards()
    return Query(transition.name, rest, goals, context.state, transition, events)


def vacuous(context: ProofContext) -> Query:
    """Satisfiable, for an invariant of the form *if this, then that*: some position that the
    invariants allow has this, so that the invariant says something."""
    goals = []
    for each in context.spec.properties:
        unguarded = without_then(each.claim) if each.kind == "invariant" else None
        if unguarded is not None:
            holds = context.ex.term(unguarded, SymbolicEnvironment(context.state))
            goals.append(Goal(each.name, "vacuity", context.terms.no(holds), "sat"))
    context.world.take_hazards()
    return Query("vacuity", context.invariants, goals, context.state)


def without_then(claim: c.Expr) -> c.Expr | None:
    """The claim with what follows `implies` replaced by nothing at all; None without one."""
    match claim:
        case c.Binary(span=span, type=type, operator="implies", left=left):
            return c.Binary(span, type, "implies", left, c.Literal(span, y.BOOL, False))
        case c.Quantify(span=span, type=type, kind="all", binders=binders, where=where, body=body):
            inner = without_then(body)
            return inner and c.Quantify(span, type, "all", binders, where, inner)
        case _:
            return None
