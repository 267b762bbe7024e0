"""What is proved, for the margin: kept by the version of the rules, never worked out while typing.

A report of `prove` is kept under the hash of the rules it is about, so that opening a file shows
what was proved of just this version before. After a change of the rules it is stale until they are
proved again, or changed back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.diagnostics import Diagnostic
from rulewright.lsp.text.document import Document
from rulewright.resources import cache_path
from rulewright.site.model.verdicts import (
    BOUNDED,
    NOT_YET,
    PARTLY,
    PROVED,
    REFUTED,
    STALE,
    WITNESSED,
    PublishedStatus,
    Verdicts,
    verdicts_in,
)
from rulewright.system.store import Store
from rulewright.system.toolchain import toolchain


class VerdictBook:
    """The last report of `prove` on each file that is open."""

    def __init__(self) -> None:
        self._store = Store(cache_path("editor"))
        self._reports: dict[str, Mapping[str, Any]] = {}
        self._read: dict[str, Verdicts] = {}

    def recall(self, document: Document) -> bool:
        """Takes what was proved of this very version before; whether there is anything."""
        found = self._store.load(self._key(document), _report)
        if found is None:
            return False
        self._note(document.uri, found)
        return True

    def note(self, document_uri: str, hash: str, report: Mapping[str, Any]) -> None:
        """Keeps a report of `prove` on a version of the rules."""
        if not self._note(document_uri, report):
            return
        if "stopped" not in report.get("summary", {}):
            self._store.save(f"verdicts {toolchain()} {hash}", dict(report))

    def forget(self, uri: str) -> None:
        """A file was closed."""
        self._reports.pop(uri, None)
        self._read.pop(uri, None)

    def verdicts(self, uri: str) -> Verdicts:
        """All verdicts on a file."""
        return self._read.get(uri, Verdicts())

    def status(self, document: Document, name: str) -> PublishedStatus:
        """How a property stands by what was proved last."""
        analysis = document.full()
        if analysis.spec is None or document.uri not in self._read:
            return PublishedStatus(NOT_YET)
        if not analysis.usable:
            found = self._read[document.uri].of(analysis.spec, None, name)
            return PublishedStatus(STALE if found.verdicts else NOT_YET, verdicts=found.verdicts)
        return self._read[document.uri].of(analysis.spec, analysis.hash, name)

    def findings(self, document: Document) -> list[Diagnostic]:
        """What `prove` found wrong with this very version."""
        report = self._reports.get(document.uri)
        if report is None or not document.full().usable:
            return []
        if report.get("spec_hash") != document.full().hash:
            return []
        return findings_in(report, document.uri)

    def _key(self, document: Document) -> str:
        return f"verdicts {toolchain()} {document.full().hash}"

    def _note(self, uri: str, report: Mapping[str, Any]) -> bool:
        try:
            found = verdicts_in(report)
        except (TypeError, KeyError):
            return False
        self._reports[uri] = report
        self._read[uri] = Verdicts(found)
        return True


def findings_in(report: Mapping[str, Any], file: str, code: str = "RW3") -> list[Diagnostic]:
    """The diagnostics of a report whose codes begin like this one."""
    found = []
    for each in report.get("diagnostics") or ():
        if str(each.get("code", "")).startswith(code):
            place = (each["line"], each["column"], each["end_line"], each["end_column"])
            found.append(
                Diagnostic(
                    file, *place, each["code"], each["severity"], each["message"], each["help"]
                )
            )
    return found


def in_words(status: PublishedStatus) -> str:
    """A status in a few words, for the margin."""
    sign = {
        PROVED: "✓", WITNESSED: "✓", REFUTED: "✗", STALE: "↻", NOT_YET: "○", PARTLY: "?",
        BOUNDED: "?",
    }.get(status.word, "?")  # fmt: skip
    players = ""
    if status.players and status.word not in (STALE, NOT_YET):
        first, last = status.players[0], status.players[-1]
        players = f" with {first}" + (f" to {last}" if last > first else "") + " players"
    return f"{sign} {status.word}{players}"


def _report(kept: Any) -> dict[str, Any]:
    """A report that was kept; raises where it is none."""
    verdicts_in(kept)
    return dict(kept)
