"""Questions without quantifiers: what holds for every key, said of the keys that matter.

Every *for all* becomes a truth of its own. Where it is true, so are its instances at the keys at
which the same boards are read elsewhere in the question; where it is false, some unknown key shows
it. Both follow from what it means, so whatever is contradictory here is contradictory there. The
converse does not hold: where this is not, nothing is said. A solver decides such a question, where
it may never come to an end with quantifiers over a board, as each square leads to its neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TypeAlias

from rulewright.smt.solver.smtlib import LabelledAssertion
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.substitute import rebuilt, replaced
from rulewright.smt.terms.term import OPAQUE, TRUE, Term, folded, parts

ROUNDS = 2
"""How often the keys that came up with the last instances are used for more."""
MOST = 4000
"""Instances; beyond that a question is no easier than with quantifiers."""


Keys: TypeAlias = dict[str, dict[Term, None]]
"""The keys at which each board is read."""


class GroundAssertions:
    """Assertions without quantifiers, and facts that hold whatever is asserted.

    The last assertion is what the question is about. What reads a board only at its own key is
    looked at for all keys there are; what looks at neighbours only for the keys that the question
    leads to, as otherwise there would be no end of them."""

    def __init__(
        self, terms: TermBuilder, asserted: Sequence[LabelledAssertion], rounds: int = ROUNDS
    ) -> None:
        self._terms = terms
        self._flags: dict[Term, Term] = {}
        self._signs: dict[Term, set[bool]] = {}
        self._reads: dict[Term, tuple[tuple[str, ...], bool]] = {}
        self._all: Keys = {}
        self._near: Keys = {}
        self._seen: set[tuple[Term, bool]] = set()
        self._used: set[tuple[Term, Term]] = set()
        self.facts: list[Term] = []
        plain = [self._add(each.term, False) for each in asserted[:-1]]
        plain.append(self._add(asserted[-1].term, True))
        self.asserted = [LabelledAssertion(each.label, term) for each, term in zip(asserted, plain)]
        for _ in range(rounds):
            kept = self._all, self._near
            everywhere, near = ({name: tuple(keys) for name, keys in each.items()} for each in kept)
            done: set[Term] = set()
            while len(done) < len(self._flags):  # what stands inside another comes up on the way
                for every in [each for each in self._flags if each not in done]:
                    done.add(every)
                    if True in self._signs[every] and len(every.args) == 2:
                        self._instances(every, everywhere, near)

    def _add(self, term: Term, near: bool) -> Term:
        """A term that is asserted, without quantifiers; what is in it is noted."""
        for every, sign in _signed(self._terms, term):
            self._found(every, sign, near)
        plain = self._plain(term)
        for here in _noted(self._terms, plain):
            if (here, near) in self._seen:
                continue
            self._seen.add((here, near))
            if here.op == "apply":
                self._all.setdefault(here.value, {})[here.args[0]] = None
                if near:
                    self._near.setdefault(here.value, {})[here.args[0]] = None
            for fact in here.facts:
                self._assert(fact, near)
        return plain

    def _assert(self, fact: Term, near: bool) -> None:
        if not fact.free:
            self.facts.append(self._add(fact, near))

    def _found(self, every: Term, sign: bool, near: bool) -> None:
        signs = self._signs.setdefault(every, set())
        if sign in signs:
            return
        signs.add(sign)
        flag = self._flag(every)
        for fact in every.facts if len(signs) == 1 else ():
            self._assert(fact, near)
        if sign:
            return
        *keys, body = every.args
        for key in keys:
            if key.sort != "Int":
                shown = self._terms.flag(f"some {key.value} {every.number}")
            else:
                shown = self._terms.unknown(f"some {key.value} {every.number}", key.low, key.high)
            body = replaced(self._terms, body, key, shown)
        self._assert(self._terms.any_of(flag, self._terms.no(body)), near)

    def _flag(self, every: Term) -> Term:
        found = self._flags.get(every)
        if found is None:
            found = self._flags[every] = _stand_in(self._terms, every)
        return found

    def _instances(
        self, every: Term, everywhere: dict[str, tuple[Term, ...]],
        near: dict[str, tuple[Term, ...]],
    ) -> None:  # fmt: skip
        functions, elsewhere = self._boards(every)
        for function in functions:
            close = near.get(function, ())
            for key in close if elsewhere else everywhere.get(function, ()):
                if (every, key) not in self._used and len(self._used) < MOST:
                    self._used.add((every, key))
                    here = self._at(every, key)
                    self._assert(self._terms.implies(self._flag(every), here), key in close)

    def _at(self, every: Term, key: Term) -> Term:
        """What is said of every key, said of one."""
        terms, (name, body) = self._terms, every.args
        inside = terms.every((
            TRUE if name.low is None else terms.at_most(terms.number(name.low), key),
            TRUE if name.high is None else terms.at_most(key, terms.number(name.high)),
        ))  # fmt: skip
        return terms.implies(inside, replaced(terms, body, name, key))

    def _boards(self, every: Term) -> tuple[tuple[str, ...], bool]:
        """The boards that are read at keys which depend on the bound one, and whether some are read
        at others than itself."""
        found = self._reads.get(every)
        if found is None:
            name, body = every.args
            reads = [e for e in parts(body) if e.op == "apply" and name in parts(e.args[0])]
            elsewhere = any(each.args[0] is not name for each in reads)
            names = tuple(dict.fromkeys(each.value for each in reads))
            found = self._reads[every] = names, elsewhere
        return found

    def _plain(self, term: Term) -> Term:
        return folded(term, self._terms.plain, self._opaque, partial(rebuilt, self._terms))

    def _opaque(self, term: Term) -> Term | None:
        """What stands for a *for all*, or the term itself if none is to be seen in it."""
        if term.op == "forall":
            return _stand_in(self._terms, term)
        return term if term.op in OPAQUE or not term.deep else None


def _signed(terms: TermBuilder, term: Term) -> tuple[tuple[Term, bool], ...]:
    """Each *for all* in a term, and whether it is asserted or denied where the term is; the same
    term is gone through once."""
    found = terms.signed.get(term)
    if found is None:
        signs: list[tuple[Term, bool]] = []
        seen: set[tuple[Term, bool]] = set()
        waiting = [(term, True)]
        while waiting:
            here, sign = waiting.pop()
            if (here, sign) in seen or here.op in OPAQUE:
                continue
            seen.add((here, sign))
            match here.op:
                case "forall":
                    signs.append((here, sign))
                case "and" | "or":
                    waiting.extend((arg, sign) for arg in here.args if arg.deep)
                case "not":
                    waiting.append((here.args[0], not sign))
                case _:
                    deep = [arg for arg in here.args if arg.deep]
                    waiting.extend((arg, s) for arg in deep for s in (True, False))
        found = terms.signed[term] = tuple(signs)
    return found


def _noted(terms: TermBuilder, term: Term) -> tuple[Term, ...]:
    """What is in a term that reads a board or that facts may be known of; the same term is gone
    through once."""
    found = terms.noted.get(term)
    if found is None:
        read: list[Term] = []
        seen: set[Term] = set()
        waiting = [term]
        while waiting:
            here = waiting.pop()
            if here in seen:
                continue
            seen.add(here)
            if here.op == "apply" or here.op in OPAQUE:
                read.append(here)
            if here.op not in OPAQUE:
                waiting.extend(arg for arg in here.args if arg.reading or arg.deep)
        found = terms.noted[term] = tuple(read)
    return found


def _stand_in(terms: TermBuilder, every: Term) -> Term:
    """The truth that a *for all* becomes."""
    return terms.flag(f"every {every.number}")


def has_quantifiers(asserted: Sequence[LabelledAssertion]) -> bool:
    """Whether something is said of every key, or facts are known of something."""
    waiting = [each.term for each in asserted if each.term.deep]
    seen: set[Term] = set()
    while waiting:
        here = waiting.pop()
        if here.op == "forall" or here.facts:
            return True
        if here not in seen:
            seen.add(here)
            waiting.extend(arg for arg in here.args if arg.deep)
    return False
