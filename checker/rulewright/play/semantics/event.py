"""What happens in a game: one move of a player, or one chance event, with its arguments."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.meaning.core import Transition
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import Instance, listed, nearest
from rulewright.play.semantics.values import Value
from rulewright.syntax.node import Node


class Event(Node):
    """A move (`by` a player) or a chance event (`by` None); `arguments` by parameter."""

    name: str
    by: int | None
    arguments: Mapping[str, Value]

    def locals(self, transition: Transition) -> dict[str, Value]:
        """The names that the requirements and effects of the transition know."""
        if transition.mover is None:
            return dict(self.arguments)
        return {**self.arguments, transition.mover: self.by}


def named(instance: Instance, kind: str, name: str) -> Transition:
    """The move or chance event of that name."""
    found = instance.transitions.get(name)
    if found is None or found.kind != kind:
        what = "move" if kind == "move" else "chance event"
        known = [each.name for each in instance.of_kind(kind)]
        rest = f"it has {listed(known)}" if known else f"it has no {what}s"
        raise UsageError(
            f"`{instance.spec.name}` has no {what} `{name}`", nearest(name, known, rest)
        )
    return found
