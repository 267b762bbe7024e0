"""Cases: one question about a transition becomes one for each value of some of its parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.vc.context import ProofContext

SPLIT = 8
"""Parameters with at most so many values are worth trying one value at a time."""


def cases(context: ProofContext, transition: c.Transition) -> list[dict[str, int]]:
    """A transition is asked about once for each player who can take it."""
    if transition.mover is None:
        return [{}]
    return [{transition.mover: seat} for seat in range(1, context.instance.players + 1)]


def split(
    context: ProofContext, transition: c.Transition, fixed: Mapping[str, int]
) -> list[dict[str, int]]:
    """The cases of one that was too hard: each value of the parameters that say where something
    is written."""
    keys = written_keys(context, transition)
    names, values = [], []
    for name, type in context.parameter_types(transition).items():
        if name in keys and name not in fixed and y.is_scalar(type):
            codes = context.world.domains.codes(type)
            if len(codes) <= SPLIT:
                names.append(name)
                values.append(codes)
    return [{**fixed, **dict(zip(names, each))} for each in product(*values)] if names else []


def written_keys(context: ProofContext, transition: c.Transition) -> set[str]:
    """The parameters that are keys of something a transition writes to."""

    def within(statements: Sequence[c.Statement], names: Mapping[str, str]) -> set[str]:
        found: set[str] = set()
        for statement in statements:
            match statement:
                case c.Assign(keys=keys):
                    for key in keys:
                        if isinstance(key, c.Local) and key.name in names:
                            found.add(names[key.name])
                case c.If(then=then, otherwise=otherwise):
                    found |= within(then, names) | within(otherwise, names)
                case c.For(body=body) | c.Labelled(body=body):
                    found |= within(body, names)
                case c.Perform(effect=name, arguments=arguments):
                    effect = context.instance.effects[name]
                    inner = {
                        param.name: names[argument.name]
                        for param, argument in zip(effect.params, arguments)
                        if isinstance(argument, c.Local) and argument.name in names
                    }
                    found |= within(effect.body, inner)
                case _:
                    pass
        return found

    own = context.parameter_types(transition)
    return within(transition.body, {name: name for name in own})
