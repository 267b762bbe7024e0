"""Checks that values lie in their declared types, and turns values of one type into another.

A check is left out only where the types prove that it cannot fail. A failing one carries the value
out, and the evaluator's own words are made of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.meaning import types as y
from rulewright.syntax.node import Span
from rulewright.wasm.assembler.instructions import (
    I64,
    NEVER,
    Instruction,
    Unsupported,
    both,
    choose,
    compare,
    const,
    either,
    narrow,
    operand,
    select,
    sequence,
    wide,
)
from rulewright.wasm.assembler.memory_instructions import load
from rulewright.wasm.codegen.compilation_unit import CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import (
    CountArray,
    Kept,
    Mask,
    Scalar,
    SparseArray,
    ValueArray,
    WordSet,
    in_memory,
)
from rulewright.wasm.codegen.memory_access import (
    count_at,
    counted,
    each_element,
    entry,
    put_at,
    put_bit,
    put_count,
    search,
    value_at,
)


class Checks:
    """Puts checks and conversions into the code of a unit."""

    def __init__(self, unit: CompilationUnit) -> None:
        self.unit = unit
        self.layout = unit.layout

    def fits(self, actual: y.Type, wanted: y.Type) -> bool:
        """Whether every value of a type is surely one of the other."""
        if actual is wanted and self.unit.players_in_range:
            return True
        if not self.unit.players_in_range and has_players(wanted):
            return False
        return y.within(actual, wanted)

    # ---- conversions

    def convert(
        self, code: Instruction, actual: y.Type, wanted: y.Type, here: CodeContext
    ) -> Instruction:
        """A value that is of both types, kept as the wanted one is."""
        source, target = self.layout.kept(actual), self.layout.kept(wanted)
        if source is target or code.type == NEVER:
            return code
        match source, target:
            case Scalar(), Scalar():
                return self._scalar(code, source, target, here)
            case Mask(base, _), Mask(other, _):
                if base == other:
                    return code
                return code << (base - other) if base > other else code >> (other - base)
        assert isinstance(actual, y.Set | y.Bag | y.Map)
        return self._copied(code, actual, source, wanted, target, here)

    def _scalar(
        self, code: Instruction, source: Scalar, target: Scalar, here: CodeContext
    ) -> Instruction:
        if code.known is not None:
            none = code.known == source.none and target.none is not None
            return const(target.none if none and target.none is not None else code.known,
                         target.register)  # fmt: skip
        if source.none is None or target.none is None or source.none == target.none:
            return wide(code) if target.register == I64 else narrow(code)
        keep, held = here.hold(code)
        same = wide(held) if target.register == I64 else narrow(held)
        chosen = select(held.eq(source.none), const(target.none, target.register), same)
        return sequence(keep, chosen)

    def _copied(
        self,
        code: Instruction,
        actual: y.Type,
        source: Kept,
        wanted: y.Type,
        target: Kept,
        here: CodeContext,
    ) -> Instruction:
        """A collection made anew, element by element."""
        keep, held = here.hold(code)
        if isinstance(target, Mask):
            bits = here.function.local(I64)

            def add(element: Instruction) -> Instruction:
                return bits.set(bits.value | const(1, I64) << wide(element - target.base))

            gather = each_element(self.unit, here, source, held, add)
            return sequence(keep, bits.set(0), gather, bits.value)
        take, fresh = self.unit.allocate(target.size, here, zero=True)
        return sequence(keep, take, self._filled(held, actual, source, wanted, target, fresh, here),
                        fresh)  # fmt: skip

    def _filled(
        self, held: Instruction, actual: y.Type, source: Kept, wanted: y.Type, target: Kept,
        fresh: Instruction, here: CodeContext,
    ) -> Instruction:  # fmt: skip
        unit = self.unit
        match source, target, actual, wanted:
            case _, WordSet(base, _, _), _, _:
                return each_element(unit, here, source, held, lambda element: put_bit(
                    fresh, element - base, here))  # fmt: skip
            case CountArray() as old, CountArray() as new, _, _:
                return each_element(unit, here, old, held, lambda element: put_count(
                    new, count_at(old, held, element), fresh, element))  # fmt: skip
            case (
                ValueArray(first, count, inner, stride, _), ValueArray(other, many, kept, step, _),
                y.Map(_, inside), y.Map(_, outside),
            ) if (first, count) == (other, many):  # fmt: skip

                def move(number: Instruction) -> Instruction:
                    value = value_at(inner, held + number * stride)
                    moved = self.convert(value, inside, outside, here)
                    return put_at(kept, moved, fresh + number * step)

                return counted(unit, here, 0, count, move)
            case _:
                raise Unsupported(f"{y.show(actual)} as {y.show(wanted)}")

    # ---- checks

    def checked(
        self, code: Instruction, actual: y.Type, wanted: y.Type, what: Callable[..., str] | str,
        span: Span, here: CodeContext, carried: Sequence[tuple[Instruction, y.Type]] = (),
        whole: str | None = None,
    ) -> Instruction:  # fmt: skip
        """The value as the wanted type keeps it, or a failure: it says `whole`, or what `what`
        (told of the values carried) is and what it should be."""
        if self.fits(actual, wanted):
            return self.convert(code, actual, wanted, here)
        keep, held = here.hold(code)
        leaves = self.leaves(held, actual, wanted, here)
        if leaves.known == 0:
            return sequence(keep, self.convert(held, actual, wanted, here))

        if whole is not None:
            failing = self.unit.fail(here, span, lambda: whole)
        else:
            subject = what if callable(what) else lambda *_: what
            failing = self.unit.fail(here, span, subject, [(held, actual), *carried], wanted=wanted)
        return sequence(keep, choose(leaves, failing), self.convert(held, actual, wanted, here))

    def leaves(
        self, held: Instruction, actual: y.Type, wanted: y.Type, here: CodeContext
    ) -> Instruction:
        """Whether a value that is held is not of a type."""
        if self.fits(actual, wanted):
            return const(0)
        match actual, wanted:
            case y.Never(), _:
                return const(0)
            case y.Option(inner), _:
                outer = wanted.inner if isinstance(wanted, y.Option) else wanted
                kept = self.layout.kept(actual)
                assert isinstance(kept, Scalar)
                there = held.ne(kept.none if kept.none is not None else -1)
                return both(there, self.leaves(held, inner, outer, here))
            case _, y.Option(outer):
                return self.leaves(held, actual, outer, here)
            case y.Int(low, high), y.Int(least, most):
                below = least is not None and (low is None or low < least)
                above = most is not None and (high is None or high > most)
                return beyond(held, least if below else None, most if above else None)
            case y.Player(), y.Player():
                return beyond(held, 1, self.layout.players)
            case y.Set(element) | y.Bag(element), y.Set(inside) | y.Bag(inside):
                return self._holds_stray(held, actual, element, inside, here)
            case y.Map(_, element), y.Map(_, inside):
                return self._map_strays(held, actual, element, inside, here)
            case _:
                raise Unsupported(f"whether {y.show(actual)} is {y.show(wanted)}")

    def _holds_stray(
        self, held: Instruction, actual: y.Type, element: y.Type, wanted: y.Type, here: CodeContext
    ) -> Instruction:
        kept = self.layout.kept(actual)
        if isinstance(kept, Mask):
            first, count = self.layout.universe(wanted)
            allowed = sum(1 << bit for bit in range(64) if first <= kept.base + bit < first + count)
            return (held & (~allowed & 0xFFFFFFFFFFFFFFFF)).ne(0)

        def walk(found: Callable[[], Instruction]) -> Instruction:
            return each_element(self.unit, here, kept, held, lambda each: choose(
                self.leaves(each, element, wanted, here), found()))  # fmt: skip

        return search(self.unit, here, walk)

    def _map_strays(
        self, held: Instruction, actual: y.Type, element: y.Type, wanted: y.Type, here: CodeContext
    ) -> Instruction:
        kept = self.layout.kept(actual)

        def walk(found: Callable[[], Instruction]) -> Instruction:
            def at(address: Instruction, inner: Kept) -> Instruction:
                value = value_at(inner, address)
                keep, each = here.hold(value)
                return sequence(keep, choose(self.leaves(each, element, wanted, here), found()))

            if isinstance(kept, SparseArray):
                return each_element(self.unit, here, kept, held, lambda key: at(
                    entry(held + kept.values, key, kept.first, kept.inner.size), kept.inner
                ))  # fmt: skip
            assert isinstance(kept, ValueArray)
            return counted(self.unit, here, 0, kept.count, lambda number: at(
                held + number * kept.stride, kept.inner))  # fmt: skip

        return search(self.unit, here, walk)

    # ---- equality

    def equal(
        self, left: Instruction, right: Instruction, type: y.Type, here: CodeContext
    ) -> Instruction:
        """Whether two values of a type are the same."""
        kept = self.layout.kept(type)
        if not in_memory(kept):
            return left.eq(right)
        words = (kept.values if isinstance(kept, SparseArray) else kept.size) // 8
        first, one = here.hold(left)
        second, other = here.hold(right)

        def walk(found: Callable[[], Instruction]) -> Instruction:
            def differs(number: Instruction) -> Instruction:
                return load(I64, one + number * 8).ne(load(I64, other + number * 8))

            return counted(self.unit, here, 0, words, lambda number: choose(
                differs(number), found()))  # fmt: skip

        same = ~search(self.unit, here, walk)
        if isinstance(kept, SparseArray):
            same = both(same, ~search(self.unit, here, lambda found: self._other_values(
                kept, one, other, here, found)))  # fmt: skip
        return sequence(first, second, same)

    def _other_values(
        self,
        kept: SparseArray,
        one: Instruction,
        other: Instruction,
        here: CodeContext,
        found: Callable[[], Instruction],
    ) -> Instruction:
        """Looks for a value that differs between boards with the same keys."""

        def at(board: Instruction, key: Instruction) -> Instruction:
            place = entry(board + kept.values, key, kept.first, kept.inner.size)
            return value_at(kept.inner, place)

        return each_element(self.unit, here, kept, one, lambda key: choose(
            at(one, key).ne(at(other, key)), found()))  # fmt: skip


def beyond(held: Instruction, least: int | None, most: int | None) -> Instruction:
    """Whether a number lies outside a range."""
    type = held.type if held.type in ("i32", "i64") else "i32"
    bits = 31 if type == "i32" else 63
    if least is not None and least <= -(1 << bits):
        least = None
    if most is not None and most >= (1 << bits) - 1:
        most = None
    if least is None and most is None:
        return const(0)
    if (least is not None and least >= 1 << bits) or (most is not None and most < -(1 << bits)):
        return const(1)
    if most is None:
        assert least is not None
        return held.lt(least)
    if least is None:
        return held.gt(most)
    if most < least:
        return const(1)
    span = operand(most - least, type) if most - least < 1 << bits else None
    if span is None:
        return either(held.lt(least), held.gt(most))
    return compare("gt_u", held - least, span)


def has_players(type: y.Type) -> bool:
    """Whether values of a type hold players."""
    match type:
        case y.Player():
            return True
        case y.Option(inner) | y.Set(inner) | y.Bag(inner) | y.Map(_, inner):
            return has_players(inner)
        case _:
            return False
