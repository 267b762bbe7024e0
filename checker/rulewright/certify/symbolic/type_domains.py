"""What follows from the type of a value: which values there are, an unknown one, whether a value
lies in it."""

from __future__ import annotations

from typing import Any

from rulewright.certify.smt.term import Truth
from rulewright.certify.symbolic.symbolic_values import (
    NONE,
    BoardValue,
    ListedValue,
    OptionValue,
    Square,
    UnsupportedError,
    Value,
    Values,
    maybe,
)
from rulewright.meaning import types as y

LARGE = 100
"""Grids with more squares are not written out."""
LARGEST = 20_000
"""Other domains with more values are not, either, and nothing else is known about them."""


class TypeValues(Values):
    """Values by type, for so many players. While `whole` is set even large grids are written out,
    as far as they have at most so many squares."""

    def __init__(self, terms: Any, players: int) -> None:
        super().__init__(terms)
        self.players = players
        self.whole = 0
        self._domains: dict[y.Type, list[Any]] = {}

    def is_large(self, type: y.Type) -> bool:
        return isinstance(type, y.Grid) and type.width * type.height > max(LARGE, self.whole)

    def domain(self, type: y.Type) -> list[Any]:
        """The plain values of a type, in its order."""
        found = self._domains.get(type)
        if found is None:
            found = self._domains[type] = self._domain(type)
        return found

    def _domain(self, type: y.Type) -> list[Any]:
        match type:
            case y.Never():
                return []
            case y.Grid(_, width, height):
                rows, columns = range(1, height + 1), range(1, width + 1)
                return [(column, row) for row in rows for column in columns]
            case y.Enum(_, members):
                return list(range(len(members)))
            case y.Bool():
                return [False, True]
            case y.Player():
                return list(range(1, self.players + 1))
            case y.Int(int() as low, int() as high) if high - low < LARGEST:
                return list(range(low, high + 1))
            case _:
                raise UnsupportedError(f"the values of {y.show(type)} are too many to be listed")

    def subsets(self, type: y.Set) -> list[ListedValue]:
        """All sets of few elements."""
        elements = self.domain(type.element)
        return [
            ListedValue(False, {e: bool(bits >> n & 1) for n, e in enumerate(elements)})
            for bits in range(2 ** len(elements))
        ]

    def code(self, value: Any, type: y.Type) -> Value:
        """A plain value of the core as we have it here."""
        if value is None:
            return NONE
        if isinstance(type, y.Option):
            type = type.inner
        if isinstance(type, y.Enum):
            return type.members.index(value)
        if isinstance(type, y.Grid):
            return y.square_place(value)
        return value

    def table(self, data: Any, type: y.Type) -> Value:
        """The data of a table, without what is only there when more people play."""
        if not isinstance(type, y.Map):
            return self.code(data, type)
        return ListedValue(None, {
            self.code(key, type.key): self.table(inside, type.value)
            for key, inside in data.items()
            if not (isinstance(type.key, y.Player) and key > self.players)
        })  # fmt: skip

    def unknown(self, type: y.Type, hint: str) -> Value:
        """Any value of a type."""
        match type:
            case y.Option(inner):
                return OptionValue(self.t.truth(f"{hint}_none"), self.unknown(inner, hint))
            case y.Bool():
                return self.t.truth(hint)
            case y.Grid(_, width, height):
                return (
                    self.t.number(f"{hint}_column", 1, width),
                    self.t.number(f"{hint}_row", 1, height),
                )
            case y.Int(low, high):
                return self.t.number(hint, low, high)
            case y.Player():
                return self.t.number(hint, 1, self.players)
            case y.Enum(_, members):
                return self.t.number(hint, 0, len(members) - 1)
            case y.Set(element) | y.Bag(element) | y.Map(element, _):
                unit = None if isinstance(type, y.Map) else False if isinstance(type, y.Set) else 0
                inner = type.value if isinstance(type, y.Map) else y.BOOL
                if isinstance(element, y.Grid) and self.is_large(element):
                    if isinstance(type, y.Bag):
                        raise UnsupportedError("a bag of squares of a large board")
                    name = self.t.name(hint)
                    return BoardValue(
                        unit, element, lambda x: self._on_square(inner, name, x), ("unknown", name)
                    )
                if isinstance(type, y.Bag):
                    inner = y.Int(0, None)
                return ListedValue(unit, {
                    key: self.unknown(inner, f"{hint}_{_plain(key)}")
                    for key in self.domain(element)
                })  # fmt: skip
            case y.Never():
                return None
            case _:
                raise UnsupportedError(f"an unknown {y.show(type)}")

    def _on_square(self, type: y.Type, name: str, at: Square) -> Value:
        """The value of an unknown board on a square."""
        match type:
            case y.Option(inner):
                none = self.t.apply(f"{name}.none", at, "Bool")
                return OptionValue(none, self._on_square(inner, name, at))
            case y.Bool():
                return self.t.apply(name, at, "Bool")
            case y.Int(low, high):
                return self.t.apply(name, at, "Int", (low, high))
            case y.Player():
                return self.t.apply(name, at, "Int", (1, self.players))
            case y.Enum(_, members):
                return self.t.apply(name, at, "Int", (0, len(members) - 1))
            case y.Grid(_, width, height):
                return (
                    self.t.apply(f"{name}.column", at, "Int", (1, width)),
                    self.t.apply(f"{name}.row", at, "Int", (1, height)),
                )
            case _:
                raise UnsupportedError(f"a large board of {y.show(type)}")

    def inside(self, value: Value, type: y.Type) -> Truth:
        """Whether a value lies in a type. Of large boards this is for `large_boards` to say."""
        t = self.t
        if isinstance(type, y.Option):
            value = maybe(value)
            return value.value is None or t.either(value.none, self.inside(value.value, type.inner))
        if isinstance(value, OptionValue):
            here = value.value is not None and self.inside(value.value, type)
            return t.both(t.no(value.none), here)
        match type:
            case y.Bool():
                return True
            case y.Never() | y.ErrorType():
                return False
            case y.Set(element) | y.Bag(element):
                if isinstance(value, BoardValue):
                    return True  # it has squares of its grid only
                if isinstance(element, y.Grid):
                    return True
                strange = [self._held(v) for k, v in value.parts.items()
                           if self.inside(k, element) is not True]  # fmt: skip
                return t.no(t.either(*strange))
            case y.Map(key, inner):
                return t.both(*(
                    self.inside(value.parts[each], inner) if each in value.parts else False
                    for each in self.domain(key)
                ))  # fmt: skip
            case y.Grid(_, width, height):
                column, row = value
                return t.both(
                    t.at_most(1, column), t.at_most(column, width),
                    t.at_most(1, row), t.at_most(row, height),
                )  # fmt: skip
            case y.Int(low, high):
                pass
            case y.Player():
                low, high = 1, self.players
            case y.Enum(_, members):
                low, high = 0, len(members) - 1
        return t.both(low is None or t.at_most(low, value), high is None or t.at_most(value, high))

    def _held(self, count: Value) -> Truth:
        """Whether an element of a set or bag is there."""
        plain = isinstance(count, bool) or getattr(count, "sort", "") == "Bool"
        return count if plain else self.t.less(0, count)


def _plain(key: Any) -> str:
    return "_".join(map(str, key)) if isinstance(key, tuple) else str(key)
