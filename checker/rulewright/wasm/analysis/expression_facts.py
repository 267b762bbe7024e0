"""What an expression depends on: the local names free in it, and whether it looks at the state.

Worked out once for each node. Functions are looked through: a call depends on the state if the
body of its function does.
"""

from __future__ import annotations

from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import parts
from rulewright.play.semantics.instance import Instance
from rulewright.syntax.node import Node

NONE: frozenset[str] = frozenset()


ENDLESS = 1 << 60
"""Work without a limit worth naming."""


class Fact(Node):
    """The free names of an expression, whether its value depends on the state, how many nodes it
    has, and how many the evaluator looks at to work it out, at most."""

    names: frozenset[str]
    state: bool
    weight: int
    work: int


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
        names, state, weight, work = NONE, False, 1, 1
        for part in parts(node):
            inside = self.of(part)
            names, state = names | inside.names, state or inside.state
            weight, work = weight + inside.weight, work + inside.work
        match node:
            case c.Local(name=name):
                names = frozenset((name,))
            case c.StateVar():
                state = True
            case c.Call(function=function):
                body = self.body(function)
                state, weight = state or body.state, weight + body.weight
                work += body.work
            case c.Let(name=name, value=value, body=body):
                names = self.of(value).names | (self.of(body).names - {name})
            case c.MapEach(name=name):
                names = names - {name}
                assert isinstance(node.type, y.Map)
                work *= _turns(node.type.key)
            case c.Quantify(binders=binders) | c.SetEach(binders=binders):
                names = names - {binder.name for binder in binders}
                names |= self._domains(binders)
                for binder in binders:
                    work *= _turns(binder.type)
        return Fact(names, state, weight, min(work, ENDLESS))

    def _domains(self, binders: tuple[c.Binder, ...]) -> frozenset[str]:
        """The names free in what binders range over; a later one may use an earlier one."""
        names, bound = NONE, set[str]()
        for binder in binders:
            names |= self.of(binder).names - bound
            bound.add(binder.name)
        return names


def _turns(type: y.Type) -> int:
    """How many values a name goes through at most."""
    most = y.most_values(type)
    return ENDLESS if most is None else max(most, 1)
