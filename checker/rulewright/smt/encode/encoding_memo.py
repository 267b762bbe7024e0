"""Encoding memo: an expression whose names and places stand for the same as before is
worth the same, wherever it is looked at.

What can go wrong depends on the path, so that nothing is kept of an expression in which something
could. Values are told apart by identity and kept, so that no other takes their place. Of a variable
that is looked up at names, only what stands there matters: what is said of a player whom a move
leaves alone is not encoded again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from rulewright.meaning import core as c
from rulewright.meaning.spec_memo import once_per_spec
from rulewright.meaning.traversal import parts
from rulewright.smt.encode.environment import EncodingContext, SymbolicEnvironment
from rulewright.smt.encode.symbolic_values import Sym, SymbolicMap
from rulewright.smt.terms.term import Term
from rulewright.syntax.node import Node

Method = Callable[[Any, SymbolicEnvironment], Sym]

WORTHWHILE = 5
"""Expressions with fewer parts are sooner encoded than remembered."""

Place: TypeAlias = tuple[str, ...]
"""A variable, and the local names it is looked up at, one after another."""


class ReadSet(Node):
    """What the value of an expression depends on: local names, places as they are now and as they
    were before; the names it binds itself, and how many parts it has."""

    locals: tuple[str, ...]
    now: tuple[Place, ...]
    before: tuple[Place, ...]
    binds: frozenset[str]
    size: int


class ReadSets:
    """What each expression of a spec depends on, as far as it was asked for."""

    def __init__(self, functions: Mapping[str, c.Function]) -> None:
        self._functions = functions
        self.known: dict[int, tuple[Any, ReadSet]] = {}
        """By the identity of an expression, which is kept, so that no other takes its place."""

    def of(self, node: Any) -> ReadSet:
        """What a part of an expression depends on, here and in the functions it calls."""
        found = self.known.get(id(node))
        if found is not None:
            return found[1]
        inside = [self.of(each) for each in parts(node)]
        locals = dict.fromkeys(name for each in inside for name in each.locals)
        now = dict.fromkeys(place for each in inside for place in each.now)
        before = dict.fromkeys(place for each in inside for place in each.before)
        binds = frozenset[str]().union(*(each.binds for each in inside))
        size = 1 + sum(each.size for each in inside)
        match node:
            case c.Local(name=name):
                locals[name] = None
            case c.StateVar(name=name, old=old):
                (before if old else now)[(name,)] = None
            case c.Lookup(map=map, key=c.Local(name=name)) if _is_place(map):
                (held,) = before or now  # that of the map, which is read nowhere else in it
                now, before = ({(*held, name): None} if each else {} for each in (now, before))
            case c.Let(name=name) | c.MapEach(name=name) | c.Binder(name=name):
                binds |= {name}
            case c.Call(function=function, arguments=arguments, old=old):
                called = self._functions[function]
                body = self.of(called.body)
                given = {
                    param.name: argument.name
                    for param, argument in zip(called.params, arguments)
                    if isinstance(argument, c.Local)
                }
                (before if old else now).update(_renamed(body.now, given))
                before.update(_renamed(body.before, given))
                size += body.size
        if binds:  # what is bound inside stands for many things there, and for none here
            outside = {name: name for name in locals if name not in binds}
            now, before = _renamed(now, outside), _renamed(before, outside)
        read = ReadSet(tuple(locals), tuple(now), tuple(before), binds, size)
        self.known[id(node)] = node, read
        return read


@once_per_spec
def reads_of(spec: c.Spec) -> ReadSets:
    """They are the same in every setting."""
    return ReadSets({each.name: each for each in spec.functions})


class EncodingMemo:
    """What was encoded in one world."""

    def __init__(self, world: EncodingContext) -> None:
        self._world = world
        self._reads = reads_of(world.instance.spec)
        self._known: dict[tuple[Any, ...], Sym] = {}

    def once(self, method: Method) -> Method:
        """The same method, asked once of each expression with the same values."""

        known, world = self._known, self._world
        reads, read_of = self._reads.known, self._reads.of

        def encoded(expression: Any, env: SymbolicEnvironment) -> Sym:
            found = reads.get(id(expression))
            read = read_of(expression) if found is None else found[1]
            if read.size < WORTHWHILE:
                return method(expression, env)
            named, now, before = env.locals, env.now, env.before
            held: list[Any] = [id(expression)]
            for name in read.locals:
                held.append(named.get(name))
            for place in read.now:
                held.append(now.get(place[0]) if len(place) == 1 else _at(now, place, named))
            for place in read.before:
                held.append(before.get(place[0]) if len(place) == 1 else _at(before, place, named))
            key = tuple(held)
            value = known.get(key)
            if value is None:
                risks = world.risks
                value = method(expression, env)
                if world.risks == risks:
                    known[key] = value
            return value

        return encoded


def _is_place(expression: c.Expr) -> bool:
    """Whether an expression is a variable, or one that is looked up at local names."""
    while isinstance(expression, c.Lookup) and isinstance(expression.key, c.Local):
        expression = expression.map
    return isinstance(expression, c.StateVar)


def _renamed(places: Iterable[Place], names: Mapping[str, str]) -> dict[Place, None]:
    """Places with other names for their keys, each up to the first key that has none."""
    found: dict[Place, None] = {}
    for variable, *keys in places:
        known: list[str] = []
        for key in keys:
            if key not in names:
                break
            known.append(names[key])
        found[(variable, *known)] = None
    return found


def _at(state: Mapping[str, Sym], place: Place, locals: Mapping[str, Sym]) -> Sym | None:
    """What stands at a place; where its keys are not known, all that could."""
    value = state.get(place[0])
    for name in place[1:]:
        key = locals.get(name)
        if not isinstance(value, SymbolicMap) or not isinstance(key, Term) or key.op != "int":
            break
        inner = value.values.get(key.value)
        if inner is None:
            break
        value = inner
    return value
