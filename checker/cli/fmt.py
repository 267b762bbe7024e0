"""Puts files into the canonical layout. What cannot be read is left exactly as it is.

FILE `-` is standard input, laid out to standard output.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from checker import __version__
from checker.cli.exits import FAILS, HOLDS, UNUSABLE
from checker.cli.options import add_format
from checker.cli.outcome import STATUS, counted, gravest
from checker.cli.refusal import RefusalError
from checker.cli.writing import write_whole
from checker.front import read
from checker.message import Diagnostic, Text
from checker.report.emit import emit
from checker.report.record import Report, Result
from checker.syntax.format import format_text
from checker.syntax.node import Node

STDIN = "-"


class Outcome(Node):
    """What became of one file; `changed` says that it was, or with --check would be, rewritten."""

    file: str
    exit: int
    changed: bool
    diagnostics: tuple[Diagnostic, ...]
    text: Text | None = None


def configure(parser: ArgumentParser) -> None:
    """The arguments of `fmt`."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="a `.rules` file, or `-`")
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit 1 if a file would change"
    )
    add_format(parser)


def run(options: Namespace) -> int:
    """Lays out every file that can be read, or with `--check` says which would change."""
    if STDIN not in options.files:
        outcomes = [lay_out(file, options.check) for file in dict.fromkeys(options.files)]
        return emit(report_of(outcomes, options.check), options.format, sys.stdout, sys.stderr)
    if options.files != [STDIN]:
        raise RefusalError("`-` cannot be mixed with files", "lay them out in two runs")
    outcome, after = compare(_standard_input())
    if after is not None and not options.check:
        sys.stdout.write(after)
        return HOLDS
    # Standard output is for the text alone.
    return emit(report_of([outcome], options.check), options.format, sys.stderr, sys.stderr)


def lay_out(file: str, check: bool) -> Outcome:
    """Brings one file into its layout, or with `check` only compares."""
    checked = read(Path(file))
    if checked.text is None:
        return Outcome(checked.file, UNUSABLE, False, checked.diagnostics)
    outcome, after = compare(checked.text)
    if check or after is None or not outcome.changed:
        return outcome
    try:
        write_whole(Path(file), after)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        found = Diagnostic(file, 1, 1, 1, 1, "RW014", "error", f"cannot write it: {reason}")
        return Outcome(file, UNUSABLE, False, (found,), checked.text)
    return Outcome(file, HOLDS, True, (), checked.text)


def compare(text: Text) -> tuple[Outcome, str | None]:
    """Whether a text is as it should be, and how it should be, unless it cannot be read."""
    after, found = format_text(text.text, text.file)
    if after is None:
        return Outcome(text.file, UNUSABLE, False, tuple(found), text), None
    if after == text.text:
        return Outcome(text.file, HOLDS, False, (), text), after
    return Outcome(text.file, FAILS, True, (_first_difference(text, after),), text), after


def report_of(outcomes: list[Outcome], check: bool) -> Report:
    """What became of all files."""
    results = [
        Result(
            name=each.file,
            status=STATUS[each.exit],
            data={"file": each.file, "verdict": STATUS[each.exit], "changed": each.changed},
            diagnostics=each.diagnostics,
        )
        for each in outcomes
    ]
    changed = sum(each.changed for each in outcomes)
    unusable = sum(each.exit == UNUSABLE for each in outcomes)
    unchanged = len(outcomes) - changed - unusable
    said = [
        f"{counted(changed, 'file')} {'would change' if check else 'changed'}" if changed else "",
        f"{unchanged} in order" if unchanged else "",
        f"{unusable} left alone" if unusable else "",
    ]
    return Report(
        command="fmt",
        version=__version__,
        spec=outcomes[0].file if len(outcomes) == 1 else None,
        spec_hash=None,
        results=tuple(results),
        diagnostics=tuple(found for each in outcomes for found in each.diagnostics),
        summary={"changed": changed, "unchanged": unchanged, "unusable": unusable},
        exit=gravest(each.exit for each in outcomes),
        texts=tuple(each.text for each in outcomes if each.text is not None),
        closing=", ".join(filter(None, said)),
    )


def _first_difference(text: Text, after: str) -> Diagnostic:
    """Points at the first line that is not as it should be."""
    before, wanted = text.text.split("\n"), after.split("\n")
    differing = (at for at, (old, new) in enumerate(zip(before, wanted)) if old != new)
    at = next(differing, min(len(before), len(wanted)) - 1)
    return Diagnostic(
        text.file,
        line=at + 1,
        column=1,
        end_line=at + 1,
        end_column=len(before[at]) + 1,
        code="RW509",
        severity="error",
        message="this file is not in the canonical layout",
        help=f"`rulewright fmt {text.file}` lays it out",
    )


def _standard_input() -> Text:
    try:
        return Text("<stdin>", sys.stdin.buffer.read().decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RefusalError("standard input is not UTF-8 text", "save it as UTF-8") from error
