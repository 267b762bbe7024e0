"""The types that generated specs use, as far as a generator has to know them."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Bool(NamedTuple):
    pass


class Int(NamedTuple):
    low: int
    high: int


class Player(NamedTuple):
    pass


class Enum(NamedTuple):
    """A declared enumeration; `fields` by name, of cases that have them."""

    name: str
    members: tuple[str, ...]
    fields: tuple[tuple[str, Kind], ...] = ()


class Grid(NamedTuple):
    """A board; of hexagons where it is `hex`. `ahead`: directions of the spec's own lead on."""

    name: str
    width: int
    height: int
    hex: bool = False
    ahead: bool = False


class Option(NamedTuple):
    inner: Kind


class Set(NamedTuple):
    element: Kind


class Bag(NamedTuple):
    element: Kind


class Seq(NamedTuple):
    """A list, of so many elements at the most."""

    element: Kind
    most: int


class Map(NamedTuple):
    key: Kind
    value: Kind


Kind: TypeAlias = Bool | Int | Player | Enum | Grid | Option | Set | Bag | Seq | Map


def same(one: Kind, other: Kind) -> bool:
    """Whether a value of the one can stand for the other; ranges are left to the prover. (Tuples of
    equal fields are equal, whatever they are called, so that is asked first.)"""
    if isinstance(one, Int) and isinstance(other, Int):
        return True
    if type(one) is not type(other):
        return False
    match one, other:
        case Option(), Option():
            return same(one.inner, other.inner)
        case (Set(element=held), Set(element=wanted)) | (Bag(element=held), Bag(element=wanted)):
            return same(held, wanted)
        case Map(), Map():
            return one.key == other.key and same(one.value, other.value)
        case _:
            return one == other


def written(kind: Kind) -> str:
    """The type as it is written; maps are not written as types."""
    match kind:
        case Bool():
            return "Bool"
        case Int(low, high):
            return f"{low}..{high}"
        case Player():
            return "Player"
        case Enum(name=name) | Grid(name=name):
            return name
        case Option(inner):
            return f"{written(inner)}?"
        case Set(element):
            return f"Set[{written(element)}]"
        case Bag(element):
            return f"Bag[{written(element)}]"
        case Seq(element, most):
            return f"List[{written(element)}, {most}]"
        case Map():
            raise ValueError(kind)


def size(kind: Kind, players: int = 3) -> int:
    """How many values there are, of plain types and of options and sets of them."""
    match kind:
        case Bool():
            return 2
        case Int(low, high):
            return high - low + 1
        case Player():
            return players
        case Enum(members=members):
            return len(members)
        case Grid(width=width, height=height):
            return width * height
        case Option(inner):
            return 1 + size(inner, players)
        case Set(element):
            return 1 << min(size(element, players), 40)
        case Bag():
            return 1 << 40
        case Seq(element, most):
            return sum(size(element, players) ** length for length in range(min(most, 9) + 1))
        case Map(key, value):
            return int(min(size(value, players) ** min(size(key, players), 40), 1 << 40))


def squares(grid: Grid) -> list[str]:
    """The names of the squares; boards have at most 26 columns here."""
    return [f"{chr(65 + x)}{y + 1}" for y in range(grid.height) for x in range(grid.width)]


def plain(kind: Kind) -> bool:
    """Whether values are single ones, which sets, bags and keys are made of."""
    return isinstance(kind, Bool | Int | Player | Enum | Grid)
