"""Draws steps that follow each other: boxes from top to bottom, with an arrow to each step that can
come next. Without a layout of Graphviz the boxes stand below each other, and what comes next is
written into them."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from rulewright.site.draw.graph_layout import GraphLayout, Point, graph_layout
from rulewright.site.draw.svg import Drawing, width_of
from rulewright.translate.wording import Wording

HEIGHT = 34.0
LINE = 17.0
STRIDE = 12.0
SIZE = 13
NARROWEST = 90.0
LONGEST = 14
"""Letters; a longer title goes on in the next line, so that the diagram fits on a phone."""


def draw_steps(
    boxes: Sequence[tuple[str, bool]], arrows: Sequence[tuple[int, int]], title: str,
    wording: Wording,
) -> str:  # fmt: skip
    """Boxes with their titles, those that end the game doubled, and arrows between their places."""
    said = _said(boxes, arrows, title, wording)
    titles = [wrap(words, LONGEST, break_long_words=False) or [""] for words, _ in boxes]
    sizes = [
        (
            max(NARROWEST, *(width_of(line, SIZE) + 16 for line in lines)),
            HEIGHT + LINE * (len(lines) - 1),
        )
        for lines in titles
    ]
    layout = graph_layout(sizes, arrows)
    if layout is None:
        return _below_each_other(boxes, arrows).done(said, "rw-steps")
    drawing = Drawing(layout.width, layout.height)
    for (_, final), lines, corner, size in zip(boxes, titles, layout.corners, sizes):
        draw_box(drawing, corner, size, final)
        middle = corner[0] + size[0] / 2
        for at, line in enumerate(lines):
            drawing.text(middle, corner[1] + HEIGHT / 2 + 4.5 + LINE * at, line, SIZE, bold=True)
    draw_arrows(drawing, layout)
    return drawing.done(said, "rw-steps")


def draw_box(drawing: Drawing, corner: Point, size: Point, final: bool) -> None:
    """A box, with a double line where the game is over."""
    width, height = size
    drawing.boxes([corner], width, height, "currentColor", 0.06, 16 if final else 6)
    if final:
        drawing.boxes([(corner[0] + 3, corner[1] + 3)], width - 6, height - 6, round=13)


def draw_arrows(drawing: Drawing, layout: GraphLayout) -> None:
    for each in layout.arrows:
        drawing.path(each.line(), 1.5)
        drawing.path(each.head(), 1, "currentColor")


def _below_each_other(
    boxes: Sequence[tuple[str, bool]], arrows: Sequence[tuple[int, int]]
) -> Drawing:
    """Boxes in which the steps that can come next stand below the title."""
    next_ones = [
        "".join(f"→ {boxes[end][0]}   " for start, end in arrows if start == at).rstrip()
        for at in range(len(boxes))
    ]
    lines = [width_of(words, SIZE) for words, _ in boxes]
    lines += [width_of(each, 12) for each in next_ones]
    width = max([NARROWEST, *lines]) + 26
    heights = [HEIGHT + LINE * bool(each) for each in next_ones]
    drawing = Drawing(width + 8, sum(heights) + STRIDE * (len(boxes) - 1) + 8)
    top = 4.0
    for (words, final), after, height in zip(boxes, next_ones, heights):
        draw_box(drawing, (4, top), (width, height), final)
        drawing.text(4 + width / 2, top + HEIGHT / 2 + 4.5, words, SIZE, bold=True)
        if after:
            drawing.text(4 + width / 2, top + HEIGHT + 6, after, 12)
        top += height + STRIDE
    return drawing


def _said(
    boxes: Sequence[tuple[str, bool]], arrows: Sequence[tuple[int, int]], title: str,
    wording: Wording,
) -> str:  # fmt: skip
    parts = []
    for at, (words, _) in enumerate(boxes):
        leads = [boxes[end][0] for start, end in arrows if start == at]
        next = f" {wording('or')} ".join(leads)
        parts.append(wording("then", step=words, next=next) if leads else words)
    return f"{title}: {'; '.join(parts)}"
