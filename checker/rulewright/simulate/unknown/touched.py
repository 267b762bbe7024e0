"""Which names and state variables an expression reads, and what flows into which variable."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.play.semantics.instance import Instance


class Touched:
    """What expressions read, worked out once for each."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._known: dict[int, tuple[c.Expr, frozenset[str], frozenset[str]]] = {}
        self._functions: dict[str, frozenset[str]] = {}

    def open(self, expression: c.Expr, names: frozenset[str], variables: frozenset[str]) -> bool:
        """Whether an expression reads one of these local names or state variables."""
        known = self._known.get(id(expression))
        if known is None:
            known = (expression, *self._read(expression))
            self._known[id(expression)] = known
        return not (known[1].isdisjoint(names) and known[2].isdisjoint(variables))

    def variables(self, expression: c.Expr) -> frozenset[str]:
        """The state variables that an expression reads."""
        return self._read(expression)[1]

    def _read(self, expression: c.Expr) -> tuple[frozenset[str], frozenset[str]]:
        names: set[str] = set()
        variables: set[str] = set()
        for each in parts(expression):
            match each:
                case c.Local(name=name):
                    names.add(name)
                case c.StateVar(name=name):
                    variables.add(name)
                case c.Call(function=function):
                    variables |= self._function(function)
        return frozenset(names), frozenset(variables)

    def _function(self, name: str) -> frozenset[str]:
        if name not in self._functions:
            self._functions[name] = frozenset()  # no function calls itself
            self._functions[name] = self._read(self._instance.functions[name].body)[1]
        return self._functions[name]


def parts(node: Any, keys: bool = True) -> Iterator[Any]:
    """Everything an expression or statement is made of, itself included; without `keys`, what only
    says where to look is left out."""
    todo = [node]
    while todo:
        each = todo.pop()
        if isinstance(each, tuple):
            todo.extend(each)
        elif isinstance(each, c.Core):
            yield each
            if not keys and isinstance(each, c.Lookup):
                todo.append(each.map)
                continue
            todo.extend(getattr(each, name) for name in each._fields)


def flows_into(
    instance: Instance, transition: c.Transition, variables: Collection[str]
) -> set[str]:
    """The parameters of a transition whose values are put into some state variables."""
    given = {param.name: frozenset({param.name}) for param in transition.params}
    return set(_flows(instance, transition.body, given, variables))


def _flows(
    instance: Instance,
    body: Sequence[c.Statement],
    given: Mapping[str, frozenset[str]],
    variables: Collection[str],
) -> Iterator[str]:
    """`given` says of each local name which parameters it stems from."""

    def origins(part: Any) -> frozenset[str]:
        names = [each.name for each in parts(part, keys=False) if isinstance(each, c.Local)]
        return frozenset().union(*(given.get(name, frozenset()) for name in names))

    for statement in body:
        match statement:
            case c.Assign(variable=variable, value=value):
                if variable in variables:
                    yield from origins(value)
            case c.If(then=then, otherwise=otherwise):
                yield from _flows(instance, then, given, variables)
                yield from _flows(instance, otherwise, given, variables)
            case c.For(binders=binders, body=inner):
                given = {**given, **{each.name: origins((each.low, each.high)) for each in binders}}
                yield from _flows(instance, inner, given, variables)
            case c.Bind(name=name, value=value):
                given = {**given, name: origins(value)}
            case c.Perform(effect=name, arguments=arguments):
                effect = instance.effects[name]
                inside = {
                    param.name: origins(argument)
                    for param, argument in zip(effect.params, arguments)
                }
                yield from _flows(instance, effect.body, inside, variables)
            case c.Labelled(body=inner):
                yield from _flows(instance, inner, given, variables)
