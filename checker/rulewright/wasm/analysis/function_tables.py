"""Functions as tables: what a function of few values comes to, where it does not look at the state.

The evaluator works it out while the game is compiled, and calls become lookups. A function that has
no value somewhere stays code, so that it fails where the evaluator does.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.wasm.assembler.instructions import I32, Instruction, Unsupported, const
from rulewright.wasm.codegen.compilation_unit import CompilationUnit
from rulewright.wasm.codegen.data_layout import Scalar
from rulewright.wasm.codegen.memory_access import value_at

LEAST_WORK, MOST_WORK = 200, 10_000
"""Nodes that the evaluator looks at: in one call, so that a lookup is worth it; in all calls."""
MOST_BYTES = 4096


class FunctionTables:
    """The tables of a module."""

    def __init__(self, unit: CompilationUnit) -> None:
        self.unit = unit
        self.known: dict[str, int | None] = {}
        """Where the tables of functions are; None for those that have none."""

    def value(self, function: c.Function, given: Sequence[Instruction]) -> Instruction | None:
        """What a call comes to, with arguments that are known to be of their types; None if the
        function has no table."""
        if function.name not in self.known:
            self.known[function.name] = self._made(function)
        at = self.known[function.name]
        if at is None:
            return None
        row = const(0)
        for param, argument in zip(function.params, given):
            values = self._values(param.type)
            assert values is not None
            row = row * len(values) + (argument - values[0])
        kept = self.unit.layout.kept(function.type)
        return value_at(kept, row * kept.size + at)

    def _made(self, function: c.Function) -> int | None:
        """Where the table of a function is, if it has one."""
        unit, instance = self.unit, self.unit.instance
        fact, kept = unit.facts.body(function.name), unit.layout.kept(function.type)
        domains = [self._values(each.type) for each in function.params]
        if fact.state or fact.work < LEAST_WORK or None in domains:
            return None
        calls = prod(len(each) for each in domains if each is not None)
        if calls * fact.work > MOST_WORK or calls * kept.size > MOST_BYTES:
            return None
        names = [each.name for each in function.params]
        arguments = tuple(c.Local(each.span, each.type, each.name) for each in function.params)
        call = c.Call(function.span, function.type, function.name, arguments, False)
        content = bytearray(calls * kept.size)
        try:
            for row, chosen in enumerate(
                product(*(instance.order(each.type) for each in function.params))
            ):
                known = Environment(instance, {}, locals=dict(zip(names, chosen)))
                value = evaluate(call, known)
                at = row * kept.size
                unit.layout.encode(value, function.type, memoryview(content), at)
        except (EvaluationError, Unsupported):
            return None
        return unit.data(bytes(content))

    def _values(self, type: y.Type) -> range | None:
        """The numbers that stand for the values of a type, if they are few and without gaps."""
        if not isinstance(type, y.Bool | y.Int | y.Player | y.Enum | y.Grid):
            return None
        if isinstance(type, y.Player) and not self.unit.players_in_range:
            return None
        most = y.most_values(type)
        kept = self.unit.layout.kept(type)
        if most is None or most > MOST_WORK or not isinstance(kept, Scalar) or kept.register != I32:
            return None
        order = self.unit.instance.order(type)
        first = self.unit.layout.number(next(iter(order)), type)
        numbers = range(first, first + len(order))
        same = all(self.unit.layout.number(v, type) == n for v, n in zip(order, numbers))
        return numbers if same else None
