"""Terms under facts: what is left of them where some conditions are known to hold.

Used where a state is only looked at after a condition was assumed, so that choices the condition
has settled do not stay choices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeAlias

from checker.smt import board as b
from checker.smt.number import Terms
from checker.smt.scene import Scene
from checker.smt.substitute import rebuilt
from checker.smt.term import DEEP, FALSE, TRUE, Term, conjuncts, folded
from checker.smt.value import Counts, Entries, Maybe, Members, Sym


class Facts:
    """Conditions that are known to hold, and terms rebuilt under them."""

    def __init__(self, terms: Terms, known: Iterable[Term]) -> None:
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
            case Maybe(there=there, value=inner):
                held = None if inner is None else self.term(inner)
                same = self.term(there) is there and held is inner
                return value if same else Maybe(self.term(there), held)
            case Members(flags=flags):
                known = {code: self.term(flag) for code, flag in flags.items()}
                return value if known == flags else Members(known)
            case Counts(numbers=numbers):
                known = {code: self.term(each) for code, each in numbers.items()}
                return value if known == numbers else Counts(known)
            case Entries(values=values):
                inside = {key: self.value(each) for key, each in values.items()}
                same = all(inside[key] is each for key, each in values.items())
                return value if same else Entries(inside)
            case b.Choice(condition=condition, then=then, otherwise=otherwise):
                settled = self.term(condition)
                if settled is TRUE or settled is FALSE:
                    return self.value(then if settled is TRUE else otherwise)
                return value
            case _:
                return value


Cases: TypeAlias = "Scene | tuple[Term, Cases, Cases]"
"""A scene, or a condition with the cases where it holds and where it does not."""


def apart(terms: Terms, scene: Scene, most: int = 2) -> Cases:
    """A scene in which boards are one of two, as cases in which each is known by itself. At `most`
    so many conditions are looked at."""
    condition = next(filter(None, map(_condition, scene.now.values())), None)
    if condition is None or most == 0:
        return scene
    ways = []
    for here in (condition, terms.no(condition)):
        facts = Facts(terms, [here])
        now = {name: facts.value(value) for name, value in scene.now.items()}
        ways.append(apart(terms, Scene(scene.before, now, scene.locals, scene.path), most - 1))
    return condition, ways[0], ways[1]


def in_cases(terms: Terms, cases: Cases, claim: Callable[[Scene], Term]) -> Term:
    """A claim about a scene, made case by case."""
    if isinstance(cases, Scene):
        return claim(cases)
    condition, *ways = cases
    return terms.choose_truth(condition, *(in_cases(terms, each, claim) for each in ways))


def _condition(value: Sym) -> Term | None:
    """The condition of a board that is one of two."""
    match value:
        case b.Choice(condition=condition):
            return condition
        case Entries(values=values):
            return next(filter(None, map(_condition, values.values())), None)
        case _:
            return None
