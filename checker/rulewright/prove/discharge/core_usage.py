"""Core usage: which requirements and effects proofs need, by clause, and which no proof needs.

Requirements are those that the solver names in the core of a refutation. Effects are not assumed
one by one, so a proof is said to use a labelled effect if the claim reads what the effect writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulewright.meaning import core as c
from rulewright.meaning.traversal import walk
from rulewright.prove.verdict.verdict import PROVED, Verdict


class CoreUsage:
    """The labels of a spec, and what they write."""

    def __init__(self, spec: c.Spec) -> None:
        self._spec = spec
        self._functions = {each.name: each.body for each in spec.functions}
        self._effects = {each.name: each.body for each in spec.effects}
        self._requirements = {
            each.label: each.clauses for t in spec.transitions for each in t.requirements
        }
        self._labelled: dict[str, tuple[tuple[str, ...], set[str]]] = {}
        for body in (*(t.body for t in spec.transitions), *self._effects.values()):
            for each in body:
                for node in walk(each):
                    if isinstance(node, c.Labelled):
                        self._labelled[node.label] = (node.clauses, set(self._written(node.body)))

    def of(self, verdict: Verdict) -> tuple[str, ...]:
        """What the proof of a verdict used: assumptions of its core, and effects."""
        claims = [p.claim for p in self._spec.properties if p.name == verdict.name]
        if verdict.verdict != PROVED or verdict.kind not in ("invariant", "always") or not claims:
            return verdict.used
        read = set(self._read(claims))
        effects = [label for label, (_, written) in self._labelled.items() if written & read]
        return (*verdict.used, *effects)

    def clauses(self, label: str) -> tuple[str, ...]:
        """The clauses that a requirement or effect carries out."""
        if label in self._labelled:
            return self._labelled[label][0]
        return self._requirements.get(label, ())

    def needed_by(self, verdicts: Iterable[Verdict]) -> dict[str, list[str]]:
        """For each clause, the properties whose proofs used something that carries it out."""
        found: dict[str, list[str]] = {each.name: [] for each in self._spec.clauses}
        for verdict in verdicts:
            for label in self.of(verdict):
                for clause in self.clauses(label):
                    names = found.setdefault(clause, [])
                    if verdict.name not in names:
                        names.append(verdict.name)
        return found

    def idle(self, verdicts: Iterable[Verdict]) -> list[str]:
        """The requirements that no proof used, but for those that come with every move."""
        used = {label for verdict in verdicts for label in verdict.used}
        made = ("phase", "once", "in_order", "weight")
        return [
            label for label in self._requirements
            if label not in used and label.rpartition(".")[2] not in made
        ]  # fmt: skip

    def _written(self, statements: Sequence[c.Statement]) -> Iterator[str]:
        for statement in statements:
            for node in walk(statement):
                if isinstance(node, c.Assign):
                    yield node.variable
                elif isinstance(node, c.Perform):
                    yield from self._written(self._effects[node.effect])

    def _read(self, expressions: Sequence[c.Expr]) -> Iterator[str]:
        for expression in expressions:
            for node in walk(expression):
                if isinstance(node, c.StateVar):
                    yield node.name
                elif isinstance(node, c.Call):
                    yield from self._read([self._functions[node.function]])


def summed(specs: Mapping[str, tuple[CoreUsage, list[Verdict]]]) -> dict[str, object]:
    """What the summary says, by spec if there are several."""
    found: dict[str, dict[str, object]] = {
        name: {"needed_by": uses.needed_by(verdicts), "unneeded": uses.idle(verdicts)}
        for name, (uses, verdicts) in specs.items()
    }
    return next(iter(found.values())) if len(found) == 1 else {"specs": found}
