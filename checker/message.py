"""What the checker has to say to people: diagnostics, and the one place that collects them.

Everything that finds fault calls `Messages.error` or `Messages.warning`; everything that shows
it reads `Diagnostic`. Codes are grouped by phase (RW0xx syntax, RW1xx names, RW2xx types,
RW3xx proof, RW4xx conformance, RW5xx evidence and docs) and explained in `checker.codes`.
"""

from __future__ import annotations

from bisect import bisect_right

from checker.limits import how_to_raise, most
from checker.syntax.node import Node, Span


class Diagnostic(Node):
    """One finding: where, which code, what, and what to do about it. Lines and columns count
    from 1; the end is the first column after the place."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    severity: str
    message: str
    help: str | None = None


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

    def line(self, number: int) -> str:
        """A line without its end."""
        start = self._starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]


class TooManyError(Exception):
    """So much is wrong with a file that no more of it is looked at."""


class Messages:
    """Collects the diagnostics of one file, each place and message once. After a good many it
    stops with a `TooManyError`, and the last of them says so."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.all: list[Diagnostic] = []
        self._seen: set[Diagnostic] = set()
        self._most = most("errors")

    @property
    def failed(self) -> bool:
        """Whether any error was found."""
        return any(found.severity == "error" for found in self.all)

    def error(self, code: str, span: Span, message: str, help: str | None = None) -> None:
        """The input cannot be used as it stands."""
        self._add(code, "error", span, message, help)

    def warning(self, code: str, span: Span, message: str, help: str | None = None) -> None:
        """The input can be used, but something in it is not as it should be."""
        self._add(code, "warning", span, message, help)

    def sorted(self) -> list[Diagnostic]:
        """Everything found, in the order of the text."""
        return sorted(self.all, key=lambda d: (d.line, d.column, d.code))

    def _add(self, code: str, severity: str, span: Span, message: str, help: str | None) -> None:
        line, column = self.text.place(span.start)
        end_line, end_column = self.text.place(max(span.start, span.end))
        found = Diagnostic(
            self.text.file, line, column, end_line, end_column, code, severity, message, help
        )
        if found in self._seen:
            return
        self._seen.add(found)
        if len(self.all) >= self._most:
            place = (line, column, end_line, end_column)
            message = "there is more, but so much is wrong that no more is looked at"
            last = Diagnostic(
                self.text.file, *place, "RW016", "error", message, how_to_raise("errors")
            )
            self.all.append(last)
            raise TooManyError
        self.all.append(found)
