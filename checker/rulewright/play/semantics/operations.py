"""What the operators and the built-in functions do to values.

A part of the definition in `evaluate`, which works out the operands and hands them over here.
`and`, `or` and `implies` are not here: they do not always look at both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.play.semantics.errors import EvaluationError
from rulewright.play.semantics.instance import Instance
from rulewright.play.semantics.values import BagValue, entries, ordered, text

DIRECTIONS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
"""How each direction changes column and row; row 1 is at the top."""


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
            (column, row), (right, down) = _place(square), DIRECTIONS[direction]
            return _square(column + right * steps, row + down * steps, expression.type.inner)
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
            return _components({_place(square) for square in entries(map)})
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


def _components(places: set[tuple[int, int]]) -> int:
    """Into how many parts the places fall; neighbours share a side."""
    count = 0
    while places:
        count += 1
        reached = [places.pop()]
        while reached:
            column, row = reached.pop()
            for right, down in DIRECTIONS.values():
                neighbour = (column + right, row + down)
                if neighbour in places:
                    places.remove(neighbour)
                    reached.append(neighbour)
    return count


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
