"""Keeps the translations of a spec: writes and updates its gettext PO catalogues, and says what is
missing in them or stale because the sentence it translates changed.

A catalogue lies beside its spec, as `qwixx.is.po` beside `qwixx.rules`. Its entries name the
declaration they belong to; any editor for PO files can be used.
"""

from __future__ import annotations

import argparse
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_codes import FAILS, HOLDS, UNUSABLE
from rulewright.cli.exit_status import STATUS, counted, exit_for, gravest
from rulewright.cli.inputs.read_specs import read_specs, report_on
from rulewright.cli.options import add_format, add_specs
from rulewright.diagnostics import Diagnostic, Text
from rulewright.frontend import LoadedSpec
from rulewright.report.emit import emit
from rulewright.report.model import Result
from rulewright.syntax.node import Span, replace
from rulewright.system.atomic_write import write_whole
from rulewright.translate.catalogue import (
    LANGUAGE,
    Catalogue,
    catalogue_of,
    languages_of,
    path_of,
    read_catalogue,
)
from rulewright.translate.merge import merged, sources
from rulewright.translate.po import Entry, write_po
from rulewright.translate.terms import stray_terms
from rulewright.translate.wording import SOURCE

LONGEST = 60


def language(text: str) -> str:
    """A language as web pages name it."""
    if not LANGUAGE.fullmatch(text) or text == SOURCE:
        raise argparse.ArgumentTypeError(f"`{text}` is not a language to translate to, like is")
    return text


def configure(parser: ArgumentParser) -> None:
    """The arguments of `translate`."""
    add_specs(parser)
    parser.add_argument(
        "--language", type=language, metavar="TAG",
        help="the language, such as is or nb; a catalogue that is not there is begun. Without it, "
        "every catalogue that lies beside the spec",
    )  # fmt: skip
    parser.add_argument(
        "--check", action="store_true",
        help="change nothing; exit 1 if a translation is missing, stale or not as agreed",
    )  # fmt: skip
    add_format(parser)


def run(options: Namespace) -> int:
    """Updates or checks every catalogue."""
    specs = read_specs(options.specs)
    results: list[Result] = []
    texts: list[Text] = []
    exits = [exit_for(each.diagnostics) or UNUSABLE for each in specs if each.spec is None]
    for spec in specs:
        if spec.spec is None:
            continue
        wanted = [options.language] if options.language else languages_of(spec.file)
        if not wanted:
            raise RefusalError(
                f"`{spec.file}` has no translation", "begin one with --language, such as is or nb"
            )
        for each in wanted:
            result, catalogue, code = _updated(spec, each, options.check)
            results.append(result)
            texts.append(catalogue.text)
            exits.append(code)
    found = tuple(each for result in results for each in result.diagnostics)
    report = report_on(
        "translate", specs, results, _summary(results), gravest(exits), found,
        closing=counted(len(results), "catalogue") + (" checked" if options.check else ""),
    )  # fmt: skip
    report = replace(report, texts=(*report.texts, *texts))
    return emit(report, options.format, sys.stdout, sys.stderr)


def _summary(results: list[Result]) -> dict[str, object]:
    """All counts of all catalogues together."""
    names = ("texts", "translated", "missing", "stale", "strays")
    return {
        "catalogues": len(results),
        **{name: sum(_count(each.data.get(name)) for each in results) for name in names},
    }


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


def _updated(checked: LoadedSpec, language: str, check: bool) -> tuple[Result, Catalogue, int]:
    """Brings one catalogue up to date, or with `check` only says what is the matter."""
    assert checked.spec is not None and checked.text is not None
    path = path_of(checked.file, language)
    old = read_catalogue(path, language) if path.exists() else catalogue_of(str(path), language, "")
    if old.failed:
        data = {"file": old.file, "language": language, "verdict": STATUS[UNUSABLE],
                "texts": 0, "translated": 0, "missing": 0, "stale": 0, "strays": 0,
                "changed": False}  # fmt: skip
        return Result(old.file, STATUS[UNUSABLE], data, (), old.diagnostics), old, UNUSABLE
    wanted = sources(checked)
    lines = [checked.text.place(each.span.start)[0] for each in wanted]
    made = merged(
        old.entries, wanted, checked.spec, Path(checked.file).name, language, lines
    )  # fmt: skip
    after = write_po(made)
    changed = after != old.text.text
    if changed and not check:
        _write(path, after)
    now = catalogue_of(old.file, language, after)
    shown = old if check else now
    found = [*_gaps(shown, now), *_strays(checked, shown, now)]
    entries = [each for each in now.entries if each.text and not each.obsolete]
    done = sum(each.is_done for each in entries)
    stale = sum(each.fuzzy for each in entries)
    code = FAILS if check and found else HOLDS
    data = {
        "file": old.file, "language": language, "verdict": STATUS[code], "texts": len(entries),
        "translated": done, "missing": len(entries) - done - stale, "stale": stale,
        "strays": sum(each.code == "RW521" for each in found), "changed": changed,
    }  # fmt: skip
    said = f"{old.file}: {done} of {counted(len(entries), 'text')} translated" + _more(data)
    found = found if check else [replace(each, severity="warning") for each in found]
    return Result(old.file, STATUS[code], data, (said,), tuple(found)), shown, code


def _more(data: dict[str, object]) -> str:
    counts = {"missing": "missing", "stale": "stale", "strays": "not as agreed"}
    return "".join(f", {data[name]} {words}" for name, words in counts.items() if data[name])


def _write(path: Path, text: str) -> None:
    if path.is_symlink():  # which may come with the spec from somebody else, and lead anywhere
        raise RefusalError(f"`{path}` is a link, and is not written to", "put a file in its place")
    try:
        write_whole(path, text)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise RefusalError(f"`{path}` cannot be written: {reason}", "check the folder") from error


def _gaps(shown: Catalogue, now: Catalogue) -> Iterator[Diagnostic]:
    """What is missing or stale."""
    for entry in now.entries:
        if not entry.text or entry.obsolete or entry.is_done:
            continue
        where = f"{entry.context}: `{_short(entry.text)}`"
        if entry.fuzzy:
            help = f"look at the translation; it is of `{_short(entry.previous or entry.text)}`"
            yield _at(shown, entry, "RW520", f"stale: {where}", f"{help}, then unmark it")
        else:
            yield _at(shown, entry, "RW520", f"not translated: {where}", "write its msgstr")


def _strays(checked: LoadedSpec, shown: Catalogue, now: Catalogue) -> Iterator[Diagnostic]:
    """Terms that are not said by their agreed word."""
    assert checked.spec is not None
    for each in stray_terms(checked.spec, now):
        context = each.entry.context
        if each.declared is not None:
            message = f"`{each.term}` is `{each.declared}` in the spec, and `{each.agreed}` here"
            help = "begin the forms with the word of the spec"
        else:
            message = f"{context}: `{each.term}` is not said by its agreed word `{each.agreed}`"
            help = (
                "use the word, add a form of it to the entry of the term, or write the comment "
                f"`# not the term: {each.term}`"
            )
        yield _at(shown, each.entry, "RW521", message, help)


def _at(shown: Catalogue, entry: Entry, code: str, message: str, help: str) -> Diagnostic:
    """A finding at an entry, or at another of its declaration; at the first line where there is
    none yet."""
    near = [each for each in shown.entries if each.context == entry.context]
    spans = [each.span for each in near if each.text == entry.text] or [e.span for e in near]
    span = spans[0] if spans else Span(0, 0)
    line, column = shown.text.place(span.start)
    return Diagnostic(shown.file, line, column, line, column, code, "error", message, help)


def _short(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
