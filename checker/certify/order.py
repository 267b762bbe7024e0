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

from checker.certify.ask import Asked
from checker.certify.evaluate import State
from checker.certify.flow import asked_at, same_state
from checker.certify.ground import Ground, Position
from checker.certify.induction import Induction, Part, open_part
from checker.certify.perform import Taken
from checker.certify.term import Truth
from checker.certify.value import UnsupportedError, Value
from checker.meaning import core as c
from checker.syntax.node import Node


class Act(Node):
    """A move by a seat, with any values of its parameters."""

    move: c.Transition
    seat: int
    locals: dict[str, Value]
    taken: Taken


class Order:
    """The parts of `order`."""

    def __init__(self, ground: Ground, induction: Induction) -> None:
        self._ground = ground
        self._t = ground.t
        self._induction = induction

    def parts(self) -> Iterator[Part]:
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
            yield Part("order", f"every pair in {phase.name}", Asked(True, ()))

    def _pairs(self, position: Position) -> Iterator[tuple[Act, Act]]:
        """Any two players with a move each, whoever is named first."""
        moves = [each for each in self._ground.events if each.mover is not None]
        for one, other in combinations_with_replacement(moves, 2):
            for seat, other_seat in permutations(self._ground.seats, 2):
                if one is not other or seat < other_seat:
                    acts = [self._act(position, *each)
                            for each in ((one, seat), (other, other_seat))]  # fmt: skip
                    if all(False not in each.taken.asked for each in acts):
                        yield acts[0], acts[1]

    def _act(self, position: Position, move: c.Transition, seat: int) -> Act:
        locals = self._ground.locals(move, seat)  # of its own, also where both take the same move
        taken = self._ground.performer.take(move, position.state, locals)
        return Act(move, seat, locals, taken)

    def _then(self, state: State, act: Act) -> Taken:
        return self._ground.performer.take(act.move, state, act.locals)

    def _both(self, position: Position, one: Act, other: Act, where: str) -> Part:
        """Both are allowed."""
        ground, t = self._ground, self._t
        facts = [
            self._induction.before(position, one.move),
            *one.taken.asked, one.taken.defined, *other.taken.asked, other.taken.defined,
        ]  # fmt: skip
        second, first = self._then(one.taken.after, other), self._then(other.taken.after, one)
        goal = t.both(
            ground.settled(one.taken.after), ground.settled(other.taken.after),
            *second.asked, second.defined, *first.asked, first.defined,
            same_state(ground, second.after, first.after),
        )  # fmt: skip
        after = (second.after, first.after)
        locals = {**one.locals, **_primed(other.locals)}
        return asked_at(ground, "order", f"{where}: both", position, goal, facts, locals, after)

    def _not_enabled(self, position: Position, one: Act, other: Act, where: str) -> Iterator[Part]:
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
        self, position: Position, one: Act, other: Act, where: str, facts: list[Truth],
        state: State, depth: int,
    ) -> Iterator[Part]:  # fmt: skip
        """Where a move has led, and each step that may then be due."""
        ground, t = self._ground, self._t
        here = [
            ground.settled(state), ground.in_phase(state, position.phase),
            ground.ev.shapes.at(state["answered"], one.seat),
        ]  # fmt: skip
        if all(each is not False for each in (*facts, *here)):
            asked, _ = ground.performer.allowed(other.move, state, other.locals)
            goal = t.no(t.both(*(held for _, held in asked)))
            locals: dict[str, Any] = {**one.locals, **_primed(other.locals)}
            yield asked_at(
                ground, "order", where, position, goal, [*facts, *here], locals, (state,)
            )
        for step in ground.steps:
            due = [ground.settled(state, before=step), ground.due(step, state)]
            if any(each is False for each in (*facts, *due)):
                continue
            then = f"{where} after {step.name}"
            if depth == len(ground.steps):
                yield Part("order", then, None, "there are too many steps to follow")
                return
            taken = ground.performer.take(step, state, {})
            known = [*facts, *due, taken.defined]
            yield from self._along(position, one, other, then, known, taken.after, depth + 1)


def _primed(locals: dict[str, Value]) -> dict[str, Value]:
    return {f"{name}'": each for name, each in locals.items()}


def _shown(act: Act) -> str:
    return f"{act.move.name} by {act.seat}"
