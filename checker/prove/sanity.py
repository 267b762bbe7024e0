"""Questions besides proofs: whether a spec says anything, and whether its theorems hold.

Satisfiable is what is wanted here: that the invariants allow some position, that a transition can
happen, that a requirement decides something, that the condition of a property comes about. A
theorem speaks of nothing unknown, so that the evaluator decides it.
"""

from __future__ import annotations

from checker.kernel.query import Goal, Query
from checker.meaning import core as c
from checker.meaning import types as y
from checker.meaning.once import once_per_spec
from checker.play.beginning import initial_position
from checker.play.errors import EvaluationError, UsageError
from checker.play.evaluate import Scene as PlainScene
from checker.play.evaluate import evaluate
from checker.play.values import Position
from checker.prove.symmetry import in_every_setting
from checker.smt.scene import Scene
from checker.smt.term import FALSE, TRUE
from checker.vc.context import ProofContext
from checker.vc.questions import assume, happens

OF_THE_LANGUAGE = ("phase", "once", "weight")
"""The last part of the labels of what transitions require without being told."""


def theorems(ground: ProofContext) -> Query:
    """Unsatisfiable: the theorem has a value and it is true. Nothing in it is unknown, so this is
    for the evaluator to say."""
    goals = [
        Goal(each.name, "theorem", FALSE if _holds(ground, each) else TRUE)
        for each in ground.spec.properties
        if each.kind == "theorem"
    ]
    return Query("theorems", [], goals, {})


def _holds(ground: ProofContext, theorem: c.Property) -> bool:
    known = _theorems(ground.spec)
    if theorem.name in known:
        return known[theorem.name]
    holds = _is_true(ground, theorem.claim, {})
    if in_every_setting(theorem.claim, ground.instance.functions):
        known[theorem.name] = holds
    return holds


@once_per_spec
def _theorems(spec: c.Spec) -> dict[str, bool]:
    """Which theorems hold, of those that were asked about and are the same in every setting."""
    return {}


def _is_true(ground: ProofContext, claim: c.Expr, position: Position) -> bool:
    try:
        return bool(evaluate(claim, PlainScene(ground.instance, position, position)))
    except EvaluationError:
        return False


def consistent(ground: ProofContext) -> Query:
    """Satisfiable: there is a position in which all invariants hold, so that what is proved from
    them is not proved from nothing; and for each transition, one in which it can happen."""
    goal = Goal("assumptions", "sanity", TRUE, "sat")
    if _hold_at_start(ground):  # that position will do
        goal = Goal("assumptions", "sanity", FALSE, note="at the start")
    return Query("assumptions", ground.invariants, [goal], ground.state)


def _hold_at_start(ground: ProofContext) -> bool:
    """Whether the evaluator finds all invariants true in the position a game begins with."""
    try:
        start = initial_position(ground.instance)
    except (UsageError, EvaluationError):
        return False
    claims = [each.claim for each in ground.spec.properties if each.kind == "invariant"]
    return all(_is_true(ground, each, start) for each in claims)


def possible_event(ground: ProofContext, transition: c.Transition, settled: bool) -> Query:
    """Satisfiable, for the transition: some position that the invariants allow lets it happen.
    Satisfiable, for a requirement: in some such position it alone stands in the way, so that it
    decides something. Satisfiable, for an `always` of the form *if this, then that*: by this
    transition, this comes about."""
    terms = ground.terms
    taken, assumed = assume(ground, transition, {}, settled)
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
    for property in ground.spec.properties:
        unguarded = without_then(property.claim) if property.kind == "always" else None
        if unguarded is not None:
            holds = ground.ex.term(unguarded, Scene(ground.state, taken.after))
            comes = terms.both(terms.every(asked), terms.no(holds))
            goals.append(Goal(property.name, "vacuity", comes, "sat", transition.name))
    ground.world.take_hazards()
    return Query(transition.name, rest, goals, ground.state, transition, events)


def vacuous(ground: ProofContext) -> Query:
    """Satisfiable, for an invariant of the form *if this, then that*: some position that the
    invariants allow has this, so that the invariant says something."""
    goals = []
    for each in ground.spec.properties:
        unguarded = without_then(each.claim) if each.kind == "invariant" else None
        if unguarded is not None:
            holds = ground.ex.term(unguarded, Scene(ground.state))
            goals.append(Goal(each.name, "vacuity", ground.terms.no(holds), "sat"))
    ground.world.take_hazards()
    return Query("vacuity", ground.invariants, goals, ground.state)


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
