"""What statements do to a position with unknown parts, and whether they can."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from rulewright.certify.smt.term import Truth
from rulewright.certify.symbolic.evaluate import EvaluationContext, Evaluator, State
from rulewright.certify.symbolic.symbolic_values import Value
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.syntax.node import Node

Done = tuple[State, Truth]
"""The position afterwards, and whether everything on the way was defined."""


class SymbolicTransition(Node):
    """A transition from a position: its requirements, each with whether it is defined where those
    before it hold; the position after it, and whether that is defined."""

    transition: c.Transition
    labels: tuple[str, ...]
    asked: tuple[Truth, ...]
    asked_defined: Truth
    after: State
    defined: Truth


class StatementEvaluator:
    """Carries out statements and transitions."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._ev = evaluator
        self._t = evaluator.t

    def allowed(
        self, transition: c.Transition, state: State, locals: dict[str, Value]
    ) -> tuple[list[tuple[str, Truth]], Truth]:
        """The requirements in order, and whether each is defined where all before it hold."""
        t, env = self._t, EvaluationContext(state, state, locals)
        found: list[tuple[str, Truth]] = []
        held: Truth = True
        defined: Truth = True
        for label, condition in requirements(transition):
            if held is False:
                break
            value, also = self._ev.worth(condition, env)
            defined = t.both(defined, t.implies(held, also))
            found.append((label, t.both(value, also)))
            held = t.both(held, value)
        return found, defined

    def take(
        self, transition: c.Transition, state: State, locals: dict[str, Value]
    ) -> SymbolicTransition:
        """A transition from a position, with these values for its parameters."""
        asked, asked_defined = self.allowed(transition, state, locals)
        impossible = any(held is False for _, held in asked)
        after, defined = (state, True) if impossible else self._run(
            transition.body, state, EvaluationContext(state, state, locals)
        )  # fmt: skip
        labels, conditions = [label for label, _ in asked], [held for _, held in asked]
        return SymbolicTransition(
            transition, tuple(labels), tuple(conditions), asked_defined, after, defined
        )

    def _run(self, body: Sequence[c.Statement], state: State, env: EvaluationContext) -> Done:
        """Statements one after the other; `scene` has the position before and the names."""
        t, checks = self._t, list[Truth]()
        for each in body:
            here = EvaluationContext(state, env.before, env.locals)
            match each:
                case c.Assign():
                    state, defined = self._assign(each, here)
                case c.If(condition=condition, then=then, otherwise=otherwise):
                    k, defined = self._ev.worth(condition, here)
                    (one, one_defined), (other, other_defined) = (
                        (state, True) if k is skipped else self._run(part, state, here)
                        for skipped, part in ((False, then), (True, otherwise))
                    )
                    state = self._merged(k, one, other)
                    defined = t.both(defined, t.choose_truth(k, one_defined, other_defined))
                case c.For(binders=binders):
                    state, defined = self._loop(each, binders, here)
                case c.Bind(name=name, value=value):
                    named, defined = self._ev.worth(value, here)
                    env = env.bind(name, named)
                case c.Perform(effect=name, arguments=arguments):
                    effect = self._ev.instance.effects[name]
                    given, defined = self._ev.arguments(effect.params, arguments, here)
                    inside = EvaluationContext(state, env.before, given)
                    state, also = self._run(effect.body, state, inside)
                    defined = t.both(defined, also)
                case c.Labelled(body=inner):
                    state, defined = self._run(inner, state, here)
                case _:
                    assert_never(each)
            checks.append(defined)
        return state, t.both(*checks)

    def _assign(self, each: c.Assign, env: EvaluationContext) -> Done:
        keys = [self._ev.worth(key, env) for key in each.keys]
        value, defined = self._ev.worth(each.value, env)
        held = env.now[each.variable]
        type: y.Type = self._ev.instance.variables[each.variable].type
        written, there = self._ev.written(held, type, [key for key, _ in keys], value)
        fits = self._ev.inside(value, each.type)
        checks = self._t.both(*(also for _, also in keys), defined, there, fits)
        return {**env.now, each.variable: written}, checks

    def _loop(self, each: c.For, binders: Sequence[c.Binder], env: EvaluationContext) -> Done:
        """Every choice in turn; each sees what those before it wrote, and so does `where`."""
        t = self._t
        if not binders:
            if each.where is None:
                return self._run(each.body, env.now, env)
            allowed, defined = self._ev.worth(each.where, env)
            if allowed is False:
                return env.now, defined
            after, also = self._run(each.body, env.now, env)
            state = self._merged(allowed, after, env.now)
            return state, t.both(defined, t.implies(allowed, also))
        items, defined = self._ev.quantifiers.domain(binders[0], env)
        state = env.now
        for guard, value in items:
            inside = EvaluationContext(state, env.before, {**env.locals, binders[0].name: value})
            after, also = self._loop(each, binders[1:], inside)
            state = self._merged(guard, after, state)
            defined = t.both(defined, t.implies(guard, also))
        return state, defined

    def _merged(self, k: Truth, one: State, other: State) -> State:
        if one is other:
            return one
        return {name: self._ev.shapes.merge(k, one[name], other[name]) for name in one}


def requirements(transition: c.Transition) -> list[tuple[str, c.Expr]]:
    """What a transition needs: what is written, and of a chance event that it has a chance."""
    found = [(each.label, each.condition) for each in transition.requirements]
    weight = transition.weight
    if weight is not None:
        nothing = c.Literal(weight.span, y.Int(0, 0), 0)
        likely = c.Binary(weight.span, y.BOOL, "greater", weight, nothing)
        found.append((f"{transition.name}.weight", likely))
    return found
