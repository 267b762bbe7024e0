"""What a reader wants to know of a name: what it is, its type, its prose, and its clauses."""

from __future__ import annotations

from lsprotocol import types as lsp

from rulewright.lsp.answers.navigation import named_at
from rulewright.lsp.text.document import Document
from rulewright.meaning import types as y
from rulewright.meaning.checks.clause_evidence import citations
from rulewright.meaning.names.references import Definition
from rulewright.meaning.typing.builtins import TAKES
from rulewright.site.words.markdown import fenced
from rulewright.syntax import tree as t

MOST_LINES = 8
"""Lines of a declaration that are shown."""
BUILT_IN_VALUES = {
    "players": "how many players there are",
    "phase": "the phase of the game",
    "answered": "who has acted in a simultaneous phase",
    "none": "no value, of an optional type",
}


def hover(document: Document, position: lsp.Position) -> lsp.Hover | None:
    """What is known of what stands at a position."""
    found = named_at(document, position)
    if found is None:
        return _built_in(document, position)
    index = document.full().index
    place = index.definition(found.key)
    parts = [] if place is None else _declared(document, place)
    kind = index.type_at(found.span) or index.type_of(found.key)
    if kind is not None:
        parts.insert(1, f"type `{y.show(kind)}`")
    if not parts:
        return None
    return lsp.Hover(_markdown("\n\n".join(parts)), document.range(found.span))


def _declared(document: Document, place: Definition) -> list[str]:
    """The kind of a thing, how it is declared, and what it cites."""
    kind, full = place.key
    name = place.name if kind in ("parameter", "name", "seat") else full
    parts = [f"**{kind}** `{name}`"]
    text = document.full().text.text[place.whole.start : place.whole.end]
    lines = text.rstrip().split("\n")
    more = ["..."] if len(lines) > MOST_LINES else []
    parts.append("\n".join(fenced("rules", [*lines[:MOST_LINES], *more])))
    node = _node_at(document, place)
    if isinstance(node, t.Clause):
        parts += _clause(document, node)
    for cite in getattr(node, "cites", ()):
        clause = _clause_named(document, cite.text)
        if clause is not None:
            parts.append(f"> {_plain(clause.prose.text)}\n>\n> `{cite.text}`, {_places(clause)}")
    return parts


def _clause(document: Document, clause: t.Clause) -> list[str]:
    """The text of a clause, and who speaks for it."""
    parts = [f"> {_plain(clause.prose.text)}", f"{clause.kind.text} clause, {_places(clause)}"]
    spec = document.full().spec
    found = [] if spec is None else list(citations(spec))
    cited = [each for each in found if each.clause == clause.name.text]
    if cited:
        said = "\n".join(f"- {each.kind} `{each.name}`" for each in dict.fromkeys(cited))
        parts.append(f"evidence:\n\n{said}")
    else:
        parts.append("nothing cites it")
    return parts


def _places(clause: t.Clause) -> str:
    places = [f"{each.source.text}:{'.'.join(map(str, each.numbers))}" for each in clause.places]
    return ", ".join(places) or "no place in a source"


def _clause_named(document: Document, name: str) -> t.Clause | None:
    for each in document.full().syntax.declarations:
        if isinstance(each, t.Clause) and each.name.text == name:
            return each
    return None


def _node_at(document: Document, place: Definition) -> t.Tree | None:
    """The node that a definition is the name of."""
    waiting: list[object] = [document.full().index.declaration_at(place.span.start)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(node)
        elif isinstance(node, t.Tree):
            if node.span == place.whole and type(node) is not t.Ident:
                return node
            waiting.extend(getattr(node, field) for field in node._fields if field != "span")
    return None


def _built_in(document: Document, position: lsp.Position) -> lsp.Hover | None:
    """What a function or value is that the language brings along."""
    analysis = document.full()
    offset = document.offset(position)
    text = analysis.text.text
    start = end = offset
    while start > 0 and _in_word(text[start - 1]):
        start -= 1
    while end < len(text) and _in_word(text[end]):
        end += 1
    word = text[start:end]
    if word in TAKES and text[end : end + 1] == "(":
        return lsp.Hover(_markdown(f"built-in function `{word}`: takes {TAKES[word]}"))
    if word in BUILT_IN_VALUES:
        return lsp.Hover(_markdown(f"built-in `{word}`: {BUILT_IN_VALUES[word]}"))
    return None


def _in_word(character: str) -> bool:
    return character == "_" or character.isalnum()


def _markdown(text: str) -> lsp.MarkupContent:
    return lsp.MarkupContent(lsp.MarkupKind.Markdown, text)


def _plain(text: str) -> str:
    """Prose of a spec as Markdown that shows just its characters."""
    return "".join(f"\\{each}" if each in "\\`*_[]<>#|!&" else each for each in text)
