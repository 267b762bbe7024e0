"""Large collections: operators of sets and bags of which one at least has many keys.

What they make is again looked at key by key. Few elements are written into a bag one by one, so
that its measures can be followed; more are added as a bag.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulewright.smt.encode.arrays import (
    ListedArray,
    RuleArray,
    StoredArray,
    SumArray,
    SymbolicArray,
    aligned,
    write,
)
from rulewright.smt.encode.sum_axioms import for_all
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.term import Term

if TYPE_CHECKING:
    from rulewright.smt.encode.symbolic_values import Sym

FEW = 4
"""So many elements are written into a bag one by one; more are added as a bag."""


def set_operator(terms: TermBuilder, operator: str, left: Sym, right: Sym) -> Sym:
    """Operators of sets of which one at least is big."""
    one, other = aligned(terms, left, right)
    keys = one.keys
    zero = terms.number(0)

    def inside(board: SymbolicArray, key: Term) -> Term:
        return terms.less(zero, board.read(terms, key))

    def made(rule: Callable[[Term, Term], Term]) -> SymbolicArray:
        def flag(key: Term) -> Term:
            holds = rule(inside(one, key), inside(other, key))
            return terms.choose(holds, terms.number(1), zero)

        return RuleArray(keys, flag)

    match operator:
        case "union":
            return made(terms.any_of)
        case "difference":
            return made(lambda a, b: terms.both(a, terms.no(b)))
        case "common":
            return made(terms.both)
        case _:

            def contained(less: SymbolicArray, more: SymbolicArray) -> Term:
                def holds(key: Term) -> Term:
                    return terms.implies(inside(less, key), inside(more, key))

                return for_all(terms, keys, holds)

            if operator == "subset":
                return contained(one, other)
            return terms.both(contained(one, other), terms.no(contained(other, one)))


def bag_operator(terms: TermBuilder, operator: str, left: Sym, right: Sym) -> Sym:
    """Operators of bags of which one at least is big."""
    one, other = aligned(terms, left, right)
    keys = one.keys
    if operator in ("bag_union", "bag_difference"):
        sign = 1 if operator == "bag_union" else -1
        if isinstance(one, ListedArray) and isinstance(other, ListedArray):
            known = {code: terms.number(code) for code in (*one.values, *other.values)}
            sums = {
                code: terms.linear(0, ((1, one.read(terms, key)), (sign, other.read(terms, key))))
                for code, key in sorted(known.items())
            }
            return ListedArray(
                keys, sums, terms.linear(0, ((1, one.default), (sign, other.default)))
            )
        few = _written_keys(terms, other)
        if few is None or len(few) > 1:
            return SumArray(one, other, sign)
        for key in few:
            parts = ((1, one.read(terms, key)), (sign, other.read(terms, key)))
            one = write(one, key, terms.linear(0, parts))
        return one
    if operator == "bag_common":

        def least(key: Term) -> Term:
            a, b = one.read(terms, key), other.read(terms, key)
            return terms.choose(terms.at_most(a, b), a, b)

        return RuleArray(keys, least)
    contained = _contained(terms, one, other)
    if operator == "sub_bag":
        return contained
    return terms.both(contained, terms.no(_contained(terms, other, one)))


def _written_keys(terms: TermBuilder, board: SymbolicArray) -> list[Term] | None:
    """The keys of a bag with few elements, None if there may be many."""
    match board:
        case StoredArray(inner=inner, key=key):
            before = _written_keys(terms, inner)
            return None if before is None else [*before, key]
        case ListedArray(values=values, default=default) if default is terms.number(0):
            few = len(values) <= FEW
            return [terms.number(code) for code in values] if few else None
        case _:
            return None


def _contained(terms: TermBuilder, one: SymbolicArray, other: SymbolicArray) -> Term:
    """True where no key counts more in one bag than in the other. A fact about that: then neither
    do all keys together, and they count less if one of them does."""
    few = _written_keys(terms, one)
    if few is not None:
        return terms.every(terms.at_most(one.read(terms, k), other.read(terms, k)) for k in few)

    def at_most(key: Term) -> Term:
        return terms.at_most(one.read(terms, key), other.read(terms, key))

    contained = for_all(terms, one.keys, at_most)
    if contained.op == "forall" and not contained.facts:
        total, more = one.total(terms), other.total(terms)

        def less(key: Term) -> Term:
            fewer = terms.less(one.read(terms, key), other.read(terms, key))
            return terms.implies(fewer, terms.less(total, more))

        follows = terms.both(terms.at_most(total, more), for_all(terms, one.keys, less))
        contained.facts = (terms.implies(contained, follows),)
    return contained
