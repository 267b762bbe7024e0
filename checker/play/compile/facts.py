"""What an expression depends on: the local names free in it, and whether it looks at the state.

Worked out once for each node. Functions are looked through: a call depends on the state if the
body of its function does.
"""

from __future__ import annotations

from typing import Any

from checker.meaning import core as c
from checker.meaning.purity import parts
from checker.play.instance import Instance
from checker.syntax.node import Node

NONE: frozenset[str] = frozenset()


class Fact(Node):
    """The free names of an expression, whether its value depends on the state, and how many
    nodes it has."""

    names: frozenset[str]
    state: bool
    weight: int


class Facts:
    """Knows what each expression of an instance depends on."""

    def __init__(self, instance: Instance) -> None:
        self._functions = instance.functions
        self._known: dict[int, tuple[Any, Fact]] = {}
        self._bodies: dict[str, Fact] = {}

    def of(self, node: Any) -> Fact:
        """The facts about an expression or binder."""
        known = self._known.get(id(node))
        if known is None:
            known = self._known[id(node)] = (node, self._find(node))  # keeps the node, and its id
        return known[1]

    def body(self, function: str) -> Fact:
        """The facts about the body of a function."""
        if function not in self._bodies:
            self._bodies[function] = self.of(self._functions[function].body)
        return self._bodies[function]

    def _find(self, node: Any) -> Fact:
        names, state, weight = NONE, False, 1
        for part in parts(node):
            inside = self.of(part)
            names, state = names | inside.names, state or inside.state
            weight += inside.weight
        match node:
            case c.Local(name=name):
                names = frozenset((name,))
            case c.StateVar():
                state = True
            case c.Call(function=function):
                body = self.body(function)
                state, weight = state or body.state, weight + body.weight
            case c.Let(name=name, value=value, body=body):
                names = self.of(value).names | (self.of(body).names - {name})
            case c.MapEach(name=name):
                names = names - {name}
            case c.Quantify(binders=binders) | c.SetEach(binders=binders):
                names = names - {binder.name for binder in binders}
                names |= self._domains(binders)
        return Fact(names, state, weight)

    def _domains(self, binders: tuple[c.Binder, ...]) -> frozenset[str]:
        """The names free in what binders range over; a later one may use an earlier one."""
        names, bound = NONE, set[str]()
        for binder in binders:
            names |= self.of(binder).names - bound
            bound.add(binder.name)
        return names
