"""What is true of the unknowns that stand for whole boards: a closed list of lemmas.

    instance     what holds on all squares holds on this one
    witness      what does not hold on all squares fails on one of them, or is not defined there
    part         of parts that are never negative, the sum is at least this one; of parts that are
                 never above one, at most all others and this one
    frame        two sums whose parts agree but on one square differ by that square
    growth       a tile laid beside others leaves one component

Each formula is valid: it holds whatever the position is. That the parts of two sums agree is asked
of the solver, as a question of its own without any assumption; all else is plain from how the
summary was made. Which lemmas are written down for a question is a choice and cannot make an answer
wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from rulewright.certify.smt.term import Term, Truth, high_of, low_of
from rulewright.certify.symbolic.evaluate import Evaluator
from rulewright.certify.symbolic.large_boards import Summary
from rulewright.certify.symbolic.symbolic_values import (
    BoardValue,
    Square,
    UnsupportedError,
    key_of,
    maybe,
)
from rulewright.meaning.geometry import STRAIGHT, beside

Valid = Callable[[Truth], bool]
"""Asks a solver whether a truth holds whatever its unknowns are."""


class BoardLemmas:
    """Writes lemmas for questions of one setting."""

    def __init__(self, evaluator: Evaluator, valid: Valid) -> None:
        self._ev = evaluator
        self._t = evaluator.t
        self._valid = valid
        self._frames: dict[tuple[Term, Term, object], Truth] = {}

    def for_question(
        self, terms: Sequence[Truth], goal: Truth, squares: Sequence[Square], reach: int
    ) -> list[Truth]:
        """Lemmas for the summaries in some terms. Instances are written for the given squares, the
        witnesses of the goal, and the squares so many steps from these; then once more for what
        turns up in these."""
        found: dict[Truth, None] = {}
        if not self._ev.boards.summaries:
            return []
        wanted = {each.said: each for each in self._summaries([*terms, goal])}
        if not wanted:
            return []
        near = list(squares)
        for each in self._summaries([goal]):
            if each.kind == "all":
                near.append(each.witness[-1])
        places = self._with_neighbours(near, reach)
        done: set[Term] = set()
        for _ in range(2):
            new = [each for said, each in wanted.items() if said not in done]
            for each in new:
                done.add(each.said)
                if each.kind == "all":
                    found[self._fails_somewhere(each)] = None
                    for place in places:
                        found[self._instance(each, place)] = None
                elif each.kind == "sum":
                    for place in squares:
                        found[self._part(each, place)] = None
            inside = self._summaries(list(found))
            wanted = {each.said: each for each in inside} | wanted
        for one, other in combinations(sorted(wanted.values(), key=lambda s: s.said.number), 2):
            if one.kind == other.kind == "sum" and one.shape == other.shape:
                for place in squares:
                    found[self._frame(one, other, place)] = None
        for each in wanted.values():
            if each.kind == "components":
                found[self._growth(each)] = None
        return [each for each in found if each is not True]

    def _summaries(self, terms: Iterable[Truth]) -> list[Summary]:
        """The summaries whose unknowns are in some terms."""
        known = self._ev.boards.summaries
        found: dict[Summary, None] = {}
        seen: set[Term] = set()
        waiting = [each for each in terms if isinstance(each, Term)]
        while waiting:
            each = waiting.pop()
            if each in seen:
                continue
            seen.add(each)
            if each in known:
                found[known[each]] = None
            waiting += [a for a in each.args if isinstance(a, Term)]
        return list(found)

    def _with_neighbours(self, squares: Sequence[Square], reach: int) -> list[Square]:
        found = {key_of(each): each for each in squares}
        for column, row in squares:
            for right, down in STRAIGHT:
                for steps in range(1, reach + 1):
                    there = (
                        self._t.add(column, right * steps), self._t.add(row, down * steps),
                    )  # fmt: skip
                    found[key_of(there)] = there
        return list(found.values())

    # ---- the lemmas

    def _fails_somewhere(self, summary: Summary) -> Truth:
        t = self._t
        value, defined = summary.at(summary.witness)
        return t.either(
            t.both(summary.defined, summary.said),
            t.both(summary.defined, t.no(summary.said), defined, t.no(value)),
            t.both(t.no(summary.defined), t.no(defined)),
        )

    def _instance(self, summary: Summary, place: Square) -> Truth:
        t = self._t
        keys = (*summary.witness[:-1], place)
        grid = summary.types[-1]
        value, defined = summary.at(keys)
        there = self._ev.shapes.inside(place, grid)
        return t.implies(t.both(summary.defined, summary.said, there), t.both(defined, value))

    def _part(self, summary: Summary, place: Square) -> Truth:
        t = self._t
        part, _ = summary.at((place,))
        there = self._ev.shapes.inside(place, summary.types[-1])
        any_part, _ = summary.at(summary.any)
        low, high = low_of(any_part), high_of(any_part)
        least: Truth = True
        most: Truth = True
        if low is not None and low >= 0:
            least = t.at_most(part, summary.said)
        if high is not None and high <= 1:
            most = t.at_most(summary.said, t.add(summary.squares() - 1, part))
        return t.implies(there, t.both(least, most))

    def _frame(self, one: Summary, other: Summary, place: Square) -> Truth:
        t = self._t
        key = one.said, other.said, key_of(place)
        if key not in self._frames:
            elsewhere = self._ev.shapes.unknown(one.types[-1], "elsewhere")
            (a, _), (b, _) = one.at((elsewhere,)), other.at((elsewhere,))
            here = self._ev.shapes.equal_plain(elsewhere, place)
            agree = self._valid(t.either(here, t.equal(a, b)))
            found: Truth = True
            if agree:
                (a, _), (b, _) = one.at((place,)), other.at((place,))
                there = self._ev.shapes.inside(place, one.types[-1])
                differ = t.equal(t.minus(other.said, one.said), t.minus(b, a))
                found = t.both(
                    t.implies(there, differ),
                    t.either(there, t.equal(other.said, one.said)),
                )
            self._frames[key] = found
        return self._frames[key]

    def _growth(self, summary: Summary) -> Truth:
        """For a board made by writing one square."""
        t, shapes = self._t, self._ev.shapes
        map = summary.shape[1]
        if not isinstance(map, BoardValue) or map.made[0] != "written":
            return True
        _, held, place, value = map.made
        before = self._ev.boards.components(held, map.grid)
        near: list[Truth] = []
        for right, down in beside(map.grid):
            there = (t.add(place[0], right), t.add(place[1], down))
            occupied = t.no(maybe(held.at(there)).none)
            near.append(t.both(shapes.inside(there, map.grid), occupied))
        grown = t.both(
            shapes.inside(place, map.grid), t.equal(before, 1), t.either(*near),
            maybe(held.at(place)).none, t.no(maybe(value).none),
        )  # fmt: skip
        return t.implies(grown, t.equal(summary.said, 1))


__all__ = ["BoardLemmas", "UnsupportedError"]
