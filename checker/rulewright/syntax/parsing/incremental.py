"""Parses a text that is being edited: only declarations that changed are read again.

Every declaration that was ever read stands in a **journal**, a text that only grows; trees keep
their spans in the journal, whatever is typed above them. `JournalText` says where a place of the
journal is in the file now. What cannot be read is read again each time, to report it anew.
"""

from __future__ import annotations

from bisect import bisect_right
from contextlib import suppress

from rulewright.diagnostics import Messages, Text, TooManyError
from rulewright.syntax.node import Span
from rulewright.syntax.parsing.character_check import refuse_hidden
from rulewright.syntax.parsing.parse_tables import Tables, load_tables
from rulewright.syntax.parsing.parser import chunks, first_column, read_declaration
from rulewright.syntax.tree import Declaration, Spec

GAP = "\n\n"
"""Stands between the pieces of a journal: a place right behind a piece still belongs to it."""
ROOM = 8
"""A journal that is so many times as long as its text is begun anew."""


class Piece:
    """A declaration, or what stands before the first: where it is in the journal and in the file,
    and its tree if it can be read."""

    __slots__ = ("clean", "declaration", "end", "place", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.place = 0
        self.declaration: Declaration | None = None
        self.clean = False


class JournalText(Text):
    """A file's text whose places are those of a journal."""

    def __init__(self, file: str, content: str, journal: str, pieces: list[Piece]) -> None:
        super().__init__(file, content)
        self.content = content
        self.text = journal
        self.pieces = pieces
        """In the order of the file."""
        self._by_start = sorted(pieces, key=lambda piece: piece.start)
        self._begins = [piece.start for piece in self._by_start]
        self._places = [piece.place for piece in pieces]

    def in_file(self, offset: int) -> int:
        """Where a place of the journal is in the file."""
        at = bisect_right(self._begins, offset) - 1
        if at < 0:
            return 0
        piece = self._by_start[at]
        if offset > piece.end + 1:  # of a declaration that is gone
            return 0
        return min(piece.place + offset - piece.start, len(self.content))

    def in_journal(self, offset: int) -> int:
        """Where a place of the file is in the journal."""
        at = max(bisect_right(self._places, offset) - 1, 0)
        if not self.pieces:
            return 0
        piece = self.pieces[at]
        return min(piece.start + max(offset - piece.place, 0), piece.end)

    def piece_at(self, offset: int) -> Piece | None:
        """The piece that a place of the file is in."""
        at = bisect_right(self._places, offset) - 1
        return self.pieces[at] if at >= 0 else None

    def place(self, offset: int) -> tuple[int, int]:
        return super().place(self.in_file(offset))

    def offset(self, line: int, column: int) -> int:
        """The place in the journal of a line and column of the file."""
        return self.in_journal(super().offset(line, column))

    def line(self, number: int) -> str:
        start = self._starts[number - 1]
        end = self.content.find("\n", start)
        return self.content[start:] if end < 0 else self.content[start:end]


class IncrementalParser:
    """Reads one version of a text after another."""

    def __init__(self, file: str, tables: Tables | None = None) -> None:
        self.file = file
        self.tables = tables or load_tables()
        self._journal = GAP
        self._pool: dict[str, list[Piece]] = {}

    def parse(self, content: str) -> tuple[Spec, Messages]:
        """The tree of the text as it is now, and what is wrong with its syntax. The messages have
        the text that tells where its spans are."""
        if len(self._journal) > ROOM * len(content) + 100_000:
            self._journal, self._pool = GAP, {}
        pieces = self._pieces(content)
        text = JournalText(self.file, content, self._journal, pieces)
        messages = Messages(text)
        with suppress(TooManyError):  # the messages say so
            self._read(pieces, text, messages)
        found = [piece.declaration for piece in pieces if piece.declaration is not None]
        return Spec(Span(0, len(self._journal)), tuple(found)), messages

    def _pieces(self, content: str) -> list[Piece]:
        """The pieces of the text in order: known ones, and new ones at the end of the journal."""
        found: list[Piece] = []
        pool: dict[str, list[Piece]] = {}
        new: list[str] = []
        grown = len(self._journal)
        bounds = chunks(content)
        first = bounds[0][0] if bounds else len(content)
        for start, end in [(0, first), *bounds] if first else bounds:
            written = content[start:end]
            known = self._pool.get(written)
            if known:
                piece = known.pop()
            else:
                piece = Piece(grown, grown + len(written))
                new += (written, GAP)
                grown += len(written) + len(GAP)
            piece.place = start
            pool.setdefault(written, []).append(piece)
            found.append(piece)
        self._journal += "".join(new)
        self._pool = pool
        return found

    def _read(self, pieces: list[Piece], text: JournalText, messages: Messages) -> None:
        journal = text.text
        for at, piece in enumerate(pieces):
            if piece.clean:
                continue
            before = len(messages.all)
            if at == 0:
                first_column(journal, messages, piece.start, piece.end)
            refuse_hidden(journal, messages, piece.start, piece.end)
            if journal[piece.start : piece.start + 1] not in ("", " ", "#", "\n"):
                piece.declaration = read_declaration(
                    journal, piece.start, piece.end, messages, self.tables
                )
            piece.clean = len(messages.all) == before
