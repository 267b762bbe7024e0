"""That the game ends, shown one event at a time, however long a round is.

A round begins when a phase is entered. Two things are shown. The measure has fallen when the phase
is entered again: no event raises it, and either the last one lowers it or an induction of its own
goes over claims of the form *in this phase, where this has happened, the measure has fallen since
the round began*; all such claims are tried, and those that do not hold are dropped until the rest
hold up one another. And no round goes on for ever: wherever events could go round in a circle of
phases, some number that cannot fall for ever falls. Nothing here shows that a game does not end:
where this is not enough, nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from checker.meaning import core as c
from checker.meaning import types as y
from checker.prove.ask import Found
from checker.prove.ground import Ground
from checker.prove.manner import HASTY, LIGHT, USUAL, Manner
from checker.prove.narrow import Narrow
from checker.prove.obligations import assume, cases
from checker.prove.sheet import Goal, Sheet
from checker.prove.symmetry import seats_alike, to_all_alike
from checker.smt.collection import size
from checker.smt.number import Terms
from checker.smt.scene import Scene
from checker.smt.solver import UNKNOWN, UNSAT
from checker.smt.statement import State
from checker.smt.term import FALSE, TRUE, Term
from checker.smt.text import Labelled
from checker.smt.value import Entries, Maybe, Members, Sym, as_number
from checker.syntax.node import Node


class Edge(Node):
    """An event that leads from one phase to another, and all that may be assumed of it."""

    ground: Ground
    transition: c.Transition
    source: str
    target: str
    after: State
    assumed: tuple[Labelled, ...]
    keys: tuple[Term, ...]


Condition: TypeAlias = Callable[[State], Term]


class Claim(Node):
    """In a phase, where a condition holds, the measure has fallen since the round began. Claims
    with the same name hold for all seats or are given up."""

    phase: str
    name: str
    condition: Condition


class Rounds:
    """The rounds of one measure in one setting."""

    def __init__(self, ground: Ground, ends: c.Ends, narrow: Narrow, settled: bool) -> None:
        self._ground = ground
        self._terms = ground.terms
        self._ends = ends
        self._narrow = narrow
        self._settled = settled
        self._used: dict[str, None] = {}
        self._gave_up = False
        self._lowered: dict[tuple[int, bool], Term] = {}
        hidden = ground.world.hidden
        self._alike = seats_alike(ground.spec) and to_all_alike(ground.spec, ends.measure)
        self._edges = list(self._all_edges())
        if self._alike and ground.minds_order(hidden):
            self._alike = False
            self._edges = list(self._all_edges())

    def fall(self) -> tuple[str, ...] | None:
        """The assumptions from which it follows that every round ends and that the measure falls
        from one to the next, never below zero; None if that could not be shown."""
        shown = self._never_negative() and self._falls() and self._no_circle()
        return tuple(self._used) if shown else None

    def _all_edges(self) -> Iterator[Edge]:
        """Everything that can happen; where seats are alike, by the first player, who stands for
        all: claims about one seat are then dropped together with those about the others."""
        phases = [each.name for each in self._ground.spec.phases]
        final = [each.name for each in self._ground.spec.phases if each.final]
        for transition in self._ground.spec.transitions:
            for source in transition.phases or phases:
                ground = self._ground.in_phase(source)
                movers = cases(ground, transition)[: 1 if self._alike else None]
                for fixed in movers if source not in final else []:
                    taken, assumed = assume(ground, transition, fixed, self._settled)
                    for phase in self._ground.spec.phases:
                        here = ground.phase_is(taken.after, [phase.name])
                        facts = (*assumed, Labelled(f"phase {phase.name}", here))
                        if all(each.term is not FALSE for each in facts):
                            yield Edge(
                                ground, transition, source, phase.name, taken.after, facts,
                                tuple(k for k in taken.keys if k not in taken.locals.values()),
                            )  # fmt: skip

    # ---- asking

    def _measure(self, state: State) -> list[Term]:
        return [self._ground.ex.term(part, Scene(state)) for part in self._ends.measure]

    def _never_negative(self) -> bool:
        """Whether no part of the measure is negative, or without a value, when a round begins."""
        terms, ground = self._terms, self._ground.in_phase(self._ends.at)
        ground.world.take_hazards()
        negative = [terms.less(part, terms.number(0)) for part in self._measure(ground.state)]
        unsafe = terms.no(ground.safe(ground.world.take_hazards()))
        goal = Goal(self._ends.name, "ends", terms.either([*negative, unsafe]))
        return self._hold(Sheet(self._ends.name, ground.invariants, [goal], ground.state)) == [True]

    def _hold(self, sheet: Sheet, manner: Manner = USUAL) -> list[bool]:
        """Which goals of a sheet hold; what those rest on is noted."""
        found: list[Found] = self._narrow.answers(self._ground, sheet, manner, shown=False)
        self._used.update((label, None) for each in found for label in each.used)
        self._gave_up = self._gave_up or any(each.result == UNKNOWN for each in found)
        return [each.result == UNSAT for each in found]

    def _leads_to(
        self, edge: Edge, said: Term, assumed: Sequence[Labelled] = (), manner: Manner = HASTY
    ) -> bool:
        """Whether something holds whenever an event has happened."""
        return self._lead_to(edge, [said], assumed, manner) == [True]

    def _lead_to(
        self, edge: Edge, said: Sequence[Term], assumed: Sequence[Labelled], manner: Manner
    ) -> list[bool]:
        """The same of each of some terms."""
        goals = [Goal(self._ends.name, "ends", self._terms.no(each)) for each in said]
        known = [*edge.assumed, *assumed]
        sheet = Sheet(edge.transition.name, known, goals, edge.ground.state, keys=edge.keys)
        return self._hold(sheet, manner)

    # ---- the measure falls

    def _falls(self) -> bool:
        inside = self._reached(self._ends.at, self._edges)
        edges = [edge for edge in self._edges if edge.source in inside]
        if not all(self._leads_to(edge, self._lower(edge, weak=True)) for edge in edges):
            return False
        last = [edge for edge in edges if edge.target == self._ends.at]
        if all(self._leads_to(edge, self._lower(edge, weak=False)) for edge in last):
            return True  # whatever came before, the event that begins the next round lowers it
        claims = [each for each in self._claims() if each.phase in inside]
        self._gave_up = False
        light = self._hold_up(edges, claims, LIGHT)
        return light or (self._gave_up and self._hold_up(edges, claims, HASTY))

    def _hold_up(self, edges: Sequence[Edge], claims: Sequence[Claim], manner: Manner) -> bool:
        """Whether the claims that hold up one another say that the measure falls. An event is asked
        about again when a claim of the phase it comes from has been dropped."""
        waiting = list(edges)
        while waiting:
            edge = waiting.pop(0)
            gone = {(each.phase, each.name) for each in self._refuted(edge, claims, manner)}
            phases = {phase for phase, _ in gone}
            if self._ends.at in phases:
                return False
            claims = [each for each in claims if (each.phase, each.name) not in gone]
            again = (each for each in edges if each.source in phases)
            waiting += [each for each in again if not any(each is other for other in waiting)]
        return True

    def _refuted(self, edge: Edge, claims: Sequence[Claim], manner: Manner) -> list[Claim]:
        """Claims that an event does not lead to from those before it, one of each name."""
        terms = self._terms
        begins = edge.source == self._ends.at
        fallen = FALSE if begins else terms.flag("the measure has fallen in this round")
        assumed = [
            Labelled("", terms.implies(each.condition(edge.ground.state), fallen))
            for each in claims
            if each.phase == edge.source and not begins
        ]
        by_now = terms.any_of(fallen, self._lower(edge, weak=False))
        refuted: dict[str, Claim] = {}
        left = [each for each in claims if each.phase == edge.target]
        while left:
            asked = list({each.name: each for each in reversed(left)}.values())
            said = [terms.implies(each.condition(edge.after), by_now) for each in asked]
            holds = self._lead_to(edge, said, assumed, manner)
            refuted.update((each.name, each) for each, held in zip(asked, holds) if not held)
            left = [each for each in left if each not in asked and each.name not in refuted]
        return list(refuted.values())

    def _lower(self, edge: Edge, weak: bool) -> Term:
        """True where an event lowers the measure; where `weak`, where it does not raise it."""
        key = id(edge), weak  # the edges live as long as this does
        if key not in self._lowered:
            now, before = self._measure(edge.after), self._measure(edge.ground.state)
            self._ground.world.take_hazards()
            self._lowered[key] = lower(self._terms, now, before, weak)
        return self._lowered[key]

    def _claims(self) -> list[Claim]:
        """What is tried: with no condition, where somebody has answered, where something is so."""
        found = [Claim(self._ends.at, "", _anywhere)]
        conditions: list[tuple[str, Condition]] = [("", _anywhere)]
        for name, variable in self._ground.instance.variables.items():
            if isinstance(variable.type, y.Bool):
                conditions.append((name, partial(_flag, name)))
                conditions.append((f"not {name}", partial(_no_flag, self._terms, name)))
            if variable.type == y.Set(self._seats()):
                codes = self._ground.world.domains.codes(self._seats())
                conditions += [
                    (f"{'somebody' if self._alike else seat} in {name}", partial(_has, name, seat))
                    for seat in codes
                ]
        for phase in self._ground.spec.phases:
            if phase.name != self._ends.at and not phase.final:
                found += [Claim(phase.name, name, holds) for name, holds in conditions]
        return found

    def _seats(self) -> y.Player:
        return y.Player(self._ground.spec.least, self._ground.spec.most)

    # ---- no round goes on for ever

    def _no_circle(self) -> bool:
        left = [edge for edge in self._edges if edge.target != self._ends.at]
        while True:
            circles: dict[frozenset[str], list[Edge]] = {}
            for edge in left:
                onward = self._reached(edge.target, left)
                if edge.source in onward:
                    back = {n for n in onward if edge.source in self._reached(n, left)}
                    circles.setdefault(frozenset(back), []).append(edge)
            if not circles:
                return True
            for circle in circles.values():
                broken = self._broken(circle)
                if not broken:
                    return False
                left = [edge for edge in left if edge not in broken]

    def _broken(self, circle: list[Edge]) -> list[Edge]:
        """Those events of a circle with which a number falls that none of the others raises."""
        terms = self._terms
        for number in self._numbers():
            falling = []
            for edge in circle:
                before, after = number(edge.ground.state), number(edge.after)
                falls, stays = terms.less(after, before), terms.at_most(after, before)
                if falls is not FALSE and self._leads_to(edge, falls):
                    falling.append(edge)
                elif stays is FALSE or not self._leads_to(edge, stays):
                    break
            else:
                if falling:
                    return falling
        return []

    def _numbers(self) -> Iterator[Condition]:
        """Numbers that cannot fall for ever: how many there are of something, or are left."""
        for name, variable in self._ground.instance.variables.items():
            for sign in (1, -1):
                if _least(self._ground, variable.type, sign) is not None:
                    yield partial(self._number, name, sign)

    def _number(self, name: str, sign: int, state: State) -> Term:
        return self._terms.times(self._terms.number(sign), _count(self._terms, state[name]))

    @staticmethod
    def _reached(phase: str, edges: Sequence[Edge]) -> set[str]:
        """The phases that events lead to from one, and itself."""
        found = {phase}
        while True:
            more = {edge.target for edge in edges if edge.source in found} - found
            if not more:
                return found
            found |= more


def lower(terms: Terms, now: Sequence[Term], before: Sequence[Term], weak: bool = False) -> Term:
    """True where one measure is less than another, part by part; where `weak`, or equal to it."""
    result = terms.truth(weak)
    for one, other in reversed(list(zip(now, before))):
        tied = FALSE if result is FALSE else terms.both(terms.equal(one, other), result)
        result = terms.any_of(terms.less(one, other), tied)
    return result


def _anywhere(state: State) -> Term:
    return TRUE


def _flag(name: str, state: State) -> Term:
    flag = state[name]
    assert isinstance(flag, Term)
    return flag


def _no_flag(terms: Terms, name: str, state: State) -> Term:
    return terms.no(_flag(name, state))


def _has(name: str, seat: int, state: State) -> Term:
    held = state[name]
    assert isinstance(held, Members)
    return held.flags.get(seat, FALSE)


def _count(terms: Terms, value: Sym) -> Term:
    """How much there is of a value: of a number itself, of a set or bag its size, of an optional
    whether it is there, of a map all of its values together."""
    match value:
        case Term():
            return as_number(terms, value)
        case Maybe():
            return as_number(terms, value.there)
        case Entries():
            return terms.add(_count(terms, each) for each in value.values.values())
        case _:
            return size(terms, value)


def _least(ground: Ground, type: y.Type, sign: int) -> int | None:
    """A number that `sign` times what there is of a value is never less than, None without one."""
    match type:
        case y.Bool() | y.Option():
            return 0 if sign > 0 else -1
        case y.Int(low, high):
            return low if sign > 0 else None if high is None else -high
        case y.Bag():
            return 0 if sign > 0 else None
        case y.Set(element):
            return 0 if sign > 0 else -len(ground.world.domains.codes(element))
        case y.Map(key, inner) if not ground.world.domains.is_board(type):
            least = _least(ground, inner, sign)
            return None if least is None else least * len(ground.world.domains.codes(key))
        case _:
            return None
