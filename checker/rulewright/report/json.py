"""One JSON object per command, for programs. Its keys are a contract; add, never rename.

Characters outside ASCII are escaped, so that the object survives any terminal and any pipe.
"""

from __future__ import annotations

import json

from rulewright.diagnostics import Diagnostic, Fix
from rulewright.report.model import Report


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
        "fix": None if found.fix is None else fix_as_object(found.fix),
    }


def fix_as_object(fix: Fix) -> dict[str, object]:
    """A fix as plain containers."""
    return {
        "line": fix.line,
        "column": fix.column,
        "end_line": fix.end_line,
        "end_column": fix.end_column,
        "text": fix.text,
    }
