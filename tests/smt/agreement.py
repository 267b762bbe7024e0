"""Asks the solver what an expression is worth, and the evaluator, so that both can be compared.

Many cases go into one question: each has a state of its own, pinned to its position by assertions,
and the solver is asked for the value and for whether something goes wrong on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment as PlainScene
from rulewright.play.semantics.evaluate import evaluate, perform
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import frozen
from rulewright.smt.encode import arrays as b
from rulewright.smt.encode.environment import EncodingContext, SymbolicEnvironment
from rulewright.smt.encode.expression import ExpressionEncoder
from rulewright.smt.encode.statement import StatementEncoder
from rulewright.smt.encode.symbolic_values import (
    MANY,
    Sym,
    SymbolicBag,
    SymbolicMap,
    SymbolicOption,
    SymbolicSet,
    same,
)
from rulewright.smt.solver.decode_model import Model, decode
from rulewright.smt.solver.smtlib import LabelledAssertion, script
from rulewright.smt.solver.solver import Z3
from rulewright.smt.terms.term import OPAQUE, Term, parts
from tests.meaning.exprs import Evaluated, Performed

ERROR = "an error"


class Unknown(Mapping[str, Sym]):
    """A state of which nothing is known; it grows the variables that somebody looks at."""

    def __init__(self, encoder: Encoder, name: str) -> None:
        self.encoder = encoder
        self.name = name
        self.looked_at: dict[str, Sym] = {}

    def __getitem__(self, variable: str) -> Sym:
        if variable not in self.looked_at:
            type = self.encoder.instance.variables[variable].type
            made = self.encoder.ex.shapes.fresh(type, f"{self.name} {variable}")
            self.looked_at[variable] = made
        return self.looked_at[variable]

    def __iter__(self) -> Iterator[str]:
        return iter(self.encoder.instance.variables)

    def __len__(self) -> int:
        return len(self.encoder.instance.variables)

    def pin(self, position: Mapping[str, Any]) -> Term:
        """That the state is this position, as far as it was looked at."""
        ex = self.encoder.ex
        types = self.encoder.instance.variables
        return ex.terms.every(
            same(ex.terms, value, ex.shapes.given(position[name], types[name].type))
            for name, value in self.looked_at.items()
        )


class Encoded:
    """What something is worth symbolically: parts with their types, and whether it goes wrong."""

    def __init__(
        self, parts: dict[str, tuple[Sym, y.Type]], danger: Term, states: list[Unknown]
    ) -> None:
        self.parts = parts
        self.danger = danger
        self.states = states


class Encoder:
    """Encodes cases of one instance, all in one world."""

    def __init__(self, instance: Instance, many: int = MANY) -> None:
        self.instance = instance
        self.world = EncodingContext(instance, many)
        self.ex = ExpressionEncoder(self.world)
        self.statements = StatementEncoder(self.ex)
        self.count = 0

    def unknown(self) -> Unknown:
        self.count += 1
        return Unknown(self, str(self.count))

    def known(self, position: Mapping[str, Any]) -> dict[str, Sym]:
        """The position itself: everything folds."""
        return {
            name: self.ex.shapes.given(position[name], variable.type)
            for name, variable in self.instance.variables.items()
        }

    def expression(self, e: c.Expr, before: Mapping[str, Sym], now: Mapping[str, Sym]) -> Encoded:
        value = self.ex.value(e, SymbolicEnvironment(before, now))
        return Encoded({"value": (spread(self, value, e.type), e.type)}, self._danger(), [])

    def statement(self, body: Sequence[c.Statement], before: Mapping[str, Sym]) -> Encoded:
        after = self.statements.perform(body, SymbolicEnvironment(before), before)
        types = {name: each.type for name, each in self.instance.variables.items()}
        parts = {name: (spread(self, after[name], types[name]), types[name]) for name in types}
        return Encoded(parts, self._danger(), [])

    def case(self, case: Evaluated | Performed) -> Encoded:
        """A case in states of which nothing is known."""
        if isinstance(case, Evaluated):
            before, now = self.unknown(), self.unknown()
            encoded = self.expression(case.expression, before, now)
            encoded.states = [before, now]
        else:
            before = self.unknown()
            encoded = self.statement(case.statements, before)
            encoded.states = [before]
        return encoded

    def _danger(self) -> Term:
        terms = self.world.terms
        return terms.either(
            terms.both(each.path, terms.no(each.safe)) for each in self.world.take_hazards()
        )


def asked(
    encoder: Encoder, cases: Sequence[Encoded], places: Sequence[Sequence[Sequence[Any]]]
) -> list[list[Any]]:
    """What the solver says each case is worth, for each list of positions it is put in."""
    pins = [
        LabelledAssertion("pin", encoder.world.terms.every(
            state.pin(position)
            for case, positions in zip(cases, place)
            for state, position in zip(case.states, positions)
        ))
        for place in places
    ]  # fmt: skip
    wanted = [case.danger for case in cases]
    for case in cases:
        for value, _ in case.parts.values():
            wanted.extend(leaves(value))
    text = script(pins, wanted)
    names = {**text.names, **{each: text.written[each] for each in wanted}}
    solver = Z3(text.text)
    found = []
    for switch in text.switches:
        answer = solver.check([switch], 60, list(dict.fromkeys(names.values())))
        assert answer.result == "sat", answer
        assert answer.model is not None
        found.append(read_off(encoder, cases, Model(names, answer.model)))
    return found


def folded(encoder: Encoder, cases: Sequence[Encoded]) -> list[Any]:
    """What each case is worth where nothing is unknown."""
    return read_off(encoder, cases, Model({}, {}))


def read_off(encoder: Encoder, cases: Sequence[Encoded], model: Model) -> list[Any]:
    found: list[Any] = []
    for case in cases:
        if model.compute(case.danger):
            found.append(ERROR)
            continue
        found.append({
            name: frozen(decode(value, type, model, encoder.world.domains))
            for name, (value, type) in case.parts.items()
        })  # fmt: skip
    return found


def spread(encoder: Encoder, value: Sym, type: y.Type) -> Sym:
    """A value with boards written out, so that it can be read."""
    terms, shapes = encoder.world.terms, encoder.ex.shapes
    match type, value:
        case y.Map(_, inner), SymbolicMap():
            each = {key: spread(encoder, held, inner) for key, held in value.values.items()}
            return SymbolicMap(each)
        case y.Map(_, inner), b.SymbolicArray():
            codes = {code: value.read(terms, terms.number(code)) for code in value.keys}
            return SymbolicMap({code: shapes.unpacked(held, inner) for code, held in codes.items()})
        case _, b.SymbolicArray():
            counts = {code: value.read(terms, terms.number(code)) for code in value.keys}
            if isinstance(type, y.Bag):
                return SymbolicBag(counts)
            return SymbolicSet({k: terms.less(terms.number(0), n) for k, n in counts.items()})
        case _:
            return value


def leaves(value: Sym) -> list[Term]:
    """The terms a value consists of."""
    match value:
        case Term():
            return [value]
        case SymbolicOption():
            return [value.there] if value.value is None else [value.there, value.value]
        case SymbolicSet():
            return list(value.flags.values())
        case SymbolicBag():
            return list(value.numbers.values())
        case SymbolicMap():
            return [leaf for each in value.values.values() for leaf in leaves(each)]
        case _:
            raise TypeError(value)


def plain_value(case: Evaluated) -> Any:
    """What the evaluator says."""
    try:
        env = PlainScene(case.instance, dict(case.before), dict(case.now))
        found = evaluate(case.expression, env)
    except EvaluationError:
        return ERROR
    return {"value": frozen(found)}


def plain_state(case: Performed) -> Any:
    env = PlainScene(case.instance, dict(case.before), dict(case.before))
    try:
        perform(case.statements, env)
    except EvaluationError:
        return ERROR
    return {name: frozen(value) for name, value in env.now.items()}


def is_opaque(encoded: Encoded) -> bool:
    """Whether a value leans on a number that the encoding leaves open, or on what is said of all
    keys of a board, which only the solver looks at."""
    terms = [encoded.danger]
    for value, _ in encoded.parts.values():
        terms += leaves(value)
    return any(
        each.op == "forall" or (each.op in OPAQUE and each.op != "reach")
        for term in terms
        for each in parts(term)
    )
