"""Tokens of a `.rules` file, cut by pattern and by layout, one at a time.

What a piece of text is can depend on where the parser stands: a word is a keyword only where
one is expected, and a table's cells are any text without spaces. So the parser passes in what
it can accept, and the lexer answers with the next token.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import NoReturn

from checker.message import Messages
from checker.syntax.node import Span

OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {close: open_ for open_, close in OPENING.items()}

_PIECE = re.compile(
    r"""(?P<space>[ ]+|\\\n)
      | (?P<line>(?:\n[ ]*(?:\#[^\n]*)?)*\n)
      | (?P<comment>\#[^\n]*)
      | (?P<NAME>[^\W\d]\w*)
      | (?P<INT>[0-9]+)
      | (?P<STRING>"[^"\n]*")
      | (?P<symbol>\.\.|[=!<>]=|\+=|-=|[][(){}.,:?=<>+&*/%|-])""",
    re.VERBOSE,
)
_CELL = re.compile(r"[^\s#]+")
_BINDER_FOLLOWS = re.compile(r"\s+[^\W\d]\w*\s*(?:[:,]|in\b)")
"""After `all`, `sum`, `max`...: only then is the word a quantifier, and not a name."""

_FOREIGN = {
    "&&": "use `and`",
    "||": "use `or`",
    "!": "use `not`",
    "=>": "use `implies`",
    "->": "use `implies`",
    "≤": "use `<=`",
    "≥": "use `>=`",
    "≠": "use `!=`",
    "×": "use `*`",
    "“": 'use straight quotes `"`',
    "”": 'use straight quotes `"`',
    "‘": 'use straight quotes `"`',
    "'": 'prose stands in double quotes `"`',
    ";": "end the line instead: one thing stands on each line",
    "@": "comments begin with `#`",
}


class Token:
    """A terminal's name, its text and where it stands."""

    __slots__ = ("end", "start", "text", "type")

    def __init__(self, type: str, text: str, start: int, end: int) -> None:
        self.type = type
        self.text = text
        self.start = start
        self.end = end

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


class LexError(Exception):
    """Text that is no token; already reported."""


class Lexer:
    """Cuts one declaration, the text from `start` up to `end`, into tokens."""

    def __init__(
        self,
        text: str,
        start: int,
        end: int,
        words: dict[str, str],
        symbols: dict[str, str],
        messages: Messages,
    ) -> None:
        self.text = text
        self.position = start
        self.end = end
        self.words = words
        self.symbols = symbols
        self.messages = messages
        self.indents = [0]
        self.brackets: list[Token] = []
        self.pending: list[Token] = []
        self.finished = False

    def next(self, accepted: Container[str]) -> Token:
        """The next token, given the terminals the parser can take here."""
        if self.pending:
            return self.pending.pop()
        text, words = self.text, self.words
        while True:
            if "CELL" in accepted:
                cell = _CELL.match(text, self.position, self.end)
                if cell:
                    self.position = cell.end()
                    kind = words.get(cell.group(), "CELL")
                    kind = kind if kind in accepted else "CELL"
                    return Token(kind, cell.group(), cell.start(), cell.end())
            piece = _PIECE.match(text, self.position, self.end)
            if piece is None:
                if self.position >= self.end:
                    return self._finish()
                self._foreign()
            kind, start, end = piece.lastgroup or "", piece.start(), piece.end()
            self.position = end
            if kind == "space" or kind == "comment":
                continue
            if kind == "line":
                token = self._line(start, accepted)
                if token is None:
                    continue
                return token
            word = piece.group()
            if kind == "NAME":
                keyword = words.get(word)
                if keyword is not None and (keyword in accepted or "NAME" not in accepted):
                    kind = keyword
                    if kind == "QUANTIFIER" and not _BINDER_FOLLOWS.match(text, end):
                        kind = "NAME"
            elif kind == "symbol":
                kind = self._symbol(word, start, end)
            return Token(kind, word, start, end)

    def _symbol(self, word: str, start: int, end: int) -> str:
        """The terminal of a sign; keeps count of brackets."""
        kind = self.symbols.get(word)
        if kind is None or self.text[start : start + 2] in _FOREIGN:
            self._foreign(start)
        if word in OPENING:
            self.brackets.append(Token(kind, word, start, end))
        elif word in CLOSING:
            if not self.brackets or OPENING[self.brackets[-1].text] != word:
                self._unbalanced(word, start)
            self.brackets.pop()
        return kind

    def _unbalanced(self, word: str, start: int) -> NoReturn:
        if self.brackets:
            opened = self.brackets[-1]
            line, _ = self.messages.text.place(opened.start)
            hint = f"`{opened.text}` of line {line} is closed by `{OPENING[opened.text]}`"
        else:
            hint = f"remove it, or open it with `{CLOSING[word]}` before"
        self.messages.error("RW006", Span(start, start + 1), f"`{word}` closes nothing", hint)
        raise LexError

    def _line(self, start: int, accepted: Container[str]) -> Token | None:
        """What the end of a line means: nothing inside brackets or before a line that continues
        this one, a block, or the end of a line and of the blocks that end with it."""
        here = self.position
        if here >= self.end:
            self.position = self.end
            return self._finish()
        if self.brackets:
            return None
        while here < self.end and self.text[here] == " ":
            here += 1
        if here >= self.end:
            self.position = self.end
            return self._finish()
        if self.text[here] == "#":
            return None
        indent = here - self.position
        if "CELL" in accepted and len(self.indents) > 1 and indent > self.indents[-2]:
            return Token("_NL", "", start, start)
        if indent > self.indents[-1]:
            if "_BLOCK" not in accepted:
                return None
            self.indents.append(indent)
            return Token("_BLOCK", "", start, start)
        token = Token("_NL", "", start, start)
        while indent < self.indents[-1]:
            self.indents.pop()
            self.pending.append(Token("_END", "", here, here))
        if indent != self.indents[-1]:
            self.messages.error(
                "RW003",
                Span(here - indent, here),
                "this line is indented by an amount that fits no line above it",
                f"indent it by {self.indents[-1]} spaces, or as far as the line it belongs to",
            )
            raise LexError
        return token

    def _finish(self) -> Token:
        """The end of the declaration: closes its line and its blocks, once; then only $END."""
        if self.brackets:
            opened = self.brackets[-1]
            self.messages.error(
                "RW006",
                opened.span,
                f"`{opened.text}` is never closed",
                f"close it with `{OPENING[opened.text]}`",
            )
            raise LexError
        if self.finished:
            return Token("$END", "", self.end, self.end)
        self.finished = True
        at = len(self.text[: self.end].rstrip())
        self.pending.extend(Token("_END", "", at, at) for _ in self.indents[1:])
        return Token("_NL", "", at, at)

    def _foreign(self, at: int | None = None) -> NoReturn:
        """Reports text that no token begins with."""
        start = self.position if at is None else at
        text = self.text
        if text[start] == '"':
            end = text.find("\n", start)
            end = self.end if end < 0 else end
            self.messages.error(
                "RW005", Span(start, end), "this text has no closing quote", 'end it with `"`'
            )
            raise LexError
        foreign = next((sign for sign in _FOREIGN if text.startswith(sign, start)), text[start])
        self.messages.error(
            "RW004",
            Span(start, start + len(foreign)),
            f"`{foreign}` is not a sign of the language"
            if foreign.isprintable()
            else f"the character U+{ord(foreign):04X} cannot stand here",
            _FOREIGN.get(foreign, "remove it"),
        )
        raise LexError
