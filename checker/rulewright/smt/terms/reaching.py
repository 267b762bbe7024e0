"""What is connected: which places are reached from others, and what is always true of them.

Whether each place is reached is an unknown truth, and three facts say which: whoever begins is
reached, whatever lies beside what is reached and is inside is reached, and what is reached without
beginning lies beside something reached that has a lower number. The last one leaves out circles
that hold themselves up. So there is exactly one set of which the facts hold: that which is reached.

A solver does not see by itself that what is reached is the least such set, which a proof by
induction needs. For each two sets a fact says so: if all that the one begins with is in the other,
and the other goes on wherever the one does, the one is contained in the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.term import BOUND, FALSE, INT, TRUE, Term

MOST_PLACES = 512
"""On a board with more of them, nothing is known of what is reached."""
COMPARED = 8
"""So many sets before one are compared with it."""

Flags: TypeAlias = dict[int, Term]
"""For each place whether it is one; places that are missing are not."""
Near: TypeAlias = Mapping[int, tuple[int, ...]]
"""What lies beside each place."""


class Flood:
    """A set that is reached: where it begins, inside what, and where it comes to."""

    __slots__ = ("inside", "reached", "start")

    def __init__(self, start: Flags, inside: Flags, reached: Flags) -> None:
        self.start = start
        self.inside = inside
        self.reached = reached


class Reachability:
    """Says what is reached, in one world."""

    def __init__(self, terms: TermBuilder) -> None:
        self.terms = terms
        self._floods: dict[tuple[Any, ...], Flood] = {}

    def reached(self, links: Any, near: Near, start: Flags, inside: Flags) -> Flags:
        """Where one comes to; `links` is what the places beside each other are called."""
        terms = self.terms
        inside = {code: flag for code, flag in inside.items() if flag is not FALSE}
        start = {
            code: begins
            for code, flag in start.items()
            if (begins := terms.both(flag, inside.get(code, FALSE))) is not FALSE
        }
        if not start:
            return {}
        if all(flag is TRUE for flag in (*start.values(), *inside.values())):
            return dict.fromkeys(_known(set(start), inside, near), TRUE)
        key = (links, *start.items(), None, *inside.items())
        if key not in self._floods:
            self._floods[key] = self._made(key, start, inside, near)
        return self._floods[key].reached

    def _made(self, key: tuple[Any, ...], start: Flags, inside: Flags, near: Near) -> Flood:
        terms = self.terms
        name = terms.unknown(f"{BOUND}reach", 0, 0)
        whole = terms.make(
            "reach", (name, *start.values(), *inside.values()),
            (key[0], tuple(start), tuple(inside)), INT,
        )  # fmt: skip
        there = terms.at_most(terms.number(0), whole)  # leads to the facts, and is one of them

        def unknown(what: str, code: int, high: int) -> Term:
            found = terms.make("reach", (name, whole), (what, code), INT, 0, high)
            found.facts = (there,)
            return found

        zero = terms.number(0)
        reached = {
            code: TRUE if start.get(code) is TRUE else terms.less(zero, unknown("reached", code, 1))
            for code in inside
        }
        made = Flood(start, inside, reached)
        if not whole.facts and len(inside) <= MOST_PLACES:
            rank = {code: unknown("rank", code, len(inside)) for code in inside}
            whole.facts = (
                there, *self._closed(made, near), *self._founded(made, rank, near),
                *self._compared(key[0], made, near),
            )  # fmt: skip
        elif not whole.facts:
            whole.facts = (there,)
        return made

    def _closed(self, flood: Flood, near: Near) -> list[Term]:
        """What is reached: only what is inside, what begins, what lies beside it."""
        terms, inside, reached = self.terms, flood.inside, flood.reached
        found = [terms.implies(reached[code], inside[code]) for code in inside]
        found += [terms.implies(flag, reached[code]) for code, flag in flood.start.items()]
        found += [
            terms.implies(terms.both(reached[code], inside[other]), reached[other])
            for code in inside
            for other in near[code]
            if other in inside
        ]
        return [each for each in found if each is not TRUE]

    def _founded(self, flood: Flood, rank: Mapping[int, Term], near: Near) -> list[Term]:
        """That each was come to from one that was come to before."""
        terms = self.terms
        before: dict[int, list[Term]] = {code: [] for code in flood.inside}
        for code in flood.inside:
            for other in near[code]:
                if other in before:
                    lower = terms.less(rank[code], rank[other])
                    before[other].append(terms.both(flood.reached[code], lower))
        return [
            terms.implies(
                flood.reached[code],
                terms.any_of(flood.start.get(code, FALSE), terms.either(before[code])),
            )
            for code in flood.inside
        ]

    def _compared(self, links: Any, flood: Flood, near: Near) -> list[Term]:
        """That of this set and each of some before it, either is the least that it can be."""
        others = [each for key, each in self._floods.items() if key[0] == links]
        return [
            self._least(*pair, near)
            for other in others[-COMPARED:]
            for pair in ((flood, other), (other, flood))
        ]

    def _least(self, one: Flood, other: Flood, near: Near) -> Term:
        """That the one is contained in the other, if the other has what it begins with and goes on
        where it does."""
        terms, reached = self.terms, other.reached
        begins = terms.every(
            terms.implies(flag, reached.get(code, FALSE)) for code, flag in one.start.items()
        )
        goes_on = terms.every(
            terms.implies(
                terms.every((one.inside[code], one.inside[end], reached[code])),
                reached.get(end, FALSE),
            )
            for code in one.inside
            if code in reached
            for end in near[code]
            if end in one.inside
        )
        contained = terms.every(
            terms.implies(flag, reached.get(code, FALSE)) for code, flag in one.reached.items()
        )
        return terms.implies(terms.both(begins, goes_on), contained)


def _known(start: set[int], inside: Mapping[int, Term], near: Near) -> list[int]:
    """Where one comes to from known places in a known set."""
    found, waiting = set(start), list(start)
    while waiting:
        for end in near[waiting.pop()]:
            if end in inside and end not in found:
                found.add(end)
                waiting.append(end)
    return sorted(found)
