"""Charts of the answers as SVG: bars for who is ahead, lines for how something grows.

Both have a logarithmic scale, because the contestants are powers of ten apart; a bar shows the
median, a thin line over it from the lowest value to the highest. Text and lines are grey, so that
they can be read on light and on dark pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10

from benchmarks.harness.measure import Row
from benchmarks.harness.table import number

WIDTH = 720
LABEL = 190
RIGHT = 110
LINE = 26
OURS, THEIRS, INK = "#00897b", "#90a4ae", "#78909c"
SERIES = ("#00897b", "#ef6c00", "#5c6bc0", "#8d6e63", "#c2185b")
OUR_NAMES = ("rulewright", "compiled spec", "evaluator", "reference engine", "replay", "spec ")


def is_ours(subject: str) -> bool:
    """Whether a subject is part of this program."""
    return subject.startswith(OUR_NAMES)


def bars(rows: Sequence[Row]) -> str:
    """The subjects of one question, a bar each."""
    low, high = _decades([value for row in rows for value in row.values])
    room = WIDTH - LABEL - RIGHT

    def x(value: float) -> float:
        return LABEL + room * (log10(max(value, 10**low)) - low) / (high - low)

    parts = []
    for index, row in enumerate(rows):
        top, middle = 10 + index * LINE, 10 + index * LINE + 9
        colour = OURS if is_ours(row.subject) else THEIRS
        least, most = row.spread
        parts += [
            _text(LABEL - 8, middle + 4, row.subject, "end"),
            f'<rect x="{LABEL}" y="{top}" width="{x(row.median) - LABEL:.1f}" height="18" '
            f'fill="{colour}"/>',
            f'<path d="M{x(least):.1f} {middle}H{x(most):.1f}" stroke="{INK}" stroke-width="2"/>',
            _text(x(most) + 6, middle + 4, f"{number(row.median)} {row.unit}"),
        ]
    bottom = 10 + len(rows) * LINE
    for decade in range(low, high + 1):
        at = x(10**decade)
        parts += [
            f'<path d="M{at:.1f} 6V{bottom}" stroke="{INK}" stroke-opacity="0.25"/>',
            _text(at, bottom + 14, _power(decade), "middle"),
        ]
    return _drawing(WIDTH, bottom + 22, parts)


def lines(rows: Sequence[Row]) -> str:
    """The subjects of one question by the size they were measured at, a line each."""
    height, left, top, bottom = 300, 70, 20, 250
    sizes = sorted({row.at for row in rows if row.at is not None})
    low, high = _decades([row.median for row in rows])
    room = WIDTH - left - LABEL

    def x(size: float) -> float:
        return left + room * (sizes.index(size) + 0.5) / len(sizes)

    def y(value: float) -> float:
        return bottom - (bottom - top) * (log10(max(value, 10**low)) - low) / (high - low)

    parts = []
    for decade in range(low, high + 1):
        at = y(10**decade)
        parts += [
            f'<path d="M{left} {at:.1f}H{left + room}" stroke="{INK}" stroke-opacity="0.25"/>',
            _text(left - 8, at + 4, _power(decade), "end"),
        ]
    parts += [_text(x(size), bottom + 18, f"{size:,.0f}", "middle") for size in sizes]
    parts.append(_text(left, 12, rows[0].unit))
    for index, subject in enumerate(dict.fromkeys(row.subject for row in rows)):
        colour = SERIES[index % len(SERIES)]
        points = [(x(r.at), y(r.median)) for r in rows if r.subject == subject and r.at is not None]
        path = "L".join(f"{across:.1f} {down:.1f}" for across, down in points)
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{d:.1f}" r="4" fill="{colour}"/>' for a, d in points]
        parts.append(_text(left + room + 8, 30 + 18 * index, subject, colour=colour))
    return _drawing(WIDTH, height - 20, parts)


def _decades(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten around some values."""
    positive = [value for value in values if value > 0] or [1.0]
    low, high = floor(log10(min(positive)) - 1e-9), ceil(log10(max(positive)))
    return low, max(high, low + 1)


def _power(decade: int) -> str:
    return f"{10**decade:,}" if decade >= 0 else f"{10**decade:.{-decade}f}"


def _text(x: float, y: float, text: str, anchor: str = "start", colour: str = INK) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} fill="{colour}">{escape(text)}</text>'


def _drawing(width: int, height: int, parts: Sequence[str]) -> str:
    style = 'font-family="system-ui, sans-serif" font-size="12"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {style}>'
    return "\n".join([opening, *parts, "</svg>", ""])
