"""What an event does where not all is known: its requirements hold, its body runs, then the steps
that are due. As in `play.semantics.rules`, with forks where the rules ask something unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.rules import MOST_STEPS, requirements
from rulewright.play.semantics.values import Position, SparseMap, changed, text
from rulewright.simulate.unknown.evaluator import Evaluator, Scene
from rulewright.simulate.unknown.expressions import MEANING
from rulewright.simulate.unknown.path import Dead, Trial
from rulewright.simulate.unknown.symbols import is_open
from rulewright.simulate.unknown.touched import Touched


class Refusal(Dead):
    """An event that cannot be legal here, by the requirement that says so; None if what the
    rules ask has no value."""

    def __init__(self, requirement: c.Requirement | None) -> None:
        super().__init__()
        self.requirement = requirement


class Open:
    """A position and which of its variables are not known."""

    __slots__ = ("position", "variables")

    def __init__(self, position: Position, variables: frozenset[str]) -> None:
        self.position = position
        self.variables = variables


def opened(position: Position) -> Open:
    """A position with the variables that are open."""
    return Open(position, frozenset(name for name, each in position.items() if is_open(each)))


class Player:
    """Lets things happen, in one trial."""

    def __init__(self, instance: Instance, touched: Touched, trial: Trial) -> None:
        self.instance = instance
        self.trial = trial
        self.evaluator = Evaluator(instance, touched, trial, MEANING)

    def happen(
        self, at: Open, transition: c.Transition, by: int | None, arguments: Mapping[str, Any]
    ) -> Open:
        """What comes of an event, steps included; Dead if it cannot be legal."""
        locals = dict(arguments)
        if transition.mover is not None:
            locals[transition.mover] = by
        for requirement in requirements(transition):
            self.need(at, requirement, locals)
        return self.steps(self.body(at, transition, locals))

    def condition(self, at: Open, claim: c.Expr) -> Any:
        """What it takes for something to hold in a position."""
        return self.evaluator.condition(claim, _scene(self, at, {}))

    def need(self, at: Open, requirement: c.Requirement, locals: Mapping[str, Any]) -> None:
        """A requirement holds from here on."""
        try:
            condition = self.evaluator.condition(requirement.condition, _scene(self, at, locals))
            self.trial.insist(condition)
        except EvaluationError:
            raise Refusal(None) from None
        except Dead:
            raise Refusal(requirement) from None

    def body(self, at: Open, transition: c.Transition, locals: Mapping[str, Any]) -> Open:
        """What a transition writes."""
        now = dict(at.position)
        env = Environment(self.instance, at.position, now, locals)
        names = frozenset(name for name, value in locals.items() if is_open(value))
        self._open = set(at.variables)
        self._before = at.variables
        try:
            self._perform(transition.body, Scene(env, names, at.variables))
        except EvaluationError:
            raise Refusal(None) from None
        return Open(now, frozenset(self._open))

    def steps(self, at: Open) -> Open:
        """What follows by itself."""
        for _ in range(MOST_STEPS):
            step = self._due(at)
            if step is None:
                return at
            at = self.body(at, step, {})
        raise Refusal(None)

    def _due(self, at: Open) -> c.Transition | None:
        scene = _scene(self, at, {})
        try:
            for step in self.instance.of_kind("step"):
                if all(
                    self.trial.decide(self.evaluator.condition(each.condition, scene))
                    for each in step.requirements
                ):
                    return step
        except EvaluationError:
            raise Refusal(None) from None
        return None

    def _perform(self, statements: Sequence[c.Statement], scene: Scene) -> None:
        evaluator = self.evaluator
        for statement in statements:
            scene = Scene(scene.env, scene.open, self._variables())
            match statement:
                case c.Assign():
                    self._assign(statement, scene)
                case c.If(condition=condition, then=then, otherwise=otherwise):
                    holds = self.trial.decide(evaluator.condition(condition, scene))
                    self._perform(then if holds else otherwise, scene)
                case c.For(binders=binders, where=where, body=body):
                    self._for(binders, where, body, scene)
                case c.Bind(name=name, value=value):
                    scene = scene.bind(name, evaluator.value(value, scene))
                case c.Perform(effect=name, arguments=arguments):
                    effect = self.instance.effects[name]
                    given = evaluator.arguments(name, effect.params, arguments, scene)
                    self._perform(effect.body, scene.enter(given))
                case c.Labelled(body=body):
                    self._perform(body, scene)
                case _:
                    assert_never(statement)

    def _variables(self) -> frozenset[str]:
        """What is open now, or was before the transition."""
        return self._before | self._open

    def _for(
        self,
        binders: Sequence[c.Binder],
        where: c.Expr | None,
        body: Sequence[c.Statement],
        scene: Scene,
    ) -> None:
        """Each turn sees what those before it wrote."""
        if not binders:
            scene = Scene(scene.env, scene.open, self._variables())
            if where is None or self.trial.decide(self.evaluator.condition(where, scene)):
                self._perform(body, scene)
            return
        scene = Scene(scene.env, scene.open, self._variables())
        for under, inside in list(self.evaluator.scenes(binders[:1], None, scene)):
            if self.trial.decide(under):
                self._for(binders[1:], where, body, inside)

    def _assign(self, statement: c.Assign, scene: Scene) -> None:
        keys = [self.evaluator.known(key, scene) for key in statement.keys]
        value = self.evaluator.value(statement.value, scene)
        name = statement.variable + "".join(f"[{text(key)}]" for key in keys)
        self.evaluator.in_range(value, statement.type, f"`{name}`", statement.span)

        def written(held: Any, type: y.Type, depth: int) -> Any:
            if depth == len(keys):
                return value
            assert isinstance(type, y.Map)
            if keys[depth] not in held:
                raise EvaluationError(f"`{name}` has no such key", statement.span)
            inner = written(held[keys[depth]], type.value, depth + 1)
            return changed(held, keys[depth], inner)

        variable = self.instance.variables[statement.variable]
        now = scene.env.now
        now[variable.name] = found = written(now[variable.name], variable.type, 0)
        if is_open(value):
            self._open.add(variable.name)
        elif not isinstance(found, SparseMap) and not is_open(found):
            self._open.discard(variable.name)


def _scene(player: Player, at: Open, locals: Mapping[str, Any]) -> Scene:
    env = Environment(player.instance, at.position, locals=locals)
    names = frozenset(name for name, value in locals.items() if is_open(value))
    return Scene(env, names, at.variables)
