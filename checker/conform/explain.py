"""Which part of the rulebook a difference breaks.

An event that should have been refused breaks the requirements that refuse it. One that should have
been accepted breaks the requirement that, slightly mistaken, would explain the refusal. A wrong
state breaks the labelled statement that wrote, or should not have written, what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from checker.conform.mistakes import mistaken, names_in
from checker.conform.referee import Mismatch, Referee
from checker.meaning import core as c
from checker.play.errors import EvaluationError
from checker.play.evaluate import Scene, evaluate
from checker.play.event import Event
from checker.play.rules import Happened, apply, failing, requirements
from checker.play.values import Position
from checker.syntax.node import Node, Span


class Blame(Node):
    """What is broken: the clauses, what in the spec stands for them, and where that is."""

    clauses: tuple[str, ...]
    requirement: str | None
    prose: str | None
    span: Span


def for_accepted(referee: Referee, position: Position, event: Event) -> Blame:
    """The requirements that refuse an event."""
    refused = failing(referee.instance, position, event)
    transition = referee.instance.transitions[event.name]
    telling = [each for each in refused if each.clauses] or refused
    if not telling:
        return _of_transition(transition)
    return _of(telling[0], [*telling, transition] if not telling[0].clauses else telling)


def for_refused(
    referee: Referee, position: Position, event: Event, before: Sequence[tuple[Position, Event]]
) -> Blame:
    """The requirement that would refuse an event if it were a little stricter, and would have
    let pass what was accepted `before`; else the move itself."""
    transition = referee.instance.transitions[event.name]
    earlier = [each for each in before if each[1].name == event.name]
    own = {transition.mover, *(param.name for param in transition.params)}
    cited = sorted(
        (each for each in requirements(transition) if each.clauses),
        key=lambda each: own.isdisjoint(names_in(each.condition)),
    )
    for slight in (True, False):
        for requirement in cited:
            for condition in mistaken(requirement, slight):
                if not _holds(referee, condition, position, event) and all(
                    _holds(referee, condition, *each) for each in earlier
                ):
                    return _of(requirement, [requirement, transition])
    return _of_transition(transition)


def for_state(
    referee: Referee, position: Position, event: Event, mismatches: Sequence[Mismatch]
) -> Blame:
    """The labelled statements that wrote what is wrong, or that were passed over and would have
    written what the engine reports; else the transition that happened last."""
    happened = apply(referee.instance, position, event)
    found: list[c.Labelled] = []
    for mismatch in mismatches:
        found += _passed_over(referee, happened, mismatch)
        found += _carried_out(referee, happened, mismatch.variable)
    for mismatch in mismatches if not found else ():
        found += _might_have(referee, happened, mismatch.variable)
    wrong = {each.variable for each in mismatches}
    for each in reversed(happened):
        if not found and wrong & _written(referee, each.transition.body):
            return _of_transition(each.transition)
    if not found:
        return _of_transition(happened[0].transition)
    return _of(found[0], found)


def for_score(referee: Referee, mismatches: Sequence[Mismatch]) -> Blame:
    """The functions that the result of a game is reported by."""
    named = [referee.instance.functions[each.variable] for each in mismatches]
    first = named[0]
    clauses = dict.fromkeys(clause for each in named for clause in each.clauses)
    return Blame(tuple(clauses), first.name, first.prose, first.span)


def for_fault(referee: Referee, event: Event | None) -> Blame | None:
    """The event that an engine failed on; None if it was none."""
    return None if event is None else _of_transition(referee.instance.transitions[event.name])


def _of(first: c.Requirement | c.Labelled, all: Sequence[Any]) -> Blame:
    clauses = dict.fromkeys(clause for each in all for clause in each.clauses)
    return Blame(tuple(clauses), first.label, first.prose, first.span)


def _of_transition(transition: c.Transition) -> Blame:
    cited = [*transition.clauses, *(each for need in transition.requirements
                                    for each in need.clauses)]  # fmt: skip
    clauses = transition.clauses or tuple(dict.fromkeys(cited))
    return Blame(clauses, transition.name, transition.prose, transition.span)


def _holds(referee: Referee, condition: c.Expr, position: Position, event: Event) -> bool:
    transition = referee.instance.transitions[event.name]
    try:
        return bool(
            evaluate(condition, Scene(referee.instance, position, None, event.locals(transition)))
        )
    except EvaluationError:
        return True


def _carried_out(referee: Referee, happened: Iterable[Happened], variable: str) -> list[c.Labelled]:
    """The labelled statements that wrote a variable, the last first."""
    done = [each for one in happened for each in one.done]
    return [each for each in reversed(done) if variable in _written(referee, each.body)]


def _passed_over(
    referee: Referee, happened: Sequence[Happened], mismatch: Mismatch
) -> list[c.Labelled]:
    """The labelled statements that would have written the very value that the engine reports."""
    return [
        each
        for each in _not_done(referee, happened)
        if any(
            isinstance(write.value, c.Literal)
            and write.variable == mismatch.variable
            and mismatch.value is not None
            and write.value.value == mismatch.value
            for write in _assignments(referee, each.body)
        )
    ]


def _might_have(referee: Referee, happened: Sequence[Happened], variable: str) -> list[c.Labelled]:
    """The labelled statements that could have written a variable and did not."""
    return [
        each for each in _not_done(referee, happened) if variable in _written(referee, each.body)
    ]


def _not_done(referee: Referee, happened: Sequence[Happened]) -> list[c.Labelled]:
    """The labelled statements of what happened that were not carried out."""
    done = {id(each) for one in happened for each in one.done}
    taken = [one.transition for one in happened]
    phases = {str(one.after["phase"]) for one in happened} | {str(happened[0].before["phase"])}
    taken += [
        each for each in referee.instance.of_kind("step")
        if each not in taken and phases & set(each.phases)
    ]  # fmt: skip
    labelled = [each for one in taken for each in _labelled(referee, one.body)]
    return [each for each in labelled if id(each) not in done]


def _written(referee: Referee, body: Sequence[c.Statement]) -> set[str]:
    return {each.variable for each in _assignments(referee, body)}


def _assignments(referee: Referee, body: Sequence[c.Statement]) -> Iterator[c.Assign]:
    """The assignments in statements, also in the effects they perform."""
    return (each for each in _within(referee, body) if isinstance(each, c.Assign))


def _labelled(referee: Referee, body: Sequence[c.Statement]) -> Iterator[c.Labelled]:
    return (each for each in _within(referee, body) if isinstance(each, c.Labelled))


def _within(referee: Referee, body: Sequence[c.Statement]) -> Iterator[c.Statement]:
    """Every statement, at any depth."""
    for statement in body:
        yield statement
        match statement:
            case c.If(then=then, otherwise=otherwise):
                yield from _within(referee, then)
                yield from _within(referee, otherwise)
            case c.For(body=inside) | c.Labelled(body=inside):
                yield from _within(referee, inside)
            case c.Perform(effect=name):
                yield from _within(referee, referee.instance.effects[name].body)
