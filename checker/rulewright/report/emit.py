"""Sends a report out in the format somebody asked for.

What was found goes to stdout; the closing line for people goes to stderr, so that stdout holds
findings only. People read the log of a build, too: that nothing was found is worth a line there.
A renderer is imported when its format is asked for.
"""

from __future__ import annotations

import io
import os
import sys
from contextvars import ContextVar
from importlib import import_module

from rulewright.hidden_characters import plain
from rulewright.report.model import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

FORMATS = ("full", "concise", "json", "junit", "github", "sarif")
"""Each is a module of this package with `render(report) -> str`."""
FOR_PEOPLE = ("full", "github")
COLLECTED: ContextVar[list[Report] | None] = ContextVar("COLLECTED", default=None)
"""Set by a Python program that wants the report itself: then nothing is shown."""


def emit(report: Report, format: str, stdout: TextIO, stderr: TextIO) -> int:
    """Shows the report, whole whatever comes, and returns the exit code it asks for."""
    collected = COLLECTED.get()
    if collected is not None:
        collected.append(report)
        return report.exit
    stopping = sys.modules.get(
        "rulewright.system.interrupts"
    )  # loaded by commands that can be ended
    if stopping is not None:
        with stopping.undisturbed():
            return _emit(report, format, stdout, stderr)
    return _emit(report, format, stdout, stderr)


def _emit(report: Report, format: str, stdout: TextIO, stderr: TextIO) -> int:
    never_refuse_a_character(stdout)
    never_refuse_a_character(stderr)
    if format == "full":
        from rulewright.report import full

        stdout.write(full.render(report, colour=wants_colour(stdout)))
    else:
        stdout.write(import_module(f"rulewright.report.{format}").render(report))
    if report.closing and format in FOR_PEOPLE:
        stdout.flush()
        stderr.write(plain(report.closing) + "\n")
    return report.exit


def wants_colour(stream: TextIO) -> bool:
    """Only a terminal gets colour, and not if its owner said no (https://no-color.org)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def never_refuse_a_character(stream: TextIO) -> None:
    """A terminal that cannot show a letter gets its escape instead of an exception."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
