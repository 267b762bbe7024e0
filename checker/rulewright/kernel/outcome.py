"""Outcomes: what was found out about a goal, without the terms it was found with.

Only `answered` makes one that says *unsat*, and only from a problem that its own rules have
refuted. Whoever looked for the refutation may only say what else was seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from rulewright.kernel.obligations import Obligation
from rulewright.kernel.query import Query
from rulewright.kernel.refutation import Problem
from rulewright.play.semantics.event import Event
from rulewright.smt.open_place import OpenPlace
from rulewright.smt.solver.solver import SAT, UNKNOWN, UNSAT
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.syntax.node import Node


class WitnessGame(Node):
    """A game that shows something: where it begins, what happens, where it has led. `stopped` says
    what the last event asks for that has no value; from `loop` on, after so many events, the game
    can go on for ever as it has. It is `shortest` where no game of fewer turns, or none of fewer
    events, shows the same."""

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
    game: WitnessGame | None = None
    depth: int | None = None
    more: tuple[WitnessGame, ...] = ()  # other games that show the same
    complete: bool = False  # there are no longer games than were looked at
    covers: tuple[Obligation, ...] = ()
    fixed: tuple[tuple[str, int], ...] = ()
    places: tuple[OpenPlace, ...] = ()


class SolverResult(Node):
    """What was seen while a problem was worked on: the solver's word, and if it is *sat*, a
    position and events that the evaluator confirms."""

    result: str
    reason: str | None
    seconds: float
    position: Mapping[str, Any] | None = None
    events: tuple[Event, ...] = ()
    places: tuple[OpenPlace, ...] = ()


Work: TypeAlias = "Callable[[Query, Sequence[Problem]], Sequence[SolverResult]]"
"""Whoever works on the problems of a query, one for each goal."""


def answered(terms: TermBuilder, query: Query, work: Work) -> list[Outcome]:
    """The answers to all goals of a query, in order. That something cannot be is said only if its
    problem is refuted, whatever is said to have been seen."""
    problems = [query.problem(terms, goal) for goal in query.goals]
    about = query.transition.name if query.transition is not None else None
    found = []
    for goal, problem, seen in zip(query.goals, problems, work(query, problems)):
        used = problem.used()
        refuted = seen.result == UNSAT and used is not None
        result = UNSAT if refuted else SAT if seen.result == SAT else UNKNOWN
        found.append(
            Outcome(
                goal.name, goal.kind, goal.wants, result, seen.reason, used or (), seen.seconds,
                goal.note, about, seen.position, seen.events, covers=goal.covers, fixed=query.fixed,
                places=seen.places,
            )
        )  # fmt: skip
    return found
