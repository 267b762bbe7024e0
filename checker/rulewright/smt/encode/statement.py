"""What statements do symbolically, and the transitions of a game as functions of terms.

Branches are run apart and put together again: every place of the state becomes a choice between
what either branch left there. Trusts `expression`; what a transition is used for is up to `prove`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.rules import requirements
from rulewright.smt.encode import arrays as b
from rulewright.smt.encode.environment import Hazard, SymbolicEnvironment
from rulewright.smt.encode.expression import ExpressionEncoder
from rulewright.smt.encode.symbolic_values import Sym, SymbolicMap, merge
from rulewright.smt.terms.assume import AssumedFacts
from rulewright.smt.terms.term import FALSE, TRUE, Term

State = Mapping[str, Sym]


class EncodedRequirement:
    """A requirement of a transition, encoded."""

    __slots__ = ("holds", "requirement")

    def __init__(self, requirement: c.Requirement, holds: Term) -> None:
        self.requirement = requirement
        self.holds = holds


class EncodedTransition:
    """A transition from a state: what it asks, what it leads to, what must be safe on the way.
    `keys` are the unknowns that say where it writes."""

    __slots__ = (
        "after", "asked", "before", "body_hazards", "hazards", "keys", "locals", "transition",
    )  # fmt: skip

    def __init__(
        self,
        transition: c.Transition,
        before: State,
        locals: State,
        asked: list[EncodedRequirement],
        after: State,
        hazards: list[Hazard],
        body_hazards: list[Hazard],
        keys: tuple[Term, ...],
    ) -> None:
        self.transition = transition
        self.before = before
        self.locals = locals
        self.asked = asked
        self.after = after
        self.hazards = hazards
        self.body_hazards = body_hazards
        self.keys = keys


class StatementEncoder:
    """Runs statements on symbolic states."""

    def __init__(self, ex: ExpressionEncoder) -> None:
        self.ex = ex
        self.terms = ex.terms
        self.instance = ex.instance
        self._keys: dict[Term, None] = {}
        self._where: dict[Term, AssumedFacts] = {}

    def perform(
        self, statements: Sequence[c.Statement], env: SymbolicEnvironment, state: State
    ) -> dict[str, Sym]:
        """The state after some statements."""
        now = dict(state)
        env = env.in_state(now)
        for statement in statements:
            match statement:
                case c.Bind(name=name, value=value):
                    env = env.bind(name, self.ex.value(value, env))
                    continue
                case c.Assign():
                    now = self._assign(statement, env, now)
                case c.If(condition=condition, then=then, otherwise=otherwise):
                    holds = self.ex.term(condition, env)
                    now = self._branch(holds, then, otherwise, env, now)
                case c.For(binders=binders, where=where, body=body):
                    now = self._for(binders, where, body, env, now)
                case c.Perform(effect=name, arguments=arguments):
                    effect = self.instance.effects[name]
                    given = self.ex.arguments(name, effect.params, arguments, env)
                    now = self.perform(effect.body, env.enter(given), now)
                case c.Labelled(body=body):
                    now = self.perform(body, env, now)
                case _:
                    assert_never(statement)
            env = env.in_state(now)
        return now

    def _branch(
        self, holds: Term, then: Sequence[c.Statement], otherwise: Sequence[c.Statement],
        env: SymbolicEnvironment, state: dict[str, Sym],
    ) -> dict[str, Sym]:  # fmt: skip
        if holds is TRUE:
            return self.perform(then, env, state)
        if holds is FALSE:
            return self.perform(otherwise, env, state)
        one = self.perform(then, env.where(holds), state)
        other = self.perform(otherwise, env.where(self.terms.no(holds)), state)
        return self.joined(holds, one, other)

    def joined(self, condition: Term, then: State, otherwise: State) -> dict[str, Sym]:
        """One state where the condition holds, else the other."""
        return {
            name: value
            if value is otherwise[name]
            else merge(self.terms, condition, value, otherwise[name])
            for name, value in then.items()
        }

    def _for(
        self, binders: Sequence[c.Binder], where: c.Expr | None, body: Sequence[c.Statement],
        env: SymbolicEnvironment, state: dict[str, Sym],
    ) -> dict[str, Sym]:  # fmt: skip
        if not binders:
            allowed = TRUE if where is None else self.ex.term(where, env)
            return self._branch(allowed, body, (), env, state)
        for guard, value in self.ex.quantifiers.domain(binders[0], env):
            inside = env.bind(binders[0].name, value, guard).in_state(state)
            after = self._for(binders[1:], where, body, inside, state)
            state = after if guard is TRUE else self.joined(guard, after, state)
        return state

    def _assign(
        self, statement: c.Assign, env: SymbolicEnvironment, state: dict[str, Sym]
    ) -> dict[str, Sym]:
        keys = [self.ex.code(key, env) for key in statement.keys]
        self._keys.update((key, None) for key in keys if key.op == "variable")
        value = self.ex.value(statement.value, env)
        message = f"`{statement.variable}` leaves its range"
        self.ex.check(value, statement.type, env, message, statement.span)
        variable = self.instance.variables[statement.variable]

        def written(held: Sym, type: y.Type, depth: int) -> Sym:
            if depth == len(keys):
                return self.ex.shapes.fit(value, type)
            assert isinstance(type, y.Map)
            key = keys[depth]
            self.ex.check_key(key, type.key, env, statement.span)
            if isinstance(held, b.SymbolicArray):
                return self.ex.written(held, key, value, type)
            assert isinstance(held, SymbolicMap)
            values: dict[int, Sym] = {}
            for code, each in held.values.items():
                here = self.terms.equal(key, self.terms.number(code))
                values[code] = each
                if here is not FALSE:
                    inner = written(each, type.value, depth + 1)
                    if here is not TRUE:  # at this key, what the key decides is decided
                        inner = self._decided(here).value(inner)
                    values[code] = merge(self.terms, here, inner, each)
            return SymbolicMap(values)

        new = written(state[variable.name], variable.type, 0)
        return {**state, variable.name: new}

    def _decided(self, condition: Term) -> AssumedFacts:
        """What a condition decides where it holds."""
        found = self._where.get(condition)
        if found is None:
            found = self._where[condition] = AssumedFacts(self.terms, [condition])
        return found

    # ---- transitions

    def ask(
        self, transition: c.Transition, state: State, locals: State
    ) -> Iterator[EncodedRequirement]:
        """The requirements of a transition, as they are asked for; each leans on those before."""
        env = SymbolicEnvironment(state, state, locals)
        for requirement in requirements(transition):
            holds = self.ex.term(requirement.condition, env)
            yield EncodedRequirement(requirement, holds)
            env = env.where(holds)

    def take(self, transition: c.Transition, state: State, locals: State) -> EncodedTransition:
        """A transition from a state, with the values of its parameters and mover."""
        self.ex.world.take_hazards()
        asked = list(self.ask(transition, state, locals))
        hazards = self.ex.world.take_hazards()
        allowed = self.terms.every(each.holds for each in asked)
        after: State = state
        self._keys.clear()
        if allowed is not FALSE:
            env = SymbolicEnvironment(state, state, locals)
            after = self.perform(transition.body, env, state)
        met = self.ex.world.take_hazards()
        return EncodedTransition(
            transition, state, locals, asked, after, hazards, met, tuple(self._keys)
        )
