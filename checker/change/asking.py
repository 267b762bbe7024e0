"""Asks whether two specs differ, and for a small difference if they do.

The solver is asked first for any model, then for one with little in it. What comes back is decoded;
whether it is so is up to `witness`, which replays it.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from checker.change.pair import Pair, Side
from checker.change.question import Question
from checker.change.small import as_at_start, granted, wished
from checker.meaning import core as c
from checker.meaning import types as y
from checker.prove.cache import Cache
from checker.smt.decode import Model, decode
from checker.smt.solver import SAT, UNKNOWN, UNSAT, Z3, Answer
from checker.smt.term import FALSE, Term, conjuncts
from checker.smt.text import Labelled, Script, script
from checker.smt.value import leaves
from checker.smt.values import UnreadableError
from checker.syntax.node import Node

SHRINKING = 8.0
"""Seconds for making a difference small."""


class Found(Node):
    """What became of a question. `used` are the assumptions a proof leaned on; a model is a
    position of either side and the values of the choices by name."""

    result: str
    reason: str | None
    used: tuple[str, ...]
    positions: tuple[dict[str, Any], dict[str, Any]] | None = None
    choices: tuple[dict[str, Any], dict[str, Any]] | None = None


def ask(pair: Pair, question: Question, timeout: float, cache: Cache, small: bool = True) -> Found:
    """Whether there is such a difference; `small` asks for one that is easily seen."""
    if question.goal is FALSE or _at_sight(question):
        return Found(UNSAT, None, ())
    wishes = _wishes(pair, question) if small else []
    asserted = [*question.assumed, Labelled("difference", question.goal)]
    text = script([*asserted, *wishes])
    must, may = text.switches[: len(asserted)], text.switches[len(asserted) :]
    key = f"difference {sha256(text.text.encode()).hexdigest()} {timeout:g}"
    answer = cache.asked(key, lambda: _solved(text, must, may, timeout))
    assert answer is not None
    if answer.result == SAT and answer.model is not None:
        model = Model(text.names, answer.model)
        try:
            return Found(SAT, None, (), _positions(pair, model), chosen(pair, question, model))
        except UnreadableError as error:
            return Found(UNKNOWN, str(error), ())
    labels = dict(zip(must, (each.label for each in asserted)))
    used = tuple(dict.fromkeys(labels[each] for each in answer.core if labels.get(each)))
    return Found(answer.result, answer.reason, tuple(u for u in used if u != "difference"))


def _at_sight(question: Question) -> bool:
    """Whether the goal contradicts itself: one part of it denies another."""
    parts = set(conjuncts(question.goal))
    for part in parts:
        denied = part.args[0] if part.op == "not" else None
        if denied is not None and set(conjuncts(denied)) <= parts:
            return True
    return False


def _solved(text: Script, must: list[str], may: list[str], timeout: float) -> Answer:
    """The answer, with a model that grants as many wishes as it can."""
    solver = Z3(text.text)
    names = list(text.names.values())
    first = solver.check(must, timeout, names)
    if first.result != SAT or not may:
        return first
    return granted(solver, must, may, SHRINKING, names) or first


def _wishes(pair: Pair, question: Question) -> list[Labelled]:
    """For each unknown the plainest value; those that matter least are given up first."""
    plain: dict[Term, int] = {}
    for value in question.choices[1].values():
        for leaf in leaves(value):
            plain.setdefault(leaf, leaf.low or 0)
    for side in (pair.old, pair.new):
        for term, code in as_at_start(side, side.state):
            plain.setdefault(term, code)
    return wished(pair.terms, list(plain.items()))


def _positions(pair: Pair, model: Model) -> tuple[dict[str, Any], dict[str, Any]]:
    old, new = (
        {
            name: decode(value, side.instance.variables[name].type, model, side.world.domains)
            for name, value in side.state.items()
        }
        for side in (pair.old, pair.new)
    )
    return old, new


def chosen(pair: Pair, question: Question, model: Model) -> tuple[dict[str, Any], dict[str, Any]]:
    """The mover and the parameters that a model stands for, by the names of either side."""
    sides = ((pair.old, question.subject.old), (pair.new, question.subject.new))
    found = []
    for (side, shape), choices in zip(sides, question.choices):
        types = _types(side, shape) if shape is not None else {}
        found.append({
            name: decode(value, _any_range(types[name]), model, side.world.domains)
            for name, value in choices.items()
            if name in types
        })  # fmt: skip
    return found[0], found[1]


def _any_range(type: y.Type) -> y.Type:
    """A number of the other side may lie outside the range of this one."""
    return y.INT if isinstance(type, y.Int) else type


def _types(side: Side, shape: c.Transition | c.Function) -> Mapping[str, y.Type]:
    if isinstance(shape, c.Function):
        return {param.name: param.type for param in shape.params}
    return side.parameter_types(shape)
