"""A query: assumptions, and goals to be shown one by one from them.

A goal is written down negated. *Unsatisfiable* means that the goal follows from the assumptions; a
model is a position (and an event) in which all assumptions hold and the goal does not. Questions
of possibility are the other way round: there a model is what is wanted. `covers` names the
obligations that a goal discharges, `hazards` what it says does not strike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from rulewright.kernel.obligations import Obligation
from rulewright.kernel.refutation import Assumptions, Problem, parted
from rulewright.meaning import core as c
from rulewright.play.semantics.event import Event
from rulewright.smt.encode.environment import Hazard
from rulewright.smt.encode.statement import State
from rulewright.smt.encode.symbolic_values import Sym
from rulewright.smt.solver.decode_model import Model
from rulewright.smt.solver.smtlib import LabelledAssertion
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.term import TRUE, Term
from rulewright.syntax.node import Node


class Goal(Node):
    """One thing to show. `name` is the property's, or what the obligation is called; `wants` is
    what the solver should say: `unsat` of a proof, `sat` of something possible."""

    name: str
    kind: str
    negated: Term
    wants: str = "unsat"
    note: str = ""  # what a failure comes from, for a person to read
    covers: tuple[Obligation, ...] = ()
    hazards: tuple[Hazard, ...] = ()


Happens: TypeAlias = (
    "Sequence[tuple[c.Transition, Mapping[str, Sym]]] | Callable[[Model], Sequence[Event]]"
)


class Query:
    """Goals that share their assumptions. `transition` is what they are about, if any; `happens`
    are the events in question, each with the values of its mover and parameters, or what reads
    them from a model; `keys` are the unknowns that say where something is written. It is about the
    case in which the parameters that are `fixed` have these values."""

    def __init__(
        self, label: str, assumed: Sequence[LabelledAssertion], goals: Sequence[Goal], state: State,
        transition: c.Transition | None = None, happens: Happens = (), keys: Sequence[Term] = (),
        fixed: Mapping[str, int] | None = None,
    ) -> None:  # fmt: skip
        self.label = label
        self.assumed = [each for each in assumed if each.term is not TRUE]
        self.goals = list(goals)
        self.state = state
        self.transition = transition
        self.happens = happens
        self.keys = tuple(keys)
        self.fixed = tuple((fixed or {}).items())
        self._parted: Assumptions | None = None

    def problem(self, terms: TermBuilder, goal: Goal) -> Problem:
        """What is to be refuted if a goal is to be shown."""
        if self._parted is None:
            self._parted = parted(terms, self.assumed)
        return Problem(self._parted, goal.negated)
