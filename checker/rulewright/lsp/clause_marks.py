"""What each clause has earned, for the margin: by the last report of `evidence`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.lsp.report_book import ReportBook
from rulewright.lsp.text.document import Document

SIGNS = {"tested": "✓", "untested": "◐", "only cited": "△"}


class EvidenceBook(ReportBook[dict[str, str]]):
    """The last report of `evidence --clauses` on each file that is open."""

    def __init__(self) -> None:
        super().__init__("evidence", _marks)

    def mark(self, document: Document, clause: str) -> str | None:
        """What a clause has earned, in a few words; None if nobody has asked."""
        earned = (self.read(document.uri) or {}).get(clause)
        report = self.report(document.uri)
        if earned is None or report is None:
            return None
        analysis = document.full()
        if not analysis.usable or report.get("spec_hash") != analysis.hash:
            return "↻ stale"
        return earned


def _marks(report: Mapping[str, Any]) -> dict[str, str]:
    """What a report says of each clause."""
    found = {}
    for each in report["results"]:
        said = each["evidence"]
        if said is None:
            continue
        if each["accepted"]:
            words = f"accepted as it is: {each['accepted']}"
        elif each["noticed_by"]:
            words = f"{SIGNS[said]} {said}: {each['noticed_by']} notices `{each['mistake']}`"
        else:
            words = f"{SIGNS[said]} {said}"
        found[each["clause"]] = words
    return found
