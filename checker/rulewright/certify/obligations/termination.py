"""What has to be shown so that a game ends: no circle of transitions can be gone round for ever.

Nodes are phases, and an edge is a transition, by a seat, from one to another; once a game is over
only steps can still happen. On a set of edges that lead round and round, a number is looked for
that none of them raises and that is bounded below: from some point on it stays as it is, so that
each edge is only left with the transitions that leave it as it is. An edge without any is gone.
Where phases are too coarse, nodes are split by whether something is so. A game ends if no circle is
left. The numbers are the parts of the measure of the claim first; then others, from the state. This
also counts circles that never come to the phase of the measure. And with the parts of the measure
alone, nothing must be left that leads from its phase back to it: it falls from round to round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from rulewright.certify.claim import Claim
from rulewright.certify.discharge import OPEN, CertifierGoal
from rulewright.certify.obligations.context import InductionContext, Position, beginning
from rulewright.certify.obligations.induction import Induction, ProofPart
from rulewright.certify.obligations.progress import Confirmed, asked_at, reached
from rulewright.certify.obligations.ranking_candidates import NamedMeasure, numbers, predicates
from rulewright.certify.smt.term import Truth, low_of
from rulewright.certify.symbolic.evaluate import EvaluationContext, State, Worth
from rulewright.certify.symbolic.symbolic_values import UnsupportedError, Value
from rulewright.meaning import core as c

MOST_SPLITS = 60
"""So many ways to split the nodes are tried."""

Node = tuple[str | None, tuple[bool, ...]]
"""A phase, and which of some predicates hold."""


@dataclass(slots=True)
class TransitionEdge:
    """A transition from one node to another. `facts` are all that is known of it: that it happens,
    and which numbers it leaves as they are; `resting` the parts that show why."""

    name: str
    source: Node
    target: Node
    position: Position
    after: State
    locals: dict[str, Value]
    facts: list[Truth]


@dataclass(slots=True)
class _Found:
    """Edges that are left, and what was shown on the way."""

    edges: list[TransitionEdge]
    shown: list[ProofPart] = field(default_factory=list)


class Termination:
    """The parts of claims that a game ends."""

    def __init__(
        self, context: InductionContext, induction: Induction, confirmed: Confirmed
    ) -> None:
        self._ground = context
        self._t = context.t
        self._induction = induction
        self._confirmed = confirmed
        self._claim = ""

    def parts(self, claim: Claim) -> Iterator[ProofPart]:
        self._claim = claim.name
        ends = next(each for each in self._ground.spec.ends if each.name == claim.name)
        try:
            yield from self._parts(claim, ends)
        except UnsupportedError as error:
            yield ProofPart(claim.name, "all of it", None, f"this cannot be written down: {error}")

    def _parts(self, claim: Claim, ends: c.Ends) -> Iterator[ProofPart]:
        found = _Found(list(self._edges()))
        falls = True
        for number, part in enumerate(ends.measure, 1):
            round = {id(each) for each in self._returning(ends.at, found.edges)}
            named = NamedMeasure(f"part {number} of the measure", self._worth(part))
            falls = round <= self._apply(found, named) and falls
        if self._returning(ends.at, found.edges):
            found = self._split(found, ends.at)
        falls = falls and not self._returning(ends.at, found.edges)
        for other in numbers(self._ground, ends.measure):
            if not circles(found.edges):
                break
            self._lower(found, other)
        yield from found.shown
        left = circles(found.edges)
        if left:
            names = ", ".join(dict.fromkeys(each.name for each in left[0]))
            yield ProofPart(claim.name, "circles", None, f"nothing is seen to fall with {names}")
            return
        yield ProofPart(claim.name, "no circle is left", CertifierGoal(True, ()))
        yield from self._value(claim, ends)
        where = f"the measure falls from one time {ends.at} is entered to the next"
        yield ProofPart(
            claim.name, where, CertifierGoal(True, ()) if falls else None, "" if falls else OPEN
        )
        if claim.depth is not None:
            yield from self._depth(claim, ends)

    def _worth(self, e: c.Expr) -> Callable[[State], Worth]:
        return lambda state: self._ground.ev.worth(e, EvaluationContext(state, state, {}))

    def _edges(self) -> Iterator[TransitionEdge]:
        context = self._ground
        for phase in context.phases:
            position = context.position(phase)
            over = context.is_final(phase)
            for transition in context.steps if over else context.spec.transitions:
                for seat in context.cases(transition):
                    taken, locals = position.take(transition, seat)
                    facts = [self._induction.before(position, transition), *taken.asked,
                             taken.defined]  # fmt: skip
                    if False in facts:
                        continue
                    by = "" if seat is None else f" by {seat}"
                    for then in context.phases:
                        here = context.in_phase(taken.after, then)
                        if here is not False:
                            name = f"{transition.name}{by} from {phase} to {then}"
                            yield TransitionEdge(
                                name,
                                (phase, ()),
                                (then, ()),
                                position,
                                taken.after,
                                locals,
                                [*facts, here],
                            )

    # ---- numbers that fall

    def _apply(self, found: _Found, number: NamedMeasure) -> set[int]:
        """Looks at a number in every circle of edges. Where it never rises, what is left of the
        edges leaves it as it is. The identities of the edges in all circles where that is so."""
        covered: set[int] = set()
        for circle in circles(found.edges):
            shown: list[ProofPart] = []
            left: list[TransitionEdge] = []
            for edge in circle:
                told = self._told(edge, number)
                if told is None:
                    break
                part, still = told
                shown.append(part)
                left += [still] if still is not None else []
            else:
                mine = {id(each) for each in circle}
                covered |= mine
                found.edges = [each for each in found.edges if id(each) not in mine] + left
                found.shown += shown
        return covered

    def _lower(self, found: _Found, number: NamedMeasure) -> None:
        """The same with a number that nobody has named: only if an edge is gone by it."""
        tried = _Found(list(found.edges), list(found.shown))
        self._apply(tried, number)
        if len(tried.edges) < len(found.edges):
            found.edges, found.shown = tried.edges, tried.shown

    def _told(
        self, edge: TransitionEdge, number: NamedMeasure
    ) -> tuple[ProofPart, TransitionEdge | None] | None:
        """That an edge lowers a number (then it is gone), or that it does not raise it (then what
        is left leaves it as it is); None if neither is seen."""
        t = self._t
        try:
            before, defined = number.worth(edge.position.state)
            after, also = number.worth(edge.after)
        except UnsupportedError:
            return None
        bounded = low_of(before) is not None or t.at_most(0, before)
        valued = t.both(defined, also)
        lower = t.less(after, before)
        strict = t.both(valued, lower, bounded)
        if strict is not False:
            part = self._part(edge, f"{edge.name} lowers {number.name}", strict)
            if self._confirmed(part):
                return part, None
        weak = t.both(valued, t.at_most(after, before), t.implies(lower, bounded))
        part = self._part(edge, f"{edge.name} does not raise {number.name}", weak)
        if weak is False or not self._confirmed(part):
            return None
        same = t.equal(after, before)
        return part, replace(edge, facts=[*edge.facts, same])

    def _part(self, edge: TransitionEdge, where: str, goal: Truth) -> ProofPart:
        where += _shown(edge.source) + _shown(edge.target)
        return asked_at(self._ground, self._claim, where, edge.position, goal, edge.facts,
                        edge.locals, (edge.after,))  # fmt: skip

    # ---- nodes that are split

    def _returning(self, phase: str, edges: Sequence[TransitionEdge]) -> list[TransitionEdge]:
        """The edges by which a phase that was left, or entered, is entered again."""
        pairs = [(each.source, each.target) for each in edges]
        starts = {one for one, _ in pairs if one[0] == phase}
        onward = set().union(*(reached(each, pairs) for each in starts))
        back = [(other, one) for one, other in pairs]
        ends = {one for one, _ in back if one[0] == phase}
        homeward = set().union(*(reached(each, back) for each in ends))
        return [each for each in edges if each.source in onward and each.target in homeward]

    def _split(self, found: _Found, at: str) -> _Found:
        """Splits nodes by predicates, one or two, until nothing leads from the phase of the measure
        back to it; the same edges if that is not seen."""
        known = predicates(self._ground)
        pairs = sorted(combinations(known, 2), key=lambda pair: sum(p.of_seat for p in pair))
        ways = [*((each,) for each in known), *pairs]
        for way in ways[:MOST_SPLITS]:
            split = self._by(found, way, at)
            if not self._returning(at, split.edges):
                return split
        return found

    def _by(self, found: _Found, ways: Sequence[NamedMeasure], at: str) -> _Found:
        """The edges, once for each way in which predicates hold before and after them."""
        t = self._t
        edges = []
        for edge in found.edges:
            before = [self._truth(each, edge.position.state) for each in ways]
            after = [self._truth(each, edge.after) for each in ways]
            for one in _ways(len(ways)):
                for other in _ways(len(ways)):
                    facts = [
                        *(held if is_so else t.no(held) for held, is_so in zip(before, one)),
                        *(held if is_so else t.no(held) for held, is_so in zip(after, other)),
                    ]
                    if t.both(*edge.facts, *facts) is not False:
                        source, target = (edge.source[0], one), (edge.target[0], other)
                        edges.append(replace(edge, source=source, target=target,
                                             facts=[*edge.facts, *facts]))  # fmt: skip
        split = _Found(edges, list(found.shown))
        asked: set[int] = set()
        while open_edges := [
            each for each in self._returning(at, split.edges) if id(each) not in asked
        ]:
            edge = open_edges[0]
            asked.add(id(edge))
            part = self._part(edge, f"{edge.name} cannot be as", False)
            assert part.asked is not None
            part.asked.hasty = True  # many are tried
            if self._confirmed(part):
                split.shown.append(part)
                split.edges = [each for each in split.edges if each is not edge]
            elif self._returning(at, [each for each in split.edges if id(each) in asked]):
                break  # whatever else is gone, there is a way back
        return split

    def _truth(self, predicate: NamedMeasure, state: State) -> Truth:
        value, defined = predicate.worth(state)
        return self._t.both(defined, value)

    # ---- the measure itself

    def _value(self, claim: Claim, ends: c.Ends) -> Iterator[ProofPart]:
        """Where the measure is asked for, each of its parts has a value and is not negative."""
        position = self._ground.position(ends.at)
        for number, part in enumerate(ends.measure, 1):
            value, defined = self._ground.ev.worth(
                part, EvaluationContext(position.state, position.state, {})
            )
            goal = self._t.both(defined, self._t.at_most(0, value))
            where = f"part {number} of the measure has a value in {ends.at}"
            yield asked_at(self._ground, claim.name, where, position, goal, [])

    def _depth(self, claim: Claim, ends: c.Ends) -> Iterator[ProofPart]:
        """That the phase is entered at most so often: games begin there, and the measure, at first
        less than that and never negative, falls whenever it is entered again."""
        where = f"{ends.at} is entered {claim.depth} times at the most"
        if len(ends.measure) != 1 or claim.depth is None:
            yield ProofPart(claim.name, where, None, "the measure has several parts")
            return
        state, held, defined = beginning(self._ground)
        value, also = self._ground.ev.worth(ends.measure[0], EvaluationContext(state, state, {}))
        goal = self._t.both(
            also, self._ground.in_phase(state, ends.at),
            self._t.at_most(value, claim.depth - 1),
        )  # fmt: skip
        yield ProofPart(claim.name, where, CertifierGoal(goal, (held, defined)))


def circles(edges: Sequence[TransitionEdge]) -> list[list[TransitionEdge]]:
    """Edges that lead round and round, those together that lead to one another."""
    pairs = [(each.source, each.target) for each in edges]
    onward = {node: reached(node, pairs) for node in {one for pair in pairs for one in pair}}
    found: dict[frozenset[object], list[TransitionEdge]] = {}
    for each in edges:
        if each.source in onward[each.target]:
            together = frozenset(
                node
                for node in onward[each.source]
                if each.source in onward[node]  # type: ignore[index]
            )
            found.setdefault(together, []).append(each)
    return list(found.values())


def _ways(count: int) -> list[tuple[bool, ...]]:
    ways: list[tuple[bool, ...]] = [()]
    for _ in range(count):
        ways = [(*way, each) for way in ways for each in (False, True)]
    return ways


def _shown(node: Node) -> str:
    return "" if not node[1] else " " + "".join("y" if each else "n" for each in node[1])
