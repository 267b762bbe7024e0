"""What the checker has to say to people: diagnostics, and the one place that collects them.

Everything that finds fault calls `Messages.error` or `Messages.warning`; everything that shows
it reads `Diagnostic`. Codes are grouped by phase (RW0xx syntax, RW1xx names, RW2xx types,
RW3xx proof, RW4xx conformance, RW5xx evidence and docs) and explained in `rulewright.codes`.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from rulewright.syntax.node import Node, Span
from rulewright.system.limits import how_to_raise, most

UNKNOWN_NAME = frozenset({"RW101", "RW104", "RW106", "RW109", "RW111", "RW113", "RW115", "RW213"})
"""Codes of names that stand for nothing."""
MISSING_PART = "RW114"
"""The code of a spec without a game or phases."""
_WORD = re.compile(r"[^\W\d]\w*")
_SQUARE = re.compile(r"[A-Z]+[0-9]+")
_OF_PHASES = frozenset({"answered", "once"})
"""What is there only if phases say so: a variable, a requirement."""


class Fix(Node):
    """A change of the text that mends what a diagnostic is about: from the first place up to the
    second, `text` is put instead. Lines and columns count from 1."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Diagnostic(Node):
    """One finding: where, which code, what, and what to do about it. Lines and columns count
    from 1; the end is the first column after the place. A fix does what the help says."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    severity: str
    message: str
    help: str | None = None
    fix: Fix | None = None


class Suggestion(Node):
    """A help that says what to write instead of the place it is about."""

    help: str
    text: str


class Text:
    """A file's text and where its lines begin."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self._starts = [0]
        position = text.find("\n")
        while position >= 0:
            self._starts.append(position + 1)
            position = text.find("\n", position + 1)

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset, from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column, both from 1."""
        return self._starts[line - 1] + column - 1

    def line(self, number: int) -> str:
        """A line without its end."""
        start = self._starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]

    def whole_lines(self, span: Span) -> Span:
        """The lines that a place stands on, with their ends: what goes if they are taken out."""
        end = self.text.find("\n", max(span.start, span.end - 1))
        start = self.text.rfind("\n", 0, span.start) + 1
        return Span(start, len(self.text) if end < 0 else end + 1)


class TooManyError(Exception):
    """So much is wrong with a file that no more of it is looked at."""


class Messages:
    """Collects the diagnostics of one file, each place and message once. After a good many it
    stops with a `TooManyError`, and the last of them says so.

    A declaration that cannot be read may declare any name that stands in it. That such a name is
    unknown elsewhere follows from the first mistake and is not reported."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.all: list[Diagnostic] = []
        self._seen: set[Diagnostic] = set()
        self._most = most("errors")
        self._unreadable: set[str] = set()
        self._declared: set[str] = set()
        """Those of them that name a declaration."""

    @property
    def failed(self) -> bool:
        """Whether any error was found."""
        return any(found.severity == "error" for found in self.all)

    def unreadable(self, declaration: str) -> None:
        """Notes the text of a declaration that cannot be read."""
        words = _WORD.findall(declaration)
        self._unreadable.update(words)
        self._declared.update(words[1:2])

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        help: str | Suggestion | None = None,
        fix: tuple[Span, str] | None = None,
    ) -> None:
        """The input cannot be used as it stands."""
        self._add(code, "error", span, message, help, fix)

    def warning(
        self,
        code: str,
        span: Span,
        message: str,
        help: str | Suggestion | None = None,
        fix: tuple[Span, str] | None = None,
    ) -> None:
        """The input can be used, but something in it is not as it should be."""
        self._add(code, "warning", span, message, help, fix)

    def sorted(self) -> list[Diagnostic]:
        """Everything found, in the order of the text."""
        return sorted(self.all, key=lambda d: (d.line, d.column, d.code))

    def _add(
        self,
        code: str,
        severity: str,
        span: Span,
        message: str,
        help: str | Suggestion | None,
        fix: tuple[Span, str] | None,
    ) -> None:
        if self._unreadable and self._follows(code, span):
            return
        if isinstance(help, Suggestion):
            fix = fix or (span, help.text)
            help = help.help
        place = self._place(span)
        change = None if fix is None else Fix(*self._place(fix[0]), fix[1])
        found = Diagnostic(self.text.file, *place, code, severity, message, help, change)
        if found in self._seen:
            return
        self._seen.add(found)
        if len(self.all) >= self._most:
            message = "there is more, but so much is wrong that no more is looked at"
            last = Diagnostic(
                self.text.file, *place, "RW016", "error", message, how_to_raise("errors")
            )
            self.all.append(last)
            raise TooManyError
        self.all.append(found)

    def _place(self, span: Span) -> tuple[int, int, int, int]:
        return *self.text.place(span.start), *self.text.place(max(span.start, span.end))

    def _follows(self, code: str, span: Span) -> bool:
        """Whether a diagnostic may only say that a declaration could not be read."""
        if code == MISSING_PART:
            return not self._unreadable.isdisjoint(("game", "phase"))
        words = _WORD.findall(self.text.text[span.start : span.end])
        if code.startswith("RW2") and not self._declared.isdisjoint(words):
            return True  # the name stands for something else than was meant
        if code not in UNKNOWN_NAME:
            return False
        if "grid" in self._unreadable and any(map(_SQUARE.fullmatch, words)):
            return True
        if "phase" in self._unreadable and not _OF_PHASES.isdisjoint(words):
            return True
        return not self._unreadable.isdisjoint(words)
