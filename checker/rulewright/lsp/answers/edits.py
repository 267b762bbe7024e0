"""Changes of the text: fixes of diagnostics, and the canonical layout."""

from __future__ import annotations

from difflib import SequenceMatcher

from lsprotocol import types as lsp

from rulewright.diagnostics import Diagnostic, Fix
from rulewright.fixes import mend
from rulewright.lsp.text.document import Document
from rulewright.syntax.printing.formatter import format_text


def fix_actions(
    document: Document, within: lsp.Range, found: list[Diagnostic]
) -> list[lsp.CodeAction]:
    """The fixes of the findings that touch a range, and one that makes all of them."""
    actions: list[lsp.CodeAction] = []
    for each in found:
        place = document.range_of(each)
        if each.fix is None or place.end < within.start or within.end < place.start:
            continue
        actions.append(
            lsp.CodeAction(
                title=_title(each, each.fix),
                kind=lsp.CodeActionKind.QuickFix,
                is_preferred=True,
                edit=_edit(document, [_text_edit(document, each.fix)]),
            )
        )
    return actions


def fix_all(document: Document, found: list[Diagnostic]) -> list[lsp.CodeAction]:
    """The action that makes all fixes that mend something."""
    if all(each.fix is None for each in found):
        return []
    after, count, _ = mend(document.uri, document.content)
    if not count:
        return []
    edits = line_edits(document, after)
    return [
        lsp.CodeAction(
            title="Fix all that can be fixed",
            kind=lsp.CodeActionKind.SourceFixAll,
            edit=_edit(document, edits),
        )
    ]


def _title(found: Diagnostic, fix: Fix) -> str:
    if found.help is not None and found.help.startswith("did you mean"):
        return f"Change to `{fix.text}`"
    said = found.help or found.message
    return said[0].upper() + said[1:]


def _text_edit(document: Document, fix: Fix) -> lsp.TextEdit:
    place = document.lines(fix.line, fix.column, fix.end_line, fix.end_column)
    return lsp.TextEdit(place, fix.text)


def _edit(document: Document, edits: list[lsp.TextEdit]) -> lsp.WorkspaceEdit:
    versioned = lsp.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
    return lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(versioned, [*edits])])


def formatting(document: Document, within: lsp.Range | None = None) -> list[lsp.TextEdit]:
    """The changes that lay the text out, or only those that touch the lines of a range. A text that
    cannot be read is left as it is."""
    after, _ = format_text(document.content, document.uri)
    if after is None:
        return []
    edits = line_edits(document, after)
    if within is None:
        return edits
    last = within.end.line - (within.end.character == 0 and within.end.line > within.start.line)
    return [
        each
        for each in edits
        if each.range.start.line <= last and within.start.line <= _last_line(each.range)
    ]


def _last_line(place: lsp.Range) -> int:
    """The last line that a change of whole lines touches."""
    return max(place.start.line, place.end.line - (place.end.character == 0))


def line_edits(document: Document, after: str) -> list[lsp.TextEdit]:
    """The changes of whole lines that lead from the text to another."""
    before = _lines(document.content)
    wanted = _lines(after)
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line))
    matcher = SequenceMatcher(None, before, wanted, autojunk=False)
    return [
        lsp.TextEdit(
            document.positions.range(starts[first], starts[last]), "".join(wanted[low:high])
        )
        for kind, first, last, low, high in matcher.get_opcodes()
        if kind != "equal"
    ]


def _lines(text: str) -> list[str]:
    """The lines of a text with their ends."""
    parts = text.split("\n")
    return [*(f"{part}\n" for part in parts[:-1]), *([parts[-1]] if parts[-1] else [])]
