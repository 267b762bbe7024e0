"""The canonical layout of a `.rules` file: tree to text, with the author's comments kept.

`write` turns declarations into lines of code, `phrase` the expressions in them; `weave` puts the
lines together with the comments and blank lines of the `manuscript`, in `columns` where they are
alike, and `layout` breaks what is too long. Reading a formatted file gives the same tree.
"""

from __future__ import annotations

from checker.message import Diagnostic, Messages, Text
from checker.syntax.grammar import Tables
from checker.syntax.layout import WIDTH
from checker.syntax.manuscript import Manuscript
from checker.syntax.parse import parse
from checker.syntax.phrase import format_expr, format_type
from checker.syntax.tree import Declaration, Spec
from checker.syntax.weave import weave
from checker.syntax.write import write

__all__ = ["format_declaration", "format_expr", "format_spec", "format_text", "format_type"]


def format_text(
    text: str, file: str, width: int = WIDTH, tables: Tables | None = None
) -> tuple[str | None, list[Diagnostic]]:
    """The text in its canonical layout, or None and what is wrong if it cannot be read."""
    text = text.replace("\r\n", "\n")
    messages = Messages(Text(file, text))
    tree = parse(text, messages, tables)
    if messages.failed:
        return None, messages.sorted()
    return format_spec(tree, Manuscript(text, tree), width), messages.sorted()


def format_spec(tree: Spec, manuscript: Manuscript | None = None, width: int = WIDTH) -> str:
    """A whole file, with the comments and blank lines of its manuscript if it has one."""
    manuscript = manuscript or Manuscript()
    return weave(write(tree.declarations, manuscript, width), manuscript, width)


def format_declaration(declaration: Declaration) -> str:
    """One declaration, ending with a newline."""
    return format_spec(Spec(declaration.span, (declaration,)))
