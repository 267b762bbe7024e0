"""Measures that are watched: a spec in which it is written down whether a measure falls.

That a game ends is claimed by a measure that falls from each time a phase is entered to the next.
A game at random cannot show that it falls, but it can show that it does not, or that it is
negative: then the claim notices a mistake.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.syntax.node import Span, replace

BEGUN, STAYS = "a round has begun", "the measure stays"
"""Names of variables that nobody can write."""


def with_measure(spec: c.Spec, ends: c.Ends) -> tuple[c.Spec, c.Property]:
    """A spec that remembers a measure, and the invariant that it has always fallen."""
    span = ends.span
    no = c.Literal(span, y.BOOL, False)
    nought = c.Literal(span, y.Int(0, 0), 0)
    ghosts = [(f"the measure before {at}", part) for at, part in enumerate(ends.measure)]
    variables = [
        c.Variable(span, BEGUN, y.BOOL, no, False, False, None),
        c.Variable(span, STAYS, y.BOOL, no, False, False, None),
        *(
            c.Variable(span, name, y.Int(None, None), nought, False, False, None)
            for name, _ in ghosts
        ),
    ]
    entered = _entered(spec, ends, ghosts)
    transitions = tuple(replace(each, body=(*each.body, entered)) for each in spec.transitions)
    wrong = replace(spec, variables=(*spec.variables, *variables), transitions=transitions)
    falls = c.Unary(span, y.BOOL, "not", _read(span, STAYS, y.BOOL))
    return wrong, c.Property(span, "invariant", ends.name, None, ends.clauses, falls)


def _entered(spec: c.Spec, ends: c.Ends, ghosts: Sequence[tuple[str, c.Expr]]) -> c.Statement:
    """What is written down when the phase of a measure is entered."""
    span = ends.span
    phase = next(each.type for each in spec.variables if each.name == "phase")
    here = c.Binary(
        span, y.BOOL, "equal", _read(span, "phase", phase), c.Literal(span, phase, ends.at)
    )
    before = c.Binary(span, y.BOOL, "and", _read(span, BEGUN, y.BOOL), _not_less(span, ghosts))
    stays: c.Expr = before
    for _, part in ghosts:
        nought = c.Literal(span, y.Int(0, 0), 0)
        stays = c.Binary(span, y.BOOL, "or", stays, c.Binary(span, y.BOOL, "less", part, nought))
    yes = c.Literal(span, y.BOOL, True)
    noted: list[c.Statement] = [
        c.If(span, stays, (c.Assign(span, STAYS, (), yes, y.BOOL),), ()),
        c.Assign(span, BEGUN, (), yes, y.BOOL),
        *(c.Assign(span, name, (), part, y.Int(None, None)) for name, part in ghosts),
    ]
    return c.If(span, here, tuple(noted), ())


def _not_less(span: Span, ghosts: Sequence[tuple[str, c.Expr]]) -> c.Expr:
    """Whether the parts of a measure are not less than they were, the first ones counting most."""
    (name, part), *others = ghosts
    was = _read(span, name, y.Int(None, None))
    if not others:
        return c.Binary(span, y.BOOL, "greater_equal", part, was)
    same = c.Binary(span, y.BOOL, "equal", part, was)
    rest = c.Binary(span, y.BOOL, "and", same, _not_less(span, others))
    return c.Binary(span, y.BOOL, "or", c.Binary(span, y.BOOL, "greater", part, was), rest)


def _read(span: Span, name: str, type: y.Type) -> c.Expr:
    return c.StateVar(span, type, name, False)
