"""Asks whole questions: one text for all goals of a query. Cache, solver, and the answer in terms
of the spec.

A model is decoded here and replayed in the evaluator: the assumptions must hold in it and the goal
must not. A model that does not replay is a fault of the encoding and is reported as such.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from math import inf
from time import perf_counter
from typing import Any

from rulewright.kernel.outcome import Outcome, SolverResult, answered
from rulewright.kernel.query import Goal, Query
from rulewright.kernel.refutation import Problem
from rulewright.meaning.core import Transition
from rulewright.play.semantics.event import Event
from rulewright.prove.cache.answer_cache import Cache
from rulewright.prove.discharge.smt_export import ExportedQuestion, export_question
from rulewright.prove.run.prover_options import ProverOptions
from rulewright.prove.verdict.validate_model import doubted
from rulewright.smt.encode.symbolic_values import Sym
from rulewright.smt.solver.decode_model import Model, decode
from rulewright.smt.solver.model_values import UnreadableError
from rulewright.smt.solver.smtlib import LabelledAssertion, Script, script
from rulewright.smt.solver.solver import SAT, UNKNOWN, UNSAT, Z3, SolverAnswer
from rulewright.syntax.node import Node
from rulewright.vc.context import ProofContext


class QuestionLimit(Node):
    """How many seconds and how much work a solver has for each goal, if less than there is."""

    seconds: float = inf
    work: int | None = None


ENDLESS = QuestionLimit()


def ask(
    context: ProofContext,
    query: Query,
    effort: ProverOptions,
    cache: Cache,
    patience: QuestionLimit = ENDLESS,
) -> list[Outcome]:
    """The answers to all goals of a query, in order, each asked whole."""

    def work(asked: Query, problems: Sequence[Problem]) -> list[SolverResult]:
        return ask_whole(context, asked, asked.goals, problems, effort, cache, patience)

    return answered(context.terms, query, work)


def ask_whole(
    context: ProofContext, query: Query, goals: Sequence[Goal], problems: Sequence[Problem],
    effort: ProverOptions, cache: Cache, patience: QuestionLimit = ENDLESS, shown: bool = True,
) -> list[SolverResult]:  # fmt: skip
    """Asks about some goals of a query, each as far as its problem has it; the assumptions of the
    problems are those of the query. Where nothing is to be `shown` of what fails, its model is left
    alone: then only *unsatisfiable* means something."""
    found: dict[int, SolverResult] = {}
    hard: list[int] = []
    for number, (goal, problem) in enumerate(zip(goals, problems)):
        if goal.wants == UNSAT and (problem.used() is not None or not problem.ways()):
            found[number] = SolverResult(UNSAT, None, 0.0)
        else:
            hard.append(number)
    if hard:
        asked = [(goals[n], problems[n]) for n in hard]
        told = _ask_solver(context, query, asked, effort, cache, patience, shown)
        found.update(zip(hard, told))
    return [found[number] for number in range(len(goals))]


def _ask_solver(
    context: ProofContext,
    query: Query,
    asked: Sequence[tuple[Goal, Problem]],
    effort: ProverOptions,
    cache: Cache,
    patience: QuestionLimit,
    shown: bool,
) -> list[SolverResult]:
    asserted = [
        *query.assumed,
        *(LabelledAssertion(goal.name, each.denied) for goal, each in asked),
    ]
    text = script(asserted)
    digest = sha256(text.text.encode()).hexdigest()
    assumed = text.switches[: len(query.assumed)]
    labels = dict(zip(assumed, (each.label for each in query.assumed)))
    solver = Z3(text.text, work=patience.work)  # reads it when it is asked
    values = list(text.names.values()) if shown else []
    watch = context.terms.watch
    found = []
    for (goal, problem), switch in zip(asked, text.switches[len(query.assumed) :]):
        began = perf_counter()
        watch.check()
        key = f"{digest} {switch}{'' if shown else ' only'}"
        timeout = min(effort.timeout, patience.seconds, watch.left())
        switches = [*assumed, switch]
        answer = cache.answer(
            key, timeout, patience.work, partial(solver.check, switches, timeout, values)
        )
        question = ExportedQuestion(asserted, switches)
        answer = export_question(effort, context, query, goal, question, answer)
        position: dict[str, Any] | None = None
        events: tuple[Event, ...] = ()
        if answer.result == UNSAT:
            problem.told(answer.core, labels)
        if shown and answer.result == SAT and answer.model is not None:
            try:
                position, events = decoded(context, query, text, answer.model)
            except UnreadableError as error:
                if goal.wants == UNSAT:
                    answer = SolverAnswer(UNKNOWN, str(error))
            else:
                doubt = doubted(context, query, goal, position, events)
                if doubt is not None:
                    position, events = None, ()
                    answer = SolverAnswer(UNKNOWN, doubt)
        seconds = perf_counter() - began
        found.append(SolverResult(answer.result, answer.reason, seconds, position, events))
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
