"""Rule ENDS: the game ends, because a measure falls on every cycle of phases.

A round begins when the phase of the measure is entered. Two things are shown, event by event, for
every position in which all invariants hold. The measure falls from one round to the next: in a
round no event raises it, it always has a value, and it has fallen when the phase is entered again.
And no other circle of phases is gone round for ever, be it in a round or before the first one:
some number that cannot fall for ever falls on it, and nothing on it raises that number.

Which claims and numbers are tried is up to whoever asks; what they mean is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from rulewright.kernel.obligations import transitions
from rulewright.kernel.outcome import Outcome, SolverResult, answered
from rulewright.kernel.query import Goal, Query
from rulewright.kernel.refutation import Problem
from rulewright.kernel.symmetry import seats_alike, to_all_alike
from rulewright.meaning import core as c
from rulewright.smt.encode.collection import amount
from rulewright.smt.encode.environment import SymbolicEnvironment
from rulewright.smt.encode.statement import State
from rulewright.smt.encode.symbolic_values import SymbolicSet
from rulewright.smt.solver.smtlib import LabelledAssertion
from rulewright.smt.solver.solver import UNSAT
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.term import FALSE, TRUE, Term
from rulewright.syntax.node import Node
from rulewright.vc.conditions import assume, beginning
from rulewright.vc.context import ProofContext

MEASURE, FALLS, TRIED, CIRCLE = "measure", "falls", "tried", "circle"
"""What is asked: about the measure itself, that it falls, what may well be asked in vain."""
Work: TypeAlias = "Callable[[Query, Sequence[Problem], str], Sequence[SolverResult]]"
"""Whoever works on the problems of a query; the last argument says what kind of question it is."""


class PhaseEdge(Node):
    """A transition that leads from one phase to another, and all that may be assumed of it."""

    context: ProofContext
    transition: c.Transition
    source: str
    target: str
    after: State
    assumed: tuple[LabelledAssertion, ...]
    keys: tuple[Term, ...]


class StateCondition(Node):
    """Something that can be so in a position: a truth of the state holds or is `denied`, a seat is
    in a set of the state, and no step of some lowers the measure. Without any of these it is always
    so."""

    variable: str = ""
    denied: bool = False
    seat: int = 0
    steps: tuple[str, ...] = ()


class RankingClaim(Node):
    """In a phase, where a condition holds, the measure has fallen since the round began. Claims
    with the same name hold for all seats or are given up."""

    phase: str
    name: str
    condition: StateCondition


class BoundedMeasure(Node):
    """A number that cannot fall for ever: how much there is of a variable, or is left (`sign`)."""

    variable: str
    sign: int


class Ranking:
    """One measure in one setting."""

    def __init__(self, context: ProofContext, ends: c.Ends, settled: bool, work: Work) -> None:
        self.context = context
        self.ends = ends
        self._terms = context.terms
        self._settled = settled
        self._work = work
        self._used: dict[str, None] = {}
        self._lowered: dict[tuple[int, bool], Term] = {}
        steps = [each for each in context.spec.transitions if each.kind == "step"]
        hidden = context.world.hidden
        self.alike = seats_alike(context.spec) and to_all_alike(
            context.spec, (*ends.measure, *steps)
        )
        self._edges = list(self._all_edges())
        if self.alike and context.minds_order(hidden):
            self.alike = False
            self._edges = list(self._all_edges())

    def ends_by(
        self, claims: Sequence[RankingClaim], numbers: Sequence[BoundedMeasure]
    ) -> Outcome | None:
        """That every game ends, and in how many rounds; None if that is not shown by these claims
        and numbers."""
        if not (self._never_negative() and self._falls(claims) and self._no_circle(numbers)):
            return None
        name, used, most = self.ends.name, tuple(self._used), self._most_rounds()
        return Outcome(name, "ends", UNSAT, UNSAT, None, used, 0.0, "", None, depth=most)

    def _most_rounds(self) -> int | None:
        """How often the phase is entered at the most, if the measure has one number and games begin
        in that phase."""
        state, _, _ = beginning(self.context)
        parts, _ = self._measure(state)
        begins_there = self.context.phase_is(state, [self.ends.at]) is TRUE
        most = parts[0].high if begins_there and len(parts) == 1 else None
        return None if most is None else most + 1

    def _all_edges(self) -> Iterator[PhaseEdge]:
        """Everything that can happen, also the steps that follow an event which ends the game.
        Where seats are alike, the first player stands for all. What an invariant rules out at sight
        is ruled out by that invariant."""
        spec, players = self.context.spec, self.context.instance.players
        phases = [each.name for each in spec.phases] or [""]
        final = [each.name for each in spec.phases if each.final]
        invariants = {each.label for each in self.context.invariants}
        for transition, phase, seat in transitions(spec, players):
            for source in [phase] if phase else phases:
                if (source in final and transition.kind != "step") or (self.alike and seat > 1):
                    continue
                here = self.context.in_phase(source)
                fixed = {str(transition.mover): seat} if seat else {}
                taken, assumed = assume(here, transition, fixed, self._settled)
                for target in phases:
                    there = here.phase_is(taken.after, [target]) if target else TRUE
                    facts = (*assumed, LabelledAssertion(f"phase {target}", there))
                    denied = [each.label for each in facts if each.term is FALSE]
                    if denied and set(denied) <= invariants:
                        self._used[denied[0]] = None
                    if not denied:
                        keys = tuple(k for k in taken.keys if k not in taken.locals.values())
                        yield PhaseEdge(here, transition, source, target, taken.after, facts, keys)

    # ---- asking

    def _measure(self, state: State) -> tuple[list[Term], Term]:
        """The parts of the measure, and that it has a value."""
        self.context.world.take_hazards()
        env = SymbolicEnvironment(state)
        parts = [self.context.ex.term(part, env) for part in self.ends.measure]
        return parts, self.context.safe(self.context.world.take_hazards())

    def _hold(self, query: Query, kind: str) -> list[bool]:
        found = answered(self._terms, query, lambda asked, all: self._work(asked, all, kind))
        self._used.update((label, None) for each in found for label in each.used)
        return [each.result == UNSAT for each in found]

    def _lead_to(
        self, edge: PhaseEdge, said: Sequence[Term], assumed: Sequence[LabelledAssertion], kind: str
    ) -> list[bool]:
        """Which of some terms hold whenever an event has happened."""
        goals = [Goal(self.ends.name, "ends", self._terms.no(each)) for each in said]
        known = [*edge.assumed, *assumed]
        state = edge.context.state
        return self._hold(Query(edge.transition.name, known, goals, state, keys=edge.keys), kind)

    def _never_negative(self) -> bool:
        """Whether no part of the measure is negative, or without a value, when a round begins."""
        terms, here = self._terms, self.context.in_phase(self.ends.at)
        parts, safe = self._measure(here.state)
        negative = [terms.less(part, terms.number(0)) for part in parts]
        goal = Goal(self.ends.name, "ends", terms.either([*negative, terms.no(safe)]))
        query = Query(self.ends.name, here.invariants, [goal], here.state)
        return self._hold(query, MEASURE) == [True]

    # ---- the measure falls

    def _falls(self, claims: Sequence[RankingClaim]) -> bool:
        inside = _reached(self.ends.at, self._edges)
        edges = [edge for edge in self._edges if edge.source in inside]
        weak = (self._lead_to(e, [self._lower(e, weak=True)], (), FALLS) for e in edges)
        if not all(each == [True] for each in weak):
            return False
        last = [edge for edge in edges if edge.target == self.ends.at]
        strict = (self._lead_to(e, [self._lower(e, weak=False)], (), FALLS) for e in last)
        if all(each == [True] for each in strict):
            return True  # whatever came before, the event that begins the next round lowers it
        entered = RankingClaim(self.ends.at, "", StateCondition())
        others = [each for each in claims if each.phase in inside and each.phase != self.ends.at]
        return self._hold_up(edges, [entered, *others])

    def _hold_up(self, edges: Sequence[PhaseEdge], claims: Sequence[RankingClaim]) -> bool:
        """Whether the claims that hold up one another say that the measure has fallen when a round
        ends. Claims that an event does not lead to are dropped; an event is asked about again when
        a claim of the phase it comes from has been dropped. In the end all are led to."""
        waiting = list(edges)
        while waiting:
            edge = waiting.pop(0)
            gone = {(each.phase, each.name) for each in self._refuted(edge, claims)}
            phases = {phase for phase, _ in gone}
            if self.ends.at in phases:
                return False
            claims = [each for each in claims if (each.phase, each.name) not in gone]
            again = (each for each in edges if each.source in phases)
            waiting += [each for each in again if not any(each is other for other in waiting)]
        return True

    def _refuted(self, edge: PhaseEdge, claims: Sequence[RankingClaim]) -> list[RankingClaim]:
        """Claims that an event does not lead to from those before it, one of each name."""
        terms = self._terms
        begins = edge.source == self.ends.at
        fallen = FALSE if begins else terms.flag("the measure has fallen in this round")
        assumed = [
            LabelledAssertion(
                "", terms.implies(self._so(each.condition, edge.context.state), fallen)
            )
            for each in claims
            if each.phase == edge.source and not begins
        ]
        by_now = terms.any_of(fallen, self._lower(edge, weak=False))
        refuted: dict[str, RankingClaim] = {}
        left = [each for each in claims if each.phase == edge.target]
        while left:
            asked = list({each.name: each for each in reversed(left)}.values())
            said = [terms.implies(self._so(each.condition, edge.after), by_now) for each in asked]
            holds = self._lead_to(edge, said, assumed, TRIED)
            refuted.update((each.name, each) for each, held in zip(asked, holds) if not held)
            left = [each for each in left if each not in asked and each.name not in refuted]
        return list(refuted.values())

    def _lower(self, edge: PhaseEdge, weak: bool) -> Term:
        """True where an event lowers the measure; where `weak`, where it does not raise it. Before
        and after it the measure has a value."""
        key = id(edge), weak  # the edges live as long as this does
        if key not in self._lowered:
            now, safe_now = self._measure(edge.after)
            before, safe = self._measure(edge.context.state)
            fell = lower(self._terms, now, before, weak)
            self._lowered[key] = self._terms.every((safe, safe_now, fell))
        return self._lowered[key]

    def _so(self, condition: StateCondition, state: State) -> Term:
        """True where a condition holds."""
        found = TRUE
        held = state[condition.variable] if condition.variable else TRUE
        if isinstance(held, SymbolicSet):
            found = held.flags.get(condition.seat, FALSE)
        elif isinstance(held, Term):
            found = held
        found = self._terms.no(found) if condition.denied else found
        return self._terms.every([found, *(self._stays(each, state) for each in condition.steps)])

    def _stays(self, step: str, state: State) -> Term:
        """True where what a step does has a value and would not lower the measure, were it due."""
        world, body = self.context.world, self.context.instance.transitions[step].body
        world.take_hazards()
        after = self.context.statements.perform(body, SymbolicEnvironment(state), state)
        done = self.context.safe(world.take_hazards())
        (now, safe_now), (before, safe) = self._measure(after), self._measure(state)
        stays = self._terms.no(lower(self._terms, now, before))
        return self._terms.every((done, safe_now, safe, stays))

    # ---- no other circle goes on for ever

    def _no_circle(self, numbers: Sequence[BoundedMeasure]) -> bool:
        left = [edge for edge in self._edges if edge.target != self.ends.at]
        while True:
            circles: dict[frozenset[str], list[PhaseEdge]] = {}
            for edge in left:
                onward = _reached(edge.target, left)
                if edge.source in onward:
                    back = {n for n in onward if edge.source in _reached(n, left)}
                    circles.setdefault(frozenset(back), []).append(edge)
            if not circles:
                return True
            for circle in circles.values():
                broken = self._broken(circle, numbers)
                if not broken:
                    return False
                left = [edge for edge in left if not any(edge is each for each in broken)]

    def _broken(
        self, circle: list[PhaseEdge], numbers: Sequence[BoundedMeasure]
    ) -> list[PhaseEdge]:
        """Those events of a circle with which a number falls that none of the others raises."""
        terms = self._terms
        for number in numbers:
            if self._count(number, self.context.state).low is None:
                continue
            falling = []
            for edge in circle:
                before = self._count(number, edge.context.state)
                after = self._count(number, edge.after)
                falls, stays = terms.less(after, before), terms.at_most(after, before)
                if falls is not FALSE and self._lead_to(edge, [falls], (), CIRCLE) == [True]:
                    falling.append(edge)
                elif stays is FALSE or self._lead_to(edge, [stays], (), CIRCLE) != [True]:
                    break
            else:
                if falling:
                    return falling
        return []

    def _count(self, number: BoundedMeasure, state: State) -> Term:
        sign = self._terms.number(number.sign)
        return self._terms.times(sign, amount(self._terms, state[number.variable]))


def lower(
    terms: TermBuilder, now: Sequence[Term], before: Sequence[Term], weak: bool = False
) -> Term:
    """True where one measure is less than another, part by part; where `weak`, or equal to it."""
    result = terms.truth(weak)
    for one, other in reversed(list(zip(now, before))):
        tied = FALSE if result is FALSE else terms.both(terms.equal(one, other), result)
        result = terms.any_of(terms.less(one, other), tied)
    return result


def _reached(phase: str, edges: Sequence[PhaseEdge]) -> set[str]:
    """The phases that events lead to from one, and itself."""
    found = {phase}
    while True:
        more = {edge.target for edge in edges if edge.source in found} - found
        if not more:
            return found
        found |= more
