"""Makes what a solver finds small: as at the start of a game in as many places as it can be.

All wishes are made at once; of those that a refusal names one is given up, until there is a model,
and those given up are then tried again one by one. What matters least to the eye stands first in a
list of wishes, since that is given up first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from checker.budget import Allowance
from checker.meaning import core as c
from checker.play.beginning import initial_position
from checker.play.errors import UsageError
from checker.smt import board as b
from checker.smt.number import Terms
from checker.smt.solver import SAT, Answer, Solver
from checker.smt.statement import State
from checker.smt.term import FALSE, Term
from checker.smt.text import Labelled
from checker.smt.value import Counts, Entries, Maybe, Members, Sym, leaves
from checker.vc.context import ProofContext

PATIENCE = 10.0
"""Seconds' worth of work for one attempt."""


def granted(
    solver: Solver, must: Sequence[str], wishes: Sequence[str], seconds: float,
    names: Sequence[str],
) -> Answer | None:  # fmt: skip
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


def as_at_start(ground: ProofContext, state: State) -> list[tuple[Term, int]]:
    """Every unknown of a position with its value at the start of a game; what players own last."""
    try:
        start = initial_position(ground.instance)
    except UsageError:
        start = {}
    shared: dict[Term, int] = {}
    owned: dict[Term, int] = {}
    for variable in ground.instance.variables.values():
        for term, code in _plainest(ground, variable, state[variable.name], start):
            (owned if variable.owned else shared).setdefault(term, code)
    return [*shared.items(), *((term, code) for term, code in owned.items() if term not in shared)]


def _plainest(
    ground: ProofContext, variable: c.Variable, held: Sym, start: dict[str, object]
) -> Iterator[tuple[Term, int]]:
    value = start.get(variable.name)
    if value is None or isinstance(held, b.Board):
        yield from ((leaf, leaf.low or 0) for leaf in leaves(held))
        return
    yield from _parallel(held, ground.ex.shapes.given(value, variable.type))


def _parallel(held: Sym, given: Sym) -> Iterator[tuple[Term, int]]:
    match held, given:
        case Term(), Term():
            if _open(held):
                yield held, int(given.op == "true") if held.sort == "Bool" else given.value or 0
        case Maybe(), Maybe():
            there = given.there.op == "true"
            if _open(held.there):
                yield held.there, int(there)
            if held.value is not None and _open(held.value):
                known = given.value if there else None
                code = known.value if known is not None and known.op == "int" else held.value.low
                yield held.value, code or 0
        case Members(), Members():
            for key, flag in held.flags.items():
                if _open(flag):
                    yield flag, int(given.flags.get(key, FALSE).op == "true")
        case Counts(), Counts():
            for key, number in held.numbers.items():
                start = given.numbers.get(key)
                if _open(number):
                    yield number, int(start.value or 0) if start is not None else 0
        case Entries(), Entries():
            for key, each in held.values.items():
                yield from _parallel(each, given.values[key])
        case _:
            return


def _open(term: Term) -> bool:
    return term.op not in ("true", "false", "int")


def wished(terms: Terms, plain: Sequence[tuple[Term, int]]) -> list[Labelled]:
    """The wishes that some terms have these values."""
    found = []
    for term, code in plain:
        if term.sort == "Bool":
            wish = term if code else terms.no(term)
        else:
            wish = terms.equal(term, terms.number(code))
        if wish is not FALSE:
            found.append(Labelled("wish", wish))
    return found
