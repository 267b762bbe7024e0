"""The lines of a file that a diagnostic points at, each with the carets that go under it."""

from __future__ import annotations

from rulewright.diagnostics import Diagnostic, Text
from rulewright.report.text_width import lay_out
from rulewright.syntax.node import Node

LONGEST = 160
"""A line with more characters is cut to the part around the place."""
BEFORE = 40
"""How much of a cut line is shown before the place."""


class Excerpt(Node):
    """A line of the file and what goes under it. `skips` says that lines before it are left out."""

    number: int
    shown: str
    carets: str
    skips: bool = False


def excerpts(text: Text, found: Diagnostic) -> tuple[Excerpt, ...]:
    """The first line of the place, and its last if it spans several; none if it has no lines."""
    last_line = text.text.count("\n") + 1
    if not 1 <= found.line <= last_line:
        return ()
    end_line, end_column = _last_inked(text, found, last_line)
    first = _line(text, found.line)
    if end_line == found.line:
        return (_excerpt(found.line, first, found.column - 1, end_column - 1),)
    last = _line(text, end_line)
    indent = len(last) - len(last.lstrip())
    return (
        _excerpt(found.line, first, found.column - 1, len(first.rstrip())),
        _excerpt(end_line, last, indent, end_column - 1, skips=end_line > found.line + 1),
    )


def _last_inked(text: Text, found: Diagnostic, last_line: int) -> tuple[int, int]:
    """Where the place ends, not counting blank lines and indentation that it ends with."""
    line, column = min(found.end_line, last_line), found.end_column
    while line > found.line and not _line(text, line)[: column - 1].strip():
        line -= 1
        column = len(_line(text, line).rstrip()) + 1
    return line, column


def _line(text: Text, number: int) -> str:
    return text.line(number).removesuffix("\r")


def _excerpt(number: int, line: str, start: int, end: int, skips: bool = False) -> Excerpt:
    start = min(max(start, 0), len(line))
    end = min(max(end, start), len(line))
    if len(line) > LONGEST:
        line, start, end = _cut(line, start, end)
    shown, columns = lay_out(line)
    length = max(1, columns[end] - columns[start])
    return Excerpt(number, shown.rstrip(), " " * columns[start] + "^" * length, skips)


def _cut(line: str, start: int, end: int) -> tuple[str, int, int]:
    """The part of a very long line around the place, with the place in it."""
    first = max(0, min(start - BEFORE, len(line) - LONGEST))
    last = first + LONGEST
    before, after = "…" if first else "", "…" if last < len(line) else ""
    moved = len(before) - first
    return before + line[first:last] + after, start + moved, min(end, last) + moved
