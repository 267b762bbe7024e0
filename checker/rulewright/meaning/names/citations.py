"""Where a tree cites clauses."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.syntax import tree as t


def cited(syntax: t.Spec) -> Iterator[t.Path]:
    """Every citation of a clause in the tree."""
    waiting: list[object] = [syntax]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(node)
        elif isinstance(node, t.Tree):
            yield from getattr(node, "cites", ())
            for field in _INSIDE.get(type(node), ()):
                waiting.append(getattr(node, field))


_INSIDE: dict[type, tuple[str, ...]] = {
    t.Spec: ("declarations",),
    t.State: ("items",),
    t.Each: ("variables",),
    t.Start: ("requirements",),
    t.Rule: ("items",),
    t.Effect: ("body",),
    t.If: ("branches", "otherwise"),
    t.Branch: ("body",),
    t.For: ("body",),
    t.Labelled: ("body",),
    t.Move: ("needs", "body"),
    t.Chance: ("needs", "body"),
    t.Deal: ("body",),
    t.Step: ("when", "body"),
    t.Variant: ("items",),
}
"""Where inside a node more citations can stand."""
