"""Unfinished text: the names bound before a place, and the call that a place is in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types as lsp

from rulewright.lsp.text.document import Document
from rulewright.meaning.typing.builtins import ARITY, TAKES
from rulewright.syntax import tree as t
from rulewright.syntax.parsing.expectations import expected
from rulewright.syntax.parsing.lexer import Token
from rulewright.syntax.parsing.parse_tables import load_tables
from rulewright.syntax.parsing.parser import chunks

QUANTIFIERS = (
    "all", "some", "count", "sum", "min", "max", "first", "largest", "smallest", "each", "for",
)  # fmt: skip

SEVERAL = {
    "step": ["a square", "a direction", "steps"],
    "neighbours": ["a square", "directions"],
    "ray": ["a square", "a direction"],
    "reach": ["from", "inside", "beside"],
    "connected": ["from", "to", "inside", "beside"],
}


def bound_before(tokens: tuple[Token, ...]) -> Iterator[tuple[str, str | None]]:
    """The names bound in the tokens of a declaration, the last first, each with the name of its
    type if it is written with one: parameters, bound names, the mover."""
    for at in range(len(tokens) - 1, -1, -1):
        token = tokens[at]
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        before = tokens[at - 1].text if at else ""
        if token.type != "NAME":
            continue
        if after == ":" and at + 2 < len(tokens) and before in ("(", ",", *QUANTIFIERS):
            yield token.text, tokens[at + 2].text
        elif (after == "in" and before in (*QUANTIFIERS, ",")) or (
            after == "=" and before in ("let", ",")
        ):
            yield token.text, None
        elif before == "by":
            yield token.text, "Player"


def local_names(tokens: tuple[Token, ...]) -> list[str]:
    """The names bound before a place in its declaration."""
    return list(dict.fromkeys(name for name, _ in bound_before(tokens)))


def signature_help(document: Document, position: lsp.Position) -> lsp.SignatureHelp | None:
    """What the call around a position takes, and which of it stands here."""
    content = document.content
    at = document.positions.offset(position)
    declared = max((begin for begin, _ in chunks(content) if begin <= at), default=0)
    found = expected(content[declared:at], load_tables())
    tokens = found.tokens if found is not None else _words(content[declared:at])
    depth = commas = 0
    given: str | None = None
    for place in range(len(tokens) - 1, 0, -1):
        text = tokens[place].text
        if text in (")", "]", "}"):
            depth += 1
        elif text in ("(", "[", "{"):
            if depth == 0 and text == "(" and tokens[place - 1].type == "NAME":
                return _signature(document, tokens[place - 1].text, commas, given)
            if depth == 0:
                return None
            depth -= 1
        elif text == "," and depth == 0:
            commas += 1
        elif text == "=" and depth == 0 and commas == 0 and given is None:
            given = tokens[place - 1].text
    return None


def _signature(
    document: Document, name: str, at: int, given: str | None
) -> lsp.SignatureHelp | None:
    params = _params(document, name)
    if params is None:
        return None
    names = [each.partition(":")[0].partition("[")[0].strip() for each in params]
    active = names.index(given) if given in names else at
    shown = lsp.SignatureInformation(
        f"{name}({', '.join(params)})",
        parameters=[lsp.ParameterInformation(each) for each in params],
        active_parameter=active,
    )
    return lsp.SignatureHelp([shown], 0, active)


def _params(document: Document, name: str) -> list[str] | None:
    """The parameters of what has them, as they are written."""
    analysis = document.full()
    for each in analysis.syntax.declarations:
        if isinstance(each, t.Fun | t.Rule | t.Effect | t.Move | t.Chance) and (
            each.name.text == name
        ):
            written = (analysis.text.text[p.span.start : p.span.end] for p in each.params)
            return [" ".join(part.split()) for part in written]
        if isinstance(each, t.TypeDef) and isinstance(each.body, t.CasesType):
            for case in each.body.cases:
                if case.fields and case.name.text == name:
                    return [analysis.text.text[f.span.start : f.span.end] for f in case.fields]
        if isinstance(each, t.TypeDef) and each.name.text == name:
            return ["column", "row"] if isinstance(each.body, t.GridType) else None
    return [TAKES[name]] if ARITY.get(name) == (1, 1) else _several(name)


def _several(name: str) -> list[str] | None:
    """The parameters of a built-in function that takes more than one."""
    if name not in TAKES:
        return None
    return SEVERAL.get(name, ["a number", "a number"])


def _words(text: str) -> tuple[Token, ...]:
    """Tokens of what cannot be parsed: names and brackets, roughly."""
    found = re.finditer(r"[^\W\d]\w*|[][(){},=]", text)
    return tuple(
        Token("NAME" if each[0][0].isidentifier() else each[0], each[0], *each.span())
        for each in found
    )
