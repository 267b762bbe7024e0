"""What the operators and the built-in functions do to values.

A part of the definition in `evaluate`, which works out the operands and hands them over here.
`and`, `or` and `implies` are not here: they do not always look at both sides.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.geometry import sides, ways
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import BagValue, entries, ordered, text


def operate(expression: c.Binary, left: Any, right: Any, instance: Instance) -> Any:
    """The value of an operator between two values."""
    match expression.operator:
        case "equal":
            return left == right
        case "unequal":
            return left != right
        case "add":
            return left + right
        case "subtract":
            return left - right
        case "multiply":
            return left * right
        case "divide":  # rounds down, also below zero: -7 / 2 is -4
            return left // _divisor(left, right, expression)
        case "remainder":  # a % b is a - b * (a / b)
            return left % _divisor(left, right, expression)
        case "less" | "less_equal" | "greater" | "greater_equal":
            return _compare(expression, left, right, instance)
        case "union":
            return left | right
        case "difference":
            return left - right
        case "common" | "bag_common":
            return left & right
        case "subset" | "sub_bag":
            return left <= right
        case "proper_subset" | "proper_sub_bag":
            return left < right
        case "member" | "bag_member":
            return left in right
        case "bag_union":
            return left + right
        case "bag_difference":
            return _take(expression, left, right, instance)
        case operator:
            raise AssertionError(operator)


def builtin(expression: c.Builtin, values: Sequence[Any], instance: Instance) -> Any:
    """The value of a built-in function."""
    match expression.name, values:
        case "left_of", (player,):
            return player % instance.players + 1
        case "right_of", (player,):
            return (player - 2) % instance.players + 1
        case "size", (collection,):
            return len(collection)
        case "min", (one, other):
            return min(one, other)
        case "max", (one, other):
            return max(one, other)
        case "abs", (number,):
            return abs(number)
        case "step", (square, direction, steps):
            assert isinstance(expression.type, y.Option)
            return _stepped(square, direction, steps, expression.type.inner)
        case "column", (square,):
            return _place(square)[0]
        case "row", (square,):
            return _place(square)[1]
        case "square", (column, row):
            found = _square(column, row, expression.type)
            if found is None:
                message = f"`{y.show(expression.type)}` has no square in column {column}, row {row}"
                raise EvaluationError(message, expression.span)
            return found
        case "occupied", (map,):
            return frozenset(entries(map))
        case "tally", (map,):
            return BagValue(entries(map).values())
        case "components", (map,):
            assert isinstance(expression.arguments[0].type, y.Map)
            grid = expression.arguments[0].type.key
            return _components(frozenset(entries(map)), grid, expression.along)
        case "reach", (start, inside, *_):
            return _reached(start & inside, inside, links_of(expression, instance))
        case "connected", (start, end, inside, *_):
            links = links_of(expression, instance)
            return not end.isdisjoint(_reached(start & inside, inside, links))
        case name, fields if name.startswith("case "):
            return _case(expression, name.removeprefix("case "), fields)
        case name, _:
            raise AssertionError(name)


def place(expression: c.Expr) -> str:
    """What a message calls the value of an expression: `rack[p]`, or `this` if it has no name."""
    match expression:
        case c.Local(name=name) | c.StateVar(name=name) | c.TableRef(name=name):
            return name
        case c.Call(function=name):
            return f"{name}(…)"
        case c.Literal(value=value):
            return text(value)
        case c.Lookup(map=map, key=key):
            return f"{place(map)}[{place(key)}]"
        case _:
            return "this"


def _divisor(left: int, right: int, expression: c.Binary) -> int:
    if right == 0:
        raise EvaluationError(f"{left} is divided by zero", expression.span)
    return right


def _compare(expression: c.Binary, left: Any, right: Any, instance: Instance) -> bool:
    """Numbers by size, players by seat, enumerations as declared."""
    if isinstance(expression.left.type, y.Enum):
        order = instance.order(expression.left.type)
        left, right = order[left], order[right]
    match expression.operator:
        case "less":
            return bool(left < right)
        case "less_equal":
            return bool(left <= right)
        case "greater":
            return bool(left > right)
        case _:
            return bool(left >= right)


def _take(expression: c.Binary, bag: BagValue, taken: BagValue, instance: Instance) -> BagValue:
    """A bag without what is taken, all of which it must hold."""
    assert isinstance(expression.left.type, y.Bag)
    for element in ordered(taken, expression.left.type.element, instance):
        if taken[element] > bag[element]:
            raise EvaluationError(
                f"{taken[element]} of `{text(element)}` cannot be taken from "
                f"`{place(expression.left)}`, which holds {bag[element]}",
                expression.span,
            )
    return bag - taken


def _place(square: str) -> tuple[int, int]:
    found = y.square_place(square)
    assert found is not None
    return found


def _square(column: int, row: int, grid: y.Type) -> str | None:
    """The square at a place, None if that is beyond the edge."""
    assert isinstance(grid, y.Grid)
    inside = 1 <= column <= grid.width and 1 <= row <= grid.height
    return y.square_name(column, row) if inside else None


def _stepped(square: str, direction: str, steps: int, grid: y.Type) -> str | None:
    """The square so many steps away, None beyond the edge."""
    assert isinstance(grid, y.Grid)
    (column, row), (right, down) = _place(square), ways(grid)[direction]
    return _square(column + right * steps, row + down * steps, grid)


def _components(left: frozenset[str], grid: y.Type, along: y.Type | None) -> int:
    """Into how many parts the squares fall; neighbours share a side, or lie in one of the
    directions `along`."""
    assert isinstance(grid, y.Grid)
    directions = along if isinstance(along, y.Enum) else sides(grid)
    links = {at: _steps_to(at, grid, directions.members) for at in left}
    count = 0
    while left:
        count += 1
        left = left - _reached([next(iter(left))], left, links)
    return count


def _steps_to(square: str, grid: y.Grid, directions: Sequence[str]) -> tuple[str, ...]:
    """The squares one step away."""
    found = (_stepped(square, direction, 1, grid) for direction in directions)
    return tuple(each for each in found if each is not None)


@cache
def _steps_from(grid: y.Grid, directions: tuple[str, ...]) -> dict[Any, tuple[str, ...]]:
    """The same for each square of a board."""
    return {square: _steps_to(str(square), grid, directions) for square in y.values(grid, 0)}


def links_of(expression: c.Builtin, instance: Instance) -> dict[Any, tuple[Any, ...]]:
    """What lies beside each point for `reach` and `connected`: a step away on a board, or what a
    table says. None of it depends on the position."""
    *_, last = expression.arguments
    if isinstance(expression.along, y.Enum):
        assert isinstance(last.type, y.Set) and isinstance(last.type.element, y.Grid)
        return _steps_from(last.type.element, expression.along.members)
    assert isinstance(last, c.TableRef) and isinstance(last.type, y.Map)
    joined = isinstance(last.type.value, y.Map) and last.type.value.value == y.BOOL
    return {
        at: tuple(
            end if joined else there
            for end, there in row.items()
            if there is not None and there is not False
        )
        for at, row in instance.tables[last.name].items()
    }


def _reached(
    start: Collection[Any], inside: Collection[Any], links: Mapping[Any, Sequence[Any]]
) -> frozenset[Any]:
    """What can be come to from somewhere without leaving what is `inside`."""
    found, waiting = set(start), list(start)
    while waiting:
        for near in links[waiting.pop()]:
            if near in inside and near not in found:
                found.add(near)
                waiting.append(near)
    return frozenset(found)


def _case(expression: c.Builtin, case: str, fields: Sequence[Any]) -> str:
    """The member for a case and its fields. Members are named by their fields, and by the case
    too where several cases have fields."""
    assert isinstance(expression.type, y.Enum)
    named = " ".join(map(y.value_name, fields))
    for member in (named, f"{case} {named}"):
        if member in expression.type.members:
            return member
    written = ", ".join(map(text, fields))
    raise EvaluationError(f"there is no `{case}({written})`", expression.span)
