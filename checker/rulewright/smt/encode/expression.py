"""What an expression is worth symbolically: the evaluator's `evaluate`, case for case.

Agrees with `play.semantics.evaluate` by test. Wherever the evaluator looks at a part only
sometimes, the part is encoded on the path where it is looked at, so that its hazards are those of
the evaluator. Quantifiers are in `quantifier`, built-in functions in `builtin`, shapes of values in
`type_encoding`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.traversal import reads_state
from rulewright.smt.encode import arrays as b
from rulewright.smt.encode.builtin import builtin
from rulewright.smt.encode.collection import bag_operator, count_of, gathered, member, set_operator
from rulewright.smt.encode.encoding_memo import EncodingMemo, Method
from rulewright.smt.encode.environment import EncodingContext, Hazard, SymbolicEnvironment
from rulewright.smt.encode.quantifier import QuantifierEncoder
from rulewright.smt.encode.sum_axioms import any_key
from rulewright.smt.encode.symbolic_values import (
    Sym,
    SymbolicMap,
    SymbolicOption,
    as_maybe,
    as_number,
    merge,
    same,
    select,
)
from rulewright.smt.encode.type_encoding import TypeEncoder
from rulewright.smt.terms.reaching import Reachability
from rulewright.smt.terms.term import FALSE, TRUE, Term
from rulewright.syntax.node import Span

COMPOUND = (
    c.Binary, c.Choose, c.Let, c.Quantify, c.Lookup, c.SetEach, c.MapEach, c.Builtin, c.Call,
)  # fmt: skip
"""What is encoded once where it stands for the same."""


class ExpressionEncoder:
    """Encodes expressions of one world."""

    def __init__(self, world: EncodingContext) -> None:
        self.world = world
        self.terms = world.terms
        self.instance = world.instance
        self.domains = world.domains
        self.shapes = TypeEncoder(world)
        self.quantifiers = QuantifierEncoder(self)
        self.reachability = Reachability(self.terms)
        self._methods: dict[type, Method] = {
            c.Literal: lambda e, s: self.shapes.literal(e.value, e.type),
            c.Local: lambda e, s: s.locals[e.name],
            c.StateVar: lambda e, s: (s.before if e.old else s.now)[e.name],
            c.TableRef: lambda e, s: self.shapes.table(e.name),
            c.ReadingRef: lambda e, s: self.shapes.literal(self.instance.readings[e.name], e.type),
            c.PlayerCount: lambda e, s: self.terms.number(self.instance.players),
            c.Unary: self._unary,
            c.Binary: self._binary,
            c.Choose: self._choose,
            c.Let: lambda e, s: self.value(e.body, s.bind(e.name, self.value(e.value, s))),
            c.Quantify: self.quantifiers.quantify,
            c.Lookup: self._lookup,
            c.BagCount: lambda e, s: count_of(
                self.terms, self.value(e.element, s), self.value(e.bag, s)
            ),
            c.FieldOf: self._field,
            c.SetOf: self._collection_of,
            c.BagOf: self._collection_of,
            c.SetEach: self.quantifiers.collect,
            c.MapOf: self._map_of,
            c.MapEach: self._map_each,
            c.Updated: self._updated,
            c.Otherwise: self._otherwise,
            c.Call: self._call,
            c.Builtin: lambda e, s: builtin(self, e, [self.value(a, s) for a in e.arguments], s),
        }
        terms = world.terms
        self._arithmetic: dict[str, Callable[[Term, Term], Term]] = {
            "add": terms.plus,
            "subtract": terms.minus,
            "multiply": terms.times,
            "less": terms.less,
            "less_equal": terms.at_most,
            "greater": lambda left, right: terms.less(right, left),
            "greater_equal": lambda left, right: terms.at_most(right, left),
        }
        remembered = EncodingMemo(world)
        for kind in COMPOUND:
            method = self._methods[kind]
            self._methods[kind] = remembered.once(method)

    # ---- entries

    def value(self, expression: c.Expr, env: SymbolicEnvironment) -> Sym:
        """What an expression is worth."""
        return self._methods[type(expression)](expression, env)

    def term(self, expression: c.Expr, env: SymbolicEnvironment) -> Term:
        """What an expression with a scalar type is worth."""
        found = self.value(expression, env)
        assert isinstance(found, Term), expression
        return found

    def code(self, expression: c.Expr, env: SymbolicEnvironment) -> Term:
        """A scalar as a number."""
        return as_number(self.terms, self.term(expression, env))

    def hazard(self, env: SymbolicEnvironment, safe: Term, message: str, span: Span) -> None:
        """Notes what must hold here, unless the conditions on the way say so at sight."""
        if safe is not TRUE:
            self.world.risks += 1
            path = env.path.term(self.terms)
            if path is not FALSE and not env.path.facts().decides(safe):
                self.world.hazards.append(Hazard(path, safe, message, span))

    def check(
        self, value: Sym, type: y.Type, env: SymbolicEnvironment, message: str, span: Span
    ) -> None:
        """A value must lie in its declared type."""
        self.hazard(env, self.shapes.within(value, type), message, span)

    def check_key(self, key: Term, type: y.Type, env: SymbolicEnvironment, span: Span) -> None:
        """A map must have the key that is looked up."""
        if key.op == "int" and key.value in self.domains.codes(type):
            return
        safe = self.shapes.within(key, type)
        self.hazard(env, safe, f"a key that is looked up is not in {y.show(type)}", span)

    # ---- operators

    def _unary(self, e: c.Unary, env: SymbolicEnvironment) -> Sym:
        operand = self.term(e.operand, env)
        return self.terms.no(operand) if e.operator == "not" else self.terms.negative(operand)

    def _binary(self, e: c.Binary, env: SymbolicEnvironment) -> Sym:
        terms = self.terms
        operator = e.operator
        if operator in ("and", "or", "implies"):
            left = self.term(e.left, env)
            on = terms.no(left) if operator == "or" else left
            right = TRUE if on is FALSE else self.term(e.right, env.where(on))
            if operator == "and":
                return terms.both(left, right)
            return terms.any_of(left if operator == "or" else terms.no(left), right)
        one, other = self.value(e.left, env), self.value(e.right, env)
        simple = self._arithmetic.get(operator)
        if simple is not None:
            assert isinstance(one, Term) and isinstance(other, Term)
            return simple(as_number(terms, one), as_number(terms, other))
        match operator:
            case "equal":
                return same(terms, one, other)
            case "unequal":
                return terms.no(same(terms, one, other))
            case "member" | "bag_member":
                return member(terms, one, other)
            case "union" | "difference" | "common" | "subset" | "proper_subset":
                return set_operator(terms, operator, one, other)
            case "bag_difference":
                enough = bag_operator(terms, "sub_bag", other, one)
                assert isinstance(enough, Term)
                self.hazard(env, enough, "more is taken from a bag than it holds", e.span)
                return bag_operator(terms, operator, one, other)
            case "bag_union" | "bag_common" | "sub_bag" | "proper_sub_bag":
                return bag_operator(terms, operator, one, other)
        assert isinstance(one, Term) and isinstance(other, Term)
        left, right = as_number(terms, one), as_number(terms, other)
        zero = terms.equal(right, terms.number(0))
        self.hazard(env, terms.no(zero), "a number is divided by zero", e.span)
        return terms.divide(left, right) if operator == "divide" else terms.remainder(left, right)

    def _choose(self, e: c.Choose, env: SymbolicEnvironment) -> Sym:
        condition = self.term(e.condition, env)
        if condition is TRUE:
            return self.value(e.then, env)
        if condition is FALSE:
            return self.value(e.otherwise, env)
        then = self.value(e.then, env.where(condition))
        otherwise = self.value(e.otherwise, env.where(self.terms.no(condition)))
        return self.shapes.merge(condition, then, otherwise, e.type)

    def _otherwise(self, e: c.Otherwise, env: SymbolicEnvironment) -> Sym:
        found = as_maybe(self.value(e.value, env))
        if found.there is TRUE and found.value is not None:
            return found.value
        absent = self.terms.no(found.there)
        default = self.value(e.default, env.where(absent))
        return default if found.value is None else merge(self.terms, absent, default, found.value)

    # ---- maps and fields

    def _lookup(self, e: c.Lookup, env: SymbolicEnvironment) -> Sym:
        map, key = self.value(e.map, env), self.value(e.key, env)
        assert isinstance(e.map.type, y.Map)
        if isinstance(key, SymbolicOption):
            if key.value is None:
                return SymbolicOption(FALSE, None)
            found = as_maybe(self._at(map, key.value, e, env.where(key.there)))
            return SymbolicOption(self.terms.both(key.there, found.there), found.value)
        assert isinstance(key, Term)
        return self._at(map, key, e, env)

    def _at(self, map: Sym, key: Term, e: c.Lookup, env: SymbolicEnvironment) -> Sym:
        assert isinstance(e.map.type, y.Map)
        key = as_number(self.terms, key)
        self.check_key(key, e.map.type.key, env, e.span)
        if isinstance(map, b.SymbolicArray):
            return self.shapes.unpacked(map.read(self.terms, key), e.map.type.value)
        assert isinstance(map, SymbolicMap)
        return select(self.terms, map.values, key)

    def _field(self, e: c.FieldOf, env: SymbolicEnvironment) -> Sym:
        assert isinstance(e.record.type, y.Enum)
        field = e.record.type.field(e.field)
        assert field is not None
        values = {
            code: self.shapes.literal(value, field.type) for code, value in enumerate(field.values)
        }
        if None in field.values:
            values = {code: as_maybe(value) for code, value in values.items()}
        return select(self.terms, values, self.code(e.record, env))

    def _map_of(self, e: c.MapOf, env: SymbolicEnvironment) -> Sym:
        type = e.type
        assert isinstance(type, y.Map)
        given = {
            self.domains.code(key, type.key): self.value(each, env)
            for key, each in zip(e.keys, e.values)
        }
        default = None if e.default is None else self.value(e.default, env)
        codes = self.domains.codes(type.key)
        parts = [*given.values(), *([] if default is None else [default])]
        for value in parts:
            self.check(value, type.value, env, "a value of this map leaves its range", e.span)
        fit = all(key in codes for key in given) and (
            default is not None or all(code in given for code in codes)
        )
        self.hazard(env, self.terms.truth(fit), "this map has keys too many or too few", e.span)
        if default is None:
            default = next(iter(given.values()))
        return self.shapes.map_from(type, {k: v for k, v in given.items() if k in codes}, default)

    def _map_each(self, e: c.MapEach, env: SymbolicEnvironment) -> Sym:
        type = e.type
        assert isinstance(type, y.Map)
        codes = self.domains.codes(type.key)

        def at(key: Term) -> Sym:
            return self.value(e.value, env.bind(e.name, self.shapes.scalar(key, type.key)))

        if not self.domains.is_board(type):
            values = {code: at(self.terms.number(code)) for code in codes}
            return self.shapes.map_from(type, values, values[codes[0]])
        with any_key(self.terms, codes) as key:
            usual = self.shapes.packed(at(key), type.value)
        if key not in usual.free:  # the same for every key
            return b.ListedArray(codes, {}, usual)
        if not reads_state(e.value, self.instance.functions):
            values = {code: at(self.terms.number(code)) for code in codes}
            return self.shapes.map_from(type, values, values[codes[0]])
        return b.RuleArray(codes, lambda key: self.shapes.packed(at(key), type.value))

    def _updated(self, e: c.Updated, env: SymbolicEnvironment) -> Sym:
        map, key = self.value(e.map, env), self.code(e.key, env)
        value = self.value(e.value, env)
        assert isinstance(e.type, y.Map)
        self.check_key(key, e.type.key, env, e.span)
        self.check(value, e.type.value, env, "a value written leaves its range", e.span)
        return self.written(map, key, value, e.type)

    def written(self, map: Sym, key: Term, value: Sym, type: y.Map) -> Sym:
        """A map with another value at one key."""
        if isinstance(map, b.SymbolicArray):
            return b.write(map, key, self.shapes.packed(value, type.value))
        assert isinstance(map, SymbolicMap)
        values: dict[int, Sym] = {}
        for code, held in map.values.items():
            here = self.terms.equal(key, self.terms.number(code))
            values[code] = self.shapes.merge(here, value, held, type.value)
        return SymbolicMap(values)

    def _collection_of(self, e: c.SetOf | c.BagOf, env: SymbolicEnvironment) -> Sym:
        elements = [self.code(each, env) for each in e.elements]
        assert isinstance(e.type, y.Set | y.Bag)
        open_elements = any(each.op != "int" for each in elements)
        if open_elements and self.domains.is_big(e.type.element):
            codes = self.domains.codes(e.type.element)
            one = self.terms.number(1)
            result: b.SymbolicArray = b.ListedArray(codes, {}, self.terms.number(0))
            for each in elements:
                held = result.read(self.terms, each)
                more = one if isinstance(e, c.SetOf) else self.terms.plus(held, one)
                result = b.StoredArray(result, each, more)
            return result
        return gathered(self.terms, [(TRUE, each) for each in elements], isinstance(e, c.BagOf))

    # ---- calls

    def _call(self, e: c.Call, env: SymbolicEnvironment) -> Sym:
        function = self.instance.functions[e.function]
        given = self.arguments(function.name, function.params, e.arguments, env)
        result = self.value(function.body, env.enter(given, e.old))
        message = f"`{function.name}` leaves its range"
        self.check(result, function.type, env, message, e.span)
        return self.shapes.fit(result, function.type)

    def arguments(
        self,
        name: str,
        params: Sequence[c.Param],
        arguments: Sequence[c.Expr],
        env: SymbolicEnvironment,
    ) -> Mapping[str, Sym]:
        """The values for the parameters of a function or effect, each in its declared range."""
        given: dict[str, Sym] = {}
        for param, argument in zip(params, arguments):
            value = self.value(argument, env)
            message = f"`{param.name}` of `{name}` leaves its range"
            self.check(value, param.type, env, message, argument.span)
            given[param.name] = self.shapes.fit(value, param.type)
        return given
