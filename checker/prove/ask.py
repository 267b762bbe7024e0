"""Asks what stands on a sheet: text, cache, solver, and what came back in the words of the spec.

A model is decoded here and replayed in the evaluator: the assumptions must hold, the goal must
not. One that does not replay is an error of the encoding and is reported as such.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from math import inf
from time import perf_counter
from typing import Any

from checker.meaning.core import Transition
from checker.play.event import Event
from checker.prove.cache import Cache
from checker.prove.confirm import doubted
from checker.prove.effort import Effort
from checker.prove.ground import Ground
from checker.prove.outside import Question, handed_over
from checker.prove.sheet import Goal, Sheet
from checker.smt.decode import Model, UnreadableError, decode
from checker.smt.solver import SAT, UNKNOWN, UNSAT, Z3, Answer
from checker.smt.text import Labelled, Script, script
from checker.smt.value import Sym
from checker.syntax.node import Node


class Found(Node):
    """What became of a goal: the solver's word, the assumptions a proof used, or a position and
    the events that show otherwise."""

    goal: Goal
    result: str
    reason: str | None
    used: tuple[str, ...]
    seconds: float
    position: Mapping[str, Any] | None = None
    events: tuple[Event, ...] = ()


class Patience(Node):
    """How many seconds and how much work a solver has for each goal, if less than there is."""

    seconds: float = inf
    work: int | None = None


ENDLESS = Patience()


def ask(
    ground: Ground, sheet: Sheet, effort: Effort, cache: Cache, patience: Patience = ENDLESS,
    shown: bool = True,
) -> list[Found]:  # fmt: skip
    """The answers to all goals of a sheet, in order. Where nothing is to be `shown` of what fails,
    its model is left alone: then only *unsatisfiable* means something."""
    found: dict[Goal, Found] = {}
    hard: list[Goal] = []
    for goal in sheet.goals:
        used = sheet.trivial(goal)
        if used is None:
            hard.append(goal)
        else:
            found[goal] = Found(goal, UNSAT, None, used, 0.0)
    if hard:
        found.update(_ask_solver(ground, sheet, hard, effort, cache, patience, shown))
    return [found[goal] for goal in sheet.goals]


def _ask_solver(
    ground: Ground, sheet: Sheet, goals: list[Goal], effort: Effort, cache: Cache,
    patience: Patience, shown: bool,
) -> dict[Goal, Found]:  # fmt: skip
    asserted = [*sheet.assumed, *(Labelled(goal.name, goal.negated) for goal in goals)]
    text = script(asserted)
    digest = sha256(text.text.encode()).hexdigest()
    assumed = text.switches[: len(sheet.assumed)]
    labels = dict(zip(assumed, (each.label for each in sheet.assumed)))
    solver: Z3 | None = None
    watch = ground.terms.watch
    found = {}
    for goal, switch in zip(goals, text.switches[len(sheet.assumed) :]):
        began = perf_counter()
        watch.check()
        key = f"{digest} {switch}{'' if shown else ' only'}"
        answer = cache.get(key)
        if answer is None:
            if solver is None:
                solver = Z3(text.text, work=patience.work)
            timeout = min(effort.timeout, patience.seconds, watch.left())
            names = list(text.names.values())
            answer = solver.check([*assumed, switch], timeout, names if shown else ())
            if answer.result != UNKNOWN:
                cache.put(key, answer)
        question = Question(asserted, [*assumed, switch])
        answer = handed_over(effort, ground, sheet, goal, question, answer)
        used = tuple(labels[each] for each in answer.core if each in labels)
        position: dict[str, Any] | None = None
        events: tuple[Event, ...] = ()
        if shown and answer.result == SAT and answer.model is not None:
            try:
                position, events = decoded(ground, sheet, text, answer.model)
            except UnreadableError as error:
                if goal.wants == UNSAT:
                    answer = Answer(UNKNOWN, str(error))
            else:
                doubt = doubted(ground, sheet, goal, position, events)
                if doubt is not None:
                    position, events = None, ()
                    answer = Answer(UNKNOWN, doubt)
        found[goal] = Found(
            goal, answer.result, answer.reason, used, perf_counter() - began, position, events
        )
    return found


def decoded(
    ground: Ground, sheet: Sheet, text: Script, values: Mapping[str, int]
) -> tuple[dict[str, Any], tuple[Event, ...]]:
    """The position and the events that a model stands for."""
    model = Model(text.names, values)
    domains = ground.world.domains
    position = {
        name: decode(value, ground.instance.variables[name].type, model, domains)
        for name, value in sheet.state.items()
    }
    if callable(sheet.happens):
        return position, tuple(sheet.happens(model))
    return position, tuple(_event(ground, *each, model) for each in sheet.happens)


def _event(
    ground: Ground, transition: Transition, locals: Mapping[str, Sym], model: Model
) -> Event:
    types = ground.parameter_types(transition)
    given = {
        name: decode(value, types[name], model, ground.world.domains)
        for name, value in locals.items()
    }
    by = given.pop(transition.mover) if transition.mover is not None else None
    return Event(transition.name, by, given)
