"""Holds the encoding against the evaluator, transition by transition that a game really makes.

The unknown position is pinned to the one before, the unknown choices to those of the event; then
the encoding must allow what the evaluator says: the requirements hold, the position after is that
one, every claim has the value it has. If the solver finds that impossible, the encoding says
something false. Asked once of unknowns that are pinned, and once of values that were never unknown,
where most of it folds. That nothing else is allowed is asked as well; where the encoding leaves a
number open on purpose (a measure of a big board), more is, and that is counted as loose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from fuzz.compare.verdicts import False_
from fuzz.truth.explorer import Passed, Truth
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment as PlainScene
from rulewright.play.semantics.evaluate import evaluate
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.play.semantics.values import Position
from rulewright.smt.encode.environment import SymbolicEnvironment
from rulewright.smt.encode.statement import State
from rulewright.smt.encode.symbolic_values import Sym, UnboundedError, same
from rulewright.smt.solver.smtlib import LabelledAssertion, script
from rulewright.smt.solver.solver import SAT, UNSAT, Z3
from rulewright.smt.terms.term import FALSE, OPAQUE, TRUE, Term, parts
from rulewright.vc.context import ProofContext as Ground

SAMPLE = 2
"""Transitions of a spec that are asked about."""
WORK = 300_000
"""Units of work for the solver."""
SECONDS = 0.5
check = Z3.check
"""The solver as it is, also where somebody tampers with what others hear of it."""


def pinned(
    core: c.Spec, configuration: Configuration, truth: Truth, seed: int, sample: int = SAMPLE
) -> tuple[Counter[tuple[str, str]], list[False_]]:
    """What the encoding says of some transitions that games make."""
    said: Counter[tuple[str, str]] = Counter()
    false: list[False_] = []
    if not truth.passed:
        return said, false
    random = Random(seed)
    try:
        context = Ground(core, configuration)
    except UnboundedError:
        return said, false
    for passed in random.sample(truth.passed, min(sample, len(truth.passed))):
        for literal in (True, False):
            try:
                found = list(_asked(context, passed, literal))
            except UnboundedError:
                said["pinned", "unknown"] += 1
                continue
            for name, word in found:
                said["pinned", word] += 1
                if word == "false":
                    how = "written out" if literal else "pinned"
                    so = f"it is possible, in a position that is {how}"
                    false.append(
                        False_(configuration.shown(), f"{passed.transition.name} {name}", "pinned",
                               "impossible", so)
                    )  # fmt: skip
    return said, false


def _asked(context: Ground, passed: Passed, literal: bool) -> Iterator[tuple[str, str]]:
    """Each thing that the evaluator says of a transition, with what the encoding makes of it:
    `agree`, `loose`, `unknown` or `false`."""
    instance, terms = context.instance, context.terms
    types: dict[str, y.Type] = {n: v.type for n, v in instance.variables.items()}
    before = _given(context, passed.before, types)
    given = dict(passed.event.locals(passed.transition)) if passed.event is not None else {}
    chosen = _given(context, given, context.parameter_types(passed.transition))
    pins: list[Term] = []
    state: State = before
    locals: State = chosen
    if not literal:
        state = context.state
        locals = context.parameters(passed.transition)
        pins = [same(terms, state[name], before[name]) for name in before]
        pins += [same(terms, locals[name], chosen[name]) for name in chosen]
    taken = context.statements.take(passed.transition, state, locals)
    after = _given(context, passed.after, types)
    told: dict[str, Term] = {
        "is allowed": terms.every(each.holds for each in taken.asked),
        "is safe": context.safe([*taken.hazards, *taken.body_hazards]),
        "leads there": terms.every(same(terms, taken.after[n], after[n]) for n in after),
    }
    for property in instance.spec.properties:
        if property.kind in ("invariant", "possible"):
            for when, encoded, position in (
                ("before", state, passed.before), ("after", taken.after, passed.after),
            ):  # fmt: skip
                holds = _worth(instance, property.claim, position, position)
                claim = context.claim(property.claim, SymbolicEnvironment(encoded))
                told[f"{property.name} {when}"] = claim if holds else terms.no(claim)
        elif property.kind == "always":
            holds = _worth(instance, property.claim, passed.before, passed.after)
            claim = context.claim(property.claim, SymbolicEnvironment(state, taken.after))
            told[property.name] = claim if holds else terms.no(claim)
    context.world.take_hazards()
    yield from _answered(context, pins, told)


def _answered(
    context: Ground, pins: list[Term], told: Mapping[str, Term]
) -> Iterator[tuple[str, str]]:
    terms = context.terms
    open_ = {name: term for name, term in told.items() if term is not TRUE}
    yield from ((name, "agree") for name in told if name not in open_)
    yield from ((name, "false") for name, term in open_.items() if term is FALSE)
    open_ = {name: term for name, term in open_.items() if term is not FALSE}
    if not open_:
        return
    pin = terms.every(pins)
    everything = [
        LabelledAssertion("", pin),
        *(LabelledAssertion(name, term) for name, term in open_.items()),
    ]
    text = script(everything)
    solver = Z3(text.text)
    solver.limit(WORK)
    answer = check(solver, text.switches, SECONDS)
    if answer.result == UNSAT:
        used = [e.label for e, s in zip(everything, text.switches) if s in answer.core and e.label]
        yield from ((name, "false") for name in used[-1:] or ["the position itself"])
        return
    if answer.result != SAT:
        yield from ((name, "unknown") for name in open_)
        return
    others = terms.either(terms.no(term) for term in open_.values())
    text = script([LabelledAssertion("", pin), LabelledAssertion("", others)])
    solver = Z3(text.text)
    solver.limit(WORK)
    answer = check(solver, text.switches, SECONDS)
    word = "agree" if answer.result == UNSAT else "loose" if answer.result == SAT else "unknown"
    if word == "loose" and not _leaves_open([pin, *open_.values()]):
        word = "false"
    yield from ((name, word) for name in open_)


def _leaves_open(terms: list[Term]) -> bool:
    """Whether a number is left open on purpose, or something is said of all squares at once."""
    return any(
        each.op in OPAQUE or each.op in ("forall", "exists")
        for term in terms
        for each in parts(term)
    )


def _given(
    context: Ground, values: Mapping[str, Any], types: Mapping[str, y.Type]
) -> dict[str, Sym]:
    return {name: context.ex.shapes.given(values[name], type) for name, type in types.items()}


def _worth(instance: Instance, claim: c.Expr, before: Position, after: Position) -> bool:
    try:
        return bool(evaluate(claim, PlainScene(instance, before, after)))
    except EvaluationError:
        return False
