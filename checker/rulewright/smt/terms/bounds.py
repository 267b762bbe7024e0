"""Guards: what the conditions of a path say of numbers, and what follows from that at sight.

Each condition on the way to an index or a range narrows some interval; most places are then seen to
be safe without a solver. What is not seen is left open, never denied by mistake: an answer other
than None follows from the conditions.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import TypeAlias

from rulewright.smt.terms.term import BOOL, Term

Interval: TypeAlias = "tuple[int | None, int | None]"

DEEP_ENOUGH = 6
"""So many terms inside one another are looked into."""
FEW_PARTS = 6
"""So many parts are looked at one under the others."""
FEW_SUMS = 24
"""So many bounds on sums are tried for one sum."""


class PathFacts:
    """What is known where some conditions hold, one after the other."""

    __slots__ = ("_bounds", "_said", "_sums")

    def __init__(self, before: PathFacts | None, condition: Term, holds: bool = True) -> None:
        self._said: dict[Term, bool] = {} if before is None else dict(before._said)
        self._bounds: dict[Term, Interval] = {} if before is None else dict(before._bounds)
        self._sums: list[Term] = [] if before is None else list(before._sums)
        self._learn(condition, holds)

    def _learn(self, term: Term, holds: bool) -> None:
        if term.op == "not":
            self._learn(term.args[0], not holds)
            return
        if term.op == ("and" if holds else "or"):
            for part in term.args:
                self._learn(part, holds)
        self._said[term] = holds
        if term.op in ("<=", "=") and term.args[0].sort != BOOL and term.args[1].op == "int":
            number, value = term.args[0], int(term.args[1].value)
            if term.op == "<=":
                self._narrow(number, (None, value) if holds else (value + 1, None))
            elif holds:
                self._narrow(number, (value, value))
            else:
                low, high = self.interval(number)
                self._narrow(number, (value + 1 if low == value else None,
                                      value - 1 if high == value else None))  # fmt: skip

    def _narrow(self, number: Term, to: Interval) -> None:
        if number not in self._bounds and number.op == "sum":
            self._sums.append(number)
        self._bounds[number] = _both(self._bounds.get(number, (None, None)), to)

    # ---- what follows

    def decides(self, term: Term, depth: int = DEEP_ENOUGH) -> bool | None:
        """Whether a truth holds here, None if that is not seen."""
        said = self._said.get(term)
        if said is not None or depth == 0:
            return said
        match term.op:
            case "true" | "false":
                return term.op == "true"
            case "not":
                found = self.decides(term.args[0], depth)
                return None if found is None else not found
            case "and" | "or":
                return self._joined(term.args, term.op == "or", depth - 1)
            case "<=" if term.args[0].sort != BOOL:
                (low, high), (least, most) = (self.interval(each, depth) for each in term.args)
                if high is not None and least is not None and high <= least:
                    return True
                return False if low is not None and most is not None and low > most else None
            case "=" if term.args[0].sort != BOOL:
                (low, high), (least, most) = (self.interval(each, depth) for each in term.args)
                if low is not None and low == high == least == most:
                    return True
                above = low is not None and most is not None and low > most
                below = high is not None and least is not None and high < least
                return False if above or below else None
        return None

    def _joined(self, parts: Sequence[Term], strong: bool, depth: int) -> bool | None:
        """Whether one of some parts is as would decide it, each looked at where those before it are
        not; None if that is not seen."""
        here, open_end = self, False
        for each in parts:
            found = here.decides(each, depth)
            if found is strong:
                return strong
            if found is None:
                open_end = True
                if len(parts) <= FEW_PARTS:
                    here = PathFacts(here, each, not strong)
        return None if open_end else not strong

    def interval(self, number: Term, depth: int = DEEP_ENOUGH) -> Interval:
        """What a number lies in here."""
        found = _both((number.low, number.high), self._bounds.get(number, (None, None)))
        if depth == 0:
            return found
        match number.op:
            case "held":
                return _both(found, self.interval(number.args[0], depth))
            case "sum":
                return _both(found, self._of_sum(number, depth))
            case "div":
                return _both(found, self._of_quotient(number, depth))
            case "ite":
                condition, then, otherwise = number.args
                settled = self.decides(condition, depth - 1)
                if settled is not None:
                    return _both(found, self.interval(then if settled else otherwise, depth - 1))
                one, other = (self.interval(each, depth - 1) for each in (then, otherwise))
                return _both(found, _hull(one, other))
        return found

    def _of_sum(self, number: Term, depth: int) -> Interval:
        parts = dict(zip(number.args, number.value[1:]))
        ends = {each: self.interval(each, depth - 1) for each in parts}
        found = _weighed(number.value[0], parts, ends)
        for known in self._sums[-FEW_SUMS:]:
            if known is number or not parts.keys() >= set(known.args):
                continue
            bounds = {**ends, known: _shifted(self._bounds[known], -known.value[0])}
            factors = dict(zip(known.args, known.value[1:]))
            shares = {_share(parts[each], factor) for each, factor in factors.items()}
            for times, per in shares:  # `per` of this sum hold `times` of the known one
                rest = {each: per * n - times * factors.get(each, 0) for each, n in parts.items()}
                low, high = _weighed(per * number.value[0], {**rest, known: times}, bounds)
                least = None if low is None else -(-low // per)
                found = _both(found, (least, None if high is None else high // per))
        return found

    def _of_quotient(self, number: Term, depth: int) -> Interval:
        divided, by = number.args
        if by.op != "int" or by.value <= 0:
            return None, None
        low, high = self.interval(divided, depth - 1)
        return None if low is None else low // by.value, None if high is None else high // by.value


def _both(one: Interval, other: Interval) -> Interval:
    lows = [each for each in (one[0], other[0]) if each is not None]
    highs = [each for each in (one[1], other[1]) if each is not None]
    return max(lows, default=None), min(highs, default=None)


def _share(number: int, of: int) -> tuple[int, int]:
    """The fraction in lowest terms, its second part above zero."""
    common = gcd(number, of) if of > 0 else -gcd(number, of)
    return number // common, of // common


def _hull(one: Interval, other: Interval) -> Interval:
    low = None if one[0] is None or other[0] is None else min(one[0], other[0])
    return low, None if one[1] is None or other[1] is None else max(one[1], other[1])


def _shifted(bounds: Interval, by: int) -> Interval:
    low, high = bounds
    return None if low is None else low + by, None if high is None else high + by


def _weighed(constant: int, parts: dict[Term, int], ends: dict[Term, Interval]) -> Interval:
    """The interval of a constant and so many times each part."""
    low: int | None = constant
    high: int | None = constant
    for part, factor in parts.items():
        if factor == 0:
            continue
        least, most = ends[part] if factor > 0 else ends[part][::-1]
        low = None if low is None or least is None else low + factor * least
        high = None if high is None or most is None else high + factor * most
    return low, high
