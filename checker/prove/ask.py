"""Asks whole problems: one text for all goals of a query, cache, solver, and what came back in the
words of the spec.

A model is decoded here and replayed in the evaluator: the assumptions must hold, the goal must
not. One that does not replay is an error of the encoding and is reported as such.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from math import inf
from time import perf_counter
from typing import Any

from checker.kernel.outcome import Outcome, Seen, answered
from checker.kernel.problem import Problem
from checker.kernel.query import Goal, Query
from checker.meaning.core import Transition
from checker.play.event import Event
from checker.prove.cache import Cache
from checker.prove.confirm import doubted
from checker.prove.effort import Effort
from checker.prove.outside import Question, handed_over
from checker.smt.decode import Model, decode
from checker.smt.solver import SAT, UNKNOWN, UNSAT, Z3, Answer
from checker.smt.text import Labelled, Script, script
from checker.smt.value import Sym
from checker.smt.values import UnreadableError
from checker.syntax.node import Node
from checker.vc.context import ProofContext


class Patience(Node):
    """How many seconds and how much work a solver has for each goal, if less than there is."""

    seconds: float = inf
    work: int | None = None


ENDLESS = Patience()


def ask(
    context: ProofContext, query: Query, effort: Effort, cache: Cache, patience: Patience = ENDLESS
) -> list[Outcome]:
    """The answers to all goals of a query, in order, each asked whole."""

    def work(asked: Query, problems: Sequence[Problem]) -> list[Seen]:
        return ask_whole(context, asked, asked.goals, problems, effort, cache, patience)

    return answered(context.terms, query, work)


def ask_whole(
    context: ProofContext, query: Query, goals: Sequence[Goal], problems: Sequence[Problem],
    effort: Effort, cache: Cache, patience: Patience = ENDLESS, shown: bool = True,
) -> list[Seen]:  # fmt: skip
    """Asks about some goals of a query, each as far as its problem has it; the assumptions of the
    problems are those of the query. Where nothing is to be `shown` of what fails, its model is left
    alone: then only *unsatisfiable* means something."""
    found: dict[int, Seen] = {}
    hard: list[int] = []
    for number, (goal, problem) in enumerate(zip(goals, problems)):
        if goal.wants == UNSAT and (problem.used() is not None or not problem.ways()):
            found[number] = Seen(UNSAT, None, 0.0)
        else:
            hard.append(number)
    if hard:
        asked = [(goals[n], problems[n]) for n in hard]
        told = _ask_solver(context, query, asked, effort, cache, patience, shown)
        found.update(zip(hard, told))
    return [found[number] for number in range(len(goals))]


def _ask_solver(
    context: ProofContext, query: Query, asked: Sequence[tuple[Goal, Problem]], effort: Effort,
    cache: Cache, patience: Patience, shown: bool,
) -> list[Seen]:  # fmt: skip
    asserted = [*query.assumed, *(Labelled(goal.name, each.denied) for goal, each in asked)]
    text = script(asserted)
    digest = sha256(text.text.encode()).hexdigest()
    assumed = text.switches[: len(query.assumed)]
    labels = dict(zip(assumed, (each.label for each in query.assumed)))
    solver: Z3 | None = None
    watch = context.terms.watch
    found = []
    for (goal, problem), switch in zip(asked, text.switches[len(query.assumed) :]):
        began = perf_counter()
        watch.check()
        key = f"{digest} {switch}{'' if shown else ' only'}"
        timeout = min(effort.timeout, patience.seconds, watch.left())
        answer = cache.get(key, timeout, patience.work)
        if answer is None:
            if solver is None:
                solver = Z3(text.text, work=patience.work)
            names = list(text.names.values())
            answer = solver.check([*assumed, switch], timeout, names if shown else ())
            if answer.result != UNKNOWN:
                cache.put(key, answer)
        question = Question(asserted, [*assumed, switch])
        answer = handed_over(effort, context, query, goal, question, answer)
        position: dict[str, Any] | None = None
        events: tuple[Event, ...] = ()
        if answer.result == UNSAT:
            problem.told(answer.core, labels)
        if shown and answer.result == SAT and answer.model is not None:
            try:
                position, events = decoded(context, query, text, answer.model)
            except UnreadableError as error:
                if goal.wants == UNSAT:
                    answer = Answer(UNKNOWN, str(error))
            else:
                doubt = doubted(context, query, goal, position, events)
                if doubt is not None:
                    position, events = None, ()
                    answer = Answer(UNKNOWN, doubt)
        seconds = perf_counter() - began
        found.append(Seen(answer.result, answer.reason, seconds, position, events))
    return found


def decoded(
    context: ProofContext, query: Query, text: Script, values: Mapping[str, int]
) -> tuple[dict[str, Any], tuple[Event, ...]]:
    """The position and the events that a model stands for."""
    model = Model(text.names, values)
    domains = context.world.domains
    position = {
        name: decode(value, context.instance.variables[name].type, model, domains)
        for name, value in query.state.items()
    }
    if callable(query.happens):
        return position, tuple(query.happens(model))
    return position, tuple(_event(context, *each, model) for each in query.happens)


def _event(
    context: ProofContext, transition: Transition, locals: Mapping[str, Sym], model: Model
) -> Event:
    types = context.parameter_types(transition)
    given = {
        name: decode(value, types[name], model, context.world.domains)
        for name, value in locals.items()
    }
    by = given.pop(transition.mover) if transition.mover is not None else None
    return Event(transition.name, by, given)
