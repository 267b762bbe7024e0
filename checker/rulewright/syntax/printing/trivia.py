"""Trivia of a file, as its author left it: the comments, the blank lines, where code ends and
begins.

The tree has none of this; `formatter` asks here for what must come back when a file is laid out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from rulewright.syntax import tree as t

_STRING_OR_COMMENT = re.compile(r'"[^"\n]*"|#[^\n]*')
_BLANK = " \n"


class Comment:
    """A comment, where it begins, and whether it has its line to itself."""

    __slots__ = ("alone", "start", "text")

    def __init__(self, start: int, text: str, alone: bool) -> None:
        self.start = start
        self.text = text
        self.alone = alone


class Manuscript:
    """The text of a readable file and its comments. An empty one stands for a bare tree."""

    def __init__(self, text: str = "", tree: t.Spec | None = None) -> None:
        self.text = text
        self.comments = [] if tree is None else _comments(text, _rows(tree))
        self._starts = [comment.start for comment in self.comments]

    def first_comment(self, offset: int) -> int:
        """The index of the first comment at or after an offset."""
        return bisect_left(self._starts, offset)

    def has_comment(self, start: int, end: int) -> bool:
        """Whether a comment begins between two offsets."""
        return self.first_comment(start) < self.first_comment(end)

    def code_before(self, offset: int) -> int:
        """Where the last code before an offset ends."""
        text, at = self.text, min(offset, len(self.text))
        index = self.first_comment(at) - 1
        while True:
            while at > 0 and text[at - 1] in _BLANK:
                at -= 1
            if index < 0 or text.find("\n", self._starts[index], at) >= 0:
                return at
            at = self._starts[index]
            index -= 1

    def code_after(self, offset: int) -> int:
        """Where the first code after an offset begins."""
        text, at = self.text, offset
        index = self.first_comment(offset)
        while at < len(text):
            if text[at] in _BLANK:
                at += 1
            elif index < len(self._starts) and self._starts[index] == at:
                line_end = text.find("\n", at)
                at = len(text) if line_end < 0 else line_end
                index += 1
            else:
                break
        return at

    def keyword_before(self, offset: int, keyword: str) -> int:
        """Where the keyword in front of an offset begins; the offset itself if it is not there."""
        end = self.code_before(offset)
        start = end - len(keyword)
        return start if start >= 0 and self.text.startswith(keyword, start, end) else offset

    def after_blank_line(self, offset: int) -> bool:
        """Whether a blank line stands right above what begins at an offset."""
        text, at, lines = self.text, min(offset, len(self.text)), 0
        while at > 0 and text[at - 1] in " \n":
            at -= 1
            lines += text[at] == "\n"
        return lines > 1

    def column(self, offset: int) -> int:
        """How far from the beginning of its line an offset is."""
        return offset - self.text.rfind("\n", 0, offset) - 1

    def comment_closes(self, start: int, end: int) -> bool:
        """Whether a comment below a line, of which the code from `start` to `end` is all, is
        indented like it or deeper, so that it is the last line of the same block."""
        if not self._begins_line(start):
            return False
        first = self.first_comment(end)
        for comment in self.comments[first : first + 2]:
            if comment.alone:
                follows = self.code_before(comment.start) == end
                return follows and self.column(comment.start) >= self.column(start)
        return False

    def _begins_line(self, offset: int) -> bool:
        return not self.text[offset - self.column(offset) : offset].strip(" ")


def _comments(text: str, rows: list[tuple[int, int]]) -> list[Comment]:
    """The comments of a text; a quote within the row of a table begins no prose."""
    found: list[Comment] = []
    position = row = 0
    while match := _STRING_OR_COMMENT.search(text, position):
        start, position = match.span()
        while row < len(rows) and rows[row][1] <= start:
            row += 1
        if row < len(rows) and rows[row][0] <= start:
            position = rows[row][1]
        elif text[start] == "#":
            line = text.rfind("\n", 0, start) + 1
            alone = not text[line:start].strip(" ")
            found.append(Comment(start, match.group().rstrip(), alone))
    return found


def _rows(tree: t.Spec) -> list[tuple[int, int]]:
    """Where the rows and legends of tables begin and end."""
    found: list[tuple[int, int]] = []
    for table in _tables(tree):
        found.extend((line.span.start, line.span.end) for line in (*table.legends, *table.rows))
    return found


def _tables(tree: t.Spec) -> Iterator[t.Table]:
    for declaration in tree.declarations:
        if isinstance(declaration, t.Table):
            yield declaration
        elif isinstance(declaration, t.Variant):
            yield from (item for item in declaration.items if isinstance(item, t.Table))
