"""What operators and built-in functions make of values, and whether they can."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from rulewright.certify.smt.term import Number, Term, Truth, high_of, low_of
from rulewright.certify.symbolic.connections import connection
from rulewright.certify.symbolic.symbolic_values import (
    BoardValue,
    ListedValue,
    OptionValue,
    UnsupportedError,
    Value,
    is_concrete,
    key_of,
    maybe,
)
from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.geometry import offsets

if TYPE_CHECKING:
    from rulewright.certify.symbolic.evaluate import EvaluationContext, Evaluator, Worth


class Operations:
    """Operators and built-in functions, on values that are already worked out."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._ev = evaluator
        self._t = evaluator.t
        self._shapes = evaluator.shapes

    # ---- operators

    def operate(self, e: c.Binary, a: Value, b: Value) -> Worth:
        t = self._t
        match e.operator:
            case "equal":
                return self.same(a, b), True
            case "unequal":
                return t.no(self.same(a, b)), True
            case "add":
                return t.add(a, b), True
            case "subtract":
                return t.minus(a, b), True
            case "multiply":
                return t.multiply(a, b), True
            case "divide" | "remainder":
                quotient = t.divide(a, b)
                rest = t.minus(a, t.multiply(quotient, b))
                value = quotient if e.operator == "divide" else rest
                return value, t.no(t.equal(b, 0))
            case "less":
                return t.less(a, b), True
            case "less_equal":
                return t.at_most(a, b), True
            case "greater":
                return t.less(b, a), True
            case "greater_equal":
                return t.at_most(b, a), True
            case "member":
                return self._shapes.at(b, a), True
            case "bag_member":
                return t.less(0, self._shapes.at(b, a)), True
            case _:
                return self._combine(e.operator, a, b)

    def _combine(self, operator: str, a: Value, b: Value) -> Worth:
        """Sets with sets, bags with bags."""
        t = self._t
        keywise: dict[str, Callable[[Any, Any], Any]] = {
            "union": t.either,
            "difference": lambda one, other: t.both(one, t.no(other)),
            "common": t.both,
            "bag_union": t.add,
            "bag_difference": t.minus,
            "bag_common": lambda one, other: t.choose(t.at_most(one, other), one, other),
        }
        if operator in keywise:
            value = self._keywise(operator, keywise[operator], a, b)
            enough: Truth = True
            if operator == "bag_difference":
                enough = self._everywhere("enough", lambda x, y: t.at_most(y, x), a, b)
            return value, enough
        one_way = t.implies if operator.endswith("subset") else t.at_most
        part = self._everywhere(operator, one_way, a, b)
        if operator.startswith("proper_"):
            return t.both(part, t.no(self.same(a, b))), True
        return part, True

    def _keywise(self, name: str, f: Callable[[Any, Any], Any], a: Value, b: Value) -> Value:
        at = self._shapes.at
        if isinstance(a, BoardValue) or isinstance(b, BoardValue):
            grid = a.grid if isinstance(a, BoardValue) else b.grid
            return self._ev.boards.rule(
                (name, key_of(a), key_of(b)), a.unit, grid, lambda x: f(at(a, x), at(b, x))
            )
        keys = dict.fromkeys([*a.parts, *b.parts])
        parts = {k: f(a.parts.get(k, a.unit), b.parts.get(k, b.unit)) for k in keys}
        return ListedValue(a.unit, parts)

    def _everywhere(self, name: str, f: Callable[[Any, Any], Truth], a: Value, b: Value) -> Truth:
        """Whether something holds of what two collections have at each key."""
        at = self._shapes.at
        if isinstance(a, BoardValue) or isinstance(b, BoardValue):
            grid = a.grid if isinstance(a, BoardValue) else b.grid
            said: Truth = self._ev.boards.all_squares(
                (name, key_of(a), key_of(b)), grid, lambda x: (f(at(a, x), at(b, x)), True)
            )[0]
            return said
        keys = dict.fromkeys([*a.parts, *b.parts])
        return self._t.both(*(f(a.parts.get(k, a.unit), b.parts.get(k, b.unit)) for k in keys))

    def same(self, a: Value, b: Value) -> Truth:
        """Whether two values are equal."""
        t = self._t
        if a is b:
            return True
        if isinstance(a, OptionValue) or isinstance(b, OptionValue):
            a, b = maybe(a), maybe(b)
            alike = a.value is not None and b.value is not None and self.same(a.value, b.value)
            return t.either(t.both(a.none, b.none), t.both(t.no(a.none), t.no(b.none), alike))
        if isinstance(a, BoardValue | ListedValue):
            return self._everywhere("same", self.same, a, b)
        return self._shapes.equal_plain(a, b)

    # ---- sets and bags written out

    def set_of(self, e: c.SetOf | c.BagOf, env: EvaluationContext) -> Worth:
        found = [self._ev.worth(each, env) for each in e.elements]
        assert isinstance(e.type, y.Set | y.Bag)
        values = [(True, value) for value, _ in found]
        return (
            self.collected(values, e.type),
            self._t.both(*(defined for _, defined in found)),
        )

    def collected(self, found: Sequence[tuple[Truth, Value]], type: y.Set | y.Bag) -> Value:
        """The set or bag of some values, each of which is there where its condition holds."""
        t, equal = self._t, self._shapes.equal_plain
        if isinstance(type, y.Set):
            unit: Value = False

            def count(key: Value) -> Value:
                return t.either(*(t.both(g, equal(v, key)) for g, v in found))
        else:
            unit = 0

            def count(key: Value) -> Value:
                return t.add(*(t.choose(t.both(g, equal(v, key)), 1, 0) for g, v in found))

        element = type.element
        if isinstance(element, y.Grid) and self._shapes.is_large(element):
            if isinstance(type, y.Bag):
                raise UnsupportedError("a bag of squares of a large board")
            return BoardValue(unit, element, count, ("collected",))
        keys: dict[Any, None] = {}
        for _, value in found:
            keys.update(dict.fromkeys(self._candidates(value, element)))
        return ListedValue(unit, {key: count(key) for key in keys})

    def _candidates(self, value: Value, type: y.Type) -> Sequence[Any]:
        """What a value can be."""
        if is_concrete(value):
            return [value]
        if isinstance(type, y.Int) and isinstance(value, Term):
            if value.low is None or value.high is None:
                raise UnsupportedError("an element without bounds")
            return range(value.low, value.high + 1)
        return self._shapes.domain(type)

    # ---- built-in functions

    def builtin(self, e: c.Builtin, values: Sequence[Value]) -> Worth:
        t, boards = self._t, self._ev.boards
        match e.name, values:
            case "left_of", (player,):
                last = t.equal(player, self._shapes.players)
                return t.choose(last, 1, t.add(player, 1)), True
            case "right_of", (player,):
                first = t.equal(player, 1)
                return t.choose(first, self._shapes.players, t.add(player, -1)), True
            case "size", (held,):
                return self.size(held), True
            case "min", (one, other):
                return t.choose(t.at_most(one, other), one, other), True
            case "max", (one, other):
                return t.choose(t.at_most(other, one), one, other), True
            case "abs", (number,):
                return t.choose(t.at_most(0, number), number, t.minus(0, number)), True
            case "column", ((column, _),):
                return column, True
            case "row", ((_, row),):
                return row, True
            case "square", (column, row):
                return (column, row), self._shapes.inside((column, row), e.type)
            case "step", (square, direction, steps):
                assert isinstance(e.type, y.Option)
                ways = offsets(e.arguments[1].type, e.type.inner)
                to = self._stepped(square, ways, direction, steps)
                return OptionValue(t.no(self._shapes.inside(to, e.type.inner)), to), True
            case "occupied", (map,):
                return boards.occupied(map), True
            case "tally", (map,):
                assert isinstance(e.type, y.Bag)
                return boards.tally(map, self._shapes.domain(e.type.element)), True
            case "components", (map,):
                (board,) = (each.type for each in e.arguments)
                assert isinstance(board, y.Map) and isinstance(board.key, y.Grid)
                return boards.components(map, board.key), True
            case "reach" | "connected", _:
                return connection(e, values, t, self._shapes), True
            case name, _ if name.startswith("case "):
                return self._case(e, name.removeprefix("case "), values)
            case name, _:
                raise UnsupportedError(f"`{name}`")

    def size(self, held: Value) -> Number:
        """How many elements a set or bag has."""
        if isinstance(held, BoardValue):
            return self._ev.boards.size(held)
        if held.unit is False:
            return self._t.add(*(self._t.choose(each, 1, 0) for each in held.parts.values()))
        return self._t.add(*held.parts.values())

    def _stepped(
        self, square: Value, ways: Sequence[tuple[int, int]], direction: Value, steps: Number
    ) -> Value:
        column, row = square
        changes = [
            self._shapes.at(ListedValue(None, dict(enumerate(each))), direction)
            for each in zip(*ways)
        ]
        right, down = (self._t.multiply(each, steps) for each in changes)
        return self._t.add(column, right), self._t.add(row, down)

    def _case(self, e: c.Builtin, case: str, values: Sequence[Value]) -> Worth:
        """The member for a case and its fields. Members are named by their fields, and by the
        case too where several cases have fields."""
        t, type = self._t, e.type
        assert isinstance(type, y.Enum)
        found: Value = None
        there: Truth = False
        domains = [self._choices_of(value, each.type) for value, each in zip(values, e.arguments)]
        for fields in product(*domains):
            named = " ".join(_written(code, a.type) for code, a in zip(fields, e.arguments))
            for member in (named, f"{case} {named}"):
                if member in type.members:
                    here = t.both(*(self._shapes.equal_plain(v, f) for v, f in zip(values, fields)))
                    place = type.members.index(member)
                    found = place if found is None else self._shapes.merge(here, place, found)
                    there = t.either(there, here)
                    break
        return (0 if found is None else found), there

    def _choices_of(self, value: Value, type: y.Type) -> Sequence[Any]:
        if is_concrete(value):
            return [value]
        low, high = (low_of(value), high_of(value)) if isinstance(value, Term) else (None, None)
        if isinstance(type, y.Int) and low is not None and high is not None:
            return range(low, high + 1)
        return self._shapes.domain(type)


def _written(value: Any, type: y.Type) -> str:
    """A plain value as a spec writes it."""
    match type:
        case y.Enum(_, members):
            return str(members[value])
        case y.Grid():
            return y.square_name(*value)
        case y.Bool():
            return y.value_name(bool(value))
        case _:
            return y.value_name(value)
