"""Terms under facts: what is left of them where some conditions are known to hold.

Used where a state is only looked at after a condition was assumed, so that choices the condition
has settled do not stay choices.
"""

from __future__ import annotations

from collections.abc import Iterable

from checker.smt.number import Terms
from checker.smt.term import FALSE, TRUE, Term, conjuncts
from checker.smt.value import Counts, Entries, Maybe, Members, Sym


class Facts:
    """Conditions that are known to hold, and terms rebuilt under them."""

    def __init__(self, terms: Terms, known: Iterable[Term]) -> None:
        self._terms = terms
        self._rebuilt: dict[Term, Term] = {}
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
        if term.op == "=" and term.args[1].op == "int":
            number, value = term.args
            if holds:
                self._rebuilt[number] = value
            elif number.low is not None and number.high == number.low + 1:
                other = 2 * number.low + 1 - value.value  # the only one left
                self._rebuilt[number] = self._terms.number(other)

    def term(self, term: Term) -> Term:
        """The same term where the facts hold."""
        waiting = [term]
        rebuilt = self._rebuilt
        while waiting:
            here = waiting[-1]
            if here in rebuilt:
                waiting.pop()
                continue
            missing = [arg for arg in here.args if arg not in rebuilt]
            if missing and here.op not in ("forall", "measure", "components"):
                waiting.extend(missing)
                continue
            waiting.pop()
            rebuilt[here] = self._build(here)
        return rebuilt[term]

    def _build(self, term: Term) -> Term:
        if term.op in ("forall", "measure", "components") or not term.args:
            return term
        args = tuple(self._rebuilt[arg] for arg in term.args)
        if args == term.args:
            return term
        terms = self._terms
        match term.op:
            case "and":
                return terms.every(args)
            case "or":
                return terms.either(args)
            case "not":
                return terms.no(args[0])
            case "ite":
                return terms.choose(*args)
            case "=":
                return terms.equal(*args)
            case "<=":
                return terms.at_most(*args)
            case "sum":
                constant, *factors = term.value
                return terms.linear(constant, zip(factors, args))
            case "held":
                return terms.held(args[0], *term.value)
            case "at_least":
                return terms.at_least(term.value, args)
            case "*":
                return terms.times(*args)
            case _:
                return terms.make(term.op, args, term.value, term.sort, term.low, term.high)

    def value(self, value: Sym) -> Sym:
        """The same value where the facts hold. Boards stay as they are."""
        match value:
            case Term():
                return self.term(value)
            case Maybe(there=there, value=inner):
                return Maybe(self.term(there), None if inner is None else self.term(inner))
            case Members(flags=flags):
                return Members({code: self.term(flag) for code, flag in flags.items()})
            case Counts(numbers=numbers):
                return Counts({code: self.term(each) for code, each in numbers.items()})
            case Entries(values=values):
                return Entries({key: self.value(each) for key, each in values.items()})
            case _:
                return value
