"""A report with everything in it that makes a renderer stumble."""

from __future__ import annotations

import pytest

from rulewright.diagnostics import Diagnostic, Messages, Text
from rulewright.report.model import Cell, Report, Result, Table
from rulewright.syntax.node import Span

SOURCE = """\
game pig "Pig"
\tplayers 2..4
clause 数 must "a wide letter, then café"
move hold by p in throw
    needs enough "points, 100% of them":
        points[p] >= goal
step won in throw
"""


def diagnostics_of(text: Text) -> list[Diagnostic]:
    """Findings at a tab, after a wide letter and over several lines."""
    messages = Messages(text)

    def at(wanted: str, length: int | None = None) -> Span:
        start = text.text.index(wanted)
        return Span(start, start + (len(wanted) if length is None else length))

    messages.error("RW001", at("2..4"), "expected a number of players, not `2..4`")
    messages.warning("RW501", at("must"), "nothing proves `数`", "cite it in a property")
    needs = at("needs", text.text.index("step") - text.text.index("needs"))
    messages.error("RW102", needs, "`goal`, here, is 100% unknown", "one of:\n`points`\n`players`")
    return messages.sorted()


@pytest.fixture
def source() -> Text:
    return Text("games/pig, 100%.rules", SOURCE)


@pytest.fixture
def report(source: Text) -> Report:
    found = diagnostics_of(source)
    missing = Diagnostic("gone.rules", 1, 1, 1, 1, "RW002", "error", "there is no such file")
    return Report(
        command="check",
        version="1.2.3",
        spec=None,
        spec_hash=None,
        results=(
            Result(
                name=source.file,
                status="unusable",
                data={"spec": source.file, "verdict": "unusable"},
                diagnostics=tuple(found),
                seconds=0.25,
            ),
            Result(name="fine.rules", status="holds", data={"spec": "fine.rules"}),
        ),
        diagnostics=(*found, missing),
        summary={"specs": 3, "errors": 3, "warnings": 1},
        exit=2,
        texts=(source,),
        table=Table(
            headings=("spec", "check", "clauses"),
            rows=(
                (Cell("pig"), Cell("3 errors", "unusable"), Cell("-")),
                (Cell("数字"), Cell("ok", "holds"), Cell("41")),
            ),
        ),
        closing="checked 3 specs: 3 errors, 1 warning",
    )
