"""Reports of one command on the files that are open, kept by the version of the rules.

A report is kept under the hash of the rules it is about, so that opening a file shows what was
found out about just this version before. After a change of the rules it is stale until the command
runs again, or the rules are changed back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from rulewright.lsp.text.document import Document
from rulewright.resources import cache_path
from rulewright.system.store import Store
from rulewright.system.toolchain import toolchain

T = TypeVar("T")


class ReportBook(Generic[T]):
    """The last report on each file, with what was read from it."""

    def __init__(self, kind: str, read: Callable[[Mapping[str, Any]], T]) -> None:
        """`read` raises TypeError or KeyError where something is no report."""
        self._kind = kind
        self._take = read
        self._store = Store(cache_path("editor"))
        self._reports: dict[str, tuple[Mapping[str, Any], T]] = {}

    def recall(self, document: Document) -> bool:
        """Takes what was found of this very version before; whether there is anything."""
        found = self._store.load(self._key(document.full().hash), self._kept)
        return found is not None and self._note(document.uri, found)

    def note(self, uri: str, hash: str, report: Mapping[str, Any]) -> None:
        """Keeps a report on a version of the rules."""
        if self._note(uri, report) and "stopped" not in report.get("summary", {}):
            self._store.save(self._key(hash), dict(report))

    def forget(self, uri: str) -> None:
        """A file was closed."""
        self._reports.pop(uri, None)

    def report(self, uri: str) -> Mapping[str, Any] | None:
        """The last report on a file."""
        return self._reports[uri][0] if uri in self._reports else None

    def read(self, uri: str) -> T | None:
        """What was read from it."""
        return self._reports[uri][1] if uri in self._reports else None

    def _key(self, hash: str) -> str:
        return f"{self._kind} {toolchain()} {hash}"

    def _note(self, uri: str, report: Mapping[str, Any]) -> bool:
        try:
            self._reports[uri] = report, self._take(report)
        except (TypeError, KeyError):
            return False
        return True

    def _kept(self, kept: Any) -> dict[str, Any]:
        """A report that was kept; raises where it is none."""
        self._take(kept)
        return dict(kept)
