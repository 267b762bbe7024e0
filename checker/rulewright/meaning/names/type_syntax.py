"""Types as written to types of the core: named types, cases with fields, declarators."""

from __future__ import annotations

from itertools import product

from rulewright.diagnostics import Messages, Suggestion
from rulewright.meaning import types as y
from rulewright.meaning.checks.size_limits import enterable, listable, too_long
from rulewright.meaning.names.symbol_table import (
    BUILTIN_TYPES,
    DIRECTION_TYPES,
    SymbolTable,
    suggestion,
)
from rulewright.syntax import tree as t
from rulewright.syntax.node import Span
from rulewright.system.limits import how_to_raise, most

MORE_DIRECTIONS = (y.DIAGONAL, y.WAY, y.HEX_WAY)


class TypeResolver:
    """Resolves type expressions; each declared type is worked out once."""

    def __init__(self, names: SymbolTable, game: t.Game | None, messages: Messages) -> None:
        self.names = names
        self.messages = messages
        least, most = (game.least, game.most) if game else (1, 8)
        self.player = y.Player(least, most)
        self.declared: dict[str, y.Type] = {
            "Bool": y.BOOL, "Int": y.INT, "Player": self.player, "Direction": y.DIRECTION,
        }  # fmt: skip
        self.members: dict[str, list[y.Enum]] = {}
        self.cases: dict[str, tuple[y.Enum, t.Case]] = {}
        self.grids: list[y.Grid] = []
        self._busy: set[str] = set()
        self._constants: dict[str, int | None] = {}
        """The constants that are numbers, each worked out once."""
        self._note_members(y.DIRECTION)

    def declare_all(self) -> None:
        """Works out every declared type, so that their members are known."""
        for name in self.names.of("type"):
            self._declared(name)

    def of(self, expression: t.TypeExpr) -> y.Type:
        """The type that a type expression means."""
        match expression:
            case t.NamedType(_, name):
                found = self._declared(name.text)
                if found is None:
                    self.messages.error(
                        "RW104", name.span, f"there is no type `{name.text}`",
                        suggestion(
                            name.text, [*self.names.of("type"), *BUILTIN_TYPES, *DIRECTION_TYPES],
                            "declare it with `type`",
                        ),
                    )  # fmt: skip
                    return y.BROKEN
                self.names.refer("type", name.text, name.span)
                return found
            case t.RangeType(span, low, high):
                first, last = self._bound(low), self._bound(high)
                if first is None or last is None:
                    return y.BROKEN
                if first > last:
                    self.messages.error(
                        "RW207", span, f"the range {first}..{last} is empty",
                        Suggestion(
                            f"write the smaller number first: {last}..{first}",
                            f"{self._written(high)}..{self._written(low)}",
                        ),
                    )  # fmt: skip
                    return y.BROKEN
                return y.Int(first, last)
            case t.OptionalType(span, inner):
                inside = self.of(inner)
                if not y.is_scalar(inside):
                    self.messages.error(
                        "RW204", span, f"`{y.show(inside)}` cannot be optional",
                        "only single values can: numbers, names, players, squares",
                    )  # fmt: skip
                    return y.BROKEN
                return y.Option(inside)
            case t.CollectionType(span, kind, element):
                inside = self.of(element)
                if not y.is_scalar(inside) or inside == y.INT:
                    self.messages.error(
                        "RW204", span, f"a {kind.lower()} cannot hold `{y.show(inside)}`",
                        "its elements are single values of a finite type",
                    )  # fmt: skip
                    return y.BROKEN
                if not self._can_be_listed(inside, span):
                    return y.BROKEN
                return y.Set(inside) if kind == "Set" else y.Bag(inside)
            case t.ListType(span, element, largest):
                return self._list(span, element, largest)

    def _list(self, span: Span, element: t.TypeExpr, largest: t.Expr) -> y.Type:
        """A list of up to so many values."""
        inside, length = self.of(element), self._bound(largest)
        if length is None or inside == y.BROKEN:
            return y.BROKEN
        if not y.is_scalar(inside) or inside == y.INT:
            self.messages.error(
                "RW204", span, f"a list cannot hold `{y.show(inside)}`",
                "its elements are single values of a finite type",
            )  # fmt: skip
            return y.BROKEN
        if length < 1:
            self.messages.error(
                "RW207", largest.span, f"a list of at most {length} values is always empty",
                "give its largest length, from 1 on",
            )  # fmt: skip
            return y.BROKEN
        places = y.Int(1, length)
        return (
            y.Seq(places, y.Option(inside)) if listable(places, span, self.messages) else y.BROKEN
        )

    def declarator(self, declarator: t.Declarator) -> y.Type:
        """The type of a declared name: its own, or a map for each index in front."""
        result = self.of(declarator.type)
        for index in reversed(declarator.indices):
            result = self._by_key(self.of(index), result, index.span)
        return result if enterable(result, declarator.span, self.messages) else y.BROKEN

    def kept_for(self, owner: t.Ident, kept: y.Type) -> y.Type:
        """The type of a variable below `each`: one for each value of the type that it is for."""
        return self._by_key(self.of(t.NamedType(owner.span, owner)), kept, owner.span)

    def _by_key(self, key: y.Type, value: y.Type, span: Span) -> y.Type:
        if not y.is_scalar(key) or key == y.INT:
            self.messages.error(
                "RW204", span, f"`{y.show(key)}` cannot be an index",
                "an index is a finite type of single values",
            )  # fmt: skip
            return y.BROKEN
        broken = key == y.BROKEN or not self._can_be_listed(key, span)
        return y.BROKEN if broken else y.Map(key, value)

    def _can_be_listed(self, type_: y.Type, span: Span) -> bool:
        """Whether a type has so few values that they can be gone through; else it is reported."""
        return listable(type_, span, self.messages)

    def _written(self, bound: t.Expr) -> str:
        return self.messages.text.text[bound.span.start : bound.span.end]

    def _bound(self, bound: t.Expr) -> int | None:
        found = self._number(bound)
        if found is not None and too_long(found):
            self.messages.error(
                "RW215", bound.span, "this number is too large", how_to_raise("digits")
            )
            return None
        return found

    def _number(self, bound: t.Expr) -> int | None:
        match bound:
            case t.Number(_, value):
                return value
            case t.Unary(_, "-", operand):
                inside = self._bound(operand)
                return None if inside is None else -inside
            case t.Binary(_, "+" | "-" | "*" as operator, left, right):
                first, second = self._bound(left), self._bound(right)
                if first is None or second is None:
                    return None
                return {"+": first + second, "-": first - second, "*": first * second}[operator]
            case t.Name(span, text):
                constant = self.names.refer("constant", text, span)
                if constant is not None and text not in self._busy:
                    if text not in self._constants:
                        self._busy.add(text)
                        self._constants[text] = self._bound(constant.value)
                        self._busy.discard(text)
                    inside = self._constants[text]
                    if inside is not None:
                        return inside
                self.messages.error(
                    "RW213", span, f"`{text}` is not a constant number",
                    suggestion(
                        text, (each for each in self.names.of("constant") if each != text),
                        "a bound is a number or a constant that is one",
                    ),
                )  # fmt: skip
                return None
            case _:
                return None

    def _declared(self, name: str) -> y.Type | None:
        if name in self.declared:
            return self.declared[name]
        definition = self.names.of("type").get(name)
        if definition is None:
            return self._directions(name)
        if name in self._busy:
            self.messages.error(
                "RW107", definition.span, f"the type `{name}` is defined by itself",
                "give its values: a range, names, or cases",
            )  # fmt: skip
            return y.BROKEN
        self._busy.add(name)
        self.declared[name] = result = self._body(name, definition.body)
        return result

    def declared_type(self, name: t.Name) -> y.Type | None:
        """The type of that name, None if no type is called so."""
        found = self._declared(name.text)
        if found is not None:
            self.names.refer("type", name.text, name.span)
        return found

    def _directions(self, name: str) -> y.Type | None:
        """The built-in type of directions of that name, which is there from when it is needed, so
        that its values are not taken for those of `Direction` in specs that do without."""
        found = next((each for each in MORE_DIRECTIONS if each.name == name), None)
        if found is not None:
            self.declared[name] = found
            self._note_members(found)
        return found

    def _body(self, name: str, body: t.TypeBody) -> y.Type:
        match body:
            case t.GridType(span, width, height, hex):
                if not 1 <= width <= 1000 or not 1 <= height <= 1000:
                    self.messages.error(
                        "RW207", span, f"a grid of {width} x {height} is not possible",
                        "width and height go from 1 to 1000",
                    )  # fmt: skip
                    return y.BROKEN
                grid = y.Grid(name, width, height, hex)
                self.grids.append(grid)
                return grid
            case t.CasesType(_, (t.Case(_, only, ()),)) if self._declared(only.text) is not None:
                self.names.refer("type", only.text, only.span)
                return self._declared(only.text) or y.BROKEN
            case t.CasesType():
                return self._cases(name, body)
            case _:
                return self.of(body)

    def _cases(self, name: str, body: t.CasesType) -> y.Type:
        with_fields = [case for case in body.cases if case.fields]
        members: list[str] = []
        written: list[str] = []
        values: dict[str, dict[str, y.Value]] = {}
        types: dict[str, y.Type] = {}
        for case in body.cases:
            field_types = [self.of(field.type) for field in case.fields]
            if y.BROKEN in field_types:
                return y.BROKEN
            count = 1
            for field, type_ in zip(case.fields, field_types):
                size = y.most_values(type_) if y.is_scalar(type_) else None
                count *= size or most("members") + 1
                known = types.setdefault(field.name.text, type_)
                if not y.fits(type_, known):
                    self.messages.error(
                        "RW201", field.span,
                        f"the field `{field.name.text}` is `{y.show(known)}` in another case",
                        "a field has one type in all cases of a type",
                    )  # fmt: skip
                    return y.BROKEN
                types[field.name.text] = y.join(known, type_) or known
            if count > most("members"):
                self.messages.error(
                    "RW210", case.span, f"`{case.name.text}` stands for too many values",
                    how_to_raise("members"),
                )  # fmt: skip
                return y.BROKEN
            prefix = [case.name.text] if len(with_fields) > 1 or not case.fields else []
            for choice in product(*(y.values(each, self.player.most) for each in field_types)):
                member = " ".join([*prefix, *map(y.value_name, choice)])
                if member in values:
                    self.messages.error(
                        "RW102", case.span, f"`{member}` is a value of `{name}` twice",
                        "rename one of them",
                    )  # fmt: skip
                    return y.BROKEN
                members.append(member)
                written.append(_written(case.name.text, choice, field_types))
                values[member] = dict(zip((f.name.text for f in case.fields), choice))
        fields = tuple(
            y.Field(
                field,
                type_ if all(field in values[m] for m in members) else y.Option(type_),
                tuple(values[member].get(field) for member in members),
            )
            for field, type_ in types.items()
        )
        result = y.Enum(name, tuple(members), fields, tuple(written))
        self._note_cases(name, body)
        for case in body.cases:
            if case.fields:
                if case.name.text in self.cases:
                    self.messages.error(
                        "RW102", case.name.span, f"the case `{case.name.text}` is declared twice",
                        "rename one of them",
                    )  # fmt: skip
                self.cases[case.name.text] = (result, case)
        self._note_members(result)
        return result

    def _note_cases(self, name: str, body: t.CasesType) -> None:
        for case in body.cases:
            kind = "case" if case.fields else "value"
            self.names.references.define(kind, case.name, case.span, name)
            for field in case.fields:
                self.names.references.define("field", field.name, field.span, name)

    def _note_members(self, type_: y.Enum) -> None:
        for member in type_.members:
            self.members.setdefault(member, []).append(type_)


def _written(case: str, choice: tuple[y.Value, ...], types: list[y.Type]) -> str:
    """A member as it is written in a spec: `tile(red, 5)`."""
    inside = [
        type_.written[type_.members.index(str(value))]
        if isinstance(type_, y.Enum) and type_.written
        else str(value).lower()
        if isinstance(value, bool)
        else str(value)
        for value, type_ in zip(choice, types)
    ]
    return f"{case}({', '.join(inside)})" if inside else case
