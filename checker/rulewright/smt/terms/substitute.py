"""Substitution: a term with other arguments, and a term with something else for a bound name."""

from __future__ import annotations

from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.term import Term, folded


def rebuilt(terms: TermBuilder, term: Term, args: tuple[Term, ...]) -> Term:
    """The same term with other arguments."""
    if args == term.args:
        return term
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
        case "table":
            return terms.table(term.value[0], term.value[1], args[0])
        case "forall" if len(args) == 2:
            return terms.forall(*args)
        case _:
            return terms.make(term.op, args, term.value, term.sort, term.low, term.high)


def replaced(terms: TermBuilder, term: Term, old: Term, new: Term) -> Term:
    """A term with a bound name replaced wherever it stands free in it. The facts about what is in
    it hold for every value of the name, and so for this one."""
    if old is new or not term.unknowns & old.unknowns:
        return term
    known = terms.replaced.setdefault((old, new), {old: new})

    def unchanged(here: Term) -> Term | None:
        return here if old not in here.free else None

    def build(here: Term, args: tuple[Term, ...]) -> Term:
        found = rebuilt(terms, here, args)
        if here.facts and not found.facts and found.op == here.op:
            known[here] = found  # the facts about it speak of itself
            found.facts = tuple(replaced(terms, fact, old, new) for fact in here.facts)
        return found

    return folded(term, known, unchanged, build)
