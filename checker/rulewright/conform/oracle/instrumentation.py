"""Instrumented spec: it logs which labelled statements and steps were carried out.

The compiled player does not say what it did on the way. So a variable is added to the core, and
each labelled statement and each step notes its number there; what the game does is not touched.
"""

from __future__ import annotations

from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.syntax.node import NOWHERE, Node, replace

DONE = " done"
"""The name of the added variable; no spec can have it, for it begins with a space."""


class InstrumentedSpec(Node):
    """A spec that takes notes, and what each number in them stands for."""

    spec: c.Spec
    type: y.Type
    meaning: tuple[c.Labelled | c.Transition, ...]


def instrumented(spec: c.Spec) -> InstrumentedSpec:
    """The spec with a note wherever something with clauses is carried out."""
    marker = _Marker(spec)
    effects = tuple(replace(each, body=marker.body(each.body)) for each in spec.effects)
    transitions = tuple(marker.transition(each) for each in spec.transitions)
    notes = c.Variable(spec.span, DONE, marker.type, marker.nothing(), False, False, None)
    changed = replace(
        spec, effects=effects, transitions=transitions, variables=(*spec.variables, notes)
    )
    return InstrumentedSpec(changed, marker.type, tuple(marker.meaning))


class _Marker:
    def __init__(self, spec: c.Spec) -> None:
        self.meaning: list[c.Labelled | c.Transition] = []
        bodies = [each.body for each in spec.effects]
        bodies += [each.body for each in spec.transitions]
        steps = sum(each.kind == "step" for each in spec.transitions)
        labels = sum(_labels(body) for body in bodies)
        self.type = y.Set(y.Int(0, max(steps + labels - 1, 0)))

    def nothing(self) -> c.Expr:
        return c.SetOf(NOWHERE, self.type, ())

    def transition(self, transition: c.Transition) -> c.Transition:
        body = self.body(transition.body)
        if transition.kind == "step":
            body = (self.note(transition), *body)
        return replace(transition, body=body)

    def body(self, statements: tuple[c.Statement, ...]) -> tuple[c.Statement, ...]:
        return tuple(self.statement(each) for each in statements)

    def statement(self, statement: c.Statement) -> c.Statement:
        found: Any = statement
        match statement:
            case c.If(then=then, otherwise=otherwise):
                found = replace(statement, then=self.body(then), otherwise=self.body(otherwise))
            case c.For(body=body):
                found = replace(statement, body=self.body(body))
            case c.Labelled(body=body):
                note = self.note(statement)
                found = replace(statement, body=(note, *self.body(body)))
        return found  # type: ignore[no-any-return]

    def note(self, what: c.Labelled | c.Transition) -> c.Assign:
        number = len(self.meaning)
        self.meaning.append(what)
        one = c.Literal(what.span, y.Int(number, number), number)
        so_far = c.StateVar(what.span, self.type, DONE, False)
        added = c.SetOf(what.span, self.type, (one,))
        value = c.Binary(what.span, self.type, "union", so_far, added)
        return c.Assign(what.span, DONE, (), value, self.type)


def _labels(statements: tuple[c.Statement, ...]) -> int:
    """How many labelled statements there are, at any depth."""
    found = 0
    for each in statements:
        match each:
            case c.If(then=then, otherwise=otherwise):
                found += _labels(then) + _labels(otherwise)
            case c.For(body=body):
                found += _labels(body)
            case c.Labelled(body=body):
                found += 1 + _labels(body)
    return found
