"""Workflow commands that a GitHub Actions log turns into annotations on the changed lines.

An annotation has room for a message only. What a person reads of a result that does not hold, such
as a game, stands below in the log, folded, and is not taken for commands: the word that ends such a
story is made from the story itself, so that nobody can put it there beforehand.
"""

from __future__ import annotations

import hashlib

from rulewright.diagnostics import Diagnostic, Fix
from rulewright.hidden_characters import visible
from rulewright.report.model import Report, Result

_COMMANDS = {"error": "error", "warning": "warning"}


def render(report: Report) -> str:
    """One annotation per diagnostic, then a fold per result that has a story to tell."""
    shown = [_annotation(found) for found in report.diagnostics]
    for result in report.results:
        if result.lines and result.status != "holds":
            shown += _fold(result)
    return "".join(f"{line}\n" for line in shown)


def _fold(result: Result) -> list[str]:
    lines = [part for line in result.lines for part in visible(line).split("\n")]
    end = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    title = f"::group::{_data(result.name)}"
    return [title, f"::stop-commands::{end}", *lines, f"::{end}::", "::endgroup::"]


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
    if found.fix is not None:
        text += f"\n{_fix(found.fix)}"
    return f"::{_COMMANDS.get(found.severity, 'notice')} {listed}::{_data(text)}"


def _fix(fix: Fix) -> str:
    """What `rulewright check --fix` would change, in words: an annotation cannot offer it."""
    start, end = f"{fix.line}:{fix.column}", f"{fix.end_line}:{fix.end_column}"
    if start == end:
        return f"fix: put `{fix.text}` at {start}"
    if not fix.text:
        return f"fix: remove {start} to {end}"
    return f"fix: put `{fix.text}` instead of {start} to {end}"


def _data(text: str) -> str:
    """Escapes what would end the line or start an escape, and shows what is hidden."""
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escapes, besides, what separates properties."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
