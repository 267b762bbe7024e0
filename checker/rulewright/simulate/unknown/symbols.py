"""Values that are not known yet, as the solver sees them.

    Number      a whole number that depends on what is unknown: a term of the solver
    Cases       one of several values, each with the condition under which it is that one
    Heap        a bag: how many there are of each element, as Numbers, and how many in all
    Several     a set: under which condition each element is in it

A condition is a truth, or a formula of the solver. Everything else is a value as `play` has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from rulewright.play.semantics.values import BagValue, SparseMap

Condition: TypeAlias = Any
"""A bool, or a formula."""


class Number:
    """A term of the solver; between `low` and `high`, where that is known."""

    __slots__ = ("high", "low", "term")

    def __init__(self, term: Any, low: int | None, high: int | None) -> None:
        self.term = term
        self.low = low
        self.high = high


class Cases:
    """One of several values. `shares` are 0 or 1 for each, and 1 in all, where the value is one
    that is looked for: sums of them say more to the solver than conditions do."""

    __slots__ = ("cases", "shares")

    def __init__(
        self, cases: Sequence[tuple[Condition, Any]], shares: Sequence[Any] | None = None
    ) -> None:
        self.cases = cases
        self.shares = shares


class Heap:
    """A bag of which not all is known; elements that are left out are not in it."""

    __slots__ = ("counts", "size")

    def __init__(self, counts: Mapping[Any, int | Number], size: int | Number) -> None:
        self.counts = {each: many for each, many in counts.items() if many != 0}
        self.size = size

    def __getitem__(self, element: Any) -> int | Number:
        return self.counts.get(element, 0)


class Several:
    """A set of which not all is known."""

    __slots__ = ("members",)

    def __init__(self, members: Mapping[Any, Condition]) -> None:
        self.members = {each: under for each, under in members.items() if under is not False}


def is_open(value: Any) -> bool:
    """Whether a value depends on what is unknown. Maps of many keys are looked at by whoever
    writes to them."""
    if isinstance(value, bool | int | str | frozenset | BagValue) or value is None:
        return False
    if isinstance(value, SparseMap):
        return any(is_open(each) for each in value.entries.values())
    if isinstance(value, Mapping):
        return any(is_open(each) for each in value.values())
    return True


# ---- conditions


def both(*parts: Condition) -> Condition:
    """All of them."""
    if any(each is False for each in parts):
        return False
    import z3

    rest = [each for each in parts if each is not True]
    return True if not rest else rest[0] if len(rest) == 1 else z3.And(*rest)


def either(*parts: Condition) -> Condition:
    """One of them at least."""
    if any(each is True for each in parts):
        return True
    import z3

    rest = [each for each in parts if each is not False]
    return False if not rest else rest[0] if len(rest) == 1 else z3.Or(*rest)


def opposite(part: Condition) -> Condition:
    """The opposite."""
    if isinstance(part, bool):
        return not part
    import z3

    return z3.Not(part)


def truth(value: Any) -> Condition:
    """A value of type Bool as a condition."""
    if isinstance(value, Cases):
        return either(*(both(under, truth(each)) for under, each in value.cases))
    return value


# ---- numbers


def number(value: Any) -> int | Number:
    """A whole number that may be one of several."""
    if not isinstance(value, Cases):
        return value  # type: ignore[no-any-return]
    if value.shares is not None and all(type(each) is int for _, each in value.cases):
        values = [each for _, each in value.cases]
        import z3

        term = z3.Sum(*(share * each for share, each in zip(value.shares, values) if each))
        return Number(term, min(values), max(values))
    return total([(under, number(each)) for under, each in value.cases])


def shifted(one: int | Number, other: int | Number, times: int = 1) -> int | Number:
    """One number and so many times another."""
    if isinstance(other, int):
        if isinstance(one, int):
            return one + times * other
        more = times * other
        if more == 0:
            return one
        low = None if one.low is None else one.low + more
        return Number(one.term + more, low, None if one.high is None else one.high + more)
    lows, highs = (other.low, other.high) if times > 0 else (other.high, other.low)
    low = None if lows is None else times * lows
    high = None if highs is None else times * highs
    term = other.term * abs(times) if abs(times) != 1 else other.term
    if isinstance(one, int):
        low, high = (None if each is None else one + each for each in (low, high))
        start: Any = one
    else:
        low = None if low is None or one.low is None else low + one.low
        high = None if high is None or one.high is None else high + one.high
        start = one.term
    if low is not None and low == high:
        return low
    if one == 0 and times > 0:
        return Number(term, low, high)
    return Number(start + term if times > 0 else start - term, low, high)


def total(parts: Sequence[tuple[Condition, int | Number]]) -> int | Number:
    """The sum of those numbers whose condition holds."""
    import z3

    found: int | Number = 0
    for under, each in parts:
        if under is True:
            found = shifted(found, each)
        elif under is not False and each != 0:
            low, high = _bounds(each)
            low = None if low is None else min(0, low)
            high = None if high is None else max(0, high)
            term = z3.If(under, each if isinstance(each, int) else each.term, 0)
            found = shifted(found, Number(term, low, high))
    return found


def compared(operator: str, left: int | Number, right: int | Number) -> Condition:
    """Whether one number is less than another, equal to it, and so on."""
    apart = shifted(left, right, -1)
    sure = _sure(operator, *_bounds(apart))
    if sure is not None:
        return sure
    assert isinstance(apart, Number)
    return _formula(operator, apart.term)


def _sure(operator: str, low: int | None, high: int | None) -> bool | None:
    """What a comparison of something between two bounds with 0 comes to, if that is sure."""
    less = None if high is None or high >= 0 else True
    less = False if low is not None and low >= 0 else less
    least = None if high is None or high > 0 else True
    least = False if low is not None and low > 0 else least
    match operator:
        case "less":
            return less
        case "less_equal":
            return least
        case "greater":
            return None if least is None else not least
        case "greater_equal":
            return None if less is None else not less
        case _:
            equal = None
            if low is not None and low == high == 0:
                equal = True
            elif (low is not None and low > 0) or (high is not None and high < 0):
                equal = False
            return equal if operator == "equal" or equal is None else not equal


def _formula(operator: str, term: Any) -> Any:
    match operator:
        case "less":
            return term < 0
        case "less_equal":
            return term <= 0
        case "greater":
            return term > 0
        case "greater_equal":
            return term >= 0
        case "equal":
            return term == 0
        case _:
            return term != 0


def _bounds(value: int | Number) -> tuple[int | None, int | None]:
    return (value, value) if isinstance(value, int) else (value.low, value.high)


# ---- collections


def as_heap(value: BagValue | Heap) -> Heap:
    """A bag, known or not."""
    return value if isinstance(value, Heap) else Heap(value.counts, len(value))


def as_several(value: frozenset[Any] | Several) -> Several:
    """A set, known or not."""
    return value if isinstance(value, Several) else Several(dict.fromkeys(value, True))


def is_in(element: Any, collection: Any) -> Condition:
    """Whether a known element is in a set or bag."""
    if isinstance(collection, Several):
        return collection.members.get(element, False)
    if isinstance(collection, Heap):
        return compared("greater", collection[element], 0)
    return element in collection


def elements(*bags: Heap) -> Iterator[Any]:
    """What may be in some of the bags, each once."""
    yield from dict.fromkeys(each for bag in bags for each in bag.counts)
