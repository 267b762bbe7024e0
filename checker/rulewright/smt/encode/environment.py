"""Symbolic environment: where something is evaluated, and what must be safe on the way.

Whenever the evaluator could stop with an error (a range left, a key that does not exist, a division
by zero, too much taken from a bag), the encoding notes a `Hazard`: on this path, this must hold.
What a value is where a hazard strikes does not matter; `prove` shows that none does.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.play.semantics.instance import Instance
from rulewright.smt.encode.symbolic_values import MANY, Sym, TypeDomains
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.bounds import PathFacts
from rulewright.smt.terms.term import TRUE, Term
from rulewright.syntax.node import Span


class PathCondition:
    """The conditions under which something is looked at; put together only when needed."""

    __slots__ = ("_facts", "_term", "condition", "outer")

    def __init__(self, outer: PathCondition | None, condition: Term) -> None:
        self.outer = outer
        self.condition = condition
        self._term: Term | None = None
        self._facts: PathFacts | None = None

    def facts(self) -> PathFacts:
        """What the conditions say of numbers."""
        if self._facts is None:
            before = self.outer.facts() if self.outer is not None else None
            self._facts = PathFacts(before, self.condition)
        return self._facts

    def term(self, terms: TermBuilder) -> Term:
        if self._term is None:
            before = self.outer.term(terms) if self.outer is not None else TRUE
            self._term = terms.both(before, self.condition)
        return self._term


class Hazard:
    """Something that must hold on a path, or the rules ask for what has no value."""

    __slots__ = ("message", "path", "safe", "span")

    def __init__(self, path: Term, safe: Term, message: str, span: Span) -> None:
        self.path = path
        self.safe = safe
        self.message = message
        self.span = span


class EncodingContext:
    """What all scenes of one encoding share: the instance, the terms, the hazards met so far."""

    def __init__(
        self, instance: Instance, many: int = MANY, terms: TermBuilder | None = None
    ) -> None:
        self.instance = instance
        self.terms = TermBuilder() if terms is None else terms
        self.domains = TypeDomains(instance, many)
        self.hazards: list[Hazard] = []
        self.risks = 0
        """How often something was met that must hold, be it on a path that is ever taken or not."""
        self.hidden = 0
        """How often an `all` or `some` over players could hide a hazard behind the first of them
        that decides: there, it matters in which order they sit."""
        self.tables: dict[str, Sym] = {}

    def take_hazards(self) -> list[Hazard]:
        """The hazards noted since they were last taken."""
        found, self.hazards = self.hazards, []
        return found


class SymbolicEnvironment:
    """The state before the transition and as it is now, local names, and the path here."""

    __slots__ = ("before", "locals", "now", "path")

    def __init__(
        self,
        before: Mapping[str, Sym],
        now: Mapping[str, Sym] | None = None,
        locals: Mapping[str, Sym] | None = None,
        path: PathCondition | None = None,
    ) -> None:
        self.before = before
        self.now = before if now is None else now
        self.locals = {} if locals is None else locals
        self.path = PathCondition(None, TRUE) if path is None else path

    def bind(self, name: str, value: Sym, where: Term = TRUE) -> SymbolicEnvironment:
        """The same scene with one more name, looked at only where a condition holds."""
        path = self.path if where is TRUE else PathCondition(self.path, where)
        return SymbolicEnvironment(self.before, self.now, {**self.locals, name: value}, path)

    def enter(self, parameters: Mapping[str, Sym], old: bool = False) -> SymbolicEnvironment:
        """The inside of a function or effect: only its parameters are known there."""
        return SymbolicEnvironment(
            self.before, self.before if old else self.now, parameters, self.path
        )

    def where(self, condition: Term) -> SymbolicEnvironment:
        """The same scene, looked at only where a condition holds."""
        if condition is TRUE:
            return self
        return SymbolicEnvironment(
            self.before, self.now, self.locals, PathCondition(self.path, condition)
        )

    def in_state(self, now: Mapping[str, Sym]) -> SymbolicEnvironment:
        return SymbolicEnvironment(self.before, now, self.locals, self.path)
