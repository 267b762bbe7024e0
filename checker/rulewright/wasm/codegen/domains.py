"""What a bound name ranges over, as loops: nested, the last name changing fastest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    Instruction,
    Label,
    Unsupported,
    block,
    branch,
    branch_if,
    choose,
    const,
    loop,
    narrow,
    select,
    sequence,
    wide,
)
from rulewright.wasm.assembler.memory_instructions import load, store
from rulewright.wasm.assembler.module import UNCOUNTED
from rulewright.wasm.codegen.compilation_unit import CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import Mask, Scalar, in_memory
from rulewright.wasm.codegen.memory_access import counted, each_element

if TYPE_CHECKING:
    from rulewright.wasm.codegen.expressions import ExpressionCompiler

Body = Callable[[CodeContext], Instruction]
Below = Callable[[Instruction], Instruction]
"""A random number below another."""
LARGEST_SET = 20
"""Elements; the sets over more are not gone through."""


class DomainLoops:
    """Compiles the loops of quantifiers, `for` and parameters."""

    def __init__(self, expressions: ExpressionCompiler) -> None:
        self.expressions = expressions
        self.unit: CompilationUnit = expressions.unit
        self.layout = expressions.unit.layout

    def each(
        self,
        binders: Sequence[c.Binder],
        where: c.Expr | None,
        here: CodeContext,
        body: Body,
        stable: bool = False,
        down: bool = False,
    ) -> Instruction:
        """Runs the body for each choice of the names that `where` allows. With `stable`, what is
        gone through is kept aside first, for the body may change it; `down` is from the last."""
        if binders:
            first, *rest = binders
            return self.over(
                first, here, lambda inside: self.each(rest, where, inside, body, stable), stable,
                down,
            )  # fmt: skip
        if where is None:
            return body(here)
        inside = self.expressions.ranges.assuming(where, here)
        return choose(self.expressions.value(where, here), body(inside))

    def in_order(self, e: c.Quantify) -> bool:
        """Whether the least or greatest of something is the first that is found, going up or down
        its values: it is the one name itself."""
        if not isinstance(e.body, c.Local) or len(e.binders) != 1:
            return False
        (binder,) = e.binders
        return (
            e.body.name == binder.name
            and isinstance(binder.type, y.Int)
            and (binder.low is None or binder.high is not None)
        )

    def over(
        self,
        binder: c.Binder,
        here: CodeContext,
        body: Body,
        stable: bool = False,
        down: bool = False,
    ) -> Instruction:
        """Runs the body for each value of one name; `down` of numbers from the last one."""
        if binder.low is None and down:
            first, count = self.layout.universe(binder.type)
            return counted(self.unit, here, 0, count, lambda number: self._from_last(
                binder, first + count - 1, number, here, body))  # fmt: skip
        if binder.low is None:
            return self.all_of(binder.name, binder.type, here, body)
        if binder.high is not None:
            return self._range(binder, binder.low, binder.high, here, body, down)
        drawn = binder.low
        value = self.expressions.value(drawn, here)
        kept = self.layout.kept(drawn.type)
        if isinstance(drawn.type, y.Option):
            assert isinstance(kept, Scalar) and kept.none is not None
            keep, held = here.hold(value)
            inside = body(here.bind(binder.name, held, drawn.type.inner))
            return sequence(keep, choose(held.ne(kept.none), inside))
        assert isinstance(drawn.type, y.Set | y.Bag)
        if stable and in_memory(kept):
            value = self.expressions.kept_aside(value, drawn, here)
        keep, held = here.hold(value)
        element = drawn.type.element
        return sequence(
            keep,
            each_element(self.unit, here, kept, held, lambda number: body(
                here.bind(binder.name, number, element))),
        )  # fmt: skip

    def _from_last(
        self, binder: c.Binder, last: int, number: Instruction, here: CodeContext, body: Body
    ) -> Instruction:
        keep, value = here.hold(const(last) - number)
        return sequence(keep, body(here.bind(binder.name, value, binder.type)))

    def all_of(self, name: str, type: y.Type, here: CodeContext, body: Body) -> Instruction:
        """Runs the body for each value of a type, in order."""
        match type:
            case y.Option(inner):
                return self._optional(name, type, inner, here, body)
            case y.Set(element):
                return self._subsets(name, type, element, here, body)
            case _:
                first, count = self.layout.universe(type)
                return counted(self.unit, here, first, count, lambda number: body(
                    here.bind(name, number, type)))  # fmt: skip

    def in_any_order(
        self, binders: Sequence[c.Binder], where: c.Expr | None, here: CodeContext, body: Body,
        below: Below,
    ) -> Instruction:  # fmt: skip
        """Runs the body for each choice of the names that `where` allows, each name going through
        its values in an order that chance decides."""
        if not binders:
            return self.each((), where, here, body)
        first, *rest = binders

        def inside(at: CodeContext) -> Instruction:
            return self.in_any_order(rest, where, at, body, below)

        single = first.low is not None and isinstance(first.low.type, y.Option)
        if single or not isinstance(self.layout.kept(first.type), Scalar):
            return self.over(first, here, inside)
        return self._shuffled(first, here, inside, below)

    def _shuffled(
        self, binder: c.Binder, here: CodeContext, body: Body, below: Below
    ) -> Instruction:
        """The values of a name are written down, and drawn one after the other."""
        unit, function = self.unit, here.function
        kept = self.layout.kept(binder.type)
        assert isinstance(kept, Scalar)
        count, pick, value = function.local(I32), function.local(I32), function.local(kept.register)
        mark, start, again, out = function.local(I32), function.local(I32), Label(), Label()

        def note(inside: CodeContext) -> Instruction:
            number, _ = inside.env[binder.name]
            # Memory is taken bit by bit, for how much there is to note is not known before; what
            # is gone through was worked out earlier, so that nothing else is taken in between.
            take, at = unit.allocate(8, inside)
            first = choose(count.value.eq(0), start.set(at))
            return sequence(take, first, store(number, at), count.set(count.value + 1))

        listed = self.over(binder, here, note)
        place = start.value + pick.value * 8
        last = start.value + count.value * 8
        since = unit.allocations
        inside = body(here.bind(binder.name, value.value, binder.type))
        inside = self.expressions.giving_back(since, here, inside)
        unit.turns += UNCOUNTED
        return sequence(
            mark.set(unit.top.value),
            count.set(0),
            listed,
            block(out, loop(again, sequence(
                branch_if(out, count.value.eq(0)),
                unit.tick(),
                pick.set(below(count.value)),
                value.set(load(kept.register, place)),
                count.set(count.value - 1),
                store(load(kept.register, last), place),
                inside,
                branch(again),
            ))),
            unit.top.set(mark.value),
        )  # fmt: skip

    def _optional(
        self, name: str, type: y.Type, inner: y.Type, here: CodeContext, body: Body
    ) -> Instruction:
        kept = self.layout.kept(type)
        assert isinstance(kept, Scalar) and kept.none is not None and kept.register == I32
        first, count = self.layout.universe(inner)
        if first == kept.none + 1:
            return counted(self.unit, here, kept.none, count + 1, lambda number: body(
                here.bind(name, number, type)))  # fmt: skip
        none = kept.none

        def inside(number: Instruction) -> Instruction:
            value = select(number.eq(0), const(none), number + (first - 1))
            keep, held = here.hold(value)
            return sequence(keep, body(here.bind(name, held, type)))

        return counted(self.unit, here, 0, count + 1, inside)

    def _subsets(
        self, name: str, type: y.Type, element: y.Type, here: CodeContext, body: Body
    ) -> Instruction:
        first, count = self.layout.universe(element)
        kept = self.layout.kept(type)
        if count > LARGEST_SET or not isinstance(kept, Mask):
            raise Unsupported(f"all of {y.show(type)}")
        shift = first - kept.base

        def inside(number: Instruction) -> Instruction:
            keep, held = here.hold(wide(number) << shift)
            return sequence(keep, body(here.bind(name, held, type)))

        return counted(self.unit, here, 0, 1 << count, inside)

    def _range(
        self, binder: c.Binder, low: c.Expr, high: c.Expr, here: CodeContext, body: Body,
        down: bool = False,
    ) -> Instruction:  # fmt: skip
        kept = self.layout.kept(binder.type)
        assert isinstance(kept, Scalar)
        first = self.expressions.value(low, here)
        last = self.expressions.value(high, here)
        large = I64 in (first.type, last.type, kept.register)
        register = I64 if large else I32
        number = here.function.local(register)
        limit = here.function.local(register)
        out, again = Label(), Label()
        value = number.value
        if large and kept.register == I32:
            value = narrow(value)
        most = y.most_values(binder.type) if isinstance(binder.type, y.Int) and not large else None
        ticking, inside = self.unit.repeated(
            most, lambda: body(here.bind(binder.name, value, binder.type))
        )
        begin, end = (limit, number) if down else (number, limit)
        past = number.value.lt(limit.value) if down else number.value.gt(limit.value)
        return sequence(
            begin.set(wide(first) if large else first),
            end.set(wide(last) if large else last),
            block(out, loop(again, sequence(
                branch_if(out, past),
                ticking,
                inside,
                number.set(number.value + (-1 if down else 1)),
                branch(again),
            ))),
        )  # fmt: skip
