"""Lists the legal moves of a position, and finds positions that have no way on.

Every choice of mover and parameters is gone through, with requirements tried as early as they can
be. Moves with proposals are listed by them alone: what is listed is legal, but what is legal need
not be listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.constraint_search import (
    ChoiceCondition,
    conditions_of,
    remaining,
    search,
)
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment, choices, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import is_final, requirements
from rulewright.play.semantics.values import Position, Value, frozen, stray


def legal_moves(instance: Instance, position: Position) -> Iterator[Event]:
    """The legal moves, in the order of the file, then of players, then of parameters."""
    for transition in instance.of_kind("move"):
        yield from legal_events(instance, position, transition)


def legal_events(
    instance: Instance, position: Position, transition: c.Transition
) -> Iterator[Event]:
    """The events of one move or chance event that nothing refuses."""
    env = Environment(instance, position)
    conditions = remaining(conditions_of(requirements(transition), env), env)
    if conditions is None:
        return
    if transition.proposals:
        yield from _proposed(transition, conditions, env)
        return
    for values in search(parameter_types(transition, instance), conditions, env, in_state=False):
        yield _event(transition, values)


def is_stuck(instance: Instance, position: Position) -> bool:
    """Whether the game is not over and yet nothing can happen: a hole in the rules. Of moves with
    proposals, only what is proposed counts."""
    if is_final(instance, position):
        return False
    events = (
        event
        for transition in instance.spec.transitions
        if transition.kind != "step"
        for event in legal_events(instance, position, transition)
    )
    return next(events, None) is None


def parameter_types(transition: c.Transition, instance: Instance) -> dict[str, y.Type]:
    """What there is to choose for an event: who moves, then the parameters."""
    types: dict[str, y.Type] = {param.name: param.type for param in transition.params}
    if transition.mover is None:
        return types
    return {transition.mover: instance.player, **types}


def _proposed(
    transition: c.Transition, conditions: Sequence[ChoiceCondition], env: Environment
) -> Iterator[Event]:
    """The events whose first parameter is as one of the proposals says."""
    first, *rest = transition.params
    types = parameter_types(transition, env.instance)
    movers = {name: type for name, type in types.items() if name == transition.mover}
    others: dict[str, y.Type] = {param.name: param.type for param in rest}
    for mover in search(movers, conditions, env, in_state=False):
        inside = env.enter({**env.locals, **mover})
        for value in _candidates(transition, first, inside):
            chosen = inside.bind(first.name, value)
            for values in search(others, conditions, chosen, in_state=False):
                yield _event(transition, {**mover, first.name: value, **values})


def _candidates(transition: c.Transition, first: c.Param, env: Environment) -> Iterator[Value]:
    """The different values that the proposals of a move come to."""
    seen = set()
    for proposal in transition.proposals:
        for inside in choices(proposal.binders, proposal.where, env):
            value = evaluate(proposal.value, inside)
            if stray(value, first.type, env.instance) is not None:
                raise EvaluationError(
                    f"the proposal `{proposal.name}` leaves {y.show(first.type)}", proposal.span
                )
            if frozen(value) not in seen:
                seen.add(frozen(value))
                yield value


def _event(transition: c.Transition, values: Mapping[str, Value]) -> Event:
    by = values[transition.mover] if transition.mover else None
    assert by is None or isinstance(by, int)
    return Event(transition.name, by, {each.name: values[each.name] for each in transition.params})
