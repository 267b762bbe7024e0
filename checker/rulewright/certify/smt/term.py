"""Terms: truths and whole numbers, as trees that a solver can be asked about.

A term that is the same is the same object. What is known is worked out at once: constants, sums of
like parts, comparisons of numbers whose ranges lie apart. Every number knows the range it lies in;
of an unknown that is the range of its type, which `smtlib` also writes down for the solver. Nothing
else is simplified: what a term means must be plain from how it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

BOOL, INT = "Bool", "Int"
FEW = 9
"""A factor or divisor with so many values is written out value by value."""


class Term:
    """An operator and its arguments, constants among them as plain Python values. Unknowns and
    functions that nothing is known about have a `name`; numbers lie from `low` to `high`."""

    __slots__ = ("args", "high", "low", "name", "number", "op", "sort")

    op: str
    sort: str
    name: str
    args: tuple[Any, ...]
    """Terms, and constants as plain values."""
    low: int | None
    high: int | None
    number: int

    def __repr__(self) -> str:
        return f"({self.op} {self.name} {' '.join(map(repr, self.args))})"


Truth: TypeAlias = "bool | Term"
Number: TypeAlias = "int | Term"
Range: TypeAlias = "tuple[int | None, int | None]"


def is_known(term: Truth | Number) -> bool:
    """Whether a term is a constant."""
    return not isinstance(term, Term)


def low_of(number: Number) -> int | None:
    return number.low if isinstance(number, Term) else number


def high_of(number: Number) -> int | None:
    return number.high if isinstance(number, Term) else number


class TermBuilder:
    """Makes terms."""

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], Term] = {}
        self._unknowns = 0

    def _make(
        self, op: str, sort: str, args: tuple[Truth | Number, ...], range: Range = (None, None),
        name: str = "",
    ) -> Term:  # fmt: skip
        key = (op, sort, name, *((type(each), each) for each in args))
        found = self._made.get(key)
        if found is None:
            found = Term()
            found.op, found.sort, found.name, found.args = op, sort, name, args
            found.low, found.high = range
            found.number = len(self._made)
            self._made[key] = found
        return found

    # ---- unknowns

    def name(self, hint: str) -> str:
        """A name that nothing else has."""
        self._unknowns += 1
        plain = "".join(each if each.isalnum() else "_" for each in hint)
        return f"{plain}!{self._unknowns}"

    def truth(self, hint: str) -> Term:
        """An unknown truth."""
        return self._make("unknown", BOOL, (), name=self.name(hint))

    def number(self, hint: str, low: int | None, high: int | None) -> Number:
        """An unknown number in a range."""
        if low is not None and low == high:
            return low
        return self._make("unknown", INT, (), (low, high), self.name(hint))

    def apply(
        self, name: str, args: tuple[Number, ...], sort: str, range: Range = (None, None)
    ) -> Term:
        """The value of an unknown function, the same for the same arguments."""
        return self._make("apply", sort, args, range, name)

    # ---- truths

    def no(self, a: Truth) -> Truth:
        if not isinstance(a, Term):
            return not a
        if a.op == "not":
            inner: Truth = a.args[0]
            return inner
        return self._make("not", BOOL, (a,))

    def both(self, *parts: Truth) -> Truth:
        """All of them."""
        return self._joined("and", parts, unit=True)

    def either(self, *parts: Truth) -> Truth:
        """At least one of them."""
        return self._joined("or", parts, unit=False)

    def _joined(self, op: str, parts: tuple[Truth, ...], unit: bool) -> Truth:
        kept: dict[Term, None] = {}
        for each in parts:
            if not isinstance(each, Term):
                if each is not unit:
                    return not unit
            elif each.op == op:
                kept.update(dict.fromkeys(part for part in each.args if isinstance(part, Term)))
            else:
                kept[each] = None
        for each in kept:
            if each.op == "not" and each.args[0] in kept:
                return not unit
        if len(kept) < 2:
            return next(iter(kept), unit)
        return self._make(op, BOOL, tuple(kept))

    def implies(self, a: Truth, b: Truth) -> Truth:
        return self.either(self.no(a), b)

    def same_truth(self, a: Truth, b: Truth) -> Truth:
        if a is b:
            return True
        if not isinstance(a, Term):
            return b if a else self.no(b)
        if not isinstance(b, Term):
            return a if b else self.no(a)
        return self._make("=", BOOL, (a, b))

    def choose_truth(self, k: Truth, a: Truth, b: Truth) -> Truth:
        if not isinstance(k, Term):
            return a if k else b
        if a is b:
            return a
        if not isinstance(a, Term):
            return self.either(k, b) if a else self.both(self.no(k), b)
        if not isinstance(b, Term):
            return self.implies(k, a) if b else self.both(k, a)
        return self._make("ite", BOOL, (k, a, b))

    def exists(self, bound: Sequence[Term], a: Truth) -> Truth:
        """Whether some values of unknowns, each in its range, make something true."""
        if not isinstance(a, Term) or not bound:
            return a
        return self._make("exists", BOOL, (a, *bound))

    def replaced(self, a: Truth, values: Mapping[Term, bool | int]) -> Truth:
        """What a truth is worth where unknowns have these values."""
        found: dict[Term, Truth | Number] = dict(values)
        waiting = [a] if isinstance(a, Term) else []
        while waiting:
            each = waiting[-1]
            missing = [x for x in each.args if isinstance(x, Term) and x not in found]
            if each in found or not missing:
                waiting.pop()
                if each not in found:
                    args = [found[x] if isinstance(x, Term) else x for x in each.args]
                    found[each] = self._again(each, args)
            else:
                waiting += missing
        result: Any = found[a] if isinstance(a, Term) else a
        return result  # type: ignore[no-any-return]

    def _again(self, term: Term, args: list[Any]) -> Truth | Number:
        """A term made anew of other arguments."""
        match term.op:
            case "not":
                return self.no(*args)
            case "and":
                return self.both(*args)
            case "or":
                return self.either(*args)
            case "=":
                truths = isinstance(args[0], bool) or getattr(args[0], "sort", INT) == BOOL
                return self.same_truth(*args) if truths else self.equal(*args)
            case "ite":
                return self.choose_truth(*args) if term.sort == BOOL else self.choose(*args)
            case "<=":
                return self.at_most(*args)
            case "+":
                return self.add(*args)
            case "*":
                return self.multiply(*args)
            case "div":
                return self.divide(*args)
            case _:
                return term  # an unknown that keeps its value open

    # ---- numbers

    def choose(self, k: Truth, a: Number, b: Number) -> Number:
        if not isinstance(k, Term):
            return a if k else b
        if a is b or (is_known(a) and is_known(b) and a == b):
            return a
        lows, highs = (low_of(a), low_of(b)), (high_of(a), high_of(b))
        low = None if lows[0] is None or lows[1] is None else min(lows[0], lows[1])
        high = None if highs[0] is None or highs[1] is None else max(highs[0], highs[1])
        return self._make("ite", INT, (k, a, b), (low, high))

    def equal(self, a: Number, b: Number) -> Truth:
        if a is b:
            return True
        if not isinstance(a, Term) and not isinstance(b, Term):
            return a == b
        if self._apart(a, b):
            return False
        if not isinstance(a, Term):
            a, b = b, a
        assert isinstance(a, Term)
        if is_known(b) and a.op == "ite" and (is_known(a.args[1]) or is_known(a.args[2])):
            k, one, other = a.args
            return self.choose_truth(k, self.equal(one, b), self.equal(other, b))
        if isinstance(b, Term) and b.number < a.number:
            a, b = b, a
        return self._make("=", BOOL, (a, b))

    @staticmethod
    def _apart(a: Number, b: Number) -> bool:
        """Whether two ranges have nothing in common."""
        a_low, a_high, b_low, b_high = low_of(a), high_of(a), low_of(b), high_of(b)
        below = a_high is not None and b_low is not None and a_high < b_low
        return below or (b_high is not None and a_low is not None and b_high < a_low)

    def at_most(self, a: Number, b: Number) -> Truth:
        a_low, a_high, b_low, b_high = low_of(a), high_of(a), low_of(b), high_of(b)
        if a is b or (a_high is not None and b_low is not None and a_high <= b_low):
            return True
        if a_low is not None and b_high is not None and a_low > b_high:
            return False
        return self._make("<=", BOOL, (a, b))

    def less(self, a: Number, b: Number) -> Truth:
        return self.no(self.at_most(b, a))

    def add(self, *parts: Number) -> Number:
        return self._linear([(1, each) for each in parts])

    def minus(self, a: Number, b: Number) -> Number:
        return self._linear([(1, a), (-1, b)])

    def _linear(self, parts: list[tuple[int, Number]]) -> Number:
        """A sum of terms, each so many times; like terms are put together."""
        constant = 0
        times: dict[Term, int] = {}
        for factor, each in parts:
            if not isinstance(each, Term):
                constant += factor * each
                continue
            for inner_factor, inner in _summands(each):
                if isinstance(inner, Term):
                    times[inner] = times.get(inner, 0) + factor * inner_factor
                else:
                    constant += factor * inner_factor * inner
        summands: list[Number] = [
            each if factor == 1 else self._times(each, factor)
            for each, factor in times.items() if factor
        ]  # fmt: skip
        if constant or not summands:
            summands.append(constant)
        if len(summands) == 1:
            return summands[0]
        lows, highs = [low_of(each) for each in summands], [high_of(each) for each in summands]
        low = None if None in lows else sum(each or 0 for each in lows)
        high = None if None in highs else sum(each or 0 for each in highs)
        return self._make("+", INT, tuple(summands), (low, high))

    def _times(self, a: Term, factor: int) -> Term:
        ends = [None if each is None else each * factor for each in (a.low, a.high)]
        low, high = ends if factor > 0 else reversed(ends)
        return self._make("*", INT, (a, factor), (low, high))

    def multiply(self, a: Number, b: Number) -> Number:
        """A product. Of two unknowns it is some number, the same for the same two."""
        if not isinstance(b, Term):
            return self._linear([(b, a)])
        if not isinstance(a, Term):
            return self._linear([(a, b)])
        for one, other in ((a, b), (b, a)):
            if _is_few(one):
                return self._by_value(one, partial(self._scaled, other))
        if b.number < a.number:
            a, b = b, a
        ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)
                if x is not None and y is not None]  # fmt: skip
        range = (min(ends), max(ends)) if len(ends) == 4 else (None, None)
        return self.apply("product", (a, b), INT, range)

    def _scaled(self, a: Number, factor: int) -> Number:
        return self._linear([(factor, a)])

    def divide(self, a: Number, b: Number) -> Number:
        """Division rounded down, whatever it is where `b` is nought."""
        if not isinstance(b, Term):
            return 0 if b == 0 else self._divide_by(a, b)
        if _is_few(b):
            return self._by_value(b, lambda value: self.divide(a, value))
        return self.apply("quotient", (a, b), INT)

    def _divide_by(self, a: Number, b: int) -> Number:
        if not isinstance(a, Term):
            return a // b
        if b < 0:
            return self.divide(self._linear([(-1, a)]), -b)
        low = None if a.low is None else a.low // b
        high = None if a.high is None else a.high // b
        return a if b == 1 else self._make("div", INT, (a, b), (low, high))

    def _by_value(self, a: Term, result: Callable[[int], Number]) -> Number:
        """What a number comes to, for each of its few values."""
        assert a.low is not None and a.high is not None
        found: Number = result(a.high)
        for value in reversed(range(a.low, a.high)):
            found = self.choose(self.equal(a, value), result(value), found)
        return found


def _is_few(a: Term) -> bool:
    return a.low is not None and a.high is not None and a.high - a.low < FEW


def _summands(a: Term) -> list[tuple[int, Number]]:
    """A number as a sum of terms, each so many times."""
    if a.op == "+":
        return [inner for each in a.args for inner in _factors(each)]
    return _factors(a)


def _factors(a: Number) -> list[tuple[int, Number]]:
    if isinstance(a, Term) and a.op == "*":
        return [(a.args[1], a.args[0])]
    return [(1, a)]
