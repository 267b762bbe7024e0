"""Difference queries: what each obligation of comparing two specs says, written down as a question.

Every query is about any position that the assumptions allow and any choice of mover and parameters.
*Unsatisfiable* means that there is no such difference; a model is one.

    stricter   the old rules allow the event, the new ones refuse it (or have no answer)
    looser     the new rules allow it, the old ones refuse it (or have no answer)
    changed    both allow it, and it leads to another position, has other odds, or has an outcome
               by one of the two only
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rulewright.kernel.comparison import BOTH, CHANGED, LOOSER, SILENT, STRICTER, required
from rulewright.kernel.query import Goal, Query
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.counterparts import Subject, differing_parameters, parameters
from rulewright.meaning.traversal import walk
from rulewright.smt.encode.environment import Hazard, SymbolicEnvironment
from rulewright.smt.encode.statement import EncodedTransition, State
from rulewright.smt.encode.symbolic_values import Sym, SymbolicSet, as_number, same
from rulewright.smt.solver.smtlib import LabelledAssertion
from rulewright.smt.terms.term import FALSE, TRUE, Term, conjuncts
from rulewright.vc.conditions import EARLIER, SETTLED, beginning, begins_settled
from rulewright.vc.context import ProofContext
from rulewright.vc.product import Product
from rulewright.vc.stepping import step

SAFE = "safe"
"""The label of what is taken for granted where a comparison is made safely."""
NOBODY = "nobody has answered outside a simultaneous phase"
WAYS = (STRICTER, LOOSER, CHANGED)
Choices = tuple[State, State]


class Difference(Query):
    """One way in which a subject may differ: something `holds` where something else `fails`.
    `choices` are the mover and the parameters by the names of the old and the new side."""

    def __init__(
        self, product: Product, subject: Subject, way: str, assumed: Sequence[LabelledAssertion],
        holds: Sequence[Term], fails: Term, choices: Choices, how: str = "", whole: bool = True,
    ) -> None:  # fmt: skip
        """It covers its obligations if it is about the `whole` of them."""
        self.subject = subject
        self.way = way
        self.how = how
        self.choices = choices
        self.terms = product.terms
        owed = required(subject, product.old.instance.players) if whole else ()
        covers = tuple(each for each in owed if (each.part, each.other) == (way, how))
        self.holds = self.terms.every(holds)
        common = set(conjuncts(self.holds))  # what both ask is asked once
        self.fails = self.terms.every(each for each in conjuncts(fails) if each not in common)
        self.goal = self.terms.both(self.holds, self.terms.no(self.fails))
        goals = [Goal(subject.name, way, self.goal, covers=covers)]
        super().__init__(f"{subject.name} {way}", assumed, goals, product.old.state)


def differences(
    product: Product, subject: Subject, ways: Collection[str] = WAYS
) -> list[Difference]:
    """What is to be asked about a subject, in these ways."""
    if subject.kind == "start":
        found = _start(product, subject)
    elif subject.kind == "result":
        found = _result(product, subject)
    elif subject.kind == "end":
        found = []
    else:
        found = list(_transition(product, subject, outcome=CHANGED in ways))
    return [each for each in found if each.way in ways]


class _Ruled:
    """What one side says to an event: where it allows it, where it has an answer, what follows."""

    def __init__(
        self, side: ProofContext, transition: c.Transition | None, given: State, within: Term,
        first: Sequence[str], outcome: bool,
    ) -> None:  # fmt: skip
        self.taken: EncodedTransition | None = None
        self.legal, self.answered = FALSE, TRUE
        self.hazards: list[Hazard] = []
        if transition is None:
            return
        side.world.take_hazards()
        if outcome:
            self.taken = side.statements.take(transition, side.state, given)
            asked, self.hazards = self.taken.asked, self.taken.hazards
        else:
            asked = list(side.statements.ask(transition, side.state, given))
            self.hazards = side.world.take_hazards()
        self.answered = side.terms.implies(within, side.safe(self.hazards))
        steps = [side.instance.transitions[name] for name in first]
        waits = side.terms.either(side.allowed(step, side.state, {}) for step in steps)
        self.hazards += side.world.take_hazards()
        holds = (each.holds for each in asked)
        self.legal = side.terms.every((within, *holds, side.terms.no(waits)))


def _transition(product: Product, subject: Subject, outcome: bool) -> Iterator[Difference]:
    """Where only one side has no answer, it does not allow what the other allows."""
    if differing_parameters(subject) is not None:
        return
    choices = _choices(product, subject)
    shapes = [each if isinstance(each, c.Transition) else None for each in _both(subject)]
    within = _within(product, subject, choices)
    old, new = (
        _Ruled(side, shape, given, known, first, outcome)
        for side, shape, given, known, first in zip(
            product.sides, shapes, choices, within, subject.first
        )
    )
    assumed = [*known_of(product), *_settled(product, subject)]
    of_old = [*assumed, LabelledAssertion(SAFE if product.safely else "", old.answered)]
    of_new = [*(of_old if product.safely else assumed), LabelledAssertion("", new.answered)]
    of_both = [*of_old, LabelledAssertion("", new.answered)]
    for way, one, other, side, mine in (
        (STRICTER, old, new, product.new, of_old), (LOOSER, new, old, product.old, of_new),
    ):  # fmt: skip
        struck = _uncovered(one.legal, other.hazards, one.hazards)
        yield Difference(product, subject, way, of_both, [one.legal], other.legal, choices)
        yield Difference(
            product, subject, way, mine, [one.legal], side.safe(struck), choices, SILENT
        )
    if outcome and old.taken is not None and new.taken is not None:
        both = [old.legal, new.legal]
        alike = _outcome(product, subject, (old.taken, new.taken), choices)
        if product.safely:
            of_both.append(LabelledAssertion(SAFE, product.old.safe(old.taken.body_hazards)))
        yield Difference(product, subject, CHANGED, of_both, both, alike, choices)


def _both(subject: Subject) -> tuple[c.Transition | c.Function | None, ...]:
    return subject.old, subject.new


def _settled(product: Product, subject: Subject) -> list[LabelledAssertion]:
    """Which steps are not due (Rule SETTLED); a step may be due where the first event happens."""
    old = product.old
    found = []
    if subject.kind != "step":
        sides = [("", old)] if product.safely else zip(("old: ", "new: "), product.sides)
        found = [
            LabelledAssertion(mark + SETTLED, side.terms.no(side.step_due(side.state)))
            for mark, side in sides
            if begins_settled(side)
        ]
    elif product.safely and isinstance(subject.old, c.Transition):
        found = [
            LabelledAssertion(EARLIER, old.terms.no(old.step_due(old.state, before=subject.old)))
        ]
    for side in product.sides:
        side.world.take_hazards()
    return found


def _uncovered(allowed: Term, mine: list[Hazard], theirs: list[Hazard]) -> list[Hazard]:
    """The hazards that only one side meets where the other has an answer and allows it: not those
    that the other meets too, on every path here."""
    known = set(conjuncts(allowed))
    safe: dict[Term, list[set[Term]]] = {}
    for each in theirs:
        safe.setdefault(each.safe, []).append(set(conjuncts(each.path)) - known)
    return [
        each for each in mine
        if not any(path <= set(conjuncts(each.path)) for path in safe.get(each.safe, ()))
    ]  # fmt: skip


def _outcome(
    product: Product,
    subject: Subject,
    taken: tuple[EncodedTransition, EncodedTransition],
    choices: Choices,
) -> Term:
    """True where an event that both allow has the same outcome and the same odds."""
    terms = product.terms
    old, new = taken
    alike = terms.every(
        product.same(name, old.after[name], new.after[name]) for name in product.compared()
    )
    fine = [side.safe(each.body_hazards) for side, each in zip(product.sides, taken)]
    odds = _odds(product, subject, choices)
    if product.safely:  # the old one has an outcome
        return terms.every((fine[1], alike, odds))
    differs = terms.either((terms.no(alike), terms.no(odds)))
    one_answers = terms.no(terms.same_truth(*fine))
    return terms.no(terms.either((one_answers, terms.both(fine[0], differs))))


def _odds(product: Product, subject: Subject, choices: Choices) -> Term:
    """True where both sides give an outcome the same weight."""
    weights = []
    for side, transition, given in zip(product.sides, _both(subject), choices):
        assert isinstance(transition, c.Transition)
        if transition.weight is None:
            weights.append(product.terms.number(1))
        else:
            env = SymbolicEnvironment(side.state, side.state, given)
            weights.append(side.ex.code(transition.weight, env))
        side.world.take_hazards()
    return product.terms.equal(weights[0], weights[1])


def then(product: Product, subject: Subject) -> Difference:
    """Rule LATER. Unsatisfiable: a step leads both to the same position, if not at once, then with
    the step that follows it."""
    assert product.safely and isinstance(subject.old, c.Transition)
    assert isinstance(subject.new, c.Transition)
    old, new = (
        side.statements.take(shape, side.state, {})
        for side, shape in ((product.old, subject.old), (product.new, subject.new))
    )
    expected, _, sure = step(product.old, old.after)
    after, _, surely = step(product.new, new.after)
    safe = (product.old.safe(old.hazards), product.old.safe(old.body_hazards), sure)
    assumed = [*known_of(product), *_settled(product, subject)]
    assumed += [LabelledAssertion(SAFE, each) for each in safe]
    alike = [product.same(name, expected[name], after[name]) for name in product.compared()]
    fails = product.terms.every((product.new.safe(new.body_hazards), surely, *alike))
    holds = [each.holds for each in old.asked]
    return Difference(product, subject, CHANGED, assumed, holds, fails, ({}, {}))


# ---- what is known of the position, and what is chosen in it


def nobody_answered(context: ProofContext) -> LabelledAssertion:
    """Rule ANSWERED: acting in a simultaneous phase is noted in `answered`, and a change of phase
    empties it; so elsewhere it is empty, which nobody writes down as an invariant."""
    answered = context.state.get("answered")
    together = {each.name for each in context.spec.phases if each.simultaneous}
    if not isinstance(answered, SymbolicSet) or not _only_noted(context.spec, together):
        return LabelledAssertion(NOBODY, TRUE)
    elsewhere = context.terms.no(context.phase_is(context.state, together))
    nobody = context.terms.no(context.terms.either(answered.flags.values()))
    return LabelledAssertion(NOBODY, context.terms.implies(elsewhere, nobody))


def _only_noted(spec: c.Spec, together: Collection[str]) -> bool:
    """Whether `answered` is written only where a move in a simultaneous phase begins, or emptied; a
    spec may write to it as well."""
    noted: set[int] = set()
    for each in spec.transitions:
        match each.body[:1]:
            case (c.Assign() as first,) if set(each.phases) <= set(together):
                noted.add(id(first))
            case (c.If(condition=c.Binary() as here, then=(c.Assign() as first,)),):
                if _in_one_of(here, together):
                    noted.add(id(first))
    bodies = [*(each.body for each in spec.transitions), *(each.body for each in spec.effects)]
    written = [node for body in bodies for each in body for node in walk(each)]
    return all(
        id(each) in noted or (isinstance(each.value, c.SetOf) and not each.value.elements)
        for each in written
        if isinstance(each, c.Assign) and each.variable == "answered"
    )


def _in_one_of(condition: c.Binary, phases: Collection[str]) -> bool:
    """Whether it is said that the phase is one of these."""
    match condition:
        case c.Binary(
            operator="member", left=c.StateVar(name="phase"), right=c.SetOf(elements=named)
        ):
            return all(isinstance(each, c.Literal) and each.value in phases for each in named)
        case _:
            return False


def known_of(product: Product) -> list[LabelledAssertion]:
    """What is assumed of the position: that both know it, and the invariants of both. One that
    both have is one assumption, to be proved of both."""
    if product.safely:
        return product.known
    found: dict[Term, LabelledAssertion] = {}
    before = {each.term: each.label for each in product.old.invariants}
    for mark, side in zip(("old", "new"), product.sides):
        for each in side.invariants:
            label = f"{mark}: {each.label}"
            if side is product.new and before.get(each.term) == each.label:
                label = f"{BOTH}: {each.label}"
            if each.term not in found or label.startswith(BOTH):
                found[each.term] = LabelledAssertion(label, each.term)
    return [*(LabelledAssertion("", each) for each in product.common), *found.values()]


def _choices(product: Product, subject: Subject) -> Choices:
    """One unknown mover and one unknown for each parameter, by the names of either side; of a
    number that has another range, any that one of the two knows."""
    new = subject.new is not None
    side, shape = (product.new, subject.new) if new else (product.old, subject.old)
    assert isinstance(shape, c.Transition)
    by_new = side.parameters(shape, " of the event")
    if not isinstance(subject.old, c.Transition) or not isinstance(subject.new, c.Transition):
        return by_new, by_new
    by_old: dict[str, Sym] = {}
    for name, (was, now) in parameters(subject).items():
        if was.type != now.type and isinstance(was.type, y.Int) and isinstance(now.type, y.Int):
            either = _spanning(was.type, now.type)
            by_new[name] = side.ex.shapes.fresh(either, f"{shape.name}.{name} of either event")
        by_old[was.name] = by_new[name]
    mover = subject.old.mover
    if mover is not None and subject.new.mover is not None:
        by_old[mover] = by_new[subject.new.mover]
    elif mover is not None:
        by_old[mover] = product.old.parameters(subject.old, " of the event")[mover]
    return by_old, by_new


def _spanning(one: y.Int, other: y.Int) -> y.Int:
    """The range that two ranges lie in."""
    low = None if one.low is None or other.low is None else min(one.low, other.low)
    high = None if one.high is None or other.high is None else max(one.high, other.high)
    return y.Int(low, high)


def _within(product: Product, subject: Subject, choices: Choices) -> tuple[Term, Term]:
    """True where the old and the new side know a choice: numbers may lie in one range only."""
    known: tuple[list[Term], list[Term]] = ([], [])
    for was, now in parameters(subject).values():
        if was.type != now.type and isinstance(was.type, y.Int):
            known[0].append(product.old.ex.shapes.within(choices[0][was.name], was.type))
            known[1].append(product.new.ex.shapes.within(choices[1][now.name], now.type))
    return product.terms.every(known[0]), product.terms.every(known[1])


# ---- results and beginnings


def _result(product: Product, subject: Subject) -> list[Difference]:
    """Unsatisfiable: in every finished game the function has the same value for each player. A
    mutant has the same score all the time."""
    terms = product.terms
    if not isinstance(subject.old, c.Function) or not isinstance(subject.new, c.Function):
        return []
    player = product.new.ex.shapes.fresh(subject.new.params[0].type, "player of the result")
    values: list[Term] = []
    hazards: list[Term] = []
    choices: list[State] = []
    for side, function in ((product.old, subject.old), (product.new, subject.new)):
        given = {function.params[0].name: player}
        side.world.take_hazards()
        values.append(
            as_number(
                terms, side.ex.term(function.body, SymbolicEnvironment(side.state, None, given))
            )
        )
        hazards.append(side.safe(side.world.take_hazards()))
        choices.append(given)
    final = [each.name for each in product.new.spec.phases if each.final]
    counts = final and not (product.safely and subject.name == "score")
    over = product.new.phase_is(product.new.state, final) if counts else TRUE
    differs = terms.both(hazards[0], terms.no(terms.equal(values[0], values[1])))
    one_answers = terms.no(terms.same_truth(*hazards))
    alike = terms.no(terms.either((one_answers, differs)))
    known, given_both = known_of(product), (choices[0], choices[1])
    return [Difference(product, subject, CHANGED, known, [over], alike, given_both)]


def _start(product: Product, subject: Subject) -> list[Difference]:
    """Unsatisfiable: a position that the one lets a game begin with, so does the other. Positions
    that only the new one knows are not looked at."""
    old, new = (_begins(product, side) for side in product.sides)
    known = product.terms.every((*product.common, new))
    partly = {each.variable for each in product.mismatches if each.partly}
    whole = all(
        each.initial is not None for each in product.new.spec.variables if each.name in partly
    )
    none: Choices = ({}, {})
    return [
        Difference(product, subject, STRICTER, [], [old], known, none),
        Difference(product, subject, LOOSER, [], [known], old, none, whole=whole),
    ]


def _begins(product: Product, side: ProofContext) -> Term:
    """True where a game can begin with the position."""
    state, _, _ = beginning(side)
    shared = set(product.compared())
    alike: list[Term] = []
    replaced: dict[str, Sym] = {}
    for name, variable in side.instance.variables.items():
        if variable.initial is not None and name in shared:
            alike.append(same(side.terms, state[name], side.state[name]))
        replaced[name] = side.state[name] if variable.initial is None else state[name]
    env = SymbolicEnvironment(replaced)
    for each in side.spec.start:
        holds = side.ex.term(each.condition, env)
        alike.append(holds)
        env = env.where(holds)
    return side.terms.every((*alike, side.safe(side.world.take_hazards())))
