"""Outcomes: what was found out about a goal, without the terms it was found with.

Only `settled` here makes one that says *unsat* of something to be shown, and only from a problem
that its own rules have refuted. Whoever looked for the refutation may only say what else was seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from checker.kernel.context import ProofContext
from checker.kernel.obligations import Obligation
from checker.kernel.problem import Problem
from checker.kernel.query import Goal, Query
from checker.play.event import Event
from checker.smt.solver import SAT, UNKNOWN, UNSAT
from checker.syntax.node import Node


class Game(Node):
    """A game that shows something: where it begins, what happens, where it has led. `stopped` says
    what the last event asks for that has no value; from `loop` on, after so many events, the game
    can go on for ever as it has. It is `shortest` where no game of fewer turns shows the same."""

    start: Mapping[str, Any]
    events: tuple[Event, ...]
    end: Mapping[str, Any]
    turns: int
    stopped: str | None = None
    loop: int | None = None
    shortest: bool = False


class Outcome(Node):
    """What a worker found out about one goal. `wants` and `result` are the solver's words;
    `covers` are the obligations it answers, in the case where parameters are `fixed`."""

    name: str
    kind: str
    wants: str
    result: str
    reason: str | None
    used: tuple[str, ...]
    seconds: float
    note: str
    transition: str | None
    position: Mapping[str, Any] | None = None
    events: tuple[Event, ...] = ()
    game: Game | None = None
    depth: int | None = None
    more: tuple[Game, ...] = ()
    """Other games that show the same."""
    complete: bool = False
    """That there are no longer games than were looked at."""
    covers: tuple[Obligation, ...] = ()
    fixed: tuple[tuple[str, int], ...] = ()


class Seen(Node):
    """What was seen while a problem was worked on: the solver's word, and if it is *sat*, a
    position and events that the evaluator confirms."""

    result: str
    reason: str | None
    seconds: float
    position: Mapping[str, Any] | None = None
    events: tuple[Event, ...] = ()


class Answered(Node):
    """What became of a goal: the word on it, and the assumptions that a refutation used."""

    goal: Goal
    result: str
    reason: str | None
    used: tuple[str, ...]
    seconds: float
    position: Mapping[str, Any] | None = None
    events: tuple[Event, ...] = ()


Work: TypeAlias = "Callable[[ProofContext, Query, Sequence[Problem]], Sequence[Seen]]"
"""Whoever works on the problems of a query, one for each goal."""


def answered(context: ProofContext, query: Query, work: Work) -> list[Answered]:
    """The answers to all goals of a query, in order. That something cannot be is said only if its
    problem is refuted, whatever was seen."""
    problems = [query.problem(context.terms, goal) for goal in query.goals]
    found = []
    for goal, problem, seen in zip(query.goals, problems, work(context, query, problems)):
        used = problem.used()
        result = seen.result
        if result != SAT:
            result = UNSAT if used is not None else UNKNOWN
        found.append(
            Answered(
                goal, result, seen.reason, used or (), seen.seconds, seen.position, seen.events
            )
        )
    return found


def outcome(query: Query, found: Answered, fixed: Sequence[tuple[str, int]] = ()) -> Outcome:
    """What was found, without the terms it was found with."""
    goal = found.goal
    return Outcome(
        goal.name, goal.kind, goal.wants, found.result, found.reason, found.used, found.seconds,
        goal.note, query.transition.name if query.transition is not None else None,
        found.position, found.events, covers=goal.covers, fixed=tuple(fixed),
    )  # fmt: skip
