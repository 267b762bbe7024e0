"""Symbols, folding and semantic tokens: the shape of a spec."""

from __future__ import annotations

from lsprotocol import types as lsp

from rulewright.lsp.text.document import Document
from rulewright.meaning.names.references import Definition

_K = lsp.SymbolKind
SYMBOLS: dict[str, lsp.SymbolKind] = {
    "game": _K.Module, "source": _K.File, "clause": _K.String, "term": _K.String,
    "assumption": _K.String, "type": _K.Enum, "value": _K.EnumMember, "case": _K.EnumMember,
    "field": _K.Field, "phase": _K.EnumMember, "table": _K.Array, "constant": _K.Constant,
    "state variable": _K.Variable, "function": _K.Function, "rule": _K.Function,
    "effect": _K.Function, "move": _K.Event, "chance event": _K.Event, "step": _K.Event,
    "requirement": _K.Boolean, "label": _K.Key, "property": _K.Property, "reading": _K.Enum,
    "option": _K.EnumMember, "variant": _K.Namespace, "example": _K.Method,
}  # fmt: skip
"""How editors show each kind."""
TOKENS: dict[str, str] = {
    "game": "namespace", "source": "namespace", "clause": "label", "term": "label",
    "assumption": "label", "type": "type", "value": "enumMember", "case": "enumMember",
    "field": "property", "phase": "enumMember", "table": "variable", "constant": "variable",
    "state variable": "variable", "function": "function", "rule": "function",
    "effect": "function", "move": "event", "chance event": "event", "step": "event",
    "requirement": "label", "label": "label", "property": "property", "reading": "enum",
    "option": "enumMember", "variant": "namespace", "example": "method", "square": "enumMember",
    "parameter": "parameter", "name": "variable", "seat": "parameter",
}  # fmt: skip
TOKEN_TYPES = sorted(set(TOKENS.values()))
TOKEN_MODIFIERS = ["declaration", "readonly"]
READONLY = ("constant", "table", "value", "case", "option", "phase", "square")


def symbols(document: Document) -> list[lsp.DocumentSymbol]:
    """What is declared, with its parts below it."""
    index = document.full().index
    found = index.of_kind(*SYMBOLS)
    tops: dict[str, lsp.DocumentSymbol] = {}
    made: list[lsp.DocumentSymbol] = []
    for each in found:
        if each.container is None:
            symbol = _symbol(document, each)
            made.append(symbol)
            if each.key[0] not in ("clause", "phase", "state variable", "property"):
                tops.setdefault(each.name, symbol)
    for each in found:
        if each.container is not None:
            parent = tops.get(each.container)
            inside = parent is not None and _within(document, each, parent)
            if parent is not None and inside:
                parent.children = [*(parent.children or ()), _symbol(document, each)]
            else:
                made.append(_symbol(document, each))
    return sorted(made, key=lambda each: (each.range.start.line, each.range.start.character))


def _within(document: Document, each: Definition, parent: lsp.DocumentSymbol) -> bool:
    place = document.range(each.whole)
    return parent.range.start <= place.start and place.end <= parent.range.end


def _symbol(document: Document, each: Definition) -> lsp.DocumentSymbol:
    kind = each.key[0]
    whole, name = document.range(each.whole), document.range(each.span)
    if not (whole.start <= name.start and name.end <= whole.end):
        whole = name
    return lsp.DocumentSymbol(each.name, SYMBOLS[kind], whole, name, kind)


def folding(document: Document) -> list[lsp.FoldingRange]:
    """Declarations of several lines, and the indented blocks in them."""
    lines = document.content.split("\n")
    found: list[lsp.FoldingRange] = []
    waiting: list[tuple[int, int]] = []
    last = 0
    for number, line in enumerate(lines):
        if not line.strip() or line.lstrip(" ").startswith("#"):
            continue
        indent = len(line) - len(line.lstrip(" "))
        while waiting and waiting[-1][0] >= indent:
            _, start = waiting.pop()
            if last > start:
                found.append(lsp.FoldingRange(start, last))
        waiting.append((indent, number))
        last = number
    found += [lsp.FoldingRange(start, last) for _, start in waiting if last > start]
    return sorted(found, key=lambda each: each.start_line)


def semantic_tokens(document: Document, within: lsp.Range | None = None) -> lsp.SemanticTokens:
    """What every name is, for colours; only those within a range, if there is one."""
    analysis = document.full()
    index = analysis.index
    defined = {each.span for places in index.definitions.values() for each in places}
    placed: list[tuple[int, int, int, int, int]] = []
    for each in index.places:
        kind = TOKENS.get(each.key[0])
        if kind is None:
            continue
        place = document.range(each.span)
        if within is not None and not (within.start <= place.start and place.end <= within.end):
            continue
        if place.start.line != place.end.line:
            continue
        modifiers = (each.span in defined) | (each.key[0] in READONLY) << 1
        placed.append(
            (
                place.start.line,
                place.start.character,
                place.end.character - place.start.character,
                TOKEN_TYPES.index(kind),
                modifiers,
            )
        )
    data: list[int] = []
    line = character = end = 0
    for at_line, at, length, token, modifiers in sorted(placed):
        if at_line == line and at < end:
            continue  # a path and a name in it: the first is enough
        data += [at_line - line, at - character if at_line == line else at, length]
        data += [token, modifiers]
        line, character, end = at_line, at, at + length
    return lsp.SemanticTokens(data)
