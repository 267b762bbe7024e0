"""Checks specs: syntax, names, types, lints, and whether every clause has its evidence."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from rulewright.cli.exit_status import STATUS, counted, exit_for, gravest, in_words, tally
from rulewright.cli.inputs.read_specs import read_specs, report_on
from rulewright.cli.options import add_format, add_specs
from rulewright.cli.output.named_files import reason
from rulewright.diagnostics import Diagnostic
from rulewright.fixes import mend
from rulewright.frontend import LoadedSpec
from rulewright.report.emit import emit
from rulewright.report.model import Result
from rulewright.syntax.node import replace
from rulewright.system.atomic_write import write_whole


def configure(parser: ArgumentParser) -> None:
    """The arguments of `check`."""
    add_specs(parser)
    add_format(parser)
    parser.add_argument("--strict", action="store_true", help="warnings fail the check too")
    parser.add_argument(
        "--fix", action="store_true", help="first mend what the program knows how to mend"
    )


def run(options: Namespace) -> int:
    """Checks every spec and reports on all of them."""
    specs = read_specs(options.specs)
    fixed = 0
    if options.fix:
        mended = [_mended(spec) for spec in specs]
        specs = [spec for spec, _ in mended]
        fixed = sum(count for _, count in mended)
    found = [each for spec in specs for each in spec.diagnostics]
    report = report_on(
        "check",
        specs,
        results=[result_of(spec, options.strict) for spec in specs],
        summary={"specs": len(specs), **tally(found), **({"fixed": fixed} if options.fix else {})},
        exit=gravest(exit_for(spec.diagnostics, options.strict) for spec in specs),
        closing=f"checked {counted(len(specs), 'spec')}: {in_words(found)}"
        + (f"; {fixed} fixed" if options.fix else ""),
    )
    return emit(report, options.format, sys.stdout, sys.stderr)


def _mended(spec: LoadedSpec) -> tuple[LoadedSpec, int]:
    """A spec after its file was mended, and how many fixes were made in it."""
    if spec.text is None or all(found.fix is None for found in spec.diagnostics):
        return spec, 0
    text, count, checked = mend(spec.file, spec.text.text)
    if not count:
        return spec, 0
    path = Path(spec.file)
    if b"\r\n" in path.read_bytes():
        text = text.replace("\n", "\r\n")
    try:
        write_whole(path, text)
    except OSError as error:
        found = Diagnostic(
            spec.file, 1, 1, 1, 1, "RW014", "error", f"cannot write it: {reason(error)}"
        )
        return replace(spec, diagnostics=(found, *spec.diagnostics)), 0
    return checked, count


def result_of(spec: LoadedSpec, strict: bool = False) -> Result:
    """Whether one spec holds as far as it can be told without playing or proving."""
    status = STATUS[exit_for(spec.diagnostics, strict)]
    data = {
        "spec": spec.file,
        "spec_hash": spec.hash,
        "verdict": status,
        **tally(spec.diagnostics),
    }
    return Result(name=spec.file, status=status, data=data, diagnostics=spec.diagnostics)
