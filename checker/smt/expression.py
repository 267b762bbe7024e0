"""What an expression is worth symbolically: the evaluator's `evaluate`, case for case.

Agrees with `play.evaluate` by test. Wherever the evaluator looks at a part only sometimes, the part
is encoded on the path where it is looked at, so that its hazards are those of the evaluator.
Quantifiers are in `quantifier`, built-in functions in `builtin`, shapes of values in `shape`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from checker.meaning import core as c
from checker.meaning import types as y
from checker.meaning.purity import reads_state
from checker.smt import board as b
from checker.smt.builtin import builtin
from checker.smt.collection import bag_operator, count_of, gathered, member, set_operator
from checker.smt.quantifier import Quantifiers
from checker.smt.remembered import Method, Remembered
from checker.smt.scene import Hazard, Scene, World
from checker.smt.shape import Shapes
from checker.smt.sums import any_key
from checker.smt.term import FALSE, TRUE, Term
from checker.smt.value import Entries, Maybe, Sym, as_maybe, as_number, merge, same, select
from checker.syntax.node import Span

COMPOUND = (
    c.Binary, c.Choose, c.Let, c.Quantify, c.Lookup, c.SetEach, c.MapEach, c.Builtin, c.Call,
)  # fmt: skip
"""What is encoded once where it stands for the same."""


class Expressions:
    """Encodes expressions of one world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.terms = world.terms
        self.instance = world.instance
        self.domains = world.domains
        self.shapes = Shapes(world)
        self.quantifiers = Quantifiers(self)
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
        remembered = Remembered(world)
        for kind in COMPOUND:
            method = self._methods[kind]
            self._methods[kind] = remembered.once(method)

    # ---- entries

    def value(self, expression: c.Expr, scene: Scene) -> Sym:
        """What an expression is worth."""
        return self._methods[type(expression)](expression, scene)

    def term(self, expression: c.Expr, scene: Scene) -> Term:
        """What an expression with a scalar type is worth."""
        found = self.value(expression, scene)
        assert isinstance(found, Term), expression
        return found

    def code(self, expression: c.Expr, scene: Scene) -> Term:
        """A scalar as a number."""
        return as_number(self.terms, self.term(expression, scene))

    def hazard(self, scene: Scene, safe: Term, message: str, span: Span) -> None:
        """Notes what must hold here."""
        if safe is not TRUE:
            self.world.risks += 1
            path = scene.path.term(self.terms)
            if path is not FALSE:
                self.world.hazards.append(Hazard(path, safe, message, span))

    def check(self, value: Sym, type: y.Type, scene: Scene, message: str, span: Span) -> None:
        """A value must lie in its declared type."""
        self.hazard(scene, self.shapes.within(value, type), message, span)

    def check_key(self, key: Term, type: y.Type, scene: Scene, span: Span) -> None:
        """A map must have the key that is looked up."""
        if key.op == "int" and key.value in self.domains.codes(type):
            return
        safe = self.shapes.within(key, type)
        self.hazard(scene, safe, f"a key that is looked up is not in {y.show(type)}", span)

    # ---- operators

    def _unary(self, e: c.Unary, scene: Scene) -> Sym:
        operand = self.term(e.operand, scene)
        return self.terms.no(operand) if e.operator == "not" else self.terms.negative(operand)

    def _binary(self, e: c.Binary, scene: Scene) -> Sym:
        terms = self.terms
        operator = e.operator
        if operator in ("and", "or", "implies"):
            left = self.term(e.left, scene)
            on = terms.no(left) if operator == "or" else left
            right = TRUE if on is FALSE else self.term(e.right, scene.where(on))
            if operator == "and":
                return terms.both(left, right)
            return terms.any_of(left if operator == "or" else terms.no(left), right)
        one, other = self.value(e.left, scene), self.value(e.right, scene)
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
                self.hazard(scene, enough, "more is taken from a bag than it holds", e.span)
                return bag_operator(terms, operator, one, other)
            case "bag_union" | "bag_common" | "sub_bag" | "proper_sub_bag":
                return bag_operator(terms, operator, one, other)
        assert isinstance(one, Term) and isinstance(other, Term)
        left, right = as_number(terms, one), as_number(terms, other)
        zero = terms.equal(right, terms.number(0))
        self.hazard(scene, terms.no(zero), "a number is divided by zero", e.span)
        return terms.divide(left, right) if operator == "divide" else terms.remainder(left, right)

    def _choose(self, e: c.Choose, scene: Scene) -> Sym:
        condition = self.term(e.condition, scene)
        if condition is TRUE:
            return self.value(e.then, scene)
        if condition is FALSE:
            return self.value(e.otherwise, scene)
        then = self.value(e.then, scene.where(condition))
        otherwise = self.value(e.otherwise, scene.where(self.terms.no(condition)))
        return self.shapes.merge(condition, then, otherwise, e.type)

    def _otherwise(self, e: c.Otherwise, scene: Scene) -> Sym:
        found = as_maybe(self.value(e.value, scene))
        if found.there is TRUE and found.value is not None:
            return found.value
        absent = self.terms.no(found.there)
        default = self.value(e.default, scene.where(absent))
        return default if found.value is None else merge(self.terms, absent, default, found.value)

    # ---- maps and fields

    def _lookup(self, e: c.Lookup, scene: Scene) -> Sym:
        map, key = self.value(e.map, scene), self.value(e.key, scene)
        assert isinstance(e.map.type, y.Map)
        if isinstance(key, Maybe):
            if key.value is None:
                return Maybe(FALSE, None)
            found = as_maybe(self._at(map, key.value, e, scene.where(key.there)))
            return Maybe(self.terms.both(key.there, found.there), found.value)
        assert isinstance(key, Term)
        return self._at(map, key, e, scene)

    def _at(self, map: Sym, key: Term, e: c.Lookup, scene: Scene) -> Sym:
        assert isinstance(e.map.type, y.Map)
        key = as_number(self.terms, key)
        self.check_key(key, e.map.type.key, scene, e.span)
        if isinstance(map, b.Board):
            return self.shapes.unpacked(map.read(self.terms, key), e.map.type.value)
        assert isinstance(map, Entries)
        return select(self.terms, map.values, key)

    def _field(self, e: c.FieldOf, scene: Scene) -> Sym:
        assert isinstance(e.record.type, y.Enum)
        field = e.record.type.field(e.field)
        assert field is not None
        values = {
            code: self.shapes.literal(value, field.type) for code, value in enumerate(field.values)
        }
        if None in field.values:
            values = {code: as_maybe(value) for code, value in values.items()}
        return select(self.terms, values, self.code(e.record, scene))

    def _map_of(self, e: c.MapOf, scene: Scene) -> Sym:
        type = e.type
        assert isinstance(type, y.Map)
        given = {
            self.domains.code(key, type.key): self.value(each, scene)
            for key, each in zip(e.keys, e.values)
        }
        default = None if e.default is None else self.value(e.default, scene)
        codes = self.domains.codes(type.key)
        parts = [*given.values(), *([] if default is None else [default])]
        for value in parts:
            self.check(value, type.value, scene, "a value of this map leaves its range", e.span)
        fit = all(key in codes for key in given) and (
            default is not None or all(code in given for code in codes)
        )
        self.hazard(scene, self.terms.truth(fit), "this map has keys too many or too few", e.span)
        if default is None:
            default = next(iter(given.values()))
        return self.shapes.map_from(type, {k: v for k, v in given.items() if k in codes}, default)

    def _map_each(self, e: c.MapEach, scene: Scene) -> Sym:
        type = e.type
        assert isinstance(type, y.Map)
        codes = self.domains.codes(type.key)

        def at(key: Term) -> Sym:
            return self.value(e.value, scene.bind(e.name, self.shapes.scalar(key, type.key)))

        if not self.domains.is_board(type):
            values = {code: at(self.terms.number(code)) for code in codes}
            return self.shapes.map_from(type, values, values[codes[0]])
        with any_key(self.terms, codes) as key:
            usual = self.shapes.packed(at(key), type.value)
        if key not in usual.free:  # the same for every key
            return b.Listed(codes, {}, usual)
        if not reads_state(e.value, self.instance.functions):
            values = {code: at(self.terms.number(code)) for code in codes}
            return self.shapes.map_from(type, values, values[codes[0]])
        return b.Formula(codes, lambda key: self.shapes.packed(at(key), type.value))

    def _updated(self, e: c.Updated, scene: Scene) -> Sym:
        map, key = self.value(e.map, scene), self.code(e.key, scene)
        value = self.value(e.value, scene)
        assert isinstance(e.type, y.Map)
        self.check_key(key, e.type.key, scene, e.span)
        self.check(value, e.type.value, scene, "a value written leaves its range", e.span)
        return self.written(map, key, value, e.type)

    def written(self, map: Sym, key: Term, value: Sym, type: y.Map) -> Sym:
        """A map with another value at one key."""
        if isinstance(map, b.Board):
            return b.write(map, key, self.shapes.packed(value, type.value))
        assert isinstance(map, Entries)
        values: dict[int, Sym] = {}
        for code, held in map.values.items():
            here = self.terms.equal(key, self.terms.number(code))
            values[code] = self.shapes.merge(here, value, held, type.value)
        return Entries(values)

    def _collection_of(self, e: c.SetOf | c.BagOf, scene: Scene) -> Sym:
        elements = [self.code(each, scene) for each in e.elements]
        assert isinstance(e.type, y.Set | y.Bag)
        open_elements = any(each.op != "int" for each in elements)
        if open_elements and self.domains.is_big(e.type.element):
            codes = self.domains.codes(e.type.element)
            one = self.terms.number(1)
            result: b.Board = b.Listed(codes, {}, self.terms.number(0))
            for each in elements:
                held = result.read(self.terms, each)
                more = one if isinstance(e, c.SetOf) else self.terms.plus(held, one)
                result = b.Written(result, each, more)
            return result
        return gathered(self.terms, [(TRUE, each) for each in elements], isinstance(e, c.BagOf))

    # ---- calls

    def _call(self, e: c.Call, scene: Scene) -> Sym:
        function = self.instance.functions[e.function]
        given = self.arguments(function.name, function.params, e.arguments, scene)
        result = self.value(function.body, scene.enter(given, e.old))
        message = f"`{function.name}` leaves its range"
        self.check(result, function.type, scene, message, e.span)
        return self.shapes.fit(result, function.type)

    def arguments(
        self, name: str, params: Sequence[c.Param], arguments: Sequence[c.Expr], scene: Scene
    ) -> Mapping[str, Sym]:
        """The values for the parameters of a function or effect, each in its declared range."""
        given: dict[str, Sym] = {}
        for param, argument in zip(params, arguments):
            value = self.value(argument, scene)
            message = f"`{param.name}` of `{name}` leaves its range"
            self.check(value, param.type, scene, message, argument.span)
            given[param.name] = self.shapes.fit(value, param.type)
        return given
