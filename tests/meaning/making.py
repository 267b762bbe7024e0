"""Makes one well-typed expression or statement after the other, from choices; see `exprs`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeAlias, TypeVar

from rulewright.diagnostics import Messages, Text
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.ranges import negative
from rulewright.meaning.typing.builtins import result_type as builtin_type
from rulewright.meaning.typing.operators import binary
from rulewright.meaning.typing.quantifiers import Binders, fold_type
from rulewright.syntax.node import NOWHERE
from tests.meaning.states import Source, pick, playground

T = TypeVar("T")
Names: TypeAlias = dict[str, y.Type]
WAYS: list[y.Type] = [y.DIRECTION, y.WAY, y.DIAGONAL]
Ways: TypeAlias = list[Callable[[], c.Expr]]
"""How an expression may be made, the simplest way first."""


@cache
def _named() -> dict[str, Any]:
    enums: dict[str, Any] = {each.name: each for each in playground().enums}
    variables = {each.name: each.type for each in playground().variables}
    board = variables["board"]
    assert isinstance(board, y.Map)
    return {**enums, "Square": board.key, "variables": variables, "board": board}


@cache
def all_types() -> tuple[y.Type, ...]:
    colour, tile, square = _named()["Colour"], _named()["Tile"], _named()["Square"]
    small, player = y.Int(0, 5), y.Player(2, 3)
    return (
        y.BOOL, y.INT, player, colour, tile, square, y.Option(colour), y.Option(square),
        y.Option(tile), y.Option(small), y.Set(colour), y.Set(square), y.Set(small), y.Set(player),
        y.Bag(tile), y.Bag(colour), _named()["board"], y.Map(colour, small),
        y.Map(player, y.Bag(tile)),
    )  # fmt: skip


class Maker:
    """Makes expressions from the choices of a source. `names` are the bound names with their
    types, `depth` is how far down it may still go."""

    def __init__(self, source: Source, old: bool) -> None:
        self.source = source
        self.old = old
        self.bound = 0
        self.messages = Messages(Text("random", ""))

    def pick(self, options: Sequence[T]) -> T:
        return pick(self.source, options)

    def flag(self) -> bool:
        return self.source.below(2) == 1

    def fresh(self) -> str:
        self.bound += 1
        return f"x{self.bound}"

    def expression(self, wanted: y.Type, names: Names, depth: int) -> c.Expr:
        """An expression whose type fits the wanted one."""
        ways = self.simple(wanted, names)
        if depth > 0:
            ways = [
                *ways[:2], *self.anywhere(wanted, names, depth - 1),
                *self.deep(wanted, names, depth - 1) * 2,
            ]  # fmt: skip
        return self.pick(ways)()

    # ---- what needs no parts

    def simple(self, wanted: y.Type, names: Names) -> Ways:
        ways: Ways = [lambda: self.literal(wanted)]
        locals = [name for name, type in names.items() if _fits(type, wanted)]
        if locals:
            ways.insert(0, lambda: self.local(self.pick(locals), names))
        variables = [n for n, type in _named()["variables"].items() if _fits(type, wanted)]
        if variables:
            ways.append(lambda: self.variable(self.pick(variables)))
        if wanted == y.INT:
            ways.append(lambda: c.PlayerCount(NOWHERE, y.Int(2, 3)))
        return ways

    def local(self, name: str, names: Names) -> c.Expr:
        return c.Local(NOWHERE, names[name], name)

    def variable(self, name: str) -> c.Expr:
        old = self.old and self.flag()
        return c.StateVar(NOWHERE, _named()["variables"][name], name, old)

    def literal(self, wanted: y.Type) -> c.Expr:
        match wanted:
            case y.Option(inner):
                if self.flag():
                    return c.Literal(NOWHERE, y.NOTHING, None)
                return self.literal(inner)
            case y.Set():
                return c.SetOf(NOWHERE, y.Set(y.NEVER), ())
            case y.Bag():
                return c.BagOf(NOWHERE, y.Bag(y.NEVER), ())
            case y.Map(_, inner):
                return c.MapOf(NOWHERE, wanted, (), (), self.literal(inner))
            case y.Int(low, high):
                first = -3 if low is None else low
                number = first + self.source.below((6 if high is None else high) - first + 1)
                return c.Literal(NOWHERE, y.Int(number, number), number)
            case y.Player():
                return c.Literal(NOWHERE, wanted, self.pick([1, 2]))
            case _:
                return c.Literal(NOWHERE, wanted, self.pick(y.values(wanted, 2)))

    # ---- what can be of any type

    def anywhere(self, wanted: y.Type, names: Names, depth: int) -> Ways:
        def choose() -> c.Expr:
            then, otherwise = (self.expression(wanted, names, depth) for _ in range(2))
            condition = self.expression(y.BOOL, names, depth)
            return c.Choose(NOWHERE, _join(then, otherwise), condition, then, otherwise)

        def let() -> c.Expr:
            value = self.expression(self.pick(all_types()), names, depth)
            name = self.fresh()
            body = self.expression(wanted, {**names, name: value.type}, depth)
            return c.Let(NOWHERE, body.type, name, value, body)

        def otherwise() -> c.Expr:
            value = self.expression(y.Option(wanted), names, depth)
            if not isinstance(value.type, y.Option):
                return value
            default = self.expression(wanted, names, depth)
            joined = y.join(value.type.inner, default.type)
            assert joined is not None
            return c.Otherwise(NOWHERE, joined, value, default)

        optional = [otherwise] if y.is_scalar(wanted) else []
        functions = [each for each in playground().functions if _fits(each.type, wanted)]
        calls = [lambda: self.call(self.pick(functions), names, depth)] if functions else []
        maps = [name for name, type in self.maps(names).items() if _reaches(type, wanted)]
        lookups = [lambda: self.lookup(self.pick(maps), wanted, names, depth)] if maps else []
        return [choose, let, *optional, *calls, *lookups]

    def call(self, function: c.Function, names: Names, depth: int) -> c.Expr:
        arguments = tuple(self.expression(param.type, names, depth) for param in function.params)
        old = self.old and self.flag()
        return c.Call(NOWHERE, function.type, function.name, arguments, old)

    def maps(self, names: Names) -> dict[str, y.Type]:
        tables: dict[str, y.Type] = {each.name: each.type for each in playground().tables}
        return {**tables, **_named()["variables"], **names}

    def lookup(self, name: str, wanted: y.Type, names: Names, depth: int) -> c.Expr:
        """A value looked up in a table, variable or bound map."""
        found: c.Expr
        if name in names:
            found = self.local(name, names)
        elif name in _named()["variables"]:
            found = self.variable(name)
        else:
            found = c.TableRef(NOWHERE, self.maps(names)[name], name)
        while not _fits(found.type, wanted):
            assert isinstance(found.type, y.Map)
            key_type: y.Type = found.type.key
            if isinstance(found.type.value, y.Option) and self.flag():
                key_type = y.Option(key_type)
            key = self.expression(_loose(key_type), names, depth)
            found = c.Lookup(NOWHERE, found.type.value, found, key)
        return found

    # ---- what is of one type

    def deep(self, wanted: y.Type, names: Names, depth: int) -> Ways:
        def of(type: y.Type) -> c.Expr:
            return self.expression(type, names, depth)

        colour, tile = _named()["Colour"], _named()["Tile"]
        match wanted:
            case y.Bool():
                return self.truths(of, names, depth)
            case y.Int():
                return self.numbers(of, names, depth)
            case y.Player():
                return [
                    lambda: self.builtin(wanted, self.pick(["left_of", "right_of"]), of(wanted)),
                    lambda: self.first(wanted, names, depth),
                ]
            case y.Enum("Tile"):
                return [lambda: c.Builtin(NOWHERE, tile, "case tile", (of(colour), of(y.INT)))]
            case y.Grid():
                return [lambda: c.Builtin(NOWHERE, wanted, "square", (of(y.INT), of(y.INT)))]
            case y.Option(y.Grid() as grid):
                return [
                    lambda: self.builtin(
                        wanted, "step", of(grid), of(self.pick(WAYS)), of(y.Int(-1, 3))
                    ),
                    lambda: of(grid),
                    lambda: self.first(wanted, names, depth),
                ]
            case y.Option(y.Enum("Colour")):
                return [
                    lambda: self.field(of(tile), "colour"),
                    lambda: of(colour),
                    lambda: self.first(wanted, names, depth),
                ]
            case y.Option(y.Int()):
                return [
                    lambda: self.field(of(tile), "value"),
                    lambda: self.fold(self.pick(["min", "max"]), y.INT, names, depth),
                    lambda: self.first(y.Option(y.Int(0, 3)), names, depth),
                ]
            case y.Option(inner):
                return [lambda: of(inner)]
            case y.Set() | y.Bag():
                return self.collections(wanted, of, names, depth)
            case y.Map():
                return self.whole_maps(wanted, of, names, depth)
            case _:
                return []

    def truths(self, of: Callable[[y.Type], c.Expr], names: Names, depth: int) -> Ways:
        colour, tile = _named()["Colour"], _named()["Tile"]

        def compared(operators: list[str], types: list[y.Type]) -> c.Expr:
            type = self.pick(types)
            return self.operator(self.pick(operators), of(type), of(type))

        def member() -> c.Expr:
            held: list[y.Type] = [y.Set(colour), y.Bag(tile), y.Set(y.Int(0, 5))]
            collection = of(self.pick(held))
            assert isinstance(collection.type, y.Set | y.Bag)
            wanted = collection.type.element
            element = of(_loose(wanted) if wanted != y.NEVER else colour)
            return self.operator("in", element, collection)

        def reading() -> c.Expr:
            taste = y.Enum("reading taste", ("sweet", "sour"))
            option = c.Literal(NOWHERE, taste, self.pick(taste.members))
            left = c.ReadingRef(NOWHERE, taste, "taste")
            return c.Binary(NOWHERE, y.BOOL, "equal", left, option)

        def logic() -> c.Expr:
            operator = self.pick(["and", "or", "implies"])
            return c.Binary(NOWHERE, y.BOOL, operator, of(y.BOOL), of(y.BOOL))

        def connected() -> c.Expr:
            square = _named()["Square"]
            held = y.Set(self.pick([square, colour]))
            sets = (of(held), of(held), of(held))
            return self.flood(y.BOOL, "connected", held, *sets)

        ordered: list[y.Type] = [y.INT, y.INT, colour, y.Player(2, 3)]
        contained: list[y.Type] = [y.Set(colour), y.Set(y.Int(0, 5)), y.Bag(tile)]
        return [
            logic, logic, member, reading, connected,
            lambda: c.Unary(NOWHERE, y.BOOL, "not", of(y.BOOL)),
            lambda: compared(["==", "!="], list(all_types())),
            lambda: compared(["<", "<=", ">", ">="], ordered),
            lambda: compared(["<", "<=", ">", ">="], contained),
            lambda: self.fold(self.pick(["all", "some"]), y.BOOL, names, depth),
        ]  # fmt: skip

    def numbers(self, of: Callable[[y.Type], c.Expr], names: Names, depth: int) -> Ways:
        colour, tile, square = _named()["Colour"], _named()["Tile"], _named()["Square"]

        def minus() -> c.Expr:
            operand = of(y.INT)
            assert isinstance(operand.type, y.Int)
            return c.Unary(NOWHERE, negative(operand.type), "negative", operand)

        def counted() -> c.Expr:
            return c.BagCount(NOWHERE, y.Int(0, None), of(y.Bag(tile)), of(tile))

        def least() -> c.Expr:
            found = self.fold(self.pick(["min", "max"]), y.INT, names, depth)
            if not isinstance(found.type, y.Option):
                return found
            default = of(y.INT)
            joined = y.join(found.type.inner, default.type)
            assert joined is not None
            return c.Otherwise(NOWHERE, joined, found, default)

        sized: list[y.Type] = [y.Set(colour), y.Set(square), y.Bag(tile)]
        return [
            lambda: self.operator(self.pick("+-*/%"), of(y.INT), of(y.INT)),
            lambda: self.operator(self.pick("+-"), of(y.INT), of(y.INT)),
            minus, counted, least,
            lambda: self.fold(self.pick(["sum", "count"]), y.INT, names, depth),
            lambda: self.builtin(y.INT, "size", of(self.pick(sized))),
            lambda: self.builtin(y.INT, self.pick(["min", "max"]), of(y.INT), of(y.INT)),
            lambda: self.builtin(y.INT, "abs", of(y.INT)),
            lambda: self.builtin(y.INT, self.pick(["column", "row"]), of(square)),
            lambda: self.builtin(y.INT, "components", of(_named()["board"])),
        ]  # fmt: skip

    def collections(
        self, wanted: y.Set | y.Bag, of: Callable[[y.Type], c.Expr], names: Names, depth: int
    ) -> Ways:
        kind = type(wanted)

        def written() -> c.Expr:
            elements = tuple(of(wanted.element) for _ in range(self.source.below(4)))
            inside: y.Type = y.NEVER
            for element in elements:
                joined = y.join(inside, element.type)
                assert joined is not None
                inside = joined
            node = c.SetOf if isinstance(wanted, y.Set) else c.BagOf
            return node(NOWHERE, kind(inside), elements)

        def each() -> c.Expr:
            binders, inner = self.binders(names, depth)
            element = self.expression(wanted.element, inner, depth)
            return c.SetEach(NOWHERE, kind(element.type), binders.all, binders.where, element)

        ways: Ways = [
            written, each, lambda: self.operator(self.pick("+-&"), of(wanted), of(wanted))
        ]  # fmt: skip
        board = _named()["board"]
        if wanted in (y.Set(board.key), y.Set(_named()["Colour"])):
            ways.append(lambda: self.flood(wanted, "reach", wanted, of(wanted), of(wanted)))
        if wanted == y.Set(board.key):
            ways.append(lambda: self.builtin(wanted, "occupied", of(board)))
        if wanted == y.Bag(board.value.inner):
            ways.append(lambda: self.builtin(wanted, "tally", of(board)))
            ways.append(lambda: self.fold("sum", wanted, names, depth))
        return ways

    def whole_maps(
        self, wanted: y.Map, of: Callable[[y.Type], c.Expr], names: Names, depth: int
    ) -> Ways:
        keys = y.values(wanted.key, 2)

        def written() -> c.Expr:
            chosen = dict.fromkeys(self.pick(keys) for _ in range(self.source.below(3)))
            given = tuple(of(wanted.value) for _ in chosen)
            return c.MapOf(NOWHERE, wanted, tuple(chosen), given, of(wanted.value))

        def each() -> c.Expr:
            name = self.fresh()
            value = self.expression(wanted.value, {**names, name: wanted.key}, depth)
            return c.MapEach(NOWHERE, y.Map(wanted.key, value.type), name, value)

        def updated() -> c.Expr:
            map = of(wanted)
            assert isinstance(map.type, y.Map)
            value = of(_loose(wanted.value))
            if not y.fits(value.type, map.type.value) or y.apart(value.type, map.type.value):
                return map
            return c.Updated(NOWHERE, map.type, map, of(wanted.key), value)

        return [written, each, updated]

    # ---- parts

    def operator(self, operator: str, left: c.Expr, right: c.Expr) -> c.Expr:
        made = binary(NOWHERE, operator, left, right, self.messages)
        return made if made.type != y.BROKEN else left if operator in "+-*/%&" else _truth()

    def builtin(self, wanted: y.Type, name: str, *arguments: c.Expr) -> c.Expr:
        type = builtin_type(name, [each.type for each in arguments])
        if type is None:  # the type checker knows better of an argument: its map has no `none`
            return self.literal(wanted)
        return c.Builtin(NOWHERE, type, name, arguments)

    def flood(self, wanted: y.Type, name: str, held: y.Type, *sets: c.Expr) -> c.Expr:
        """What is connected, along directions or as a table has it."""
        assert isinstance(held, y.Set)
        if sets[-1].type != held:  # a set of nothing: there is no saying of what
            return self.literal(wanted)
        if isinstance(held.element, y.Grid):
            along = self.pick(WAYS)
            return c.Builtin(NOWHERE, wanted, name, sets, along)
        tables = {each.name: each.type for each in playground().tables}
        table = self.pick(["next_to", "joined"])
        return c.Builtin(NOWHERE, wanted, name, (*sets, c.TableRef(NOWHERE, tables[table], table)))

    def field(self, record: c.Expr, name: str) -> c.Expr:
        assert isinstance(record.type, y.Enum)
        field = record.type.field(name)
        assert field is not None
        return c.FieldOf(NOWHERE, field.type, record, name)

    def fold(self, kind: str, body_type: y.Type, names: Names, depth: int) -> c.Expr:
        """A quantifier; a `min` or `max` that may be of nothing is an optional."""
        binders, inner = self.binders(names, depth)
        wanted = y.BOOL if kind in ("all", "some", "count") else body_type
        body = self.expression(wanted, inner, depth)
        made, type = fold_type(kind, 0, binders, body, self.messages)
        if type == y.BROKEN:
            return self.literal(body_type)
        return c.Quantify(NOWHERE, type, made, binders.all, binders.where, body)

    def first(self, wanted: y.Type, names: Names, depth: int) -> c.Expr:
        """The first value for which something holds; or another, where none may be."""
        inner = wanted.inner if isinstance(wanted, y.Option) else wanted
        drawn = self.expression(y.Set(inner), names, depth - 1) if self.flag() else None
        if drawn is not None and drawn.type != y.Set(inner):
            drawn = None
        name = self.fresh()
        binder = c.Binder(NOWHERE, name, inner, drawn, None)
        inside = {**names, name: inner}
        where = self.expression(y.BOOL, inside, depth - 1) if self.flag() else None
        body = self.expression(y.BOOL, inside, depth)
        found = c.Quantify(NOWHERE, y.Option(inner), "first", (binder,), where, body)
        if isinstance(wanted, y.Option):
            return found
        return c.Otherwise(NOWHERE, wanted, found, self.expression(wanted, names, depth))

    def binders(self, names: Names, depth: int) -> tuple[Binders, Names]:
        found: list[c.Binder] = []
        for _ in range(1 + self.source.below(2)):
            binder = self.binder(names, depth)
            if binder.type == y.NEVER:  # the elements of `{}`
                continue
            found.append(binder)
            names = {**names, binder.name: binder.type}
        if not found:
            found.append(c.Binder(NOWHERE, self.fresh(), y.BOOL, None, None))
            names = {**names, found[0].name: y.BOOL}
        where = self.expression(y.BOOL, names, depth - 1) if self.flag() else None
        return Binders(tuple(found), where), names

    def binder(self, names: Names, depth: int) -> c.Binder:
        colour, tile, square = _named()["Colour"], _named()["Tile"], _named()["Square"]
        name = self.fresh()
        drawn: list[y.Type] = [
            y.Set(colour),
            y.Set(y.Int(0, 5)),
            y.Bag(tile),
            y.Option(tile),
            y.Option(square),
        ]
        match self.pick(["type", "range", "drawn"]):
            case "type":
                type = self.pick([colour, y.Player(2, 3), y.Int(0, 3), y.BOOL, y.Option(colour)])
                return c.Binder(NOWHERE, name, type, None, None)
            case "range":
                low = self.expression(y.Int(0, 3), names, 0)
                high = self.expression(y.Int(0, 3), names, depth - 1)
                assert isinstance(low.type, y.Int) and isinstance(high.type, y.Int)
                return c.Binder(NOWHERE, name, y.Int(low.type.low, high.type.high), low, high)
            case _:
                source = self.expression(self.pick(drawn), names, depth - 1)
                if not isinstance(source.type, y.Set | y.Bag | y.Option):
                    return c.Binder(NOWHERE, name, colour, None, None)
                inner = source.type.inner if isinstance(source.type, y.Option) else None
                element = inner if inner is not None else source.type.element  # type: ignore[union-attr]
                return c.Binder(NOWHERE, name, element, source, None)

    # ---- statements

    def block(self, names: Names, depth: int) -> tuple[c.Statement, ...]:
        found: list[c.Statement] = []
        for _ in range(1 + self.source.below(3)):
            match self.pick(["assign", "assign", "assign", "if", "for", "let", "perform", "label"]):
                case "if" if depth > 0:
                    condition = self.expression(y.BOOL, names, depth - 1)
                    then, other = (self.block(names, depth - 1) for _ in range(2))
                    found.append(c.If(NOWHERE, condition, then, other))
                case "for" if depth > 0:
                    binders, inner = self.binders(names, depth - 1)
                    body = self.block(inner, depth - 1)
                    found.append(c.For(NOWHERE, binders.all, binders.where, body))
                case "let":
                    value = self.expression(self.pick(all_types()), names, depth - 1)
                    name = self.fresh()
                    names = {**names, name: value.type}
                    found.append(c.Bind(NOWHERE, name, value))
                case "perform":
                    argument = self.expression(_named()["Colour"], names, depth - 1)
                    found.append(c.Perform(NOWHERE, "raise_level", (argument,)))
                case "label" if depth > 0:
                    body = self.block(names, depth - 1)
                    found.append(c.Labelled(NOWHERE, "random.label", "prose", (), body))
                case _:
                    found.append(self.assign(names, depth - 1))
        return tuple(found)

    def assign(self, names: Names, depth: int) -> c.Statement:
        """A write to a variable, whole or at some keys."""
        variables = _named()["variables"]
        name = self.pick(list(variables))
        type = variables[name]
        keys: list[c.Expr] = []
        while isinstance(type, y.Map) and (self.flag() or not _known_type(type)):
            keys.append(self.expression(_loose(type.key), names, depth - 1))
            type = type.value
        value = self.expression(_loose(type), names, depth)
        if y.apart(value.type, type):
            value = self.literal(type)
        return c.Assign(NOWHERE, name, tuple(keys), value, type)


def _truth() -> c.Expr:
    return c.Literal(NOWHERE, y.BOOL, True)


def _fits(type: y.Type, wanted: y.Type) -> bool:
    """Whether values of a type can stand here, so that what is worked out stays of the type."""
    return y.fits(type, wanted) and not y.apart(type, wanted)


def _loose(type: y.Type) -> y.Type:
    """Any number where a range is wanted: whether it fits shows in play."""
    match type:
        case y.Int():
            return y.INT
        case y.Option(y.Int()):
            return y.Option(y.Int(0, 5))
        case _:
            return type


def _known_type(type: y.Type) -> bool:
    return type in all_types()


def _join(left: c.Expr, right: c.Expr) -> y.Type:
    joined = y.join(left.type, right.type)
    assert joined is not None
    return joined


def _reaches(type: y.Type, wanted: y.Type) -> bool:
    """Whether a value of the wanted type can be looked up in one of the type."""
    return isinstance(type, y.Map) and (_fits(type.value, wanted) or _reaches(type.value, wanted))
