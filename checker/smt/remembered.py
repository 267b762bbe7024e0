"""What was encoded before: an expression whose names and variables stand for the same as before is
worth the same, wherever it is looked at.

What can go wrong depends on the path, so that nothing is kept of an expression in which something
could. Values are told apart by identity and kept, so that no other takes their place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from checker.meaning import core as c
from checker.meaning.purity import parts
from checker.smt.scene import Scene, World
from checker.smt.value import Sym
from checker.syntax.node import Node

Method = Callable[[Any, Scene], Sym]

WORTHWHILE = 5
"""Expressions with fewer parts are sooner encoded than remembered."""


class Read(Node):
    """What the value of an expression depends on: local names, variables as they are now and as
    they were before; and how many parts it has."""

    locals: tuple[str, ...]
    now: tuple[str, ...]
    before: tuple[str, ...]
    size: int


class Remembered:
    """What was encoded in one world."""

    def __init__(self, world: World, functions: Mapping[str, c.Function]) -> None:
        self._world = world
        self._functions = functions
        self._reads: dict[int, tuple[Any, Read]] = {}
        self._known: dict[tuple[int, ...], tuple[Sym, tuple[Sym | None, ...]]] = {}

    def once(self, method: Method, depth: Callable[[], int]) -> Method:
        """The same method, asked once of each expression with the same values; `depth` says how
        many names of the logic are bound around it, for those inside are called after that."""

        def encoded(expression: Any, scene: Scene) -> Sym:
            found = self._reads.get(id(expression))
            read = self._read(expression) if found is None else found[1]
            if read.size < WORTHWHILE:
                return method(expression, scene)
            held = (
                *(scene.locals.get(name) for name in read.locals),
                *(scene.now.get(name) for name in read.now),
                *(scene.before.get(name) for name in read.before),
            )
            key = (id(expression), depth(), *map(id, held))
            known = self._known.get(key)
            if known is not None:
                return known[0]
            risks = self._world.risks
            value = method(expression, scene)
            if self._world.risks == risks:
                self._known[key] = value, held
            return value

        return encoded

    def _read(self, node: Any) -> Read:
        """What a part of an expression depends on, here and in the functions it calls."""
        found = self._reads.get(id(node))
        if found is not None:
            return found[1]
        inside = [self._read(each) for each in parts(node)]
        locals = dict.fromkeys(name for each in inside for name in each.locals)
        now = dict.fromkeys(name for each in inside for name in each.now)
        before = dict.fromkeys(name for each in inside for name in each.before)
        size = 1 + sum(each.size for each in inside)
        match node:
            case c.Local(name=name):
                locals[name] = None
            case c.StateVar(name=name, old=old):
                (before if old else now)[name] = None
            case c.Call(function=function, old=old):
                body = self._read(self._functions[function].body)
                (before if old else now).update(dict.fromkeys(body.now))
                before.update(dict.fromkeys(body.before))
                size += body.size
        read = Read(tuple(locals), tuple(now), tuple(before), size)
        self._reads[id(node)] = node, read
        return read
