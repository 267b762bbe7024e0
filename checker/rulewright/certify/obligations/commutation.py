"""What has to be shown of moves at the same time, for two players p and q in a simultaneous phase.

If a by p and b by q are both allowed, no step is due after either alone, each is still allowed
after the other, and both orders lead to the same position. If a is allowed and b is not, b is not
allowed where a and the steps it sets off have led, as long as that is the same phase and p has
answered there. Then it does not matter in which order players act, and nobody gains by waiting.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, permutations
from typing import Any

from rulewright.certify.discharge import CertifierGoal
from rulewright.certify.obligations.context import InductionContext, Position
from rulewright.certify.obligations.induction import Induction, ProofPart, open_part
from rulewright.certify.obligations.progress import asked_at, same_state
from rulewright.certify.smt.term import Truth
from rulewright.certify.symbolic.evaluate import State
from rulewright.certify.symbolic.statements import SymbolicTransition
from rulewright.certify.symbolic.symbolic_values import UnsupportedError, Value
from rulewright.meaning import core as c
from rulewright.syntax.node import Node


class SeatMove(Node):
    """A move by a seat, with any values of its parameters."""

    move: c.Transition
    seat: int
    locals: dict[str, Value]
    taken: SymbolicTransition


class Commutation:
    """The parts of `commutation`."""

    def __init__(self, context: InductionContext, induction: Induction) -> None:
        self._ground = context
        self._t = context.t
        self._induction = induction

    def parts(self) -> Iterator[ProofPart]:
        for phase in self._ground.spec.phases:
            if not phase.simultaneous:
                continue
            position = self._ground.position(phase.name)
            for one, other in self._pairs(position):
                where = f"{_shown(one)}, {_shown(other)} in {phase.name}"
                try:
                    yield self._both(position, one, other, where)
                    yield from self._not_enabled(position, one, other, where)
                    yield from self._not_enabled(position, other, one, where)
                except UnsupportedError as error:
                    yield open_part("order", where, error)
            yield ProofPart("order", f"every pair in {phase.name}", CertifierGoal(True, ()))

    def _pairs(self, position: Position) -> Iterator[tuple[SeatMove, SeatMove]]:
        """Any two players with a move each, whoever is named first."""
        moves = [each for each in self._ground.events if each.mover is not None]
        for one, other in combinations_with_replacement(moves, 2):
            for seat, other_seat in permutations(self._ground.seats, 2):
                if one is not other or seat < other_seat:
                    acts = [self._act(position, *each)
                            for each in ((one, seat), (other, other_seat))]  # fmt: skip
                    if all(False not in each.taken.asked for each in acts):
                        yield acts[0], acts[1]

    def _act(self, position: Position, move: c.Transition, seat: int) -> SeatMove:
        locals = self._ground.locals(move, seat)  # of its own, also where both take the same move
        taken = self._ground.performer.take(move, position.state, locals)
        return SeatMove(move, seat, locals, taken)

    def _then(self, state: State, act: SeatMove) -> SymbolicTransition:
        return self._ground.performer.take(act.move, state, act.locals)

    def _both(self, position: Position, one: SeatMove, other: SeatMove, where: str) -> ProofPart:
        """Both are allowed."""
        context, t = self._ground, self._t
        facts = [
            self._induction.before(position, one.move),
            *one.taken.asked, one.taken.defined, *other.taken.asked, other.taken.defined,
        ]  # fmt: skip
        second, first = self._then(one.taken.after, other), self._then(other.taken.after, one)
        goal = t.both(
            context.settled(one.taken.after), context.settled(other.taken.after),
            *second.asked, second.defined, *first.asked, first.defined,
            same_state(context, second.after, first.after),
        )  # fmt: skip
        after = (second.after, first.after)
        locals = {**one.locals, **_primed(other.locals)}
        return asked_at(context, "order", f"{where}: both", position, goal, facts, locals, after)

    def _not_enabled(
        self, position: Position, one: SeatMove, other: SeatMove, where: str
    ) -> Iterator[ProofPart]:
        """One is allowed, the other is not."""
        t = self._t
        refused = t.no(t.both(*other.taken.asked))
        facts = [
            self._induction.before(position, one.move),
            *one.taken.asked, one.taken.defined, refused,
        ]  # fmt: skip
        name = f"{where}: {_shown(one)} does not let {_shown(other)}"
        yield from self._along(position, one, other, name, facts, one.taken.after, 0)

    def _along(
        self, position: Position, one: SeatMove, other: SeatMove, where: str, facts: list[Truth],
        state: State, depth: int,
    ) -> Iterator[ProofPart]:  # fmt: skip
        """Where a move has led, and each step that may then be due."""
        context, t = self._ground, self._t
        here = [
            context.settled(state), context.in_phase(state, position.phase),
            context.ev.shapes.at(state["answered"], one.seat),
        ]  # fmt: skip
        if all(each is not False for each in (*facts, *here)):
            asked, _ = context.performer.allowed(other.move, state, other.locals)
            goal = t.no(t.both(*(held for _, held in asked)))
            locals: dict[str, Any] = {**one.locals, **_primed(other.locals)}
            yield asked_at(
                context, "order", where, position, goal, [*facts, *here], locals, (state,)
            )
        for step in context.steps:
            due = [context.settled(state, before=step), context.due(step, state)]
            if any(each is False for each in (*facts, *due)):
                continue
            then = f"{where} after {step.name}"
            if depth == len(context.steps):
                yield ProofPart("order", then, None, "there are too many steps to follow")
                return
            taken = context.performer.take(step, state, {})
            known = [*facts, *due, taken.defined]
            yield from self._along(position, one, other, then, known, taken.after, depth + 1)


def _primed(locals: dict[str, Value]) -> dict[str, Value]:
    return {f"{name}'": each for name, each in locals.items()}


def _shown(act: SeatMove) -> str:
    return f"{act.move.name} by {act.seat}"
