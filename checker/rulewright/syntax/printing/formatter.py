"""The canonical layout of a `.rules` file: tree to text, with the author's comments kept.

`write` turns declarations into lines of code, `print_expr` the expressions in them; `weave` puts
the lines together with the comments and blank lines of the `trivia`, in `alignment` where they are
alike, and `pretty` breaks what is too long. Reading a formatted file gives the same tree."""

from __future__ import annotations

from rulewright.diagnostics import Diagnostic, Messages, Text
from rulewright.syntax.parsing.parse_tables import Tables
from rulewright.syntax.parsing.parser import parse
from rulewright.syntax.printing.comments import weave
from rulewright.syntax.printing.pretty import WIDTH
from rulewright.syntax.printing.print_decl import write
from rulewright.syntax.printing.print_expr import format_expr, format_type
from rulewright.syntax.printing.trivia import Manuscript
from rulewright.syntax.tree import Declaration, Spec

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
