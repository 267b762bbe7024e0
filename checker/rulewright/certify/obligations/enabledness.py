"""Enabledness: that some event is allowed in a position.

Of an event with few choices all are written out. Of others some are tried, and any one that is
allowed will do: what is proposed for it, the squares and numbers that a quantifier over a board
speaks of, or, with values for all its unknowns left to the solver, any at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

from rulewright.certify.obligations.context import InductionContext, leaves
from rulewright.certify.smt.smtlib import unknowns
from rulewright.certify.smt.term import Term, Truth
from rulewright.certify.symbolic.evaluate import EvaluationContext, State
from rulewright.certify.symbolic.symbolic_values import UnsupportedError, Value
from rulewright.meaning import core as c
from rulewright.meaning import types as y

LISTED = 400
"""So many choices of parameters are written out."""
SMALL = 4
"""Sets of so many elements are all tried."""


class Enabledness:
    """Finds terms that say that something can happen."""

    def __init__(self, context: InductionContext) -> None:
        self._ground = context
        self._t = context.t

    def on(self, state: State) -> Iterator[Truth]:
        """That some event is allowed in a position: first with what is soon written down."""
        t = self._t
        few = [each for each in self._ground.events if self._count(each) <= LISTED]
        many = [each for each in self._ground.events if each not in few]
        here = t.either(*(self._listed(each, state) for each in few))
        yield here
        here = t.either(here, *(way for each in many for way in self._proposed(each, state)))
        yield here
        here = t.either(here, *(w for each in many for w in self._witnessed(each, state, here)))
        yield here
        yield t.either(here, *(self._somehow(each, state) for each in many))

    def _allowed(self, event: c.Transition, state: State, locals: dict[str, Value]) -> Truth:
        asked, _ = self._ground.performer.allowed(event, state, locals)
        return self._t.both(*(held for _, held in asked))

    def _types(self, event: c.Transition) -> dict[str, y.Type]:
        types: dict[str, y.Type] = {each.name: each.type for each in event.params}
        if event.mover is not None:
            types[event.mover] = self._ground.instance.player
        return types

    def _values(self, type: y.Type) -> list[Any]:
        """All values of a type if they are few, none otherwise."""
        shapes = self._ground.ev.shapes
        if isinstance(type, y.Set) and y.is_scalar(type.element):
            elements = y.most_values(type.element)
            few = elements is not None and elements <= SMALL
            return shapes.subsets(type) if few else []
        if not y.is_scalar(type) or shapes.is_large(type):
            return []
        values = shapes.domain(type)
        return values if len(values) <= LISTED else []

    def _count(self, event: c.Transition) -> int:
        counts = [len(self._values(each)) for each in self._types(event).values()]
        return prod(each or LISTED + 1 for each in counts)

    def _listed(self, event: c.Transition, state: State) -> Truth:
        types = self._types(event)
        ways = product(*(self._values(each) for each in types.values()))
        return self._t.either(*(self._allowed(event, state, dict(zip(types, way))) for way in ways))

    def _proposed(self, event: c.Transition, state: State) -> Iterator[Truth]:
        """What is proposed, with the first choice of each name of a proposal."""
        t = self._t
        if len(event.params) != 1:
            return
        for seat in self._ground.cases(event):
            names = {} if event.mover is None else {event.mover: seat}
            for proposal in event.proposals:
                try:
                    yield self._first_choice(event, proposal, state, names)
                except UnsupportedError:
                    yield t.both(False)

    def _first_choice(
        self, event: c.Transition, proposal: c.Proposal, state: State, names: dict[str, Value]
    ) -> Truth:
        t, ev = self._t, self._ground.ev
        env = EvaluationContext(state, state, names)
        there: Truth = True
        for binder in proposal.binders:
            items, defined = ev.quantifiers.domain(binder, env)
            nothing = t.no(t.either(*(guard for guard, _ in items)))
            there = t.both(there, defined, t.no(nothing))
            value: Value = items[-1][1] if items else 0
            for guard, each in reversed(items[:-1]):
                value = ev.shapes.merge(guard, each, value)
            env = env.bind(binder.name, value)
        if proposal.where is not None:
            there = t.both(there, ev.holds(proposal.where, env))
        given, defined = ev.worth(proposal.value, env)
        param = event.params[0]
        fits = ev.inside(given, param.type)
        allowed = self._allowed(event, state, {**names, param.name: given})
        return t.both(there, defined, fits, allowed)

    def _witnessed(self, event: c.Transition, state: State, here: Truth) -> Iterator[Truth]:
        """With what the quantifiers over large boards in a term speak of."""
        boards = self._ground.ev.boards.summaries
        found = {boards[each]: None for each in unknowns([here]) if each in boards}
        for summary in found:
            if summary.kind != "all":
                continue
            witness = dict(zip(summary.types, summary.witness))
            types = self._types(event)
            values = [[witness[t]] if t in witness else self._values(t) for t in types.values()]
            if 0 < prod(map(len, values)) <= LISTED:
                for way in product(*values):
                    yield self._allowed(event, state, dict(zip(types, way)))

    def _somehow(self, event: c.Transition, state: State) -> Truth:
        """With any values: left to the solver."""
        t = self._t
        found: list[Truth] = []
        for seat in self._ground.cases(event):
            try:
                locals = self._ground.locals(event, seat)
            except UnsupportedError:
                continue
            bound: list[Term] = []
            for name, each in locals.items():
                if name != event.mover:
                    bound += leaves(each)
            found.append(t.exists(bound, self._allowed(event, state, locals)))
        return t.either(*found)
