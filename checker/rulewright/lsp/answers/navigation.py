"""Go to definition, references, highlights, rename, and who calls what."""

from __future__ import annotations

import re

from lsprotocol import types as lsp

from rulewright.lsp.text.document import Document
from rulewright.lsp.text.name_index import NamedPlace
from rulewright.meaning import types as y
from rulewright.meaning.names.references import Definition, Key
from rulewright.meaning.names.symbol_table import BUILTIN_TYPES, BUILTIN_VALUES
from rulewright.syntax import tree as t
from rulewright.syntax.node import Span

CALLED = ("rule", "function", "effect", "move", "chance event", "step")
"""Kinds of what calls and is called."""
_NAME = re.compile(r"[^\W\d]\w*")
_PATH = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


class RenameError(Exception):
    """A name that cannot be changed, or not to that; the message says why."""


def named_at(document: Document, position: lsp.Position) -> NamedPlace | None:
    """What stands at a position."""
    return document.full().index.at(document.offset(position))


def definition(document: Document, position: lsp.Position) -> lsp.Location | None:
    """Where what stands at a position gets its name."""
    found = named_at(document, position)
    place = found and document.full().index.definition(found.key)
    return lsp.Location(document.uri, document.range(place.span)) if place else None


def references(document: Document, position: lsp.Position, declared: bool) -> list[lsp.Location]:
    """Everywhere that the same is meant."""
    found = named_at(document, position)
    if found is None:
        return []
    index = document.full().index
    own = {each.span for each in index.definitions.get(found.key, ())}
    spans = [span for span in index.spans(found.key) if declared or span not in own]
    return [lsp.Location(document.uri, document.range(span)) for span in _in_order(document, spans)]


def highlights(document: Document, position: lsp.Position) -> list[lsp.DocumentHighlight]:
    """The same, to be marked in the text."""
    return [
        lsp.DocumentHighlight(each.range, lsp.DocumentHighlightKind.Text)
        for each in references(document, position, declared=True)
    ]


def _in_order(document: Document, spans: list[Span]) -> list[Span]:
    text = document.full().text
    return sorted(spans, key=lambda span: text.in_file(span.start))


# ---- rename


def prepare_rename(document: Document, position: lsp.Position) -> lsp.Range | None:
    """The name that would be changed; None where there is none."""
    found = named_at(document, position)
    return document.range(found.span) if found else None


def rename(document: Document, position: lsp.Position, new: str) -> lsp.WorkspaceEdit:
    """The change that gives something another name everywhere. It is tried first: where more would
    be wrong than before, or a name would come to mean something else, nothing is changed."""
    found = named_at(document, position)
    if found is None:
        raise RenameError("there is no name here that the spec declares")
    _check_new(document, found.key, new)
    index = document.full().index
    text = document.full().text
    spans = index.spans(found.key)
    places = sorted((text.in_file(span.start), span.end - span.start) for span in spans)
    after = document.content
    for start, length in reversed(places):
        after = after[:start] + new + after[start + length :]
    _try(document, new, after)
    edits: list[lsp.TextEdit | lsp.AnnotatedTextEdit | lsp.SnippetTextEdit] = [
        lsp.TextEdit(document.positions.range(start, start + length), new)
        for start, length in places
    ]
    versioned = lsp.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
    return lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(versioned, edits)])


def _check_new(document: Document, key: Key, new: str) -> None:
    if key[0] == "square":
        board = key[1].partition(".")[0]
        grids = _boards(document, board)
        place = y.square_place(new)
        if place is None or not any(place[0] <= g.width and place[1] <= g.height for g in grids):
            raise RenameError(f"`{new}` is not a square of `{board}`")
        return
    pattern = _PATH if key[0] == "clause" else _NAME
    if pattern.fullmatch(new) is None:
        raise RenameError(f"`{new}` is not a name: letters, digits and _, not a digit first")
    if new in (*BUILTIN_VALUES, *BUILTIN_TYPES):
        raise RenameError(f"`{new}` is built in")


def _boards(document: Document, name: str) -> list[t.GridType]:
    return [
        each.body
        for each in document.full().syntax.declarations
        if isinstance(each, t.TypeDef) and each.name.text == name
        and isinstance(each.body, t.GridType)
    ]  # fmt: skip


def _try(document: Document, new: str, after: str) -> None:
    """Refuses a change after which more is wrong, or the name is meant at other places."""
    before = document.full().diagnostics
    changed = Document(document.uri, after, 0)
    errors = {(each.code, each.message) for each in before}
    for each in changed.full().diagnostics:
        if each.severity == "error" and (each.code, each.message) not in errors:
            raise RenameError(f"that would be wrong in line {each.line}: {each.message}")
    shadows = sum(each.code == "RW103" for each in changed.full().diagnostics)
    if shadows > sum(each.code == "RW103" for each in before):
        raise RenameError(f"`{new}` would hide another name")
    if len(changed.full().index.places) != len(document.full().index.places):
        raise RenameError(f"`{new}` would be taken for something else")


# ---- calls


def prepare_calls(document: Document, position: lsp.Position) -> list[lsp.CallHierarchyItem]:
    """The rule, function, effect or move at a position."""
    found = named_at(document, position)
    if found is None:
        return []
    place = document.full().index.definition(found.key)
    return [_item(document, place)] if place and place.key[0] in CALLED else []


def incoming(
    document: Document, item: lsp.CallHierarchyItem
) -> list[lsp.CallHierarchyIncomingCall]:
    """Who asks for a rule, calls a function, performs an effect or plays a move."""
    key = _key(item)
    index = document.full().index
    own = {each.span for each in index.definitions.get(key, ())}
    found: dict[Key, list[Span]] = {}
    for span in index.spans(key):
        caller = None if span in own else _declared_around(document, span)
        if caller is not None:
            found.setdefault(caller.key, []).append(span)
    return [
        lsp.CallHierarchyIncomingCall(
            _item(document, index.definitions[caller][0]), [document.range(s) for s in spans]
        )
        for caller, spans in found.items()
    ]


def outgoing(
    document: Document, item: lsp.CallHierarchyItem
) -> list[lsp.CallHierarchyOutgoingCall]:
    """What a rule, function, effect or move asks for, calls or performs."""
    index = document.full().index
    place = index.definition(_key(item))
    if place is None:
        return []
    found: dict[Key, list[Span]] = {}
    for each in index.places:
        inside = place.whole.start <= each.span.start and each.span.end <= place.whole.end
        if inside and each.key[0] in CALLED and each.span != place.span:
            found.setdefault(each.key, []).append(each.span)
    return [
        lsp.CallHierarchyOutgoingCall(
            _item(document, index.definitions[key][0]), [document.range(s) for s in spans]
        )
        for key, spans in found.items()
        if key in index.definitions
    ]


def _declared_around(document: Document, span: Span) -> Definition | None:
    """The definition of the declaration that a place is in."""
    index = document.full().index
    around = index.declaration_at(span.start)
    name = getattr(around, "name", None)
    if name is None:
        return None
    place = index.at(name.span.start)
    return index.definition(place.key) if place else None


def _item(document: Document, place: Definition) -> lsp.CallHierarchyItem:
    kind, _ = place.key
    return lsp.CallHierarchyItem(
        name=place.name,
        kind=lsp.SymbolKind.Event if kind in ("move", "step") else lsp.SymbolKind.Function,
        uri=document.uri,
        range=document.range(place.whole),
        selection_range=document.range(place.span),
        detail=kind,
        data=list(place.key),
    )


def _key(item: lsp.CallHierarchyItem) -> Key:
    match item.data:
        case [str(kind), str(name)]:
            return kind, name
        case _:
            return "", ""
