"""What the types alone imply: claims that hold in every position there could be, reachable or not.

Two questions are asked of a claim. Does it hold if every function and table that it reads may have
any value of its type? Then nothing is said of them. And if not, and it is about positions, does it
hold in any position, also with every mistake there is in the functions? Then no mistake could break
it. Positions at random answer no; yes is said by the solver.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import product
from math import prod
from random import Random
from typing import Any, TypeAlias

from rulewright.conform.mutation.mutants import mutants
from rulewright.evidence.witnesses import seats
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.dependencies import Dependencies
from rulewright.meaning.traversal import rebuilt, variables_read, walk
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.play.semantics.values import BagValue, Position, make_map
from rulewright.smt.encode.environment import SymbolicEnvironment
from rulewright.smt.encode.symbolic_values import UnboundedError
from rulewright.smt.solver.smtlib import LabelledAssertion, script
from rulewright.smt.solver.solver import UNSAT, Z3
from rulewright.smt.terms.term import FALSE, TRUE
from rulewright.syntax.node import Span, replace
from rulewright.vc.conditions import beginning
from rulewright.vc.context import ProofContext

PATIENCE = 1.0
"""Seconds' worth of work of the solver for one claim."""
POSITIONS = 20
"""Positions at random that a claim is tried in."""
WIDE = 20
"""A number without bounds is tried up to so far from 0."""
MANY = 500
"""A function of more arguments than that is left as it is."""


Readings: TypeAlias = tuple[tuple[str, str], ...]


def held_by_types(spec: c.Spec, claim: c.Property, written: Collection[str]) -> str:
    """Why no rule, function or table has a part in a claim, however the questions are answered that
    it reads; nothing if one may have. Variables that are not `written` keep the value they begin
    with."""
    needs = Dependencies(spec).of([claim.claim])
    asked = [each for each in spec.readings if ("reading", each.name) in needs]
    why = ""
    for chosen in product(*([(e.name, o.name) for o in e.options] for e in asked)):
        why = _held(spec, claim, needs, written, chosen)
        if not why:
            break
    return why


def _held(
    spec: c.Spec,
    claim: c.Property,
    needs: Collection[tuple[str, str]],
    written: Collection[str],
    readings: Readings,
) -> str:
    alone = replace(spec, properties=(), ends=(), examples=())
    if claim.kind == "theorem" and _counts_types(claim):
        return ""
    called = {node.function for node in walk(claim.claim) if isinstance(node, c.Call)}
    small = all(_is_small(each) for each in spec.functions if each.name in called)
    if small and _holds(*_freed(alone, claim, needs), written, readings):
        return "the types alone imply it"
    shared = {f"function {name}" for kind, name in needs if kind == "function"}
    if claim.kind == "theorem" or not shared or not _holds(alone, claim, written, readings):
        return ""
    wrong = [
        replace(each.spec, properties=(), ends=(), examples=())
        for each in mutants(alone)
        if each.shared in shared
    ]
    if all(_holds(each, claim, written, readings) for each in wrong):
        return "the types imply it, whatever mistake is made in what it reads"
    return ""


def _counts_types(claim: c.Property) -> bool:
    """Whether a claim is about the types: how many players there can be, or values of a type."""
    return any(
        isinstance(node, c.PlayerCount)
        or (
            isinstance(node, c.Quantify)
            and node.kind == "count"
            and any(each.low is None for each in node.binders)
        )
        for node in walk(claim.claim)
    )


def _freed(
    spec: c.Spec, claim: c.Property, needs: Iterable[tuple[str, str]]
) -> tuple[c.Spec, c.Property]:
    """A spec in which functions and tables are variables: nothing but their type is known."""
    variables = list(spec.variables)
    names = set(needs)
    functions = []
    for function in spec.functions:
        if ("function", function.name) in names and _is_small(function):
            variable, function = _unknown(function)
            variables.append(variable)
        functions.append(function)
    for table in spec.tables:
        if ("table", table.name) in names:
            variables.append(_variable(table.span, f"any {table.name}", table.type))
    free = replace(spec, functions=tuple(functions), variables=tuple(variables))
    return rebuilt(free, _any_table), replace(claim, claim=rebuilt(claim.claim, _any_table))


def _unknown(function: c.Function) -> tuple[c.Variable, c.Function]:
    """A function that looks up what its value is."""
    span, type = function.span, function.type
    for param in reversed(function.params):
        type = y.Map(param.type, type)
    name = f"any {function.name}"
    body: c.Expr = c.StateVar(span, type, name, False)
    for param in function.params:
        assert isinstance(body.type, y.Map)
        body = c.Lookup(span, body.type.value, body, c.Local(span, param.type, param.name))
    return _variable(span, name, type), replace(function, body=body)


def _variable(span: Span, name: str, type: y.Type) -> c.Variable:
    return c.Variable(span, name, type, None, False, False, None)


def _is_small(function: c.Function) -> bool:
    """Whether all values of a function can be listed."""
    plain = y.Bool | y.Int | y.Player | y.Enum | y.Grid
    if any(not isinstance(each.type, plain) for each in function.params):
        return False
    sizes = [y.most_values(each.type) for each in function.params]
    return None not in sizes and prod(each or 0 for each in sizes) <= MANY


def _any_table(node: Any) -> Any:
    """A variable where a part of a spec reads a table."""
    if isinstance(node, c.TableRef):
        return c.StateVar(node.span, node.type, f"any {node.name}", False)
    return None


def _holds(spec: c.Spec, claim: c.Property, written: Collection[str], readings: Readings) -> bool:
    """Whether a claim is known to hold in every position that the types allow."""
    known = {each.name for each in spec.variables if each.initial is not None} - set(written)
    try:
        if not _holds_at_random(spec, claim, known, readings):
            return False
        functions = {each.name: each for each in spec.functions}
        reads = variables_read(claim.claim, functions)
        return not reads or _is_implied(spec, claim, known, readings)
    except (EvaluationError, UsageError, UnboundedError):
        return False


def _holds_at_random(
    spec: c.Spec, claim: c.Property, known: Collection[str], readings: Readings
) -> bool:
    instance = Instance(spec, seats(spec), dict(readings))
    read = variables_read(claim.claim, instance.functions)
    for number in range(POSITIONS if read else 1):
        random = Random(number)
        before, now = (_position(instance, read, known, random) for _ in range(2))
        if not evaluate(claim.claim, Environment(instance, before, now)):
            return False
    return True


def _position(
    instance: Instance, read: Collection[str], known: Collection[str], random: Random
) -> Position:
    """Any values of the variables that are read; what is known of them."""
    nowhere = Environment(instance, {})
    return {
        name: evaluate(each.initial, nowhere)
        if name in known and each.initial is not None
        else _value(each.type, instance, random)
        for name, each in instance.variables.items()
        if name in read
    }


def _value(type: y.Type, instance: Instance, random: Random) -> Any:
    """Any value of a type."""
    match type:
        case y.Int(low, high):
            least = -WIDE if low is None else low
            return random.randint(least, max(least, WIDE) if high is None else high)
        case y.Option(inner):
            return _value(inner, instance, random) if random.random() < 0.5 else None
        case y.Set(element):
            return frozenset(each for each in instance.order(element) if random.random() < 0.5)
        case y.Bag(element):
            listed = list(instance.order(element))
            return BagValue(random.choice(listed) for _ in range(random.randrange(8)))
        case y.Map(_, inner):
            return make_map(type, instance, lambda _: _value(inner, instance, random))
        case _:
            return random.choice(y.values(type, instance.players))


def _is_implied(
    spec: c.Spec, claim: c.Property, known: Collection[str], readings: Readings
) -> bool:
    context = ProofContext(spec, Configuration(seats(spec), readings, None))
    begun, _, _ = beginning(context) if known else ({}, [], [])
    state = {name: begun[name] if name in known else each for name, each in context.state.items()}
    now = state
    if claim.kind == "always":
        after = context.unknown_state(" after")
        now = {name: state[name] if name in known else each for name, each in after.items()}
    term = context.claim(claim.claim, SymbolicEnvironment(state, now))
    if term in (TRUE, FALSE):
        return term is TRUE
    text = script([LabelledAssertion("", context.terms.no(term))])
    return Z3(text.text).check(text.switches, PATIENCE).result == UNSAT
