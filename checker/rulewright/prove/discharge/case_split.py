"""Cases: one question about a transition becomes one for each value of some of its parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import walk
from rulewright.vc.context import ProofContext

SPLIT = 8
"""Parameters with at most so many values are worth trying one value at a time."""
CHOICES = 64
"""So many squares of a board are tried one by one, where nothing else helps."""


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


def choices(
    context: ProofContext, transition: c.Transition, fixed: Mapping[str, int]
) -> list[dict[str, int]]:
    """The cases of one that was too hard and writes to a board of no more than so many squares:
    each value of what is chosen, as far as there are not too many. What has most values comes
    first, for where a piece goes decides more than how."""
    if not _writes_to_board(context, transition):
        return []
    found: dict[str, range] = {}
    sizes = {
        name: context.world.domains.codes(type)
        for name, type in context.parameter_types(transition).items()
        if name not in fixed and isinstance(type, y.Grid | y.Enum | y.Int)
    }
    for name in sorted(sizes, key=lambda each: -len(sizes[each])):
        if prod(map(len, found.values())) * len(sizes[name]) <= CHOICES:
            found[name] = sizes[name]
    return (
        [{**fixed, **dict(zip(found, each))} for each in product(*found.values())] if found else []
    )


def _writes_to_board(context: ProofContext, transition: c.Transition) -> bool:
    """Whether something is written to a map that has more keys than are split, but not very
    many."""
    effects, waiting, seen = context.instance.effects, [*transition.body], set[str]()
    while waiting:
        for node in walk(waiting.pop()):
            if isinstance(node, c.Perform) and node.effect not in seen:
                seen.add(node.effect)
                waiting += effects[node.effect].body
            if isinstance(node, c.Assign) and node.keys:
                type = context.instance.variables[node.variable].type
                if isinstance(type, y.Map) and y.is_scalar(type.key):
                    squares = len(context.world.domains.codes(type.key))
                    if SPLIT < squares <= CHOICES:
                        return True
    return False


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
