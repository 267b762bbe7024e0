"""Sets and bags: made, put together, taken apart, compared, counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.operations import place
from rulewright.play.semantics.values import text
from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    NOTHING,
    Instruction,
    Label,
    Unsupported,
    both,
    branch_if,
    choose,
    const,
    loop,
    narrow,
    select,
    sequence,
    unary,
    wide,
)
from rulewright.wasm.assembler.memory_instructions import load, store
from rulewright.wasm.assembler.module import WasmFunction
from rulewright.wasm.codegen.compilation_unit import TOO_LARGE, CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import (
    COUNT_WIDTH,
    MOST_COUNT,
    CountArray,
    Kept,
    Mask,
    Scalar,
    WordSet,
)
from rulewright.wasm.codegen.memory_access import count_at, counted, put_bit, put_count, search

if TYPE_CHECKING:
    from rulewright.wasm.codegen.expressions import ExpressionCompiler

WORDS: dict[str, Callable[[Instruction, Instruction], Instruction]] = {
    "union": lambda a, b: a | b,
    "difference": lambda a, b: a & (b ^ -1),
    "common": lambda a, b: a & b,
}


class Collections:
    """Compiles what is done with sets and bags."""

    def __init__(self, expressions: ExpressionCompiler) -> None:
        self.expressions = expressions
        self.unit: CompilationUnit = expressions.unit
        self.layout = expressions.unit.layout
        self.checks = expressions.checks

    # ---- made

    def set_of(self, e: c.SetOf, here: CodeContext) -> Instruction:
        assert isinstance(e.type, y.Set)
        if not e.elements:
            return self.empty(e.type, here)
        return self._gathered(e.type, here, lambda add: sequence(
            *(add(self._element(each, e.type, here), here) for each in e.elements)))  # fmt: skip

    def bag_of(self, e: c.BagOf, here: CodeContext) -> Instruction:
        assert isinstance(e.type, y.Bag)
        return self._gathered(e.type, here, lambda add: sequence(
            *(add(self._element(each, e.type, here), here) for each in e.elements)))  # fmt: skip

    def each(self, e: c.SetEach, here: CodeContext) -> Instruction:
        assert isinstance(e.type, y.Set | y.Bag)
        bits = self.expressions.bits.elements(e, here)
        if bits is not None:
            return bits

        def walk(add: Callable[[Instruction, CodeContext], Instruction]) -> Instruction:
            return self.expressions.loop(e, here, lambda inside: add(
                self._element(e.element, e.type, inside), inside))  # fmt: skip

        return self._gathered(e.type, here, walk)

    def empty(self, type: y.Type, here: CodeContext) -> Instruction:
        """A collection of nothing."""
        kept = self.layout.kept(type)
        if isinstance(kept, Mask):
            return const(0, I64)
        return const(self.unit.data(bytes(kept.size)))

    def _element(self, e: c.Expr, type: y.Type, here: CodeContext) -> Instruction:
        assert isinstance(type, y.Set | y.Bag)
        return narrow(self.expressions.converted(e, type.element, here))

    def _gathered(
        self,
        type: y.Type,
        here: CodeContext,
        walk: Callable[[Callable[[Instruction, CodeContext], Instruction]], Instruction],
    ) -> Instruction:
        """The collection of all that `walk` adds."""
        kept = self.layout.kept(type)
        if isinstance(kept, Mask):
            bits = here.function.local(I64)

            def mark(element: Instruction, inside: CodeContext) -> Instruction:
                return bits.set(bits.value | const(1, I64) << wide(element - kept.base))

            return sequence(bits.set(0), walk(mark), bits.value)
        take, fresh = self.unit.allocate(kept.size, here, zero=True)

        def add(element: Instruction, inside: CodeContext) -> Instruction:
            if isinstance(kept, WordSet):
                return put_bit(fresh, element - kept.base, inside)
            assert isinstance(kept, CountArray)
            return self.more(kept, fresh, element, const(1), inside)

        return sequence(take, walk(add), fresh)

    def more(
        self,
        kept: CountArray,
        bag: Instruction,
        element: Instruction,
        by: Instruction,
        here: CodeContext,
    ) -> Instruction:
        """Puts some more of an element into a bag that is being made."""
        keep, held = here.hold(element)
        count, new = here.hold(count_at(kept, bag, held) + by)
        return sequence(
            keep, count, choose(new.gt(MOST_COUNT), self.unit.stop(TOO_LARGE)),
            put_count(kept, new, bag, held),
        )  # fmt: skip

    def bag_sum(self, e: c.Quantify, here: CodeContext) -> Instruction:
        kept = self.layout.kept(e.type)
        assert isinstance(kept, CountArray)
        take, fresh = self.unit.allocate(kept.size, here, zero=True)

        def body(inside: CodeContext) -> Instruction:
            part = self.expressions.converted(e.body, e.type, inside)
            return self._bags("add")(fresh, fresh, part, kept.count)

        return sequence(take, self.expressions.loop(e, here, body), fresh)

    # ---- counted

    def bag_count(self, e: c.BagCount, here: CodeContext) -> Instruction:
        first, bag = here.hold(self.expressions.value(e.bag, here))
        second, element = here.hold(self.expressions.value(e.element, here))
        kept = self.layout.kept(e.bag.type)
        result = self.layout.kept(e.type)
        assert isinstance(kept, CountArray) and isinstance(result, Scalar)
        found = count_at(kept, bag, narrow(element))
        if result.register == I64:
            found = wide(found)
        found = self.expressions.operators.inside(
            e.element.type, element, kept.base, kept.count, found
        )
        return sequence(first, second, found)

    def size(self, value: Instruction, type: y.Type, here: CodeContext) -> Instruction:
        """How many elements there are, as i32."""
        kept = self.layout.kept(type)
        if isinstance(kept, Mask):
            return narrow(unary("popcnt", value))
        keep, held = here.hold(value)
        if isinstance(kept, WordSet):
            return sequence(keep, self._word_count()(held, kept.count))
        assert isinstance(kept, CountArray)
        return sequence(keep, self._bag_size()(held, kept.count))

    # ---- put together

    def binary(self, e: c.Binary, here: CodeContext) -> Instruction:
        """An operator between two sets or two bags."""
        type = y.join(e.left.type, e.right.type)
        if type is None:
            raise Unsupported(f"{e.operator} of {y.show(e.left.type)} and {y.show(e.right.type)}")
        first, left = here.hold(self.expressions.converted(e.left, type, here))
        second, right = here.hold(self.expressions.converted(e.right, type, here))
        keep = sequence(first, second)
        kept = self.layout.kept(type)
        if e.operator in ("subset", "proper_subset", "sub_bag", "proper_sub_bag"):
            inside = self._contained(kept, left, right, here)
            if e.operator in ("subset", "sub_bag"):
                return sequence(keep, inside)
            return sequence(keep, both(inside, ~self.checks.equal(left, right, type, here)))
        match kept:
            case Mask():
                result = WORDS[e.operator](left, right)
            case WordSet():
                result = self._words(e.operator, left, right, kept, here)
            case CountArray():
                result = self._bag_operator(e, left, right, type, kept, here)
            case _:
                raise AssertionError(kept)
        return sequence(keep, self.checks.convert(result, type, e.type, here))

    def _words(
        self, operator: str, left: Instruction, right: Instruction, kept: WordSet, here: CodeContext
    ) -> Instruction:
        take, fresh = self.unit.allocate(kept.size, here)

        def step(number: Instruction) -> Instruction:
            one, other = load(I64, left + number * 8), load(I64, right + number * 8)
            return store(WORDS[operator](one, other), fresh + number * 8)

        return sequence(take, counted(self.unit, here, 0, kept.count, step), fresh)

    def _bag_operator(
        self,
        e: c.Binary,
        left: Instruction,
        right: Instruction,
        type: y.Type,
        kept: CountArray,
        here: CodeContext,
    ) -> Instruction:
        take, fresh = self.unit.allocate(kept.size, here, zero=True)
        operator = {"bag_union": "add", "bag_common": "least", "bag_difference": "subtract"}
        made = sequence(
            take, self._bags(operator[e.operator])(fresh, left, right, kept.count), fresh
        )
        if e.operator != "bag_difference":
            return made
        assert isinstance(type, y.Bag)
        missing, short = here.hold(self._short()(left, right, kept.count))
        element = short + kept.base
        count = y.Int(0, MOST_COUNT)
        name = place(e.left)

        def describe(taken: int, which: Any, held: int) -> str:
            return f"{taken} of `{text(which)}` cannot be taken from `{name}`, which holds {held}"

        failing = self.unit.fail(here, e.span, describe, [
            (count_at(kept, right, element), count),
            (element, type.element),
            (count_at(kept, left, element), count),
        ])  # fmt: skip
        return sequence(missing, choose(short.ge(0), failing), made)

    def _contained(
        self, kept: Kept, left: Instruction, right: Instruction, here: CodeContext
    ) -> Instruction:
        """Whether all of the left is in the right."""
        match kept:
            case Mask():
                return (left & (right ^ -1)).eq(0)
            case WordSet(count=count):
                return ~search(self.unit, here, lambda found: counted(
                    self.unit, here, 0, count, lambda number: choose(
                        (load(I64, left + number * 8) & (load(I64, right + number * 8) ^ -1)).ne(0),
                        found())))  # fmt: skip
            case CountArray(count=count):
                return self._short()(right, left, count).lt(0)
            case _:
                raise AssertionError(kept)

    # ---- functions of the module

    def _over_counts(
        self,
        name: str,
        params: int,
        result: str | None,
        body: Callable[[WasmFunction, Instruction], Instruction],
        before: Instruction = NOTHING,
        after: Instruction = NOTHING,
    ) -> WasmFunction:
        """A function with a loop over counts: `body` is given where the count is, in bytes."""
        function = self.unit.module.function(name, [I32] * params, result)
        at, again = function.local(I32), Label()
        count = function.params[-1].value
        step = loop(again, sequence(
            body(function, at.value),
            at.set(at.value + COUNT_WIDTH),
            branch_if(again, at.value.below(count * COUNT_WIDTH)),
        ))  # fmt: skip
        function.define(sequence(before, step, after))
        return function

    def _bags(self, operator: str) -> WasmFunction:
        """Writes to the first address what comes of the counts at the second and third."""

        def make(name: str) -> WasmFunction:
            def body(function: WasmFunction, at: Instruction) -> Instruction:
                to, left, right = (each.value for each in function.params[:3])
                one = load(I32, left + at, 0, COUNT_WIDTH, False)
                other = load(I32, right + at, 0, COUNT_WIDTH, False)
                if operator == "add":
                    total = function.local(I32)
                    return sequence(
                        total.set(one + other),
                        choose(total.value.gt(MOST_COUNT), self.unit.stop(TOO_LARGE)),
                        store(total.value, to + at, 0, COUNT_WIDTH),
                    )
                if operator == "least":
                    return store(select(one.lt(other), one, other), to + at, 0, COUNT_WIDTH)
                return store(one - other, to + at, 0, COUNT_WIDTH)

            return self._over_counts(name, 4, None, body)

        return self.unit.shared(f"bags_{operator}", make)

    def _short(self) -> WasmFunction:
        """The first place where the second bag has more than the first, -1 if there is none."""

        def make(name: str) -> WasmFunction:
            def body(function: WasmFunction, at: Instruction) -> Instruction:
                left, right = (each.value for each in function.params[:2])
                one = load(I32, left + at, 0, COUNT_WIDTH, False)
                other = load(I32, right + at, 0, COUNT_WIDTH, False)
                return choose(other.gt(one), function.leave(at >> 1))

            return self._over_counts(name, 3, I32, body, after=const(-1))

        return self.unit.shared("bag_short", make)

    def _bag_size(self) -> WasmFunction:
        def make(name: str) -> WasmFunction:
            function = self.unit.module.function(name, [I32, I32], I32)
            at, total, again = function.local(I32), function.local(I32), Label()
            bag, count = (each.value for each in function.params)
            function.define(sequence(
                loop(again, sequence(
                    total.set(total.value + load(I32, bag + at.value, 0, COUNT_WIDTH, False)),
                    at.set(at.value + COUNT_WIDTH),
                    branch_if(again, at.value.below(count * COUNT_WIDTH)),
                )),
                total.value,
            ))  # fmt: skip
            return function

        return self.unit.shared("bag_size", make)

    def _word_count(self) -> WasmFunction:
        def make(name: str) -> WasmFunction:
            function = self.unit.module.function(name, [I32, I32], I32)
            at, total, again = function.local(I32), function.local(I64), Label()
            words, count = (each.value for each in function.params)
            function.define(sequence(
                loop(again, sequence(
                    total.set(total.value + unary("popcnt", load(I64, words + at.value))),
                    at.set(at.value + 8),
                    branch_if(again, at.value.below(count * 8)),
                )),
                narrow(total.value),
            ))  # fmt: skip
            return function

        return self.unit.shared("word_count", make)
