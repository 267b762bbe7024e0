"""A sheet of questions: assumptions, and goals to be shown one by one from them.

A goal is written down negated. *Unsatisfiable* means the goal follows from the assumptions; a
model is a position (and an event) in which all assumptions hold and the goal does not. Questions
of possibility are the other way round: there a model is what is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from checker.meaning import core as c
from checker.play.event import Event
from checker.smt.decode import Model
from checker.smt.statement import State
from checker.smt.term import FALSE, TRUE, Term, conjuncts
from checker.smt.text import Labelled
from checker.smt.value import Sym
from checker.syntax.node import Node


class Goal(Node):
    """One thing to show. `name` is the property's, or what the obligation is called; `wants` is
    what the solver should say: `unsat` of a proof, `sat` of something possible."""

    name: str
    kind: str
    negated: Term
    wants: str = "unsat"
    note: str = ""
    """What a failure comes from, for a person to read."""


Happens: TypeAlias = (
    "Sequence[tuple[c.Transition, Mapping[str, Sym]]] | Callable[[Model], Sequence[Event]]"
)


class Sheet:
    """Goals that share their assumptions. `transition` is what they are about, if any; `happens`
    are the events in question, each with the values of its mover and parameters, or what reads
    them from a model; `keys` are the unknowns that say where something is written."""

    def __init__(
        self, label: str, assumed: Sequence[Labelled], goals: Sequence[Goal], state: State,
        transition: c.Transition | None = None, happens: Happens = (), keys: Sequence[Term] = (),
    ) -> None:  # fmt: skip
        self.label = label
        self.assumed = [each for each in assumed if each.term is not TRUE]
        self.goals = list(goals)
        self.state = state
        self.transition = transition
        self.happens = happens
        self.keys = tuple(keys)
        self._said: dict[bool, dict[Term, list[int]]] | None = None

    def trivial(self, goal: Goal) -> tuple[str, ...] | None:
        """The assumptions a goal follows from at sight, None if it takes a solver."""
        if goal.wants != "unsat":
            return None
        used, left = self.ways(goal)
        return None if left else used

    def ways(self, goal: Goal) -> tuple[tuple[str, ...], list[tuple[Term, bool]]]:
        """The ways in which a goal can fail: parts of which one holds, or fails to, if it does.
        Those that an assumption rules out at sight are gone; these assumptions come first."""
        if goal.negated is FALSE:
            return (), []
        used: set[int] = set()
        left: list[tuple[Term, bool]] = []
        for part, holds in _alternatives(goal.negated):
            first = self._excluded(part, holds)
            if first is None:
                left.append((part, holds))
            else:
                used.add(first)
        return tuple(self.assumed[number].label for number in sorted(used)), left

    def _excluded(self, part: Term, holds: bool) -> int | None:
        """The first assumption by which a part cannot hold, or fail to; None without one."""
        known = self._known()
        found = list(known[not holds].get(part, ())[:1])
        if part.op == ("and" if holds else "or"):  # all that is in it would have to
            for each in part.args:
                inner, wanted = _signed(each, holds)
                found += known[not wanted].get(inner, ())[:1]
                if inner.op == "and" and not wanted:
                    found += _all_said(known[True], inner.args)
        return min(found, default=None)

    def _known(self) -> dict[bool, dict[Term, list[int]]]:
        """Which assumptions say that a term is true, and which say that it is false."""
        if self._said is None:
            true: dict[Term, list[int]] = {}
            false: dict[Term, list[int]] = {}
            for number, each in enumerate(self.assumed):
                for part in conjuncts(each.term):
                    true.setdefault(part, []).append(number)
                    if part.op == "not":
                        false.setdefault(part.args[0], []).append(number)
                if each.term is FALSE:
                    false.setdefault(TRUE, []).append(number)
            self._said = {True: true, False: false}
        return self._said


def _all_said(true: Mapping[Term, list[int]], terms: Sequence[Term]) -> list[int]:
    """The assumptions that say of each of some terms that it is true."""
    if not all(each in true for each in terms):
        return []
    return sorted(set[int].intersection(*(set(true[each]) for each in terms)))


def _alternatives(term: Term) -> list[tuple[Term, bool]]:
    """The parts of which one holds, or fails to, if the term holds."""
    if term.op == "or":
        return [_signed(part, True) for part in term.args]
    if term.op == "not" and term.args[0].op == "and":
        return [_signed(part, False) for part in term.args[0].args]
    return [_signed(term, True)]


def _signed(part: Term, holds: bool) -> tuple[Term, bool]:
    return (part.args[0], not holds) if part.op == "not" else (part, holds)
