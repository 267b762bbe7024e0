"""Terms under facts: what is left of them where some conditions are known to hold.

Used where a state is only looked at after a condition was assumed, so that choices the condition
has settled do not stay choices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeAlias

from rulewright.smt.encode import arrays as b
from rulewright.smt.encode.environment import SymbolicEnvironment
from rulewright.smt.encode.symbolic_values import (
    Sym,
    SymbolicBag,
    SymbolicMap,
    SymbolicOption,
    SymbolicSet,
)
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.substitute import rebuilt
from rulewright.smt.terms.term import DEEP, FALSE, TRUE, Term, conjuncts, folded


class AssumedFacts:
    """Conditions that are known to hold, and terms rebuilt under them."""

    def __init__(self, terms: TermBuilder, known: Iterable[Term]) -> None:
        self._terms = terms
        self._rebuilt: dict[Term, Term] = {}
        self._about = 0
        for fact in known:
            for part in conjuncts(fact):
                self._learn(part, True)

    def _learn(self, term: Term, holds: bool) -> None:
        if term.op == "not":
            self._learn(term.args[0], not holds)
            return
        if (term.op == "and" and holds) or (term.op == "or" and not holds):
            for part in term.args:
                self._learn(part, holds)
        self._rebuilt[term] = TRUE if holds else FALSE
        self._about |= term.unknowns
        if term.op == "=" and term.args[1].op == "int":
            number, value = term.args
            if holds:
                self._rebuilt[number] = value
            elif number.low is not None and number.high == number.low + 1:
                other = 2 * number.low + 1 - value.value  # the only one left
                self._rebuilt[number] = self._terms.number(other)

    def term(self, term: Term) -> Term:
        """The same term where the facts hold."""
        return folded(term, self._rebuilt, self._unchanged, partial(rebuilt, self._terms))

    def _unchanged(self, term: Term) -> Term | None:
        """The term, if the facts say nothing of what is in it."""
        return term if not term.unknowns & self._about or term.op in DEEP else None

    def value(self, value: Sym) -> Sym:
        """The same value where the facts hold, the same object where they change nothing. Boards
        stay as they are, but for choices between boards that the facts settle."""
        match value:
            case Term():
                return self.term(value)
            case SymbolicOption(there=there, value=inner):
                held = None if inner is None else self.term(inner)
                same = self.term(there) is there and held is inner
                return value if same else SymbolicOption(self.term(there), held)
            case SymbolicSet(flags=flags):
                known = {code: self.term(flag) for code, flag in flags.items()}
                return value if known == flags else SymbolicSet(known)
            case SymbolicBag(numbers=numbers):
                known = {code: self.term(each) for code, each in numbers.items()}
                return value if known == numbers else SymbolicBag(known)
            case SymbolicMap(values=values):
                inside = {key: self.value(each) for key, each in values.items()}
                same = all(inside[key] is each for key, each in values.items())
                return value if same else SymbolicMap(inside)
            case b.ConditionalArray(condition=condition, then=then, otherwise=otherwise):
                settled = self.term(condition)
                if settled is TRUE or settled is FALSE:
                    return self.value(then if settled is TRUE else otherwise)
                return value
            case _:
                return value


Cases: TypeAlias = "SymbolicEnvironment | tuple[Term, Cases, Cases]"
"""A scene, or a condition with the cases where it holds and where it does not."""


def apart(terms: TermBuilder, env: SymbolicEnvironment, most: int = 2) -> Cases:
    """A scene in which boards are one of two, as cases in which each is known by itself. At `most`
    so many conditions are looked at."""
    condition = next(filter(None, map(_condition, env.now.values())), None)
    if condition is None or most == 0:
        return env
    ways = []
    for here in (condition, terms.no(condition)):
        facts = AssumedFacts(terms, [here])
        now = {name: facts.value(value) for name, value in env.now.items()}
        ways.append(
            apart(terms, SymbolicEnvironment(env.before, now, env.locals, env.path), most - 1)
        )
    return condition, ways[0], ways[1]


def in_cases(
    terms: TermBuilder, cases: Cases, claim: Callable[[SymbolicEnvironment], Term]
) -> Term:
    """A claim about a scene, made case by case."""
    if isinstance(cases, SymbolicEnvironment):
        return claim(cases)
    condition, *ways = cases
    return terms.choose_truth(condition, *(in_cases(terms, each, claim) for each in ways))


def _condition(value: Sym) -> Term | None:
    """The condition of a board that is one of two."""
    match value:
        case b.ConditionalArray(condition=condition):
            return condition
        case SymbolicMap(values=values):
            return next(filter(None, map(_condition, values.values())), None)
        case _:
            return None
