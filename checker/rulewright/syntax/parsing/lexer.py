"""Tokens of a `.rules` file, cut by pattern and by layout, one at a time.

What a piece of text is can depend on where the parser stands: a word is a keyword only where
one is expected, and a table's cells are any text without spaces. So the parser passes in what
it can accept, and the lexer answers with the next token.
"""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Container

from rulewright.diagnostics import Messages, Suggestion
from rulewright.syntax.node import Span
from rulewright.syntax.parsing.parse_tables import Tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

LONGEST_NUMBER = 15
"""Digits."""
OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {close: open_ for open_, close in OPENING.items()}

_PIECE = re.compile(
    r"""[ ]*(?:
        (?P<NAME>[^\W\d]\w*)
      | (?P<symbol>\.\.\.?|[=!]==|[=!<>]=|\+=|-=|[][(){}.,:?=<>+&*/%|-])
      | (?P<INT>[0-9]+)
      | (?P<STRING>"[^"\n]*")
      | (?P<line>(?:\#[^\n]*)?(?:\n[ ]*(?:\#[^\n]*)?)*\n)
      | (?P<comment>\#[^\n]*))""",
    re.VERBOSE,
)
_CELL = re.compile(r"[ ]*([^\s#]+)")
_BINDER_FOLLOWS = re.compile(r"[ ]+[^\W\d]\w*[ ]*(?:[:,]|in\b)")
"""After `all`, `sum`, `max`...: only then is the word a quantifier, and not a name."""

SUBJECT_FOLLOWS = re.compile(
    r"[ ]+(?:\(|(?!(?:in|not|and|or|if|else|implies|otherwise|with|where)\b)[^\W\d])"
)
"""After `match`: only then is the word no name."""
_SEAT_FOLLOWS = re.compile(r"[ ]+[^\W\d]\w*[ ]+after\b")
"""After `next`."""
_FOLLOWS = {"QUANTIFIER": _BINDER_FOLLOWS, "MATCH": SUBJECT_FOLLOWS, "NEXT": _SEAT_FOLLOWS}
"""What has to stand after a word that begins an expression; else it is a name."""

_FOREIGN = {
    "===": "use `==`",
    "!==": "use `!=`",
    "...": "use `..`",
    ":=": "use `=`",
    "=<": "use `<=`",
    "<>": "use `!=`",
    "++": "use `+= 1`",
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
_INSTEAD = {
    "===": "==", "!==": "!=", "...": "..", ":=": "=", "=<": "<=", "<>": "!=", "++": " += 1",
    "&&": " and ", "||": " or ", "!": "not ", "=>": " implies ", "->": " implies ", "≤": "<=",
    "≥": ">=", "≠": "!=", "×": "*", "@": "#",
}  # fmt: skip
"""What is written for a sign of another language; it fits without spaces around it, too."""
_QUOTED = re.compile("[“”‘'][^“”‘’'\"\n]*[“”’']")
_ENDS = re.compile("; *(#|\n|$)")
_AFTER_PROSE = re.compile(r" +\[[\w., ]+\]|(?: *:)? *$", re.MULTILINE)
"""What stands behind a sentence on its line: the clauses it comes from, the colon of a block."""


class Token(namedtuple("Token", ("type", "text", "start", "end"))):
    """A terminal's name, its text and where it stands."""

    __slots__ = ()
    type: str
    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


_made = tuple.__new__
"""Makes a token in one call instead of two; there are thousands."""


class LexError(Exception):
    """Text that is no token; already reported."""


class Lexer:
    """Cuts one declaration, the text from `start` up to `end`, into tokens. `states` is the
    parser's stack: whether a deeper line opens a block depends on all of it."""

    def __init__(
        self,
        text: str,
        start: int,
        end: int,
        tables: Tables,
        states: list[int],
        messages: Messages,
    ) -> None:
        self.text = text
        self.position = start
        self.end = end
        self.tables = tables
        self.states = states
        self.words = tables.words
        self.symbols = tables.symbols
        self.messages = messages
        self.indents = [0]
        self.brackets: list[Token] = []
        self.pending: list[Token] = []
        self.finished = False
        self.last: Token | None = None

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
                    kind = words.get(cell[1], "CELL")
                    kind = kind if kind in accepted else "CELL"
                    self.last = Token(kind, cell[1], *cell.span(1))
                    return self.last
            piece = _PIECE.match(text, self.position, self.end)
            if piece is None:
                self._skip_spaces()
                if self.position >= self.end:
                    return self._finish()
                self._foreign()
            kind = piece.lastgroup or ""
            self.position = end = piece.end()
            if kind == "line":
                token = self._line(accepted)
                if token is None:
                    continue
                return token
            if kind == "comment":
                continue
            word = piece[kind]
            start = end - len(word)
            if kind == "NAME":
                keyword = words.get(word)
                if keyword is not None and (
                    "NAME" not in accepted
                    or (keyword in accepted and self.tables.accepts(self.states, keyword))
                ):
                    kind = keyword
                    if "NAME" in accepted and not self.tables.accepts(self.states, kind):
                        kind = "NAME"  # a keyword only after the block that stands open here
                    follows = _FOLLOWS.get(kind)
                    if follows is not None and not follows.match(text, end):
                        kind = "NAME"
            elif kind == "symbol":
                kind = self._symbol(word, start, end)
            elif kind == "INT" and len(word) > LONGEST_NUMBER:
                span = Span(start, end)
                self.messages.error(
                    "RW004", span, "this number is too large", "no game counts that far"
                )
                raise LexError
            self.last = token = _made(Token, (kind, word, start, end))
            return token

    def _layout(self, kind: str) -> Token:
        """A token without text: it stands where the text before it ends."""
        at = self.last.end if self.last else self.position
        return Token(kind, "", at, at)

    def _skip_spaces(self) -> None:
        while self.position < self.end and self.text[self.position] == " ":
            self.position += 1

    def _symbol(self, word: str, start: int, end: int) -> str:
        """The terminal of a sign; keeps count of brackets."""
        kind = self.symbols.get(word)
        if kind is None or self.text[start : start + 2] in _FOREIGN:
            self._foreign(start)
        if word in OPENING:
            self.brackets.append(_made(Token, (kind, word, start, end)))
        elif word in CLOSING:
            if not self.brackets or OPENING[self.brackets[-1].text] != word:
                self._unbalanced(word, start)
            self.brackets.pop()
        return kind

    def _unbalanced(self, word: str, start: int) -> NoReturn:
        if self.brackets:
            opened = self.brackets[-1]
            line, _ = self.messages.text.place(opened.start)
            close = OPENING[opened.text]
            hint = f"`{opened.text}` of line {line} is closed by `{close}`"
            fix = Span(start, start + 1), close
            closing = "".join(OPENING[each.text] for each in reversed(self.brackets))
            if word in closing:  # it closes one further out
                fix = Span(start, start), closing[: closing.index(word)]
            self.messages.error(
                "RW006", Span(start, start + 1), f"`{word}` closes nothing", hint, fix
            )
        else:
            hint = f"remove it, or open it with `{CLOSING[word]}` before"
            self.messages.error("RW006", Span(start, start + 1), f"`{word}` closes nothing", hint)
        raise LexError

    def _line(self, accepted: Container[str]) -> Token | None:
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
            return self._layout("_NL")
        if indent > self.indents[-1]:
            if not self.tables.accepts(self.states, "_BLOCK"):
                return None
            self.indents.append(indent)
            return self._layout("_BLOCK")
        token = self._layout("_NL")
        while indent < self.indents[-1]:
            self.indents.pop()
            self.pending.append(self._layout("_END"))
        if indent != self.indents[-1]:
            self.messages.error(
                "RW003",
                Span(here - indent, here),
                "this line is indented by an amount that fits no line above it",
                Suggestion(
                    f"indent it by {self.indents[-1]} spaces, or as far as the line it belongs to",
                    " " * self.indents[-1],
                ),
            )
            raise LexError
        return token

    def _finish(self) -> Token:
        """The end of the declaration: closes its line and its blocks, once; then only $END."""
        if self.brackets:
            self.never_closed(self.last)
            raise LexError
        if self.finished:
            return self._layout("$END")
        self.finished = True
        self.pending.extend(self._layout("_END") for _ in self.indents[1:])
        return self._layout("_NL")

    def never_closed(self, last: Token | None) -> None:
        """Reports the bracket that was opened last. All that are open are closed behind the last
        token, if they can be closed there."""
        opened = self.brackets[-1]
        close = OPENING[opened.text]
        change = None
        if last is not None and self.tables.accepts(self.states, self.symbols[close]):
            closing = "".join(OPENING[each.text] for each in reversed(self.brackets))
            change = Span(last.end, last.end), closing
        self.messages.error(
            "RW006", opened.span, f"`{opened.text}` is never closed", f"close it with `{close}`",
            change,
        )  # fmt: skip

    def _instead(self, start: int, foreign: str) -> tuple[Span, str] | None:
        """The change that does what the help for a foreign sign says."""
        span = Span(start, start + len(foreign))
        if foreign not in _FOREIGN:
            return span, ""
        if foreign in _INSTEAD:
            around = self.text[start - 1 : start], self.text[span.end : span.end + 1]
            text = _INSTEAD[foreign]
            text = text.lstrip() if around[0].isspace() else text
            return span, text.rstrip() if around[1].isspace() else text
        if foreign == ";":
            return (span, "") if _ENDS.match(self.text, start) else None
        quoted = _QUOTED.match(self.text, start)
        return quoted and (Span(*quoted.span()), f'"{quoted[0][1:-1]}"')

    def _foreign(self, at: int | None = None) -> NoReturn:
        """Reports text that no token begins with."""
        start = self.position if at is None else at
        text = self.text
        if text[start] == '"':
            end = text.find("\n", start)
            end = self.end if end < 0 else end
            behind = _AFTER_PROSE.search(text, start)
            at = end if behind is None else behind.start()
            self.messages.error(
                "RW005",
                Span(start, end),
                "this text has no closing quote",
                'end it with `"`',
                (Span(at, at), '"'),
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
            self._instead(start, foreign),
        )
        raise LexError
