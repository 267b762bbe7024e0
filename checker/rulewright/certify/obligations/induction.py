"""What has to be shown for claims about every position and every transition.

An invariant: it holds at the start, and after every transition from a position where the invariants
hold. An `always`: it holds of every such transition. `safe`: everything that is asked on the way
has a value. A theorem: it is true. A `possible` that is claimed to be impossible: it holds in no
position where the invariants hold, or else its negation is treated like an invariant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from rulewright.certify.claim import ShownObligation
from rulewright.certify.discharge import CertifierGoal
from rulewright.certify.obligations.context import WHOLE, InductionContext, Position, beginning
from rulewright.certify.smt.term import Term, Truth
from rulewright.certify.symbolic.evaluate import EvaluationContext, State
from rulewright.certify.symbolic.statements import SymbolicTransition
from rulewright.certify.symbolic.symbolic_values import UnsupportedError, Value
from rulewright.meaning import core as c
from rulewright.meaning import types as y

RESULTS = ("score", "wins")
"""Functions of one player that say how a game has ended."""


@dataclass(slots=True)
class ProofPart:
    """Something to be shown for a claim: what to ask, or why it cannot be asked."""

    claim: str
    where: str
    asked: CertifierGoal | None
    reason: str = ""


def open_part(claim: str, where: str, error: Exception) -> ProofPart:
    return ProofPart(claim, where, None, f"this cannot be written down: {error}")


class Induction:
    """The parts of an induction."""

    def __init__(self, context: InductionContext, settled: bool) -> None:
        self._ground = context
        self._t = context.t
        self.settled = settled
        """Whether games begin with no step due, so that events only happen where none is."""

    # ---- the start

    def start(self, wanted: Collection[str]) -> Iterator[ProofPart]:
        """The first position."""
        context = self._ground
        context.ev.shapes.whole = WHOLE
        try:
            state, held, defined = beginning(context)
            if "safe" in wanted:
                yield ProofPart("safe", "start", CertifierGoal(defined, ()))
            for each in context.spec.properties:
                if each.name not in wanted or each.kind not in ("invariant", "possible"):
                    continue
                try:
                    goal = self._good(each, state)
                    yield ProofPart(each.name, "start", CertifierGoal(goal, (held, defined)))
                except UnsupportedError as error:
                    yield open_part(each.name, "start", error)
        except UnsupportedError as error:
            for name in sorted(wanted):
                yield open_part(name, "start", error)
        finally:
            context.ev.shapes.whole = 0

    def _good(self, each: c.Property, state: State) -> Truth:
        holds = self._ground.holds(each.claim, state)
        return self._t.no(holds) if each.kind == "possible" else holds

    def theorems(self, wanted: Collection[str]) -> Iterator[ProofPart]:
        context = self._ground
        context.ev.shapes.whole = WHOLE
        for each in context.spec.properties:
            if each.kind == "theorem" and each.name in wanted:
                try:
                    goal = context.ev.holds(each.claim, EvaluationContext({}, {}, {}))
                    yield ProofPart(each.name, "theorem", CertifierGoal(goal, ()))
                except UnsupportedError as error:
                    yield open_part(each.name, "theorem", error)
        context.ev.shapes.whole = 0

    # ---- transitions

    def transitions(self, wanted: Collection[str]) -> Iterator[ProofPart]:
        """Every transition, in every phase, by every seat."""
        for phase in self._ground.phases:
            position = self._ground.position(phase)
            for transition in self._ground.spec.transitions:
                for seat in self._ground.cases(transition):
                    yield from self._transition(position, transition, seat, wanted)
        for each in self._ground.spec.properties:
            if each.kind == "always" and each.name in wanted:
                yield ProofPart(each.name, "every transition", CertifierGoal(True, ()))

    def _transition(
        self, position: Position, transition: c.Transition, seat: int | None,
        wanted: Collection[str],
    ) -> Iterator[ProofPart]:  # fmt: skip
        where = _where(transition, position.phase, seat)
        claims = [
            each for each in self._ground.spec.properties
            if each.name in wanted and each.kind in ("invariant", "always", "possible")
        ]  # fmt: skip
        try:
            taken, locals = position.take(transition, seat)
            facts = [self.before(position, transition)]
        except UnsupportedError as error:
            for name in (*(each.name for each in claims), *({"safe"} & set(wanted))):
                yield open_part(name, where, error)
            return
        hints = self._ground.splits(locals, position.state)
        squares = self._ground.squares((taken.after,), locals)
        if "safe" in wanted and transition.kind != "step":
            yield ProofPart("safe", f"{where} asked", self._asked(
                position, taken.asked_defined, facts, squares, hints))  # fmt: skip
        if False in taken.asked:
            return
        facts = [*facts, *taken.asked]
        if "safe" in wanted:
            yield ProofPart(
                "safe", where, self._asked(position, taken.defined, facts, squares, hints)
            )
        facts = [*facts, taken.defined]
        for each in claims:
            try:
                goal = self._goal(each, position, taken)
            except UnsupportedError as error:
                yield open_part(each.name, where, error)
                continue
            asked = self._asked(position, goal, facts, squares, hints)
            alone = each.name in self._ground.instance.accepted or each.kind == "possible"
            if alone and each.kind != "always":
                asked.facts = [*facts, self._good(each, position.state)]  # assumed for itself
            yield ProofPart(each.name, where, asked)

    def before(self, position: Position, transition: c.Transition) -> Truth:
        """What is known of steps where a transition happens."""
        if transition.kind == "step":
            return self._ground.settled(position.state, before=transition)
        return position.settled if self.settled else True

    def _goal(self, each: c.Property, position: Position, taken: SymbolicTransition) -> Truth:
        if each.kind == "always":
            return self._ground.holds(each.claim, taken.after, position.state)
        return self._good(each, taken.after)

    def _asked(
        self, position: Position, goal: Truth, facts: list[Truth], squares: list[Value],
        splits: list[Term],
    ) -> CertifierGoal:  # fmt: skip
        return CertifierGoal(goal, facts, (), position.hypotheses, squares, splits)

    # ---- what else is asked in a position

    def positions(self) -> Iterator[ProofPart]:
        """For `safe`: wherever it is asked whether a step is due, and at the end who has won,
        that has a value."""
        context = self._ground
        for phase in context.phases:
            position = context.position(phase)
            for step in context.steps:
                where = f"{step.name} asked in {phase}"
                try:
                    _, defined = context.performer.allowed(step, position.state, {})
                    earlier = context.settled(position.state, before=step)
                    hints = context.splits({}, position.state)
                    yield ProofPart(
                        "safe", where, self._asked(position, defined, [earlier], [], hints)
                    )
                except UnsupportedError as error:
                    yield open_part("safe", where, error)
            if context.is_final(phase):
                yield from self._results(position)

    def _results(self, position: Position) -> Iterator[ProofPart]:
        context = self._ground
        for name in RESULTS:
            function = context.instance.functions.get(name)
            if function is None or [type(each.type) for each in function.params] != [y.Player]:
                continue
            for seat in context.seats:
                where = f"{name} of {seat} in {position.phase}"
                env = EvaluationContext(
                    position.state, position.state, {function.params[0].name: seat}
                )
                try:
                    _, defined = context.ev.worth(function.body, env)
                    hints = context.splits({}, position.state)
                    yield ProofPart("safe", where, self._asked(position, defined, [], [], hints))
                except UnsupportedError as error:
                    yield open_part("safe", where, error)

    def impossible(self, wanted: Collection[str]) -> Iterator[ProofPart]:
        """That no position which the invariants allow is as a `possible` says."""
        for each in self._ground.spec.properties:
            if each.kind != "possible" or each.name not in wanted:
                continue
            for phase in self._ground.phases:
                position = self._ground.position(phase)
                try:
                    goal = self._good(each, position.state)
                    hints = self._ground.splits({}, position.state)
                    asked = self._asked(position, goal, [], [], hints)
                    yield ProofPart(each.name, f"never in {phase}", asked)
                except UnsupportedError as error:
                    yield open_part(each.name, f"never in {phase}", error)


def _where(transition: c.Transition, phase: str | None, seat: int | None) -> str:
    return f"{transition.name} in {phase}" + ("" if seat is None else f" by {seat}")


__all__ = ["Induction", "ProofPart", "ShownObligation"]
