"""Writes to the files that people name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from rulewright.cli.errors import RefusalError
from rulewright.system.atomic_write import whole_file


@contextmanager
def output_file(path: Path) -> Iterator[TextIO]:
    """A stream to the file somebody named for what they asked for; refuses if it cannot be
    written, and then nothing is."""
    try:
        with whole_file(path) as stream:
            yield stream
    except OSError as error:
        raise RefusalError(
            f"`{path}` cannot be written: {reason(error)}", "name another file"
        ) from error


def write_output(path: Path, text: str) -> None:
    """Writes what somebody asked for to the file they named; refuses if that cannot be."""
    with output_file(path) as stream:
        stream.write(text)


def reason(error: OSError) -> str:
    """Why a file cannot be written, to people."""
    return (error.strerror or str(error)).lower()


def write_new(path: Path, text: str) -> None:
    """Makes a file; raises FileExistsError rather than touch one that is there."""
    with open(path, "x", encoding="utf-8", newline="\n") as file:
        file.write(text)
