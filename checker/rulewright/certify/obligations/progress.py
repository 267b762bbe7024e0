"""What has to be shown about how a game goes on; moves at the same time are in `commutation`, its
end in `termination`.

    begins       there is a first position
    assumptions  there is a position in which all invariants hold: the first one
    one_step     where two steps are due, it makes no difference which is taken
    steps_stop   no step comes back in a row of steps; or after as many as there are, none is due
    goes_on      short of the end, and where no step is due, some event is allowed; at the start
                 also where one is due, as steps run only after an event
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from rulewright.certify.discharge import CertifierGoal
from rulewright.certify.obligations.context import WHOLE, InductionContext, Position, beginning
from rulewright.certify.obligations.enabledness import Enabledness
from rulewright.certify.obligations.induction import Induction, ProofPart, open_part
from rulewright.certify.smt.term import Term, Truth
from rulewright.certify.symbolic.evaluate import State
from rulewright.certify.symbolic.symbolic_values import UnsupportedError, Value
from rulewright.meaning import core as c

Confirmed = Callable[[ProofPart], bool]
"""Asks whether a part holds, without keeping the answer."""
Example = Callable[[Truth], "Mapping[Term, int | bool] | None"]
"""Values of all unknowns of a truth that make it true, if some are found."""
Turn = tuple[str, str | None]
"""A step, and the phase in which it is taken."""

MOST_STEPS = 4
"""Rows of so many steps are written down one after another."""


class Progress:
    """The parts of claims about the flow of a game."""

    def __init__(
        self,
        context: InductionContext,
        induction: Induction,
        confirmed: Confirmed,
        example: Example,
    ) -> None:
        self._ground = context
        self._t = context.t
        self._induction = induction
        self._confirmed = confirmed
        self._example = example
        self._ways = Enabledness(context)

    def parts(self, wanted: set[str]) -> Iterator[ProofPart]:
        kinds = {
            "begins": self._begins, "assumptions": self._begins, "one_step": self._one_step,
            "steps_stop": self._steps_stop, "goes_on": self._goes_on,
        }  # fmt: skip
        for name, parts in kinds.items():
            if name in wanted:
                try:
                    yield from parts(name)
                except UnsupportedError as error:
                    yield open_part(name, "all of it", error)

    def _begins(self, claim: str) -> Iterator[ProofPart]:
        """Values are looked for, put in, and what is asked under `start` is worked out."""
        context = self._ground
        context.ev.shapes.whole = WHOLE
        _, held, defined = beginning(context)
        both = self._t.both(held, defined)
        found = self._example(both)
        goal = False if found is None else self._t.replaced(both, found)
        yield ProofPart(claim, "start", CertifierGoal(goal, ()))
        context.ev.shapes.whole = 0

    # ---- steps

    def _one_step(self, claim: str) -> Iterator[ProofPart]:
        context = self._ground
        for phase in context.phases:
            position = context.position(phase)
            for one, other in combinations(context.steps, 2):
                taken, taken_too = position.take(one, None)[0], position.take(other, None)[0]
                facts = [*taken.asked, *taken_too.asked]
                goal = self._t.both(
                    taken.defined, taken_too.defined,
                    same_state(context, taken.after, taken_too.after),
                )  # fmt: skip
                where = f"{one.name} and {other.name} in {phase}"
                if False not in facts:
                    yield asked_at(context, claim, where, position, goal, facts)
        yield ProofPart(claim, "all pairs of steps", CertifierGoal(True, ()))

    def _steps_stop(self, claim: str) -> Iterator[ProofPart]:
        """Which step can follow which; what would close a circle is asked about."""
        follows = {
            (turn, after): part
            for phase in self._ground.phases
            for step in self._ground.steps
            for turn, after, part in self._following(claim, step, phase)
        }
        kept = []
        while circle := _in_circles(list(follows)):
            gone = next((each for each in circle if self._confirmed(follows[each])), None)
            if gone is None:
                yield from self._many_steps(claim)
                return
            kept.append(follows.pop(gone))
        yield from kept
        yield ProofPart(claim, "no step comes back", CertifierGoal(True, ()))

    def _following(
        self, claim: str, step: c.Transition, phase: str | None
    ) -> Iterator[tuple[Turn, Turn, ProofPart]]:
        context, t = self._ground, self._t
        position = context.position(phase)
        taken, _ = position.take(step, None)
        facts = [self._induction.before(position, step), *taken.asked, taken.defined]
        if False in facts:
            return
        for other in context.steps:
            first = t.both(context.due(other, taken.after), context.settled(taken.after, other))
            for then in context.phases:
                due = t.both(first, context.in_phase(taken.after, then))
                if due is not False:
                    where = f"{other.name} in {then} never follows {step.name} in {phase}"
                    part = asked_at(context, claim, where, position, t.no(due), facts)
                    yield (step.name, phase), (other.name, then), part

    def _many_steps(self, claim: str) -> Iterator[ProofPart]:
        context = self._ground
        if len(context.steps) > MOST_STEPS:
            yield ProofPart(claim, "rows of steps", None, "there are too many steps to follow")
            return
        for phase in context.phases:
            position = context.position(phase)
            state: State = position.state
            for _ in context.steps:
                state = self._first_due(state)
            goal = context.settled(state)
            where = f"after {len(context.steps)} steps in {phase}"
            yield asked_at(context, claim, where, position, goal, [])

    def _first_due(self, state: State) -> State:
        """The position after the first step that is due, the same one if none is."""
        result = state
        for step in reversed(self._ground.steps):
            due = self._ground.due(step, state)
            if due is not False:
                after = self._ground.performer.take(step, state, {}).after
                result = {
                    name: self._ground.ev.shapes.merge(due, after[name], result[name])
                    for name in state
                }
        return result

    # ---- ways on

    def _goes_on(self, claim: str) -> Iterator[ProofPart]:
        context = self._ground
        for phase in context.phases:
            if not context.is_final(phase):
                position = context.position(phase)
                facts = [position.settled]
                goals = self._ways.on(position.state)
                parts = (
                    asked_at(context, claim, f"in {phase}", position, goal, facts) for goal in goals
                )
                yield self._first_confirmed(claim, f"in {phase}", parts)
        if not self._induction.settled:
            yield from self._at_the_start(claim)

    def _at_the_start(self, claim: str) -> Iterator[ProofPart]:
        context = self._ground
        context.ev.shapes.whole = WHOLE
        state, held, defined = beginning(context)
        over = [context.in_phase(state, each) for each in context.phases if context.is_final(each)]
        parts = (
            ProofPart(claim, "start", CertifierGoal(self._t.either(*over, goal), (held, defined)))
            for goal in self._ways.on(state)
        )
        yield self._first_confirmed(claim, "start", parts)
        context.ev.shapes.whole = 0

    def _first_confirmed(self, claim: str, where: str, parts: Iterator[ProofPart]) -> ProofPart:
        """One of several parts each of which would do."""
        last = ProofPart(claim, where, CertifierGoal(False, ()))
        for last in parts:
            if self._confirmed(last):
                break
        return last


def asked_at(
    context: InductionContext, claim: str, where: str, position: Position, goal: Truth,
    facts: Sequence[Truth], locals: Mapping[str, Value] | None = None,
    after: Sequence[State] = (),
) -> ProofPart:  # fmt: skip
    """A part about any position in a phase."""
    return ProofPart(claim, where, CertifierGoal(
        goal, facts, (), position.hypotheses, context.squares(after, locals or {}),
        context.splits(locals or {}, position.state),
    ))  # fmt: skip


def same_state(context: InductionContext, one: State, other: State) -> Truth:
    """Whether two positions are the same."""
    same = context.ev.operations.same
    return context.t.both(*(same(one[name], other[name]) for name in one))


def _in_circles(edges: Sequence[tuple[Turn, Turn]]) -> list[tuple[Turn, Turn]]:
    """Those edges that are part of a circle."""
    return [(one, other) for one, other in edges if one in reached(other, edges)]


def reached(start: object, edges: Sequence[tuple[object, object]]) -> set[object]:
    """Where edges lead from a node, itself included."""
    found = {start}
    while more := {other for one, other in edges if one in found} - found:
        found |= more
    return found
