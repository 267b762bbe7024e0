"""Which clauses of the rulebook a run has exercised, and how often.

A step exercises the clauses of its transition, of every requirement that was decided, and of the
labelled statements and steps that were carried out. Counting goes by kinds of steps, which are
few; what they stand for is worked out at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from rulewright.conform.oracle.oracle import Oracle
from rulewright.conform.oracle.state_json import StateWriter
from rulewright.meaning import core as c
from rulewright.meaning.names.symbol_table import RESULTS
from rulewright.meaning.traversal import walk


class EventKind:
    """Events of one transition that carried out the same: how many there were, and what writes
    down the variables they change."""

    __slots__ = ("times", "write")

    def __init__(self, write: StateWriter) -> None:
        self.times = 0
        self.write = write


class EventKinds:
    """The kinds of events that a referee has seen."""

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle
        self.seen: list[dict[Any, EventKind]] = [{} for _ in oracle.instance.spec.transitions]
        """By the number of the transition, then by the notes of what was carried out."""

    def add(self, number: int, done: Any) -> EventKind:
        """A kind that has not been seen before."""
        changed = self.oracle.changed_by(number, done)
        found = self.seen[number][done] = EventKind(self.oracle.state_writer(changed))
        return found


class Coverage:
    """What was done, by the referee who saw it."""

    def __init__(self) -> None:
        self._kinds: dict[int, EventKinds] = {}
        self._results: dict[int, tuple[c.Spec, list[tuple[str, ...]]]] = {}
        """What the scores and winners of a spec cite."""
        self._cited: Counter[tuple[str, ...]] = Counter()
        self.refusals = 0
        self.unreported = 0
        """How often an engine did not say how things stand."""

    def kinds(self, oracle: Oracle) -> EventKinds:
        """The kinds of events that a referee has seen."""
        if id(oracle) not in self._kinds:
            self._kinds[id(oracle)] = EventKinds(oracle)
        return self._kinds[id(oracle)]

    @property
    def events(self) -> int:
        """How many events there were."""
        return sum(kind.times for _, _, _, kind in self._seen())

    def refused(self, requirements: Iterable[c.Requirement]) -> None:
        """Counts an event that was refused by these requirements."""
        self.refusals += 1
        self._cited[tuple(clause for each in requirements for clause in each.clauses)] += 1

    def scored(self, spec: c.Spec) -> None:
        """Counts a result that was compared."""
        if id(spec) not in self._results:
            functions = (spec.function(name) for name in RESULTS)
            self._results[id(spec)] = (
                spec,
                [tuple(_cited(each, spec)) for each in functions if each],
            )
        self._cited.update(self._results[id(spec)][1])

    def clauses(self, spec: c.Spec) -> dict[str, int]:
        """The clauses of a spec that bear on play, each with the steps that exercised it."""
        found = {each.name: 0 for each in spec.clauses if each.kind in ("must", "never", "may")}
        for oracle, number, done, kind in self._seen():
            for clause in _exercised(oracle, number, done):
                if clause in found:
                    found[clause] += kind.times
        for cited, times in self._cited.items():
            for clause in set(cited):
                if clause in found:
                    found[clause] += times
        return found

    def _seen(self) -> Iterator[tuple[Oracle, int, Any, EventKind]]:
        for kinds in self._kinds.values():
            for number, by_notes in enumerate(kinds.seen):
                for done, kind in by_notes.items():
                    yield kinds.oracle, number, done, kind


def _exercised(oracle: Oracle, number: int, done: Any) -> set[str]:
    """The clauses that one event exercises."""
    transition = oracle.instance.spec.transitions[number]
    carried_out: list[c.Labelled | c.Transition] = [transition, *oracle.carried_out(done)]
    found: set[str] = set()
    for each in carried_out:
        found.update(each.clauses)
        if isinstance(each, c.Transition):
            found.update(clause for need in each.requirements for clause in need.clauses)
    return found


def _cited(function: c.Function, spec: c.Spec) -> set[str]:
    """The clauses of a function and of the functions and tables that it uses."""
    found = set(function.clauses)
    for part in walk(function.body):
        if isinstance(part, c.Call) and (used := spec.function(part.function)) is not None:
            found |= _cited(used, spec)
        elif isinstance(part, c.TableRef):
            found.update(
                clause for each in spec.tables if each.name == part.name for clause in each.clauses
            )
    return found
