"""Case split: the ways in which one truth can hold where another, much like it, does not.

Two forms of the same rule differ in one place. So what has to be ruled out is taken apart until
only that place is left: of two conjunctions, one part fails; of two *for all*, it fails at some
key, where the other is looked at, too. If the one holds where the other does not, then one of the
ways is open; that one is open says nothing, since less is asked in each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.substitute import replaced
from rulewright.smt.terms.term import FALSE, TRUE, Term, parts
from rulewright.syntax.node import Node


class CaseSplit(Node):
    """What has to hold together, with what else is known to hold beside it, near by and far off."""

    holds: tuple[Term, ...]
    near: tuple[Term, ...] = ()
    far: tuple[Term, ...] = ()


def case_splits(
    terms: TermBuilder, one: Term, other: Term, beside: CaseSplit | None = None
) -> Iterator[CaseSplit]:
    """The ways in which `one` holds and `other` does not."""
    known = beside or CaseSplit(())
    if one is other or one is FALSE or other is TRUE:
        return
    if one.op == other.op == "not":
        yield from case_splits(terms, other.args[0], one.args[0], known)
    elif one.op == other.op == "forall" and _same_keys(one, other):
        key = one.args[0]
        name = f"where it shows {key.low} {key.high} {len(known.far)}"
        here = terms.unknown(name, key.low, key.high)
        mine_here, yours_here = (
            replaced(terms, each.args[1], each.args[0], here) for each in (one, other)
        )
        yield from case_splits(
            terms, mine_here, yours_here, CaseSplit((), known.near, (*known.far, one))
        )
    elif one.op == other.op == "and":
        yield from _of_all(terms, one.args, other.args, known)
    elif one.op == other.op == "or":
        yield from _of_some(terms, one.args, other.args, known)
    else:
        yield CaseSplit((one, terms.no(other)), known.near, known.far)


def _of_all(
    terms: TermBuilder, mine: Sequence[Term], yours: Sequence[Term], known: CaseSplit
) -> Iterator[CaseSplit]:
    """The ways in which all of mine hold, and one of yours does not."""
    for at, part in enumerate(yours):
        if part not in mine:
            like = _like(part, at, mine, yours)
            rest = [each for each in mine if each is not like]
            beside = CaseSplit((), (*known.near, *rest), known.far)
            yield from case_splits(terms, TRUE if like is None else like, part, beside)


def _of_some(
    terms: TermBuilder, mine: Sequence[Term], yours: Sequence[Term], known: CaseSplit
) -> Iterator[CaseSplit]:
    """The ways in which one of mine holds, and none of yours does."""
    for at, part in enumerate(mine):
        if part not in yours:
            like = _like(part, at, yours, mine)
            rest = [terms.no(each) for each in yours if each is not like]
            beside = CaseSplit((), known.near, (*known.far, *rest))
            yield from case_splits(terms, part, FALSE if like is None else like, beside)


def _same_keys(one: Term, other: Term) -> bool:
    """Whether two *for all* are about one key each, in the same range."""
    if len(one.args) != 2 or len(other.args) != 2 or one.args[0].sort != "Int":
        return False
    return (one.args[0].low, one.args[0].high) == (other.args[0].low, other.args[0].high)


def _like(part: Term, at: int, others: Sequence[Term], own: Sequence[Term]) -> Term | None:
    """What stands in the place of a part among others; where they are not as many, what differs
    least from it."""
    if len(others) == len(own):
        return others[at]
    inside = set(parts(part))
    alike = [each for each in others if each not in own and each.op == part.op]
    return min(alike, key=lambda each: len(inside.symmetric_difference(parts(each))), default=None)
