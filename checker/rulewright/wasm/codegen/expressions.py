"""Expressions of the core as WebAssembly: names, choices, quantifiers, calls.

`value` gives an expression as code that leaves its value where `data_layout` keeps values of its
type. Operators, collections and maps, built-in functions have modules of their own. What each does,
and in which order, follows the evaluator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import walk
from rulewright.play.semantics.values import text
from rulewright.wasm.analysis.bit_quantifiers import BitQuantifiers
from rulewright.wasm.analysis.domain_pruning import DomainPruning
from rulewright.wasm.analysis.function_tables import FunctionTables
from rulewright.wasm.analysis.hoisting import Hoisting
from rulewright.wasm.analysis.value_ranges import Ranges
from rulewright.wasm.assembler.instructions import (
    I32,
    I64,
    NOTHING,
    Instruction,
    Label,
    block,
    branch,
    choose,
    const,
    either,
    narrow,
    sequence,
    wide,
)
from rulewright.wasm.assembler.module import WasmFunction
from rulewright.wasm.codegen.builtins import Builtins
from rulewright.wasm.codegen.collections import Collections
from rulewright.wasm.codegen.compilation_unit import Catch, CodeContext, CompilationUnit
from rulewright.wasm.codegen.data_layout import Scalar, in_memory, register
from rulewright.wasm.codegen.domains import DomainLoops
from rulewright.wasm.codegen.maps import Maps
from rulewright.wasm.codegen.memory_access import copied, value_at
from rulewright.wasm.codegen.operators import Operators, in_range
from rulewright.wasm.codegen.type_checks import Checks

INLINE = 30
"""Nodes; a function with no more is written out where it is called."""
INLINE_TWICE, FEW = 150, 2
"""One with no more is so if it is called from no more than two places."""


class ExpressionCompiler:
    """Compiles expressions into a unit."""

    def __init__(self, unit: CompilationUnit) -> None:
        self.unit = unit
        self.layout = unit.layout
        self.checks = Checks(unit)
        self.ranges = Ranges(unit.layout)
        self.tables = FunctionTables(unit)
        self.domains = DomainLoops(self)
        self.hoisting = Hoisting(unit)
        self.pruning = DomainPruning(self)
        self.bits = BitQuantifiers(self)
        self.operators = Operators(self)
        self.collections = Collections(self)
        self.maps = Maps(self)
        self.builtins = Builtins(self)
        self._functions: dict[tuple[str, int, int], WasmFunction] = {}
        self._meaning: dict[type, Callable[[Any, CodeContext], Instruction]] = {
            c.Literal: self._literal,
            c.Local: self._local,
            c.StateVar: self._state_variable,
            c.TableRef: self._table,
            c.ReadingRef: self._reading,
            c.PlayerCount: lambda e, here: self._number(unit.instance.players, e.type),
            c.Unary: self.operators.unary,
            c.Binary: self.operators.binary,
            c.Choose: self._choose,
            c.Let: self._let,
            c.Quantify: self._quantify,
            c.Lookup: self.maps.lookup,
            c.BagCount: self.collections.bag_count,
            c.FieldOf: self.maps.field,
            c.SetOf: self.collections.set_of,
            c.BagOf: self.collections.bag_of,
            c.SetEach: self.collections.each,
            c.MapOf: self.maps.map_of,
            c.MapEach: self.maps.map_each,
            c.Updated: self.maps.updated,
            c.Otherwise: self._otherwise,
            c.Call: self._call,
            c.Builtin: self.builtins.value,
        }

    def value(self, expression: c.Expr, here: CodeContext) -> Instruction:
        """What an expression is worth, kept as its own type is."""
        hoisted = here.hoisted.get(id(expression))
        if hoisted is not None and hoisted.node is expression:
            meaning = self._meaning[type(expression)]
            return self.hoisting.once(hoisted, here, lambda: meaning(expression, here))
        return self._meaning[type(expression)](expression, here)

    def converted(self, expression: c.Expr, type: y.Type, here: CodeContext) -> Instruction:
        """What an expression is worth, kept as another type that it is surely of."""
        return self.checks.convert(self.value(expression, here), expression.type, type, here)

    def kept_aside(self, value: Instruction, expression: c.Expr, here: CodeContext) -> Instruction:
        """A value that writes to the state do not change."""
        kept = self.layout.kept(expression.type)
        if not in_memory(kept) or is_fresh(expression):
            return value
        keep, held = here.hold(value)
        take, aside = self.unit.allocate(kept.size, here)
        return sequence(keep, take, copied(self.unit, kept, aside, held), aside)

    # ---- names and literals

    def _number(self, number: int, type: y.Type) -> Instruction:
        kept = self.layout.kept(type)
        assert isinstance(kept, Scalar)
        return const(number, kept.register)

    def _literal(self, e: c.Literal, here: CodeContext) -> Instruction:
        in_range(e.value)
        return self._number(self.layout.number(e.value, e.type), e.type)

    def _local(self, e: c.Local, here: CodeContext) -> Instruction:
        code, type = here.env[e.name]
        return self.checks.convert(code, type, e.type, here)

    def _state_variable(self, e: c.StateVar, here: CodeContext) -> Instruction:
        place = self.layout.places[e.name]
        base = here.before if e.old else here.now
        found = value_at(place.kept, const(base + place.offset))
        return self.checks.convert(found, place.type, e.type, here)

    def _table(self, e: c.TableRef, here: CodeContext) -> Instruction:
        return const(self.unit.constant(self.unit.instance.tables[e.name], e.type))

    def _reading(self, e: c.ReadingRef, here: CodeContext) -> Instruction:
        chosen = self.unit.instance.readings[e.name]
        return self._number(self.layout.number(chosen, e.type), e.type)

    # ---- choices

    def _choose(self, e: c.Choose, here: CodeContext) -> Instruction:
        condition = self.value(e.condition, here)
        if condition.known is not None:
            return self.converted(e.then if condition.known else e.otherwise, e.type, here)
        then = self.converted(e.then, e.type, self.ranges.assuming(e.condition, here))
        inside = self.ranges.assuming(e.condition, here, holds=False)
        return choose(condition, then, self.converted(e.otherwise, e.type, inside))

    def _otherwise(self, e: c.Otherwise, here: CodeContext) -> Instruction:
        if not isinstance(e.value.type, y.Option):
            return self.converted(e.value, e.type, here)
        kept = self.layout.kept(e.value.type)
        assert isinstance(kept, Scalar) and kept.none is not None
        keep, held = here.hold(self.value(e.value, here))
        default = self.converted(e.default, e.type, here)
        if isinstance(e.type, y.Option):
            there = self.checks.convert(held, e.value.type, e.type, here)
        elif isinstance(e.value.type.inner, y.Never):
            there = const(0, register(self.layout.kept(e.type)))
        else:
            there = self.checks.convert(held, e.value.type.inner, e.type, here)
        return sequence(keep, choose(held.eq(kept.none), default, there))

    def _let(self, e: c.Let, here: CodeContext) -> Instruction:
        keep, held = here.hold(self.value(e.value, here))
        return sequence(keep, self.value(e.body, here.bind(e.name, held, e.value.type)))

    # ---- quantifiers

    def _quantify(self, e: c.Quantify, here: CodeContext) -> Instruction:
        match e.kind:
            case "all" | "some":
                return self.bits.truth(e, here) or self._search(e, here)
            case "count" | "sum":
                return self._sum(e, here)
            case "bag_sum":
                return self.collections.bag_sum(e, here)
            case "first":
                return self._first(e, here)
            case _:
                return self._extreme(e, here)

    def loop(
        self,
        e: c.Quantify | c.SetEach,
        here: CodeContext,
        body: Callable[[CodeContext], Instruction],
        out: Label | None = None,
        down: bool = False,
    ) -> Instruction:
        """Runs the body for each choice, from the last one `down` if asked; it may leave the loop
        by the label `out`. What a turn takes of memory is given back at its end."""
        since = self.unit.allocations
        begin, inner = self.hoisting.around(e, here)

        def turn(inside: CodeContext) -> Instruction:
            before = self.unit.allocations
            return self.giving_back(before, inside, body(inside))

        code = self.domains.each(e.binders, e.where, inner, turn, down=down)
        code = sequence(begin, code if out is None else block(out, code))
        return self.giving_back(since, here, code)

    def giving_back(self, since: int, here: CodeContext, code: Instruction) -> Instruction:
        """Code that gives back what it takes of memory, if it takes any; `since` is the count of
        what took some before it."""
        if self.unit.allocations == since:
            return code
        mark = here.function.local(I32)
        return sequence(mark.set(self.unit.top.value), code, self.unit.top.set(mark.value))

    def _search(self, e: c.Quantify, here: CodeContext) -> Instruction:
        wanted = e.kind == "some"
        found, out = here.function.local(I32), Label()

        def body(inside: CodeContext) -> Instruction:
            holds = self.value(e.body, inside)
            decided = sequence(found.set(int(wanted)), branch(out))
            return choose(holds if wanted else ~holds, decided)

        loop = self.loop(e, here, body, out)
        return sequence(found.set(int(not wanted)), loop, found.value)

    def _sum(self, e: c.Quantify, here: CodeContext) -> Instruction:
        kept, part = self.layout.kept(e.type), self.layout.kept(e.body.type)
        assert isinstance(kept, Scalar) and isinstance(part, Scalar)
        counted = self.bits.count(e, here) if e.kind == "count" else None
        if counted is not None:
            return counted if kept.register == I64 else narrow(counted)
        total = here.function.local(I64)

        def body(inside: CodeContext) -> Instruction:
            more = total.set(total.value + wide(self.value(e.body, inside)))
            if part.register == I32:
                return more
            return sequence(more, self.operators.limited(total.value))

        loop = self.loop(e, here, body)
        result = total.value if kept.register == I64 else narrow(total.value)
        return sequence(total.set(0), loop, result)

    def _extreme(self, e: c.Quantify, here: CodeContext) -> Instruction:
        kept = self.layout.kept(e.body.type)
        assert isinstance(kept, Scalar)
        best, any_ = here.function.local(kept.register), here.function.local(I32)

        def first_found(inside: CodeContext) -> Instruction:
            return sequence(best.set(self.value(e.body, inside)), any_.set(1), branch(out))

        def body(inside: CodeContext) -> Instruction:
            keep, held = inside.hold(self.value(e.body, inside))
            better = held.lt(best.value) if e.kind == "min" else held.gt(best.value)
            first = either(~any_.value, better)
            return sequence(keep, choose(first, sequence(best.set(held), any_.set(1))))

        out, catch = Label(), Catch()
        loop = None
        if self.domains.in_order(e):
            loop = self.loop(e, here.catching(catch), first_found, out, down=e.kind == "max")
        if loop is None or catch.used:  # all have to be asked, for one may fail
            loop = self.loop(e, here, body)
        begin = any_.set(0)
        if isinstance(e.type, y.Option):
            none = self.layout.kept(e.type)
            assert isinstance(none, Scalar) and none.none is not None
            found = self.checks.convert(best.value, e.body.type, e.type, here)
            nothing = const(none.none, none.register)
            return sequence(begin, loop, choose(any_.value, found, nothing))
        which = "least" if e.kind == "min" else "greatest"
        failing = self.unit.fail(here, e.span, lambda: f"there is no {which} of nothing")
        found = self.checks.convert(best.value, e.body.type, e.type, here)
        return sequence(begin, loop, choose(any_.value, NOTHING, failing), found)

    def _first(self, e: c.Quantify, here: CodeContext) -> Instruction:
        kept, out, binder = self.layout.kept(e.type), Label(), e.binders[0]
        assert isinstance(kept, Scalar) and kept.none is not None
        found = here.function.local(kept.register)
        itself = c.Local(e.span, binder.type, binder.name)

        def body(inside: CodeContext) -> Instruction:
            value = self.converted(itself, e.type, inside)
            return choose(self.value(e.body, inside), sequence(found.set(value), branch(out)))

        loop = self.loop(e, here, body, out)
        return sequence(found.set(const(kept.none, kept.register)), loop, found.value)

    # ---- calls

    def _call(self, e: c.Call, here: CodeContext) -> Instruction:
        function = self.unit.instance.functions[e.function]
        keeps, given = self.arguments(function.name, function.params, e.arguments, here)
        names = [param.name for param in function.params]
        now = here.before if e.old else here.now
        body = function.body.type
        found = self.tables.value(function, [code for code, _ in given])
        if found is not None:
            return sequence(keeps, self.checks.convert(found, function.type, e.type, here))
        if self.unit.facts.body(function.name).weight <= INLINE:
            inside = CodeContext(
                here.function, dict(zip(names, given)), now, here.before, here.catch
            )
            result = self.value(function.body, inside)
            body = self.ranges.type_of(function.body, inside)
        else:
            compiled = self.function(function, now, here.before)
            result = compiled(*(code for code, _ in given))
            self.unit.called(compiled)
            if compiled.fails:
                keep, held = here.hold(result)
                result = sequence(keep, self.unit.passing_on(here), held)

        def what(*values: Any) -> str:
            written = ", ".join(_brief(value) for value in values)
            return f"`{function.name}({written})`"

        checked = self.checks.checked(result, body, function.type, what, e.span, here, given)
        return sequence(keeps, self.checks.convert(checked, function.type, e.type, here))

    def arguments(
        self, name: str, params: Sequence[c.Param], arguments: Sequence[c.Expr], here: CodeContext,
        aside: bool = False,
    ) -> tuple[Instruction, list[tuple[Instruction, y.Type]]]:  # fmt: skip
        """Code that works out the arguments of a function or effect, each checked, and what each
        is kept as."""
        keeps, given = [], []
        for param, argument in zip(params, arguments):
            value = self.value(argument, here)
            if aside:
                value = self.kept_aside(value, argument, here)
            actual = self.ranges.type_of(argument, here)
            checked = self.checks.checked(
                value, actual, param.type, f"`{param.name}` of `{name}`", argument.span, here
            )
            keep, held = here.hold(checked)
            keeps.append(keep)
            known = self.ranges.narrower(param.type, actual)
            given.append((held, known))
        return sequence(*keeps), given

    def function(self, function: c.Function, now: int, before: int) -> WasmFunction:
        """A function of the spec, looking at these states."""
        known = self.unit.looking_back
        if function.name not in known:
            known[function.name] = looks_back(function.body, self.unit.instance.functions, known)
        if not known[function.name]:
            before = now
        key = (function.name, now, before)
        if key not in self._functions:
            params = [register(self.layout.kept(param.type)) for param in function.params]
            body = self.layout.kept(function.body.type)
            made = self.unit.module.function(function.name, params, register(body))
            made.few = FEW if self.unit.facts.body(function.name).weight <= INLINE_TWICE else 1
            env = {
                param.name: (variable.value, param.type)
                for param, variable in zip(function.params, made.params)
            }

            def inside(here: CodeContext) -> Instruction:
                since = self.unit.allocations
                value = self.value(function.body, here)
                if self.unit.allocations == since or in_memory(body):
                    return value
                keep, held = here.hold(value)
                return sequence(self.giving_back(since, here, keep), held)

            self.unit.define(made, env, now, before, inside)
            self._functions[key] = made
        return self._functions[key]


def looks_back(node: Any, functions: Mapping[str, c.Function], known: dict[str, bool]) -> bool:
    """Whether something looks at the state before the transition; of functions that is known or
    noted."""
    for each in walk(node):
        if isinstance(each, c.StateVar | c.Call) and each.old:
            return True
        if isinstance(each, c.Call):
            name = each.function
            if name not in known:
                known[name] = looks_back(functions[name].body, functions, known)
            if known[name]:
                return True
    return False


def is_fresh(expression: c.Expr) -> bool:
    """Whether the value of an expression is surely in memory of its own."""
    match expression:
        case c.SetOf() | c.BagOf() | c.SetEach() | c.MapOf() | c.MapEach() | c.Updated():
            return True
        case c.Binary() | c.Quantify():
            return True
        case c.Builtin(name=name):
            return name in ("occupied", "tally", "reach")
        case _:
            return False


def _brief(value: Any) -> str:
    """An argument in a message: plain values as they are, others by a sign."""
    return text(value) if value is None or isinstance(value, bool | int | str) else "…"
