"""What a record need not say, by the names that somebody gives: state variables, events, arguments.

rack            a state variable: its values, and the arguments of events that are put into it
deal            an event: all its arguments, or the whole event
deal.tile       one argument of an event
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.meaning import core as c
from rulewright.play.semantics.errors import UsageError
from rulewright.play.semantics.instance import Instance, nearest
from rulewright.simulate.unknown.touched import flows_into


def check_names(spec: c.Spec, names: Sequence[str]) -> None:
    """Raises a UsageError for a name that stands for nothing that could be unknown."""
    variables = [each.name for each in spec.variables]
    events = {each.name: each for each in spec.transitions if each.kind != "step"}
    for name in names:
        event, dot, param = name.partition(".")
        if dot and event in events:
            params = [each.name for each in events[event].params]
            if param not in params:
                rest = f"it takes {', '.join(params) or 'none'}"
                message = f"`{event}` has no parameter `{param}`"
                raise UsageError(message, nearest(param, params, rest))
        elif dot or (name not in events and name not in variables):
            known = [*variables, *events]
            rest = "name a state variable, an event, or an argument like `deal.tile`"
            message = f"`{spec.name}` has no state variable or event `{name}`"
            raise UsageError(message, nearest(name, known, rest))


class Unknown:
    """What is unknown, of one game. Its `context` of the solver is its own, so that what is found,
    and the work it takes, depends on no game that was looked at before."""

    def __init__(self, instance: Instance, names: Sequence[str]) -> None:
        import z3

        self.context = z3.Context()
        self.variables = frozenset(name for name in names if name in instance.variables)
        self._events = frozenset(name for name in names if name in instance.transitions)
        self._arguments: dict[str, set[str]] = {}
        self._secret: dict[str, set[str]] = {}
        self.left_out: list[c.Transition] = []
        """Events that may be missing: those that are named, and what chance puts into a variable
        that is."""
        for transition in instance.spec.transitions:
            if transition.kind == "step":
                continue
            name = transition.name
            flowing = flows_into(instance, transition, self.variables) if self.variables else set()
            named = {each.partition(".")[2] for each in names if each.startswith(f"{name}.")}
            every = {each.name for each in transition.params}
            self._secret[name] = every if name in self._events else named
            self._arguments[name] = flowing | self._secret[name]
            if name in self._events or (transition.kind == "chance" and flowing):
                self.left_out.append(transition)

    def may_miss(self, event: str, argument: str) -> bool:
        """Whether a record of an event may leave out an argument."""
        return argument in self._arguments[event]

    def is_secret(self, event: str, argument: str) -> bool:
        """Whether what a record says of an argument is not looked at."""
        return argument in self._secret[event]
