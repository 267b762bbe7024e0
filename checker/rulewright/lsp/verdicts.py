"""What is proved, for the margin: by the last report of `prove`, never worked out while typing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.diagnostics import Diagnostic, Fix
from rulewright.lsp.report_book import ReportBook
from rulewright.lsp.text.document import Document
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


class VerdictBook(ReportBook[Verdicts]):
    """The last report of `prove` on each file that is open."""

    def __init__(self) -> None:
        super().__init__("verdicts", lambda report: Verdicts(verdicts_in(report)))

    def verdicts(self, uri: str) -> Verdicts:
        """All verdicts on a file."""
        return self.read(uri) or Verdicts()

    def status(self, document: Document, name: str) -> PublishedStatus:
        """How a property stands by what was proved last."""
        analysis = document.full()
        known = self.read(document.uri)
        if analysis.spec is None or known is None:
            return PublishedStatus(NOT_YET)
        if not analysis.usable:
            found = known.of(analysis.spec, None, name)
            return PublishedStatus(STALE if found.verdicts else NOT_YET, verdicts=found.verdicts)
        return known.of(analysis.spec, analysis.hash, name)

    def findings(self, document: Document) -> list[Diagnostic]:
        """What `prove` found wrong with this very version."""
        report = self.report(document.uri)
        if report is None or not document.full().usable:
            return []
        if report.get("spec_hash") != document.full().hash:
            return []
        return findings_in(report, document.uri)


def findings_in(report: Mapping[str, Any], file: str, code: str = "RW3") -> list[Diagnostic]:
    """The diagnostics of a report whose codes begin like this one."""
    found = []
    for each in report.get("diagnostics") or ():
        if str(each.get("code", "")).startswith(code):
            place = (each["line"], each["column"], each["end_line"], each["end_column"])
            said = (each["code"], each["severity"], each["message"], each["help"])
            found.append(Diagnostic(file, *place, *said, _fix(each.get("fix"))))
    return found


def _fix(told: Any) -> Fix | None:
    """A fix as a report has it."""
    if not isinstance(told, Mapping):
        return None
    place = (told["line"], told["column"], told["end_line"], told["end_column"])
    return Fix(*place, told["text"])


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
