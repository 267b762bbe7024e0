"""What statements do symbolically, and the transitions of a game as functions of terms.

Branches are run apart and put together again: every place of the state becomes a choice between
what either branch left there. Trusts `expression`; what a transition is used for is up to `prove`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.rules import requirements
from checker.smt import board as b
from checker.smt.expression import Expressions
from checker.smt.restrict import Facts
from checker.smt.scene import Hazard, Scene
from checker.smt.term import FALSE, TRUE, Term
from checker.smt.value import Entries, Sym, merge

State = Mapping[str, Sym]


class Asked:
    """A requirement of a transition, encoded."""

    __slots__ = ("holds", "requirement")

    def __init__(self, requirement: c.Requirement, holds: Term) -> None:
        self.requirement = requirement
        self.holds = holds


class Taken:
    """A transition from a state: what it asks, what it leads to, what must be safe on the way.
    `keys` are the unknowns that say where it writes."""

    __slots__ = (
        "after", "asked", "before", "body_hazards", "hazards", "keys", "locals", "transition",
    )  # fmt: skip

    def __init__(
        self, transition: c.Transition, before: State, locals: State, asked: list[Asked],
        after: State, hazards: list[Hazard], body_hazards: list[Hazard], keys: tuple[Term, ...],
    ) -> None:  # fmt: skip
        self.transition = transition
        self.before = before
        self.locals = locals
        self.asked = asked
        self.after = after
        self.hazards = hazards
        self.body_hazards = body_hazards
        self.keys = keys


class Statements:
    """Runs statements on symbolic states."""

    def __init__(self, ex: Expressions) -> None:
        self.ex = ex
        self.terms = ex.terms
        self.instance = ex.instance
        self._keys: dict[Term, None] = {}
        self._where: dict[Term, Facts] = {}

    def perform(
        self, statements: Sequence[c.Statement], scene: Scene, state: State
    ) -> dict[str, Sym]:
        """The state after some statements."""
        now = dict(state)
        scene = scene.in_state(now)
        for statement in statements:
            match statement:
                case c.Bind(name=name, value=value):
                    scene = scene.bind(name, self.ex.value(value, scene))
                    continue
                case c.Assign():
                    now = self._assign(statement, scene, now)
                case c.If(condition=condition, then=then, otherwise=otherwise):
                    holds = self.ex.term(condition, scene)
                    now = self._branch(holds, then, otherwise, scene, now)
                case c.For(binders=binders, where=where, body=body):
                    now = self._for(binders, where, body, scene, now)
                case c.Perform(effect=name, arguments=arguments):
                    effect = self.instance.effects[name]
                    given = self.ex.arguments(name, effect.params, arguments, scene)
                    now = self.perform(effect.body, scene.enter(given), now)
                case c.Labelled(body=body):
                    now = self.perform(body, scene, now)
                case _:
                    assert_never(statement)
            scene = scene.in_state(now)
        return now

    def _branch(
        self, holds: Term, then: Sequence[c.Statement], otherwise: Sequence[c.Statement],
        scene: Scene, state: dict[str, Sym],
    ) -> dict[str, Sym]:  # fmt: skip
        if holds is TRUE:
            return self.perform(then, scene, state)
        if holds is FALSE:
            return self.perform(otherwise, scene, state)
        one = self.perform(then, scene.where(holds), state)
        other = self.perform(otherwise, scene.where(self.terms.no(holds)), state)
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
        scene: Scene, state: dict[str, Sym],
    ) -> dict[str, Sym]:  # fmt: skip
        if not binders:
            allowed = TRUE if where is None else self.ex.term(where, scene)
            return self._branch(allowed, body, (), scene, state)
        for guard, value in self.ex.quantifiers.domain(binders[0], scene):
            inside = scene.bind(binders[0].name, value, guard).in_state(state)
            after = self._for(binders[1:], where, body, inside, state)
            state = after if guard is TRUE else self.joined(guard, after, state)
        return state

    def _assign(self, statement: c.Assign, scene: Scene, state: dict[str, Sym]) -> dict[str, Sym]:
        keys = [self.ex.code(key, scene) for key in statement.keys]
        self._keys.update((key, None) for key in keys if key.op == "variable")
        value = self.ex.value(statement.value, scene)
        message = f"`{statement.variable}` leaves its range"
        self.ex.check(value, statement.type, scene, message, statement.span)
        variable = self.instance.variables[statement.variable]

        def written(held: Sym, type: y.Type, depth: int) -> Sym:
            if depth == len(keys):
                return self.ex.shapes.fit(value, type)
            assert isinstance(type, y.Map)
            key = keys[depth]
            self.ex.check_key(key, type.key, scene, statement.span)
            if isinstance(held, b.Board):
                return self.ex.written(held, key, value, type)
            assert isinstance(held, Entries)
            values: dict[int, Sym] = {}
            for code, each in held.values.items():
                here = self.terms.equal(key, self.terms.number(code))
                values[code] = each
                if here is not FALSE:
                    inner = written(each, type.value, depth + 1)
                    if here is not TRUE:  # at this key, what the key decides is decided
                        inner = self._decided(here).value(inner)
                    values[code] = merge(self.terms, here, inner, each)
            return Entries(values)

        new = written(state[variable.name], variable.type, 0)
        return {**state, variable.name: new}

    def _decided(self, condition: Term) -> Facts:
        """What a condition decides where it holds."""
        found = self._where.get(condition)
        if found is None:
            found = self._where[condition] = Facts(self.terms, [condition])
        return found

    # ---- transitions

    def ask(self, transition: c.Transition, state: State, locals: State) -> Iterator[Asked]:
        """The requirements of a transition, as they are asked for; each leans on those before."""
        scene = Scene(state, state, locals)
        for requirement in requirements(transition):
            holds = self.ex.term(requirement.condition, scene)
            yield Asked(requirement, holds)
            scene = scene.where(holds)

    def take(self, transition: c.Transition, state: State, locals: State) -> Taken:
        """A transition from a state, with the values of its parameters and mover."""
        self.ex.world.take_hazards()
        asked = list(self.ask(transition, state, locals))
        hazards = self.ex.world.take_hazards()
        allowed = self.terms.every(each.holds for each in asked)
        after: State = state
        self._keys.clear()
        if allowed is not FALSE:
            scene = Scene(state, state, locals)
            after = self.perform(transition.body, scene, state)
        met = self.ex.world.take_hazards()
        return Taken(transition, state, locals, asked, after, hazards, met, tuple(self._keys))
