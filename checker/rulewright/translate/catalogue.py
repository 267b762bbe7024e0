"""The catalogues of a spec: `qwixx.is.po` beside `qwixx.rules`. A catalogue with mistakes is shown
as far as it can be read; its diagnostics say where they are."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from rulewright.diagnostics import Diagnostic, Messages, Text, TooManyError
from rulewright.syntax.node import Node
from rulewright.system.limits import how_to_raise, most
from rulewright.system.whole_file import TooLargeError, whole
from rulewright.translate.po import Entry, read_po

SUFFIX = ".po"
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}")


class Catalogue(Node):
    """What is translated to a language, and what is wrong with the file."""

    file: str
    language: str
    text: Text
    entries: tuple[Entry, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def failed(self) -> bool:
        return any(each.severity == "error" for each in self.diagnostics)

    def translations(self) -> dict[tuple[str, str], str]:
        """What can be shown, by context and text."""
        return {
            (each.context, each.text): each.translation for each in self.entries if each.is_done
        }


def path_of(spec: str, language: str) -> Path:
    """Where the catalogue of a spec is."""
    path = Path(spec)
    return path.with_name(f"{path.stem}.{language}{SUFFIX}")


def languages_of(spec: str) -> list[str]:
    """The languages for which a spec has a catalogue."""
    path = Path(spec)
    begin = f"{path.stem}."
    try:
        files = sorted(os.listdir(path.parent))
    except OSError:
        return []
    named = [
        each[len(begin) : -len(SUFFIX)]
        for each in files
        if each.startswith(begin) and each.endswith(SUFFIX)
    ]
    return [each for each in named if LANGUAGE.fullmatch(each)]


def read_catalogue(path: Path, language: str) -> Catalogue:
    """Reads a catalogue; whatever is wrong with it is in its diagnostics."""
    file = os.fspath(path)
    try:
        content = whole(path, most("bytes"))
    except TooLargeError:
        return _unreadable(file, language, 1, "the file is too large", how_to_raise("bytes"))
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        return _unreadable(file, language, 1, f"the file cannot be read: {reason}", "check it")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        return _unreadable(file, language, line, "the file is not UTF-8", "save it as UTF-8")
    return catalogue_of(file, language, text.replace("\r\n", "\n"))


def catalogue_of(file: str, language: str, content: str) -> Catalogue:
    """The same of a text."""
    messages = Messages(Text(file, content))
    entries: list[Entry] = []
    with suppress(TooManyError):
        entries = read_po(messages)
    return Catalogue(file, language, messages.text, tuple(entries), tuple(messages.sorted()))


def _unreadable(file: str, language: str, line: int, message: str, help: str) -> Catalogue:
    found = Diagnostic(file, line, 1, line, 1, "RW017", "error", message, help)
    return Catalogue(file, language, Text(file, ""), (), (found,))
