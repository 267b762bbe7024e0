"""Sums over all keys of a board: unknown numbers, and what is true of every sum.

A *measure* stands for what all keys count together, the same one for the same summand, so that the
cost of a question does not grow with the board. What a solver cannot know of it by itself is
written down as facts about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.substitute import replaced
from rulewright.smt.terms.term import BOUND, INT, OPAQUE, Term, parts

VERY_MANY = 256


@contextmanager
def any_key(terms: TermBuilder, keys: range) -> Iterator[Term]:
    """A name for any key, while something is written down about it. No other name that is open at
    the same time is the same."""
    name = f"{BOUND}open {terms.depth} {keys.start} {keys.stop}"
    terms.depth += 1
    try:
        yield terms.unknown(name, keys.start, keys.stop - 1)
    finally:
        terms.depth -= 1


def bind(terms: TermBuilder, keys: range, at: Callable[[Term], Term]) -> tuple[Term, Term]:
    """A bound name, and what `at` says of it. The name is called after how many binders stand
    inside: all of those have smaller numbers, so none of them can capture it, and the same body has
    the same name wherever it is written down."""
    with any_key(terms, keys) as open_name:
        body = at(open_name)
    name = terms.unknown(
        f"{BOUND}{body.height} {keys.start} {keys.stop}", keys.start, keys.stop - 1
    )
    return name, replaced(terms, body, open_name, name)


def for_all(terms: TermBuilder, keys: range, holds: Callable[[Term], Term]) -> Term:
    """True where something holds of every key."""
    return terms.forall(*bind(terms, keys, holds))


def reads_boards(term: Term) -> bool:
    """Whether a term depends on what is on a board, so that it cannot just be worked out."""
    return any(each.op == "apply" or each.op in OPAQUE for each in parts(term))


def measure_of(terms: TermBuilder, keys: range, at: Callable[[Term], Term]) -> Term:
    """The sum over all keys of what `at` says of each: an unknown number, the same one for the
    same summand. Facts about it: where no summand is negative, none is greater than the sum; the
    sum is at most as if all keys had the greatest one, whose key is an unknown too; and where it is
    more than the greatest alone, another key counts something, which is one more unknown. Of a
    sum over very many keys that says little, and what holds all over a board would be looked at
    around that key as well."""
    generic, summand = bind(terms, keys, at)
    if summand.op == "int":
        return terms.number(summand.value * len(keys))
    low = None if summand.low is None else summand.low * len(keys)
    high = None if summand.high is None else summand.high * len(keys)
    found = terms.make("measure", (generic, summand), None, INT, low, high)
    if found.facts or summand.low is None or summand.low < 0 or len(keys) > VERY_MANY:
        return found
    found.facts = _facts(terms, keys, at, found)
    return found


def _facts(
    terms: TermBuilder, keys: range, at: Callable[[Term], Term], found: Term
) -> tuple[Term, ...]:
    """What `measure_of` says of a sum. Where each key has a known weight, it is said of the numbers
    that are weighed, and how their sum compares to the weighted one."""
    weights = _weights(terms, keys, at, found.args[1])
    if weights is None:
        none_greater = for_all(terms, keys, lambda key: terms.at_most(at(key), found))
        below = _below_greatest(terms, keys, at, found, len(keys))
        return none_greater, below, _not_alone(terms, keys, at, found)

    def weighed(key: Term) -> Term:
        return _factors(at(key))[0]

    plain = measure_of(terms, keys, weighed)
    return (
        _below_greatest(terms, keys, weighed, found, sum(weights)),
        terms.at_most(terms.linear(0, ((min(weights), plain),)), found),
        terms.at_most(found, terms.linear(0, ((max(weights), plain),))),
    )


def _witness(terms: TermBuilder, keys: range, at: Callable[[Term], Term], which: str) -> Term:
    """An unknown key: that of the greatest summand, or another one."""
    span = keys.start, keys.stop - 1
    return terms.make("greatest", bind(terms, keys, at), which, INT, *span)


def _below_greatest(
    terms: TermBuilder, keys: range, at: Callable[[Term], Term], found: Term, times: int
) -> Term:
    """That a sum is at most so many times the greatest summand."""
    top = _witness(terms, keys, at, "first")
    return terms.at_most(found, terms.linear(0, ((times, at(top)),)))


def _not_alone(terms: TermBuilder, keys: range, at: Callable[[Term], Term], found: Term) -> Term:
    """That where a sum is more than its greatest summand, another key counts something."""
    top, other = (_witness(terms, keys, at, which) for which in ("first", "other"))
    counts = terms.both(terms.no(terms.equal(top, other)), terms.less(terms.number(0), at(other)))
    return terms.any_of(terms.at_most(found, at(top)), counts)


def _weights(
    terms: TermBuilder, keys: range, at: Callable[[Term], Term], summand: Term
) -> list[int] | None:
    """The weight of each key, where a summand is a number on a board times a known weight."""
    if summand.op != "*" or reads_boards(_factors(summand)[1]):
        return None
    if _factors(summand)[0].op != "apply":  # it could bring a factor of its own
        return None
    found = [_weight(at(terms.number(code))) for code in keys]
    weights = [each for each in found if each is not None]
    return weights if len(weights) == len(found) else None


def _factors(product: Term) -> tuple[Term, Term]:
    """The factor that depends on a board, and the other one."""
    one, other = product.args
    return (one, other) if reads_boards(one) else (other, one)


def _weight(summand: Term) -> int | None:
    """How often a summand counts what is on a board, if that is all it does."""
    match summand.op:
        case "int" if summand.value == 0:
            return 0
        case "sum" if [each.op for each in summand.args] == ["apply"] and summand.value[0] == 0:
            return int(summand.value[1]) if summand.value[1] >= 0 else None
        case "apply":
            return 1
        case _:
            return None
