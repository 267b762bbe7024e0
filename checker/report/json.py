"""One JSON object per command, for programs. Its keys are a contract; add, never rename.

Characters outside ASCII are escaped, so that the object survives any terminal and any pipe.
"""

from __future__ import annotations

import json

from checker.message import Diagnostic
from checker.report.record import Report


def render(report: Report) -> str:
    """The report as one object on one line per key, findings included."""
    return json.dumps(as_object(report), indent=2) + "\n"


def as_object(report: Report) -> dict[str, object]:
    """The report as plain containers."""
    return {
        "command": report.command,
        "version": report.version,
        "spec": report.spec,
        "spec_hash": report.spec_hash,
        "results": [dict(result.data) for result in report.results],
        "diagnostics": [diagnostic_as_object(found) for found in report.diagnostics],
        "summary": dict(report.summary),
        "exit": report.exit,
    }


def diagnostic_as_object(found: Diagnostic) -> dict[str, object]:
    """A diagnostic as plain containers."""
    return {
        "file": found.file,
        "line": found.line,
        "column": found.column,
        "end_line": found.end_line,
        "end_column": found.end_column,
        "code": found.code,
        "severity": found.severity,
        "message": found.message,
        "help": found.help,
    }
