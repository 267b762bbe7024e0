"""Formats files in the canonical layout. Files with syntax errors are left unchanged.

FILE `-` formats standard input to standard output.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from rulewright import __version__
from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_codes import FAILS, HOLDS, UNUSABLE
from rulewright.cli.exit_status import STATUS, counted, gravest
from rulewright.cli.options import add_format
from rulewright.diagnostics import Diagnostic, Text
from rulewright.frontend import read
from rulewright.report.emit import emit
from rulewright.report.model import Report, Result
from rulewright.syntax.node import Node
from rulewright.syntax.printing.formatter import format_text
from rulewright.system.atomic_write import write_whole

STDIN = "-"


class FormatOutcome(Node):
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


def lay_out(file: str, check: bool) -> FormatOutcome:
    """Brings one file into its layout, or with `check` only compares."""
    checked = read(Path(file))
    if checked.text is None:
        return FormatOutcome(checked.file, UNUSABLE, False, checked.diagnostics)
    outcome, after = compare(checked.text)
    if check or after is None or not outcome.changed:
        return outcome
    try:
        write_whole(Path(file), after)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        found = Diagnostic(file, 1, 1, 1, 1, "RW014", "error", f"cannot write it: {reason}")
        return FormatOutcome(file, UNUSABLE, False, (found,), checked.text)
    return FormatOutcome(file, HOLDS, True, (), checked.text)


def compare(text: Text) -> tuple[FormatOutcome, str | None]:
    """Whether a text is as it should be, and how it should be, unless it cannot be read."""
    after, found = format_text(text.text, text.file)
    if after is None:
        return FormatOutcome(text.file, UNUSABLE, False, tuple(found), text), None
    if after == text.text:
        return FormatOutcome(text.file, HOLDS, False, (), text), after
    return FormatOutcome(text.file, FAILS, True, (_first_difference(text, after),), text), after


def report_of(outcomes: list[FormatOutcome], check: bool) -> Report:
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
