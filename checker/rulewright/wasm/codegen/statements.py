"""Statements as WebAssembly: writes to the state, choices, loops, effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import walk
from rulewright.play.semantics.values import text
from rulewright.wasm.assembler.instructions import (
    NOTHING,
    Instruction,
    choose,
    const,
    narrow,
    sequence,
)
from rulewright.wasm.assembler.memory_instructions import store
from rulewright.wasm.assembler.module import WasmFunction
from rulewright.wasm.codegen.compilation_unit import CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import Kept, SparseArray, ValueArray, register
from rulewright.wasm.codegen.expressions import FEW, INLINE_TWICE, ExpressionCompiler, looks_back
from rulewright.wasm.codegen.memory_access import entry, replaced

SHORT_CHAIN = 8
"""Calls; an effect that leads to more is written out in one place at most."""


class LabelLog:
    """Which labelled statement was run last, as a number in memory; `names` says which it is."""

    def __init__(self, unit: CompilationUnit) -> None:
        self.names: list[str] = [""]
        self.at = unit.reserve(8)

    def note(self, name: str) -> Instruction:
        """Notes that something of this name is run."""
        if name not in self.names:
            self.names.append(name)
        return store(const(self.names.index(name)), const(self.at))


class StatementCompiler:
    """Compiles statements into a unit."""

    def __init__(self, expressions: ExpressionCompiler) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self.layout = expressions.unit.layout
        self.checks = expressions.checks
        self.log: LabelLog | None = None
        """Where it is noted which labelled statement was run last, if that is asked for."""
        self._effects: dict[tuple[str, int, int], WasmFunction] = {}

    def run(self, statements: Sequence[c.Statement], here: CodeContext) -> Instruction:
        """Code that runs statements one after the other."""
        codes = []
        for statement in statements:
            match statement:
                case c.Assign():
                    codes.append(self._assign(statement, here))
                case c.If(condition=condition, then=then, otherwise=otherwise):
                    asked = self.expressions.value(condition, here)
                    assuming = self.expressions.ranges.assuming
                    first = self.run(then, assuming(condition, here))
                    second = self.run(otherwise, assuming(condition, here, holds=False))
                    codes.append(choose(asked, first, second))
                case c.For():
                    codes.append(self._for(statement, here))
                case c.Bind(name=name, value=value):
                    # What a name stands for stays, whatever is written after it.
                    worth = self.expressions.kept_aside(
                        self.expressions.value(value, here), value, here
                    )
                    keep, held = here.hold(worth)
                    codes.append(keep)
                    here = here.bind(name, held, value.type)
                case c.Perform():
                    codes.append(self._perform(statement, here))
                case c.Labelled(label=label, body=body):
                    if self.log is not None:
                        codes.append(self.log.note(label))
                    codes.append(self.run(body, here))
                case _:
                    assert_never(statement)
        return sequence(*codes)

    def _for(self, statement: c.For, here: CodeContext) -> Instruction:
        since = self.unit.allocations

        def turn(inside: CodeContext) -> Instruction:
            before = self.unit.allocations
            code = self.run(statement.body, inside)
            return self.expressions.giving_back(before, inside, code)

        code = self.expressions.domains.each(
            statement.binders, statement.where, here, turn, stable=True
        )
        return self.expressions.giving_back(since, here, code)

    def _perform(self, statement: c.Perform, here: CodeContext) -> Instruction:
        effect = self.unit.instance.effects[statement.effect]
        keeps, given = self.expressions.arguments(
            effect.name, effect.params, statement.arguments, here, aside=True
        )
        compiled = self.effect(effect, here.now, here.before)
        self.unit.called(compiled)
        passing = self.unit.passing_on(here) if compiled.fails else NOTHING
        return sequence(keeps, compiled(*(code for code, _ in given)), passing)

    def effect(self, effect: c.Effect, now: int, before: int) -> WasmFunction:
        """An effect of the spec as a function."""
        key = (effect.name, now, before)
        if key not in self._effects:
            params = [register(self.layout.kept(param.type)) for param in effect.params]
            made = self.unit.module.function(effect.name, params)
            made.few = FEW if sum(1 for _ in walk(effect)) <= INLINE_TWICE else 1
            env = {
                param.name: (variable.value, param.type)
                for param, variable in zip(effect.params, made.params)
            }

            def inside(here: CodeContext) -> Instruction:
                since = self.unit.allocations
                return self.expressions.giving_back(since, here, self.run(effect.body, here))

            self.unit.define(made, env, now, before, inside)
            if made.chain > SHORT_CHAIN:
                made.few = 1  # what is written out twice again and again would grow without end
            self._effects[key] = made
        return self._effects[key]

    # ---- writes

    def _assign(self, statement: c.Assign, here: CodeContext) -> Instruction:
        """Keys and value are worked out first, then the value is checked, then the keys."""
        since = self.unit.allocations
        place = self.layout.places[statement.variable]
        keeps, keys = [], []
        for key in statement.keys:
            keep, held = here.hold(self.expressions.value(key, here))
            keeps.append(keep)
            keys.append(held)
        raw_keep, raw = here.hold(self.expressions.value(statement.value, here))
        keeps.append(raw_keep)

        def what(*given: Any) -> str:
            return f"`{statement.variable}{''.join(f'[{text(key)}]' for key in given)}`"

        carried = [(held, key.type) for held, key in zip(keys, statement.keys)]
        actual = self.expressions.ranges.type_of(statement.value, here)
        keep, value = here.hold(self.checks.checked(
            raw, actual, statement.type, what, statement.span, here, carried
        ))  # fmt: skip
        keeps.append(keep)
        write = self._written(statement, keys, value, place.type, place.kept,
                              const(here.now + place.offset), here)  # fmt: skip
        return self.expressions.giving_back(since, here, sequence(*keeps, write))

    def _written(
        self,
        statement: c.Assign,
        keys: Sequence[Instruction],
        value: Instruction,
        type: y.Type,
        kept: Kept,
        address: Instruction,
        here: CodeContext,
    ) -> Instruction:
        checks = []
        for number, (key, expression) in enumerate(zip(keys, statement.keys)):
            assert isinstance(type, y.Map)
            actual = self.expressions.ranges.type_of(expression, here)
            checks.append(self.expressions.maps.key(
                key, actual, expression.type, type, statement.variable, statement.span,
                here,
            ))  # fmt: skip
            if isinstance(kept, SparseArray):
                value = self.checks.convert(value, statement.type, type.value, here)
                return sequence(
                    *checks, self.expressions.maps.put(kept, address, narrow(key), value, here)
                )
            assert isinstance(kept, ValueArray)
            address = entry(address, narrow(key), kept.first, kept.stride)
            if number < len(keys) - 1:
                keep, address = here.hold(address)
                checks.append(keep)
            type, kept = type.value, kept.inner
        value = self.checks.convert(value, statement.type, type, here)
        return sequence(*checks, replaced(self.unit, kept, address, value))


def mentions_old(statements: Sequence[c.Statement], unit: CompilationUnit) -> bool:
    """Whether statements look at the state before the transition."""
    instance = unit.instance
    waiting: list[Any] = list(statements)
    seen: set[str] = set()
    while waiting:
        statement = waiting.pop()
        for node in walk(statement):
            if isinstance(node, c.Perform) and node.effect not in seen:
                seen.add(node.effect)
                waiting += instance.effects[node.effect].body
        if looks_back(statement, instance.functions, unit.looking_back):
            return True
    return False
