"""What can be written at a place: keywords by the grammar, names by what the place asks for.

The grammar says which of its rules can begin here (`syntax.parsing.expectations`); each rule takes
names of certain kinds. Where only a name can stand, the word before it decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types as lsp

from rulewright.lsp.answers.call_context import bound_before, local_names
from rulewright.lsp.answers.outline import SYMBOLS
from rulewright.lsp.text.document import Document
from rulewright.lsp.text.name_index import NameIndex
from rulewright.meaning import types as y
from rulewright.meaning.elaborate import CLAUSE_KINDS, CONFIDENCES, FINDINGS, PHASE_MARKS
from rulewright.meaning.names.symbol_table import (
    BUILTIN_FUNCTIONS,
    BUILTIN_TYPES,
    BUILTIN_VALUES,
    DIRECTION_TYPES,
    OBLIGATIONS,
    WITH_REQUIREMENTS,
)
from rulewright.meaning.names.views import COLOURS, SHAPES
from rulewright.syntax.parsing.expectations import Expectation, expected
from rulewright.syntax.parsing.lexer import Token
from rulewright.syntax.parsing.parse_tables import load_tables
from rulewright.syntax.parsing.parser import chunks

VALUES = ("state variable", "constant", "table", "value", "case", "phase", "reading", "option")
"""Kinds of what stands in an expression by its name."""
BY_RULE: dict[str, tuple[str, ...]] = {
    "atom": (*VALUES, "function"),
    "type": ("type",),
    "phase_names": ("phase",),
    "include": ("rule",),
    "perform": ("effect",),
    "target": ("state variable",),
    "place": ("source",),
    "case": ("type",),
}
"""Kinds of names by the rule of the grammar that can begin at a place."""
BY_WORD: dict[str, tuple[str, ...]] = {
    "plays": ("move",),
    "cannot": ("move", "chance event"),
    "chance": ("chance event",),
    "reading": ("reading",),
    "under": ("reading",),
    "variant": ("variant",),
    "at": ("phase",),
    "because": ("requirement",),
    "replace": ("requirement",),
    "drop": ("requirement", "property"),
    "add": WITH_REQUIREMENTS,
    "view": ("state variable", "table"),
}
"""Kinds of names by the keyword before a place where a name or a path stands."""
_KINDS: dict[str, lsp.CompletionItemKind] = {
    kind: getattr(lsp.CompletionItemKind, symbol.name, lsp.CompletionItemKind.Text)
    for kind, symbol in SYMBOLS.items()
}


def completion(document: Document, position: lsp.Position) -> lsp.CompletionList:
    """Everything that can be written at a position, what fits best first."""
    content = document.content
    at = document.positions.offset(position)
    start = at
    while start and (content[start - 1] == "_" or content[start - 1].isalnum()):
        start -= 1
    declared = max((begin for begin, _ in chunks(content) if begin <= start), default=start)
    if content[declared:start].strip() == "" and "\n" not in content[declared:start]:
        declared = start
    found = expected(content[declared:start], load_tables())
    index = document.full().index
    if found is None:
        offered = _Offer(_anything(index))
    else:
        path_start = _path_start(content, start, found)
        if path_start < start:
            start = path_start
            found = expected(content[declared:start], load_tables()) or found
        offered = _Offer(_names(document, index, found))
        offered.add((word, "keyword") for word in found.keywords)
    replaced = document.positions.range(start, at)
    return lsp.CompletionList(
        is_incomplete=False,
        items=[_item(text, kind, order, replaced) for (text, kind), order in offered.all.items()],
    )


class _Offer:
    """Words to offer, each with its kind and how well it fits (0 is best)."""

    def __init__(self, words: Iterable[tuple[str, str] | tuple[str, str, int]]) -> None:
        self.all: dict[tuple[str, str], int] = {}
        self.add(words)

    def add(self, words: Iterable[tuple[str, str] | tuple[str, str, int]]) -> None:
        for text, kind, *order in words:
            fits = order[0] if order else 5
            self.all[text, kind] = min(fits, self.all.get((text, kind), fits))


def _item(text: str, kind: str, order: int, replaced: lsp.Range) -> lsp.CompletionItem:
    shown = lsp.CompletionItemKind.Keyword if kind == "keyword" else _KINDS.get(kind)
    return lsp.CompletionItem(
        label=text,
        kind=shown or lsp.CompletionItemKind.Variable,
        detail=kind,
        sort_text=f"{order}{text}",
        text_edit=lsp.TextEdit(replaced, text),
    )


def _path_start(content: str, start: int, found: Expectation) -> int:
    """Where a dotted name begins that goes on here; a field after a dot is a name of its own."""
    begin = start
    while begin and (content[begin - 1] in "._" or content[begin - 1].isalnum()):
        begin -= 1
    if begin == start or not found.tokens or found.tokens[-1].text != ".":
        return start
    tables = load_tables()
    text = content[begin:start]
    before = content[:begin]
    declared = max((at for at, _ in chunks(content) if at <= begin), default=begin)
    earlier = expected(before[declared:], tables)
    return begin if text and earlier is not None and "path" in earlier.rules else start


def _names(
    document: Document, index: NameIndex, found: Expectation
) -> Iterator[tuple[str, str] | tuple[str, str, int]]:
    """The names that fit where the grammar takes one."""
    if not found.name:
        return
    tokens = found.tokens
    last = tokens[-1] if tokens else None
    word = _keyword_before(tokens)
    if "path" in found.rules:
        yield from _paths(index, tokens, word)
        return
    if last is not None and last.text == "." and not found.rules:
        yield from _fields(document, index, tokens)
        return
    for rule, kinds in BY_RULE.items():
        if rule in found.rules:
            yield from _of_kinds(index, kinds)
    if "type" in found.rules:
        yield from ((name, "type") for name in (*BUILTIN_TYPES, *DIRECTION_TYPES))
    if "seat" in found.rules:
        yield from ((name, "seat") for name in _seats(tokens))
    if "atom" in found.rules or "target" in found.rules:
        yield from ((name, "name", 2) for name in local_names(tokens))
        yield from ((name, "name", 2) for name in _seats(tokens))
    if "atom" in found.rules:
        yield from ((name, "function", 6) for name in BUILTIN_FUNCTIONS)
        yield from ((name, "value", 6) for name in BUILTIN_VALUES)
        yield from _members_expected(document, index, tokens)
    if found.rules or last is None:
        return
    yield from _bare(index, tokens, word)


def _bare(
    index: NameIndex, tokens: tuple[Token, ...], word: str
) -> Iterator[tuple[str, str]]:  # fmt: skip
    """Names where the grammar wants just a name: what the words before it ask for."""
    first, last = tokens[0].text, tokens[-1]
    if last.text == "=" and len(tokens) > 1 and word in ("reading", "under"):
        reading = tokens[-2].text
        for each in index.of_kind("option"):
            if each.container == reading:
                yield each.name, "option"
    elif last.text in BY_WORD:
        yield from _of_kinds(index, BY_WORD[last.text])
    elif first == "clause" and last.type == "NAME":
        yield from ((kind, "kind of clause") for kind in CLAUSE_KINDS)
    elif first == "assumption" and len(tokens) == 2:
        yield from ((kind, "confidence") for kind in CONFIDENCES)
    elif first == "accept" and len(tokens) == 1:
        yield from ((kind, "finding") for kind in FINDINGS)
    elif first == "phase" and last.type == "NAME":
        yield from ((kind, "mark of a phase") for kind in PHASE_MARKS)
    elif last.text == "each":
        yield "Player", "type"
    elif first == "view" and last.text == "as":
        yield from ((shape, "shape") for shape in SHAPES)
    elif first == "view":
        yield from ((colour, "colour") for colour in COLOURS)


def _keyword_before(tokens: tuple[Token, ...]) -> str:
    """The last keyword before a place."""
    kinds = set(BY_WORD) | {"accept", "clause", "needs", "when"}
    return next((each.text for each in reversed(tokens) if each.text in kinds), "")


def _of_kinds(index: NameIndex, kinds: Iterable[str]) -> Iterator[tuple[str, str]]:
    for each in index.of_kind(*kinds):
        kind, full = each.key
        if kind == "requirement":
            yield full, kind
        else:
            yield each.name, kind


def _paths(
    index: NameIndex, tokens: tuple[Token, ...], word: str
) -> Iterator[tuple[str, str] | tuple[str, str, int]]:
    """Dotted names: clauses in brackets, labels after `because`, what an acceptance is about."""
    first, last = tokens[0].text, tokens[-1].text
    opened = [each.text for each in tokens if each.text in "[]"]
    if (opened and opened[-1] == "[") or (first == "section" and last != first):
        yield from _of_kinds(index, ("clause",))
    elif first == "accept":
        yield from _of_kinds(index, ("property", "move", "function", "constant", "requirement"))
        yield from ((name, "property") for name in OBLIGATIONS)
    elif word == "because":
        played = _played(tokens)
        for each in index.of_kind("requirement"):
            mine = each.container == played or _asks_for(index, played, each.container)
            yield each.key[1], "requirement", 1 if mine else 5
    elif last in BY_WORD:
        yield from _of_kinds(index, BY_WORD[last])


def _played(tokens: tuple[Token, ...]) -> str | None:
    """The move that a refusal is about."""
    for at in range(len(tokens) - 1, 0, -1):
        if tokens[at - 1].text == "cannot":
            return tokens[at].text
    return None


def _asks_for(index: NameIndex, move: str | None, rule: str | None) -> bool:
    """Whether a move includes a rule."""
    place = index.definition(("move", move or ""))
    return place is not None and any(
        place.whole.start <= span.start < place.whole.end
        for span in index.spans(("rule", rule or ""))
    )


def _seats(tokens: tuple[Token, ...]) -> list[str]:
    """The names of the players of an example, from its `players` line."""
    found: list[str] = []
    for at, token in enumerate(tokens):
        if token.text == "players" and tokens[0].text == "example":
            for each in tokens[at + 1 :]:
                if each.type == "NAME":
                    found.append(each.text)
                elif each.text != ",":
                    break
    return found


def _fields(
    document: Document, index: NameIndex, tokens: tuple[Token, ...]
) -> Iterator[tuple[str, str]]:
    """The fields of what stands before a dot; all fields where its type is not known."""
    owner = _type_of_token(document, index, tokens, len(tokens) - 2)
    for each in index.of_kind("field"):
        if owner is None or each.container == owner:
            yield each.name, "field"


def _members_expected(
    document: Document, index: NameIndex, tokens: tuple[Token, ...]
) -> Iterator[tuple[str, str, int]]:
    """The values of the type that is compared with, assigned to, or asked for by a parameter."""
    if not tokens or tokens[-1].text not in ("==", "!=", "=", "in"):
        return
    owner = _type_of_token(document, index, tokens, len(tokens) - 2)
    for each in index.of_kind("value", "case", "phase"):
        kind = each.container if each.key[0] != "phase" else "phase"
        if owner is not None and kind == owner:
            yield each.name, each.key[0], 0


def _type_of_token(
    document: Document, index: NameIndex, tokens: tuple[Token, ...], at: int
) -> str | None:
    """The name of the type of what ends with a token: a name, a lookup, a field."""
    depth = 0
    looked = 0
    while at >= 0 and (depth or tokens[at].text in "])"):
        depth += (tokens[at].text in ")]") - (tokens[at].text in "([")
        looked += tokens[at].text == "["
        at -= 1
    if at < 0 or tokens[at].type != "NAME":
        return None
    name = tokens[at].text
    if at >= 2 and tokens[at - 1].text == ".":
        for each in index.of_kind("field"):
            if each.name == name:
                return _field_type(document, each.whole.start, each.whole.end)
    for binder in bound_before(tokens[:at]):
        if binder[0] == name:
            return binder[1]
    if name == "phase":
        return "phase"
    for kind in ("state variable", "constant", "table", "function"):
        known = index.type_of((kind, name))
        while isinstance(known, y.Map) and looked:
            known, looked = known.value, looked - 1
        if isinstance(known, y.Option):
            known = known.inner
        if isinstance(known, y.Enum):
            return known.name
    for each in index.of_kind("parameter"):
        if each.name == name:
            known = index.type_of(each.key)
            if isinstance(known, y.Enum):
                return known.name
    return None


def _field_type(document: Document, start: int, end: int) -> str:
    return document.full().text.text[start:end].partition(":")[2].strip().rstrip("?")


def _anything(index: NameIndex) -> Iterator[tuple[str, str]]:
    """All names there are, where it cannot be told what fits."""
    for each in index.of_kind(*SYMBOLS):
        yield each.name, each.key[0]
    yield from ((word, "keyword") for word in load_tables().words)
