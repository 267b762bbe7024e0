"""What an expression is worth where parts of the position are unknown, and whether it is worth
anything at all.

Every value comes with a truth that says whether it is *defined*: that nothing on the way leaves its
range or looks up what is not there. Both follow the evaluator step by step: what it does not look
at, because `and` or `all` has stopped before, need not be defined. The value of what is not defined
is any. Operators and built-in functions are in `operators`, what ranges over many choices in
`quantifiers`, large boards in `large_boards`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from rulewright.certify.smt.term import TermBuilder, Truth
from rulewright.certify.symbolic.large_boards import Boards
from rulewright.certify.symbolic.operators import Operations
from rulewright.certify.symbolic.quantifiers import QuantifierEvaluator
from rulewright.certify.symbolic.symbolic_values import (
    NONE,
    BoardValue,
    ListedValue,
    OptionValue,
    Value,
    is_concrete,
    key_of,
    maybe,
)
from rulewright.certify.symbolic.type_domains import TypeValues
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.instance import Instance

State: TypeAlias = "Mapping[str, Value]"
Worth: TypeAlias = "tuple[Value, Truth]"
"""A value, and whether it is defined."""


class EvaluationContext:
    """Where something is evaluated: the position now and before, and the values of local names."""

    __slots__ = ("before", "locals", "now")

    def __init__(self, now: State, before: State, locals: Mapping[str, Value]) -> None:
        self.now = now
        self.before = before
        self.locals = locals

    def bind(self, name: str, value: Value) -> EvaluationContext:
        return EvaluationContext(self.now, self.before, {**self.locals, name: value})


class Evaluator:
    """Evaluates the expressions of one spec, for one number of players and one way to read it."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.t = TermBuilder()
        self.shapes = TypeValues(self.t, instance.players)
        self.boards = Boards(self)
        self.operations = Operations(self)
        self.quantifiers = QuantifierEvaluator(self)
        self._tables = {
            each.name: self.shapes.table(each.data, each.type) for each in instance.spec.tables
        }
        self._called: dict[Any, tuple[Worth, State, State]] = {}
        self._by_node: dict[type, Callable[[Any, EvaluationContext], Worth]] = {
            c.Literal: lambda e, s: (self.shapes.code(e.value, e.type), True),
            c.Local: lambda e, s: (s.locals[e.name], True),
            c.StateVar: lambda e, s: ((s.before if e.old else s.now)[e.name], True),
            c.TableRef: lambda e, s: (self._tables[e.name], True),
            c.ReadingRef: lambda e, s: (
                self.shapes.code(instance.readings[e.name], e.type), True,
            ),
            c.PlayerCount: lambda e, s: (instance.players, True),
            c.Unary: self._unary,
            c.Binary: self._binary,
            c.Choose: self._choose,
            c.Let: self._let,
            c.Otherwise: self._otherwise,
            c.Quantify: self.quantifiers.quantify,
            c.SetEach: self.quantifiers.set_each,
            c.SetOf: self.operations.set_of,
            c.BagOf: self.operations.set_of,
            c.BagCount: self._bag_count,
            c.Lookup: self._lookup,
            c.Updated: self._updated,
            c.MapEach: self._map_each,
            c.MapOf: self._map_of,
            c.FieldOf: self._field,
            c.Call: self._call,
            c.Builtin: self._builtin,
        }  # fmt: skip

    def worth(self, e: c.Expr, env: EvaluationContext) -> Worth:
        """The value of an expression, and whether it has one."""
        return self._by_node[type(e)](e, env)

    def holds(self, e: c.Expr, env: EvaluationContext) -> Truth:
        """Whether an expression has a value and that is true."""
        value, defined = self.worth(e, env)
        return self.t.both(defined, value)

    def inside(self, value: Value, type: y.Type) -> Truth:
        """Whether a value lies in a type, large boards included."""
        if isinstance(type, y.Map) and isinstance(value, BoardValue):
            said: Truth = self.boards.all_squares(
                ("inside", value, type), value.grid,
                lambda x: (self.inside(value.at(x), type.value), True),
            )[0]  # fmt: skip
            return said
        if isinstance(type, y.Map) and any(isinstance(v, BoardValue) for v in value.parts.values()):
            return self.t.both(*(self.inside(v, type.value) for v in value.parts.values()))
        return self.shapes.inside(value, type)

    # ---- operators and choices

    def _unary(self, e: c.Unary, env: EvaluationContext) -> Worth:
        value, defined = self.worth(e.operand, env)
        if e.operator == "not":
            return self.t.no(value), defined
        return self.t.minus(0, value), defined

    def _binary(self, e: c.Binary, env: EvaluationContext) -> Worth:
        t = self.t
        left, left_defined = self.worth(e.left, env)
        if e.operator not in ("and", "or", "implies"):
            right, right_defined = self.worth(e.right, env)
            value, possible = self.operations.operate(e, left, right)
            return value, t.both(left_defined, right_defined, possible)
        goes_on = t.no(left) if e.operator == "or" else left
        if goes_on is False:
            return e.operator != "and", left_defined
        right, right_defined = self.worth(e.right, env)
        defined = t.both(left_defined, t.implies(goes_on, right_defined))
        if e.operator == "and":
            return t.both(left, right), defined
        return t.either(left if e.operator == "or" else t.no(left), right), defined

    def _choose(self, e: c.Choose, env: EvaluationContext) -> Worth:
        k, defined = self.worth(e.condition, env)
        return self.choice(k, defined, lambda: self.worth(e.then, env),
                           lambda: self.worth(e.otherwise, env))  # fmt: skip

    def choice(
        self, k: Truth, defined: Truth, then: Callable[[], Worth], otherwise: Callable[[], Worth]
    ) -> Worth:
        """One of two, of which only that one is looked at."""
        if isinstance(k, bool):
            value, also = then() if k else otherwise()
            return value, self.t.both(defined, also)
        (one, one_defined), (other, other_defined) = then(), otherwise()
        also = self.t.choose_truth(k, one_defined, other_defined)
        return self.shapes.merge(k, one, other), self.t.both(defined, also)

    def _let(self, e: c.Let, env: EvaluationContext) -> Worth:
        value, defined = self.worth(e.value, env)
        result, also = self.worth(e.body, env.bind(e.name, value))
        return result, self.t.both(defined, also)

    def _otherwise(self, e: c.Otherwise, env: EvaluationContext) -> Worth:
        value, defined = self.worth(e.value, env)
        value = maybe(value)
        return self.choice(
            value.none, defined, lambda: self.worth(e.default, env), lambda: (value.value, True)
        )

    # ---- maps and fields

    def _bag_count(self, e: c.BagCount, env: EvaluationContext) -> Worth:
        bag, defined = self.worth(e.bag, env)
        element, also = self.worth(e.element, env)
        return self.shapes.at(bag, element), self.t.both(defined, also)

    def _lookup(self, e: c.Lookup, env: EvaluationContext) -> Worth:
        t = self.t
        map, defined = self.worth(e.map, env)
        key, also = self.worth(e.key, env)
        assert isinstance(e.map.type, y.Map)
        if not isinstance(key, OptionValue):
            there = self.shapes.inside(key, e.map.type.key)
            return self._found(map, key), t.both(defined, also, there)
        if key.none is True:
            return NONE, t.both(defined, also)
        there = t.either(key.none, self.shapes.inside(key.value, e.map.type.key))
        found = maybe(self._found(map, key.value))
        value = OptionValue(t.either(key.none, found.none), found.value)
        return value, t.both(defined, also, there)

    def _found(self, map: Value, key: Value) -> Value:
        return self.shapes.at(map, key)

    def _updated(self, e: c.Updated, env: EvaluationContext) -> Worth:
        map, defined = self.worth(e.map, env)
        key, also = self.worth(e.key, env)
        value, too = self.worth(e.value, env)
        assert isinstance(e.type, y.Map)
        fits = self.inside(value, e.type.value)
        written, there = self.written(map, e.type, [key], value)
        return written, self.t.both(defined, also, too, fits, there)

    def written(self, held: Value, type: y.Type, keys: Sequence[Value], value: Value) -> Worth:
        """A map with another value at some keys, and whether it has such keys."""
        if not keys:
            return value, True
        assert isinstance(type, y.Map)
        key, there = keys[0], self.shapes.inside(keys[0], type.key)
        if isinstance(held, BoardValue):
            new, also = self.written(held.at(key), type.value, keys[1:], value)
            both = self.t.both(there, also)
            return self.boards.written(held, key, new), both
        parts = {}
        for each, old in held.parts.items():
            here = self.shapes.equal_plain(key, each)
            if here is False:
                parts[each] = old
                continue
            new, also = self.written(old, type.value, keys[1:], value)
            there = self.t.both(there, self.t.implies(here, also))
            parts[each] = self.shapes.merge(here, new, old)
        return ListedValue(None, parts), there

    def _map_each(self, e: c.MapEach, env: EvaluationContext) -> Worth:
        assert isinstance(e.type, y.Map)
        key = e.type.key
        if isinstance(key, y.Grid) and self.shapes.is_large(key):
            return self.boards.map_each(e, key, env)
        found = {k: self.worth(e.value, env.bind(e.name, k)) for k in self.shapes.domain(key)}
        defined = self.t.both(*(also for _, also in found.values()))
        return ListedValue(None, {k: value for k, (value, _) in found.items()}), defined

    def _map_of(self, e: c.MapOf, env: EvaluationContext) -> Worth:
        t, type = self.t, e.type
        assert isinstance(type, y.Map)
        given, checks = {}, []
        for key, part in zip(e.keys, e.values):
            value, defined = self.worth(part, env)
            given[self.shapes.code(key, type.key)] = value
            checks += [defined, self.inside(value, type.value)]
            checks.append(self.shapes.inside(self.shapes.code(key, type.key), type.key))
        rest: Value = None
        if e.default is not None:
            rest, defined = self.worth(e.default, env)
            checks += [defined, self.inside(rest, type.value)]
        if isinstance(type.key, y.Grid) and self.shapes.is_large(type.key):
            board = self.boards.uniform(type.key, rest)
            for key, value in given.items():
                board = self.boards.written(board, key, value)
            return board, t.both(rest is not None, *checks)
        keys = self.shapes.domain(type.key)
        checks.append(rest is not None or all(key in given for key in keys))
        some = rest if rest is not None else next(iter(given.values()))
        return ListedValue(None, {key: given.get(key, some) for key in keys}), t.both(*checks)

    def _field(self, e: c.FieldOf, env: EvaluationContext) -> Worth:
        record, defined = self.worth(e.record, env)
        assert isinstance(e.record.type, y.Enum)
        field = e.record.type.field(e.field)
        assert field is not None
        values = {n: self.shapes.code(each, field.type) for n, each in enumerate(field.values)}
        return self.shapes.at(ListedValue(None, values), record), defined

    # ---- calls

    def _builtin(self, e: c.Builtin, env: EvaluationContext) -> Worth:
        found = [self.worth(each, env) for each in e.arguments]
        value, possible = self.operations.builtin(e, [value for value, _ in found])
        return value, self.t.both(*(defined for _, defined in found), possible)

    def _call(self, e: c.Call, env: EvaluationContext) -> Worth:
        function = self.instance.functions[e.function]
        given, defined = self.arguments(function.params, e.arguments, env)
        now = env.before if e.old else env.now
        key = (
            function.name, id(now), id(env.before), self.shapes.whole,
            tuple(key_of(each) for each in given.values()),
        )  # fmt: skip
        known = self._called.get(key)
        if known is None:
            value, also = self.worth(function.body, EvaluationContext(now, env.before, given))
            also = self.t.both(also, self.inside(value, function.type))
            # The positions are kept too, so that nothing else comes to have their identity.
            known = self._called[key] = ((value, also), now, env.before)
        value, also = known[0]
        return value, self.t.both(defined, also)

    def arguments(
        self, params: Sequence[c.Param], expressions: Sequence[c.Expr], env: EvaluationContext
    ) -> tuple[dict[str, Value], Truth]:
        """The values for the parameters of a function or effect, each in its declared range."""
        given, checks = {}, []
        for param, each in zip(params, expressions):
            value, defined = self.worth(each, env)
            given[param.name] = value
            checks += [defined, self.inside(value, param.type)]
        return given, self.t.both(*checks)


__all__ = ["EvaluationContext", "Evaluator", "State", "Worth", "is_concrete"]
