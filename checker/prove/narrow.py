"""Small questions first: one part of a goal at a time, with the assumptions that bear on it.

A goal is taken apart into groups of ways to fail that are about the same seats. Where something is
written at a key that is not known, each value of the key is a case of its own. A group that is
ruled out by some of the assumptions is ruled out by all; one that is not is left to `ask`, which
takes them all. Small questions repeat, from seat to seat and from setting to setting: equal text
has equal answers, and is asked once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import islice, product
from math import prod
from time import perf_counter
from typing import TypeAlias

from checker.meaning import types as y
from checker.prove.ask import Found, Patience, ask
from checker.prove.cache import Cache
from checker.prove.effort import Effort
from checker.prove.ground import Ground
from checker.prove.manner import USUAL, Manner
from checker.prove.outside import Question, handed_over
from checker.prove.sheet import Goal, Sheet
from checker.smt.instantiate import Grounded, has_quantifiers
from checker.smt.number import Terms
from checker.smt.restrict import Facts
from checker.smt.solver import UNKNOWN, UNSAT, Z3, Answer
from checker.smt.term import FALSE, TRUE, Term, conjuncts
from checker.smt.text import Labelled, Script, script
from checker.smt.value import possible
from checker.smt.watch import LateError
from checker.syntax.node import replace

PATIENCE = 10.0
"""Seconds for a small question on a busy machine."""
CASES = 40
"""Keys are tried one value at a time if there are at most so many cases."""


class HardError(Exception):
    """The solver gave up where there is another way."""


Case: TypeAlias = tuple[tuple[Term, int], ...]
"""A value for each of some unknowns."""


class Narrow:
    """Answers sheets, part by part where it can."""

    def __init__(self, effort: Effort, cache: Cache) -> None:
        self.effort = effort
        self._cache = cache
        self._asked: dict[str, Answer] = {}
        self._same: dict[tuple[Term, ...], Answer] = {}
        self._terms: Terms | None = None
        self._seats: _Seats | None = None

    def answers(
        self, ground: Ground, sheet: Sheet, manner: Manner = USUAL, shown: bool = True
    ) -> list[Found]:
        """The answers to all goals of a sheet, in order; `shown` is as in `ask`."""
        if self._seats is None or self._seats.ground.instance is not ground.instance:
            self._seats = _Seats(ground)
        parts = _Parts(ground, sheet, self._seats.unknowns())
        found: dict[int, Found] = {}
        left: dict[int, Goal] = {}
        ruled_out: dict[int, tuple[str, ...]] = {}
        for number, goal in enumerate(sheet.goals):
            began = perf_counter()
            try:
                used, rest = self._in_time(goal, parts, manner)
            except HardError:
                used, rest, open_end = (), goal, True
            else:
                open_end = rest is not None and not _asked_whole(sheet, rest, manner)
            doubt = _contradicted(goal, parts, self.effort)
            if doubt is not None or open_end:
                found[number] = Found(goal, UNKNOWN, doubt, (), perf_counter() - began)
            elif rest is None:
                found[number] = Found(goal, UNSAT, None, used, perf_counter() - began)
            else:
                left[number] = rest
                ruled_out[number] = used
        asked = Sheet(
            sheet.label, sheet.assumed, list(left.values()), sheet.state, sheet.transition,
            sheet.happens,
        )  # fmt: skip
        patience = Patience(manner.seconds, manner.whole)
        answered = ask(ground, asked, self.effort, self._cache, patience, shown)
        for number, told in zip(left, answered):
            found[number] = replace(told, used=(*ruled_out[number], *told.used))
        return [found[number] for number in range(len(sheet.goals))]

    def _in_time(
        self, goal: Goal, parts: _Parts, manner: Manner
    ) -> tuple[tuple[str, ...], Goal | None]:
        """As `_ruled_out`, within the time that one question has; all of the goal if that is not
        enough, or if it is about something possible."""
        watch = parts.terms.watch
        try:
            with watch.within(self.effort.timeout):
                if goal.wants == UNSAT:
                    return self._ruled_out(goal, parts, manner)
        except LateError:
            watch.check()  # whoever set another deadline has to know
        return (), goal

    def _ruled_out(
        self, goal: Goal, parts: _Parts, manner: Manner
    ) -> tuple[tuple[str, ...], Goal | None]:
        """The assumptions that rule out a goal's failing, and what of the goal they do not."""
        labels, ways = parts.sheet.ways(goal)
        used = dict.fromkeys(labels)
        open_groups = []
        for group in parts.groups(ways):
            core = self._group(group, parts, manner)
            if core is None:
                open_groups.append(group)
            else:
                used.update(dict.fromkeys(core))
        if not open_groups:
            return tuple(used), None
        negated = parts.terms.either(open_groups)
        return tuple(used), Goal(goal.name, goal.kind, negated, goal.wants, goal.note)

    def _group(self, group: Term, parts: _Parts, manner: Manner) -> list[str] | None:
        """The assumptions that rule out a group in every case, None if they do not."""
        used: list[str] = []
        for case in parts.cases(group):
            core = self._case(group, case, parts, manner)
            if core is None:
                return None
            used += core
        return used

    def _case(self, group: Term, case: Case, parts: _Parts, manner: Manner) -> Sequence[str] | None:
        """The assumptions that rule out a group in one case, None if they do not."""
        negated = parts.within(case, group)
        if negated is FALSE:
            return ()
        unsure: list[Question] = []
        for wide, rounds, any_product in manner.attempts:
            assumed = parts.near(negated, case, wide)
            if any(each.term is FALSE for each in assumed):
                return [each.label for each in assumed if each.term is FALSE]
            asserted = [*assumed, Labelled("", negated)]
            question = _question(parts.terms, asserted, rounds, any_product)
            answer = self._answer(parts.terms, question, manner.work[0], manner)
            if answer.result == UNSAT:
                return parts.noted(question, answer)
            if answer.result == UNKNOWN:
                unsure.append(question)
        for work in manner.work[1:]:
            for question in unsure:
                answer = self._answer(parts.terms, question, work, manner)
                if answer.result == UNSAT:
                    return parts.noted(question, answer)
        if unsure and manner.another_way:
            raise HardError
        return None

    def _answer(self, terms: Terms, question: Question, work: int, manner: Manner) -> Answer:
        terms.watch.check()
        timeout = min(self.effort.timeout, manner.seconds)
        if question.facts is None:
            if terms is not self._terms:  # equal terms of others are not the same
                self._terms, self._same = terms, {}
            key = tuple(each.term for each in question.asserted)
            found = self._same.get(key)
            if found is None:
                patience = min(PATIENCE, timeout)
                found = self._asked_once(terms, script(question.asserted), patience, work)
                if found.result != UNKNOWN:
                    self._same[key] = found
            return found
        text = script(
            question.asserted, facts=question.facts, any_product=question.any_product
        )  # fmt: skip
        return self._asked_once(terms, text, timeout, work)

    def _asked_once(self, terms: Terms, text: Script, timeout: float, work: int) -> Answer:
        key = sha256(text.text.encode()).hexdigest()
        given_up = f"{key} within {timeout} and {work}"
        answer = self._asked.get(key) or self._asked.get(given_up)
        answer = answer or self._cache.get(f"{key} narrow")
        left = terms.watch.left()
        if answer is None:
            answer = Z3(text.text, work=work).check(text.switches, min(timeout, left))
            if answer.result != UNKNOWN:
                self._cache.put(f"{key} narrow", answer)
        if answer.result != UNKNOWN:
            self._asked[key] = answer
        elif timeout <= left:
            self._asked[given_up] = answer
        return answer


def _asked_whole(sheet: Sheet, goal: Goal, manner: Manner) -> bool:
    """Whether what small questions left of a goal is asked whole."""
    return manner.boards or not has_quantifiers([*sheet.assumed, Labelled("", goal.negated)])


def _contradicted(goal: Goal, parts: _Parts, effort: Effort) -> str | None:
    """Hands the small questions that ruled out parts of a goal to others, if they are to have them;
    what a second solver has to object."""
    answered, parts.answered = parts.answered, []
    for number, each in enumerate(answered, 1):
        question: Question = replace(each, part=f"part {number}")
        first = Answer(UNSAT)
        told = handed_over(effort, parts.ground, parts.sheet, goal, question, first)
        if told is not first:
            return told.reason
    return None


def _question(
    terms: Terms, asserted: Sequence[Labelled], rounds: int, any_product: bool
) -> Question:
    """Assertions without quantifiers, and so the instances that take their place."""
    switches = [f"h{number}" for number in range(len(asserted))]
    if not has_quantifiers(asserted):
        return Question(asserted, switches)
    ground = Grounded(terms, asserted, rounds)
    return Question(ground.asserted, switches, "", ground.facts, any_product)


def _by_player(type: y.Map | y.Set) -> bool:
    return isinstance(type.key if isinstance(type, y.Map) else type.element, y.Player)


class _Seats:
    """The unknowns of each seat, in variables that players have of their own; and the others."""

    def __init__(self, ground: Ground) -> None:
        own = [
            name
            for name, variable in ground.instance.variables.items()
            if isinstance(variable.type, y.Map | y.Set) and _by_player(variable.type)
        ]
        self.ground = ground
        self._seat = re.compile(rf"(?:{'|'.join(own)})[\[:](\d+)") if own else None
        self._found: dict[str | None, int] = {None: 0}
        self._looked_at = 0

    def unknowns(self) -> dict[str | None, int]:
        """All that there are by now."""
        names = self.ground.terms.names
        for name, bit in islice(names.items(), self._looked_at, None):
            match = self._seat.match(name) if self._seat is not None else None
            number = None if match is None else match.group(1)
            self._found[number] = self._found.get(number, 0) | bit
        self._looked_at = len(names)
        return self._found


def _place(switch: str) -> int:
    return int(switch[1:])


class _Parts:
    """The assumptions of a sheet, part by part, and which unknowns each has to do with."""

    def __init__(self, ground: Ground, sheet: Sheet, seats: dict[str | None, int]) -> None:
        self.ground = ground
        self.terms = ground.terms
        self.sheet = sheet
        self.answered: list[Question] = []
        self._facts: dict[Case, Facts] = {}
        self._assumed = [(each.label, conjuncts(each.term)) for each in sheet.assumed]
        self._cased: dict[Case, list[tuple[str, tuple[Term, ...]]]] = {}
        self._near: dict[tuple[Case, int], list[Labelled]] = {}
        self._seats = seats

    def noted(self, question: Question, answer: Answer) -> list[str]:
        """The assumptions by which a question is answered, of which note is taken."""
        self.answered.append(question)
        *assumed, _ = question.asserted
        return [assumed[n].label for n in map(_place, answer.core) if n < len(assumed)]

    def _closure(self, unknowns: int) -> int:
        """All unknowns of the seats that some belong to, and those that belong to no seat."""
        result = self._seats[None]
        for seat, its in self._seats.items():
            if seat is not None and its & unknowns:
                result |= its
        return result

    def groups(self, ways: Sequence[tuple[Term, bool]]) -> list[Term]:
        """Ways to fail, those about the same seats together. Where something has to hold of every
        key of several boards, it is asked of one after another."""
        found: dict[int, list[Term]] = {}
        alone: list[Term] = []
        for part, holds in ways:
            apart = [] if holds else self._apart(part)
            alone += map(self.terms.no, apart)
            if not apart:
                seats = self._closure(part.unknowns)
                found.setdefault(seats, []).append(part if holds else self.terms.no(part))
        return [*(self.terms.either(members) for members in found.values()), *alone]

    def _apart(self, part: Term) -> list[Term]:
        """Terms of which one fails to hold if a part does, one for each board; none if it is about
        no more than one."""
        for every in part.args if part.op == "or" else ():
            if every.op == "and" and every.deep:
                others = [each for each in part.args if each is not every]
                return [self.terms.either([*others, each]) for each in every.args]
        return []

    def cases(self, group: Term) -> Iterator[Case]:
        """One case for each value of the keys that a group has to do with."""
        mask = group.unknowns
        keys = [key for key in self.sheet.keys if key.unknowns & mask]
        if prod(len(possible(key)) for key in keys) > CASES:
            keys = []
        for codes in product(*(possible(key) for key in keys)):
            yield tuple(zip(keys, codes))

    def within(self, case: Case, term: Term) -> Term:
        """A term as it is in a case."""
        keys = 0
        for key, _ in case:
            keys |= key.unknowns
        if not keys & term.unknowns:
            return term
        facts = self._facts.get(case)
        if facts is None:
            here = [self.terms.equal(key, self.terms.number(code)) for key, code in case]
            facts = self._facts[case] = Facts(self.terms, here)
        return facts.term(term)

    def near(self, negated: Term, case: Case, wide: bool) -> list[Labelled]:
        """The assumptions that have to do with nothing else than a term has; where `wide`, with
        nothing else than the seats it has to do with."""
        about = self._closure(negated.unknowns) if wide else negated.unknowns
        found = self._near.get((case, about))
        if found is None:
            found, other = [], ~about
            for label, parts in self._in_case(case) if case else self._assumed:
                together = self.terms.every(part for part in parts if not part.unknowns & other)
                if together is not TRUE:
                    found.append(Labelled(label, together))
            self._near[case, about] = found
        return found

    def _in_case(self, case: Case) -> list[tuple[str, tuple[Term, ...]]]:
        """The assumptions as they are in a case."""
        found = self._cased.get(case)
        if found is None:
            found = self._cased[case] = [
                (label, tuple(self.within(case, each) for each in conjunction))
                for label, conjunction in self._assumed
            ]
        return found
