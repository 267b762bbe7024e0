"""Workflow commands that a GitHub Actions log turns into annotations on the changed lines."""

from __future__ import annotations

from checker.message import Diagnostic
from checker.report.record import Report

_COMMANDS = {"error": "error", "warning": "warning"}


def render(report: Report) -> str:
    """One annotation per diagnostic."""
    return "".join(_annotation(found) + "\n" for found in report.diagnostics)


def _annotation(found: Diagnostic) -> str:
    properties: dict[str, object] = {
        "file": found.file.replace("\\", "/"),
        "line": found.line,
        "endLine": found.end_line,
    }
    if found.line == found.end_line:  # columns are only understood within a line
        properties |= {"col": found.column, "endColumn": found.end_column}
    properties["title"] = f"{found.severity} {found.code}"
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    text = found.message if found.help is None else f"{found.message}\nhelp: {found.help}"
    return f"::{_COMMANDS.get(found.severity, 'notice')} {listed}::{_data(text)}"


def _data(text: str) -> str:
    """Escapes what would end the line or start an escape."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escapes, besides, what separates properties."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
