"""Writes files so that nobody ever sees half of one, whatever ends the writing.

A file that somebody named may be a link, and is written where that leads. In a folder that is
filled, a link may come from anybody and lead anywhere: a file takes its place (`follow=False`).
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TextIO

from rulewright.system.store import digest

LONGEST_NAME = 200
"""Bytes of what a file is called after something in a spec."""


@contextmanager
def whole_file(path: Path, follow: bool = True) -> Iterator[TextIO]:
    """A stream whose text becomes the file when it ends well; until then, and otherwise, what was
    there stays. A file that is there keeps its permissions, a link stays a link; what is no file
    (a terminal, a pipe) is written to as it is."""
    # Half a character, which an engine may have said, is written as JSON escapes it.
    text = partial(open, mode="w", encoding="utf-8", errors="backslashreplace", newline="\n")
    with _replacing(path, follow) as handle, text(handle) as stream:
        yield stream


@contextmanager
def _replacing(path: Path, follow: bool) -> Iterator[int]:
    """A handle of a file that takes the place of another; whoever is given it closes it."""
    target = path.resolve() if follow else path.parent.resolve() / path.name
    if follow and target.exists() and not target.is_file():
        yield os.open(target, os.O_WRONLY)
        return
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
    try:
        yield handle
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def write_whole(path: Path, text: str, follow: bool = True) -> None:
    """Writes a file in one go, whole or not at all."""
    with whole_file(path, follow) as stream:
        stream.write(text)


def write_whole_bytes(path: Path, content: bytes, follow: bool = True) -> None:
    """The same of a file that is no text."""
    with _replacing(path, follow) as handle, open(handle, "wb") as stream:
        stream.write(content)


def short_name(name: str) -> str:
    """What a file or folder is called after something in a spec: its name, unless no file could
    have that; then as much of it, and a checksum that keeps names apart."""
    written = name.encode()
    if len(written) <= LONGEST_NAME:
        return name
    return f"{written[:LONGEST_NAME].decode(errors='ignore')}-{digest(written)[:16]}"


def make_folder(path: Path) -> None:
    """Makes a folder to be filled, unless it is there; a link in its place is none."""
    if path.is_symlink():
        raise OSError(errno.ELOOP, "it is a link")
    path.mkdir(parents=True, exist_ok=True)


def _mode(target: Path) -> int:
    """The permissions of a file: those it has, or those that new files get here."""
    if target.is_file() and not target.is_symlink():
        return stat.S_IMODE(target.stat().st_mode)
    usual = os.umask(0)
    os.umask(usual)
    return 0o666 & ~usual
