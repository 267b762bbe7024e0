"""What the grammar can take at a place in a declaration, however unfinished it is.

Runs the parser over what stands before the place, without building anything, and looks at the state
it has come to. Editors ask this for what to complete.
"""

from __future__ import annotations

from rulewright.diagnostics import Messages, Text
from rulewright.syntax.node import Node
from rulewright.syntax.parsing.lexer import Lexer, LexError, Token
from rulewright.syntax.parsing.parse_tables import Tables

PLACEHOLDER = "x"
"""Stands for the word at the place, whatever it will be."""


class Expectation(Node):
    """What can stand at a place: keywords, and the rules of the grammar that can begin there with a
    name. `tokens` are those before it."""

    keywords: tuple[str, ...]
    rules: frozenset[str]
    name: bool
    tokens: tuple[Token, ...]


def expected(before: str, tables: Tables) -> Expectation | None:
    """What can follow the beginning of a declaration; None where that cannot be read."""
    text = before + PLACEHOLDER
    states = [tables.start]
    lexer = Lexer(text, 0, len(text), tables, states, Messages(Text("", text)))
    tokens: list[Token] = []
    try:
        token = lexer.next(tables.actions[tables.start])
        while token.start < len(before):
            if not _shift(states, token.type, tables):
                return None
            tokens.append(token)
            token = lexer.next(tables.actions[states[-1]])
    except LexError:
        return None
    keywords = [word for word, kind in tables.words.items() if tables.accepts(states, kind)]
    name = tables.accepts(states, "NAME")
    rules: frozenset[str] = frozenset()
    if name:
        _reduce(states, "NAME", tables)
        rules = frozenset(tables.gotos[states[-1]])
    return Expectation(tuple(keywords), rules, name, tuple(tokens))


def _shift(states: list[int], terminal: str, tables: Tables) -> bool:
    """Takes a terminal; False if it does not fit."""
    if not tables.accepts(states, terminal):
        return False
    _reduce(states, terminal, tables)
    states.append(tables.actions[states[-1]][terminal])
    return True


def _reduce(states: list[int], terminal: str, tables: Tables) -> None:
    """Does the reductions that a terminal causes, up to where it is taken."""
    while (action := tables.actions[states[-1]][terminal]) < 0:
        production = tables.productions[~action]
        if production.length:
            del states[-production.length :]
        states.append(tables.gotos[states[-1]][production.origin])
