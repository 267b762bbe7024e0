"""Arithmetic on terms. Sums are kept in one form, constant and coefficients, so that what was
added and taken away again is gone, and equal sums are equal terms.

Trusts the intervals of its arguments and gives each result its own. Division rounds down and the
remainder has the sign of the divisor, as in the evaluator; a divisor of zero is left to whoever
asks (`expression` makes it an obligation).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter

from rulewright.smt.terms.term import FALSE, INT, TRUE, BooleanTerms, Term

_BY_NUMBER = attrgetter("number")


class TermBuilder(BooleanTerms):
    """Builds numbers and truths."""

    def __init__(self) -> None:
        super().__init__()
        self._compared: dict[tuple[str, Term, int], Term] = {}
        self._differences: dict[tuple[Term, Term], Term] = {}
        self._flags: dict[Term, list[Term] | None] = {}
        self._numbers: dict[int, Term] = {}
        self._counted: dict[Term, Term] = {}

    # ---- leaves

    def number(self, value: int) -> Term:
        found = self._numbers.get(value)
        if found is None:
            found = self._numbers[value] = self.make("int", (), value, INT, value, value)
        return found

    def counted(self, truth: Term) -> Term:
        """1 where a truth holds, else 0."""
        found = self._counted.get(truth)
        if found is None:
            found = self.choose(truth, self.number(1), self.number(0))
            self._counted[truth] = found
        return found

    def unknown(self, name: str, low: int | None, high: int | None) -> Term:
        """A number known only to lie in an interval."""
        return self.make("variable", (), name, INT, low, high)

    def apply(self, function: str, argument: Term, low: int | None, high: int | None) -> Term:
        """An unknown function, with values in an interval, at a number."""
        return self.make("apply", (argument,), function, INT, low, high)

    def held(self, term: Term, low: int | None, high: int | None) -> Term:
        """The same number, trusted to lie in an interval: what was checked on being written."""
        if term.low is not None and (low is None or low < term.low):
            low = term.low
        if term.high is not None and (high is None or high > term.high):
            high = term.high
        if (low, high) == (term.low, term.high):
            return term
        return self.make("held", (term,), (low, high), INT, low, high)

    def table(self, first: int, values: tuple[int, ...], key: Term) -> Term:
        """A known function at a number: `model_values` are those at `first` and the numbers after
        it. At other numbers it is just any number between the least and the greatest of them."""
        low, high = min(values), max(values)
        if low == high:
            return self.number(low)
        if key.op == "int" and 0 <= key.value - first < len(values):
            return self.number(values[key.value - first])
        return self.make("table", (key,), (first, values), INT, low, high)

    def among(self, key: Term, codes: Iterable[int]) -> Term:
        """True where a number is one of some, written as intervals."""
        spans: list[list[int]] = []
        for code in sorted(codes):
            if spans and spans[-1][1] == code - 1:
                spans[-1][1] = code
            else:
                spans.append([code, code])
        return self.either(
            self.both(self.at_most(self.number(low), key), self.at_most(key, self.number(high)))
            for low, high in spans
        )

    # ---- choice

    def choose(self, condition: Term, then: Term, otherwise: Term) -> Term:
        """`then` where the condition holds, else `otherwise`."""
        if condition is TRUE or then is otherwise:
            return then
        if condition is FALSE:
            return otherwise
        if then.sort != INT:
            return self.choose_truth(condition, then, otherwise)
        if then.op == otherwise.op == "int" and {then.value, otherwise.value} == {0, 1}:
            if then.value == 0:  # a truth counted: 1 where it holds
                condition, then, otherwise = self.no(condition), otherwise, then
        elif condition.op == "not":
            condition, then, otherwise = condition.args[0], otherwise, then
        if then.op == "ite" and then.args[0] is condition:
            then = then.args[1]
        if otherwise.op == "ite" and otherwise.args[0] is condition:
            otherwise = otherwise.args[2]
        if then is otherwise:
            return otherwise
        if condition.op == "<=" and then.op == "int" and _is_none_of(condition, then, otherwise):
            return otherwise
        if "sum" in (_bare(then).op, _bare(otherwise).op):
            change = self._difference(then, otherwise)
            if change.op != "sum":  # what both have in common stands outside
                more = self.choose(condition, change, self.number(0))
                return self.held(self.plus(_bare(otherwise), more), *_hull(then, otherwise))
        if then.op == "ite" and otherwise.op == "int" and then.args[2] is otherwise:
            condition, then = self.both(condition, then.args[0]), then.args[1]
        low, high = _hull(then, otherwise)
        return self.make("ite", (condition, then, otherwise), None, INT, low, high)

    # ---- sums

    def add(self, terms: Iterable[Term]) -> Term:
        return self.linear(0, ((1, term) for term in terms))

    def plus(self, left: Term, right: Term) -> Term:
        return self.linear(0, ((1, left), (1, right)))

    def minus(self, left: Term, right: Term) -> Term:
        return self.linear(0, ((1, left), (-1, right)))

    def linear(self, constant: int, parts: Iterable[tuple[int, Term]]) -> Term:
        """The constant and so many times each term."""
        found: dict[Term, int] = {}
        for factor, term in parts:
            if term.op == "int":
                constant += factor * term.value
            elif term.op == "sum":
                constant += factor * term.value[0]
                for inner, each in zip(term.value[1:], term.args):
                    found[each] = found.get(each, 0) + factor * inner
            else:
                found[term] = found.get(term, 0) + factor
        rest = [term for term, factor in found.items() if factor]
        if not rest:
            return self.number(constant)
        for term in rest:
            if term.op == "mod" and term.args[1].op == "int":
                quotient = self._known.get(("div", None, term.args))
                by = term.args[1].value
                if quotient is not None and found.get(quotient) == found[term] * by:
                    times = found.pop(term)  # together they are what was divided
                    del found[quotient]
                    others = ((factor, each) for each, factor in found.items())
                    return self.linear(constant, ((times, term.args[0]), *others))
        if constant == 0 and len(rest) == 1 and found[rest[0]] == 1:
            return rest[0]
        rest.sort(key=_BY_NUMBER)
        factors = [found[term] for term in rest]
        low: int | None = constant
        high: int | None = constant
        for term, factor in zip(rest, factors):
            one, other = (term.low, term.high) if factor > 0 else (term.high, term.low)
            low = None if low is None or one is None else low + factor * one
            high = None if high is None or other is None else high + factor * other
        return self.make("sum", tuple(rest), (constant, *factors), INT, low, high)

    def _difference(self, left: Term, right: Term) -> Term:
        """left - right, for comparing: what both have in common is gone, and where both count a
        truth of which one is the other or something else, only the something else is counted."""
        found = self._differences.get((left, right))
        if found is None:
            found = self._differences[left, right] = self._new_difference(left, right)
        return found

    def _new_difference(self, left: Term, right: Term) -> Term:
        parts: dict[Term, int] = {}
        constant = _gathered(parts, 1, left) + _gathered(parts, -1, right)
        parts = {term: factor for term, factor in parts.items() if factor}
        flags = {each.args[0]: each for each in parts if _is_flag(each)}
        for wide, counted in flags.items():
            factor = parts[counted]
            if wide.op != "or" or factor == 0:
                continue
            for narrow in wide.args:
                if narrow in flags and parts[flags[narrow]] == -factor:
                    rest = self.either(each for each in wide.args if each is not narrow)
                    parts[counted] = parts[flags[narrow]] = 0
                    new = self.counted(self.both(self.no(narrow), rest))
                    parts[new] = parts.get(new, 0) + factor
                    break
        return self.linear(constant, ((factor, term) for term, factor in parts.items()))

    def times(self, left: Term, right: Term) -> Term:
        if left.op == "int":
            return self.linear(0, ((left.value, right),))
        if right.op == "int":
            return self.linear(0, ((right.value, left),))
        for one, other in ((left, right), (right, left)):
            if one.op == "ite":
                condition, then, otherwise = one.args
                if then.op == "int" and otherwise.op == "int":
                    return self.choose(
                        condition, self.times(then, other), self.times(otherwise, other)
                    )
        ends = [a * b for a in _ends(left) for b in _ends(right)]
        limited = None not in (left.low, left.high, right.low, right.high)
        positive = left.low is not None and right.low is not None and min(left.low, right.low) >= 0
        first, second = (left, right) if left.number <= right.number else (right, left)
        return self.make(
            "*", (first, second), None, INT,
            min(ends) if limited or positive else None, max(ends) if limited else None,
        )  # fmt: skip

    # ---- division, rounding down

    def divide(self, left: Term, right: Term) -> Term:
        if right.op == "int" and right.value == 0:
            return self.number(0)
        if left.op == "int" and right.op == "int":
            return self.number(left.value // right.value)
        parted = self._by_multiples(left, right)
        if parted is not None:
            return parted[0]
        if right.low is not None and right.low > 0:
            limited = left.low is not None and left.high is not None
            ends = [a // b for a in _ends(left) for b in _ends(right)] if limited else []
            small = min(ends, default=None)
            return self.make("div", (left, right), None, INT, small, max(ends, default=None))
        if right.high is not None and right.high < 0:
            return self.divide(self.negative(left), self.negative(right))
        wide = None if left.low is None or left.high is None else max(map(abs, _ends(left)))
        up, down = (
            self.make("div", pair, None, INT, None if wide is None else -wide - 1, wide)
            for pair in ((left, right), (self.negative(left), self.negative(right)))
        )
        return self.choose(self.less(self.number(0), right), up, down)

    def remainder(self, left: Term, right: Term) -> Term:
        if right.op == "int" and right.value == 0:
            return self.number(0)
        if left.op == "int" and right.op == "int":
            return self.number(left.value % right.value)
        parted = self._by_multiples(left, right)
        if parted is not None:
            return parted[1]
        if right.low is not None and right.low > 0:
            ends = _ends(left)
            if len(ends) == 2 and ends[0] >= 0 and ends[1] < right.low:
                return left
            top = None if right.high is None else right.high - 1
            return self.make("mod", (left, right), None, INT, 0, top)
        if right.high is not None and right.high < 0:
            return self.negative(self.remainder(self.negative(left), self.negative(right)))
        top = None if right.low is None or right.high is None else max(map(abs, _ends(right)))
        up, down = (
            self.make("mod", pair, None, INT, 0, top)
            for pair in ((left, right), (self.negative(left), self.negative(right)))
        )
        return self.choose(self.less(self.number(0), right), up, self.negative(down))

    def _by_multiples(self, left: Term, right: Term) -> tuple[Term, Term] | None:
        """Quotient and remainder of a sum that is seen to be so many times a number and a rest that
        is less than it; None if that is not seen."""
        whole = _bare(left)
        if whole.op != "sum" or right.op != "int" or right.value <= 0:
            return None
        by = right.value
        parts = list(zip(whole.value[1:], whole.args))
        times, constant = divmod(whole.value[0], by)
        rest = self.linear(constant, (each for each in parts if each[0] % by))
        if rest.low is None or rest.high is None:
            return None
        below = rest.low // by  # so many times too much or too little
        if rest.high // by != below:
            return None
        multiples = ((factor // by, term) for factor, term in parts if factor % by == 0)
        return (
            self.linear(times + below, multiples),
            self.linear(-below * by, ((1, rest),)),
        )

    def negative(self, term: Term) -> Term:
        return self.linear(0, ((-1, term),))

    # ---- comparison

    def equal(self, left: Term, right: Term) -> Term:
        """True where two terms of one sort are the same."""
        if left is right:
            return TRUE
        if left.sort != INT:
            return self.same_truth(left, right)
        if _apart(left, right):
            return FALSE
        if left.op == "int":
            left, right = right, left
        if right.op == "int":
            return self._equals(left, right.value)
        if "sum" in (_bare(left).op, _bare(right).op):
            difference = self._difference(left, right)
            if difference.op == "int":
                return self.truth(difference.value == 0)
            return self._equals(difference, 0)
        first, second = (left, right) if left.number < right.number else (right, left)
        return self.make("=", (first, second))

    def at_most(self, left: Term, right: Term) -> Term:
        """left <= right."""
        if left is right:
            return TRUE
        if left.high is not None and right.low is not None and left.high <= right.low:
            return TRUE
        if left.low is not None and right.high is not None and left.low > right.high:
            return FALSE
        if right.op == "int":
            return self._below(left, right.value)
        if left.op == "int":
            return self.no(self._below(right, left.value - 1))
        if "sum" in (_bare(left).op, _bare(right).op):
            return self._below(self._difference(left, right), 0)
        return self.make("<=", (left, right))

    def less(self, left: Term, right: Term) -> Term:
        return self.no(self.at_most(right, left))

    def _equals(self, term: Term, value: int) -> Term:
        if term.op == "int":
            return self.truth(term.value == value)
        if (term.low is not None and value < term.low) or (
            term.high is not None and value > term.high
        ):
            return FALSE
        if term.op == "held":
            return self._equals(term.args[0], value)
        if term.op == "sum":
            return self._once("=", self._sum_equals, term, value)
        if term.op == "ite" and _simple(term):
            return self._once("=", self._choice_equals, term, value)
        return self._plainly_equals(term, value)

    def _sum_equals(self, term: Term, value: int) -> Term:
        constant, *factors = term.value
        if len(factors) == 1:
            quotient, rest = divmod(value - constant, factors[0])
            return FALSE if rest else self._equals(term.args[0], quotient)
        flags = self._flags_of(term)
        if flags is not None:
            enough = self.at_least(value - constant, flags)
            return self.both(enough, self.no(self.at_least(value - constant + 1, flags)))
        if factors[0] < 0:
            return self._equals(self.negative(term), -value)
        if constant:
            return self._equals(self.linear(-constant, ((1, term),)), value - constant)
        return self._plainly_equals(term, value)

    def _choice_equals(self, term: Term, value: int) -> Term:
        """A comparison of a choice with a number is a choice of comparisons."""
        condition, then, otherwise = term.args
        one, other = self._equals(then, value), self._equals(otherwise, value)
        if one is FALSE and condition.op == other.op == "=" and _excludes(condition, other):
            return other  # which says already that the condition does not hold
        return self.choose_truth(condition, one, other)

    def _plainly_equals(self, term: Term, value: int) -> Term:
        if term.low == value and term.high is not None and term.high == value + 1:
            return self.no(self.make("=", (term, self.number(value + 1))))
        return self.make("=", (term, self.number(value)))

    def _below(self, term: Term, value: int) -> Term:
        """term <= value."""
        if term.high is not None and term.high <= value:
            return TRUE
        if term.low is not None and term.low > value:
            return FALSE
        if term.op == "held":
            return self._below(term.args[0], value)
        if term.op == "sum":
            return self._once("<=", self._sum_below, term, value)
        if term.op == "ite" and _simple(term):
            return self._once("<=", self._choice_below, term, value)
        return self.make("<=", (term, self.number(value)))

    def _sum_below(self, term: Term, value: int) -> Term:
        constant, *factors = term.value
        if len(factors) == 1:
            factor, part = factors[0], term.args[0]
            if factor > 0:
                return self._below(part, (value - constant) // factor)
            return self.no(self._below(part, -((value - constant) // -factor) - 1))
        flags = self._flags_of(term)
        if flags is not None:
            return self.no(self.at_least(value - constant + 1, flags))
        if constant:
            return self._below(self.linear(-constant, ((1, term),)), value - constant)
        if factors[0] < 0:  # -x <= v as not (x <= -v - 1), so that both signs share an atom
            return self.no(self._below(self.negative(term), -value - 1))
        return self.make("<=", (term, self.number(value)))

    def _choice_below(self, term: Term, value: int) -> Term:
        condition, then, otherwise = term.args
        return self.choose_truth(condition, self._below(then, value), self._below(otherwise, value))

    def _once(
        self, relation: str, compare: Callable[[Term, int], Term], term: Term, value: int
    ) -> Term:
        """How a term compares to a number, worked out once."""
        key = (relation, term, value)
        found = self._compared.get(key)
        if found is None:
            found = self._compared[key] = compare(term, value)
        return found

    def _flags_of(self, term: Term) -> list[Term] | None:
        """The truths a sum counts, if it does nothing but count truths."""
        if term not in self._flags:
            counts = all(factor == 1 for factor in term.value[1:]) and all(map(_is_flag, term.args))
            self._flags[term] = [part.args[0] for part in term.args] if counts else None
        return self._flags[term]


def _excludes(one: Term, other: Term) -> bool:
    """Whether a number equals one thing in one truth and another in the other."""
    number, value = one.args
    same, another = other.args
    return number is same and value.op == another.op == "int" and value is not another


def _simple(term: Term) -> bool:
    """Whether a choice has a plain number on one side."""
    return term.args[1].op == "int" or term.args[2].op == "int"


def _is_none_of(condition: Term, none: Term, product: Term) -> bool:
    """Whether a number is zero because a factor of a product is: then the product is zero too."""
    if none.value != 0 or condition.args[1].op != "int":
        return False
    factor, most = condition.args
    if factor.low != 0 or most.value != 0:
        return False
    if product.op == "sum":
        return product.value[0] == 0 and product.args == (factor,)
    return product is factor or (product.op == "*" and factor in product.args)


def _gathered(parts: dict[Term, int], factor: int, term: Term) -> int:
    """Adds so many times the parts of a term to some; what it has besides is a constant."""
    if term.op == "held":
        return _gathered(parts, factor, term.args[0])
    if term.op == "int":
        return factor * int(term.value)
    if term.op != "sum":
        parts[term] = parts.get(term, 0) + factor
        return 0
    constant = factor * int(term.value[0])
    for times, each in zip(reversed(term.value[1:]), reversed(term.args)):
        if each.op in ("held", "int", "sum"):
            constant += _gathered(parts, factor * times, each)
        else:
            parts[each] = parts.get(each, 0) + factor * times
    return constant


def _bare(term: Term) -> Term:
    return term.args[0] if term.op == "held" else term


def _is_flag(term: Term) -> bool:
    """Whether a number is a truth counted: 1 where it holds, else 0."""
    if term.op != "ite" or term.args[1].op != "int" or term.args[2].op != "int":
        return False
    return (term.args[1].value, term.args[2].value) == (1, 0)


def _ends(term: Term) -> list[int]:
    return [end for end in (term.low, term.high) if end is not None]


def _apart(left: Term, right: Term) -> bool:
    above = left.low is not None and right.high is not None and left.low > right.high
    return above or (left.high is not None and right.low is not None and left.high < right.low)


def _hull(one: Term, other: Term) -> tuple[int | None, int | None]:
    """The interval that two numbers lie in."""
    low = None if one.low is None or other.low is None else min(one.low, other.low)
    high = None if one.high is None or other.high is None else max(one.high, other.high)
    return low, high
