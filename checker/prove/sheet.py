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
        self._said: list[tuple[str, set[Term], set[Term]]] | None = None

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
        open_parts = _alternatives(goal.negated)
        used = []
        for label, true, false in self._known():
            left = [each for each in open_parts if not _excluded(*each, true, false)]
            if len(left) < len(open_parts):
                used.append(label)
                open_parts = left
            if not open_parts:
                break
        return tuple(used), open_parts

    def _known(self) -> list[tuple[str, set[Term], set[Term]]]:
        """What each assumption says is true, and what it says is false."""
        if self._said is None:
            self._said = []
            for each in self.assumed:
                parts = conjuncts(each.term)
                false = {part.args[0] for part in parts if part.op == "not"}
                if each.term is FALSE:
                    false.add(TRUE)
                self._said.append((each.label, set(parts), false))
        return self._said


def _excluded(part: Term, holds: bool, true: set[Term], false: set[Term]) -> bool:
    """Whether a part cannot hold, or fail to, where some terms are true and some are false."""
    if part in (false if holds else true):
        return True
    if part.op != ("and" if holds else "or"):
        return False
    for each in part.args:  # all of them would have to
        inner, wanted = _signed(each, holds)
        if inner in (false if wanted else true):
            return True
        if inner.op == "and" and not wanted and all(one in true for one in inner.args):
            return True
    return False


def _alternatives(term: Term) -> list[tuple[Term, bool]]:
    """The parts of which one holds, or fails to, if the term holds."""
    if term.op == "or":
        return [_signed(part, True) for part in term.args]
    if term.op == "not" and term.args[0].op == "and":
        return [_signed(part, False) for part in term.args[0].args]
    return [_signed(term, True)]


def _signed(part: Term, holds: bool) -> tuple[Term, bool]:
    return (part.args[0], not holds) if part.op == "not" else (part, holds)
