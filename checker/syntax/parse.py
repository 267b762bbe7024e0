"""Text to tree: runs the LALR(1) tables over one declaration after another.

Declarations begin in the first column, so a mistake in one never hides the next: each is parsed
on its own and all mistakes of a file come out in one pass. What is wrong is put into words by
`explain`; the reductions are turned into tree nodes by `build`.
"""

from __future__ import annotations

import re
from typing import Any

from checker.message import Messages
from checker.syntax.build import ACTIONS
from checker.syntax.explain import explain
from checker.syntax.grammar import Production, Tables, load_tables
from checker.syntax.lex import Lexer, LexError, Token
from checker.syntax.node import Span
from checker.syntax.tree import Declaration, Spec

DEEPEST = 400
"""How many unfinished pieces may stand inside each other: some 80 levels of brackets."""

_HEAD = re.compile(r"^[^ #\n]", re.MULTILINE)
_CONTENT = re.compile(r"^[ ]*[^ #\n]", re.MULTILINE)


def parse(text: str, messages: Messages, tables: Tables | None = None) -> Spec:
    """The tree of a file; declarations that cannot be read are reported and left out."""
    tables = tables or load_tables()
    declarations: list[Declaration] = []
    for start, end in chunks(text, messages):
        declaration = parse_declaration(text, start, end, messages, tables)
        if declaration is not None:
            declarations.append(declaration)
    return Spec(Span(0, len(text)), tuple(declarations))


def chunks(text: str, messages: Messages) -> list[tuple[int, int]]:
    """Where each declaration begins and ends."""
    starts = [match.start() for match in _HEAD.finditer(text)]
    first = _CONTENT.search(text)
    if first and (not starts or first.start() < starts[0]):
        messages.error(
            "RW003",
            Span(first.start(), first.end() - 1),
            "the first line is indented",
            "declarations begin in the first column",
        )
    return list(zip(starts, [*starts[1:], len(text)]))


def parse_declaration(
    text: str, start: int, end: int, messages: Messages, tables: Tables
) -> Declaration | None:
    """One declaration, or None when it was reported as unreadable."""
    lexer = Lexer(text, start, end, tables.words, tables.symbols, messages)
    actions, gotos, units = tables.actions, tables.gotos, tables.units
    state = tables.start
    states = [state]
    values: list[Any] = []
    places: list[tuple[int, int]] = []
    before = None
    try:
        token = lexer.next(actions[state])
        kind = token.type
        while True:
            action = actions[state].get(kind)
            if action is None:
                if state == tables.end and kind == "$END":
                    return values[-1]  # type: ignore[no-any-return]
                explain(token, before, states, lexer, tables, messages)
                return None
            if action >= 0:
                state = action
                states.append(state)
                if len(states) > DEEPEST:
                    _too_deep(token, messages)
                    return None
                values.append(token)
                places.append((token.start, token.end))
                before = token
                token = lexer.next(actions[state])
                kind = token.type
                continue
            unit = units[~action]
            if unit is not None:
                state = states[-1] = gotos[states[-2]][unit]
                continue
            production = tables.productions[~action]
            length = production.length
            if length:
                value = _reduce(production, values[-length:], places[-length:], token)
                del states[-length:], values[-length:], places[-length:]
            else:
                value = _reduce(production, [], [], token)
            values.append(value[0])
            places.append(value[1])
            state = gotos[states[-1]][production.origin]
            states.append(state)
    except LexError:
        return None


def _reduce(
    production: Production, popped: list[Any], places: list[tuple[int, int]], token: Token
) -> tuple[Any, tuple[int, int]]:
    """What a reduction makes of the values it pops, and the text they cover."""
    children: list[Any] = []
    for position, splice, nones in production.keep:
        if nones:
            children.extend((None,) * nones)
        if splice:
            children.extend(popped[position])
        else:
            children.append(popped[position])
    if production.trailing:
        children.extend((None,) * production.trailing)
    span = _cover(places) if places else Span(token.start, token.start)
    if production.inline:
        return children, span
    if production.collapse and len(children) == 1:
        return children[0], span
    return ACTIONS[production.name](span, children), span


def _cover(places: list[tuple[int, int]]) -> Span:
    """The stretch of text from the first piece to the last that is not empty."""
    start = places[0][0]
    for begin, end in reversed(places):
        if end > begin:
            return Span(start, end)
    return Span(start, start)


def _too_deep(token: Token, messages: Messages) -> None:
    messages.error(
        "RW012", token.span, "this is nested too deeply",
        "name its parts: with `let`, or as functions of their own",
    )  # fmt: skip
