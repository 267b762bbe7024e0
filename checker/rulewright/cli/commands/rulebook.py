"""Typesets rulebooks for print, as PDF.

Each spec gets a folder with an A5 booklet, the same for A4, a page to have at hand in play, and
sheets to write on. Nothing is proved: `rulewright docs` makes the pages that show the evidence.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_codes import UNUSABLE
from rulewright.cli.exit_status import counted, exit_for, gravest
from rulewright.cli.inputs.read_specs import read_specs, report_on
from rulewright.cli.inputs.reading_language import told_in
from rulewright.cli.options import add_format, add_language, add_specs
from rulewright.cli.progress import Progress
from rulewright.frontend import LoadedSpec
from rulewright.play.semantics.errors import EvaluationError, UsageError
from rulewright.report.emit import emit
from rulewright.report.model import Result


def configure(parser: ArgumentParser) -> None:
    """The arguments of `rulebook`."""
    add_specs(parser)
    add_format(parser)
    parser.add_argument("--pdf", action="store_true", required=True, help="write PDF files")
    add_language(parser)
    parser.add_argument("--out", metavar="DIR", required=True, help="the folder to write to")


def run(options: Namespace) -> int:
    """Typesets every spec that can be used."""
    specs = read_specs(options.specs)
    made: list[tuple[Result, int]] = []
    with Progress(sys.stderr) as progress:
        for spec in specs:
            if spec.spec is not None:
                progress.say(f"typesetting the rulebook of {spec.spec.name}")
                made.append(_write(spec, Path(options.out), options.language))
    unusable = [spec for spec in specs if spec.spec is None]
    number = sum(written for _, written in made)
    report = report_on(
        "rulebook",
        specs,
        results=[result for result, _ in made],
        summary={"specs": len(specs), "files": number},
        exit=gravest([exit_for(spec.diagnostics) or UNUSABLE for spec in unusable]),
        closing=f"wrote {counted(number, 'file')} about {counted(len(made), 'spec')}",
    )
    return emit(report, options.format, sys.stdout, sys.stderr)


def _write(checked: LoadedSpec, out: Path, language: str) -> tuple[Result, int]:
    """Writes the files of one spec into a folder of its name, and says how many."""
    from rulewright.site.model.book import Book
    from rulewright.site.model.verdicts import read_verdicts
    from rulewright.site.typeset.printer import NoTypesetterError, printed

    told, wording, found = told_in(checked, language)
    book = Book(told, read_verdicts([]), wording)
    folder = out / book.name
    files = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in printed(book):
            (folder / name).write_bytes(content)
            files.append(name)
    except NoTypesetterError as error:
        raise RefusalError(
            "typesetting needs Typst, which is not installed",
            "install it with `pip install 'rulewright[print]'`",
        ) from error
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise RefusalError(
            f"`{folder}` cannot be written: {reason}", "name another folder with --out"
        ) from error
    except (UsageError, EvaluationError) as error:
        raise RefusalError(
            f"no rulebook can be made of `{checked.file}`: {error.message}",
            getattr(error, "help", None) or "`rulewright test` and `run` show where it gives up",
        ) from error
    data = {"spec": checked.file, "spec_hash": checked.hash, "folder": str(folder),
            "language": language, "files": files}  # fmt: skip
    said = f"{folder}: {', '.join(files)}"
    return Result(checked.file, "holds", data, (said, *found)), len(files)
