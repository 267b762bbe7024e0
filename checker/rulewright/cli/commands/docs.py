"""Writes the pages of specs: rules, turn, examples, what is proved, what is open.

Each spec is proved first, unless the verdicts are at hand. Then it gets a folder of Markdown files
with embedded pictures. The MkDocs plugin makes the same pages within a site.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_codes import UNDECIDED, UNUSABLE
from rulewright.cli.exit_status import counted, exit_for, gravest
from rulewright.cli.inputs.read_specs import read_specs, report_on
from rulewright.cli.main import refuse_request
from rulewright.cli.options import add_format, add_limit, add_specs, add_timeout
from rulewright.cli.progress import Progress
from rulewright.frontend import LoadedSpec
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.report.emit import emit
from rulewright.report.model import Result
from rulewright.site.model.evidence_runs import FOLDER, EvidenceBudget, EvidenceRunError, ask
from rulewright.site.model.verdicts import Verdicts, VerdictsError, files_in, read_verdicts
from rulewright.system.atomic_write import make_folder, short_name, write_whole
from rulewright.system.interrupts import StoppedError


def configure(parser: ArgumentParser) -> None:
    """The arguments of `docs`."""
    add_specs(parser)
    add_format(parser)
    parser.add_argument("--out", metavar="DIR", required=True, help="the folder to write to")
    parser.add_argument(
        "--verdicts",
        metavar="DIR",
        default=FOLDER,
        help="where verdicts are kept, and what `rulewright prove`, `readings` and `conform` "
        f"printed with `--format json` may be put ({FOLDER})",
    )
    parser.add_argument(
        "--no-prove", action="store_true",
        help="prove nothing: say what the last verdicts say, and which of them are stale",
    )  # fmt: skip
    add_timeout(parser, EvidenceBudget().timeout, "for a question of a proof")
    add_limit(parser)


def run(options: Namespace) -> int:
    """Writes the pages of every spec that can be used."""
    specs = read_specs(options.specs)
    made: list[tuple[Result, int]] = []
    with Progress(sys.stderr) as progress:
        stopped = None
        try:
            if not options.no_prove:
                _prove(specs, options, progress)
        except EvidenceRunError as failed:
            progress.say("")
            return refuse_request("docs", options, failed.message, failed.help, failed.exit)
        except StoppedError as end:
            stopped = end.why
        verdicts = _verdicts(Path(options.verdicts))
        try:
            for spec in specs:
                if spec.spec is not None:
                    progress.say(f"writing the pages of {spec.spec.name}")
                    made.append(_write(spec, verdicts, Path(options.out)))
        except StoppedError as end:
            stopped = end.why
    unusable = [spec for spec in specs if spec.spec is None]
    number = sum(written for _, written in made)
    report = report_on(
        "docs",
        specs,
        results=[result for result, _ in made],
        summary={
            "specs": len(specs),
            "pages": number,
            **({} if stopped is None else {"stopped": stopped}),
        },
        exit=gravest(
            [exit_for(spec.diagnostics) or UNUSABLE for spec in unusable]
            + ([] if stopped is None else [UNDECIDED])
        ),
        closing=f"wrote {counted(number, 'page')} about {counted(len(made), 'spec')}"
        + ("" if stopped is None else f"\nnot everything was asked or written: {stopped}"),
    )
    return emit(report, options.format, sys.stdout, sys.stderr)


def _write(checked: LoadedSpec, verdicts: Verdicts, out: Path) -> tuple[Result, int]:
    """Writes the pages of one spec into a folder of its name, and says how many."""
    from rulewright.site.model.book import Book
    from rulewright.site.model.page_cache import usual_page_cache
    from rulewright.site.pages.page_list import kept_pages

    book = Book(checked, verdicts)
    folder = out / short_name(book.name)
    try:
        make_folder(folder)
        made = kept_pages(book, usual_page_cache())
        for name, text in made.items():
            write_whole(folder / name, text, follow=False)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise RefusalError(
            f"`{folder}` cannot be written: {reason}", "name another folder with --out"
        ) from error
    except (UsageError, EvaluationError) as error:
        raise RefusalError(
            f"no pages can be made of `{checked.file}`: {error.message}",
            getattr(error, "help", None) or "`rulewright test` and `run` show where it gives up",
        ) from error
    data = {"spec": checked.file, "spec_hash": checked.hash, "folder": str(folder),
            "pages": list(made)}  # fmt: skip
    said = f"{folder}: {counted(len(made), 'page')}"
    return Result(checked.file, "holds", data, (said,)), len(made)


def _prove(specs: list[LoadedSpec], options: Namespace, progress: Progress) -> None:
    """Asks for the verdicts that are not at hand."""
    folder = Path(options.verdicts)
    effort = EvidenceBudget(options.timeout)
    for spec in specs:
        if spec.spec is not None:
            try:
                ask(spec, Path(spec.file), folder, effort, progress.say, left=options.ending.left)
            except OSError as error:
                reason = (error.strerror or "unknown reason").lower()
                raise RefusalError(
                    f"`{folder}` cannot be written: {reason}", "name another with --verdicts"
                ) from error


def _verdicts(folder: Path) -> Verdicts:
    try:
        return read_verdicts(files_in(folder))
    except VerdictsError as error:
        raise RefusalError(str(error), "write it with `rulewright prove --format json`") from error
