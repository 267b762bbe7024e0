"""Text to tree: runs the LALR(1) tables over one declaration after another.

Declarations begin in the first column, so a mistake in one never hides the next: each is parsed
on its own and all mistakes of a file come out in one pass. What is wrong is put into words by
`explain`; the reductions are turned into tree nodes by `tree_builder`.
"""

from __future__ import annotations

import re

from rulewright.diagnostics import Messages, Suggestion, TooManyError
from rulewright.syntax.node import Span
from rulewright.syntax.parsing.character_check import indenting_tab, refuse_hidden
from rulewright.syntax.parsing.lexer import Lexer, LexError, Token
from rulewright.syntax.parsing.parse_tables import Tables, load_tables
from rulewright.syntax.parsing.syntax_errors import explain
from rulewright.syntax.parsing.tree_builder import ACTIONS
from rulewright.syntax.tree import Declaration, Spec
from rulewright.system.limits import most

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEEPEST = most("nesting")
"""How many unfinished pieces may stand inside each other; whoever walks the tree recurses."""

_HEAD = re.compile(r"^[^ \t#\n]", re.MULTILINE)
_CONTENT = re.compile(r"^[ \t]*[^ \t#\n]", re.MULTILINE)


def parse(text: str, messages: Messages, tables: Tables | None = None) -> Spec:
    """The tree of a file; declarations that cannot be read are reported and left out."""
    refuse_hidden(text, messages)
    tables = tables or load_tables()
    declarations: list[Declaration] = []
    try:
        first_column(text, messages)
        for start, end in chunks(text):
            declaration = read_declaration(text, start, end, messages, tables)
            if declaration is not None:
                declarations.append(declaration)
    except TooManyError:  # the rest is not looked at, and the messages say so
        pass
    return Spec(Span(0, len(text)), tuple(declarations))


def chunks(text: str) -> list[tuple[int, int]]:
    """Where each declaration begins and ends."""
    starts = [match.start() for match in _HEAD.finditer(text)]
    return list(zip(starts, [*starts[1:], len(text)]))


def first_column(text: str, messages: Messages, start: int = 0, end: int | None = None) -> None:
    """Reports a text whose first declaration is indented."""
    first = _CONTENT.search(text, start, len(text) if end is None else end)
    if first and first.end() - 1 > first.start():
        messages.error(
            "RW003",
            Span(first.start(), first.end() - 1),
            "the first line is indented",
            Suggestion("declarations begin in the first column", ""),
        )


def read_declaration(
    text: str, start: int, end: int, messages: Messages, tables: Tables
) -> Declaration | None:
    """One declaration; one that cannot be read is reported, and what it may declare is noted."""
    tab = indenting_tab(text, start, end)
    if tab is None:
        found = parse_declaration(text, start, end, messages, tables)
    else:
        found = None
        spaces = text[tab.start : tab.end].replace("\t", "    ")
        messages.error(
            "RW002", Span(tab.end - 1, tab.end), "a tab cannot indent a line",
            "use spaces: four for each level", (tab, spaces),
        )  # fmt: skip
    if found is None:
        messages.unreadable(text[start:end])
    return found


def parse_declaration(
    text: str, start: int, end: int, messages: Messages, tables: Tables
) -> Declaration | None:
    """One declaration, or None when it was reported as unreadable."""
    states = [tables.start]
    lexer = Lexer(text, start, end, tables, states, messages)
    actions, productions, settled = tables.actions, tables.productions, tables.settled
    state = tables.start
    values: list[Any] = []
    places: list[Token | Span] = []
    before = None
    made = tuple.__new__
    try:
        next_token = lexer.next
        accepted = actions[state]
        token = next_token(accepted)
        kind = token.type
        while True:
            action = accepted.get(kind)
            if action is None:
                if state == tables.end and kind == "$END":
                    return values[-1]  # type: ignore[no-any-return]
                explain(token, before, states, lexer, tables, messages)
                return None
            if action >= 0:
                state = action
                states.append(state)
                values.append(token)
                places.append(token)
                before = token
                accepted = actions[state]
                token = next_token(accepted)
                kind = token.type
                continue
            if len(states) > DEEPEST:
                _too_deep(token, messages)
                return None
            production = productions[~action]
            length = production.length
            if length == 1:
                place = places.pop()
                span = made(Span, (place.start, place.end))
                children = [values.pop()]
                states.pop()
            elif length:
                span = made(Span, (places[-length].start, places[-1].end))
                children = values[-length:]
                del states[-length:], values[-length:], places[-length:]
            else:
                span = Span(token.start, token.start)
                children = []
            if not production.whole:
                children = production.children(children)
            if production.inline:
                values.append(children)
            elif production.collapse and len(children) == 1:
                values.append(children[0])
            else:
                values.append(ACTIONS[production.name](span, children))
            places.append(span)
            key = (states[-1], production.origin, kind)
            state = settled.get(key) or tables.settle(key)
            states.append(state)
            accepted = actions[state]
    except LexError:
        return None


def _too_deep(token: Token, messages: Messages) -> None:
    messages.error(
        "RW012", token.span, "this is nested too deeply",
        "name its parts: with `let`, or as functions of their own",
    )  # fmt: skip
