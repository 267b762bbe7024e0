"""Clauses and their evidence: does the spec do what each sentence of the rulebook asks for?

Looks only at who cites a clause. Whether the citing property is proved or the example passes is
for `prove` and `test` to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import Messages
from rulewright.meaning import core as c
from rulewright.meaning.traversal import walk
from rulewright.syntax.node import Node

WHAT_IS_MISSING: dict[tuple[str, str], tuple[str, str, str]] = {
    ("must", "rule"): ("RW502", "no requirement or effect", "cite it where it is carried out"),
    ("must", "property"): ("RW503", "no property", "state it as `invariant` or `always`"),
    ("never", "rule"): ("RW502", "no requirement or effect", "cite it where it is carried out"),
    ("never", "property"): ("RW503", "no property", "state it as `invariant` or `always`"),
    ("may", "move"): ("RW504", "no move", "cite it in the move that makes use of it"),
    ("can", "possible"): ("RW505", "no `possible`", "state what can come about as `possible`"),
    ("example", "example"): ("RW506", "no example", "play it in an `example`"),
}


class Citation(Node):
    """Who cites a clause: `kind` is rule (requirement, effect, data), move, property, possible,
    example or reading."""

    clause: str
    kind: str
    name: str


def citations(spec: c.Spec) -> Iterator[Citation]:
    """Every citation of a clause in the spec."""
    for requirement in spec.start:
        yield from _each("rule", requirement.label, requirement.clauses)
    for transition in spec.transitions:
        kind = "move" if transition.kind == "move" else "rule"
        yield from _each(kind, transition.name, transition.clauses)
        for requirement in transition.requirements:
            yield from _each("rule", requirement.label, requirement.clauses)
        yield from _labelled(transition.body)
    for effect in spec.effects:
        yield from _each("rule", effect.name, effect.clauses)
        yield from _labelled(effect.body)
    for function in spec.functions:
        yield from _each("rule", function.name, function.clauses)
    for data in spec.tables:
        yield from _each("rule", data.name, data.clauses)
    for constant in spec.constants:
        yield from _each("rule", constant.name, constant.clauses)
    for variable in spec.variables:
        yield from _each("rule", variable.name, variable.clauses)
    for claim in spec.properties:
        kind = "possible" if claim.kind == "possible" else "property"
        yield from _each(kind, claim.name, claim.clauses)
    for end in spec.ends:
        yield from _each("property", end.name, end.clauses)
    for example in spec.examples:
        yield from _each("example", example.name, example.clauses)
    for reading in spec.readings:
        yield from _each("reading", reading.name, reading.clauses)


def check_evidence(spec: c.Spec, messages: Messages) -> None:
    """Reports clauses that nothing or not enough speaks for."""
    found: dict[str, set[str]] = {}
    for citation in citations(spec):
        found.setdefault(citation.clause, set()).add(citation.kind)
    assumed = {name for each in spec.assumptions for name in each.clauses}
    for clause in spec.clauses:
        kinds = found.get(clause.name, set())
        if clause.kind == "aside":
            continue
        if not kinds:
            messages.error(
                "RW501", clause.span, f"nothing cites the clause `{clause.name}`",
                "cite it where the spec carries it out, or call it an `aside`",
            )  # fmt: skip
            continue
        if "move" in kinds:
            kinds = kinds | {"rule"}
        elif "rule" in kinds and clause.name in assumed:
            kinds = kinds | {"move"}  # everybody always does what is permitted, says the assumption
        for (kind, needed), (code, missing, help) in WHAT_IS_MISSING.items():
            if kind == clause.kind and needed not in kinds:
                messages.error(
                    code, clause.span, f"{missing} cites the {kind} clause `{clause.name}`", help
                )
        if spec.sources and not clause.places:
            messages.warning(
                "RW508", clause.span, f"the clause `{clause.name}` has no place in a source",
                "say where it stands: `en:2.1`",
            )  # fmt: skip


def _each(kind: str, name: str, clauses: tuple[str, ...]) -> Iterator[Citation]:
    for clause in clauses:
        yield Citation(clause, kind, name)


def _labelled(body: tuple[c.Statement, ...]) -> Iterator[Citation]:
    for statement in body:
        for node in walk(statement):
            if isinstance(node, c.Labelled):
                yield from _each("rule", node.label, node.clauses)
