"""Histograms of two samples in one picture, as SVG that follows the page's colours."""

from __future__ import annotations

from html import escape

from rulewright.change.impact.play_statistics import Counts, histogram

WIDTH, HEIGHT, MARGIN = 560, 180, 28
MOST_BINS = 40


def plot(title: str, old: Counts, new: Counts) -> str:
    """How often each value came up by the old and by the new rules."""
    low, high = min(*old, *new), max(*old, *new)
    width = max(1, -(-(high - low + 1) // MOST_BINS))
    bins = (high - low) // width + 1
    shares = [histogram(side, low, width, bins) for side in (old, new)]
    tallest = max(max(side) for side in shares) or 1.0
    drawn = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">',
        f'<text x="{MARGIN}" y="14" class="title">{escape(title)}</text>',
    ]
    room = (WIDTH - 2 * MARGIN) / bins
    for side, name in zip(shares, ("old", "new")):
        points = []
        for at, share in enumerate(side):
            top = HEIGHT - MARGIN - share / tallest * (HEIGHT - 2 * MARGIN - 8)
            left = MARGIN + at * room
            points += [f"{left:.1f},{top:.1f}", f"{left + room:.1f},{top:.1f}"]
        base = HEIGHT - MARGIN
        outline = " ".join([f"{MARGIN},{base}", *points, f"{WIDTH - MARGIN},{base}"])
        drawn.append(f'<polygon class="{name}" points="{outline}"/>')
    base = HEIGHT - MARGIN
    drawn += [
        f'<line x1="{MARGIN}" y1="{base}" x2="{WIDTH - MARGIN}" y2="{base}" class="axis"/>',
        f'<text x="{MARGIN}" y="{HEIGHT - 8}">{low}</text>',
        f'<text x="{WIDTH - MARGIN}" y="{HEIGHT - 8}" text-anchor="end">{high}</text>',
        f'<text x="{WIDTH - MARGIN}" y="14" text-anchor="end">'
        '<tspan class="old">■</tspan> old  <tspan class="new">■</tspan> new</text>',
        "</svg>",
    ]
    return "\n".join(drawn)
