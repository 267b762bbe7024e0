"""Checks specs: syntax, names, types, lints, and whether every clause has its evidence."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from checker.cli.options import add_format, add_specs
from checker.cli.outcome import STATUS, counted, exit_for, gravest, in_words, tally
from checker.cli.specs import read_specs, report_on
from checker.front import Checked
from checker.report.emit import emit
from checker.report.record import Result


def configure(parser: ArgumentParser) -> None:
    """The arguments of `check`."""
    add_specs(parser)
    add_format(parser)
    parser.add_argument("--strict", action="store_true", help="warnings fail the check too")


def run(options: Namespace) -> int:
    """Checks every spec and reports on all of them."""
    specs = read_specs(options.specs)
    found = [each for spec in specs for each in spec.diagnostics]
    report = report_on(
        "check",
        specs,
        results=[result_of(spec, options.strict) for spec in specs],
        summary={"specs": len(specs), **tally(found)},
        exit=gravest(exit_for(spec.diagnostics, options.strict) for spec in specs),
        closing=f"checked {counted(len(specs), 'spec')}: {in_words(found)}",
    )
    return emit(report, options.format, sys.stdout, sys.stderr)


def result_of(spec: Checked, strict: bool = False) -> Result:
    """Whether one spec holds as far as it can be told without playing or proving."""
    status = STATUS[exit_for(spec.diagnostics, strict)]
    data = {
        "spec": spec.file,
        "spec_hash": spec.hash,
        "verdict": status,
        **tally(spec.diagnostics),
    }
    return Result(name=spec.file, status=status, data=data, diagnostics=spec.diagnostics)
