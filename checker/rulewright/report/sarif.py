"""SARIF 2.1.0, the format code-scanning services read: every diagnostic with the rule it breaks.

The rules are the codes of `rulewright.codes`; a code that is not registered there still becomes a
rule, without an explanation. Columns count code points from 1, ends are exclusive, as ours are.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from urllib.parse import quote

from rulewright.codes import REGISTRY, DiagnosticCode
from rulewright.diagnostics import Diagnostic, Fix
from rulewright.hidden_characters import visible
from rulewright.report.model import Report

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LINK = re.compile(r"\[(?=[^\]]*\]\()")
"""Where a viewer would see a link in a message: `[text](address)`."""
_LEVELS = {"error": "error", "warning": "warning"}


def render(report: Report, known: Mapping[str, DiagnosticCode] = REGISTRY) -> str:
    """A log with one run; the codes that are known are explained."""
    codes = sorted(known.keys() | {found.code for found in report.diagnostics})
    index = {code: position for position, code in enumerate(codes)}
    run = {
        "tool": {
            "driver": {
                "name": "Rulewright",
                "semanticVersion": report.version,
                "rules": [_rule(code, known.get(code)) for code in codes],
            }
        },
        "invocations": [{"executionSuccessful": report.exit != 4, "exitCode": report.exit}],
        "columnKind": "unicodeCodePoints",
        "results": [_result(found, index[found.code]) for found in report.diagnostics],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(name: str, code: DiagnosticCode | None) -> dict[str, object]:
    if code is None:
        return {"id": name}
    rule: dict[str, object] = {
        "id": name,
        "shortDescription": {"text": code.title},
        "fullDescription": {"text": code.meaning},
    }
    if code.example:
        rule["help"] = {"text": f"instead of\n\n{code.example}\nwrite\n\n{code.fix}"}
    return rule


def _result(found: Diagnostic, rule_index: int) -> dict[str, object]:
    text = found.message if found.help is None else f"{found.message}\nhelp: {found.help}"
    text = _LINK.sub(r"\\[", visible(text))
    result: dict[str, object] = {
        "ruleId": found.code,
        "ruleIndex": rule_index,
        "level": _LEVELS.get(found.severity, "note"),
        "message": {"text": text},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _uri(found.file)},
                    "region": {
                        "startLine": found.line,
                        "startColumn": found.column,
                        "endLine": found.end_line,
                        "endColumn": found.end_column,
                    },
                }
            }
        ],
    }
    if found.fix is not None:
        result["fixes"] = [_fix(found, found.fix)]
    return result


def _fix(found: Diagnostic, fix: Fix) -> dict[str, object]:
    """A change of the file that a viewer can make."""
    region = {
        "startLine": fix.line,
        "startColumn": fix.column,
        "endLine": fix.end_line,
        "endColumn": fix.end_column,
    }
    replacement = {"deletedRegion": region, "insertedContent": {"text": fix.text}}
    change = {"artifactLocation": {"uri": _uri(found.file)}, "replacements": [replacement]}
    described = _LINK.sub(r"\\[", visible(found.help or found.message))
    return {"description": {"text": described}, "artifactChanges": [change]}


def _uri(file: str) -> str:
    """A relative path as a relative reference, an absolute one as a `file:` address."""
    path = quote(os.fsencode(file.replace(os.sep, "/")))
    if not os.path.isabs(file):
        return path
    return f"file://{path if path.startswith('/') else '/' + path}"
