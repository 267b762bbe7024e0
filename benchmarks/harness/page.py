"""The page of the documentation, with its charts, made from results.json and nothing else.

What each module measured and how is its own docstring, as it was when the answers were given; where
somebody else is ahead is worked out from the rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from benchmarks.harness import chart
from benchmarks.harness.measure import ROOT, SEED, Row
from benchmarks.harness.results import Answers, Results
from benchmarks.harness.table import better, number

PAGE = ROOT / "docs" / "explanation" / "benchmarks.md"
CHARTS = ROOT / "docs" / "assets" / "benchmarks"
TITLES = {
    "startup": "Starting and checking",
    "editor": "Answering an editor",
    "play": "Random play",
    "wasm": "Rules compiled to WebAssembly",
    "replay": "Replaying recorded games",
    "board": "Checking a large board",
    "invariants": "Proving",
    "hunting": "Finding games",
    "reproof": "Proving again",
    "prove": "Growth and overhead of proofs",
    "games": "Proving whole games",
    "certify": "Certifying proofs",
    "diff": "What a rule change does",
    "conform": "Testing an engine against the rules",
    "cluster": "Work on a cluster",
}
INTRODUCTION = """\
# Benchmarks

<!-- Made by `make bench` from benchmarks/results.json; do not edit. -->

How fast the program is, compared with the tools that people would use instead. The same small part
of Qwixx was written for each tool, in `benchmarks/peers`; each file says what it leaves out.
Absolute figures are those of one machine. What counts are the ratios, all measured in one run.

Times are CPU seconds of a process and its children. Starting and checking, proving whole games, and
engines side by side are also measured by the clock. Contestants take turns. Every figure is a
median, with the lowest and the highest value beside it. The last column is the slowdown compared
with the best in the table. A tool that was not installed is listed as skipped. To measure on your
machine, run `make bench-peers`, then `make bench`.
"""


def write(results: Results, page: Path = PAGE, charts: Path = CHARTS) -> None:
    """Writes the page and its charts, and removes charts that it no longer shows."""
    charts.mkdir(parents=True, exist_ok=True)
    drawn = dict(drawings(results))
    for name, text in drawn.items():
        (charts / name).write_text(text, encoding="utf-8")
    for old in charts.glob("*.svg"):
        if old.name not in drawn:
            old.unlink()
    page.write_text(text_of(results), encoding="utf-8")


def text_of(results: Results) -> str:
    """The page."""
    parts = [INTRODUCTION, _machine(results), _behind(results)]
    parts += [_section(each) for each in results.answers]
    return "\n".join(parts)


def drawings(results: Results) -> Iterator[tuple[str, str]]:
    """The charts by their file names."""
    for question, rows in _by_question(results.rows):
        if _grows(rows):
            yield _file(question), chart.lines(rows)
        elif len(rows) > 1:
            yield _file(question), chart.bars(rows)


def _machine(results: Results) -> str:
    machine = ", ".join(f"{name} {value}" for name, value in results.machine.items())
    versions = ", ".join(f"{name} {value}" for name, value in results.versions.items())
    quick = "A quick run: the figures are rough. " if results.quick else ""
    return (
        f"{quick}Taken on {results.taken}: {machine}. Versions: {versions}. Random numbers begin "
        f"with seed {SEED}.\n"
    )


def _behind(results: Results) -> str:
    """Every question in which somebody else is ahead of the best of ours."""
    found = []
    for question, rows in _by_question(results.rows):
        for size in dict.fromkeys(row.at for row in rows):
            here = [row for row in rows if row.at == size and not _is_yardstick(row)]
            ours = [row for row in here if chart.is_ours(row.subject)]
            theirs = [row for row in here if not chart.is_ours(row.subject)]
            if not ours or not theirs:
                continue
            best = ours[0]
            for row in ours:
                best = row if better(row, best) else best
            at = "" if size is None else f" ({size:,.0f})"
            found += [
                f"- {question}{at}: {row.subject} {number(row.median)} {row.unit}, "
                f"{best.subject} {number(best.median)} {row.unit}"
                for row in theirs
                if better(row, best)
            ]
    failed = [f"- not measured: {a.module}: {why}" for a in results.answers for why in a.failures]
    lines = [*found, *failed] or ["No peer is faster in any of the shared questions."]
    return "\n".join(["## Where we lose", "", *lines, ""])


def _section(answers: Answers) -> str:
    title = TITLES.get(answers.module, answers.module)
    parts = [f"## {title}", "", answers.about, ""]
    for question in dict.fromkeys(row.question for row in answers.rows):
        rows = [row for row in answers.rows if row.question == question]
        parts += [f"### {question[0].upper()}{question[1:]}", "", *_table(rows), ""]
        measured = [row for row in rows if row.values]
        if len(measured) > 1:
            parts += [f"![{question}](../assets/benchmarks/{_file(question)})", ""]
    if answers.failure:
        parts += [f"Not all was measured: {answers.failure}.", ""]
    return "\n".join(parts)


def _table(rows: list[Row]) -> Iterator[str]:
    sized = any(row.at is not None for row in rows)
    yield f"| {'size | ' if sized else ''}who | median | lowest to highest | slowdown |"
    yield f"|{'---:|' if sized else ''}---|---:|---:|---:|"
    for row in rows:
        size = ("" if row.at is None else f"{row.at:,.0f}") + " | " if sized else ""
        note = f" ({row.note})" if row.note else ""
        if row.values:
            low, high = map(number, row.spread)
            spread = f"{low} to {high}" if len(row.values) > 1 else ""
            behind = _behind_best(row, rows)
            median = f"{number(row.median)} {row.unit}"
            yield f"| {size}{row.subject}{note} | {median} | {spread} | {behind} |"
        else:
            yield f"| {size}{row.subject} | {row.note} | | |"


def _behind_best(row: Row, rows: list[Row]) -> str:
    """How many times as slow a row is as the best of the same size; nothing if it is alone."""
    rivals = [each for each in rows if each.values and each.at == row.at]
    best = row
    for each in rivals:
        best = each if better(each, best) else best
    if len(rivals) == 1 or not row.median or not best.median:
        return ""
    ratio = row.median / best.median
    return f"{number(1 / ratio if ratio < 1 else ratio)} ×"


def _by_question(rows: list[Row]) -> Iterator[tuple[str, list[Row]]]:
    measured = [row for row in rows if row.values]
    for question in dict.fromkeys(row.question for row in measured):
        yield question, [row for row in measured if row.question == question]


def _grows(rows: list[Row]) -> bool:
    return len({row.at for row in rows if row.at is not None}) > 1


def _is_yardstick(row: Row) -> bool:
    """Whether a row is there to be measured against, not a way to do the same."""
    return row.subject.startswith(("python -c", "random play", "grid", "engine "))


def _file(question: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", question.lower()).strip("-") + ".svg"
