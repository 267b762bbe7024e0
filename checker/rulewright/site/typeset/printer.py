"""Prints a rulebook: a booklet, pages for a desk printer, a page to have at hand, and sheets.

The template is ours and fixed; the rulebook reaches it as data. The typesetter sees one folder with
these two files and nothing else, no fonts of the system, no network and no clock, so the same spec
gives the same bytes everywhere. It is a process of its own, which ends with this one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from rulewright.site.model.book import Book
from rulewright.site.rulebook.compose import rulebook
from rulewright.site.typeset.as_data import as_data
from rulewright.system.atomic_write import short_name
from rulewright.system.processes import ChildProcess, own_environment, own_program
from rulewright.translate.wording import SOURCE

FORMATS = {"a5": "booklet", "a4": "a4", "reference": "reference", "sheets": "sheets"}
"""What the template can be asked for, and what the file is called."""
TEMPLATE = "rulebook.typ"


class NoTypesetterError(Exception):
    """Typst is not installed."""


class TypesetterError(Exception):
    """The typesetter failed; `code` is its exit code, negative for the signal that ended it."""

    def __init__(self, code: int, said: str) -> None:
        super().__init__(said or f"the typesetter ended with {code}")
        self.code = code


def printed(book: Book) -> Iterator[tuple[str, bytes]]:
    """Every file by its name, as soon as it is made."""
    if find_spec("typst") is None:
        raise NoTypesetterError
    wording = book.wording
    data = as_data(rulebook(book, wording), wording)
    template = Path(__file__).with_name(TEMPLATE).read_text("utf-8")
    with TemporaryDirectory() as folder:
        root = Path(folder)
        (root / TEMPLATE).write_text(template, "utf-8")
        (root / "data.json").write_text(json.dumps(data), "utf-8")
        language = wording.language.partition("-")[0]
        told = "" if wording.language == SOURCE else f".{wording.language}"
        asked = {
            f"{short_name(book.name)}-{name}{told}.pdf":
                {"format": format, "language": language, "players": str(book.spec.most)}
            for format, name in FORMATS.items()
        }  # fmt: skip
        for name in _typeset(folder, asked):
            yield name, (root / name).read_bytes()


def _typeset(folder: str, asked: dict[str, dict[str, str]]) -> Iterator[str]:
    """Has files typeset in a folder; says which are there, one after the other."""
    command = [*own_program("site.typeset.typesetter"), folder, TEMPLATE, json.dumps(asked)]
    with TemporaryFile() as complaints:
        child = ChildProcess(command, stderr=complaints.fileno(), environment=own_environment())
        try:
            assert child.process.stdout is not None
            for line in child.process.stdout:
                yield line.decode().strip()
            code = child.process.wait()
        finally:
            child.end()
        if code:
            complaints.seek(0)
            said = complaints.read().decode(errors="replace").strip().splitlines()
            raise TypesetterError(code, "".join(said[-1:]))
