"""Expressions as written to typed expressions of the core.

Types are worked out from the inside out, with what is expected passed down to where it decides
(which enumeration a name belongs to, whether braces are a set or a bag). A fault is reported
once; what depends on it gets the type `Broken` and stays silent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from checker.meaning import core as c
from checker.meaning import types as y
from checker.meaning.builtins import call_builtin
from checker.meaning.declared import Declared
from checker.meaning.names import BUILTIN_FUNCTIONS, BUILTIN_VALUES, suggestion
from checker.meaning.operators import binary, comparable_late
from checker.meaning.quantifiers import Binders, fold_type
from checker.meaning.ranges import negative
from checker.meaning.scope import Scope
from checker.syntax import tree as t
from checker.syntax.node import Span, replace

DEEPEST = 150
"""How deep expressions may nest, calls of functions not counted."""


class Expressions:
    """Elaborates expressions against the declarations of a spec."""

    def __init__(self, declared: Declared) -> None:
        self.declared = declared
        self.names = declared.names
        self.types = declared.types
        self.messages = declared.messages
        self.depth = 0
        self._by_node: dict[type, Callable[..., c.Expr]] = {
            t.Name: self._name,
            t.Number: self._number,
            t.Unary: self._unary,
            t.Binary: self._binary,
            t.Choose: self._choose,
            t.Quantify: self._quantify,
            t.Let: self._let,
            t.Otherwise: self._otherwise,
            t.Updated: self._updated,
            t.Index: self._index,
            t.Member: self._member,
            t.Call: self._call,
            t.SetOf: self._set_of,
            t.SetEach: self._set_each,
            t.ListOf: self._list_of,
            t.MapOf: self._map_of,
            t.MapEach: self._map_each,
        }

    def infer(self, e: t.Expr, scope: Scope, expected: y.Type | None = None) -> c.Expr:
        """The expression with its type; `expected` only helps to tell what is meant."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.messages.error(
                "RW012", e.span, "this is nested too deeply",
                "name its parts: with `let`, or as functions of their own",
            )  # fmt: skip
            found = self.broken(e.span)
        else:
            found = self._by_node[type(e)](e, scope, expected)
        self.depth -= 1
        return found

    def check(self, e: t.Expr, scope: Scope, wanted: y.Type, what: str) -> c.Expr:
        """The expression, which must be of the wanted type."""
        found = self.infer(e, scope, wanted)
        return self.fit(found, wanted, what)

    def fit(self, found: c.Expr, wanted: y.Type, what: str) -> c.Expr:
        """The same expression if it fits; else reports it."""
        if not y.fits(found.type, wanted):
            help = None
            if isinstance(found.type, y.Option) and y.fits(found.type.inner, wanted):
                help = "it may be `none`: open it with `some x in ...:` or give `... otherwise ...`"
            self.messages.error(
                "RW201", found.span,
                f"{what} must be `{y.show(wanted)}`, but this is `{y.show(found.type)}`", help,
            )  # fmt: skip
            return self.broken(found.span)
        if y.apart(found.type, wanted):
            self.messages.error(
                "RW205", found.span,
                f"{what} lies in {y.show(wanted)}, but this is {_range(found.type)}",
                "correct the value, or widen the declared range",
            )  # fmt: skip
            return self.broken(found.span)
        return found

    def condition(self, e: t.Expr, scope: Scope, what: str = "a condition") -> c.Expr:
        return self.check(e, scope, y.BOOL, what)

    def broken(self, span: Span) -> c.Expr:
        """What stands for an expression already reported."""
        return c.Literal(span, y.BROKEN, None)

    # ---- names and literals

    def _number(self, e: t.Number, scope: Scope, expected: y.Type | None) -> c.Expr:
        hint = expected.inner if isinstance(expected, y.Option) else expected
        if isinstance(hint, y.Player) and 1 <= e.value <= hint.most:
            return c.Literal(e.span, hint, e.value)
        return c.Literal(e.span, y.Int(e.value, e.value), e.value)

    def _name(self, e: t.Name, scope: Scope, expected: y.Type | None) -> c.Expr:
        text, span = e.text, e.span
        local = scope.bound.get(text)
        if local is not None:
            return _moved(local, span)
        match text:
            case "true" | "false":
                return c.Literal(span, y.BOOL, text == "true")
            case "none":
                return c.Literal(span, y.NOTHING, None)
            case "players":
                player = self.types.player
                return c.PlayerCount(span, y.Int(player.least, player.most))
        variable = self.declared.variable_type(text)
        if variable is not None:
            self.names.find("state variable", text)
            return c.StateVar(span, variable, text, scope.in_old)
        if self.names.find("constant", text) is not None:
            return _moved(self.declared.constant(text), span)
        if self.names.find("table", text) is not None:
            return c.TableRef(span, self.declared.table_type(text), text)
        member = self._value_named(text, span, expected)
        if member is not None:
            return member
        if self.names.find("reading", text) is not None:
            return c.ReadingRef(span, self.declared.reading_type(text), text)
        self._unknown(text, span, scope)
        return self.broken(span)

    def _value_named(self, text: str, span: Span, expected: y.Type | None) -> c.Expr | None:
        """The enumeration member, phase, option or square of that name."""
        hint = expected.inner if isinstance(expected, y.Option) else expected
        if isinstance(hint, y.Enum) and text in hint.members:
            self.declared.note_member(hint)
            return c.Literal(span, hint, text)
        place = y.square_place(text)
        if place is not None:
            grids = self.types.grids if not isinstance(hint, y.Grid) else [hint]
            grids = [g for g in grids if place[0] <= g.width and place[1] <= g.height]
            if len(grids) == 1:
                return c.Literal(span, grids[0], text)
        if self.names.of("reading").get(text) is not None:
            return None
        candidates = self.declared.enums_with(text)
        if len(candidates) > 1:
            owners = " and of ".join(f"`{each.name}`" for each in candidates)
            self.messages.error(
                "RW105", span, f"`{text}` is a value of {owners}",
                "it cannot be told here which is meant: rename one, or put it on the other side "
                "of the comparison",
            )  # fmt: skip
            return self.broken(span)
        if candidates:
            self.declared.note_member(candidates[0])
            return c.Literal(span, candidates[0], text)
        return None

    def _unknown(self, text: str, span: Span, scope: Scope) -> None:
        if self.names.find("function", text) is not None or text in BUILTIN_FUNCTIONS:
            self.messages.error("RW203", span, f"`{text}` is a function", f"call it: `{text}(...)`")
            return
        if text in self.types.declared:
            self.messages.error(
                "RW203", span, f"`{text}` is a type, not a value",
                f"to go through its values write `all x: {text}: ...`",
            )  # fmt: skip
            return
        known = [
            *scope.bound, *self.names.values, *BUILTIN_VALUES, *self.types.members,
            *self.names.of("phase"),
        ]  # fmt: skip
        self.messages.error(
            "RW101", span, f"there is nothing called `{text}` here",
            suggestion(text, known, "declare it, or check the spelling"),
        )  # fmt: skip

    # ---- operators

    def _unary(self, e: t.Unary, scope: Scope, expected: y.Type | None) -> c.Expr:
        if e.operator == "not":
            operand = self.condition(e.operand, scope, "what follows `not`")
            return c.Unary(e.span, y.BOOL, "not", operand)
        operand = self.check(e.operand, scope, y.INT, "what follows `-`")
        if not isinstance(operand.type, y.Int):
            return self.broken(e.span)
        if isinstance(operand, c.Literal) and isinstance(operand.value, int):
            return c.Literal(e.span, y.Int(-operand.value, -operand.value), -operand.value)
        return c.Unary(e.span, negative(operand.type), "negative", operand)

    def _binary(self, e: t.Binary, scope: Scope, expected: y.Type | None) -> c.Expr:
        operator = e.operator
        if operator in ("and", "or", "implies"):
            what = f"each side of `{operator}`"
            left = self.condition(e.left, scope, what)
            return c.Binary(e.span, y.BOOL, operator, left, self.condition(e.right, scope, what))
        if operator in ("in", "not in"):
            right = self.infer(e.right, scope)
            element = right.type.element if isinstance(right.type, y.Set | y.Bag) else None
            left = self.infer(e.left, scope, element)
        else:
            if operator in ("==", "!=", "<", "<=", ">", ">="):
                expected = None
            if comparable_late(e.left, self.declared, scope):
                right = self.infer(e.right, scope, expected)
                left = self.infer(e.left, scope, right.type)
            else:
                left = self.infer(e.left, scope, expected)
                right = self.infer(e.right, scope, left.type)
        return binary(e.span, operator, left, right, self.messages)

    def _choose(self, e: t.Choose, scope: Scope, expected: y.Type | None) -> c.Expr:
        condition = self.condition(e.condition, scope, "what follows `if`")
        if comparable_late(e.then, self.declared, scope) and expected is None:
            otherwise = self.infer(e.otherwise, scope)
            then = self.infer(e.then, scope, otherwise.type)
        else:
            then = self.infer(e.then, scope, expected)
            otherwise = self.infer(e.otherwise, scope, expected or then.type)
        result = y.join(then.type, otherwise.type)
        if result is None:
            self.messages.error(
                "RW201", e.span,
                f"one side is `{y.show(then.type)}`, the other `{y.show(otherwise.type)}`",
                "both sides of `if ... else` must be of one type",
            )  # fmt: skip
            return self.broken(e.span)
        return c.Choose(e.span, result, condition, then, otherwise)

    def _otherwise(self, e: t.Otherwise, scope: Scope, expected: y.Type | None) -> c.Expr:
        value = self.infer(e.value, scope, expected)
        if value.type == y.BROKEN:
            return value
        if not isinstance(value.type, y.Option):
            self.messages.error(
                "RW201", value.span, f"this is `{y.show(value.type)}` and never `none`",
                "leave out `otherwise ...`",
            )  # fmt: skip
            return self.broken(e.span)
        default = self.infer(e.default, scope, value.type.inner)
        result = y.join(value.type.inner, default.type)
        if result is None:
            self.fit(default, value.type.inner, "what follows `otherwise`")
            return self.broken(e.span)
        return c.Otherwise(e.span, result, value, default)

    # ---- binding

    def _let(self, e: t.Let, scope: Scope, expected: y.Type | None) -> c.Expr:
        bound: list[tuple[Span, str, c.Expr]] = []
        for binding in e.bindings:
            value = self.infer(binding.value, scope)
            self.declared.note_shadow(binding.name, scope)
            name, scope = scope.bind(binding.name.text, value.type, binding.name.span)
            bound.append((binding.span, name, value))
        body = self.infer(e.body, scope, expected)
        for span, name, value in reversed(bound):
            body = c.Let(span, body.type, name, value, body)
        return body

    def binders(self, binders: t.Binders, scope: Scope) -> tuple[Binders, Scope]:
        """Bound names with their domains, and the scope inside."""
        result: list[c.Binder] = []
        for binder in binders.binders:
            if isinstance(binder, t.TypedBinder):
                type_ = self.types.of(binder.type)
                if type_ != y.BROKEN and y.most_values(type_) is None:
                    self.messages.error(
                        "RW210", binder.type.span, f"`{y.show(type_)}` has no end of values",
                        "go through a finite type, or a range: `n in 0..12`",
                    )  # fmt: skip
                    type_ = y.BROKEN
                for ident in binder.names:
                    self.declared.note_shadow(ident, scope)
                    name, scope = scope.bind(ident.text, type_, ident.span)
                    result.append(c.Binder(ident.span, name, type_, None, None))
            else:
                low, high, type_ = self._domain(binder.domain, scope)
                self.declared.note_shadow(binder.name, scope)
                name, scope = scope.bind(binder.name.text, type_, binder.name.span)
                result.append(c.Binder(binder.span, name, type_, low, high))
        where = None
        if binders.where is not None:
            where = self.condition(binders.where, scope, "what follows `where`")
        return Binders(tuple(result), where), scope

    def _domain(self, domain: t.Domain, scope: Scope) -> tuple[c.Expr, c.Expr | None, y.Type]:
        if domain.high is not None:
            low = self.check(domain.low, scope, y.INT, "the start of a range")
            high = self.check(domain.high, scope, y.INT, "the end of a range")
            if isinstance(low.type, y.Int) and isinstance(high.type, y.Int):
                return low, high, y.Int(low.type.low, high.type.high)
            return low, high, y.BROKEN
        collection = self.infer(domain.low, scope)
        match collection.type:
            case y.Set(element) | y.Bag(element) | y.Option(element):
                return collection, None, element
            case y.Broken():
                pass
            case other:
                self.messages.error(
                    "RW201", collection.span, f"`{y.show(other)}` has no elements to go through",
                    "after `in` stands a set, a bag, an optional or a range like `0..12`",
                )  # fmt: skip
        return collection, None, y.BROKEN

    def _quantify(self, e: t.Quantify, scope: Scope, expected: y.Type | None) -> c.Expr:
        binders, inner = self.binders(e.binders, scope)
        if e.kind in ("all", "some", "count"):
            body = self.condition(e.body, inner, f"the body of `{e.kind}`")
        else:
            body = self.infer(e.body, inner, expected)
        kind, type_ = fold_type(e.kind, binders, body, self.messages)
        return c.Quantify(e.span, type_, kind, binders.all, binders.where, body)

    # ---- maps, records, collections

    def _index(self, e: t.Index, scope: Scope, expected: y.Type | None) -> c.Expr:
        found = self.infer(e.map, scope)
        for key in e.keys:
            found = self.lookup(found, key, scope, e.span)
        return found

    def lookup(self, found: c.Expr, key: t.Expr, scope: Scope, span: Span) -> c.Expr:
        match found.type:
            case y.Map(key_type, value):
                at = self.infer(key, scope, key_type)
                if isinstance(at.type, y.Option) and isinstance(value, y.Option):
                    self.fit(at, y.Option(key_type), "the key")
                else:
                    at = self.fit(at, key_type, "the key")
                return c.Lookup(span, value, found, at)
            case y.Bag(element):
                at = self.check(key, scope, element, "what is counted")
                return c.BagCount(span, y.Int(0, None), found, at)
            case y.Broken():
                self.infer(key, scope)
                return found
            case y.Set():
                help = "ask whether something is in it: `x in ...`"
            case _:
                help = "only maps, tables and bags can be looked into with `[...]`"
        self.messages.error("RW203", span, f"`{y.show(found.type)}` has no places to look up", help)
        return self.broken(span)

    def _updated(self, e: t.Updated, scope: Scope, expected: y.Type | None) -> c.Expr:
        found = self.infer(e.map, scope, expected)
        return self._update(found, e.keys, e.value, scope, e.span)

    def _update(
        self, found: c.Expr, keys: tuple[t.Expr, ...], value: t.Expr, scope: Scope, span: Span
    ) -> c.Expr:
        if not isinstance(found.type, y.Map):
            if found.type != y.BROKEN:
                self.messages.error(
                    "RW203", found.span, f"`{y.show(found.type)}` is not a map",
                    "`with [...] = ...` changes one place of a map",
                )  # fmt: skip
            return self.broken(span)
        key = self.check(keys[0], scope, found.type.key, "the key")
        if len(keys) == 1:
            new = self.check(value, scope, found.type.value, "the value")
        else:
            inner = c.Lookup(span, found.type.value, found, key)
            new = self._update(inner, keys[1:], value, scope, span)
        return c.Updated(span, found.type, found, key, new)

    def _member(self, e: t.Member, scope: Scope, expected: y.Type | None) -> c.Expr:
        record = self.infer(e.record, scope)
        if record.type == y.BROKEN:
            return record
        if isinstance(record.type, y.Enum):
            field = record.type.field(e.field.text)
            if field is not None:
                return c.FieldOf(e.span, field.type, record, field.name)
            fields = [each.name for each in record.type.fields]
            help = suggestion(e.field.text, fields, f"its fields are {', '.join(fields)}")
            help = help if fields else "it has no fields"
        else:
            help = "only cases with fields have them"
            if isinstance(record.type, y.Option):
                help = "it may be `none`: open it with `some x in ...: x.field`"
        self.messages.error(
            "RW203", e.field.span, f"`{y.show(record.type)}` has no field `{e.field.text}`", help
        )
        return self.broken(e.span)

    def _set_of(self, e: t.SetOf, scope: Scope, expected: y.Type | None) -> c.Expr:
        as_bag = isinstance(expected, y.Bag)
        hint = expected.element if isinstance(expected, y.Set | y.Bag) else None
        elements = [self.infer(each, scope, hint) for each in e.elements]
        element: y.Type = y.NEVER
        for each in elements:
            joined = y.join(element, each.type)
            if joined is None or not y.is_scalar(joined):
                self.messages.error(
                    "RW201", each.span, f"`{y.show(each.type)}` cannot stand in this set",
                    f"its elements are `{y.show(element)}`"
                    if element != y.NEVER else "its elements are single values",
                )  # fmt: skip
                return self.broken(e.span)
            element = joined
        if as_bag:
            return c.BagOf(e.span, y.Bag(element), tuple(elements))
        return c.SetOf(e.span, y.Set(element), tuple(elements))

    def _set_each(self, e: t.SetEach, scope: Scope, expected: y.Type | None) -> c.Expr:
        binders, inner = self.binders(e.binders, scope)
        hint = expected.element if isinstance(expected, y.Set | y.Bag) else None
        if e.element is not None:
            element = self.infer(e.element, inner, hint)
        elif len(binders.all) == 1:
            only = binders.all[0]
            element = c.Local(only.span, only.type, only.name)
        else:
            self.messages.error(
                "RW202", e.span, "which of these names are the elements?",
                "say it after a colon: `{each x: T, y: U where ...: x}`",
            )  # fmt: skip
            return self.broken(e.span)
        if element.type == y.BROKEN:
            return self.broken(e.span)
        kind = y.Bag if isinstance(expected, y.Bag) else y.Set
        return c.SetEach(e.span, kind(element.type), binders.all, binders.where, element)

    def _list_of(self, e: t.ListOf, scope: Scope, expected: y.Type | None) -> c.Expr:
        if not isinstance(expected, y.Map):
            return self._no_map(e.span, expected)
        given = [self.check(each, scope, expected.value, "a value") for each in e.values]
        if isinstance(expected.key, y.Player):
            keys: list[y.Value] = list(range(1, len(given) + 1))
        else:
            keys = y.values(expected.key, self.types.player.most)
        if len(keys) != len(given):
            self.messages.error(
                "RW202", e.span, f"here are {len(given)} values for {len(keys)} keys",
                f"give one for each of {y.show(expected.key)}, or name the keys: [key: value, ...]",
            )  # fmt: skip
            return self.broken(e.span)
        return c.MapOf(e.span, expected, tuple(keys), tuple(given), None)

    def _map_of(self, e: t.MapOf, scope: Scope, expected: y.Type | None) -> c.Expr:
        if not isinstance(expected, y.Map):
            return self._no_map(e.span, expected)
        keys: list[y.Value] = []
        given: list[c.Expr] = []
        for entry in e.entries:
            key = self.check(entry.key, scope, expected.key, "the key")
            if key.type == y.BROKEN:
                return key
            if not isinstance(key, c.Literal):
                self.messages.error(
                    "RW213", entry.key.span, "the keys of a written map must be known",
                    "use a value, or `m with [key] = value`",
                )  # fmt: skip
                return self.broken(e.span)
            if key.value in keys:
                self.messages.error(
                    "RW102", entry.key.span, f"`{key.value}` has a value already", "remove one"
                )
            keys.append(key.value)
            given.append(self.check(entry.value, scope, expected.value, "a value"))
        default = None
        if e.default is not None:
            default = self.check(e.default, scope, expected.value, "a value")
        elif not isinstance(expected.key, y.Player):
            missing = [k for k in y.values(expected.key, self.types.player.most) if k not in keys]
            if missing:
                self.messages.error(
                    "RW202", e.span, f"no value is given for `{missing[0]}`",
                    "give one for each key, or end with `else: value`",
                )  # fmt: skip
        return c.MapOf(e.span, expected, tuple(keys), tuple(given), default)

    def _no_map(self, span: Span, expected: y.Type | None) -> c.Expr:
        if expected != y.BROKEN:
            self.messages.error(
                "RW201", span, "there is no map of known keys here for these values",
                "sets are written with braces: {a, b}",
            )  # fmt: skip
        return self.broken(span)

    def _map_each(self, e: t.MapEach, scope: Scope, expected: y.Type | None) -> c.Expr:
        binders, inner = self.binders(e.binders, scope)
        only = binders.all[0]
        if len(binders.all) > 1 or binders.where is not None or only.low is not None:
            self.messages.error(
                "RW202", e.span, "a map goes through one whole type",
                "write `[each k: T: value]`",
            )  # fmt: skip
            return self.broken(e.span)
        hint = expected.value if isinstance(expected, y.Map) else None
        value = self.infer(e.value, inner, hint)
        if y.BROKEN in (value.type, only.type):
            return self.broken(e.span)
        return c.MapEach(e.span, y.Map(only.type, value.type), only.name, value)

    # ---- calls

    def _call(self, e: t.Call, scope: Scope, expected: y.Type | None) -> c.Expr:
        name = e.function.text
        if name == "old":
            return self._old(e, scope, expected)
        function = self.names.find("function", name)
        if function is not None:
            signature = self.declared.signature(name)
            values = self.arguments(e.span, name, signature.params, e.arguments, scope)
            if values is None or signature.type == y.BROKEN:
                return self.broken(e.span)
            return c.Call(e.span, signature.type, name, values, scope.in_old)
        if name in self.types.cases:
            return self._case(e, scope)
        grid = self.types.declared.get(name)
        if isinstance(grid, y.Grid):
            self.names.find("type", name)
            params = (c.Param(e.span, "column", y.INT), c.Param(e.span, "row", y.INT))
            values = self.arguments(e.span, name, params, e.arguments, scope)
            return c.Builtin(e.span, grid, "square", values) if values else self.broken(e.span)
        if name in BUILTIN_FUNCTIONS:
            return call_builtin(self, e, scope)
        for kind, help in (
            ("rule", "a rule is asked for with `needs`, not used in an expression"),
            ("effect", "an effect stands in `does`, not in an expression"),
        ):
            if self.names.find(kind, name) is not None:
                self.messages.error("RW203", e.function.span, f"`{name}` is a {kind}", help)
                return self.broken(e.span)
        self.messages.error(
            "RW101", e.function.span, f"there is no function `{name}`",
            suggestion(
                name, [*self.names.of("function"), *BUILTIN_FUNCTIONS, *self.types.cases],
                "declare it with `fun`",
            ),
        )  # fmt: skip
        return self.broken(e.span)

    def _old(self, e: t.Call, scope: Scope, expected: y.Type | None) -> c.Expr:
        if not scope.may_old or scope.in_old:
            self.messages.error(
                "RW208", e.span, "`old` has no meaning here",
                "it stands in `always` properties, and not inside another `old`",
            )  # fmt: skip
            return self.broken(e.span)
        if len(e.arguments) != 1 or isinstance(e.arguments[0], t.Keyword):
            self.messages.error("RW202", e.span, "`old` takes one value", "write `old(x)`")
            return self.broken(e.span)
        return self.infer(e.arguments[0], scope.old(), expected)

    def _case(self, e: t.Call, scope: Scope) -> c.Expr:
        """A case with fields: a literal when its fields are, else looked up by them."""
        enum, case = self.types.cases[e.function.text]
        self.declared.note_member(enum)
        params = tuple(
            c.Param(field.span, field.name.text, self.types.of(field.type)) for field in case.fields
        )
        values = self.arguments(e.span, e.function.text, params, e.arguments, scope)
        if values is None:
            return self.broken(e.span)
        known = [value for value in values if isinstance(value, c.Literal)]
        if len(known) == len(values):
            member = " ".join(y.value_name(value.value) for value in known)
            member = member if member in enum.members else f"{case.name.text} {member}"
            if member in enum.members:
                return c.Literal(e.span, enum, member)
        return c.Builtin(e.span, enum, f"case {case.name.text}", values)

    def arguments(
        self,
        span: Span,
        name: str,
        params: tuple[c.Param, ...],
        arguments: tuple[t.Argument, ...],
        scope: Scope,
    ) -> tuple[c.Expr, ...] | None:
        """The values for the parameters in their order, positional ones first; None if they do
        not match (reported)."""
        given: dict[str, t.Expr] = {}
        for position, argument in enumerate(arguments):
            if isinstance(argument, t.Keyword):
                key, value = argument.name.text, argument.value
                if key not in (param.name for param in params):
                    known = [param.name for param in params]
                    self.messages.error(
                        "RW202", argument.name.span, f"`{name}` has no parameter `{key}`",
                        suggestion(key, known, f"it takes {', '.join(known) or 'none'}"),
                    )  # fmt: skip
                    return None
            elif position < len(params):
                key, value = params[position].name, argument
            else:
                self.messages.error(
                    "RW202", argument.span, f"`{name}` takes {len(params)} values, "
                    f"here are {len(arguments)}", _signature(name, params),
                )  # fmt: skip
                return None
            if key in given:
                self.messages.error("RW202", argument.span, f"`{key}` is given twice", "remove one")
                return None
            given[key] = value
        missing = [param.name for param in params if param.name not in given]
        if missing:
            self.messages.error(
                "RW202", span, f"`{name}` also needs `{'`, `'.join(missing)}`",
                _signature(name, params),
            )  # fmt: skip
            return None
        return tuple(
            self.check(given[param.name], scope, param.type, f"`{param.name}`") for param in params
        )


def _signature(name: str, params: tuple[c.Param, ...]) -> str:
    inside = ", ".join(f"{param.name}: {y.show(param.type)}" for param in params)
    return f"it is `{name}({inside})`"


def _moved(e: Any, span: Span) -> c.Expr:
    """The same expression, standing at another place."""
    return replace(e, span=span)  # type: ignore[no-any-return]


def _range(type_: y.Type) -> str:
    if isinstance(type_, y.Int) and type_.low == type_.high:
        return str(type_.low)
    if isinstance(type_, y.Int) and (type_.low is None or type_.high is None):
        return f"at least {type_.low}" if type_.high is None else f"at most {type_.high}"
    return f"in {y.show(type_)}"
