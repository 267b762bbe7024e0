"""The names of a spec for editors: what stands at a place, and where else it is meant.

Reads the table that name resolution filled (`meaning.names.references`); looks nothing up itself.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property

from rulewright.meaning import core as c
from rulewright.meaning import types as y
from rulewright.meaning.elaborate import Elaborated
from rulewright.meaning.names.references import Definition, Key
from rulewright.meaning.traversal import walk
from rulewright.syntax import tree as t
from rulewright.syntax.node import Node, Span


class NamedPlace(Node):
    """A place in the text and what is meant there."""

    span: Span
    key: Key


class NameIndex:
    """All names of one version of a text, in the order of their places."""

    def __init__(self, elaborated: Elaborated | None, syntax: t.Spec) -> None:
        self._spec = None if elaborated is None else elaborated.spec
        self.definitions: dict[Key, list[Definition]] = {}
        found: dict[Span, Key] = {}
        if elaborated is not None:
            self.definitions = elaborated.names.references.definitions
            found = elaborated.names.references.resolved()
        self.places = [NamedPlace(span, found[span]) for span in sorted(found)]
        self._starts = [each.span.start for each in self.places]
        self._by_key: dict[Key, list[Span]] = {}
        for each in self.places:
            self._by_key.setdefault(each.key, []).append(each.span)
        self._whole = sorted(syntax.declarations, key=lambda each: each.span.start)
        self._whole_starts = [each.span.start for each in self._whole]

    def at(self, offset: int) -> NamedPlace | None:
        """The name at a place or ending there; of two that overlap, the shorter."""
        best: NamedPlace | None = None
        at = bisect_right(self._starts, offset) - 1
        for each in reversed(self.places[max(at - 3, 0) : at + 1]):
            if each.span.start <= offset <= each.span.end and (
                best is None or _length(each.span) < _length(best.span)
            ):
                best = each
        return best

    def spans(self, key: Key) -> list[Span]:
        """Everywhere that something is named, its definition included."""
        return self._by_key.get(key, [])

    def definition(self, key: Key) -> Definition | None:
        """Where something gets its name. A square is defined by the type of its board."""
        if key[0] == "square":
            key = ("type", key[1].partition(".")[0])
        found = self.definitions.get(key)
        return found[0] if found else None

    def declaration_at(self, offset: int) -> t.Declaration | None:
        """The declaration that a place is in."""
        at = bisect_right(self._whole_starts, offset) - 1
        if at < 0:
            return None
        found = self._whole[at]
        return found if offset <= found.span.end else None

    def of_kind(self, *kinds: str) -> list[Definition]:
        """All definitions of some kinds, in the order of the text."""
        found = [places[0] for key, places in self.definitions.items() if key[0] in kinds]
        return sorted(found, key=lambda each: each.span.start)

    @cached_property
    def _types(self) -> list[tuple[Span, y.Type]]:
        """The types of all expressions and bound names, by place."""
        if self._spec is None:
            return []
        found: dict[Span, y.Type] = {}
        for node in walk(self._spec):
            if isinstance(node, c.Typed | c.Binder | c.Param) and node.type != y.BROKEN:
                found.setdefault(node.span, node.type)
        return sorted(found.items(), key=lambda each: each[0])

    def type_at(self, span: Span) -> y.Type | None:
        """The type of the expression at just this place."""
        at = bisect_left(self._types, span, key=lambda each: each[0])
        if at < len(self._types) and self._types[at][0] == span:
            return self._types[at][1]
        return None

    def type_of(self, key: Key) -> y.Type | None:
        """The type of what has one: a variable, a parameter, a constant, a function's result."""
        spec, name = self._spec, key[1]
        if spec is None:
            return None
        match key[0]:
            case "state variable":
                return next((each.type for each in spec.variables if each.name == name), None)
            case "constant":
                return next((e.value.type for e in spec.constants if e.name == name), None)
            case "table":
                return next((each.type for each in spec.tables if each.name == name), None)
            case "function":
                return next((each.type for each in spec.functions if each.name == name), None)
            case "parameter" | "name" | "seat":
                used = (self.type_at(span) for span in self.spans(key))
                bound = self.definition(key)
                whole = None if bound is None else self.type_at(bound.whole)
                return next((each for each in (*used, whole) if each is not None), None)
            case _:
                return None

    @property
    def spec(self) -> c.Spec | None:
        return self._spec


def _length(span: Span) -> int:
    return span.end - span.start
