"""Operators and sizes of symbolic sets and bags."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.smt.encode import arrays as b
from rulewright.smt.encode import large_collections
from rulewright.smt.encode.symbolic_values import (
    Sym,
    SymbolicBag,
    SymbolicMap,
    SymbolicOption,
    SymbolicSet,
    as_maybe,
    as_number,
    possible,
    select,
)
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.term import FALSE, TRUE, Term


def set_operator(terms: TermBuilder, operator: str, left: Sym, right: Sym) -> Sym:
    """Union, difference, common part, containment of two sets."""
    if isinstance(left, b.SymbolicArray) or isinstance(right, b.SymbolicArray):
        return large_collections.set_operator(terms, operator, left, right)
    assert isinstance(left, SymbolicSet) and isinstance(right, SymbolicSet)
    mine, yours = left.flags, right.flags
    match operator:
        case "union":
            codes = sorted({*mine, *yours})
            return SymbolicSet({
                code: terms.any_of(mine.get(code, FALSE), yours.get(code, FALSE)) for code in codes
            })  # fmt: skip
        case "difference":
            return SymbolicSet({
                code: terms.both(flag, terms.no(yours.get(code, FALSE)))
                for code, flag in mine.items()
            })  # fmt: skip
        case "common":
            return SymbolicSet({
                code: terms.both(flag, yours[code]) for code, flag in mine.items() if code in yours
            })  # fmt: skip
        case _:
            inside = terms.every(
                terms.implies(flag, yours.get(code, FALSE)) for code, flag in mine.items()
            )
            if operator == "subset":
                return inside
            more = terms.either(
                terms.both(flag, terms.no(mine.get(code, FALSE))) for code, flag in yours.items()
            )
            return terms.both(inside, more)


def bag_operator(terms: TermBuilder, operator: str, left: Sym, right: Sym) -> Sym:
    """Sum, difference, common part, containment of two bags. That a difference takes no more than
    there is, is for the caller to ask."""
    if isinstance(left, b.SymbolicArray) or isinstance(right, b.SymbolicArray):
        return large_collections.bag_operator(terms, operator, left, right)
    assert isinstance(left, SymbolicBag) and isinstance(right, SymbolicBag)
    zero = terms.number(0)
    mine, yours = left.numbers, right.numbers
    match operator:
        case "bag_union":
            codes = sorted({*mine, *yours})
            return SymbolicBag({
                code: terms.plus(mine.get(code, zero), yours.get(code, zero)) for code in codes
            })  # fmt: skip
        case "bag_difference":
            return SymbolicBag({
                code: terms.minus(number, yours.get(code, zero)) for code, number in mine.items()
            })  # fmt: skip
        case "bag_common":
            return SymbolicBag({
                code: terms.choose(terms.at_most(number, yours[code]), number, yours[code])
                for code, number in mine.items()
                if code in yours
            })  # fmt: skip
        case _:
            inside = terms.every(
                terms.at_most(number, yours.get(code, zero)) for code, number in mine.items()
            )
            if operator == "sub_bag":
                return inside
            more = terms.either(
                terms.less(mine.get(code, zero), number) for code, number in yours.items()
            )
            return terms.both(inside, more)


def member(terms: TermBuilder, element: Sym, collection: Sym) -> Term:
    """Whether a value is in a set or bag."""
    if isinstance(element, SymbolicOption):  # `none` is in no set of plain values
        if element.value is None:
            return FALSE
        return terms.both(element.there, member(terms, element.value, collection))
    count = count_of(terms, element, collection)
    return terms.less(terms.number(0), count)


def count_of(terms: TermBuilder, element: Sym, collection: Sym) -> Term:
    """How often a value is in a set or bag."""
    assert isinstance(element, Term)
    key = as_number(terms, element)
    zero = terms.number(0)
    if isinstance(collection, b.SymbolicArray):
        inside = terms.both(
            terms.at_most(terms.number(collection.keys.start), key),
            terms.less(key, terms.number(collection.keys.stop)),
        )
        return terms.choose(inside, collection.read(terms, key), zero)
    if isinstance(collection, SymbolicSet):
        held = collection.counted(terms)
    else:
        assert isinstance(collection, SymbolicBag)
        held = collection.numbers
    if key.op == "int":
        return held.get(key.value, zero)
    if not held:
        return zero
    found = select(terms, held, key)
    assert isinstance(found, Term)
    if not _within(key, held):
        known = terms.either(terms.equal(key, terms.number(code)) for code in held)
        return terms.choose(known, found, zero)
    return found


def size(terms: TermBuilder, collection: Sym) -> Term:
    """How many elements a set or bag has."""
    match collection:
        case SymbolicSet():
            return terms.add(collection.counted(terms).values())
        case SymbolicBag():
            return terms.add(collection.numbers.values())
        case _:
            assert isinstance(collection, b.SymbolicArray)
            return collection.total(terms)


def amount(terms: TermBuilder, value: Sym) -> Term:
    """How much there is of a value: of a number itself, of a set or bag its size, of an optional
    whether it is there, of a map all of its values together."""
    match value:
        case Term():
            return as_number(terms, value)
        case SymbolicOption():
            return as_number(terms, value.there)
        case SymbolicMap():
            return terms.add(amount(terms, each) for each in value.values.values())
        case _:
            return size(terms, value)


def gathered(terms: TermBuilder, elements: list[tuple[Term, Term]], as_bag: bool) -> Sym:
    """The set or bag of some elements, each there only where its condition holds."""
    found: dict[int, list[Term]] = {}
    for condition, element in elements:
        key = as_number(terms, element)
        for code in possible(key):
            hit = terms.both(condition, terms.equal(key, terms.number(code)))
            if hit is not FALSE:
                found.setdefault(code, []).append(hit)
    if as_bag:
        return SymbolicBag({
            code: terms.add(as_number(terms, hit) for hit in found[code]) for code in sorted(found)
        })  # fmt: skip
    return SymbolicSet({code: terms.either(found[code]) for code in sorted(found)})


def elements_of(terms: TermBuilder, collection: Sym) -> list[tuple[Term, Term]]:
    """What a name can range over: each value with the condition that it is there."""
    match collection:
        case SymbolicOption():
            return [] if collection.value is None else [(collection.there, collection.value)]
        case Term():
            return [(TRUE, as_maybe(collection).value or collection)]
        case SymbolicSet():
            return [(flag, terms.number(code)) for code, flag in collection.flags.items()]
        case SymbolicBag():
            zero = terms.number(0)
            return [
                (terms.less(zero, number), terms.number(code))
                for code, number in collection.numbers.items()
            ]
        case _:
            raise TypeError(collection)


def _within(key: Term, held: Mapping[int, Sym]) -> bool:
    """Whether every value a key can have is among the codes held."""
    if key.low is None or key.high is None:
        return False
    return all(code in held for code in range(key.low, key.high + 1))
