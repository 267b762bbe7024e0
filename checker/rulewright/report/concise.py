"""One line per diagnostic, `file:line:column: severity CODE message`, for editors and grep."""

from __future__ import annotations

from rulewright.hidden_characters import in_line, plain
from rulewright.report.model import Report


def render(report: Report) -> str:
    """The diagnostics, one a line."""
    return "".join(
        plain(
            in_line(
                f"{found.file}:{found.line}:{found.column}: {found.severity} {found.code} "
                f"{' '.join(found.message.split())}"
            )
        )
        + "\n"
        for found in report.diagnostics
    )
