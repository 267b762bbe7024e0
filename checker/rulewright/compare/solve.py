"""Asks whether two specs differ, and for a small difference if they do.

The solver is asked first for any model, then for one with little in it. What comes back is decoded;
whether it is so is up to `witness`, which replays it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from rulewright.compare.minimize import as_at_start, granted, wished
from rulewright.kernel.outcome import Outcome, SolverResult, answered
from rulewright.kernel.query import Query
from rulewright.kernel.refutation import Problem
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.prove.cache.answer_cache import Cache
from rulewright.smt.encode.symbolic_values import leaves
from rulewright.smt.solver.decode_model import Model, decode
from rulewright.smt.solver.model_values import UnreadableError
from rulewright.smt.solver.smtlib import LabelledAssertion, Script, script
from rulewright.smt.solver.solver import SAT, UNKNOWN, UNSAT, Z3, SolverAnswer
from rulewright.smt.terms.term import Term
from rulewright.syntax.node import Node
from rulewright.vc.context import ProofContext
from rulewright.vc.difference import Difference
from rulewright.vc.product import Product

SHRINKING = 8.0
"""Seconds for making a difference small."""


class SolvedQuestion(Node):
    """What became of a query. A model is a position of either side and the values of the choices
    by name; `outcome` is what the kernel makes of it."""

    outcome: Outcome
    positions: tuple[dict[str, Any], dict[str, Any]] | None = None
    choices: tuple[dict[str, Any], dict[str, Any]] | None = None

    @property
    def result(self) -> str:
        return self.outcome.result


def ask(
    product: Product, difference: Difference, timeout: float, cache: Cache, small: bool = True
) -> SolvedQuestion:
    """Whether there is such a difference; `small` asks for one that is easily seen."""
    shown: list[tuple[Any, Any]] = []

    def work(query: Query, problems: Sequence[Problem]) -> list[SolverResult]:
        (problem,) = problems
        if problem.used() is not None:
            return [SolverResult(UNSAT, None, 0.0)]
        wishes = _wishes(product, difference) if small else []
        asserted = [*query.assumed, LabelledAssertion("difference", problem.denied)]
        text = script([*asserted, *wishes])
        must, may = text.switches[: len(asserted)], text.switches[len(asserted) :]
        key = f"difference {sha256(text.text.encode()).hexdigest()} {timeout:g}"
        answer = cache.asked(key, lambda: _solved(text, must, may, timeout))
        assert answer is not None
        if answer.result == UNSAT:
            problem.told(answer.core, dict(zip(must, (each.label for each in query.assumed))))
        elif answer.result == SAT and answer.model is not None:
            model = Model(text.names, answer.model)
            try:
                shown.append((_positions(product, model), chosen(product, difference, model)))
            except UnreadableError as error:
                return [SolverResult(UNKNOWN, str(error), 0.0)]
        return [SolverResult(answer.result, answer.reason, 0.0)]

    (outcome,) = answered(product.terms, difference, work)
    return SolvedQuestion(outcome, *(shown[0] if shown else ()))


def _solved(text: Script, must: list[str], may: list[str], timeout: float) -> SolverAnswer:
    """The answer, with a model that grants as many wishes as it can."""
    solver = Z3(text.text)
    names = list(text.names.values())
    first = solver.check(must, timeout, names)
    if first.result != SAT or not may:
        return first
    return granted(solver, must, may, SHRINKING, names) or first


def _wishes(product: Product, difference: Difference) -> list[LabelledAssertion]:
    """For each unknown the plainest value; those that matter least are given up first."""
    plain: dict[Term, int] = {}
    for value in difference.choices[1].values():
        for leaf in leaves(value):
            plain.setdefault(leaf, leaf.low or 0)
    for side in product.sides:
        for term, code in as_at_start(side, side.state):
            plain.setdefault(term, code)
    return wished(product.terms, list(plain.items()))


def _positions(product: Product, model: Model) -> tuple[dict[str, Any], dict[str, Any]]:
    old, new = (
        {
            name: decode(value, side.instance.variables[name].type, model, side.world.domains)
            for name, value in side.state.items()
        }
        for side in product.sides
    )
    return old, new


def chosen(
    product: Product, difference: Difference, model: Model
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The mover and the parameters that a model stands for, by the names of either side."""
    sides = ((product.old, difference.subject.old), (product.new, difference.subject.new))
    found = []
    for (side, shape), choices in zip(sides, difference.choices):
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


def _types(side: ProofContext, shape: c.Transition | c.Function) -> Mapping[str, y.Type]:
    if isinstance(shape, c.Function):
        return {param.name: param.type for param in shape.params}
    return side.parameter_types(shape)
