"""Claims that cannot fail, whatever the rules say: they prove nothing about a sentence.

A claim is trivial if it is a constant, if it reads nothing that play can write, if it is a theorem
about no data, or if the types alone imply it. A claim that shares nothing with what carries out a
clause says nothing about that clause, though it may say something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.frontend import LoadedSpec
from rulewright.meaning import core as c
from rulewright.meaning.dependencies import Dependencies
from rulewright.meaning.traversal import walk
from rulewright.meaning.twin_games import SECRET
from rulewright.play.semantics.instance import Configuration
from rulewright.smt.encode.environment import SymbolicEnvironment
from rulewright.smt.solver.smtlib import LabelledAssertion, script
from rulewright.smt.solver.solver import UNSAT, Z3
from rulewright.smt.terms.term import FALSE, TRUE
from rulewright.syntax.node import Node, replace
from rulewright.vc.context import ProofContext

PHASE = ("variable", "phase")
PATIENCE = 1.0
"""Seconds' worth of work to find that types alone imply a claim."""


class TrivialClaim(Node):
    """A claim that says nothing, or nothing about a clause it cites; why, and what to do."""

    claim: c.Property
    clause: str | None
    why: str
    help: str


def trivial_claims(checked: LoadedSpec) -> list[TrivialClaim]:
    """The claims of a spec that cannot fail, and those that have nothing to do with a clause."""
    spec = checked.spec
    assert spec is not None and checked.text is not None
    needs = Dependencies(spec)
    written = _written(spec)
    constants = {each.name for each in spec.constants}
    found = []
    for claim in spec.properties:
        if claim.kind == SECRET:  # it is about all that happens
            continue
        said = checked.text.text[claim.claim.span.start : claim.claim.span.end]
        named = not constants.isdisjoint(re.findall(r"\w+", said))
        why = _cannot_fail(claim, needs, written, named) or _by_types(spec, claim, needs, named)
        if why:
            help = "claim something that a mistake in the rules would break"
            found.append(TrivialClaim(claim, None, why, help))
        else:
            found += _beside_the_point(spec, claim, needs)
    return found


def _cannot_fail(claim: c.Property, needs: Dependencies, written: set[str], named: bool) -> str:
    if isinstance(claim.claim, c.Literal) and not named:
        return "it is a constant"
    read = needs.of([claim.claim])
    if claim.kind == "theorem":
        looks = any(isinstance(node, c.Quantify) for node in walk(claim.claim))
        return "" if read or looks or named else "it is about no data"
    if claim.kind == "possible":
        return ""
    if not {name for kind, name in read if kind == "variable"} & written:
        return "it reads nothing that play can change"
    return ""


def _written(spec: c.Spec) -> set[str]:
    """The variables that play can write, and those that may begin with any value."""
    bodies = [*(each.body for each in spec.transitions), *(each.body for each in spec.effects)]
    found = {
        node.variable
        for body in bodies
        for statement in body
        for node in walk(statement)
        if isinstance(node, c.Assign)
    }
    return found | {each.name for each in spec.variables if each.initial is None} | {"answered"}


def _by_types(spec: c.Spec, claim: c.Property, needs: Dependencies, named: bool) -> str:
    """Whether an invariant holds in every position that the types allow. One that speaks of a
    function, a table or a constant is about these, and a mistake in them would break it."""
    about = any(kind in ("function", "table") for kind, _ in needs.of([claim.claim]))
    if claim.kind != "invariant" or about or named:
        return ""
    alone = replace(spec, properties=(), ends=(), examples=())
    context = ProofContext(alone, Configuration(spec.least, (), None))
    term = context.claim(claim.claim, SymbolicEnvironment(context.state))
    if term is TRUE:
        return "the types alone imply it"
    if term is FALSE:
        return ""
    text = script([LabelledAssertion("", context.terms.no(term))])
    answer = Z3(text.text).check(text.switches, PATIENCE)
    return "the types alone imply it" if answer.result == UNSAT else ""


def _beside_the_point(
    spec: c.Spec, claim: c.Property, needs: Dependencies
) -> Iterator[TrivialClaim]:
    """The clauses that a claim cites without sharing anything with what carries them out."""
    mine = set(needs.of([claim.claim])) - {PHASE} or {PHASE}
    for clause in claim.clauses:
        carriers = list(_carriers(spec, clause))
        theirs = {each for part in carriers for each in _touched(spec, part, needs)}
        if carriers and mine.isdisjoint(theirs):
            yield TrivialClaim(
                claim, clause, f"it shares nothing with what carries out `{clause}`",
                "cite the clauses it is about",
            )  # fmt: skip


def _carriers(spec: c.Spec, clause: str) -> Iterator[c.Core]:
    """What carries out a clause; of a requirement or a statement, all that it is part of."""
    for each in (*spec.transitions, *spec.effects, *spec.functions, *spec.tables):
        cited = {name for node in walk(each) for name in getattr(node, "clauses", ())}
        if clause in cited:
            yield each


def _touched(spec: c.Spec, part: c.Core, needs: Dependencies) -> set[tuple[str, str]]:
    """Everything that a part of a spec is, reads or writes, at any depth."""
    found = set(needs.of([part]))
    kinds = {c.Function: "function", c.TableData: "table", c.Effect: "effect"}
    if type(part) in kinds:
        found.add((kinds[type(part)], part.name))  # type: ignore[attr-defined]
    bodies = [part, *(each for each in spec.effects if ("effect", each.name) in found)]
    for body in bodies:
        for node in walk(body):
            if isinstance(node, c.Assign):
                found.add(("variable", node.variable))
    used_by = {("function", each.name) for each in spec.functions if found & set(needs.of([each]))}
    return found | used_by
