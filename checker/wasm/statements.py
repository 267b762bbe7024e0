"""Statements as WebAssembly: writes to the state, choices, loops, effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from checker.meaning import core as c
from checker.meaning import types as y
from checker.meaning.purity import walk
from checker.play.values import text
from checker.wasm.code import NOTHING, Code, choose, const, narrow, sequence
from checker.wasm.expressions import Expressions, looks_back
from checker.wasm.layout import Array, Board, Kept, register
from checker.wasm.memory import entry, replaced
from checker.wasm.module import Function
from checker.wasm.unit import Here


class Statements:
    """Compiles statements into a unit."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self.layout = expressions.unit.layout
        self.checks = expressions.checks
        self._effects: dict[tuple[str, int, int], Function] = {}

    def run(self, statements: Sequence[c.Statement], here: Here) -> Code:
        """Code that runs statements one after the other."""
        codes = []
        for statement in statements:
            match statement:
                case c.Assign():
                    codes.append(self._assign(statement, here))
                case c.If(condition=condition, then=then, otherwise=otherwise):
                    asked = self.expressions.value(condition, here)
                    codes.append(choose(asked, self.run(then, here), self.run(otherwise, here)))
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
                case c.Labelled(body=body):
                    codes.append(self.run(body, here))
                case _:
                    assert_never(statement)
        return sequence(*codes)

    def _for(self, statement: c.For, here: Here) -> Code:
        since = self.unit.allocations

        def turn(inside: Here) -> Code:
            before = self.unit.allocations
            code = self.run(statement.body, inside)
            return self.expressions.giving_back(before, inside, code)

        code = self.expressions.domains.each(
            statement.binders, statement.where, here, turn, stable=True
        )
        return self.expressions.giving_back(since, here, code)

    def _perform(self, statement: c.Perform, here: Here) -> Code:
        effect = self.unit.instance.effects[statement.effect]
        keeps, given = self.expressions.arguments(
            effect.name, effect.params, statement.arguments, here, aside=True
        )
        compiled = self.effect(effect, here.now, here.before)
        self.unit.loops += 1
        passing = self.unit.passing_on(here) if compiled.fails else NOTHING
        return sequence(keeps, compiled(*(code for code, _ in given)), passing)

    def effect(self, effect: c.Effect, now: int, before: int) -> Function:
        """An effect of the spec as a function."""
        key = (effect.name, now, before)
        if key not in self._effects:
            params = [register(self.layout.kept(param.type)) for param in effect.params]
            made = self.unit.module.function(effect.name, params)
            env = {
                param.name: (variable.value, param.type)
                for param, variable in zip(effect.params, made.params)
            }

            def inside(here: Here) -> Code:
                since = self.unit.allocations
                return self.expressions.giving_back(since, here, self.run(effect.body, here))

            self.unit.define(made, env, now, before, inside)
            self._effects[key] = made
        return self._effects[key]

    # ---- writes

    def _assign(self, statement: c.Assign, here: Here) -> Code:
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
        keep, value = here.hold(self.checks.checked(
            raw, statement.value.type, statement.type, what, statement.span, here, carried
        ))  # fmt: skip
        keeps.append(keep)
        write = self._written(statement, keys, value, place.type, place.kept,
                              const(here.now + place.offset), here)  # fmt: skip
        return self.expressions.giving_back(since, here, sequence(*keeps, write))

    def _written(
        self, statement: c.Assign, keys: Sequence[Code], value: Code, type: y.Type, kept: Kept,
        address: Code, here: Here,
    ) -> Code:  # fmt: skip
        checks = []
        for number, (key, expression) in enumerate(zip(keys, statement.keys)):
            assert isinstance(type, y.Map)
            checks.append(self.expressions.maps.key(
                key, expression.type, expression.type, type, statement.variable, statement.span,
                here,
            ))  # fmt: skip
            if isinstance(kept, Board):
                value = self.checks.convert(value, statement.type, type.value, here)
                return sequence(
                    *checks, self.expressions.maps.put(kept, address, narrow(key), value, here)
                )
            assert isinstance(kept, Array)
            address = entry(address, narrow(key), kept.first, kept.stride)
            if number < len(keys) - 1:
                keep, address = here.hold(address)
                checks.append(keep)
            type, kept = type.value, kept.inner
        value = self.checks.convert(value, statement.type, type, here)
        return sequence(*checks, replaced(self.unit, kept, address, value))


def mentions_old(statements: Sequence[c.Statement], instance: Any) -> bool:
    """Whether statements look at the state before the transition."""
    waiting: list[Any] = list(statements)
    seen: set[str] = set()
    while waiting:
        statement = waiting.pop()
        for node in walk(statement):
            if isinstance(node, c.Perform) and node.effect not in seen:
                seen.add(node.effect)
                waiting += instance.effects[node.effect].body
        if looks_back(statement, instance.functions):
            return True
    return False
