"""What there is to choose for a move or chance event, and the conditions on it, each by itself.

A parameter that is a map is chosen key by key. A requirement is taken apart as far as that makes
no difference, so that each part can be asked as soon as what it needs has been chosen. One that
can fail stays whole: whether it does may depend on what another refuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from checker.meaning import core as c
from checker.meaning import types as y
from checker.play.compile.code import Code, Here
from checker.play.compile.expressions import Expressions
from checker.play.compile.rewrite import rebuilt
from checker.play.errors import UsageError
from checker.syntax.node import NOWHERE, Node

MOST_LEAVES = 256
LARGEST_SET = 16
"""Elements; sets of more are not gone through."""


class Leaf(Node):
    """Something to be chosen: a plain parameter, or the value of a map at one key."""

    name: str
    type: y.Type


class Test(Node):
    """A condition, its place among all of them, and the leaves it needs."""

    condition: c.Expr
    order: int
    leaves: frozenset[str]
    fails: bool
    source: c.Core


class Task(Node):
    """Values to choose, and what they must satisfy. `maps` are the parameters that are put
    together from leaves."""

    leaves: tuple[Leaf, ...]
    maps: Mapping[str, tuple[y.Map, tuple[str, ...]]]
    tests: tuple[Test, ...]


def too_many(name: str) -> UsageError:
    return UsageError(
        f"`{name}` has too many possible values to go through",
        "give the move a `propose` line, or the variable an initial value",
    )


class Conditions:
    """Takes requirements apart."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self.layout = expressions.unit.layout
        self.facts = expressions.unit.facts

    def task(
        self, types: Mapping[str, y.Type], requirements: Sequence[c.Requirement], here: Here
    ) -> Task:
        """What is to be chosen for these names, `here` knowing all others."""
        leaves: list[Leaf] = []
        maps: dict[str, tuple[y.Map, tuple[str, ...]]] = {}
        for name, type in types.items():
            found = list(self._leaves(name, type))
            leaves += found
            if isinstance(type, y.Map):
                maps[name] = (type, tuple(each.name for each in found))
        if len(leaves) > MOST_LEAVES:
            raise too_many(next(iter(types)))
        tests: list[Test] = []
        for requirement in requirements:
            for condition, fails in self._parts(requirement, types, here):
                names = self._needed(condition, leaves, maps)
                tests.append(Test(condition, len(tests), names, fails, requirement))
        return Task(tuple(leaves), maps, tuple(tests))

    def _parts(
        self, requirement: c.Requirement, types: Mapping[str, y.Type], here: Here
    ) -> Iterable[tuple[c.Expr, bool]]:
        trial = here.trial()
        for name in types:
            trial = trial.bind(name, Code(trial.names.fresh()))
        truth = self.expressions.truth(requirement.condition, trial)
        if trial.names.fails or truth.fails:
            return [(requirement.condition, True)]
        expanded = self.unit.rewriter.expanded(requirement.condition)
        parts = self.unit.rewriter.conjuncts(expanded)
        return [(self._by_leaf(part, types), False) for part in parts]

    def _leaves(self, name: str, type: y.Type) -> Iterable[Leaf]:
        match type:
            case y.Map(key, inside):
                if (self.layout.size(key) or MOST_LEAVES + 1) > MOST_LEAVES:
                    raise too_many(name)
                for value in self.layout.values(key):
                    shown = self.layout.decode(value, key)
                    yield from self._leaves(f"{name}[{shown}]", inside)
            case y.Set(element) if (self.layout.size(element) or LARGEST_SET + 1) > LARGEST_SET:
                raise too_many(name)
            case y.Set(element) if not self.layout.is_bits(element):
                raise too_many(name)
            case y.Bag() | y.Int(None, _) | y.Int(_, None):
                raise too_many(name)
            case _:
                yield Leaf(name, type)

    def _by_leaf(self, condition: c.Expr, types: Mapping[str, y.Type]) -> c.Expr:
        """The condition with `m[key]` as a name of its own, where the key is written."""

        def change(node: Any) -> Any:
            if not isinstance(node, c.Lookup) or isinstance(node.type, y.Map):
                return None
            keys: list[y.Value] = []
            inner: c.Expr = node
            while isinstance(inner, c.Lookup):
                if not isinstance(inner.key, c.Literal):
                    return None
                keys.insert(0, inner.key.value)
                inner = inner.map
            if not isinstance(inner, c.Local) or not isinstance(types.get(inner.name), y.Map):
                return None
            name = inner.name + "".join(f"[{key}]" for key in keys)
            return c.Local(node.span, node.type, name)

        return rebuilt(condition, change)  # type: ignore[no-any-return]

    def _needed(
        self,
        condition: c.Expr,
        leaves: Sequence[Leaf],
        maps: Mapping[str, tuple[y.Map, tuple[str, ...]]],
    ) -> frozenset[str]:
        names = self.facts.of(condition).names
        found = {leaf.name for leaf in leaves} & names
        for name, (_, parts) in maps.items():
            if name in names:
                found |= set(parts)
        return frozenset(found)


def local(leaf: Leaf) -> c.Local:
    """A leaf as an expression."""
    return c.Local(NOWHERE, leaf.type, leaf.name)
