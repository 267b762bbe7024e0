"""The answers on a terminal, a line each, with the best of every question."""

from __future__ import annotations

from benchmarks.harness.measure import Row

UNITS_THAT_RISE = ("steps/s", "events/s")
"""More is better; of everything else less is."""


class Table:
    """The lines of one module, under its name."""

    def __init__(self, name: str) -> None:
        self.question = ""
        print(f"\n{name}", flush=True)

    def show(self, row: Row) -> None:
        """One line; the question stands above its first."""
        if row.question != self.question:
            self.question = row.question
            print(f"  {row.question}", flush=True)
        at = "" if row.at is None else f"{row.at:,.0f}"
        print(f"    {at:>9} {row.subject:28} {cell(row)}", flush=True)

    def fail(self, why: str) -> None:
        print(f"    failed: {why}", flush=True)


def cell(row: Row) -> str:
    """The median with its spread and unit, or why there is none."""
    if not row.values:
        return row.note
    low, high = map(number, row.spread)
    spread = f" ({low} to {high})" if len(row.values) > 1 else ""
    note = f", {row.note}" if row.note else ""
    return f"{number(row.median):>10} {row.unit}{spread}{note}"


def number(value: float) -> str:
    """Three digits that count, no exponents."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def better(row: Row, other: Row) -> bool:
    """Whether a row is ahead of another of the same question."""
    if row.unit in UNITS_THAT_RISE:
        return row.median > other.median
    return row.median < other.median
