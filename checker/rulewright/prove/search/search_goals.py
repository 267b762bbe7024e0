"""Search goals: what a game is to meet, once for the evaluator and once as terms for the solver.

A goal is met in a position, between two positions, or where play stops. The evaluator decides; the
terms only say where to look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Protocol, TypeAlias

from rulewright.kernel.obligations import pairs
from rulewright.meaning import core as c
from rulewright.play.io.notation import write_line
from rulewright.play.semantics.errors import EndlessError, EvaluationError
from rulewright.play.semantics.evaluate import Environment as PlainScene
from rulewright.play.semantics.evaluate import evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.legal_moves import legal_moves
from rulewright.play.semantics.rules import apply, due_step
from rulewright.play.semantics.values import Position
from rulewright.prove.search.unrolling import Unrolling
from rulewright.prove.verdict.validate_model import (
    only_proposed,
    orders_differ,
    steps_differ,
    stuck,
)
from rulewright.simulate.compiled.compiled_game import CompiledGame
from rulewright.simulate.compiled.compiled_game import State as Flat
from rulewright.smt.encode.environment import SymbolicEnvironment
from rulewright.smt.encode.statement import State
from rulewright.smt.terms.term import Term
from rulewright.syntax.node import Node, replace
from rulewright.vc.commutation import pair_of
from rulewright.vc.conditions import many_steps, two_steps
from rulewright.vc.context import ProofContext
from rulewright.vc.enabledness import nothing_enabled

Watch: TypeAlias = "Callable[[Flat, Flat], bool]"
"""Whether something is met in a state of the compiled game, or between the one before and it."""


class SearchGoal(Protocol):
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

    def watch(self, game: CompiledGame) -> Watch:
        """What says of the compiled game, at once, whether it is met."""
        ...

    def stops(self, error: EvaluationError | None) -> bool:
        """Whether it is met where play stops with an error, or where nothing can happen."""
        ...

    def watched(self, instance: Instance) -> tuple[c.Property, ...] | None:
        """What says of the compiled game, played inside the module, whether it is met; None if only
        the evaluator can say that."""
        ...

    def goal(self, unrolled: Unrolling, since: int, until: int) -> Term:
        """That a game meets it in these slots."""
        ...

    def at_once(self, unrolled: Unrolling) -> Term:
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

    def watch(self, game: CompiledGame) -> Watch:
        def met(before: Flat, now: Flat) -> bool:
            position = game.position
            return self.met(game.instance, position(before), position(now))

        return met

    def stops(self, error: EvaluationError | None) -> bool:
        return False

    def watched(self, instance: Instance) -> tuple[c.Property, ...] | None:
        return ()

    def term(self, context: ProofContext) -> Callable[[State, State], Term]:
        raise NotImplementedError

    def goal(self, unrolled: Unrolling, since: int, until: int) -> Term:
        return unrolled.meets(self.term(unrolled.context), since, until)

    def at_once(self, unrolled: Unrolling) -> Term:
        start = unrolled.start
        return unrolled.terms.both(unrolled.begins, self.term(unrolled.context)(start, start))


class PropertyGoal(_Positions):
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

    def watch(self, game: CompiledGame) -> Watch:
        claim = game.claim(self.subject)

        def met(before: Flat, now: Flat) -> bool:
            try:
                return bool(claim(before, now)) is not self.broken
            except EvaluationError:
                return self.broken

        return met

    def watched(self, instance: Instance) -> tuple[c.Property, ...] | None:
        across = self.subject.kind == "always"
        if across and not self.broken:
            return None
        kind = "always" if across else "invariant" if self.broken else "possible"
        return (replace(self.subject, kind=kind),)

    def term(self, context: ProofContext) -> Callable[[State, State], Term]:
        def encoded(before: State, after: State) -> Term:
            holds = context.claim(self.subject.claim, SymbolicEnvironment(before, after))
            return context.terms.no(holds) if self.broken else holds

        return encoded


class DeadlockGoal(_Positions):
    """A position short of the end in which nothing can happen, or if `proposed`, nothing that the
    spec proposes."""

    proposed: bool = False

    name = "goes_on"

    def met(self, instance: Instance, before: Position, after: Position) -> bool:
        return stuck(instance, after) and (self.proposed or not only_proposed(instance, after))

    def met_first(self, instance: Instance, start: Position) -> bool:
        at_start = stuck(instance, start, at_start=True)
        return at_start and (self.proposed or not only_proposed(instance, start))

    def watch(self, game: CompiledGame) -> Watch:
        return _never

    def stops(self, error: EvaluationError | None) -> bool:
        return error is None

    def term(self, context: ProofContext) -> Callable[[State, State], Term]:
        def blocked(_: State, state: State) -> Term:
            due = context.step_due(state)
            context.world.take_hazards()
            return context.terms.both(nothing_enabled(context, state), context.terms.no(due))

        return blocked

    def at_once(self, unrolled: Unrolling) -> Term:
        return unrolled.terms.both(
            unrolled.begins, nothing_enabled(unrolled.context, unrolled.start)
        )


class StepOrderGoal(_Positions):
    """A position in which it matters which step is taken."""

    name = "one_step"

    @property
    def at_start(self) -> bool:
        return False  # no step has run there

    def met(self, instance: Instance, before: Position, after: Position) -> bool:
        return steps_differ(instance, after)

    def watched(self, instance: Instance) -> tuple[c.Property, ...] | None:
        return None if len(instance.of_kind("step")) > 1 else ()

    def term(self, context: ProofContext) -> Callable[[State, State], Term]:
        return lambda _, state: two_steps(context, state)


class EndlessStepsGoal(_Positions):
    """A position from which steps follow each other without an end."""

    name = "steps_stop"

    @property
    def at_start(self) -> bool:
        return False  # no step has run there

    def met(self, instance: Instance, before: Position, after: Position) -> bool:
        return False

    def watch(self, game: CompiledGame) -> Watch:
        return _never

    def stops(self, error: EvaluationError | None) -> bool:
        return isinstance(error, EndlessError)

    def term(self, context: ProofContext) -> Callable[[State, State], Term]:
        return lambda _, state: many_steps(context, state)


class MoveOrderGoal(_Positions):
    """A position in which it matters who of two players moves first."""

    name = "order"

    def met(self, instance: Instance, before: Position, after: Position) -> bool:
        try:
            return due_step(instance, after) is None and self.met_first(instance, after)
        except EvaluationError:
            return False

    def watched(self, instance: Instance) -> tuple[c.Property, ...] | None:
        return None if any(each.simultaneous for each in instance.spec.phases) else ()

    def met_first(self, instance: Instance, start: Position) -> bool:
        """At the start no step has run, so one that is due there keeps nobody from moving."""
        simultaneous = [each.name for each in instance.spec.phases if each.simultaneous]
        if start.get("phase") not in simultaneous:
            return False
        try:
            moves = list(legal_moves(instance, start))
            later = [each for move in moves for each in _made_legal(instance, start, move, moves)]
        except EvaluationError:
            return False
        return bool(later) or any(
            orders_differ(instance, start, one, other)
            for one, other in combinations(moves, 2)
            if one.by != other.by
        )

    def term(self, context: ProofContext) -> Callable[[State, State], Term]:
        def encoded(_: State, state: State) -> Term:
            return context.terms.both(
                _orders_differ(context, state), context.terms.no(context.step_due(state))
            )

        return encoded

    def at_once(self, unrolled: Unrolling) -> Term:
        differ = _orders_differ(unrolled.context, unrolled.start)
        return unrolled.terms.both(unrolled.begins, differ)


def _orders_differ(context: ProofContext, state: State) -> Term:
    every = pairs(context.spec, context.instance.players)
    two = [pair_of(context, state, each) for each in every]
    return context.terms.either(context.terms.both(each.here, each.differs) for each in two)


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


class UndefinedValueGoal(Node):
    """An event that asks for something that has no value."""

    name = "safe"

    @property
    def at_start(self) -> bool:
        return False

    def met(self, instance: Instance, before: Position, after: Position) -> bool:
        return False

    def met_first(self, instance: Instance, start: Position) -> bool:
        return False

    def watch(self, game: CompiledGame) -> Watch:
        return _never

    def stops(self, error: EvaluationError | None) -> bool:
        return error is not None and not isinstance(error, EndlessError)

    def watched(self, instance: Instance) -> tuple[c.Property, ...] | None:
        return ()

    def goal(self, unrolled: Unrolling, since: int, until: int) -> Term:
        return unrolled.strikes(since, until)

    def at_once(self, unrolled: Unrolling) -> Term:
        return unrolled.terms.truth(False)


def _never(before: Flat, now: Flat) -> bool:
    """Of what is met only where play stops."""
    return False


OBLIGED: dict[str, SearchGoal] = {
    each.name: each
    for each in (
        UndefinedValueGoal(),
        DeadlockGoal(),
        StepOrderGoal(),
        EndlessStepsGoal(),
        MoveOrderGoal(),
    )
}
"""What breaks the obligations that every spec has."""
