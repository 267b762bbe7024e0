"""Which part of the rulebook a difference breaks.

An event that should have been refused breaks the requirements that refuse it. Of anything else the
mistakes of the catalogue are tried that would explain it. Where none does, a wrong state breaks the
properties that it contradicts. Else it is a guess, and said to be one: the requirement that,
slightly mistaken, would refuse what is legal, the statements that wrote, or should not have
written, what is wrong, all that a result is made from.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from rulewright.conform.mutation.mutation_operators import mutated, names_in
from rulewright.conform.oracle.oracle import Oracle, StateMismatch
from rulewright.conform.report.explaining_mistakes import (
    Explanation,
    explaining_refusal,
    explaining_result,
    explaining_state,
)
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.names.symbol_table import RESULTS
from rulewright.meaning.traversal import walk
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.event import Event
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import TakenTransition, apply, failing, requirements
from rulewright.play.semantics.values import Position
from rulewright.syntax.node import NOWHERE, Node, Span, replace


class Blame(Node):
    """What is broken: the clauses, what in the spec stands for them, and where that is."""

    clauses: tuple[str, ...]
    requirement: str | None
    prose: str | None
    span: Span
    others: tuple[str, ...] = ()
    """What else would explain it; the cause is one of all these."""
    is_guess: bool = False
    """Whether nothing says that it is this rule."""


def for_accepted(oracle: Oracle, position: Position, event: Event) -> Blame:
    """The requirements that refuse an event."""
    refused = failing(oracle.instance, position, event)
    transition = oracle.instance.transitions[event.name]
    telling = [each for each in refused if each.clauses] or refused
    if not telling:
        return _of_transition(transition)
    return _of(telling[0], [*telling, transition] if not telling[0].clauses else telling)


def for_refused(
    oracle: Oracle,
    position: Position,
    event: Event,
    before: Sequence[tuple[Position, Event]],
    seen: Collection[str],
) -> Blame:
    """The rules that would refuse an event if they were slightly mistaken, and would have let pass
    what was accepted `before`; or by which it would be refused after those events, though nothing
    was wrong in what is `seen` of the engine's state. Of requirements the move's own come first;
    else the move itself, as a guess."""
    transition = oracle.instance.transitions[event.name]
    explained = explaining_refusal(oracle, position, event, before, seen)
    if explained:
        found = _one_of(explained)
        return replace(found, clauses=tuple(dict.fromkeys((*found.clauses, *transition.clauses))))
    earlier = [each for each in before if each[1].name == event.name]
    own = {transition.mover, *(param.name for param in transition.params)}
    cited = sorted(
        (each for each in requirements(transition) if each.clauses),
        key=lambda each: own.isdisjoint(names_in(each.condition)),
    )
    for slight in (True, False):
        for requirement in cited:
            for condition in mutated(requirement, slight):
                if not _holds(oracle, condition, position, event) and all(
                    _holds(oracle, condition, *each) for each in earlier
                ):
                    return replace(_of(requirement, [requirement, transition]), is_guess=True)
    return replace(_of_transition(transition), is_guess=True)


def for_state(
    oracle: Oracle,
    position: Position,
    event: Event,
    mismatches: Sequence[StateMismatch],
    before: Sequence[tuple[Position, Event]] = (),
    seen: Collection[str] = (),
) -> Blame:
    """The rules by which the engine's state would come out if they were slightly mistaken. Else
    the properties that it contradicts, and what wrote it; else, as a guess, the labelled statements
    that wrote what is wrong, or that were passed over and would have written what the engine
    reports, or the transition that happened last."""
    explained = explaining_state(oracle, position, event, before, mismatches, seen)
    if explained:
        return _one_of(explained)
    happened = apply(oracle.instance, position, event)
    contradicted = _contradicted(oracle, position, happened[-1].after, mismatches)
    nearest = _nearest_statements(oracle, happened, mismatches)
    if contradicted:
        clauses = dict.fromkeys(clause for each in contradicted for clause in each.clauses)
        first = contradicted[0]
        others = () if nearest.requirement is None else (nearest.requirement, *nearest.others)
        named = tuple(dict.fromkeys((*clauses, *nearest.clauses)))
        return Blame(named, first.name, first.prose, first.span, others)
    return replace(nearest, is_guess=True)


def _contradicted(
    oracle: Oracle, before: Position, after: Position, mismatches: Sequence[StateMismatch]
) -> list[c.Property]:
    """The properties with clauses that hold of what should have happened, and not of what the
    engine reports."""
    instance = oracle.instance
    types = {name: each.type for name, each in instance.variables.items()}
    for each in mismatches:
        is_none = each.value is None and not isinstance(types.get(each.variable), y.Option)
        if each.is_unread or is_none:
            return []  # it is no value of the game
    reported = {**after, **{each.variable: each.value for each in mismatches}}
    found = []
    for claim in instance.spec.properties:
        if claim.kind in ("invariant", "always") and claim.clauses:
            try:
                holds = _holds_of(instance, claim, before, after)
                if holds and not _holds_of(instance, claim, before, reported):
                    found.append(claim)
            except EvaluationError:
                continue
    return found


def _holds_of(instance: Instance, claim: c.Property, before: Position, after: Position) -> bool:
    if claim.kind == "invariant":
        return bool(evaluate(claim.claim, Environment(instance, after)))
    return bool(evaluate(claim.claim, Environment(instance, before, after)))


def _nearest_statements(
    oracle: Oracle, happened: Sequence[TakenTransition], mismatches: Sequence[StateMismatch]
) -> Blame:
    """What wrote, or might have written, the variables that are wrong."""
    found: list[c.Labelled] = []
    for mismatch in mismatches:
        found += _passed_over(oracle, happened, mismatch)
        found += _carried_out(oracle, happened, mismatch.variable)
    for mismatch in mismatches if not found else ():
        found += _might_have(oracle, happened, mismatch.variable)
    wrong = {each.variable for each in mismatches}
    for each in reversed(happened):
        if not found and wrong & _written(oracle, each.transition.body):
            return _of_transition(each.transition)
    if not found:
        return _of_transition(happened[0].transition)
    labels = dict.fromkeys(each.label for each in found[1:] if each.label != found[0].label)
    return replace(_of(found[0], found), others=tuple(labels))


def for_beginning(oracle: Oracle, mismatches: Sequence[StateMismatch]) -> Blame:
    """The variables that begin with another value."""
    known = oracle.instance.variables
    named = [known[each.variable] for each in mismatches if each.variable in known]
    if not named or named[0].span == NOWHERE:
        return Blame((), None, None, NOWHERE)
    clauses = dict.fromkeys(clause for each in named for clause in each.clauses)
    return Blame(tuple(clauses), named[0].name, named[0].prose, named[0].span)


def _one_of(explained: Sequence[Explanation]) -> Blame:
    """One of some rules, each of which explains it."""
    first, *others = explained
    clauses = dict.fromkeys(clause for each in explained for clause in each.clauses)
    named = tuple(each.label for each in others)
    return Blame(tuple(clauses), first.label, first.prose, first.span, named)


def for_score(
    oracle: Oracle,
    position: Position,
    mismatches: Sequence[StateMismatch],
    before: Sequence[tuple[Position, Event]] = (),
    seen: Collection[str] = (),
) -> Blame:
    """The functions and tables by which the engine's result would come out if they were slightly
    mistaken, and the rules by which what happened `before` would have led to it. Else, as a guess,
    all that the result is made from."""
    explained = explaining_result(oracle, position, before, mismatches, seen)
    if explained:
        return _one_of(explained)
    named: list[c.Function | c.TableData] = []
    wrong = [each.variable for each in mismatches]
    waiting = [oracle.instance.functions[each] for each in wrong]
    while waiting:
        function = waiting.pop(0)
        if function in named or (function.name in RESULTS and function.name not in wrong):
            continue
        named.append(function)
        for node in walk(function.body):
            if isinstance(node, c.Call) and node.function in oracle.instance.functions:
                waiting.append(oracle.instance.functions[node.function])
            elif isinstance(node, c.TableRef):
                named += [each for each in oracle.instance.spec.tables
                          if each.name == node.name and each not in named]  # fmt: skip
    first, *others = named
    clauses = dict.fromkeys(clause for each in named for clause in each.clauses)
    labels = tuple(each.name for each in others)
    return Blame(tuple(clauses), first.name, first.prose, first.span, labels, bool(others))


def for_fault(oracle: Oracle, event: Event | None) -> Blame | None:
    """The event that an engine failed on; None if it was none."""
    return None if event is None else _of_transition(oracle.instance.transitions[event.name])


def _of(first: c.Requirement | c.Labelled, all: Sequence[Any]) -> Blame:
    clauses = dict.fromkeys(clause for each in all for clause in each.clauses)
    return Blame(tuple(clauses), first.label, first.prose, first.span)


def _of_transition(transition: c.Transition) -> Blame:
    cited = [*transition.clauses, *(each for need in transition.requirements
                                    for each in need.clauses)]  # fmt: skip
    clauses = transition.clauses or tuple(dict.fromkeys(cited))
    return Blame(clauses, transition.name, transition.prose, transition.span)


def _holds(oracle: Oracle, condition: c.Expr, position: Position, event: Event) -> bool:
    transition = oracle.instance.transitions[event.name]
    try:
        return bool(
            evaluate(
                condition, Environment(oracle.instance, position, None, event.locals(transition))
            )
        )
    except EvaluationError:
        return True


def _carried_out(
    oracle: Oracle, happened: Iterable[TakenTransition], variable: str
) -> list[c.Labelled]:
    """The labelled statements that wrote a variable, the last first."""
    done = [each for one in happened for each in one.done]
    return [each for each in reversed(done) if variable in _written(oracle, each.body)]


def _passed_over(
    oracle: Oracle, happened: Sequence[TakenTransition], mismatch: StateMismatch
) -> list[c.Labelled]:
    """The labelled statements that would have written the very value that the engine reports."""
    return [
        each
        for each in _not_done(oracle, happened)
        if any(
            isinstance(write.value, c.Literal)
            and write.variable == mismatch.variable
            and mismatch.value is not None
            and write.value.value == mismatch.value
            for write in _assignments(oracle, each.body)
        )
    ]


def _might_have(
    oracle: Oracle, happened: Sequence[TakenTransition], variable: str
) -> list[c.Labelled]:
    """The labelled statements that could have written a variable and did not."""
    return [each for each in _not_done(oracle, happened) if variable in _written(oracle, each.body)]


def _not_done(oracle: Oracle, happened: Sequence[TakenTransition]) -> list[c.Labelled]:
    """The labelled statements of what happened that were not carried out."""
    done = {id(each) for one in happened for each in one.done}
    taken = [one.transition for one in happened]
    phases = {str(one.after["phase"]) for one in happened} | {str(happened[0].before["phase"])}
    taken += [
        each for each in oracle.instance.of_kind("step")
        if each not in taken and phases & set(each.phases)
    ]  # fmt: skip
    labelled = [each for one in taken for each in _labelled(oracle, one.body)]
    return [each for each in labelled if id(each) not in done]


def _written(oracle: Oracle, body: Sequence[c.Statement]) -> set[str]:
    return {each.variable for each in _assignments(oracle, body)}


def _assignments(oracle: Oracle, body: Sequence[c.Statement]) -> Iterator[c.Assign]:
    """The assignments in statements, also in the effects they perform."""
    return (each for each in _within(oracle, body) if isinstance(each, c.Assign))


def _labelled(oracle: Oracle, body: Sequence[c.Statement]) -> Iterator[c.Labelled]:
    return (each for each in _within(oracle, body) if isinstance(each, c.Labelled))


def _within(oracle: Oracle, body: Sequence[c.Statement]) -> Iterator[c.Statement]:
    """Every statement, at any depth."""
    for statement in body:
        yield statement
        match statement:
            case c.If(then=then, otherwise=otherwise):
                yield from _within(oracle, then)
                yield from _within(oracle, otherwise)
            case c.For(body=inside) | c.Labelled(body=inside):
                yield from _within(oracle, inside)
            case c.Perform(effect=name):
                yield from _within(oracle, oracle.instance.effects[name].body)
