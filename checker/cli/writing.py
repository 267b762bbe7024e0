"""Writes files so that nobody ever sees half of one."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Replaces a file's content in one go, keeping its permissions; a link stays a link."""
    target = path.resolve()
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(temporary, stat.S_IMODE(target.stat().st_mode))
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def write_new(path: Path, text: str) -> None:
    """Makes a file; raises FileExistsError rather than touch one that is there."""
    with open(path, "x", encoding="utf-8", newline="\n") as file:
        file.write(text)
