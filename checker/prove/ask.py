"""Asks what stands on a sheet: text, cache, solver, and what came back in the words of the spec.

A model is decoded here and replayed in the evaluator: the assumptions must hold, the goal must
not. One that does not replay is an error of the encoding and is reported as such.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

from checker.meaning.core import Transition
from checker.play.event import Event
from checker.prove.cache import Cache
from checker.prove.confirm import doubted
from checker.prove.ground import Ground
from checker.prove.sheet import Goal, Sheet
from checker.smt.decode import Model, UnreadableError, decode
from checker.smt.solver import SAT, UNKNOWN, UNSAT, Z3, Answer, Cvc5
from checker.smt.term import Term
from checker.smt.text import Labelled, Script, script
from checker.smt.value import Sym
from checker.syntax.node import Node


class Effort(Node):
    """How hard to try: seconds for each question, where text goes, whether a second solver is
    asked. Every other limit is a multiple of the first."""

    timeout: float
    smtlib: Path | None = None
    second: bool = False

    @property
    def helping(self) -> float:
        """Seconds for looking for helper invariants."""
        return 2 * self.timeout

    @property
    def searching(self) -> float:
        """Seconds for looking for a game with the solver."""
        return 2 * self.timeout

    @property
    def measuring(self) -> float:
        """Seconds for showing event by event that a measure falls."""
        return 4 * self.timeout


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


def ask(ground: Ground, sheet: Sheet, effort: Effort, cache: Cache) -> list[Found]:
    """The answers to all goals of a sheet, in order."""
    found: dict[Goal, Found] = {}
    hard: list[Goal] = []
    for goal in sheet.goals:
        used = sheet.trivial(goal)
        if used is None:
            hard.append(goal)
        else:
            found[goal] = Found(goal, UNSAT, None, used, 0.0)
    if hard:
        found.update(_ask_solver(ground, sheet, hard, effort, cache))
    return [found[goal] for goal in sheet.goals]


def _ask_solver(
    ground: Ground, sheet: Sheet, goals: list[Goal], effort: Effort, cache: Cache
) -> dict[Goal, Found]:
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
        key = f"{digest} {switch}"
        answer = cache.get(key)
        if answer is None:
            if solver is None:
                solver = Z3(text.text)
            timeout = min(effort.timeout, watch.left())
            answer = solver.check([*assumed, switch], timeout, list(text.names.values()))
            if answer.result != UNKNOWN:
                cache.put(key, answer)
        if effort.smtlib is not None:
            _write(effort.smtlib, ground, sheet, goal, asserted, [*assumed, switch])
        if effort.second:
            answer = _second(asserted, assumed, switch, answer, effort)
        used = tuple(labels[each] for each in answer.core if each in labels)
        position: dict[str, Any] | None = None
        events: tuple[Event, ...] = ()
        if answer.result == SAT and answer.model is not None:
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


def _second(
    asserted: list[Labelled], assumed: list[str], switch: str, first: Answer, effort: Effort
) -> Answer:
    """The first answer, unless the second solver contradicts it."""
    text = script(asserted, plain=True)
    second = Cvc5(text.text).check([*assumed, switch], effort.timeout)
    if UNKNOWN in (first.result, second.result) or first.result == second.result:
        return first
    return Answer(UNKNOWN, f"z3 says {first.result}, cvc5 says {second.result}: a bug of ours")


def _write(
    folder: Path, ground: Ground, sheet: Sheet, goal: Goal, asserted: list[Labelled],
    switches: list[str],
) -> None:  # fmt: skip
    """The question as a file that a person and any solver can read."""
    text = script(asserted, plain=True).text
    meaning = "the goal follows" if goal.wants == UNSAT else "it is possible"
    about = " ".join([sheet.label, *_given(ground, sheet)])
    head = [f"; {ground.spec.name}, {ground.setting.shown()}", f"; {about}: {goal.name}"]
    if goal.note and goal.note != sheet.label:
        head.append(f"; {goal.note}")
    head.append(f"; {goal.wants} means: {meaning}")
    head += [f"; {switch} is {each.label}" for switch, each in zip(switches, sheet.assumed)]
    head.append(f"; {switches[-1]} is that the goal fails" if goal.wants == UNSAT else "")
    body = f"{text}(check-sat-assuming ({' '.join(switches)}))\n"
    shown = f"{ground.setting.shown()} {about} {goal.name}"
    digest = sha256(body.encode()).hexdigest()[:8]  # of what looks alike, each has its file
    name = "-".join(re.findall(r"[\w.=]+", shown.replace(" = ", "=")))
    folder.mkdir(parents=True, exist_ok=True)
    content = "\n".join(each for each in head if each) + "\n" + body
    (folder / f"{name}-{digest}.smt2").write_text(content, encoding="utf-8")


def _given(ground: Ground, sheet: Sheet) -> list[str]:
    """What the question says of the movers and the parameters, like `p=1`."""
    if callable(sheet.happens):
        return []
    nothing = Model({}, {})
    return [
        f"{name}={decode(value, types[name], nothing, ground.world.domains)}"
        for transition, given in sheet.happens
        for types in (ground.parameter_types(transition),)
        for name, value in given.items()
        if isinstance(value, Term) and value.op in ("int", "true", "false")
    ]
