"""Symbolic values: what an expression is worth when the position is not known.

By type: truths, numbers, players, names and squares are terms (names and squares by their place in
the order of the type); an optional is whether it is there and what it is; sets and bags have a
truth or a number for each element that can be in them; maps have a value for each key, unless
there are too many keys: those are boards (`arrays`).

The plain value behind a place is a *code*; `TypeDomains` knows the codes of each type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from rulewright.meaning import types as y
from rulewright.play.semantics.instance import Instance
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.term import FALSE, INT, TRUE, Term

if TYPE_CHECKING:
    from rulewright.smt.encode.arrays import SymbolicArray

MANY = 32
"""Maps with more keys than this are boards, unless somebody wants it otherwise."""


class UnboundedError(Exception):
    """Something ranges over numbers without end; it has no encoding."""


class SymbolicOption:
    """An optional: `symbolic_values` means nothing where it is not `there`, and is None for plain
    `none`."""

    __slots__ = ("there", "value")

    def __init__(self, there: Term, value: Term | None) -> None:
        self.there = there
        self.value = value


class SymbolicSet:
    """A set: for each code whether it is in; codes that are missing are not."""

    __slots__ = ("_counted", "flags")

    def __init__(self, flags: Mapping[int, Term]) -> None:
        self.flags = flags
        self._counted: Mapping[int, Term] | None = None

    def counted(self, terms: TermBuilder) -> Mapping[int, Term]:
        """For each code 1 where it is in, else 0."""
        if self._counted is None:
            self._counted = {code: terms.counted(flag) for code, flag in self.flags.items()}
        return self._counted


class SymbolicBag:
    """A bag: for each code how many; codes that are missing are not in it."""

    __slots__ = ("numbers",)

    def __init__(self, numbers: Mapping[int, Term]) -> None:
        self.numbers = numbers


class SymbolicMap:
    """A map: a value for each code of its keys."""

    __slots__ = ("values",)

    def __init__(self, values: Mapping[int, Sym]) -> None:
        self.values = values


Sym: TypeAlias = "Term | SymbolicOption | SymbolicSet | SymbolicBag | SymbolicMap | SymbolicArray"


class TypeDomains:
    """The codes of each finite type, and the plain values behind them."""

    def __init__(self, instance: Instance, many: int = MANY) -> None:
        self.instance = instance
        self.many = many
        self._codes: dict[int, tuple[y.Type, range]] = {}
        """By identity: a type is kept, so that no other takes its place."""

    def codes(self, type: y.Type) -> range:
        """All codes of a scalar type, in its order."""
        known = self._codes.get(id(type))
        if known is None:
            found: range
            match type:
                case y.Bool():
                    found = range(2)
                case y.Int(int() as low, int() as high):
                    found = range(low, high + 1)
                case y.Player():
                    found = range(1, self.instance.players + 1)
                case y.Enum(_, members):
                    found = range(len(members))
                case y.Grid(_, width, height):
                    found = range(width * height)
                case y.Never():
                    found = range(0)
                case _:
                    raise UnboundedError(f"the values of {y.show(type)} cannot be listed")
            known = self._codes[id(type)] = type, found
        return known[1]

    def code(self, value: Any, type: y.Type) -> int:
        """The code of a plain value."""
        match type:
            case y.Enum(_, members):
                return members.index(value)
            case y.Grid(_, width, _):
                place = y.square_place(value)
                assert place is not None
                return (place[1] - 1) * width + place[0] - 1
            case _:
                return int(value)

    def plain(self, code: int, type: y.Type) -> Any:
        """The plain value of a code."""
        match type:
            case y.Bool():
                return bool(code)
            case y.Enum(_, members):
                return members[code]
            case y.Grid(_, width, _):
                return y.square_name(code % width + 1, code // width + 1)
            case _:
                return code

    def is_board(self, type: y.Map) -> bool:
        """Whether maps of this type have too many keys to be written out. Maps of numbers that may
        be negative are written out all the same, for a board says `none` by a negative code."""
        inner = type.value.inner if isinstance(type.value, y.Option) else type.value
        if isinstance(inner, y.Int) and (inner.low is None or inner.low < 0):
            return False
        return y.is_scalar(inner) and self.is_big(type.key)

    def is_big(self, type: y.Type) -> bool:
        """Whether a scalar type has too many values to write something out for each."""
        if isinstance(type, y.Int) and (type.low is None or type.high is None):
            return False
        return len(self.codes(type)) > self.many


def as_number(terms: TermBuilder, term: Term) -> Term:
    """A scalar as its code: truths become 0 and 1."""
    if term.sort == INT:
        return term
    return terms.counted(term)


def as_scalar(terms: TermBuilder, code: Term, type: y.Type) -> Term:
    """A code as a scalar of its type."""
    return terms.equal(code, terms.number(1)) if isinstance(type, y.Bool) else code


def as_maybe(value: Sym) -> SymbolicOption:
    """A value where an optional is wanted."""
    if isinstance(value, SymbolicOption):
        return value
    assert isinstance(value, Term)
    return SymbolicOption(TRUE, value)


def possible(term: Term) -> range:
    """The values a number can have by its interval."""
    if term.low is None or term.high is None:
        raise UnboundedError("a number without end is an element or a bound")
    return range(term.low, term.high + 1)


def merge(terms: TermBuilder, condition: Term, then: Sym, otherwise: Sym) -> Sym:
    """`then` where the condition holds, else `otherwise`."""
    if condition is TRUE or then is otherwise:
        return then
    if condition is FALSE:
        return otherwise
    match then, otherwise:
        case Term(), Term():
            return terms.choose(condition, then, otherwise)
        case (SymbolicOption(), _) | (_, SymbolicOption()):
            one, other = as_maybe(then), as_maybe(otherwise)
            there = terms.choose_truth(condition, one.there, other.there)
            if one.value is None or other.value is None:
                return SymbolicOption(there, other.value if one.value is None else one.value)
            return SymbolicOption(there, terms.choose(condition, one.value, other.value))
        case SymbolicSet(), SymbolicSet():
            codes = sorted({*then.flags, *otherwise.flags})
            return SymbolicSet({
                code: terms.choose_truth(
                    condition, then.flags.get(code, FALSE), otherwise.flags.get(code, FALSE)
                )
                for code in codes
            })  # fmt: skip
        case SymbolicBag(), SymbolicBag():
            zero = terms.number(0)
            codes = sorted({*then.numbers, *otherwise.numbers})
            return SymbolicBag({
                code: terms.choose(
                    condition, then.numbers.get(code, zero), otherwise.numbers.get(code, zero)
                )
                for code in codes
            })  # fmt: skip
        case SymbolicMap(), SymbolicMap():
            return SymbolicMap({
                key: merge(terms, condition, value, otherwise.values[key])
                for key, value in then.values.items()
            })  # fmt: skip
        case _:
            from rulewright.smt.encode.arrays import choice

            return choice(terms, condition, then, otherwise)


def same(terms: TermBuilder, left: Sym, right: Sym) -> Term:
    """True where two values are equal."""
    if left is right:
        return TRUE
    match left, right:
        case Term(), Term():
            return terms.equal(left, right)
        case (SymbolicOption(), _) | (_, SymbolicOption()):
            one, other = as_maybe(left), as_maybe(right)
            alike = terms.same_truth(one.there, other.there)
            if one.value is None or other.value is None:
                return alike
            inside = terms.implies(one.there, terms.equal(one.value, other.value))
            return terms.both(alike, inside)
        case SymbolicSet(), SymbolicSet():
            return terms.every(
                terms.same_truth(left.flags.get(code, FALSE), right.flags.get(code, FALSE))
                for code in sorted({*left.flags, *right.flags})
            )
        case SymbolicBag(), SymbolicBag():
            zero = terms.number(0)
            return terms.every(
                terms.equal(left.numbers.get(code, zero), right.numbers.get(code, zero))
                for code in sorted({*left.numbers, *right.numbers})
            )
        case SymbolicMap(), SymbolicMap():
            return terms.every(
                same(terms, value, right.values[key]) for key, value in left.values.items()
            )
        case _:
            from rulewright.smt.encode.arrays import SymbolicArray, listed, same_board

            if isinstance(left, SymbolicMap) and isinstance(right, SymbolicArray):
                return same(terms, left, SymbolicMap(listed(terms, right, left.values)))
            if isinstance(right, SymbolicMap) and isinstance(left, SymbolicArray):
                return same(terms, right, left)
            return same_board(terms, left, right)


def leaves(value: Sym) -> Iterator[Term]:
    """The terms of a value that are not settled."""
    match value:
        case Term():
            if value.op not in ("true", "false", "int"):
                yield value
        case SymbolicOption():
            yield from leaves(value.there)
            if value.value is not None:
                yield from leaves(value.value)
        case SymbolicSet():
            for flag in value.flags.values():
                yield from leaves(flag)
        case SymbolicBag():
            for number in value.numbers.values():
                yield from leaves(number)
        case SymbolicMap():
            for each in value.values.values():
                yield from leaves(each)
        case _:
            return


def select(terms: TermBuilder, values: Mapping[int, Sym], key: Term) -> Sym:
    """The value at a key that may not be known. Keys with the same value share one condition; a
    key that is not among the codes finds just any of the values."""
    if key.op == "int":
        return values.get(key.value, next(iter(values.values())))
    if len(values) > MANY and all(map(_is_known, values.values())):
        return _looked_up(terms, values, key)
    groups: dict[int, tuple[Sym, list[Term]]] = {}
    for code, value in values.items():
        condition = terms.equal(key, terms.number(code))
        if condition is not FALSE:
            groups.setdefault(id(value), (value, []))[1].append(condition)
    if not groups:
        return next(iter(values.values()))
    *rest, (result, _) = sorted(groups.values(), key=lambda group: len(group[1]))
    for value, conditions in rest:
        result = merge(terms, terms.either(conditions), value, result)
    return result


def _is_known(value: Sym) -> bool:
    """Whether a value is a plain one."""
    if isinstance(value, SymbolicOption):
        return value.there in (TRUE, FALSE) and (value.value is None or value.value.op == "int")
    return isinstance(value, Term) and (value.op == "int" or value in (TRUE, FALSE))


def _looked_up(terms: TermBuilder, values: Mapping[int, Sym], key: Term) -> Sym:
    """One of many plain values, by a table instead of as many choices."""
    some = next(iter(values.values()))
    if some is TRUE or some is FALSE:
        return terms.among(key, (code for code, value in values.items() if value is TRUE))
    found = {code: as_maybe(value) for code, value in values.items()}
    numbers = {
        code: each.value.value
        for code, each in found.items()
        if each.there is TRUE and each.value is not None
    }
    there = terms.among(key, numbers)
    if not numbers:
        return SymbolicOption(FALSE, None)
    usual = min(numbers.values())
    first, last = min(values), max(values)
    listed = tuple(numbers.get(code, usual) for code in range(first, last + 1))
    number = terms.table(first, listed, key)
    if any(isinstance(value, SymbolicOption) for value in values.values()):
        return SymbolicOption(there, number)
    return number
