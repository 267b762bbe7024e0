"""What a search looks for in a game: the same thing once for the evaluator and once for a solver.

A target is met at a position on the way, or between two of them, or where play comes to a stop.
The evaluator's word is what counts; the terms only say where to look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Protocol, TypeAlias

from checker.kernel.obligations import pairs
from checker.meaning import core as c
from checker.play.compile.layout import State as Flat
from checker.play.compiled import Machine
from checker.play.errors import EndlessError, EvaluationError
from checker.play.evaluate import Scene as PlainScene
from checker.play.evaluate import evaluate
from checker.play.event import Event
from checker.play.instance import Instance
from checker.play.listing import legal_moves
from checker.play.notation import write_line
from checker.play.rules import apply, due_step
from checker.play.values import Position
from checker.prove.confirm import only_proposed, orders_differ, steps_differ, stuck
from checker.prove.unroll import Unrolled
from checker.smt.scene import Scene
from checker.smt.statement import State
from checker.smt.term import Term
from checker.syntax.node import Node
from checker.vc.context import ProofContext
from checker.vc.order import pair_of
from checker.vc.questions import many_steps, two_steps
from checker.vc.way_on import no_way_on

Watch: TypeAlias = "Callable[[Flat, Flat], bool]"
"""Whether something is met in a state of the compiled game, or between the one before and it."""


class Sought(Protocol):
    """Something to look for."""

    @property
    def name(self) -> str: ...

    @property
    def at_start(self) -> bool:
        """Whether it can be met before anything has happened."""
        ...

    def met(self, instance: Instance, before: Position, after: Position) -> bool:
        """Whether the evaluator finds it in a position, or between the one before and it."""
        ...

    def met_first(self, instance: Instance, start: Position) -> bool:
        """Whether the evaluator finds it before anything has happened."""
        ...

    def watch(self, machine: Machine) -> Watch:
        """What says of the compiled game, at once, whether it is met."""
        ...

    def stops(self, error: EvaluationError | None) -> bool:
        """Whether it is met where play stops with an error, or where nothing can happen."""
        ...

    def goal(self, unrolled: Unrolled, since: int, until: int) -> Term:
        """That a game meets it in these slots."""
        ...

    def at_once(self, unrolled: Unrolled) -> Term:
        """That a game meets it before anything has happened."""
        ...


class _Positions(Node):
    """A target that is met in positions."""

    @property
    def at_start(self) -> bool:
        return True

    def met(self, instance: Instance, before: Position, after: Position) -> bool:
        raise NotImplementedError

    def met_first(self, instance: Instance, start: Position) -> bool:
        return self.met(instance, start, start)

    def watch(self, machine: Machine) -> Watch:
        def met(before: Flat, now: Flat) -> bool:
            position = machine.position
            return self.met(machine.instance, position(before), position(now))

        return met

    def stops(self, error: EvaluationError | None) -> bool:
        return False

    def term(self, ground: ProofContext) -> Callable[[State, State], Term]:
        raise NotImplementedError

    def goal(self, unrolled: Unrolled, since: int, until: int) -> Term:
        return unrolled.meets(self.term(unrolled.ground), since, until)

    def at_once(self, unrolled: Unrolled) -> Term:
        start = unrolled.start
        return unrolled.terms.both(unrolled.begins, self.term(unrolled.ground)(start, start))


class Target(_Positions):
    """A position (or two, one after another) in which the claim of a property is true, or where
    `broken`, is not."""

    subject: c.Property
    broken: bool

    @property
    def name(self) -> str:
        return self.subject.name

    @property
    def at_start(self) -> bool:
        return self.subject.kind != "always"

    def met(self, instance: Instance, before: Position, after: Position) -> bool:
        try:
            holds = bool(evaluate(self.subject.claim, PlainScene(instance, before, after)))
        except EvaluationError:
            return self.broken
        return holds is not self.broken

    def watch(self, machine: Machine) -> Watch:
        claim = machine.claim(self.subject)

        def met(before: Flat, now: Flat) -> bool:
            try:
                return bool(claim(before, now)) is not self.broken
            except EvaluationError:
                return self.broken

        return met

    def term(self, ground: ProofContext) -> Callable[[State, State], Term]:
        def encoded(before: State, after: State) -> Term:
            holds = ground.claim(self.subject.claim, Scene(before, after))
            return ground.terms.no(holds) if self.broken else holds

        return encoded


class Stuck(_Positions):
    """A position short of the end in which nothing can happen, or if `proposed`, nothing that the
    spec proposes."""

    proposed: bool = False

    name = "goes_on"

    def met(self, instance: Instance, before: Position, after: Position) -> bool:
        return stuck(instance, after) and (self.proposed or not only_proposed(instance, after))

    def met_first(self, instance: Instance, start: Position) -> bool:
        at_start = stuck(instance, start, at_start=True)
        return at_start and (self.proposed or not only_proposed(instance, start))

    def watch(self, machine: Machine) -> Watch:
        return _never

    def stops(self, error: EvaluationError | None) -> bool:
        return error is None

    def term(self, ground: ProofContext) -> Callable[[State, State], Term]:
        def blocked(_: State, state: State) -> Term:
            due = ground.step_due(state)
            ground.world.take_hazards()
            return ground.terms.both(no_way_on(ground, state), ground.terms.no(due))

        return blocked

    def at_once(self, unrolled: Unrolled) -> Term:
        return unrolled.terms.both(unrolled.begins, no_way_on(unrolled.ground, unrolled.start))


class StepsDiffer(_Positions):
    """A position in which it matters which step is taken."""

    name = "one_step"

    @property
    def at_start(self) -> bool:
        return False  # no step has run there

    def met(self, instance: Instance, before: Position, after: Position) -> bool:
        return steps_differ(instance, after)

    def term(self, ground: ProofContext) -> Callable[[State, State], Term]:
        return lambda _, state: two_steps(ground, state)


class StepsGoOn(_Positions):
    """A position from which steps follow each other without an end."""

    name = "steps_stop"

    @property
    def at_start(self) -> bool:
        return False  # no step has run there

    def met(self, instance: Instance, before: Position, after: Position) -> bool:
        return False

    def watch(self, machine: Machine) -> Watch:
        return _never

    def stops(self, error: EvaluationError | None) -> bool:
        return isinstance(error, EndlessError)

    def term(self, ground: ProofContext) -> Callable[[State, State], Term]:
        return lambda _, state: many_steps(ground, state)


class OrdersDiffer(_Positions):
    """A position in which it matters who of two players moves first."""

    name = "order"

    def met(self, instance: Instance, before: Position, after: Position) -> bool:
        simultaneous = [each.name for each in instance.spec.phases if each.simultaneous]
        try:
            if after.get("phase") not in simultaneous or due_step(instance, after) is not None:
                return False
            moves = list(legal_moves(instance, after))
            later = [each for move in moves for each in _made_legal(instance, after, move, moves)]
        except EvaluationError:
            return False
        return bool(later) or any(
            orders_differ(instance, after, one, other)
            for one, other in combinations(moves, 2)
            if one.by != other.by
        )

    def term(self, ground: ProofContext) -> Callable[[State, State], Term]:
        def encoded(_: State, state: State) -> Term:
            terms = ground.terms
            every = pairs(ground.spec, ground.instance.players)
            two = [pair_of(ground, state, each) for each in every]
            ways = [terms.both(each.here, each.differs) for each in two]
            return terms.both(terms.either(ways), terms.no(ground.step_due(state)))

        return encoded


def _made_legal(
    instance: Instance, position: Position, first: Event, legal: Sequence[Event]
) -> Iterator[Event]:
    """The moves of others that are legal after a move and were not before it, in the same phase."""
    after = apply(instance, position, first)[-1].after
    if after.get("phase") == position.get("phase"):
        known = {(each.by, write_line(each, instance)) for each in legal}
        for each in legal_moves(instance, after):
            new = each.by != first.by and (each.by, write_line(each, instance)) not in known
            if new and orders_differ(instance, position, first, each):
                yield each


class Unsafe(Node):
    """An event that asks for something that has no value."""

    name = "safe"

    @property
    def at_start(self) -> bool:
        return False

    def met(self, instance: Instance, before: Position, after: Position) -> bool:
        return False

    def met_first(self, instance: Instance, start: Position) -> bool:
        return False

    def watch(self, machine: Machine) -> Watch:
        return _never

    def stops(self, error: EvaluationError | None) -> bool:
        return error is not None and not isinstance(error, EndlessError)

    def goal(self, unrolled: Unrolled, since: int, until: int) -> Term:
        return unrolled.strikes(since, until)

    def at_once(self, unrolled: Unrolled) -> Term:
        return unrolled.terms.truth(False)


def _never(before: Flat, now: Flat) -> bool:
    """Of what is met only where play stops."""
    return False


OBLIGED: dict[str, Sought] = {
    each.name: each for each in (Unsafe(), Stuck(), StepsDiffer(), StepsGoOn(), OrdersDiffer())
}
"""What breaks the obligations that every spec has."""
