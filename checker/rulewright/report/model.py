"""What a command hands over to be shown. Every renderer reads this and nothing else.

A command never prints its findings; it says here what it found, and the format somebody asked
for decides the rest. Whatever does not hold has a diagnostic, for some formats show only those.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.diagnostics import Diagnostic, Text
from rulewright.syntax.node import Node

STATUSES = ("holds", "fails", "undecided", "unusable", "bug")


class Result(Node):
    """The answer to one question: a spec checked, a property proved, a file laid out."""

    name: str
    status: str
    """One of STATUSES."""
    data: Mapping[str, object]
    """What JSON shows of it."""
    lines: tuple[str, ...] = ()
    """What a person reads of it, if anything."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """Those of the report's diagnostics that are about it."""
    seconds: float | None = None


class Cell(Node):
    """One field of a table; the status only decides its colour."""

    text: str
    status: str | None = None


class Table(Node):
    """Results side by side, for people."""

    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


class Report(Node):
    """Everything one run of a command has to say."""

    command: str
    version: str
    spec: str | None
    """The spec's file, when there is just one."""
    spec_hash: str | None
    results: tuple[Result, ...]
    diagnostics: tuple[Diagnostic, ...]
    summary: Mapping[str, object]
    exit: int
    texts: tuple[Text, ...] = ()
    """The files that diagnostics point into, so that their lines can be shown."""
    table: Table | None = None
    closing: str | None = None
    """The last line a person reads: what it all amounts to."""
