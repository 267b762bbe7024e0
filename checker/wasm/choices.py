"""Goes through all choices of parameters that the conditions allow, as nested loops.

The loops stand in the order of the parameters, so that choices come in the order in which the
evaluator lists them. A parameter that is a map is chosen key by key. Each condition is asked as
soon as what it needs is chosen, the cheaper ones first. One that can fail is asked then, too, but
if it does, that counts only where nothing else refuses the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from checker.meaning import core as c
from checker.meaning import types as y
from checker.meaning.purity import parts
from checker.play.search import LARGEST_SET, MOST_PLACES, WIDEST, too_many
from checker.syntax.node import Node, replace
from checker.wasm.code import (
    I32,
    I64,
    Code,
    Label,
    Unsupported,
    all_of,
    block,
    branch,
    branch_if,
    choose,
    const,
    drop,
    loop,
    select,
    sequence,
)
from checker.wasm.expressions import Expressions
from checker.wasm.layout import Array, Kept, Mask, Scalar
from checker.wasm.memory import each_bit, each_element, put_at, search
from checker.wasm.narrowing import Narrowing
from checker.wasm.unit import Catch, Here, Unit

Key = tuple[str, tuple[int, ...]]
"""A leaf: a parameter, or one place in a parameter that is a map."""
Innermost = Callable[[Here], Code]
CHOSEN = "[chosen]"
"""What the value of a place in a map is called until it is put there: no name of a spec."""


class Leaf(Node):
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


class Task(Node):
    """Values to choose and what they must satisfy; `maps` are the addresses of map parameters."""

    leaves: tuple[Leaf, ...]
    maps: Mapping[str, tuple[int, y.Type]]
    tests: tuple[Test, ...]


class Choices:
    """Makes tasks, and compiles their loops."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit: Unit = expressions.unit
        self.layout = expressions.unit.layout
        self.instance = expressions.unit.instance
        self.narrowing = Narrowing(expressions)

    # ---- what there is to choose

    def task(self, types: Mapping[str, y.Type], conditions: Iterable[c.Expr]) -> Task:
        """What is to be chosen for these names."""
        leaves: list[Leaf] = []
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
                needed = frozenset(self._needed(part, {n: v for n, v, _ in bound}, by_name))
                tests.append(Test(part, needed, bound, len(tests)))
        return Task(tuple(leaves), maps, tuple(tests))

    def _refuse_big(self, name: str, type: y.Type) -> None:
        while isinstance(type, y.Map):
            if (y.most_values(type.key) or 0) > MOST_PLACES:
                raise too_many(name)
            type = type.value

    def _leaves(
        self, name: str, type: y.Type, keys: tuple[int, ...], at: int | None
    ) -> Iterator[Leaf]:
        match type:
            case y.Map(_, inside):
                kept = self.layout.kept(type)
                if not isinstance(kept, Array) or at is None:
                    raise Unsupported(f"each of {y.show(type)}")
                for number in range(kept.first, kept.first + kept.count):
                    place = at + kept.stride * (number - kept.first)
                    yield from self._leaves(name, inside, (*keys, number), place)
            case y.Set(element) if (y.most_values(element) or LARGEST_SET + 1) > LARGEST_SET:
                raise too_many(name)
            case y.Bag() | y.Int(None, _) | y.Int(_, None):
                raise too_many(name)
            case _:
                yield Leaf((name, keys), type, at)

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
                self.unit.facts.of(e).names & set(maps) and self._is_narrow(binders)
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

    def _is_narrow(self, binders: Sequence[c.Binder]) -> bool:
        width = 1
        for binder in binders:
            if binder.low is not None or isinstance(binder.type, y.Set):
                return False
            width *= len(self.instance.order(binder.type))
        return width <= WIDEST

    def _needed(
        self, node: Any, bound: Mapping[str, int], by_name: Mapping[str, frozenset[Key]]
    ) -> Iterator[Key]:
        """The leaves that an expression looks at."""
        if isinstance(node, c.Lookup) and not isinstance(node.type, y.Map):
            key = self._place(node, bound, by_name)
            if key is not None:
                yield key
                return
        if isinstance(node, c.Local):
            yield from by_name.get(node.name, ())
        for part in parts(node):
            yield from self._needed(part, bound, by_name)

    def _place(
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

    # ---- the loops

    def run(self, task: Task, here: Here, innermost: Innermost) -> Code:
        """The loops, and in the middle of them what `innermost` says."""
        for name, (at, type) in task.maps.items():
            here = here.bind(name, const(at), type)
        return _Loops(self, innermost).level(task.leaves, task.tests, frozenset(), here)

    def chosen(
        self, place: Code, first: int, type: y.Type, here: Here, body: Callable[[Code], Code]
    ) -> Code:
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

    def mask(self, leaf: Leaf, tests: Sequence[Test], here: Here) -> Code | None:
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
                    self._place(node, bound, by_name) == leaf.key
                )
                return c.Local(node.span, node.type, CHOSEN) if is_leaf else None

            name = leaf.key[0] if leaf.at is None else CHOSEN
            condition = test.condition if leaf.at is None else rebuilt(test.condition, change)
            found = self.narrowing.allowed(condition, name, leaf.type, within(test, here))
            if found is None:
                return None
            bits = found & bits
        return bits

    def ask(self, test: Test, here: Here) -> Code:
        """A condition as a truth, failing where it fails."""
        return self.expressions.value(test.condition, within(test, here))


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A tree with some of its nodes changed, those for which `change` gives others."""
    new = change(node)
    if new is not None:
        return new
    changes = {}
    for field in node._fields:
        value = getattr(node, field)
        if isinstance(value, c.Core):
            changes[field] = rebuilt(value, change)
        elif isinstance(value, tuple) and any(isinstance(each, c.Core) for each in value):
            changes[field] = tuple(rebuilt(each, change) for each in value)
    return replace(node, **changes) if changes else node


def within(test: Test, here: Here) -> Here:
    """The place with the names that are bound around a condition."""
    for name, number, type in test.bound:
        here = here.bind(name, const(number), type)
    return here


class _Loops:
    """The loops of one task; `errors` says for each condition that can fail whether it did."""

    def __init__(self, choices: Choices, innermost: Innermost) -> None:
        self.choices = choices
        self.expressions = choices.expressions
        self.unit = choices.unit
        self.innermost = innermost
        self.errors: dict[int, tuple[Any, Test]] = {}

    def level(
        self, leaves: Sequence[Leaf], tests: Sequence[Test], bound: frozenset[Key], here: Here
    ) -> Code:
        """Asks what can be asked now, and goes on with the next leaf."""
        ready = [test for test in tests if test.leaves <= bound]
        left = [test for test in tests if not test.leaves <= bound]
        ready.sort(key=lambda test: self.unit.facts.of(test.condition).weight)
        asked = [self.asked(test, here) for test in ready]
        if any(code.known == 0 for code in asked):
            return sequence()
        if leaves:
            inside = self.loop(leaves[0], leaves[1:], left, bound, here)
        else:
            failing = [
                choose(error.value, drop(self.choices.ask(test, here)))
                for _, (error, test) in sorted(self.errors.items())
            ]
            inside = sequence(*failing, self.innermost(here))
        return choose(all_of(asked), inside)

    def asked(self, test: Test, here: Here) -> Code:
        """A condition as a truth; where it fails, that is remembered, and it counts as true."""
        catch = Catch()
        code = self.choices.ask(test, here.catching(catch))
        if not catch.used:
            return code
        error = here.function.local(I32)
        self.errors[test.order] = (error, test)
        code = self.tolerant(test.condition, within(test, here), error)
        return sequence(error.set(0), code)

    def tolerant(self, e: c.Expr, here: Here, error: Any) -> Code:
        """Whether a condition is not false, taken apart as the evaluator does it."""
        match e:
            case c.Binary(operator="and", left=left, right=right):
                return all_of((self.tolerant(left, here, error), self.tolerant(right, here, error)))
            case c.Quantify(kind="all", binders=binders, where=where, body=body, span=span) if (
                self.choices._is_narrow(binders)
            ):
                if where is not None:
                    body = c.Binary(span, y.BOOL, "implies", where, body)
                each = self.expressions.domains.each

                def walk(found: Callable[[], Code]) -> Code:
                    return each(binders, None, here, lambda inside: choose(
                        ~self.tolerant(body, inside, error), found()))  # fmt: skip

                return ~search(self.unit, here, walk)
        holds = here.function.local(I32)
        attempt = self.unit.guarded(
            here,
            lambda inside: holds.set(self.expressions.value(e, inside)),
            sequence(error.set(1), holds.set(1)),
        )
        return sequence(attempt, holds.value)

    def loop(
        self, leaf: Leaf, rest: Sequence[Leaf], tests: Sequence[Test], bound: frozenset[Key],
        here: Here,
    ) -> Code:  # fmt: skip
        """Runs the inner loops for each value of a leaf."""
        name = leaf.key[0]
        now = bound | {leaf.key}

        def body(inside: Here, left: Sequence[Test]) -> Code:
            if leaf.at is None:
                return self.level(rest, left, now, inside)
            value, _ = inside.env[CHOSEN]
            kept = self.choices.layout.kept(leaf.type)
            put = put_at(kept, value, const(leaf.at))
            return sequence(put, self.level(rest, left, now, here))

        bound_name = name if leaf.at is None else CHOSEN
        if leaf.at is None and not any(
            self.names_it(test, leaf) for test in tests if test.leaves <= now
        ):
            narrowed = self.narrowed(leaf, tests, now, here, body)
            if narrowed is not None:
                return narrowed
        for test in tests:
            if leaf.key in test.leaves and test.leaves <= now:
                left = [each for each in tests if each is not test]
                source = self.source(test, leaf, bound_name, here, left, body)
                if source is not None:
                    return source
        domains = self.expressions.domains
        return domains.all_of(bound_name, leaf.type, here, lambda inside: body(inside, tests))

    def narrowed(
        self, leaf: Leaf, tests: Sequence[Test], now: frozenset[Key], here: Here,
        body: Callable[[Here, Sequence[Test]], Code],
    ) -> Code | None:  # fmt: skip
        """A loop over the values of a leaf that conditions leave, where bits say which."""
        name, narrowing = leaf.key[0], self.choices.narrowing
        is_set = isinstance(leaf.type, y.Set)
        masks: list[Code] = []
        left: list[Test] = []
        for test in tests:
            mask = None
            if leaf.key in test.leaves and test.leaves <= now and not self.names_it(test, leaf):
                find = narrowing.elements if is_set else narrowing.allowed
                mask = find(test.condition, name, leaf.type, within(test, here))
            if mask is None:
                left.append(test)
            else:
                masks.append(mask)
        if not masks:
            return None
        layout = self.choices.layout
        if not isinstance(leaf.type, y.Set):
            size = narrowing.size(leaf.type)
            assert size is not None
            first, count = size
            bits = const((1 << count) - 1, I64)
            for mask in masks:
                bits = mask & bits
            return each_bit(self.unit, here, bits, 0, lambda number: self.choices.chosen(
                number, first, leaf.type, here, lambda value: body(
                    here.bind(name, value, leaf.type), left)))  # fmt: skip
        first, count = layout.universe(leaf.type.element)
        kept = layout.kept(leaf.type)
        assert isinstance(kept, Mask)
        bits = const(((1 << count) - 1) << (first - kept.base), I64)
        for mask in masks:
            bits = mask & bits
        if count > LARGEST_SET:
            raise too_many(name)
        return self.subsets(bits, here, lambda held: body(here.bind(name, held, leaf.type), left))

    def names_it(self, test: Test, leaf: Leaf) -> bool:
        """Whether a condition names the one value that is left."""
        e = test.condition
        return (
            isinstance(e, c.Binary)
            and e.operator == "equal"
            and any(self.is_leaf(side, leaf, test) for side in (e.left, e.right))
        )

    def subsets(self, bits: Code, here: Here, body: Callable[[Code], Code]) -> Code:
        """A loop over the subsets of a set, counting in binary."""
        whole, part = here.function.local(I64), here.function.local(I64)
        again, out = Label(), Label()
        self.unit.loops += 1
        return sequence(
            whole.set(bits),
            part.set(0),
            block(out, loop(again, sequence(
                self.unit.tick(),
                body(part.value),
                branch_if(out, part.value.eq(whole.value)),
                part.set((part.value - whole.value) & whole.value),
                branch(again),
            ))),
        )  # fmt: skip

    def source(
        self, test: Test, leaf: Leaf, name: str, here: Here, left: Sequence[Test],
        body: Callable[[Here, Sequence[Test]], Code],
    ) -> Code | None:  # fmt: skip
        """The values of a leaf that a condition leaves, where it names them: one that is equal to
        something, or the elements of something."""
        match test.condition:
            case c.Binary(operator="equal", left=one, right=other):
                for mine, theirs in ((one, other), (other, one)):
                    if self.is_leaf(mine, leaf, test):
                        return self.equal(theirs, test, leaf, name, here, left, body)
            case c.Binary(operator="member" | "bag_member", left=one, right=other):
                if self.is_leaf(one, leaf, test):
                    return self.member(other, test, leaf, name, here, left, body)
        return None

    def is_leaf(self, e: c.Expr, leaf: Leaf, test: Test) -> bool:
        if leaf.at is None:
            return isinstance(e, c.Local) and e.name == leaf.key[0]
        bound = {name: number for name, number, _ in test.bound}
        by_name = {leaf.key[0]: frozenset((leaf.key,))}
        return isinstance(e, c.Lookup) and self.choices._place(e, bound, by_name) == leaf.key

    def _apart(self, e: c.Expr, test: Test, leaf: Leaf, here: Here) -> Code | None:
        """The value of an expression that does not need the leaf and cannot fail."""
        bound = {name: number for name, number, _ in test.bound}
        by_name = {leaf.key[0]: frozenset((leaf.key,))}
        if any(True for _ in self.choices._needed(e, bound, by_name)):
            return None
        catch = Catch()
        code = self.expressions.value(e, within(test, here).catching(catch))
        return None if catch.used else code

    def equal(
        self, e: c.Expr, test: Test, leaf: Leaf, name: str, here: Here, left: Sequence[Test],
        body: Callable[[Here, Sequence[Test]], Code],
    ) -> Code | None:  # fmt: skip
        kept = self.choices.layout.kept(e.type)
        plain = not isinstance(e.type, y.Option) or isinstance(leaf.type, y.Option)
        if not isinstance(kept, Scalar) or not plain:
            return None
        code = self._apart(e, test, leaf, here)
        if code is None:
            return None
        keep, held = here.hold(code)
        checks = self.expressions.checks
        leaves = checks.leaves(held, e.type, leaf.type, here)
        convert, value = here.hold(checks.convert(held, e.type, leaf.type, here))
        inside = sequence(convert, body(here.bind(name, value, leaf.type), left))
        return sequence(keep, choose(~leaves, inside))

    def member(
        self, e: c.Expr, test: Test, leaf: Leaf, name: str, here: Here, left: Sequence[Test],
        body: Callable[[Here, Sequence[Test]], Code],
    ) -> Code | None:  # fmt: skip
        assert isinstance(e.type, y.Set | y.Bag)
        kept: Kept = self.choices.layout.kept(e.type)
        element = e.type.element
        if isinstance(element, y.Never) or isinstance(leaf.type, y.Option | y.Set):
            return None
        code = self._apart(e, test, leaf, here)
        if code is None:
            return None
        keep, held = here.hold(code)
        checks = self.expressions.checks

        def each(number: Code) -> Code:
            leaves = checks.leaves(number, element, leaf.type, here)
            return choose(~leaves, body(here.bind(name, number, leaf.type), left))

        return sequence(keep, each_element(self.unit, here, kept, held, each))
