"""What a condition leaves of the values of a parameter, as bits, before any is tried.

A condition that says what a value is in, or not in; one that tables alone decide; one that compares
what tables say with something known: all come to a set of allowed values, looked up or worked out
once. Of a parameter that is a set, a condition on each of its elements leaves the elements that it
may have. Conditions that can fail are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.wasm.analysis.bit_quantifiers import OneBit, asked_of_each, one_bit, shifted
from rulewright.wasm.assembler.instructions import (
    I64,
    Instruction,
    Unsupported,
    choose,
    const,
    narrow,
    select,
    sequence,
    unary,
    wide,
)
from rulewright.wasm.assembler.memory_instructions import load
from rulewright.wasm.codegen.compilation_unit import Catch, CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import MASK, Mask, Scalar

if TYPE_CHECKING:
    from rulewright.wasm.codegen.expressions import ExpressionCompiler

MOST_EVALUATIONS = 1500
"""Values of a condition that are worked out beforehand for a table."""
MOST_WORK = 1 << 18
"""Nodes that the evaluator may look at for that."""
MOST_ENTRIES = 1 << 13


class DomainPruning:
    """Compiles what conditions leave."""

    def __init__(self, expressions: ExpressionCompiler) -> None:
        self.expressions = expressions
        self.unit: CompilationUnit = expressions.unit
        self.layout = expressions.unit.layout
        self.instance = expressions.unit.instance

    # ---- plain parameters

    def size(self, type: y.Type) -> tuple[int, int] | None:
        """The first value of a parameter's type and how many there are, if bits can say which. Of
        an optional `none` comes first, one before the others."""
        if isinstance(type, y.Option):
            inside = self.size(type.inner)
            return None if inside is None else (inside[0] - 1, inside[1] + 1)
        if isinstance(type, y.Set | y.Map | y.Bag):
            return None
        try:
            first, count = self.layout.universe(type)
        except Unsupported:
            return None
        return (first, count) if count < MASK else None

    def allowed(self, e: c.Expr, name: str, type: y.Type, here: CodeContext) -> Instruction | None:
        """The values of a name for which a condition holds, the lowest bit being the first; None
        if that cannot be said beforehand."""
        if self.size(type) is None:
            return None
        if name not in self._names(e):
            truth = self._sure(e, here)
            return None if truth is None else const(0, I64) - wide(truth)
        if not self._looks_at_state(e):
            found = self._table(e, None, name, type, here)
            if found is not None:
                return found
        match e:
            case c.Unary(operator="not", operand=inside):
                outside = self.allowed(inside, name, type, here)
                return None if outside is None else outside ^ -1
            case c.Binary():
                return self._operator(e, name, type, here)
            case c.Quantify(kind="all" | "some", binders=(binder,)):
                return self._quantified(e, binder, name, type, here)
            case _:
                return None

    def _operator(
        self, e: c.Binary, name: str, type: y.Type, here: CodeContext
    ) -> Instruction | None:
        match e.operator:
            case "and" | "or" | "implies":
                return self._joined(e, e.operator, name, type, here)
            case "equal" | "unequal":
                same = self._equal(e, name, type, here)
                return same if same is None or e.operator == "equal" else same ^ -1
            case "member":
                return self._inside(e, name, type, here)
            case "less" | "less_equal" | "greater" | "greater_equal":
                return self._ordered(e, name, type, here)
            case _:
                return None

    def _joined(
        self, e: c.Binary, operator: str, name: str, type: y.Type, here: CodeContext
    ) -> Instruction | None:
        left = self.allowed(e.left, name, type, here)
        right = None if left is None else self.allowed(e.right, name, type, here)
        if left is None or right is None:
            return None
        if operator == "and":
            return left & right
        return (left if operator == "or" else left ^ -1) | right

    def _equal(self, e: c.Binary, name: str, type: y.Type, here: CodeContext) -> Instruction | None:
        if isinstance(e.left.type, y.Bool) and isinstance(e.right.type, y.Bool):
            differ = self._joined_bits(e, name, type, here)
            return None if differ is None else differ ^ -1
        for mine, theirs in ((e.left, e.right), (e.right, e.left)):
            if (
                name in self._names(mine)
                and name not in self._names(theirs)
                and not self._looks_at_state(mine)
            ):
                return self._table(mine, theirs, name, type, here)
        return None

    def _joined_bits(
        self, e: c.Binary, name: str, type: y.Type, here: CodeContext
    ) -> Instruction | None:
        """The values for which two conditions differ."""
        left = self.allowed(e.left, name, type, here)
        right = None if left is None else self.allowed(e.right, name, type, here)
        return None if left is None or right is None else left ^ right

    def _ordered(
        self, e: c.Binary, name: str, type: y.Type, here: CodeContext
    ) -> Instruction | None:
        """Values less or greater than something."""
        operator, other = e.operator, e.right
        if not (isinstance(e.left, c.Local) and e.left.name == name):
            if not (isinstance(e.right, c.Local) and e.right.name == name):
                return None
            other = e.left
            operator = {"less": "greater", "greater": "less", "less_equal": "greater_equal",
                        "greater_equal": "less_equal"}[operator]  # fmt: skip
        if name in self._names(other) or isinstance(type, y.Option):
            return None
        limit = self._sure(other, here)
        return None if limit is None else self._compared_to(operator, wide(limit), type, here)

    def _compared_to(
        self, operator: str, limit: Instruction, type: y.Type, here: CodeContext
    ) -> Instruction:
        """The values that are less or greater than a number, as i64."""
        size = self.size(type)
        assert size is not None
        first, count = size
        above = operator in ("less_equal", "greater")
        keep, place = here.hold(limit - (first - (1 if above else 0)))
        low = choose(place.lt(0), const(0, I64), choose(
            place.gt(count), const(-1, I64), (const(1, I64) << place) - 1))  # fmt: skip
        below = sequence(keep, low)
        return below if operator in ("less", "less_equal") else below ^ -1

    def _quantified(
        self, e: c.Quantify, binder: c.Binder, name: str, type: y.Type, here: CodeContext
    ) -> Instruction | None:
        """Over all values of a type; over the value of an optional; or that a value comes after all
        elements of a set."""
        if binder.low is None:
            return self.expressions.bits.unrolled(e, name, type, here)
        if binder.high is not None or name in self._names(binder.low):
            return None
        body = asked_of_each(e)
        kept = self.layout.kept(binder.low.type)
        drawn = self._sure(binder.low, here)
        if drawn is None:
            return None
        if isinstance(binder.low.type, y.Option):
            assert isinstance(kept, Scalar) and kept.none is not None
            keep, held = here.hold(drawn)
            inner = here.bind(binder.name, held, binder.low.type.inner)
            inside = self.allowed(body, name, type, inner)
            if inside is None:
                return None
            nothing = const(-1 if e.kind == "all" else 0, I64)
            found = sequence(keep, choose(held.eq(kept.none), nothing, inside))
            is_single = isinstance(inside, OneBit) and e.kind == "some"
            return one_bit(found) if is_single else found
        if e.kind == "all" and isinstance(kept, Mask) and self._comes_after(body, binder, name):
            return self._after_all(drawn, kept, type, here)
        return None

    def _after_all(
        self, drawn: Instruction, kept: Mask, type: y.Type, here: CodeContext
    ) -> Instruction:
        """The values that come after all elements of a set."""
        keep, held = here.hold(drawn)
        size = self.size(type)
        assert size is not None
        shift = size[0] - kept.base
        if shift < 0 or shift + size[1] > MASK:
            highest = const(63 + kept.base, I64) - unary("clz", held)
            after = self._compared_to("greater", highest, type, here)
            return sequence(keep, choose(held.eq(0), const(-1, I64), after))
        after = const(-2, I64) << (const(63, I64) - unary("clz", held))
        return sequence(keep, select(held.eq(0), const(-1, I64), after) >> shift)

    def _comes_after(self, e: c.Expr, binder: c.Binder, name: str) -> bool:
        """Whether a condition says that an element is less than the name."""
        if not isinstance(e, c.Binary) or e.operator not in ("less", "greater"):
            return False
        low, high = (e.left, e.right) if e.operator == "less" else (e.right, e.left)
        return (
            isinstance(low, c.Local) and low.name == binder.name
            and isinstance(high, c.Local) and high.name == name
        )  # fmt: skip

    def _names(self, e: c.Expr | c.Binder) -> frozenset[str]:
        return self.unit.facts.of(e).names

    def _looks_at_state(self, e: c.Expr) -> bool:
        return self.unit.facts.of(e).state

    def _inside(
        self, e: c.Binary, name: str, type: y.Type, here: CodeContext
    ) -> Instruction | None:
        """The elements of a set that a name is said to be in."""
        if not (isinstance(e.left, c.Local) and e.left.name == name):
            return None
        size, kept = self.size(type), self.layout.kept(e.right.type)
        if name in self._names(e.right) or not isinstance(kept, Mask) or size is None:
            return None
        bits = None if isinstance(type, y.Option) else self._sure(e.right, here)
        if bits is None:
            return None
        return shifted(bits, kept.base - size[0])

    def _sure(self, e: c.Expr, here: CodeContext) -> Instruction | None:
        """The value of an expression that cannot fail."""
        catch = Catch()
        code = self.expressions.value(e, here.catching(catch))
        return None if catch.used else code

    # ---- tables

    def _table(
        self, e: c.Expr, other: c.Expr | None, name: str, type: y.Type, here: CodeContext
    ) -> Instruction | None:
        """The values of a name for which an expression that only tables decide holds, or equals
        another one."""
        names = sorted(self._names(e) - {name})
        domains = []
        for each in names:
            if each not in here.env:
                return None
            size = self.size(here.env[each][1])
            if size is None or isinstance(here.env[each][1], y.Option):
                return None
            domains.append((each, *size))
        entries = 1
        for _, _, count in domains:
            entries *= count
        whole = self.size(type)
        assert whole is not None
        if entries * max(whole[1], 1) > MOST_EVALUATIONS:
            return None
        rows = self._evaluated(e, name, type, [(each, here.env[each][1]) for each in names])
        if rows is None:
            return None
        row: Instruction = const(0)
        for each, low, many in domains:
            row = row * many + (narrow(here.env[each][0]) - low)
        if other is None:
            return self._looked_up(
                [sum(1 << n for n, value in enumerate(each) if value) for each in rows], row
            )
        joined = y.join(e.type, other.type)
        if joined is None or not isinstance(self.layout.kept(joined), Scalar):
            return None
        value = self._sure(other, here)
        if value is None:
            return None
        return self._compared(rows, row, joined, value, other, here)

    def _compared(
        self,
        rows: Sequence[Sequence[Any]],
        row: Instruction,
        joined: y.Type,
        value: Instruction,
        other: c.Expr,
        here: CodeContext,
    ) -> Instruction | None:
        numbers = [[self.layout.number(each, joined) for each in values] for values in rows]
        low = min((min(each) for each in numbers if each), default=0)
        high = max((max(each) for each in numbers if each), default=0)
        width = high - low + 1
        if width * len(rows) > MOST_ENTRIES:
            return None
        content = [
            sum(1 << n for n, number in enumerate(each) if number == low + place)
            for each in numbers
            for place in range(width)
        ]
        converted = self.expressions.checks.convert(value, other.type, joined, here)
        keep, held = here.hold(converted)
        index = row * width + (narrow(held) - low)
        found = load(I64, index * 8 + self._words(content))
        if not self._is_within(other.type, low, high):
            found = choose((held - low).below(width), found, const(0, I64))
        found = sequence(keep, found)
        return one_bit(found) if all(each & (each - 1) == 0 for each in content) else found

    def _is_within(self, type: y.Type, low: int, high: int) -> bool:
        """Whether all values of a type, as numbers, lie in a range."""
        if isinstance(type, y.Option):
            return False
        try:
            first, count = self.layout.universe(type)
        except Unsupported:
            return False
        return low <= first and first + count - 1 <= high

    def is_about(self, e: c.Expr, name: str) -> bool:
        """Whether a name stands in an expression."""
        return name in self._names(e)

    def is_foreseen(self, e: c.Expr) -> bool:
        """Whether a condition is decided by tables alone."""
        return not self._looks_at_state(e)

    def foreseen(
        self, e: c.Expr, name: str, type: y.Type, here: CodeContext, free: Mapping[str, y.Type]
    ) -> Instruction | None:
        """The values of a name for which a condition that tables alone decide can still hold,
        whatever is chosen for the free names."""
        known = sorted(self._names(e) - {name} - free.keys())
        if self._looks_at_state(e) or any(each not in here.env for each in known):
            return None
        sizes = [self.size(each) for each in (
            type, *free.values(), *(here.env[each][1] for each in known))]  # fmt: skip
        if any(isinstance(here.env[each][1], y.Option) for each in known):
            return None
        evaluations = 1
        for size in sizes:
            if size is None:
                return None
            evaluations *= size[1]
        if evaluations > MOST_EVALUATIONS:
            return None
        others = [(each, here.env[each][1]) for each in known]
        rows = self._evaluated(e, name, type, [*others, *free.items()])
        if rows is None:
            return None
        ways = len(rows)
        row: Instruction = const(0)
        for each in known:
            size = self.size(here.env[each][1])
            assert size is not None
            row = row * size[1] + (narrow(here.env[each][0]) - size[0])
            ways //= size[1]
        content = [
            sum(1 << n for n, column in enumerate(zip(*rows[at : at + ways])) if any(column))
            for at in range(0, len(rows), ways)
        ]
        return self._looked_up(content, row)

    def _looked_up(self, content: Sequence[int], row: Instruction) -> Instruction:
        """The bits of a row of a table."""
        if len(set(content)) == 1:
            return const(content[0], I64)
        return load(I64, row * 8 + self._words(content))

    def _words(self, content: Sequence[int]) -> int:
        return self.unit.data(b"".join(each.to_bytes(8, "little") for each in content))

    def _evaluated(
        self, e: c.Expr, name: str, type: y.Type, others: Sequence[tuple[str, y.Type]]
    ) -> list[list[Any]] | None:
        """What the evaluator says for all values of the names; None where it says nothing."""
        order = list(self.instance.order(type))
        domains = [list(self.instance.order(each)) for _, each in others]
        if prod(map(len, domains)) * len(order) * self.unit.facts.of(e).work > MOST_WORK:
            return None
        rows = []
        try:
            for chosen in product(*domains):
                known = dict(zip((each for each, _ in others), chosen))
                rows.append([
                    evaluate(e, Environment(self.instance, {}, locals={**known, name: value}))
                    for value in order
                ])  # fmt: skip
        except EvaluationError:
            return None
        return rows

    # ---- parameters that are sets

    def elements(self, e: c.Expr, name: str, type: y.Type, here: CodeContext) -> Instruction | None:
        """The elements that a set may have for a condition to hold, where it is a condition on each
        of them alone; as the set is kept."""
        kept = self.layout.kept(type)
        if not isinstance(kept, Mask) or not isinstance(type, y.Set):
            return None
        if not (isinstance(e, c.Quantify) and e.kind == "all"):
            return None
        parts = list(conjuncts(e.where))
        drawn = self._drawn(e, name)
        if drawn is not None:
            return self._each_element(e, drawn, type, kept, here)
        mentions = [part for part in parts if name in self._names(part)]
        if len(mentions) != 1 or name in self._names(e.body):
            return None
        if any(name in self._names(each) for each in e.binders if each.low is not None):
            return None
        (member,) = mentions
        if not (
            isinstance(member, c.Binary)
            and member.operator == "member"
            and isinstance(member.right, c.Local)
            and member.right.name == name
            and name not in self._names(member.left)
        ):
            return None
        rest = [part for part in parts if part is not member]
        return self._without_refused(e, member.left, rest, kept, here)

    def _drawn(self, e: c.Quantify, name: str) -> c.Binder | None:
        """The first name, if it goes through the elements of the set."""
        first = e.binders[0]
        if not (isinstance(first.low, c.Local) and first.low.name == name and first.high is None):
            return None
        others = [e.body, *([e.where] if e.where is not None else []), *e.binders[1:]]
        return None if any(name in self.unit.facts.of(each).names for each in others) else first

    def _each_element(
        self, e: c.Quantify, drawn: c.Binder, type: y.Type, kept: Mask, here: CodeContext
    ) -> Instruction | None:
        assert isinstance(type, y.Set)
        bits, catch = here.function.local(I64), Catch()
        binder = c.Binder(drawn.span, drawn.name, type.element, None, None)
        rest = e.binders[1:]
        inside_where, body = e.where, e.body
        if rest:
            body = c.Quantify(e.span, y.BOOL, "all", rest, e.where, e.body)
            inside_where = None
        elif e.where is not None:
            body = c.Binary(e.span, y.BOOL, "implies", e.where, e.body)
            inside_where = None

        def each(inside: CodeContext) -> Instruction:
            number, _ = inside.env[drawn.name]
            bit = const(1, I64) << wide(number - kept.base)
            return choose(self.expressions.value(body, inside), bits.set(bits.value | bit))

        loop = self.expressions.domains.each((binder,), inside_where, here.catching(catch), each)
        return None if catch.used else sequence(bits.set(0), loop, bits.value)

    def _without_refused(
        self, e: c.Quantify, element: c.Expr, rest: Sequence[c.Expr], kept: Mask, here: CodeContext
    ) -> Instruction | None:
        """All elements but those that the condition, asked of all there is, does not hold for."""
        bits, catch = here.function.local(I64), Catch()
        where: c.Expr | None = None
        for part in rest:
            where = part if where is None else c.Binary(part.span, y.BOOL, "and", where, part)

        def each(inside: CodeContext) -> Instruction:
            value = self.expressions.value
            number = value(element, inside)
            keep, held = inside.hold(narrow(number))
            bit = const(1, I64) << wide(held - kept.base)
            known = (held - kept.base).below(64)
            drop = sequence(keep, choose(known, bits.set(bits.value & (bit ^ -1))))
            return choose(value(e.body, inside), sequence(), drop)

        loop = self.expressions.domains.each(e.binders, where, here.catching(catch), each)
        return None if catch.used else sequence(bits.set(-1), loop, bits.value)


def conjuncts(e: c.Expr | None) -> Iterator[c.Expr]:
    """The parts of a condition that all have to hold."""
    if isinstance(e, c.Binary) and e.operator == "and":
        yield from conjuncts(e.left)
        yield from conjuncts(e.right)
    elif e is not None:
        yield e
