"""What of a spec bears on what: the readings that a rule depends on, what stands beside a reading,
and whether two specs mean the same by what a claim leans on.
"""

from __future__ import annotations

from typing import Any

from rulewright.meaning import core as c
from rulewright.meaning.dependencies import Dependencies
from rulewright.meaning.traversal import variables_read, walk


def same_bases(old: c.Spec, new: c.Spec, roots: list[Any]) -> bool:
    """Whether all functions, effects, tables, readings and variables that something uses are the
    same."""
    return Dependencies(old).of(roots) == Dependencies(new).of(roots)


def mentions(spec: c.Spec, subject: c.Transition | c.Function | None) -> set[str]:
    """The readings that something depends on, itself or by what it uses."""
    if subject is None:
        return set()
    parts: list[Any] = [subject.body]
    if isinstance(subject, c.Transition):
        needs = tuple(each.condition for each in subject.requirements)
        parts = [subject.body, needs, subject.weight]
    return {name for kind, name in Dependencies(spec).of(parts) if kind == "reading"}


def beside(spec: c.Spec, reading: str) -> frozenset[str]:
    """The state variables that stand in a condition or function together with a reading."""
    functions = {each.name: each for each in spec.functions}
    bodies = [*(each.body for each in spec.transitions), *(each.body for each in spec.effects)]
    places: list[c.Expr] = [each.body for each in spec.functions]
    places += [each.condition for t in spec.transitions for each in t.requirements]
    places += [
        node.condition
        for body in bodies for each in body for node in walk(each) if isinstance(node, c.If)
    ]  # fmt: skip
    found = [
        variables_read(place, functions)
        for place in places
        if any(isinstance(node, c.ReadingRef) and node.name == reading for node in walk(place))
    ]
    return frozenset().union(*found)
