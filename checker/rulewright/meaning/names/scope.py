"""What names mean inside one expression, and what is allowed there."""

from __future__ import annotations

from rulewright.meaning import core as c
from rulewright.meaning.types import NEVER, Type
from rulewright.syntax.node import NOWHERE, Span


class Scope:
    """The bound names of a place. Extending makes a new scope; core names are kept unique along
    the way, so that unfolding a rule into a move never captures a name."""

    __slots__ = ("bound", "in_old", "may_old", "taken")

    def __init__(
        self,
        bound: dict[str, c.Expr] | None = None,
        taken: frozenset[str] = frozenset(),
        may_old: bool = False,
        in_old: bool = False,
    ) -> None:
        self.bound = bound or {}
        self.taken = taken
        self.may_old = may_old
        self.in_old = in_old

    def bind(self, name: str, type: Type, span: Span) -> tuple[str, Scope]:
        """A new bound name: what it is called in the core, and the scope that has it."""
        fresh, number = name, 2
        while fresh in self.taken:
            fresh, number = f"{name}_{number}", number + 1
        bound = {**self.bound, name: c.Local(span, type, fresh)}
        return fresh, Scope(bound, self.taken | {fresh}, self.may_old, self.in_old)

    def hold(self, name: str) -> tuple[str, Scope]:
        """A name of the core that nobody wrote, and the scope in which it is taken."""
        fresh, taken = self.bind(name, NEVER, NOWHERE)
        return fresh, taken.given(self.bound)

    def reserve(self, names: frozenset[str]) -> Scope:
        """The same scope, in which these names of the core are taken."""
        return Scope(self.bound, self.taken | names, self.may_old, self.in_old)

    def given(self, bound: dict[str, c.Expr]) -> Scope:
        """Only these names, standing for expressions of this scope: the inside of a rule."""
        return Scope(bound, self.taken, self.may_old, self.in_old)

    def old(self) -> Scope:
        """The inside of `old(...)`."""
        return Scope(self.bound, self.taken, self.may_old, True)
