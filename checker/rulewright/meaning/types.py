"""The types of the core, and what fits where.

Whole numbers carry the range they are known to lie in. `Never` is the type of nothing at all
(the element of `{}`, the inside of `none`) and fits everywhere; `ErrorType` is the type of an
expression already reported, and silences whatever depends on it.
"""

from __future__ import annotations

from rulewright.syntax.node import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

Value: TypeAlias = "bool | int | str | None"
"""A plain value: a truth, a number or player, a name or square, or nothing."""


class Bool(Node):
    pass


class Int(Node):
    """Whole numbers from `low` to `high`; None is without end."""

    low: int | None
    high: int | None


class Player(Node):
    """The players, 1 up to however many play, at least `least` and at most `most`."""

    least: int
    most: int


class Field(Node):
    """A field of an enumeration with cases: its type, and its value for each member in order."""

    name: str
    type: Type
    values: tuple[Value, ...]


class Enum(Node):
    """Named values in order. A case with fields stands for one member per choice of them;
    `written` says how each member is written in a spec (as it is named, if that is left out)."""

    name: str
    members: tuple[str, ...]
    fields: tuple[Field, ...] = ()
    written: tuple[str, ...] = ()

    def field(self, name: str) -> Field | None:
        return next((field for field in self.fields if field.name == name), None)


class Grid(Node):
    """The squares of a board, row by row from the top left; `hex` if they have six sides."""

    name: str
    width: int
    height: int
    hex: bool = False


class Option(Node):
    inner: Type


class Set(Node):
    element: Type


class Bag(Node):
    element: Type


class Map(Node):
    """A value for every key."""

    key: Type
    value: Type


class Seq(Map):
    """A list: a map from 1 to its largest length that has its values first, then only `none`.
    To whatever comes after typing it is that map."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Map) and (self.key, self.value) == (other.key, other.value)

    def __hash__(self) -> int:
        return hash((Map, self.key, self.value))

    @property
    def element(self) -> Type:
        assert isinstance(self.value, Option)
        return self.value.inner

    @property
    def most(self) -> int:
        assert isinstance(self.key, Int) and self.key.high is not None
        return self.key.high


class Never(Node):
    pass


class ErrorType(Node):
    pass


Type: TypeAlias = (
    Bool | Int | Player | Enum | Grid | Option | Set | Bag | Map | Never | ErrorType
)  # fmt: skip

BOOL = Bool()
INT = Int(None, None)
NEVER = Never()
BROKEN = ErrorType()
NOTHING = Option(NEVER)
DIRECTION = Enum("Direction", ("up", "right", "down", "left"))
DIAGONAL = Enum("Diagonal", ("up_right", "down_right", "down_left", "up_left"))
WAY = Enum("Way", ("up", "up_right", "right", "down_right", "down", "down_left", "left", "up_left"))
HEX_WAY = Enum("HexWay", ("up_right", "right", "down_right", "down_left", "left", "up_left"))


def show(type: Type) -> str:
    """A type as it is written in a spec."""
    match type:
        case Bool():
            return "Bool"
        case Int(low, high):
            return "Int" if low is None or high is None else f"{low}..{high}"
        case Player():
            return "Player"
        case Enum(name) | Grid(name):
            return name
        case Option(Never()):
            return "none"
        case Option(inner):
            return f"{show(inner)}?"
        case Set(element):
            return f"Set[{show(element)}]"
        case Bag(element):
            return f"Bag[{show(element)}]"
        case Seq():
            return f"List[{show(type.element)}, {type.most}]"
        case Map(key, value):
            return f"map [{show(key)}]: {show(value)}"
        case _:
            return "nothing"


def fits(actual: Type, wanted: Type) -> bool:
    """Whether a value of one type can stand where the other is wanted, ranges left aside."""
    if actual is wanted or (type(actual) is Int and type(wanted) is Int):
        return True
    match actual, wanted:
        case (Never() | ErrorType(), _) | (_, ErrorType()):
            return True
        case Option(inner), Option(outer):
            return fits(inner, outer)
        case _, Option(outer):
            return fits(actual, outer)
        case Int(), Int():
            return True
        case Player(), Player():
            return True
        case Enum(name), Enum(other):
            return name == other
        case Grid(name), Grid(other):
            return name == other
        case Set(element), Set(other):
            return fits(element, other)
        case Bag(element), Bag(other):
            return fits(element, other)
        case Seq(), Seq():
            return actual.most == wanted.most and fits(actual.element, wanted.element)
        case (Seq(), _) | (_, Seq()):
            return False
        case Map(key, value), Map(other_key, other_value):
            return same_keys(key, other_key) and fits(value, other_value)
        case _:
            return type(actual) is type(wanted)


def same_keys(one: Type, other: Type) -> bool:
    """Whether maps with these keys have the same keys: of numbers, ranges are compared too."""
    if isinstance(one, Int) and isinstance(other, Int):
        return one == other
    return fits(one, other) and fits(other, one)


def join(left: Type, right: Type) -> Type | None:
    """The type that holds the values of both, or None if they are of different kinds."""
    if left is right:
        return left
    match left, right:
        case (Never(), other) | (other, Never()):
            return other
        case (ErrorType(), _) | (_, ErrorType()):
            return BROKEN
        case Int(a, b), Int(c, d):
            low = None if a is None or c is None else min(a, c)
            return Int(low, None if b is None or d is None else max(b, d))
        case (Option(a), Option(b)) | (Option(a), b) | (b, Option(a)):
            inner = join(a, b)
            return None if inner is None else Option(inner)
        case Set(a), Set(b):
            inner = join(a, b)
            return None if inner is None else Set(inner)
        case Bag(a), Bag(b):
            inner = join(a, b)
            return None if inner is None else Bag(inner)
        case Seq(key, a), Seq(other, b):
            inner = join(a, b)
            return Seq(key, inner) if inner is not None and key == other else None
        case (Seq(), _) | (_, Seq()):
            return None
        case Map(key, a), Map(other, b):
            inner = join(a, b)
            return Map(key, inner) if inner is not None and same_keys(key, other) else None
        case _:
            return left if fits(left, right) else None


def within(actual: Type, wanted: Type) -> bool:
    """Whether every value of one type is known to be a value of the other, ranges included."""
    match actual, wanted:
        case Int(a, b), Int(c, d):
            low = c is None or (a is not None and a >= c)
            return low and (d is None or (b is not None and b <= d))
        case Option(inner), Option(outer):
            return within(inner, outer)
        case _, Option(outer):
            return within(actual, outer)
        case (Set(a), Set(b)) | (Bag(a), Bag(b)):
            return within(a, b)
        case Map(_, a), Map(_, b):
            return within(a, b)
        case _:
            return fits(actual, wanted)


def apart(actual: Type, wanted: Type) -> bool:
    """Whether no value of the one number type can be a value of the other."""
    if type(actual) is not Int:
        return False
    match actual, wanted:
        case Int(a, b), Int(c, d):
            above = a is not None and d is not None and a > d
            return above or (b is not None and c is not None and b < c)
        case Int(), Option(Int() as outer):
            return apart(actual, outer)
        case _:
            return False


def is_scalar(type: Type) -> bool:
    """Whether its values are plain: what sets hold and maps are indexed by."""
    return isinstance(type, Bool | Int | Player | Enum | Grid | ErrorType | Never)


def most_values(type: Type) -> int | None:
    """How many values a type has at most, None for no limit worth naming."""
    match type:
        case Bool():
            return 2
        case Int(low, high):
            return None if low is None or high is None else max(0, high - low + 1)
        case Player(_, most):
            return most
        case Enum(_, members):
            return len(members)
        case Grid(_, width, height):
            return width * height
        case Option(inner):
            inside = most_values(inner)
            return None if inside is None else inside + 1
        case Set(element):
            inside = most_values(element)
            return 2**inside if inside is not None and inside <= 20 else None
        case Never():
            return 0
        case _:
            return None


def values(type: Type, players: int) -> list[Value]:
    """The values of a scalar type (or an optional one, `none` first) in order."""
    match type:
        case Bool():
            return [False, True]
        case Int(int() as low, int() as high):
            return list(range(low, high + 1))
        case Player():
            return list(range(1, players + 1))
        case Enum(_, members):
            return list(members)
        case Grid(_, width, height):
            return [
                square_name(column, row)
                for row in range(1, height + 1)
                for column in range(1, width + 1)
            ]
        case Option(inner):
            return [None, *values(inner, players)]
        case _:
            raise ValueError(f"the values of {show(type)} cannot be listed")


def value_name(value: Value) -> str:
    """A plain value as it is written in a spec."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def square_name(column: int, row: int) -> str:
    """`A1` for the top left; after `Z` comes `AA`."""
    letters = ""
    while column > 0:
        column, digit = divmod(column - 1, 26)
        letters = chr(65 + digit) + letters
    return f"{letters}{row}"


def square_place(name: str) -> tuple[int, int] | None:
    """The column and row of a square's name, None if it is not one."""
    letters = name.rstrip("0123456789")
    digits = name[len(letters) :]
    if not letters or not digits or digits[0] == "0" or not letters.isascii():
        return None
    column = 0
    for letter in letters:
        if not "A" <= letter <= "Z":
            return None
        column = column * 26 + ord(letter) - 64
    return column, int(digits)
