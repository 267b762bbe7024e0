"""What there is to choose for an event, and the conditions on it, each by itself.

A parameter that is a map is chosen key by key. A requirement is taken apart as the evaluator takes
it apart, so that each part can be asked as soon as what it needs is chosen. Which values some
conditions leave of a parameter is said here, too; the loops are in `choice_loops`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import parts, rebuilt
from rulewright.play.semantics.constraint_search import LARGEST_SET, MOST_PLACES, WIDEST, too_many
from rulewright.syntax.node import Node
from rulewright.wasm.assembler.instructions import (
    I64,
    Instruction,
    Unsupported,
    const,
    select,
    sequence,
)
from rulewright.wasm.codegen.compilation_unit import CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import Scalar, ValueArray, register
from rulewright.wasm.codegen.expressions import ExpressionCompiler

Key = tuple[str, tuple[int, ...]]
"""A leaf: a parameter, or one place in a parameter that is a map."""
Innermost = Callable[[CodeContext], Instruction]
Last = Callable[[CodeContext, "ChoiceLeaf", Instruction, bool], "Instruction | None"]
"""What to do with all values of the last leaf at once, given as bits, of which there may be said to
be one at most; None if nothing can be done with them at once."""
CHOSEN = "[chosen]"
"""What the value of a place in a map is called until it is put there: no name of a spec."""


class ChoiceLeaf(Node):
    """Something to be chosen; `at` is where it is kept if it is a place in a map."""

    key: Key
    type: y.Type
    at: int | None


class Test(Node):
    """A condition, the leaves it needs, and the values of names bound around it."""

    condition: c.Expr
    leaves: frozenset[Key]
    bound: tuple[tuple[str, int, y.Type], ...]
    order: int


class ChoiceTask(Node):
    """Values to choose and what they must satisfy; `maps` are the addresses of map parameters."""

    leaves: tuple[ChoiceLeaf, ...]
    maps: Mapping[str, tuple[int, y.Type]]
    tests: tuple[Test, ...]


class Choices:
    """Makes tasks, and compiles their loops."""

    def __init__(self, expressions: ExpressionCompiler) -> None:
        self.expressions = expressions
        self.unit: CompilationUnit = expressions.unit
        self.layout = expressions.unit.layout
        self.instance = expressions.unit.instance
        self.narrowing = expressions.pruning

    # ---- what there is to choose

    def task(self, types: Mapping[str, y.Type], conditions: Iterable[c.Expr]) -> ChoiceTask:
        """What is to be chosen for these names."""
        leaves: list[ChoiceLeaf] = []
        maps: dict[str, tuple[int, y.Type]] = {}
        for name, type in types.items():
            at = None
            if isinstance(type, y.Map):
                self._refuse_big(name, type)
                at = self.unit.reserve(self.layout.kept(type).size)
                maps[name] = (at, type)
            leaves += self._leaves(name, type, (), at)
            if len(leaves) > MOST_PLACES:
                raise too_many(next(iter(types)))
        by_name: dict[str, frozenset[Key]] = {
            name: frozenset(leaf.key for leaf in leaves if leaf.key[0] == name) for name in types
        }
        tests: list[Test] = []
        for condition in conditions:
            for part, bound in self._parts(condition, (), maps):
                needed = frozenset(self.needed(part, {n: v for n, v, _ in bound}, by_name))
                tests.append(Test(part, needed, bound, len(tests)))
        return ChoiceTask(tuple(leaves), maps, tuple(tests))

    def _refuse_big(self, name: str, type: y.Type) -> None:
        while isinstance(type, y.Map):
            if (y.most_values(type.key) or 0) > MOST_PLACES:
                raise too_many(name)
            type = type.value

    def _leaves(
        self, name: str, type: y.Type, keys: tuple[int, ...], at: int | None
    ) -> Iterator[ChoiceLeaf]:
        match type:
            case y.Map(_, inside):
                kept = self.layout.kept(type)
                if not isinstance(kept, ValueArray) or at is None:
                    raise Unsupported(f"each of {y.show(type)}")
                for number in range(kept.first, kept.first + kept.count):
                    place = at + kept.stride * (number - kept.first)
                    yield from self._leaves(name, inside, (*keys, number), place)
            case y.Set(element) if (y.most_values(element) or LARGEST_SET + 1) > LARGEST_SET:
                raise too_many(name)
            case y.Bag() | y.Int(None, _) | y.Int(_, None):
                raise too_many(name)
            case _:
                yield ChoiceLeaf((name, keys), type, at)

    def _parts(
        self, e: c.Expr, bound: tuple[tuple[str, int, y.Type], ...], maps: Mapping[str, Any]
    ) -> Iterator[tuple[c.Expr, tuple[tuple[str, int, y.Type], ...]]]:
        """`a and b` is two conditions; `all x: T: c` one for each x, if it is about a map that is
        chosen key by key."""
        match e:
            case c.Binary(operator="and", left=left, right=right):
                yield from self._parts(left, bound, maps)
                yield from self._parts(right, bound, maps)
            case c.Quantify(kind="all", binders=binders, where=where, body=body, span=span) if (
                self.unit.facts.of(e).names & set(maps) and self.is_narrow(binders)
            ):
                if where is not None:
                    body = c.Binary(span, y.BOOL, "implies", where, body)
                yield from self._unrolled(binders, body, bound, maps)
            case _:
                yield e, bound

    def _unrolled(
        self, binders: Sequence[c.Binder], body: c.Expr,
        bound: tuple[tuple[str, int, y.Type], ...], maps: Mapping[str, Any],
    ) -> Iterator[tuple[c.Expr, tuple[tuple[str, int, y.Type], ...]]]:  # fmt: skip
        if not binders:
            yield from self._parts(body, bound, maps)
            return
        first, *rest = binders
        for value in self.instance.order(first.type):
            number = self.layout.number(value, first.type)
            yield from self._unrolled(rest, body, (*bound, (first.name, number, first.type)), maps)

    def is_narrow(self, binders: Sequence[c.Binder]) -> bool:
        width = 1
        for binder in binders:
            if binder.low is not None or isinstance(binder.type, y.Set):
                return False
            width *= len(self.instance.order(binder.type))
        return width <= WIDEST

    def needed(
        self, node: Any, bound: Mapping[str, int], by_name: Mapping[str, frozenset[Key]]
    ) -> Iterator[Key]:
        """The leaves that an expression looks at."""
        if isinstance(node, c.Lookup) and not isinstance(node.type, y.Map):
            key = self.place(node, bound, by_name)
            if key is not None:
                yield key
                return
        if isinstance(node, c.Local):
            yield from by_name.get(node.name, ())
        for part in parts(node):
            yield from self.needed(part, bound, by_name)

    def place(
        self, node: c.Expr, bound: Mapping[str, int], by_name: Mapping[str, frozenset[Key]]
    ) -> Key | None:
        """The leaf that a lookup with known keys stands for."""
        keys: list[int] = []
        while isinstance(node, c.Lookup):
            match node.key:
                case c.Literal(value=value, type=type) if value is not None:
                    keys.insert(0, self.layout.number(value, type))
                case c.Local(name=name) if name in bound:
                    keys.insert(0, bound[name])
                case _:
                    return None
            node = node.map
        if not isinstance(node, c.Local):
            return None
        key = (node.name, tuple(keys))
        return key if key in by_name.get(node.name, ()) else None

    # ---- what conditions leave

    def chosen(
        self,
        place: Instruction,
        first: int,
        type: y.Type,
        here: CodeContext,
        body: Callable[[Instruction], Instruction],
    ) -> Instruction:
        """Runs the body with the value that has a place among those of a type; of an optional,
        `none` is the first."""
        value = place + first
        if isinstance(type, y.Option):
            kept = self.layout.kept(type)
            assert isinstance(kept, Scalar) and kept.none is not None
            if kept.none != first:
                value = select(place.eq(0), const(kept.none), value)
        keep, held = here.hold(value)
        return sequence(keep, body(held))

    def mask(
        self, leaf: ChoiceLeaf, tests: Sequence[Test], here: CodeContext
    ) -> Instruction | None:
        """The values of a leaf that some conditions leave, as bits; None if it cannot be said."""
        size = self.narrowing.size(leaf.type)
        if size is None:
            return None
        bits = const((1 << size[1]) - 1, I64)
        for test in tests:
            bound = {name: number for name, number, _ in test.bound}
            by_name = {leaf.key[0]: frozenset((leaf.key,))}

            def change(
                node: Any, bound: Mapping[str, int] = bound,
                by_name: Mapping[str, frozenset[Key]] = by_name,
            ) -> Any:  # fmt: skip
                is_leaf = isinstance(node, c.Lookup) and (
                    self.place(node, bound, by_name) == leaf.key
                )
                return c.Local(node.span, node.type, CHOSEN) if is_leaf else None

            name = leaf.key[0] if leaf.at is None else CHOSEN
            condition = test.condition if leaf.at is None else rebuilt(test.condition, change)
            found = self.narrowing.allowed(condition, name, leaf.type, within(test, here))
            if found is None:
                return None
            bits = found & bits
        return bits

    def register(self, type: y.Type) -> str:
        """Where a value of a leaf is while it is worked with."""
        return register(self.layout.kept(type))

    def ask(self, test: Test, here: CodeContext) -> Instruction:
        """A condition as a truth, failing where it fails."""
        return self.expressions.value(test.condition, within(test, here))


def within(test: Test, here: CodeContext) -> CodeContext:
    """The place with the names that are bound around a condition."""
    for name, number, type in test.bound:
        here = here.bind(name, const(number), type)
    return here
