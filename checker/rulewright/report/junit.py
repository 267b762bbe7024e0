"""JUnit XML, which build servers show as a table of tests: one test case per result.

A result that does not hold carries its diagnostics as text. Errors that no result speaks for get
a case per file, so that none is ever left out.
"""

from __future__ import annotations

from xml.etree import ElementTree as xml

from rulewright.diagnostics import Diagnostic
from rulewright.hidden_characters import visible
from rulewright.report.model import Report, Result

_ELEMENTS = {"fails": "failure", "undecided": "error", "unusable": "error", "bug": "error"}


def render(report: Report) -> str:
    """One test suite for the command, one case per result."""
    results = report.results + tuple(_results_nobody_gave(report))
    counted = [_ELEMENTS.get(result.status) for result in results]
    suite = xml.Element(
        "testsuite",
        name=f"rulewright {report.command}",
        tests=str(len(results)),
        failures=str(counted.count("failure")),
        errors=str(counted.count("error")),
        skipped="0",
        time=f"{sum(result.seconds or 0.0 for result in results):.3f}",
    )
    for result in results:
        _add_case(suite, report, result)
    suites = xml.Element("testsuites", name="rulewright")
    suites.append(suite)
    xml.indent(suites)
    body: str = xml.tostring(suites, encoding="us-ascii").decode("ascii")
    return body + "\n"


def _add_case(suite: xml.Element, report: Report, result: Result) -> None:
    case = xml.SubElement(
        suite,
        "testcase",
        name=_clean(result.name),
        classname=f"rulewright.{report.command}",
        time=f"{result.seconds or 0.0:.3f}",
    )
    lines = [*result.lines, *map(_line, result.diagnostics)]
    element = _ELEMENTS.get(result.status)
    if element is not None:
        errors = (found.message for found in result.diagnostics if found.severity == "error")
        first = next(errors, next(iter(result.lines), result.status))
        problem = xml.SubElement(case, element, message=_clean(first), type=result.status)
        problem.text = _clean("\n".join(lines))
    elif lines:
        xml.SubElement(case, "system-out").text = _clean("\n".join(lines))


def _results_nobody_gave(report: Report) -> list[Result]:
    """A failing result for each file with errors that are not part of any result."""
    spoken_for = {found for result in report.results for found in result.diagnostics}
    by_file: dict[str, list[Diagnostic]] = {}
    for found in report.diagnostics:
        if found.severity == "error" and found not in spoken_for:
            by_file.setdefault(found.file, []).append(found)
    return [
        Result(name=file, status="fails", data={}, diagnostics=tuple(errors))
        for file, errors in by_file.items()
    ]


def _line(found: Diagnostic) -> str:
    place = f"{found.file}:{found.line}:{found.column}"
    line = f"{place}: {found.severity} {found.code} {found.message}"
    return line if found.help is None else f"{line}\nhelp: {found.help}"


def _clean(text: str) -> str:
    """Without the characters that XML cannot hold in any form, and those that nobody sees."""
    return visible(text)
