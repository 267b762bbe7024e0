"""Places in a text as editors count them: lines from 0, and units of an encoding within a line.

An editor's text may end its lines in three ways; ours ends them in one. `Positions` knows both.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from lsprotocol.types import Position, PositionEncodingKind, Range

_LINE_END = re.compile(r"\r\n|\n|\r")


class Positions:
    """The places of one version of a text. `content` is the text as a spec is read."""

    def __init__(self, source: str, encoding: str = PositionEncodingKind.Utf16) -> None:
        self.source = source
        self.content = source.replace("\r\n", "\n") if "\r" in source else source
        self._encoding = encoding
        self._starts = [0, *(found.end() for found in _LINE_END.finditer(source))]
        self._ends = [found.start() for found in _LINE_END.finditer(source)] + [len(source)]
        pairs = [found.start() for found in re.finditer("\r\n", source)]
        self._removed = [at - count for count, at in enumerate(pairs)]
        """Where in the content an end of line was one character longer."""

    def position(self, offset: int) -> Position:
        """The position of an offset into the content."""
        at = offset + bisect_left(self._removed, offset)
        at = min(at, len(self.source))
        line = bisect_right(self._starts, at) - 1
        return Position(line, self._units(self.source[self._starts[line] : at]))

    def range(self, start: int, end: int) -> Range:
        """The range between two offsets into the content."""
        return Range(self.position(start), self.position(max(start, end)))

    def offset(self, position: Position) -> int:
        """The offset into the content; a position outside the text is moved into it."""
        at = self._in_source(position)
        return at - bisect_left(self._removed, at - bisect_left(self._removed, at))

    def changed(self, range: Range, text: str) -> str:
        """The editor's text with a range replaced."""
        start, end = self._in_source(range.start), self._in_source(range.end)
        return self.source[:start] + text + self.source[max(start, end) :]

    def _in_source(self, position: Position) -> int:
        if position.line >= len(self._starts):
            return len(self.source)
        line = max(position.line, 0)
        start, end = self._starts[line], self._ends[line]
        written = self.source[start:end]
        units = max(position.character, 0)
        if written.isascii() or self._encoding == PositionEncodingKind.Utf32:
            return min(start + units, end)
        reached = 0
        for count, character in enumerate(written):
            if reached >= units:
                return start + count
            reached += self._units(character)
        return end

    def _units(self, text: str) -> int:
        if text.isascii() or self._encoding == PositionEncodingKind.Utf32:
            return len(text)
        if self._encoding == PositionEncodingKind.Utf8:
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text) + sum(character > "\uffff" for character in text)
