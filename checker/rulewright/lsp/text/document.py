"""One open file: its text, and what is known of it.

Two looks are taken at a text. The **quick** one, at every keystroke, reads the declarations that
changed and elaborates everything but the examples. The **full** one, when typing pauses or somebody
asks for a name, elaborates the examples, too, and runs the lints and the evidence checks. What only
the full look finds stays on display in declarations that have not changed since.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property

from lsprotocol.types import (
    Position,
    PositionEncodingKind,
    Range,
    TextDocumentContentChangeEvent,
    TextDocumentContentChangePartial,
)

from rulewright.diagnostics import Diagnostic, Messages, TooManyError
from rulewright.frontend import FRAMES, check_variants, empty, look_closer
from rulewright.lsp.text.name_index import NameIndex
from rulewright.lsp.text.positions import Positions
from rulewright.meaning.core import Spec
from rulewright.meaning.elaborate import Elaborated, elaborate
from rulewright.syntax import tree as t
from rulewright.syntax.node import Span, replace
from rulewright.syntax.parsing.incremental import IncrementalParser, JournalText, Piece
from rulewright.syntax.tree_digest import tree_hash
from rulewright.system.limits import most


class Analysis:
    """Everything the full look found in one version of a text."""

    def __init__(
        self, syntax: t.Spec, elaborated: Elaborated | None, messages: Messages, usable: bool
    ) -> None:
        assert isinstance(messages.text, JournalText)
        self.text: JournalText = messages.text
        self.syntax = syntax
        self.elaborated = elaborated
        self.diagnostics = messages.sorted()
        self.usable = usable

    @property
    def spec(self) -> Spec | None:
        """The core, also of a spec that cannot be used."""
        return None if self.elaborated is None else self.elaborated.spec

    @cached_property
    def index(self) -> NameIndex:
        """What every name stands for."""
        return NameIndex(self.elaborated, self.syntax)

    @cached_property
    def hash(self) -> str:
        """Names this version of the rules."""
        return tree_hash(self.syntax)


class LateFinding:
    """A finding of the full look, told by the declaration it is in."""

    def __init__(self, found: Diagnostic, piece: Piece, text: JournalText) -> None:
        self._found = found
        self.piece = piece
        self._line = _line_of(piece, text)

    def now(self, text: JournalText) -> Diagnostic:
        """The finding, where its declaration is now."""
        by = _line_of(self.piece, text) - self._line
        found = self._found
        fix = found.fix and replace(
            found.fix, line=found.fix.line + by, end_line=found.fix.end_line + by
        )
        return replace(found, line=found.line + by, end_line=found.end_line + by, fix=fix)


class Document:
    """A file that is open in an editor."""

    def __init__(
        self, uri: str, source: str, version: int, encoding: str = PositionEncodingKind.Utf16
    ) -> None:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))
        self.uri = uri
        self.version = version
        self._encoding = encoding
        self.positions = Positions(source, encoding)
        self._parser = IncrementalParser(uri)
        self._late: list[LateFinding] = []
        self._seen: set[Piece] = set()
        """The declarations of the last full look."""
        self._analysis: Analysis | None = None

    # ---- the text

    def change(self, changes: Iterable[TextDocumentContentChangeEvent], version: int) -> None:
        """What was typed, deleted or pasted."""
        for each in changes:
            if isinstance(each, TextDocumentContentChangePartial):
                source = self.positions.changed(each.range, each.text)
            else:
                source = each.text
            self.positions = Positions(source, self._encoding)
        self.version = version
        self._analysis = None

    @property
    def content(self) -> str:
        return self.positions.content

    def offset(self, position: Position) -> int:
        """The place of a position in the spans of the full look."""
        return self.full().text.in_journal(self.positions.offset(position))

    def range(self, span: Span) -> Range:
        """The range of a span of the full look."""
        text = self.full().text
        start = text.in_file(span.start)
        return self.positions.range(start, start + span.end - span.start)

    def range_of(self, found: Diagnostic) -> Range:
        """The range of a finding."""
        return self.lines(found.line, found.column, found.end_line, found.end_column)

    def lines(self, line: int, column: int, end_line: int, end_column: int) -> Range:
        """A range by lines and columns from 1, in code points."""
        return self.positions.range(
            self._offset_of(line, column), self._offset_of(end_line, end_column)
        )

    def _offset_of(self, line: int, column: int) -> int:
        starts = self._line_starts
        return min(starts[min(line, len(starts)) - 1] + column - 1, len(self.content))

    @property
    def _line_starts(self) -> list[int]:
        cached = self.__dict__.get("_lines")
        if cached is None or cached[0] is not self.positions:
            content = self.content
            starts, at = [0], content.find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = content.find("\n", at + 1)
            cached = self.__dict__["_lines"] = (self.positions, starts)
        found: list[int] = cached[1]
        return found

    # ---- what is known of it

    def quick(self) -> list[Diagnostic]:
        """The findings of the quick look, and those of the last full one that still stand."""
        if self._analysis is not None:
            return self._analysis.diagnostics
        if _too_large(self.content):
            return self.full().diagnostics
        syntax, messages = self._parser.parse(self.content)
        text = messages.text
        assert isinstance(text, JournalText)
        if not self.content.strip():
            empty(messages)
            return messages.sorted()
        skipped = {
            id(piece.declaration)
            for piece in text.pieces
            if isinstance(piece.declaration, t.Example) and piece in self._seen
        }
        rest = tuple(each for each in syntax.declarations if id(each) not in skipped)
        with suppress(TooManyError):
            elaborate(t.Spec(syntax.span, rest), messages)
        alive = set(text.pieces)
        messages.all += [each.now(text) for each in self._late if each.piece in alive]
        return messages.sorted()

    def full(self) -> Analysis:
        """Everything there is to know of the text as it is now."""
        if self._analysis is not None:
            return self._analysis
        content = "" if _too_large(self.content) else self.content
        syntax, messages = self._parser.parse(content)
        text = messages.text
        assert isinstance(text, JournalText)
        elaborated = None
        early: list[Diagnostic] = []
        usable = False
        try:
            if not content.strip():
                empty(messages)
            else:
                elaborated = elaborate(syntax, messages)
                early = list(messages.all)
                check_variants(syntax, messages)
                usable = not messages.failed
                look_closer(elaborated, syntax, messages)
        except TooManyError:
            early = list(messages.all)
        self._analysis = Analysis(syntax, elaborated, messages, usable)
        self._keep_late(messages.all, early, text)
        return self._analysis

    def _keep_late(
        self, found: list[Diagnostic], early: list[Diagnostic], text: JournalText
    ) -> None:
        """Notes what the quick look would not find."""
        self._seen = set(text.pieces)
        self._late = []
        at_once = {id(each) for each in early}
        for each in found:
            piece = text.piece_at(self._offset_of(each.line, each.column))
            if piece is None:
                continue
            if id(each) not in at_once or isinstance(piece.declaration, t.Example):
                self._late.append(LateFinding(each, piece, text))


def _too_large(content: str) -> bool:
    """Whether a text is larger than a spec may be."""
    return len(content.encode("utf-8", "surrogatepass")) > most("bytes")


def _line_of(piece: Piece, text: JournalText) -> int:
    return text.place(piece.start)[0]
