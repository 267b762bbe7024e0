"""Files of recorded games: which there are, how they are split, and how a piece of one is read.

JSON lines are split by size, each piece beginning with the header of a game. Compressed files
(gzip, bzip2, xz, Zstandard) cannot be entered in the middle and are one piece each. Parquet files
have a column `game` with the lines of a whole game in each row, and are split by row groups.
However large a file, a piece is read block by block.
"""

from __future__ import annotations

import glob
import io
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from rulewright.syntax.node import Node

PIECE = 8 << 20
"""Bytes of a piece, about."""
BLOCK = 1 << 18
LONGEST_HEADER = 1 << 20
"""Bytes of a line that can be a header."""
PARQUET = ".parquet"
COLUMN = "game"
ROWS = 256
"""Rows that are read at a time."""
MAGIC = "*?["


class Piece(Node):
    """Part of a file: from `start` to `end`, in bytes, or in row groups of a Parquet file."""

    file: str
    start: int
    end: int


class UnreadableError(Exception):
    """A file that cannot be read; says why."""


def pieces(arguments: list[str]) -> list[Piece]:
    """All pieces of the files that these arguments name; a pattern names those that it matches.
    What cannot be read is a piece, too: whoever reads it will say so."""
    return [each for file in _files(arguments) for each in _pieces(file)]


def _files(arguments: list[str]) -> Iterator[str]:
    for each in arguments:
        if any(letter in each for letter in MAGIC) and not os.path.exists(each):
            found = sorted(name for name in glob.glob(each, recursive=True) if os.path.isfile(name))
            yield from found or [each]
        else:
            yield each


def _pieces(file: str) -> list[Piece]:
    try:
        told = os.stat(file)
        size = told.st_size
        if not stat.S_ISREG(told.st_mode):  # a pipe, which has no places to begin at
            return [Piece(file, 0, 0)]
        if file.endswith(PARQUET):
            groups = _parquet(file).num_row_groups
            return [Piece(file, each, each + 1) for each in range(groups)] or [Piece(file, 0, 0)]
    except (OSError, UnreadableError):
        return [Piece(file, 0, 0)]
    if _decompressor(file) is not None:
        return [Piece(file, 0, size)]
    starts = range(0, max(size, 1), PIECE)
    return [Piece(file, start, min(start + PIECE, size)) for start in starts]


class PieceStream:
    """A piece as lines of text. `lines` says how many there were once it has been read."""

    def __init__(self, piece: Piece) -> None:
        self._blocks = _Blocks(_blocks(piece))
        buffered = io.BufferedReader(self._blocks, BLOCK)
        self.text: IO[str] = io.TextIOWrapper(buffered, encoding="utf-8")

    @property
    def lines(self) -> int:
        return self._blocks.lines


class _Blocks(io.RawIOBase):
    """Blocks of bytes as a stream that counts its lines."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._rest = memoryview(b"")
        self.lines = 0
        self._last = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._count(block)
            self._rest = memoryview(block)
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size

    def _count(self, block: bytes) -> None:
        """Counts the ends of lines as text has them: a line feed, a carriage return, or both."""
        if not block:
            return
        self.lines += block.count(b"\n")
        if b"\r" in block:
            self.lines += block.count(b"\r") - block.count(b"\r\n")
        if self._last == b"\r" and block.startswith(b"\n"):
            self.lines -= 1
        self._last = block[-1:]


def _blocks(piece: Piece) -> Iterator[bytes]:
    if piece.file.endswith(PARQUET):
        return _rows(piece)
    decompress = _decompressor(piece.file)
    if decompress is not None:
        return _decompressed(piece.file, decompress)
    return _plain(piece)


def _plain(piece: Piece) -> Iterator[bytes]:
    """From the first header in the piece, or the beginning of the file, to the first header after
    it: games are whole, and each is in one piece."""
    with open(piece.file, "rb") as file:
        told = os.fstat(file.fileno())
        if not stat.S_ISREG(told.st_mode):
            while block := file.read1(BLOCK):
                yield block
            return
        size = told.st_size
        start = 0 if piece.start == 0 else _next_header(file, piece.start, size)
        end = size if piece.end >= size else _next_header(file, piece.end, size)
        file.seek(start)
        while start < end:
            block = file.read(min(BLOCK, end - start))
            if not block:
                return
            start += len(block)
            yield block


def _next_header(file: IO[bytes], place: int, size: int) -> int:
    """Where the first line that is a header begins, at a place or after it."""
    file.seek(place - 1)
    if file.read(1) != b"\n":
        _skip_line(file)
    while (begin := file.tell()) < size:
        line = file.readline(LONGEST_HEADER)
        if b'"rulewright"' in line and _is_header(line):
            return begin
        if not line.endswith(b"\n"):
            _skip_line(file)
    return size


def _skip_line(file: IO[bytes]) -> None:
    while (rest := file.readline(BLOCK)) and not rest.endswith(b"\n"):
        pass


def _is_header(line: bytes) -> bool:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and "rulewright" in found


def _decompressor(file: str) -> Any:
    """What opens a compressed file; None for one that is not compressed. Read by its name."""
    match Path(file).suffix:
        case ".gz":
            import gzip

            return gzip.open
        case ".bz2":
            import bz2

            return bz2.open
        case ".xz":
            import lzma

            return lzma.open
        case ".zst":
            return _open_zstandard
    return None


def _open_zstandard(file: str, _: str) -> Any:
    arrow = _arrow()
    return arrow.input_stream(file, compression="zstd")


def _decompressed(file: str, decompress: Any) -> Iterator[bytes]:
    try:
        with decompress(file, "rb") as opened:
            while block := opened.read(BLOCK):
                yield bytes(block)
    except MemoryError:
        raise
    except OSError as error:
        if error.errno is not None:
            raise
        raise UnreadableError("it is not compressed as its name says") from error
    except Exception as error:
        if isinstance(error, UnreadableError):
            raise
        raise UnreadableError("it is not compressed as its name says, or cut off") from error


def _rows(piece: Piece) -> Iterator[bytes]:
    """The games in some row groups, each with a line feed at its end."""
    file = _parquet(piece.file)
    groups = list(range(piece.start, piece.end))
    try:
        for batch in file.iter_batches(ROWS, row_groups=groups, columns=[COLUMN]):
            for row in batch.column(0):
                text = cast("str | None", row.as_py())
                if text:
                    yield (text if text.endswith("\n") else text + "\n").encode()
    except (OSError, ValueError) as error:
        raise UnreadableError("it is damaged") from error


def _parquet(file: str) -> Any:
    _arrow()
    from pyarrow import ArrowException, parquet

    try:
        found = parquet.ParquetFile(file)
    except FileNotFoundError:
        raise
    except (ArrowException, OSError, ValueError) as error:
        raise UnreadableError("it is no Parquet file") from error
    if COLUMN not in found.schema_arrow.names or str(found.schema_arrow.field(COLUMN).type) not in (
        "string",
        "large_string",
    ):
        raise UnreadableError(f"it has no column `{COLUMN}` of text")
    return found


def _arrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise UnreadableError(
            "this needs PyArrow, which comes with `pip install rulewright[cluster]`"
        ) from error
    return pyarrow
