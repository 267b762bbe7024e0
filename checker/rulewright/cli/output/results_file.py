"""One row for each replayed game, for analysis: JSON lines, or Parquet by the name of the file.

Rows are written as they come, so that a million of them need no more memory than one piece.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from rulewright.cli.errors import RefusalError

GROUP = 20_000
"""Rows of a row group."""
HALVES = "backslashreplace"
"""Half a character, which a recorded game may hold, is written as JSON escapes it."""


class Rows(Protocol):
    """Where rows go."""

    def add(self, rows: Sequence[dict[str, Any]]) -> None:
        """Some more rows."""
        ...


class _Nowhere:
    def add(self, rows: Sequence[dict[str, Any]]) -> None:
        """Nobody asked for them."""


class _Lines:
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def add(self, rows: Sequence[dict[str, Any]]) -> None:
        self._stream.writelines(json.dumps(each, ensure_ascii=False) + "\n" for each in rows)


def _whole(value: Any) -> Any:
    """The value, text of it without halves of characters."""
    return value.encode("utf-8", HALVES).decode("utf-8") if isinstance(value, str) else value


class _Parquet:
    """Rows in row groups of some thousands; the event is JSON, for it has many shapes."""

    def __init__(self, file: str) -> None:
        import pyarrow
        from pyarrow import parquet

        text, number, texts = pyarrow.string(), pyarrow.int64(), pyarrow.list_(pyarrow.string())
        self._schema = pyarrow.schema([
            ("file", text), ("game", number), ("players", number), ("verdict", text),
            ("line", number), ("events", number), ("message", text), ("requirements", texts),
            ("clauses", texts), ("event", text), ("finished", pyarrow.bool_()),
        ])  # fmt: skip
        self._table = pyarrow.Table
        self._writer = parquet.ParquetWriter(file, self._schema)
        self._waiting: list[dict[str, Any]] = []

    def add(self, rows: Sequence[dict[str, Any]]) -> None:
        for each in rows:
            event = None if each["event"] is None else json.dumps(each["event"])
            self._waiting.append({key: _whole(value) for key, value in each.items()})
            self._waiting[-1]["event"] = event
        if len(self._waiting) >= GROUP:
            self._write()

    def _write(self) -> None:
        self._writer.write_table(self._table.from_pylist(self._waiting, schema=self._schema))
        self._waiting.clear()

    def close(self) -> None:
        if self._waiting:
            self._write()
        self._writer.close()


@contextmanager
def results_file(file: str | None) -> Iterator[Rows]:
    """Where the rows of a run go: to a file, if somebody named one."""
    if file is None:
        yield _Nowhere()
        return
    try:
        if not file.endswith(".parquet"):
            with open(file, "w", encoding="utf-8", errors=HALVES) as stream:
                yield _Lines(stream)
            return
        try:
            rows = _Parquet(file)
        except ImportError as error:
            raise RefusalError(
                "Parquet needs PyArrow, which is not installed",
                "install it with `pip install rulewright[cluster]`, or write JSON lines",
            ) from error
        try:
            yield rows
        finally:
            rows.close()
    except OSError as error:
        reason = (error.strerror or "it cannot be opened").lower()
        raise RefusalError(f"`{file}` cannot be written: {reason}", "name another file") from error
