"""Minimizes models of the solver: makes a position as similar to the start of a game as possible.

All wishes are assumed at once. While the solver refuses, one of the wishes it names is given up.
Once there is a model, those given up are tried again one by one. The least visible wishes stand
first in the list, because they are given up first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.meaning import core as c
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.initial_states import initial_position
from rulewright.smt.encode import arrays as b
from rulewright.smt.encode.statement import State
from rulewright.smt.encode.symbolic_values import (
    Sym,
    SymbolicBag,
    SymbolicMap,
    SymbolicOption,
    SymbolicSet,
    leaves,
)
from rulewright.smt.solver.smtlib import LabelledAssertion
from rulewright.smt.solver.solver import SAT, Solver, SolverAnswer
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.term import FALSE, Term
from rulewright.system.work_budget import Allowance
from rulewright.vc.context import ProofContext

PATIENCE = 10.0
"""Seconds' worth of work for one attempt."""


def granted(
    solver: Solver, must: Sequence[str], wishes: Sequence[str], seconds: float,
    names: Sequence[str],
) -> SolverAnswer | None:  # fmt: skip
    """A model that grants as many wishes as it can, None if as much as so many seconds
    stand for was too little for one."""
    allowed = Allowance(seconds)
    best = None
    kept = list(wishes)
    given_up: list[str] = []
    while best is None and not allowed.over:
        answer = solver.check([*must, *kept], PATIENCE, names)
        if answer.result == SAT:
            best = answer
            break
        core = set(answer.core)
        refused = next((each for each in kept if each in core), None)
        if refused is None:
            return None
        kept.remove(refused)
        given_up.append(refused)
    for wish in given_up:
        if best is None or allowed.over:
            break
        answer = solver.check([*must, *kept, wish], PATIENCE, names)
        if answer.result == SAT:
            best = answer
            kept.append(wish)
    return best


def as_at_start(context: ProofContext, state: State) -> list[tuple[Term, int]]:
    """Every unknown of a position with its value at the start of a game; what players own last."""
    try:
        start = initial_position(context.instance)
    except (EvaluationError, UsageError):
        start = {}
    shared: dict[Term, int] = {}
    owned: dict[Term, int] = {}
    for variable in context.instance.variables.values():
        for term, code in _plainest(context, variable, state[variable.name], start):
            (owned if variable.owned else shared).setdefault(term, code)
    return [*shared.items(), *((term, code) for term, code in owned.items() if term not in shared)]


def _plainest(
    context: ProofContext, variable: c.Variable, held: Sym, start: dict[str, object]
) -> Iterator[tuple[Term, int]]:
    value = start.get(variable.name)
    if value is None or isinstance(held, b.SymbolicArray):
        yield from ((leaf, leaf.low or 0) for leaf in leaves(held))
        return
    yield from _parallel(held, context.ex.shapes.given(value, variable.type))


def _parallel(held: Sym, given: Sym) -> Iterator[tuple[Term, int]]:
    match held, given:
        case Term(), Term():
            if _open(held):
                yield held, int(given.op == "true") if held.sort == "Bool" else given.value or 0
        case SymbolicOption(), SymbolicOption():
            there = given.there.op == "true"
            if _open(held.there):
                yield held.there, int(there)
            if held.value is not None and _open(held.value):
                known = given.value if there else None
                code = known.value if known is not None and known.op == "int" else held.value.low
                yield held.value, code or 0
        case SymbolicSet(), SymbolicSet():
            for key, flag in held.flags.items():
                if _open(flag):
                    yield flag, int(given.flags.get(key, FALSE).op == "true")
        case SymbolicBag(), SymbolicBag():
            for key, number in held.numbers.items():
                start = given.numbers.get(key)
                if _open(number):
                    yield number, int(start.value or 0) if start is not None else 0
        case SymbolicMap(), SymbolicMap():
            for key, each in held.values.items():
                yield from _parallel(each, given.values[key])
        case _:
            return


def _open(term: Term) -> bool:
    return term.op not in ("true", "false", "int")


def wished(terms: TermBuilder, plain: Sequence[tuple[Term, int]]) -> list[LabelledAssertion]:
    """The wishes that some terms have these values."""
    found = []
    for term, code in plain:
        if term.sort == "Bool":
            wish = term if code else terms.no(term)
        else:
            wish = terms.equal(term, terms.number(code))
        if wish is not FALSE:
            found.append(LabelledAssertion("wish", wish))
    return found
