"""The index of a spec: what every name in the text stands for, noted while names are resolved.

A **definition** is a place where something gets its name; a **use** is a place that refers to it.
Both carry a key: the kind and the full name of what is meant, or for names that are bound locally
the place where they are bound. Nothing here searches text: a use is noted by whoever resolved it,
at the moment it was resolved. Editors read the index: go to definition, references, rename.
"""

from __future__ import annotations

from rulewright.syntax.node import Node, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulewright.syntax import tree as t

Key = tuple[str, str]
"""The kind of a thing and its full name: ("function", "score"), ("value", "Colour.red"),
("requirement", "may_cross.five_first"); for what is bound locally the place where it is bound."""


class Definition(Node):
    """Where something gets its name, and the whole of what is declared there."""

    span: Span
    key: Key
    name: str
    whole: Span
    container: str | None = None
    """What it is a part of: the type of a value, the rule of a requirement."""


class References:
    """All definitions and uses of a spec. A definition may have several places: a field that
    several cases of a type have."""

    def __init__(self) -> None:
        self.definitions: dict[Key, list[Definition]] = {}
        self._by_place: dict[int, Key] = {}
        self._uses: list[tuple[Span, Key | int]] = []
        self._unfolding = 0

    def define(
        self, kind: str, name: t.Ident | t.Path, whole: Span, container: str | None = None
    ) -> None:
        """Something gets its name here."""
        text = name.text
        full = f"{container}.{text}" if container else text
        self._define((kind, full), text, name.span, whole, container)

    def bind(self, kind: str, name: t.Ident, whole: Span) -> None:
        """A name is bound here, for what stands inside."""
        self._define((kind, str(name.span.start)), name.text, name.span, whole, None)

    def _define(
        self, key: Key, text: str, span: Span, whole: Span, container: str | None
    ) -> None:  # fmt: skip
        if span.start in self._by_place:
            return
        self._by_place[span.start] = key
        self.definitions.setdefault(key, []).append(Definition(span, key, text, whole, container))

    def use(self, span: Span, kind: str, full: str) -> None:
        """Something of this kind and full name is referred to here."""
        if not self._unfolding:
            self._uses.append((span, (kind, full)))

    def use_bound(self, span: Span, place: int) -> None:
        """What is bound at a place is referred to here."""
        if not self._unfolding:
            self._uses.append((span, place))

    def use_label(self, path: t.Path, full: str) -> None:
        """A requirement is referred to by its label, alone or behind its owner."""
        label = path.parts[-1]
        self.use(Span(path.span.end - len(label), path.span.end), "requirement", full)

    def unfold(self, begins: bool) -> None:
        """A rule is unfolded into what asks for it: its names are noted where it is declared."""
        self._unfolding += 1 if begins else -1

    def resolved(self) -> dict[Span, Key]:
        """Every place that names something, definitions included. A use of what has no definition
        in the spec (what is built in, or unknown) is left out, but for squares of a board."""
        found: dict[Span, Key] = {}
        for span, noted in self._uses:
            key = self._by_place.get(noted) if isinstance(noted, int) else noted
            if key is not None and (key in self.definitions or key[0] == "square"):
                found.setdefault(span, key)
        for places in self.definitions.values():
            for each in places:
                found[each.span] = each.key
        return found
