"""What a bound name ranges over, as loops: nested, the last name changing fastest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from checker.meaning import core as c
from checker.meaning import types as y
from checker.wasm.code import (
    I32,
    I64,
    Code,
    Label,
    Unsupported,
    block,
    branch,
    branch_if,
    choose,
    const,
    load,
    loop,
    narrow,
    select,
    sequence,
    store,
    wide,
)
from checker.wasm.layout import Mask, Scalar, in_memory
from checker.wasm.memory import UNCOUNTED, counted, each_element
from checker.wasm.unit import Here, Unit

if TYPE_CHECKING:
    from checker.wasm.expressions import Expressions

Body = Callable[[Here], Code]
Below = Callable[[Code], Code]
"""A random number below another."""
LARGEST_SET = 20
"""Elements; the sets over more are not gone through."""


class Domains:
    """Compiles the loops of quantifiers, `for` and parameters."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit: Unit = expressions.unit
        self.layout = expressions.unit.layout

    def each(
        self,
        binders: Sequence[c.Binder],
        where: c.Expr | None,
        here: Here,
        body: Body,
        stable: bool = False,
    ) -> Code:
        """Runs the body for each choice of the names that `where` allows. With `stable`, what is
        gone through is kept aside first, for the body may change it."""
        if binders:
            first, *rest = binders
            return self.over(
                first, here, lambda inside: self.each(rest, where, inside, body, stable), stable
            )
        if where is None:
            return body(here)
        return choose(self.expressions.value(where, here), body(here))

    def over(self, binder: c.Binder, here: Here, body: Body, stable: bool = False) -> Code:
        """Runs the body for each value of one name."""
        if binder.low is None:
            return self.all_of(binder.name, binder.type, here, body)
        if binder.high is not None:
            return self._range(binder, binder.low, binder.high, here, body)
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

    def all_of(self, name: str, type: y.Type, here: Here, body: Body) -> Code:
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
        self, binders: Sequence[c.Binder], where: c.Expr | None, here: Here, body: Body,
        below: Below,
    ) -> Code:  # fmt: skip
        """Runs the body for each choice of the names that `where` allows, each name going through
        its values in an order that chance decides."""
        if not binders:
            return self.each((), where, here, body)
        first, *rest = binders

        def inside(at: Here) -> Code:
            return self.in_any_order(rest, where, at, body, below)

        single = first.low is not None and isinstance(first.low.type, y.Option)
        if single or not isinstance(self.layout.kept(first.type), Scalar):
            return self.over(first, here, inside)
        return self._shuffled(first, here, inside, below)

    def _shuffled(self, binder: c.Binder, here: Here, body: Body, below: Below) -> Code:
        """The values of a name are written down, and drawn one after the other."""
        unit, function = self.unit, here.function
        kept = self.layout.kept(binder.type)
        assert isinstance(kept, Scalar)
        count, pick, value = function.local(I32), function.local(I32), function.local(kept.register)
        mark, start, again, out = function.local(I32), function.local(I32), Label(), Label()

        def note(inside: Here) -> Code:
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
        unit.loops += 1
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

    def _optional(self, name: str, type: y.Type, inner: y.Type, here: Here, body: Body) -> Code:
        kept = self.layout.kept(type)
        assert isinstance(kept, Scalar) and kept.none is not None and kept.register == I32
        first, count = self.layout.universe(inner)
        if first == kept.none + 1:
            return counted(self.unit, here, kept.none, count + 1, lambda number: body(
                here.bind(name, number, type)))  # fmt: skip
        none = kept.none

        def inside(number: Code) -> Code:
            value = select(number.eq(0), const(none), number + (first - 1))
            keep, held = here.hold(value)
            return sequence(keep, body(here.bind(name, held, type)))

        return counted(self.unit, here, 0, count + 1, inside)

    def _subsets(self, name: str, type: y.Type, element: y.Type, here: Here, body: Body) -> Code:
        first, count = self.layout.universe(element)
        kept = self.layout.kept(type)
        if count > LARGEST_SET or not isinstance(kept, Mask):
            raise Unsupported(f"all of {y.show(type)}")
        shift = first - kept.base

        def inside(number: Code) -> Code:
            keep, held = here.hold(wide(number) << shift)
            return sequence(keep, body(here.bind(name, held, type)))

        return counted(self.unit, here, 0, 1 << count, inside)

    def _range(self, binder: c.Binder, low: c.Expr, high: c.Expr, here: Here, body: Body) -> Code:
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
        loops = self.unit.loops
        inside = body(here.bind(binder.name, value, binder.type))
        short = isinstance(binder.type, y.Int) and (y.most_values(binder.type) or 0) <= UNCOUNTED
        plain = short and not large and self.unit.loops == loops
        ticking = sequence() if plain else self.unit.tick()
        self.unit.loops += 1
        return sequence(
            number.set(wide(first) if large else first),
            limit.set(wide(last) if large else last),
            block(out, loop(again, sequence(
                branch_if(out, number.value.gt(limit.value)),
                ticking,
                inside,
                number.set(number.value + 1),
                branch(again),
            ))),
        )  # fmt: skip
