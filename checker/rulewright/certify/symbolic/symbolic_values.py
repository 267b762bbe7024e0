"""Values with unknown parts, by type:

    Bool a truth    numbers, Player, enumerations a number (the place in the enumeration, from 0)
    squares a column and a row T? `OptionValue` Set, Bag, Map `ListedValue` if few keys, else
      `BoardValue`

Where a domain is small everything is written out, key by key. A larger board is a rule that says
what is on a given square; how it was made is kept beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from rulewright.certify.smt.term import Number, Term, TermBuilder, Truth
from rulewright.meaning import types as y

Square: TypeAlias = "tuple[Number, Number]"
Value: TypeAlias = Any
"""A truth, a number, a square, or one of the classes below: which one, the type knows."""


class UnsupportedError(Exception):
    """Something that this checker cannot write down; what needs it is not certified."""


class OptionValue:
    """A value, or `none`. Without any `symbolic_values` it is `none` for sure."""

    __slots__ = ("none", "value")

    def __init__(self, none: Truth, value: Value) -> None:
        self.none = True if value is None else none
        self.value = value


NONE = OptionValue(True, None)


def maybe(value: Value) -> OptionValue:
    return value if isinstance(value, OptionValue) else OptionValue(False, value)


class ListedValue:
    """A set (`unit` False), bag (`unit` 0) or map (`unit` None) with every key written out."""

    __slots__ = ("parts", "unit")

    def __init__(self, unit: Value, parts: dict[Any, Value]) -> None:
        self.unit = unit
        self.parts = parts


class BoardValue:
    """A set (`unit` False) or map (`unit` None) over the squares of a large grid: a rule. `made`
    says how it came about: a kind and its parts."""

    __slots__ = ("at", "grid", "made", "unit")

    def __init__(
        self, unit: Value, grid: y.Grid, at: Callable[[Square], Value], made: tuple[Any, ...]
    ) -> None:
        self.unit = unit
        self.grid = grid
        self.at = at
        self.made = made


def is_concrete(value: Value) -> bool:
    """Whether a plain value has no unknown in it."""
    if isinstance(value, tuple):
        return all(map(is_concrete, value))
    return not isinstance(value, Term)


def key_of(value: Value) -> Any:
    """The same for values that are the same for sure; hashable."""
    match value:
        case OptionValue():
            return "maybe", key_of(value.none), key_of(value.value)
        case ListedValue():
            return "listed", tuple((k, key_of(each)) for k, each in value.parts.items())
        case tuple():
            return tuple(map(key_of, value))
        case _:
            return type(value), value  # a board is the same if it is the same object


class Values:
    """What can be done with values whatever they mean."""

    def __init__(self, terms: TermBuilder) -> None:
        self.t = terms

    def equal_plain(self, a: Value, b: Value) -> Truth:
        """Whether two plain values of the same type are equal."""
        if isinstance(a, tuple):
            return self.t.both(*(self.equal_plain(one, other) for one, other in zip(a, b)))
        truth = isinstance(a, bool) or (isinstance(a, Term) and a.sort == "Bool")
        return self.t.same_truth(a, b) if truth else self.t.equal(a, b)

    def merge(self, k: Truth, a: Value, b: Value) -> Value:
        """The one value where `k` holds, the other where not."""
        if not isinstance(k, Term):
            return a if k else b
        if a is b:
            return a
        if isinstance(a, OptionValue) or isinstance(b, OptionValue):
            a, b = maybe(a), maybe(b)
            value = b.value if a.value is None else a.value
            if a.value is not None and b.value is not None:
                value = self.merge(k, a.value, b.value)
            return OptionValue(self.t.choose_truth(k, a.none, b.none), value)
        if isinstance(a, tuple):
            return tuple(self.merge(k, one, other) for one, other in zip(a, b))
        if isinstance(a, BoardValue) or isinstance(b, BoardValue):
            grid = a.grid if isinstance(a, BoardValue) else b.grid
            return BoardValue(
                a.unit, grid, lambda x: self.merge(k, self.at(a, x), self.at(b, x)),
                ("choice", k, a, b),
            )  # fmt: skip
        if isinstance(a, ListedValue):
            keys = dict.fromkeys([*a.parts, *b.parts])
            return ListedValue(a.unit, {
                key: self.merge(k, a.parts.get(key, a.unit), b.parts.get(key, b.unit))
                for key in keys
            })  # fmt: skip
        if isinstance(a, bool) or (isinstance(a, Term) and a.sort == "Bool"):
            return self.t.choose_truth(k, a, b)
        return self.t.choose(k, a, b)

    def at(self, held: Value, key: Value) -> Value:
        """What a set, bag or map has at a key; anything where a map has no such key."""
        if isinstance(held, BoardValue):
            return held.at(key)
        if is_concrete(key):
            if key in held.parts or held.unit is not None:
                return held.parts.get(key, held.unit)
            return next(iter(held.parts.values()))
        found = held.unit
        for each, value in held.parts.items():
            here = self.equal_plain(key, each)
            if here is not False:
                found = value if found is None else self.merge(here, value, found)
        return found if found is not None else next(iter(held.parts.values()))
