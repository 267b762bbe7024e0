"""Collects the lines of code of a file, and writes what many constructs have in common.

What begins where is taken from the manuscript, so that `comments` knows which comments stood
before, in and after each line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rulewright.syntax import tree as t
from rulewright.syntax.printing import alignment
from rulewright.syntax.printing.comments import Line
from rulewright.syntax.printing.pretty import (
    INDENT,
    SOFT,
    Concat,
    Doc,
    Group,
    Nest,
    concat,
    separated,
    spaced,
)
from rulewright.syntax.printing.print_expr import declarator
from rulewright.syntax.printing.trivia import Manuscript

HEAD_INDENT = 2 * INDENT
"""How deep a head goes on that is broken before a block, so that the two can be told apart."""


class Writer:
    """The lines so far. `constructs` has, for each class of the tree that begins a line, the
    function that adds its lines at a level of indentation."""

    def __init__(
        self,
        manuscript: Manuscript,
        width: int,
        constructs: Mapping[type, Callable[[Writer, Any, int], None]],
    ) -> None:
        self.manuscript = manuscript
        self.width = width
        self.constructs = constructs
        self.lines: list[Line] = []

    def declaration(self, declaration: t.Declaration) -> None:
        """Adds the lines of a declaration."""
        first = len(self.lines)
        self.write(declaration, 0)
        self.lines[first].opens = True
        self.lines[first].kind = type(declaration).__name__

    def write(self, node: t.Tree, level: int) -> None:
        """Adds the lines of anything that begins a line."""
        self.constructs[type(node)](self, node, level)

    def block(self, nodes: Sequence[t.Tree], level: int) -> None:
        """Adds the lines of a block."""
        for node in nodes:
            self.write(node, level)

    def line(self, level: int, node: t.Tree | int, *parts: Doc) -> None:
        """Adds a line that begins where a node does, or at an offset."""
        start = node if isinstance(node, int) else node.span.start
        self.lines.append(Line(level, start, concat(*parts)))

    def columned(
        self,
        level: int,
        node: t.Tree,
        heading: tuple[str, ...],
        rest: Doc,
        gap: str = alignment.GAP,
    ) -> None:
        """Adds a line that is set in columns with its neighbours of the same kind."""
        kind = type(node).__name__
        self.lines.append(Line(level, node.span.start, rest, kind, heading, gap))


def quoted(prose: t.Text | None) -> str:
    """Prose in its quotes; nothing where there is none."""
    return "" if prose is None else f'"{prose.text}"'


def citation(cites: tuple[t.Path, ...]) -> Doc:
    """Clauses in their brackets; where they break, what comes below must still stand out."""
    if not cites:
        return ""
    inner = Concat((SOFT, separated([path.text for path in cites])))
    return Group(Concat(("[", Nest(inner, HEAD_INDENT), "]")))


def listed(names: Iterable[t.Ident]) -> str:
    """Names with commas between them."""
    return ", ".join(name.text for name in names)


def labelled(head: Doc, node: Any) -> Doc:
    """A head with the prose and the clauses that most things can carry."""
    return spaced((head, quoted(node.prose), citation(node.cites)))


def named(word: str, node: Any) -> Doc:
    """A keyword and a name, with prose and clauses."""
    return labelled(f"{word} {node.name.text}", node)


def parameters(params: tuple[t.Declarator, ...]) -> Doc:
    """Parameters in their parentheses; where they break, the block below must still stand out."""
    if not params:
        return "()"
    inner = Concat((SOFT, separated([declarator(param) for param in params])))
    return Group(Concat(("(", Nest(inner, HEAD_INDENT), Nest(SOFT), ")")))
