"""Mutants of a spec: one small mistake in a requirement, an effect, a function or a table.

A mutant is the core with one part changed: a number one too high, `<` for `<=`, a condition left
out, the wrong player, a statement forgotten, done twice, too early or in the wrong order. Engines
tend to be wrong in the same ways, so a position that tells a mutant from the spec is a good test of
an engine. Of what several rules share, only that is changed which play or its result leans on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.conform.mutation.dependencies import DependencyGraph, shared_name
from rulewright.conform.mutation.moved_statements import (
    EARLY,
    EXCHANGED,
    is_order_matter,
    moved_earlier,
)
from rulewright.conform.mutation.mutation_operators import FEW, mutated_expressions
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.retyping import retyped, retyped_block
from rulewright.meaning.traversal import walk
from rulewright.syntax.node import Node, replace


class Mutant(Node):
    """One mistake: where (a requirement's or statement's label), what, and the spec with it."""

    transition: str | None
    """The transition that is mistaken; None for something that several may share."""
    label: str
    clauses: tuple[str, ...]
    what: str
    spec: c.Spec
    requirement: int | None = None
    """Which requirement of the transition is mistaken, if it is one."""
    condition: c.Expr | None = None
    shared: str | None = None
    """The effect, function or table that is mistaken, if it is one: `effect take`."""


def mutants(spec: c.Spec) -> list[Mutant]:
    """Every mutant of what play leans on: requirements, what happens, then what is shared."""
    dependencies = DependencyGraph(spec)
    return [
        *(each for one in spec.transitions for each in _of_requirements(spec, one)),
        *(each for one in spec.transitions for each in _of_body(spec, one)),
        *(each for one in spec.transitions for each in _of_time(spec, one)),
        *(each for one in spec.effects for each in _of_effect(spec, one)),
        *(
            each
            for one in spec.functions
            if dependencies.is_used(shared_name(one))
            for each in _of_function(spec, one)
        ),
        *(
            each
            for one in spec.tables
            if dependencies.is_used(shared_name(one))
            for each in _of_table(spec, one)
        ),
    ]


def _of_requirements(spec: c.Spec, transition: c.Transition) -> Iterator[Mutant]:
    for at, requirement in enumerate(transition.requirements):
        span = requirement.condition.span
        none = ("left out", c.Literal(span, y.BOOL, True))
        for what, condition in (none, *mutated_expressions(requirement.condition)):
            condition = retyped(condition)
            wrong = replace(requirement, condition=condition)
            needed = (*transition.requirements[:at], wrong, *transition.requirements[at + 1 :])
            about_phase = requirement.label == f"{transition.name}.phase"
            phases = tuple(p.name for p in spec.phases) if about_phase else transition.phases
            yield Mutant(
                transition.name,
                requirement.label,
                requirement.clauses or transition.clauses,
                what,
                _with_transition(spec, replace(transition, requirements=needed, phases=phases)),
                at,
                condition,
            )


def _of_body(spec: c.Spec, transition: c.Transition) -> Iterator[Mutant]:
    bodies = _bodies(spec, transition.body, transition.name, transition.clauses)
    for label, clauses, what, body in bodies:
        changed = _with_transition(spec, replace(transition, body=retyped_block(body)))
        yield Mutant(transition.name, label, clauses, what, changed)


def _of_time(spec: c.Spec, transition: c.Transition) -> Iterator[Mutant]:
    """What a step does is done too early."""
    for statement, transitions in moved_earlier(spec, transition):
        label, clauses = transition.name, transition.clauses
        inside = [each for each in walk(statement) if isinstance(each, c.Labelled)]
        if inside:
            label, clauses = inside[0].label, inside[0].clauses or clauses
        elif isinstance(statement, c.Perform):
            done = next(each for each in spec.effects if each.name == statement.effect)
            label, clauses = f"{label}.{done.name}", (*clauses, *done.clauses)
        wrong = replace(spec, transitions=transitions)
        yield Mutant(transition.name, label, clauses, EARLY, wrong)


def _of_effect(spec: c.Spec, effect: c.Effect) -> Iterator[Mutant]:
    bodies = _bodies(spec, effect.body, effect.name, effect.clauses)
    for label, clauses, what, body in bodies:
        changed = replace(effect, body=retyped_block(body))
        effects = tuple(changed if each.name == effect.name else each for each in spec.effects)
        wrong = replace(spec, effects=effects)
        yield Mutant(None, label, clauses, what, wrong, shared=shared_name(effect))


def _of_function(spec: c.Spec, function: c.Function) -> Iterator[Mutant]:
    for what, body in mutated_expressions(function.body):
        changed = replace(function, body=retyped(body))
        functions = tuple(
            changed if each.name == function.name else each for each in spec.functions
        )
        wrong = replace(spec, functions=functions)
        name, clauses = function.name, function.clauses
        yield Mutant(None, name, clauses, what, wrong, shared=shared_name(function))


def _of_table(spec: c.Spec, table: c.TableData) -> Iterator[Mutant]:
    for what, data in _entries(table.data, table.type):
        changed = replace(table, data=data)
        tables = tuple(changed if each.name == table.name else each for each in spec.tables)
        wrong = replace(spec, tables=tables)
        yield Mutant(None, table.name, table.clauses, what, wrong, shared=shared_name(table))


def _entries(data: Any, type: y.Type, place: str = "") -> Iterator[tuple[str, Any]]:
    """A table with one entry mistaken, within the values that the table may have."""
    match type:
        case y.Map(value=inner):
            for key, entry in data.items():
                for what, wrong in _entries(entry, inner, f"{place}[{key}]"):
                    yield what, {**data, key: wrong}
        case y.Int(low, high):
            for how, wrong in (("more", data + 1), ("less", data - 1)):
                if (low is None or low <= wrong) and (high is None or wrong <= high):
                    yield f"one {how}: {wrong} for {data} at {place}", wrong
        case y.Enum(_, members) if 1 < len(members) <= FEW:
            other = members[(members.index(data) + 1) % len(members)]
            yield f"{other} for {data} at {place}", other


def _with_transition(spec: c.Spec, changed: c.Transition) -> c.Spec:
    transitions = tuple(changed if each.name == changed.name else each for each in spec.transitions)
    return replace(spec, transitions=transitions)


# ---- statements


def _bodies(
    spec: c.Spec, body: tuple[c.Statement, ...], label: str, clauses: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...], str, tuple[c.Statement, ...]]]:
    """Statements with one mistake, and the label and clauses of the statement mistaken."""
    for at, statement in enumerate(body):
        before, after = body[:at], body[at + 1 :]
        own = (label, clauses)
        if isinstance(statement, c.Labelled):
            own = (statement.label, statement.clauses or clauses)
        if not isinstance(statement, c.Bind):
            yield (*own, "forgotten", before + after)
        if adds(statement, spec):
            yield (*own, "done twice", (*before, statement, statement, *after))
        if after and is_order_matter(spec, statement, after[0]):
            exchanged = (*before, after[0], statement, *after[1:])
            late = after[0].label if isinstance(after[0], c.Labelled) else own[0]
            yield late, own[1], EXCHANGED, exchanged
        for inner, cited, what, changed in _inside(spec, statement, *own):
            yield inner, cited, what, (*before, changed, *after)


def _inside(
    spec: c.Spec, statement: c.Statement, label: str, clauses: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...], str, c.Statement]]:
    """A statement with one mistake inside it."""
    changes: dict[str, Any] = {}
    match statement:
        case c.If(then=then, otherwise=otherwise):
            changes = {"then": then, "otherwise": otherwise}
        case c.For(body=body) | c.Labelled(body=body):
            changes = {"body": body}
    for field, inside in changes.items():
        for inner, cited, what, changed in _bodies(spec, inside, label, clauses):
            yield inner, cited, what, replace(statement, **{field: changed})
    if isinstance(statement, c.If):
        label, clauses = governed(statement, label, clauses)
    for field in ("condition", "where", "value", "keys", "arguments"):
        part = getattr(statement, field, None)
        if isinstance(part, tuple):
            for at, each in enumerate(part):
                for what, wrong in mutated_expressions(each):
                    parts = (*part[:at], wrong, *part[at + 1 :])
                    yield label, clauses, what, replace(statement, **{field: parts})
        elif part is not None:
            for what, wrong in mutated_expressions(part):
                yield label, clauses, what, replace(statement, **{field: wrong})


def governed(statement: c.If, label: str, clauses: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Whose mistake a wrong condition is, with its clauses: of the first that depends on it."""
    depending = (*statement.then, *statement.otherwise)
    first = next((each for each in depending if isinstance(each, c.Labelled)), None)
    return (label, clauses) if first is None else (first.label, first.clauses or clauses)


def adds(statement: c.Statement, spec: c.Spec) -> bool:
    """Whether a statement goes on from what is there, so that doing it twice makes a difference;
    what is already in a set can be put there again."""
    match statement:
        case c.Assign(value=c.Binary(operator="union" | "difference" | "intersection")):
            return False
        case c.Assign(variable=variable, value=value):
            return any(
                isinstance(each, c.StateVar) and each.name == variable for each in walk(value)
            )
        case c.If(then=then, otherwise=otherwise):
            return any(adds(each, spec) for each in (*then, *otherwise))
        case c.For(body=body) | c.Labelled(body=body):
            return any(adds(each, spec) for each in body)
        case c.Perform(effect=name):
            return any(
                adds(inner, spec)
                for each in spec.effects
                if each.name == name
                for inner in each.body
            )
        case _:
            return False
