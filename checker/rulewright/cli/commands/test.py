"""Plays the worked examples of specs and says which do not go as expected."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from rulewright.cli.exit_codes import FAILS, HOLDS, UNDECIDED
from rulewright.cli.exit_status import STATUS, counted, exit_for, gravest
from rulewright.cli.inputs.read_specs import read_specs, report_on
from rulewright.cli.options import add_format, add_limit, add_specs
from rulewright.cli.progress import Progress
from rulewright.diagnostics import Diagnostic, Messages, Text
from rulewright.frontend import LoadedSpec
from rulewright.play.explain.examples import ExampleFailure, PlayedExample, play_examples
from rulewright.play.explain.text_picture import picture
from rulewright.report.emit import emit
from rulewright.report.model import Result
from rulewright.syntax.node import Span
from rulewright.system.interrupts import StoppedError


def configure(parser: ArgumentParser) -> None:
    """The arguments of `test`."""
    add_specs(parser)
    add_limit(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    """Plays every example of every spec."""
    specs = read_specs(options.specs)
    results: list[Result] = []
    found: list[Diagnostic] = []
    exits = [exit_for(_unusable(spec)) for spec in specs]
    stopped: str | None = None
    with Progress(sys.stderr) as progress:
        try:
            for spec in specs:
                if spec.spec is None:
                    continue
                progress.say(f"playing the examples of {spec.spec.name}")
                for each in play_examples(spec.spec, spec.variant):
                    results.append(result_of(spec, each))
                    found += results[-1].diagnostics
                if not spec.spec.examples:
                    found.append(no_examples(spec))
        except StoppedError as end:
            stopped = end.why
            exits.append(UNDECIDED)
    failed = sum(result.status != "holds" for result in results)
    exits.append(FAILS if found else HOLDS)
    shown = [spec for spec in specs if spec.spec is None]
    report = report_on(
        "test",
        specs,
        results=results,
        summary={
            "examples": len(results),
            "passed": len(results) - failed,
            "failed": failed,
            **({} if stopped is None else {"stopped": stopped}),
        },
        exit=gravest(exits),
        found=found,
        closing=f"played {counted(len(results), 'example')}: {_how_they_went(failed, shown)}"
        + ("" if stopped is None else f"\nnot all were played: {stopped}"),
    )
    return emit(report, options.format, sys.stdout, sys.stderr)


def result_of(spec: LoadedSpec, played: PlayedExample) -> Result:
    """How one example went; a failing one is shown with the position it stopped at."""
    name = played.example.name
    data: dict[str, object] = {
        "name": name,
        "spec": spec.file,
        "verdict": "passed" if played.passed else "failed",
        "clauses": list(played.example.clauses),
        "expected": played.failure.expected if played.failure else None,
        "got": played.failure.got if played.failure else None,
    }
    if played.failure is None:
        return Result(name, "holds", data)
    found = diagnostics_of(spec, played, played.failure)
    lines: tuple[str, ...] = ()
    if played.position is not None:
        drawn = picture(played.instance, played.position, played.example.seats)
        lines = (f"the position when `{name}` stopped:", *(f"  {line}" for line in drawn), "")
    return Result(name, STATUS[FAILS], data, lines, found)


def diagnostics_of(
    spec: LoadedSpec, played: PlayedExample, failure: ExampleFailure
) -> tuple[Diagnostic, ...]:
    """What went wrong, at the line of the example; and the line of the rules that gave up."""
    example = played.example
    cites = f" [{', '.join(example.clauses)}]" if example.clauses else ""
    message = f"the example `{example.name}`{cites} fails: {failure.message}"
    return (_found(spec, failure.cause or failure.span, message, failure.help),)


def no_examples(spec: LoadedSpec) -> Diagnostic:
    """A spec without examples was not tested, and is not reported as if it had been."""
    help = "play one of the rulebook's in an `example`"
    return _found(spec, Span(0, 0), "the spec has no worked examples", help)


def _found(spec: LoadedSpec, span: Span, message: str, help: str | None) -> Diagnostic:
    text = spec.text or Text(spec.file, "")
    messages = Messages(text)
    messages.error("RW510", span, message, help)
    return messages.all[0]


def _unusable(spec: LoadedSpec) -> Sequence[Diagnostic]:
    """What keeps a spec from being played; missing evidence does not."""
    return spec.diagnostics if spec.spec is None else ()


def _how_they_went(failed: int, unusable: Sequence[LoadedSpec]) -> str:
    parts = [f"{failed} failed"] if failed else []
    if not parts and not unusable:
        parts.append("all as expected")
    if unusable:
        parts.append(f"{counted(len(unusable), 'spec')} cannot be used")
    return ", ".join(parts)
