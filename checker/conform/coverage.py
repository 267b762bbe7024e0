"""Which clauses of the rulebook a run has exercised, and how often.

A step exercises the clauses of its transition, of every requirement that was decided, and of the
labelled statements and steps that were carried out. Counting goes by kinds of steps, which are
few; what they stand for is worked out at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from checker.conform.referee import Referee
from checker.meaning import core as c
from checker.meaning.names import RESULTS


class Coverage:
    """What was done, by the referee who saw it."""

    def __init__(self) -> None:
        self._taken: dict[int, tuple[Referee, Counter[tuple[int, Any]]]] = {}
        self._cited: Counter[tuple[str, ...]] = Counter()
        self.events = 0
        self.refusals = 0

    def taken_with(self, referee: Referee) -> Counter[tuple[int, Any]]:
        """The count of a referee: of events by transition and what they carried out."""
        return self._taken.setdefault(id(referee), (referee, Counter()))[1]

    def refused(self, requirements: Iterable[c.Requirement]) -> None:
        """Counts an event that was refused by these requirements."""
        self.refusals += 1
        self._cited[tuple(clause for each in requirements for clause in each.clauses)] += 1

    def scored(self, spec: c.Spec) -> None:
        """Counts a result that was compared."""
        for name in RESULTS:
            function = spec.function(name)
            if function is not None:
                self._cited[tuple(_cited(function, spec))] += 1

    def clauses(self, spec: c.Spec) -> dict[str, int]:
        """The clauses of a spec that bear on play, each with the steps that exercised it."""
        found = {each.name: 0 for each in spec.clauses if each.kind in ("must", "never", "may")}
        for referee, taken in self._taken.values():
            for (number, done), times in taken.items():
                for clause in _exercised(referee, number, done):
                    if clause in found:
                        found[clause] += times
        for cited, times in self._cited.items():
            for clause in set(cited):
                if clause in found:
                    found[clause] += times
        return found


def _exercised(referee: Referee, number: int, done: Any) -> set[str]:
    """The clauses that one event exercises."""
    transition = referee.instance.spec.transitions[number]
    carried_out: list[c.Labelled | c.Transition] = [transition, *referee.carried_out(done)]
    found: set[str] = set()
    for each in carried_out:
        found.update(each.clauses)
        if isinstance(each, c.Transition):
            found.update(clause for need in each.requirements for clause in need.clauses)
    return found


def _cited(function: c.Function, spec: c.Spec) -> set[str]:
    """The clauses of a function and of the functions and tables that it uses."""
    found = set(function.clauses)
    for part in _parts(function.body):
        if isinstance(part, c.Call) and (used := spec.function(part.function)) is not None:
            found |= _cited(used, spec)
        elif isinstance(part, c.TableRef):
            found.update(
                clause for each in spec.tables if each.name == part.name for clause in each.clauses
            )
    return found


def _parts(node: Any) -> Iterator[Any]:
    """An expression and everything in it."""
    if isinstance(node, c.Core):
        yield node
        for field in node._fields:
            yield from _parts(getattr(node, field))
    elif isinstance(node, tuple):
        for each in node:
            yield from _parts(each)
