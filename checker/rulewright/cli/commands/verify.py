"""Verifies specs: check, examples, proofs and reference engine, in one table.

Without a SPEC, verifies the games that come with the program, or with `--library` the library of
well-known games.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence

from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_codes import UNDECIDED
from rulewright.cli.exit_status import STATUS, counted, gravest
from rulewright.cli.inputs.read_specs import read_specs, report_on
from rulewright.cli.options import add_distribution, add_format, add_limit, add_specs
from rulewright.cli.output.verify_columns import COLUMNS, Column, ColumnResult
from rulewright.cli.progress import Progress
from rulewright.frontend import LoadedSpec
from rulewright.report.emit import emit
from rulewright.report.model import Cell, Result, Table
from rulewright.resources import bundled_games, library_games
from rulewright.system.interrupts import Limit, StoppedError


def configure(parser: ArgumentParser) -> None:
    """The arguments of `verify`."""
    add_specs(parser, optional=True)
    add_format(parser)
    add_limit(parser)
    add_distribution(parser)
    parser.add_argument("--library", action="store_true",
                        help="the games of the library, beside every SPEC")  # fmt: skip
    parser.add_argument("--no-prove", action="store_true",
                        help="leave out the proofs, which take minutes the first time")  # fmt: skip


def parts(options: Namespace) -> list[Namespace]:
    """What is verified apart from each other: each spec."""
    return [
        Namespace(**{**vars(options), "specs": [each], "library": False})
        for each in asked_for(options)
    ]


def asked_for(options: Namespace) -> list[str]:
    """The specs that are to be verified; without one, the bundled games."""
    if options.library:
        return [*options.specs, *library_games()]
    return options.specs or list(bundled_games())


def run(options: Namespace) -> int:
    """Verifies every spec in every column and reports on all of them."""
    arguments = asked_for(options)
    if not arguments:
        raise RefusalError("no games come with this program", "name the specs to verify")
    columns = [each for each in COLUMNS if not (options.no_prove and each.takes_long)]
    left_out = [each.name for each in COLUMNS if each not in columns]
    with Progress(sys.stderr) as progress:
        progress.say("reading specs")
        specs = read_specs(arguments)
        judged: list[dict[str, ColumnResult]] = [{} for _ in specs]
        ending: Limit = options.ending
        for spec, judgements in zip(specs, judged):
            judge(spec, columns, progress, ending, judgements)
    exits = [judgement.exit for judgements in judged for judgement in judgements.values()]
    missing = [
        f"{name_of(spec)}: {column.name}"
        for spec, judgements in zip(specs, judged)
        for column in columns
        if column.name not in judgements and (spec.spec is not None or not column.needs_spec)
    ]
    results = [result_of(spec, judgements) for spec, judgements in zip(specs, judged)]
    if ending.over:
        exits.append(UNDECIDED)
    holding = sum(result.status == "holds" for result in results)
    said = [judgement for judgements in judged for judgement in judgements.values()]
    report = report_on(
        "verify",
        specs,
        results=results,
        summary={
            "specs": len(specs),
            "hold": holding,
            **({"stopped": ending.reason, "missing": missing} if ending.over else {}),
        },
        exit=gravest(exits),
        found=[found for judgement in said for found in judgement.found],
        table=table_of(specs, columns, judged),
        closing=f"verified {counted(len(specs), 'spec')}: {_how_many_hold(holding, len(specs))}"
        + (f"; left out: {', '.join(left_out)} (`--no-prove`)" if left_out else "")
        + (
            f"\nnot everything was verified: {ending.reason}{_not_begun(missing)}"
            if ending.over
            else ""
        ),
    )
    return emit(report, options.format, sys.stdout, sys.stderr)


def judge(
    checked: LoadedSpec, columns: Sequence[Column], progress: Progress, ending: Limit,
    judgements: dict[str, ColumnResult],
) -> None:  # fmt: skip
    """Adds what each column that can judge this spec says of it, until the run is to end."""
    for column in columns:
        if ending.over or (checked.spec is None and column.needs_spec):
            continue
        progress.say(f"verifying {name_of(checked)}: {column.name}")
        try:
            judgements[column.name] = column.judge(checked, progress.say, ending)
        except StoppedError as end:
            progress.say(end.why)


def result_of(checked: LoadedSpec, judgements: Mapping[str, ColumnResult]) -> Result:
    """All that was found out about one spec."""
    exits = [judgement.exit for judgement in judgements.values()]
    status = STATUS[gravest(exits) if exits else UNDECIDED]
    data: dict[str, object] = {"spec": checked.file, "spec_hash": checked.hash, "verdict": status}
    for name, judgement in judgements.items():
        data[name] = {"verdict": STATUS[judgement.exit], **judgement.data}
    found = [each for judgement in judgements.values() for each in judgement.found]
    return Result(checked.file, status, data, diagnostics=(*checked.diagnostics, *found))


def table_of(
    specs: Sequence[LoadedSpec],
    columns: Sequence[Column],
    judged: Sequence[Mapping[str, ColumnResult]],
) -> Table:
    """A row per spec, a column per thing verified, `-` where it could not be."""
    return Table(
        headings=("game", *(column.name for column in columns)),
        rows=tuple(
            (Cell(name_of(spec)), *(_cell(judgements.get(column.name)) for column in columns))
            for spec, judgements in zip(specs, judged)
        ),
    )


def name_of(checked: LoadedSpec) -> str:
    """What a person calls the spec: the game's name, or its file if it cannot be used."""
    return checked.spec.name if checked.spec is not None else checked.file


def _how_many_hold(holding: int, all_of_them: int) -> str:
    if holding == all_of_them:
        return "it holds" if all_of_them == 1 else "all hold"
    return f"{holding} of {all_of_them} hold" if all_of_them > 1 else "it does not hold"


def _not_begun(missing: Sequence[str]) -> str:
    return f"; nothing is known of {', '.join(missing)}" if missing else ""


def _cell(judgement: ColumnResult | None) -> Cell:
    return Cell("-") if judgement is None else Cell(judgement.text, STATUS[judgement.exit])
