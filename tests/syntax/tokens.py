"""The tokens the parser reads in a text, each with what it could have accepted in its place."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple
from unittest.mock import patch

from rulewright.diagnostics import Messages, Text
from rulewright.syntax.parsing import parser as parsing
from rulewright.syntax.parsing.lexer import Lexer, Token
from rulewright.syntax.parsing.parse_tables import Tables


class Read(NamedTuple):
    """A token and the terminals that were accepted where it stands."""

    token: Token
    accepted: Container[str]


def read_tokens(text: str, tables: Tables) -> list[list[Read]]:
    """The tokens of each declaration of a readable text."""
    declarations: list[list[Read]] = []

    class Recorder(Lexer):
        def __init__(self, *values, **named) -> None:
            super().__init__(*values, **named)
            self.read: list[Read] = []
            declarations.append(self.read)

        def next(self, accepted: Container[str], *more, **named) -> Token:
            token = super().next(accepted, *more, **named)
            self.read.append(Read(token, accepted))
            return token

    messages = Messages(Text("tokens", text))
    with patch.object(parsing, "Lexer", Recorder):
        parsing.parse(text, messages, tables)
    assert not messages.all, messages.all[0].message
    return declarations
