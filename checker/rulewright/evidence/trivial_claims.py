"""Claims that cannot fail, whatever the rules say: they prove nothing about a sentence.

A claim is trivial if it is a constant, if it reads nothing that play can write, if it is a theorem
about no data, if the types alone imply it (`held_by_types`), or if what is possible is so before
anything has happened. A claim that shares nothing with what carries out a
clause says nothing about that clause, though it may say something else.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from rulewright.evidence.held_by_types import held_by_types
from rulewright.frontend import LoadedSpec, check_text
from rulewright.meaning import core as c
from rulewright.meaning.dependencies import Dependencies
from rulewright.meaning.traversal import walk
from rulewright.meaning.twin_games import SECRET
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.play.semantics.evaluate import Environment, evaluate
from rulewright.play.semantics.initial_states import initial_position
from rulewright.play.semantics.instance import Instance
from rulewright.syntax.node import Node

PHASE = ("variable", "phase")
OTHERS = (-7, 0, 1, 1000)
"""What constants are tried with."""


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
        named = constants.intersection(re.findall(r"\w+", said))
        begun = checked.text.text[claim.span.start :].startswith("initially")
        why = _cannot_fail(claim, needs, written, bool(named))
        if not why and named:
            why = _whatever_constants(checked, claim, said, named)
        if not why and not begun and not (named and claim.kind == "theorem"):
            why = held_by_types(spec, claim, written)
        if not why and claim.kind == "possible":
            why = _from_the_start(spec, claim)
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
        return ""  # `_from_the_start` says whether moves have a part in it
    if not {name for kind, name in read if kind == "variable"} & written:
        return "it reads nothing that play can change"
    return ""


def _written(spec: c.Spec) -> set[str]:
    """The variables that play can write, and those that may begin with any value."""
    done = set(Dependencies(spec).of(spec.transitions))
    effects = [each for each in spec.effects if ("effect", each.name) in done]
    bodies = [*(each.body for each in spec.transitions), *(each.body for each in effects)]
    found = {
        node.variable
        for body in bodies
        for statement in body
        for node in walk(statement)
        if isinstance(node, c.Assign)
    }
    return found | {each.name for each in spec.variables if each.initial is None} | {"answered"}


def _whatever_constants(
    checked: LoadedSpec, claim: c.Property, said: str, named: Collection[str]
) -> str:
    """Whether a claim about constants alone is true whatever numbers these are."""
    assert checked.spec is not None and checked.text is not None
    if Dependencies(checked.spec).of([claim.claim]):
        return ""
    names = re.compile(rf"\b({'|'.join(sorted(named))})\b")
    tried = [names.sub(f"({number})", said) for number in OTHERS]
    more = "".join(f"\ntheorem tried_{at}_: {each}" for at, each in enumerate(tried))
    spec = check_text(checked.file, f"{checked.text.text}\n{more}\n").spec
    if spec is None:
        return ""
    instance = Instance(spec)
    try:
        held = [
            evaluate(each.claim, Environment(instance, {}))
            for each in spec.properties[-len(OTHERS) :]
        ]
    except EvaluationError:
        return ""
    return "it is true whatever the constants are" if all(held) else ""


def _from_the_start(spec: c.Spec, claim: c.Property) -> str:
    """Whether what is possible is so before anything has happened, in every game."""
    if any(each.initial is None for each in spec.variables):
        return ""
    instance = Instance(spec)
    try:
        env = Environment(instance, initial_position(instance))
        return "it is so before anything has happened" if evaluate(claim.claim, env) else ""
    except (EvaluationError, UsageError):
        return ""


def _beside_the_point(
    spec: c.Spec, claim: c.Property, needs: Dependencies
) -> Iterator[TrivialClaim]:
    """The clauses that a claim cites without sharing anything with what carries them out."""
    read = set(needs.of([claim.claim]))
    mine = read - {PHASE} or {PHASE}
    for clause in claim.clauses:
        carriers = list(_carriers(spec, clause))
        if PHASE in read and any(_leads_on(part, clause) for part in carriers):
            continue
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


def _leads_on(part: c.Core, clause: str) -> bool:
    """Whether what carries out a clause is which phase comes next."""
    return any(
        isinstance(inside, c.Assign) and inside.variable == "phase"
        for node in walk(part)
        if isinstance(node, c.Labelled) and clause in node.clauses
        for inside in walk(node)
    )


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
