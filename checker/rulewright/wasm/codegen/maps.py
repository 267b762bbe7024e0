"""Maps and the fields of names: looked up, written out, made key by key, changed at a key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.operations import place
from rulewright.play.semantics.values import text
from rulewright.syntax.node import Span
from rulewright.wasm.assembler.instructions import (
    Instruction,
    Unsupported,
    choose,
    const,
    narrow,
    sequence,
)
from rulewright.wasm.assembler.memory_instructions import fill
from rulewright.wasm.codegen.compilation_unit import CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import Kept, Scalar, SparseArray, ValueArray
from rulewright.wasm.codegen.memory_access import (
    bit_at,
    copied,
    counted,
    entry,
    put_at,
    put_bit,
    value_at,
)
from rulewright.wasm.codegen.type_checks import beyond

if TYPE_CHECKING:
    from rulewright.wasm.codegen.expressions import ExpressionCompiler


class Maps:
    """Compiles what is done with maps."""

    def __init__(self, expressions: ExpressionCompiler) -> None:
        self.expressions = expressions
        self.unit: CompilationUnit = expressions.unit
        self.layout = expressions.unit.layout
        self.checks = expressions.checks
        self._fields: dict[tuple[str, str], int] = {}

    # ---- looked up

    def lookup(self, e: c.Lookup, here: CodeContext) -> Instruction:
        map_type = e.map.type
        assert isinstance(map_type, y.Map)
        first, address = here.hold(self.expressions.value(e.map, here))
        second, key = here.hold(self.expressions.value(e.key, here))
        optional = isinstance(e.key.type, y.Option)
        known = self.expressions.ranges.type_of(e.key, here)
        inner = known.inner if isinstance(known, y.Option) else known
        check = self.key(key, inner, e.key.type, map_type, place(e.map), e.span, here)
        found = self.at(self.layout.kept(map_type), address, narrow(key))
        found = sequence(check, self.checks.convert(found, map_type.value, e.type, here))
        if optional:
            kept, result = self.layout.kept(e.key.type), self.layout.kept(e.type)
            assert isinstance(kept, Scalar) and kept.none is not None
            if not isinstance(result, Scalar) or result.none is None:
                raise Unsupported("a key that is none in a map without none")
            none = const(result.none, result.register)
            found = choose(key.eq(kept.none), none, found)
        return sequence(first, second, found)

    def at(self, kept: Kept, address: Instruction, key: Instruction) -> Instruction:
        """The value at a key that the map has."""
        match kept:
            case ValueArray(first, _, inner, stride, _):
                return value_at(inner, entry(address, key, first, stride))
            case SparseArray(first, _, inner, _, values, _):
                assert inner.none is not None
                found = value_at(inner, entry(address + values, key, first, inner.size))
                there = bit_at(address, key - first)
                return choose(there, found, const(inner.none, inner.register))
            case _:
                raise AssertionError(kept)

    def put(
        self,
        kept: Kept,
        address: Instruction,
        key: Instruction,
        value: Instruction,
        here: CodeContext,
    ) -> Instruction:
        """Writes a value at a key that the map has; key and value are held."""
        match kept:
            case ValueArray(first, _, inner, stride, _):
                return put_at(inner, value, entry(address, key, first, stride))
            case SparseArray(first, _, inner, _, values, _):
                assert inner.none is not None
                index = key - first
                at = entry(address + values, key, first, inner.size)
                there = sequence(put_at(inner, value, at), put_bit(address, index, here))
                zero = put_at(inner, const(0, inner.register), at)
                gone = sequence(zero, put_bit(address, index, here, on=False))
                return choose(value.eq(inner.none), gone, there)
            case _:
                raise AssertionError(kept)

    def key(
        self,
        key: Instruction,
        actual: y.Type,
        shown: y.Type,
        map_type: y.Map,
        what: str,
        span: Span,
        here: CodeContext,
    ) -> Instruction:
        """Fails where a map does not have a key; `actual` is its type, `shown` that with `none`."""
        if self.checks.fits(actual, map_type.key):
            return sequence()
        first, count = self.layout.universe(map_type.key)
        outside = beyond(key, first, first + count - 1)
        if outside.known == 0:
            return sequence()
        keys = y.show(map_type.key)

        def describe(value: Any) -> str:
            return f"`{what}` has no key `{text(value)}`, only {keys}"

        return choose(outside, self.unit.fail(here, span, describe, [(key, shown)]))

    def field(self, e: c.FieldOf, here: CodeContext) -> Instruction:
        type = e.record.type
        assert isinstance(type, y.Enum)
        field = type.field(e.field)
        assert field is not None
        kept = self.layout.kept(e.type)
        assert isinstance(kept, Scalar)
        key = (type.name, e.field)
        if key not in self._fields:
            content = bytearray(max(kept.size * len(type.members), 1))
            for number, value in enumerate(field.values):
                self.layout.encode(value, e.type, memoryview(content), kept.size * number)
            self._fields[key] = self.unit.data(bytes(content))
        table = const(self._fields[key])
        record = self.expressions.value(e.record, here)
        return value_at(kept, entry(table, record, 0, kept.size))

    # ---- made

    def map_each(self, e: c.MapEach, here: CodeContext) -> Instruction:
        assert isinstance(e.type, y.Map)
        kept, keys = self.layout.kept(e.type), e.type.key
        take, fresh = self._room(kept, here)
        if isinstance(e.value, c.Literal):
            value = self.expressions.converted(e.value, e.type.value, here)
            return sequence(take, self._uniform(kept, fresh, value, here), fresh)
        first, count = self.layout.universe(keys)
        value_type = e.type.value

        def turn(key: Instruction) -> Instruction:
            since = self.unit.allocations
            inside = here.bind(e.name, key, keys)
            keep, value = inside.hold(self.expressions.converted(e.value, value_type, inside))
            code = sequence(keep, self.put(kept, fresh, key, value, inside))
            return self.expressions.giving_back(since, inside, code)

        return sequence(take, counted(self.unit, here, first, count, turn), fresh)

    def _room(self, kept: Kept, here: CodeContext) -> tuple[Instruction, Instruction]:
        """Memory for a new map: all zero, of a board only that nothing is on it."""
        if not isinstance(kept, SparseArray):
            return self.unit.allocate(kept.size, here, zero=True)
        take, fresh = self.unit.allocate(kept.size, here)
        return sequence(take, fill(fresh, 0, kept.values)), fresh

    def _uniform(
        self, kept: Kept, address: Instruction, value: Instruction, here: CodeContext
    ) -> Instruction:
        """One value at all keys of a map that is being made."""
        assert isinstance(kept, ValueArray | SparseArray)
        inner = kept.inner
        if isinstance(kept, SparseArray) and value.known == kept.inner.none:
            return fill(address, 0, kept.values)
        if isinstance(inner, Scalar) and inner.size == 1 and not isinstance(kept, SparseArray):
            return fill(address, narrow(value), kept.count)
        keep, held = here.hold(value)
        return sequence(keep, counted(self.unit, here, kept.first, kept.count, lambda key: self.put(
            kept, address, key, held, here)))  # fmt: skip

    def map_of(self, e: c.MapOf, here: CodeContext) -> Instruction:
        type = e.type
        assert isinstance(type, y.Map)
        kept = self.layout.kept(type)

        def value_of(part: c.Expr) -> tuple[Instruction, Instruction]:
            value = self.expressions.value(part, here)
            return here.hold(self.checks.checked(
                value, part.type, type.value, "a value of this map", part.span, here))  # fmt: skip

        keeps, given = [], []
        for part in e.values:
            keep, held = value_of(part)
            keeps.append(keep)
            given.append(held)
        order = self.unit.instance.order(type.key)
        strange = [key for key in e.keys if key not in order]
        if strange:
            message = f"`this map` has no key `{text(strange[0])}`, only {y.show(type.key)}"
            return sequence(*keeps, self.unit.fail(here, e.span, lambda: message))
        take, fresh = self._room(kept, here)
        if e.default is None:
            missing = [key for key in order if key not in e.keys]
            if missing:
                said = f"this map has no value for `{missing[0]}`"
                return sequence(*keeps, self.unit.fail(here, e.span, lambda: said))
            begin = take
        else:
            keep, default = value_of(e.default)
            begin = sequence(keep, take, self._uniform(kept, fresh, default, here))
        puts = [
            self.put(kept, fresh, const(self.layout.number(key, type.key)), held, here)
            for key, held in zip(e.keys, given)
        ]
        return sequence(*keeps, begin, *puts, fresh)

    def updated(self, e: c.Updated, here: CodeContext) -> Instruction:
        type = e.type
        assert isinstance(type, y.Map)
        kept = self.layout.kept(type)
        first, address = here.hold(self.expressions.converted(e.map, type, here))
        second, key = here.hold(self.expressions.value(e.key, here))
        third, raw = here.hold(self.expressions.value(e.value, here))
        name = place(e.map)
        if isinstance(e.key.type, y.Option):
            raise Unsupported("a key that may be none")
        check = self.key(key, e.key.type, e.key.type, type, name, e.span, here)
        value = self.checks.checked(
            raw, e.value.type, type.value, lambda at: f"`{name}[{text(at)}]`", e.span, here,
            [(key, e.key.type)],
        )  # fmt: skip
        fourth, held = here.hold(value)
        begin = sequence(first, second, third, check, fourth)
        if isinstance(e.map, c.Updated) and self.layout.kept(e.map.type) == kept:
            # What was just made for this is nobody else's.
            return sequence(begin, self.put(kept, address, narrow(key), held, here), address)
        take, fresh = self.unit.allocate(kept.size, here)
        return sequence(
            begin, take, copied(self.unit, kept, fresh, address),
            self.put(kept, fresh, narrow(key), held, here), fresh,
        )  # fmt: skip
