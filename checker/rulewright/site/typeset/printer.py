"""Prints a rulebook: a booklet, pages for a desk printer, a page to have at hand, and sheets.

The template is ours and fixed; the rulebook reaches it as data. The typesetter sees one folder with
these two files and nothing else, no fonts of the system, no network and no clock, so the same spec
gives the same bytes everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from rulewright.site.model.book import Book
from rulewright.site.rulebook.compose import rulebook
from rulewright.site.typeset.as_data import as_data
from rulewright.translate.wording import SOURCE

FORMATS = {"a5": "booklet", "a4": "a4", "reference": "reference", "sheets": "sheets"}
"""What the template can be asked for, and what the file is called."""
TEMPLATE = "rulebook.typ"


class NoTypesetterError(Exception):
    """Typst is not installed."""


def printed(book: Book) -> Iterator[tuple[str, bytes]]:
    """Every file by its name."""
    try:
        import typst
    except ImportError as missing:
        raise NoTypesetterError from missing
    wording = book.wording
    data = as_data(rulebook(book, wording), wording)
    template = Path(__file__).with_name(TEMPLATE).read_text("utf-8")
    with TemporaryDirectory() as folder:
        root = Path(folder)
        (root / TEMPLATE).write_text(template, "utf-8")
        (root / "data.json").write_text(json.dumps(data), "utf-8")
        for format, name in FORMATS.items():
            language = wording.language.partition("-")[0]
            inputs = {"format": format, "language": language, "players": str(book.spec.most)}
            made = typst.compile(
                str(root / TEMPLATE), root=folder, sys_inputs=inputs, ignore_system_fonts=True
            )
            assert isinstance(made, bytes)
            told = "" if wording.language == SOURCE else f".{wording.language}"
            yield f"{book.name}-{name}{told}.pdf", made
