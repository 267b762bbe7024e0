"""The specs of a workspace: those that are open as they are shown, the others as they are saved."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from rulewright.lsp.text.document import Document
from rulewright.system.limits import most
from rulewright.system.whole_file import TooLargeError, whole

MOST_FILES = 200
SKIPPED = ("node_modules", "__pycache__", "site", "dist")


def specs_in(folders: Iterable[str], opened: Mapping[str, Document]) -> Iterator[Document]:
    """Every spec of the folders of a workspace, and every one that is open."""
    yield from opened.values()
    known = {_path(uri) for uri in opened}
    for count, file in enumerate(_files(folders)):
        if count >= MOST_FILES:
            return
        if str(file) in known:
            continue
        try:
            if stat.S_ISREG(file.stat().st_mode):
                text = whole(file, most("bytes")).decode("utf-8-sig")
                yield Document(file.as_uri(), text, 0)
        except (OSError, ValueError, TooLargeError):
            continue


def _files(folders: Iterable[str]) -> Iterator[Path]:
    for folder in filter(None, map(_path, folders)):
        for root, inside, files in os.walk(folder):
            inside[:] = sorted(e for e in inside if not e.startswith(".") and e not in SKIPPED)
            for name in sorted(files):
                if name.endswith(".rules"):
                    yield Path(root, name)


def _path(uri: str) -> str:
    """The path of a `file:` address, else nothing."""
    parts = urlsplit(uri)
    return unquote(parts.path) if parts.scheme == "file" else ""
