"""Typesets rulebooks for print, as PDF.

Each spec gets a folder with an A5 booklet, the same for A4, a page to have at hand in play, and
sheets to write on. Nothing is proved: `rulewright docs` makes the pages that show the evidence.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_codes import UNDECIDED, UNUSABLE
from rulewright.cli.exit_status import counted, exit_for, gravest
from rulewright.cli.inputs.read_specs import read_specs, report_on
from rulewright.cli.inputs.reading_language import told_in
from rulewright.cli.options import add_format, add_language, add_limit, add_specs
from rulewright.cli.progress import Progress
from rulewright.frontend import LoadedSpec
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.report.emit import emit
from rulewright.report.model import Result
from rulewright.system.atomic_write import make_folder, short_name, write_whole_bytes
from rulewright.system.interrupts import StoppedError
from rulewright.translate.wording import Wording


def configure(parser: ArgumentParser) -> None:
    """The arguments of `rulebook`."""
    add_specs(parser)
    add_format(parser)
    parser.add_argument("--pdf", action="store_true", required=True, help="write PDF files")
    add_language(parser)
    parser.add_argument("--out", metavar="DIR", required=True, help="the folder to write to")
    add_limit(parser)


def run(options: Namespace) -> int:
    """Typesets every spec that can be used."""
    specs = read_specs(options.specs)
    made: list[tuple[LoadedSpec, list[str], tuple[str, ...]]] = []
    stopped = None
    with Progress(sys.stderr) as progress:
        try:
            for spec in specs:
                if spec.spec is not None:
                    progress.say(f"typesetting the rulebook of {spec.spec.name}")
                    told, wording, notes = told_in(spec, options.language)
                    made.append((spec, [], notes))
                    for name in _written(told, wording, Path(options.out)):
                        made[-1][1].append(name)
        except StoppedError as end:
            stopped = end.why
    unusable = [spec for spec in specs if spec.spec is None]
    number = sum(len(files) for _, files, _ in made)
    report = report_on(
        "rulebook",
        specs,
        results=[_result(spec, files, notes, options) for spec, files, notes in made],
        summary={
            "specs": len(specs),
            "files": number,
            **({} if stopped is None else {"stopped": stopped}),
        },
        exit=gravest(
            [exit_for(spec.diagnostics) or UNUSABLE for spec in unusable]
            + ([] if stopped is None else [UNDECIDED])
        ),
        closing=f"wrote {counted(number, 'file')} about {counted(len(made), 'spec')}"
        + ("" if stopped is None else f"\nnot everything was written: {stopped}"),
    )
    return emit(report, options.format, sys.stdout, sys.stderr)


def _result(
    spec: LoadedSpec, files: list[str], notes: tuple[str, ...], options: Namespace
) -> Result:
    """What was written about one spec."""
    assert spec.spec is not None
    folder = Path(options.out) / short_name(spec.spec.name)
    data = {"spec": spec.file, "spec_hash": spec.hash, "folder": str(folder),
            "language": options.language, "files": files}  # fmt: skip
    said = f"{folder}: {', '.join(files) or 'nothing'}"
    return Result(spec.file, "holds", data, (said, *notes))


def _written(told: LoadedSpec, wording: Wording, out: Path) -> Iterator[str]:
    """Writes the files of one spec into a folder of its name; says which are there."""
    from rulewright.site.model.book import Book
    from rulewright.site.model.verdicts import read_verdicts
    from rulewright.site.typeset.printer import NoTypesetterError, TypesetterError, printed

    book = Book(told, read_verdicts([]), wording)
    folder = out / short_name(book.name)
    try:
        make_folder(folder)
        for name, content in printed(book):
            write_whole_bytes(folder / name, content, follow=False)
            yield name
    except NoTypesetterError as error:
        raise RefusalError(
            "typesetting needs Typst, which is not installed",
            "install it with `pip install 'rulewright[print]'`",
        ) from error
    except TypesetterError as error:
        if error.code >= 0:  # a mistake in our template, say
            raise
        raise MemoryError from error
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise RefusalError(
            f"`{folder}` cannot be written: {reason}", "name another folder with --out"
        ) from error
    except (UsageError, EvaluationError) as error:
        raise RefusalError(
            f"no rulebook can be made of `{told.file}`: {error.message}",
            getattr(error, "help", None) or "`rulewright test` and `run` show where it gives up",
        ) from error
