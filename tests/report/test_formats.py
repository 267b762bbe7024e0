"""Every format, as somebody sees it and as a program reads it."""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as xml
from collections.abc import Callable

import pytest

from rulewright.codes import DiagnosticCode
from rulewright.diagnostics import Diagnostic
from rulewright.report import full, sarif
from rulewright.report.emit import FORMATS, emit
from rulewright.report.model import Report, Result
from rulewright.syntax.node import replace

SUFFIX = {"json": "json", "junit": "xml", "sarif": "sarif.json"}


def rendered(report: Report, format: str) -> str:
    out = io.StringIO()
    emit(report, format, out, io.StringIO())
    return out.getvalue()


@pytest.mark.parametrize("format", [each for each in FORMATS if each != "sarif"])
def test_looks_as_it_should(report: Report, format: str, golden: Callable[[str, str], None]):
    golden(f"report/{format}.{SUFFIX.get(format, 'txt')}", rendered(report, format))


def test_colour_marks_severity_and_place(report: Report, golden: Callable[[str, str], None]):
    golden("report/colour.txt", full.render(report, colour=True).replace("\x1b", "<ESC>"))


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_found_is_shown_without_stumbling(report: Report, format: str):
    nothing = replace(report, results=(), diagnostics=(), summary={}, exit=0, texts=(), table=None)
    text = rendered(nothing, format)
    if format in ("full", "concise", "github"):
        assert text == ""
    else:
        assert text.endswith("\n")


@pytest.mark.parametrize("format", FORMATS)
def test_every_error_is_in_every_format(report: Report, format: str):
    text = rendered(report, format)
    for found in report.diagnostics:
        assert found.code in text


def test_json_is_the_promised_object(report: Report):
    read = json.loads(rendered(report, "json"))
    assert list(read) == [
        "command", "version", "spec", "spec_hash", "results", "diagnostics", "summary", "exit",
    ]  # fmt: skip
    assert read["diagnostics"][0] == {
        "file": "games/pig, 100%.rules",
        "line": 2,
        "column": 10,
        "end_line": 2,
        "end_column": 14,
        "code": "RW001",
        "severity": "error",
        "message": "expected a number of players, not `2..4`",
        "help": None,
        "fix": None,
    }


@pytest.mark.parametrize("format", ["json", "junit", "sarif"])
def test_what_programs_read_is_ascii(report: Report, format: str):
    assert rendered(report, format).isascii()


def test_junit_counts_what_it_shows(report: Report):
    suite = xml.fromstring(rendered(report, "junit")).find("testsuite")
    assert suite is not None
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == [
        "games/pig, 100%.rules",
        "fine.rules",
        "gone.rules",
    ]
    assert int(suite.get("tests", "")) == len(cases)
    assert int(suite.get("errors", "")) == len(suite.findall("testcase/error")) == 1
    assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure")) == 1


def test_junit_stays_well_formed_whatever_somebody_wrote(report: Report):
    odd = Diagnostic("a\x00<&>\udc80.rules", 1, 1, 1, 2, "RW001", "error", "`]]>\x1b\ufffe`")
    shown = Result(name=odd.file, status="fails", data={}, diagnostics=(odd,))
    text = rendered(replace(report, diagnostics=(odd,), results=(shown,)), "junit")
    failure = xml.fromstring(text).find(".//failure")
    assert failure is not None
    assert "]]>" in (failure.text or "")


def test_junit_never_shows_an_undecided_result_as_passed(report: Report):
    unknown = Result(name="no_tie", status="undecided", data={}, lines=("unknown after 60 s",))
    text = rendered(replace(report, diagnostics=(), results=(unknown,)), "junit")
    assert xml.fromstring(text).find("testsuite/testcase/error") is not None


def test_github_escapes_what_separates(report: Report):
    line = rendered(report, "github").splitlines()[0]
    assert line.startswith("::error file=games/pig%2C 100%25.rules,line=2,endLine=2,col=10,")
    assert line.endswith("::expected a number of players, not `2..4`")
    assert len(rendered(report, "github").splitlines()) == len(report.diagnostics)


def test_github_has_the_story_of_what_does_not_hold_folded_in_the_log(report: Report):
    lines = ("the game:", "  ::error::1 plays pass")
    results = (Result("games", "fails", {}, lines), Result("examples", "holds", {}, ("quiet",)))
    shown = rendered(replace(report, results=results, diagnostics=()), "github")
    title, stop, *story, resume, end = shown.splitlines()
    assert (title, end) == ("::group::games", "::endgroup::")
    assert stop == f"::stop-commands::{resume.strip(':')}", "the story is not taken for commands"
    assert tuple(story) == lines


def test_sarif_has_what_the_schema_requires(report: Report):
    log = json.loads(rendered(report, "sarif"))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "Rulewright"
    rules = [rule["id"] for rule in driver["rules"]]
    assert len(rules) == len(set(rules))
    assert all(isinstance(each["executionSuccessful"], bool) for each in run["invocations"])
    for result, found in zip(run["results"], report.diagnostics, strict=True):
        assert rules[result["ruleIndex"]] == result["ruleId"] == found.code
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"].startswith(found.message)
        (location,) = result["locations"]
        region = location["physicalLocation"]["region"]
        assert region["startLine"] >= 1
        assert region["startColumn"] >= 1
        assert (region["endLine"], region["endColumn"]) == (found.end_line, found.end_column)
        uri = location["physicalLocation"]["artifactLocation"]["uri"]
        assert " " not in uri


def test_sarif_explains_the_codes_it_knows(report: Report):
    known = DiagnosticCode(
        "RW001", "unexpected text", "what it means", "fun f = 1 +\n", "fun f = 1\n"
    )
    (run,) = json.loads(sarif.render(report, {"RW001": known}))["runs"]
    assert run["tool"]["driver"]["rules"] == [
        {
            "id": "RW001",
            "shortDescription": {"text": "unexpected text"},
            "fullDescription": {"text": "what it means"},
            "help": {"text": "instead of\n\nfun f = 1 +\n\nwrite\n\nfun f = 1\n"},
        },
        {"id": "RW002"},
        {"id": "RW102"},
        {"id": "RW501"},
    ]


def test_sarif_addresses_an_absolute_path(report: Report):
    found = replace(report.diagnostics[0], file="/tmp/a b.rules")
    log = json.loads(rendered(replace(report, diagnostics=(found,)), "sarif"))
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "file:///tmp/a%20b.rules"


def test_the_closing_line_is_for_people_only(report: Report):
    for format in FORMATS:
        err = io.StringIO()
        assert emit(report, format, io.StringIO(), err) == report.exit
        read = format in ("full", "github")  # the log of a build is read by people
        assert err.getvalue() == (f"{report.closing}\n" if read else "")


def test_a_stream_that_cannot_show_a_letter_gets_its_escape(report: Report):
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    emit(report, "concise", out, io.StringIO())
    out.flush()
    assert b"nothing proves `\\u6570`" in raw.getvalue()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "coloured"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
    ],
)
def test_colour_only_on_a_terminal_that_wants_it(
    report: Report, stream, environment: dict[str, str], coloured: bool, monkeypatch
):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    stream.truncate(0)
    emit(report, "full", stream, io.StringIO())
    assert ("\x1b[" in stream.getvalue()) is coloured
