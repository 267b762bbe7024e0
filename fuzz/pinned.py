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

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.errors import EvaluationError
from checker.play.evaluate import Scene as PlainScene
from checker.play.evaluate import evaluate
from checker.play.instance import Instance
from checker.play.values import Position
from checker.smt.scene import Scene
from checker.smt.solver import SAT, UNSAT, Z3
from checker.smt.statement import State
from checker.smt.term import FALSE, OPAQUE, TRUE, Term, parts
from checker.smt.text import Labelled, script
from checker.smt.value import Sym, UnboundedError, same
from checker.vc.context import ProofContext as Ground
from checker.vc.context import Setting
from fuzz.compare import False_
from fuzz.truth import Passed, Truth

SAMPLE = 2
"""Transitions of a spec that are asked about."""
WORK = 300_000
"""Units of work for the solver."""
SECONDS = 0.5
check = Z3.check
"""The solver as it is, also where somebody tampers with what others hear of it."""


def pinned(
    core: c.Spec, setting: Setting, truth: Truth, seed: int, sample: int = SAMPLE
) -> tuple[Counter[tuple[str, str]], list[False_]]:
    """What the encoding says of some transitions that games make."""
    said: Counter[tuple[str, str]] = Counter()
    false: list[False_] = []
    if not truth.passed:
        return said, false
    random = Random(seed)
    try:
        ground = Ground(core, setting)
    except UnboundedError:
        return said, false
    for passed in random.sample(truth.passed, min(sample, len(truth.passed))):
        for literal in (True, False):
            try:
                found = list(_asked(ground, passed, literal))
            except UnboundedError:
                said["pinned", "unknown"] += 1
                continue
            for name, word in found:
                said["pinned", word] += 1
                if word == "false":
                    how = "written out" if literal else "pinned"
                    so = f"it is possible, in a position that is {how}"
                    false.append(
                        False_(setting.shown(), f"{passed.transition.name} {name}", "pinned",
                               "impossible", so)
                    )  # fmt: skip
    return said, false


def _asked(ground: Ground, passed: Passed, literal: bool) -> Iterator[tuple[str, str]]:
    """Each thing that the evaluator says of a transition, with what the encoding makes of it:
    `agree`, `loose`, `unknown` or `false`."""
    instance, terms = ground.instance, ground.terms
    types: dict[str, y.Type] = {n: v.type for n, v in instance.variables.items()}
    before = _given(ground, passed.before, types)
    given = dict(passed.event.locals(passed.transition)) if passed.event is not None else {}
    chosen = _given(ground, given, ground.parameter_types(passed.transition))
    pins: list[Term] = []
    state: State = before
    locals: State = chosen
    if not literal:
        state = ground.state
        locals = ground.parameters(passed.transition)
        pins = [same(terms, state[name], before[name]) for name in before]
        pins += [same(terms, locals[name], chosen[name]) for name in chosen]
    taken = ground.statements.take(passed.transition, state, locals)
    after = _given(ground, passed.after, types)
    told: dict[str, Term] = {
        "is allowed": terms.every(each.holds for each in taken.asked),
        "is safe": ground.safe([*taken.hazards, *taken.body_hazards]),
        "leads there": terms.every(same(terms, taken.after[n], after[n]) for n in after),
    }
    for property in instance.spec.properties:
        if property.kind in ("invariant", "possible"):
            for when, encoded, position in (
                ("before", state, passed.before), ("after", taken.after, passed.after),
            ):  # fmt: skip
                holds = _worth(instance, property.claim, position, position)
                claim = ground.claim(property.claim, Scene(encoded))
                told[f"{property.name} {when}"] = claim if holds else terms.no(claim)
        elif property.kind == "always":
            holds = _worth(instance, property.claim, passed.before, passed.after)
            claim = ground.claim(property.claim, Scene(state, taken.after))
            told[property.name] = claim if holds else terms.no(claim)
    ground.world.take_hazards()
    yield from _answered(ground, pins, told)


def _answered(
    ground: Ground, pins: list[Term], told: Mapping[str, Term]
) -> Iterator[tuple[str, str]]:
    terms = ground.terms
    open_ = {name: term for name, term in told.items() if term is not TRUE}
    yield from ((name, "agree") for name in told if name not in open_)
    yield from ((name, "false") for name, term in open_.items() if term is FALSE)
    open_ = {name: term for name, term in open_.items() if term is not FALSE}
    if not open_:
        return
    pin = terms.every(pins)
    everything = [Labelled("", pin), *(Labelled(name, term) for name, term in open_.items())]
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
    text = script([Labelled("", pin), Labelled("", others)])
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
    ground: Ground, values: Mapping[str, Any], types: Mapping[str, y.Type]
) -> dict[str, Sym]:
    return {name: ground.ex.shapes.given(values[name], type) for name, type in types.items()}


def _worth(instance: Instance, claim: c.Expr, before: Position, after: Position) -> bool:
    try:
        return bool(evaluate(claim, PlainScene(instance, before, after)))
    except EvaluationError:
        return False
