"""Commands of the program on the texts of the page: run as on a terminal, in this process."""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rulewright.cli.main import run_safely

Tell = Callable[[str], None]
"""Told what is being worked on."""


def in_words(command: Sequence[str], files: Mapping[str, str], tell: Tell) -> dict[str, Any]:
    """What a command prints about files of the page, and its exit code."""
    exit_code, printed, said = _run(command, files, tell)
    return {"exit": exit_code, "text": printed, "said": said}


def as_report(command: Sequence[str], files: Mapping[str, str], tell: Tell) -> dict[str, Any]:
    """The report of a command; what it said instead, if it made none."""
    exit_code, printed, said = _run([*command, "--format=json"], files, tell)
    try:
        report = json.loads(printed)
    except ValueError:
        report = None
    return {"exit": exit_code, "report": report, "said": said}


def _run(command: Sequence[str], files: Mapping[str, str], tell: Tell) -> tuple[int, str, str]:
    with tempfile.TemporaryDirectory(prefix="rulewright-page-") as folder, _in(folder):
        for name, text in files.items():
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
        out, err = io.StringIO(), _Terminal(tell)
        before = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = out, err
        try:
            exit_code = run_safely(list(command))
        finally:
            sys.stdout, sys.stderr = before
        return exit_code, out.getvalue(), err.getvalue()


@contextmanager
def _in(folder: str) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


class _Terminal(io.StringIO):
    """Where a command says what it is working on; the line that is written over goes to the page,
    and everything else is kept."""

    def __init__(self, tell: Tell) -> None:
        super().__init__()
        self._tell = tell

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if text.startswith("\r\x1b[K"):
            self._tell(text.removeprefix("\r\x1b[K"))
            return len(text)
        return super().write(text)
