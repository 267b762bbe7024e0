"""Refutation: that a term cannot hold where some labelled assumptions do.

A `Problem` is proved only by its own methods, each of which is a rule of inference: an assumption
that contradicts it at sight (Rule SIGHT), the solver's word on it or on the same with fewer
assumptions (Rules SOLVER, WEAKER), all ways in which it could hold (Rules WAYS, APART), all values
of an unknown (Rule CASES). Whoever looks for a proof chooses which rule, which assumptions, which
unknowns; that nothing is left out is seen to here. `used` names the assumptions of the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import TypeAlias

from rulewright.smt.encode.symbolic_values import possible
from rulewright.smt.solver.smtlib import LabelledAssertion
from rulewright.smt.solver.solver import UNSAT, SolverAnswer
from rulewright.smt.terms.arithmetic import TermBuilder
from rulewright.smt.terms.assume import AssumedFacts
from rulewright.smt.terms.case_split import case_splits
from rulewright.smt.terms.instantiate import GroundAssertions, has_quantifiers
from rulewright.smt.terms.term import FALSE, TRUE, Term, conjuncts

Case: TypeAlias = "tuple[tuple[Term, int], ...]"
"""A value for each of some unknowns."""


class Assumptions:
    """Labelled assumptions, each by the parts that all hold where it does. What is left of them in
    a case, and which of them speak of some unknowns only, is worked out once."""

    __slots__ = ("_about", "_cases", "terms", "what")

    def __init__(self, terms: TermBuilder, what: Iterable[tuple[str, tuple[Term, ...]]]) -> None:
        self.terms = terms
        self.what = tuple(each for each in what if each[1])
        self._about: dict[int, Assumptions] = {}
        self._cases: dict[Case, tuple[AssumedFacts, Assumptions]] = {}

    def where(self, case: Case) -> tuple[AssumedFacts, Assumptions]:
        """What is known in a case, and the assumptions there."""
        if case not in self._cases:
            equal, number = self.terms.equal, self.terms.number
            facts = AssumedFacts(self.terms, [equal(key, number(code)) for key, code in case])
            here = ((label, _restricted(facts, parts)) for label, parts in self.what)
            self._cases[case] = facts, Assumptions(self.terms, here)
        return self._cases[case]

    def about(self, unknowns: int) -> Assumptions:
        """The parts in which nothing else is unknown."""
        if unknowns not in self._about:
            kept = (
                (label, tuple(part for part in parts if not part.unknowns & ~unknowns))
                for label, parts in self.what
            )
            self._about[unknowns] = Assumptions(self.terms, kept)
        return self._about[unknowns]


def _restricted(facts: AssumedFacts, parts: Sequence[Term]) -> tuple[Term, ...]:
    found = (inner for part in parts for inner in conjuncts(facts.term(part)))
    return tuple(dict.fromkeys(found))


class Alternative:
    """One of the ways in which something can be so: a term that holds, or fails to. One that is
    `alone` was one of several in a way that was taken apart."""

    __slots__ = ("alone", "holds", "term")

    def __init__(self, term: Term, holds: bool, alone: bool = False) -> None:
        if term.op == "not":
            term, holds = term.args[0], not holds
        self.term = term
        self.holds = holds
        self.alone = alone


class SolverQuestion:
    """What a solver is to find contradictory: assertions of which the last is the denied term, with
    instances and facts in the place of quantifiers where there were some."""

    __slots__ = ("any_product", "asserted", "facts")

    def __init__(
        self, asserted: Sequence[LabelledAssertion], facts: Sequence[Term] | None, any_product: bool
    ) -> None:
        self.asserted = list(asserted)
        self.facts = facts
        self.any_product = any_product


AskSolver: TypeAlias = "Callable[[SolverQuestion], SolverAnswer]"
"""Whoever hands a question to a solver. The core of its answer names switches `h0`, `h1`, …"""


class Problem:
    """Assumptions, and a term that is to be shown false where they hold."""

    __slots__ = ("_excluded", "_left", "_splits", "_used", "assumed", "denied", "terms")

    def __init__(self, assumed: Assumptions, denied: Term) -> None:
        self.terms = assumed.terms
        self.assumed = assumed
        self.denied = denied
        self._used: tuple[str, ...] | None = None
        self._left: list[Alternative] | None = None
        self._excluded: tuple[str, ...] = ()
        self._splits: list[tuple[tuple[str, ...], Sequence[Problem]]] = []
        if denied is FALSE:
            self._used = ()
        else:
            nothing = next((label for label, parts in assumed.what if FALSE in parts), None)
            if nothing is not None:  # a hypothesis that cannot hold is used, and named
                self._used = (nothing,)

    def used(self) -> tuple[str, ...] | None:
        """The assumptions of a proof, None if there is none."""
        if self._used is None:
            for labels, parts in self._splits:
                found = [each.used() for each in parts]
                if all(each is not None for each in found):
                    every = [*labels, *(label for each in found for label in each or ())]
                    self._used = tuple(dict.fromkeys(every))
                    break
        return self._used

    # ---- Rule WAYS

    def ways(self) -> list[Alternative]:
        """The ways in which the denied term can hold that no assumption excludes at sight."""
        if self._left is not None:
            return self._left
        known = _Known(self.assumed.what)
        labels: dict[str, None] = {}
        left: list[Alternative] = []
        for way in _alternatives(self.denied):
            label = known.excludes(way)
            if label is None:
                left += self._apart(way)
            else:
                labels[label] = None
        self._excluded = tuple(labels)
        self._left = left
        if not left and self._used is None:
            self._used = self._excluded
        return left

    def by_ways(self, groups: Sequence[Sequence[Alternative]]) -> list[Problem]:
        """A problem for each group of the `case_splits` there are; all together prove this one."""
        left = self.ways()
        if {id(way) for group in groups for way in group} != {id(way) for way in left}:
            raise AssertionError("the groups are not the ways there are")
        parts = [
            Problem(self.assumed, self.terms.either(map(self._holding, group))) for group in groups
        ]
        self._splits.append((self._excluded, parts))
        return parts

    def _holding(self, way: Alternative) -> Term:
        return way.term if way.holds else self.terms.no(way.term)

    def _apart(self, way: Alternative) -> list[Alternative]:
        """The same way as several: where *or(rest, and(parts))* fails, *or(rest, part)* fails for
        one of the parts. That is worth it where each part speaks of a board of its own."""
        if not way.holds and way.term.op == "or":
            for every in way.term.args:
                if every.op == "and" and every.deep:
                    rest = [each for each in way.term.args if each is not every]
                    either = (self.terms.either([*rest, part]) for part in every.args)
                    return [Alternative(each, False, alone=True) for each in either]
        return [way]

    def together(self, parts: Sequence[Problem]) -> Problem:
        """One problem in the place of some of the parts that this one was split into last."""
        labels, every = self._splits[-1]
        if not all(any(part is each for each in every) for part in parts):
            raise AssertionError("these are not parts of this problem")
        one = Problem(self.assumed, self.terms.either(part.denied for part in parts))
        others = [each for each in every if not any(each is part for part in parts)]
        self._splits.append((labels, [*others, one]))
        return one

    # ---- Rule APART

    def apart(self, one: Term, other: Term, kept: Callable[[Term], bool]) -> list[Problem]:
        """A problem for each way in which `one` holds and `other` fails, as is denied; what stands
        beside it is `kept` or left aside. All together prove this one."""
        if self.terms.both(one, self.terms.no(other)) is not self.denied:
            raise AssertionError("this is not what is denied")
        found = (
            (*each.holds, *filter(kept, each.near)) for each in case_splits(self.terms, one, other)
        )
        parts = [Problem(self.assumed, self.terms.every(each)) for each in found]
        self._splits.append(((), parts))
        return parts

    # ---- Rule CASES

    def by_cases(self, keys: Sequence[Term]) -> list[Problem]:
        """A problem for each choice of values of some unknowns; all together prove this one."""
        parts = []
        for codes in product(*(possible(key) for key in keys)):
            facts, assumed = self.assumed.where(tuple(zip(keys, codes)))
            parts.append(Problem(assumed, facts.term(self.denied)))
        self._splits.append(((), parts))
        return parts

    # ---- Rule WEAKER

    def about(self, unknowns: int) -> Problem:
        """The same with only those parts of the assumptions in which nothing else is unknown; what
        proves it proves this."""
        part = Problem(self.assumed.about(unknowns), self.denied)
        self._splits.append(((), (part,)))
        return part

    # ---- Rule SOLVER

    def question(self, rounds: int | None = None, any_product: bool = False) -> SolverQuestion:
        """What is asked of a solver: as it is, or with so many rounds of instances in the place of
        quantifiers."""
        asserted = [
            LabelledAssertion(label, self.terms.every(parts)) for label, parts in self.assumed.what
        ]
        asserted = [each for each in asserted if each.term is not TRUE]
        asserted.append(LabelledAssertion("", self.denied))
        if rounds is None or not has_quantifiers(asserted):
            return SolverQuestion(asserted, None, False)
        grounded = GroundAssertions(self.terms, asserted, rounds)
        return SolverQuestion(grounded.asserted, grounded.facts, any_product)

    def ask(self, question: SolverQuestion, oracle: AskSolver) -> SolverAnswer:
        """Asks a question of this problem; *unsatisfiable* proves it."""
        answer = oracle(question)
        if answer.result == UNSAT and self._used is None:
            *assumed, _ = question.asserted
            places = sorted(int(switch[1:]) for switch in answer.core)
            labels = (assumed[place].label for place in places if place < len(assumed))
            self._used = tuple(dict.fromkeys(labels))
        return answer

    def told(self, core: Iterable[str], labels: dict[str, str]) -> None:
        """Notes that a solver found all assumptions and the denied term contradictory, in a text
        in which several problems with the same assumptions were put to it together."""
        if self._used is None:
            self._used = tuple(dict.fromkeys(labels[each] for each in core if each in labels))


def parted(terms: TermBuilder, assumed: Iterable[LabelledAssertion]) -> Assumptions:
    """Assumptions by their parts; what is plainly true is left out."""
    return Assumptions(terms, ((each.label, conjuncts(each.term)) for each in assumed))


def _alternatives(term: Term) -> Iterator[Alternative]:
    """The ways in which a term can hold; there are no others."""
    if term.op == "or":
        yield from (Alternative(part, True) for part in term.args)
    elif term.op == "not" and term.args[0].op == "and":
        yield from (Alternative(part, False) for part in term.args[0].args)
    else:
        yield Alternative(term, True)


class _Known:
    """Which assumptions say that a term holds, and which that it does not (Rule SIGHT)."""

    def __init__(self, assumed: Sequence[tuple[str, tuple[Term, ...]]]) -> None:
        self._said: dict[bool, dict[Term, list[int]]] = {True: {}, False: {}}
        self._labels = [label for label, _ in assumed]
        for number, (_, parts) in enumerate(assumed):
            for part in parts:
                said = Alternative(part, True)
                self._said[said.holds].setdefault(said.term, []).append(number)
                if not said.holds:
                    self._said[True].setdefault(part, []).append(number)

    def excludes(self, way: Alternative) -> str | None:
        """The label of the first assumption by which something is not so."""
        found = self._said[not way.holds].get(way.term, [])[:1]
        if way.term.op == ("and" if way.holds else "or"):  # all that is in it would have to be so
            for each in way.term.args:
                inner = Alternative(each, way.holds)
                found = found + self._said[not inner.holds].get(inner.term, [])[:1]
                if inner.term.op == "and" and not inner.holds:  # one assumption says all of it
                    said = [set(self._said[True].get(part, ())) for part in inner.term.args]
                    found = found + sorted(set[int].intersection(*said))[:1]
        return self._labels[min(found)] if found else None
