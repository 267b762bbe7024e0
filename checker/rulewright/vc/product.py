"""Product of two specs: both side by side over one unknown position.

Variables are matched by name. Where their types agree, both sides have the same unknown; where a
range or an enumeration has grown or shrunk, or a value may now be missing, they have the values
that both know. Every other variable is each side's own, and named as not compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.counterparts import agree
from rulewright.play.semantics.instance import Configuration, Instance
from rulewright.smt.encode.environment import EncodingContext, SymbolicEnvironment
from rulewright.smt.encode.expression import ExpressionEncoder
from rulewright.smt.encode.statement import State, StatementEncoder
from rulewright.smt.encode.symbolic_values import Sym, SymbolicMap, SymbolicOption, same
from rulewright.smt.solver.smtlib import LabelledAssertion
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.term import TRUE, Term
from rulewright.syntax.node import Node
from rulewright.vc.context import ProofContext


class ProductSide(ProofContext):
    """One of the two specs, its terms shared with the other."""

    def __init__(
        self, spec: c.Spec, configuration: Configuration, terms: TermBuilder, mark: str
    ) -> None:
        super().__init__(spec, configuration, terms, f" of the {mark} rules")
        self.mark = mark

    def stand(self, state: State, invariants: frozenset[str] | None) -> None:
        """Takes its position, and assumes of it the invariants of these names (None: all)."""
        self.state = state
        self.invariants = [
            each for each in self.assumed(SymbolicEnvironment(state))
            if invariants is None or each.label in invariants
        ]  # fmt: skip


class Mutated(ProofContext):
    """A mutant over the position of the spec, with which it shares all that can be shared: terms,
    and tables that are the same. Nothing is assumed of it."""

    def __init__(self, context: ProofContext, spec: c.Spec) -> None:
        self.spec = spec
        self.configuration = context.configuration
        self.instance = Instance(
            spec, context.configuration.players, dict(context.configuration.readings)
        )
        self.world = EncodingContext(self.instance)
        self.world.terms = context.terms
        kept = {each.name for each in spec.tables if each in context.spec.tables}
        self.world.tables = {
            name: table for name, table in context.world.tables.items() if name in kept
        }
        self.terms = context.terms
        self.ex = ExpressionEncoder(self.world)
        self.statements = StatementEncoder(self.ex)
        self.state = context.state
        self.invariants = []


class UncomparedVariable(Node):
    """A state variable that is not, or not fully, compared."""

    variable: str
    old: str | None
    new: str | None
    partly: bool

    def shown(self) -> str:
        if self.old is None:
            return f"`{self.variable}` is new ({self.new}) and not compared"
        if self.new is None:
            return f"`{self.variable}` ({self.old}) is gone and not compared"
        how = "compared where both know the value" if self.partly else "not compared"
        return f"`{self.variable}` was {self.old} and is {self.new}: {how}"


class Product:
    """An old and a new spec in one way to play, over one unknown position."""

    def __init__(
        self, old: ProofContext, new: ProofContext, known: Sequence[LabelledAssertion] | None = None
    ) -> None:
        """The sides share their terms. Where it is said what is `known` of the position, they are
        compared safely: the old one always has an answer."""
        self.terms = old.terms
        self.safely = known is not None
        self.known = list(known or ())
        self.old = old
        self.new = new
        self.mismatches: list[UncomparedVariable] = []
        self.common: list[Term] = []
        """What makes the position one that both sides know."""
        self.state = self._shared()

    @classmethod
    def of(
        cls, old: c.Spec, new: c.Spec, settings: tuple[Configuration, Configuration],
        invariants: tuple[frozenset[str] | None, frozenset[str] | None] = (None, None),
    ) -> Product:  # fmt: skip
        """Two versions of a game, each with these of its invariants assumed (None: all)."""
        terms = TermBuilder()
        before, after = (
            ProductSide(old, settings[0], terms, "old"),
            ProductSide(new, settings[1], terms, "new"),
        )
        product = cls(before, after)
        before.stand(before.state, invariants[0])
        after.stand(product.state, invariants[1])
        return product

    @property
    def sides(self) -> tuple[ProofContext, ProofContext]:
        return self.old, self.new

    def _shared(self) -> dict[str, Sym]:
        """The position of the new side, with the unknowns of the old one where they agree."""
        state: dict[str, Sym] = {}
        before = self.old.instance.variables
        for name, variable in self.new.instance.variables.items():
            type = variable.type
            held = before[name].type if name in before else None
            if held is not None and agree(held, type):
                state[name] = self.old.state[name]
                continue
            alike = held is not None and translatable(held, type)
            shown = y.show(held) if held is not None else None
            self.mismatches.append(UncomparedVariable(name, shown, y.show(type), alike))
            if alike and held is not None:
                state[name] = self._translated(self.old.state[name], held, type)
            else:
                state[name] = self.new.state[name]
        gone = [name for name in before if name not in self.new.instance.variables]
        self.mismatches += [
            UncomparedVariable(n, y.show(before[n].type), None, False) for n in gone
        ]
        return state

    def compared(self) -> list[str]:
        """The variables that both sides share."""
        apart = {each.variable for each in self.mismatches if not each.partly}
        return [name for name in self.new.state if name not in apart]

    def _translated(self, value: Sym, old: y.Type, new: y.Type) -> Sym:
        """A value of the old type as one of the new; it must be one that both know."""
        terms = self.terms
        match old, new, value:
            case y.Int(), y.Int(low, high), Term():
                self.common.append(self.new.ex.shapes.within(value, new))
                return terms.held(value, low, high)
            case y.Enum(_, members), y.Enum(_, others), Term():
                codes = {
                    members.index(each): others.index(each) for each in members if each in others
                }
                self.common.append(
                    terms.either(terms.equal(value, terms.number(code)) for code in codes)
                )
                return _renumbered(terms, value, codes)
            case y.Option(), _, SymbolicOption(value=held):
                self.common.append(value.there)
                return held if held is not None else terms.number(0)
            case _, y.Option(), Term():
                return SymbolicOption(TRUE, value)
            case y.Map(_, inner), y.Map(_, other), SymbolicMap():
                return SymbolicMap({
                    key: self._translated(each, inner, other) for key, each in value.values.items()
                })  # fmt: skip
            case _:
                return value

    def same(self, name: str, old: Sym, new: Sym) -> Term:
        """True where a variable has the same value on both sides."""
        return self._same(
            old, new, self.old.instance.variables[name].type,
            self.new.instance.variables[name].type,
        )  # fmt: skip

    def _same(self, old: Sym, new: Sym, before: y.Type, after: y.Type) -> Term:
        terms = self.terms
        match before, after, old, new:
            case _ if agree(before, after):
                return same(terms, old, new)
            case y.Enum(_, members), y.Enum(_, others), Term(), Term():
                unknown = len(members)
                codes = {
                    code: members.index(each) if each in members else unknown
                    for code, each in enumerate(others)
                }
                return terms.equal(old, _renumbered(terms, new, codes))
            case y.Map(_, inner), y.Map(_, other), SymbolicMap(), SymbolicMap():
                return terms.every(
                    self._same(each, new.values[key], inner, other)
                    for key, each in old.values.items()
                )
            case _:
                return same(terms, old, new)


def translatable(old: y.Type, new: y.Type) -> bool:
    """Whether values of one type can be read as values of another, place by place."""
    match old, new:
        case y.Int(), y.Int():
            return True
        case (y.Option(inner), other) | (other, y.Option(inner)):
            return agree(inner, other) and not isinstance(inner, y.Bool)
        case y.Enum(name, members), y.Enum(other, others):
            return name == other and bool(set(members) & set(others))
        case y.Map(key, inner), y.Map(other_key, other):
            plain = not isinstance(inner, y.Option)
            return (
                agree(key, other_key)
                and plain
                and (agree(inner, other) or translatable(inner, other))
            )
        case _:
            return False


def _renumbered(terms: TermBuilder, value: Term, codes: Mapping[int, int]) -> Term:
    """A number with each code replaced by another."""
    if all(was == now for was, now in codes.items()):
        return value
    *rest, (_, last) = codes.items()
    result = terms.number(last)
    for was, now in reversed(rest):
        here = terms.equal(value, terms.number(was))
        result = terms.choose(here, terms.number(now), result)
    return result
