"""Asks for whatever has to have a value in a position, also of moves that nobody may make.

Each requirement of each event is asked as long as those before it hold; of a game that is over, how
it has ended. What has no value raises an error. Choices are gone through only as far as it takes to
tell."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.constraint_search import search
from rulewright.play.semantics.errors import Unbound
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.legal_moves import parameter_types
from rulewright.play.semantics.rules import is_final, scores, winners
from rulewright.play.semantics.values import Position


class VastError(Exception):
    """There is more to ask than may be asked."""


class Asking:
    """Asks in one position after another, at most so many requirements in all."""

    def __init__(self, instance: Instance, most: int) -> None:
        self._instance = instance
        self._left = most

    def ask(self, position: Position) -> None:
        """Asks for everything in a position."""
        instance = self._instance
        if is_final(instance, position):
            scores(instance, position)
            winners(instance, position)
            return
        env = Environment(instance, position)
        for transition in instance.spec.transitions:
            if transition.kind != "step":
                types = list(parameter_types(transition, instance).items())
                self._each(transition.requirements, types, env)

    def _each(
        self, requirements: Sequence[c.Requirement], names: list[tuple[str, y.Type]],
        env: Environment,
    ) -> None:  # fmt: skip
        """Asks one after the other, for every choice of the names that it takes to tell."""
        for at, each in enumerate(requirements):
            self._left -= 1
            if self._left < 0:
                raise VastError
            try:
                holds = evaluate(each.condition, env)
            except Unbound:
                (name, type), *later = names
                for chosen in search({name: type}, (), env, in_state=False):
                    self._each(requirements[at:], later, env.bind(name, chosen[name]))
                return
            if not holds:
                return
