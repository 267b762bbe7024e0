"""Draws steps that follow each other: numbered boxes from top to bottom. An arrow to the next one
goes straight down; those that skip some go along the right side, those that lead back along the
left. Arrows to the same step share their line."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.site.draw.svg import Drawing, width_of
from rulewright.translate.wording import Wording

HEIGHT = 34
STRIDE = 58
LANE = 16
SIZE = 13
NARROWEST = 150


def draw_steps(
    boxes: Sequence[tuple[str, bool]], arrows: Sequence[tuple[int, int]], title: str,
    wording: Wording,
) -> str:  # fmt: skip
    """Boxes with their titles, those that end the game doubled, and arrows between their places."""
    return _Steps(boxes, arrows, wording).draw(title)


class _Steps:
    def __init__(
        self, boxes: Sequence[tuple[str, bool]], arrows: Sequence[tuple[int, int]],
        wording: Wording,
    ) -> None:  # fmt: skip
        self.boxes = boxes
        self.arrows = arrows
        self.wording = wording
        self.right = self._lanes([(a, b) for a, b in arrows if b > a + 1])
        self.left = self._lanes([(a, b) for a, b in arrows if b < a])
        self.room = max([NARROWEST, *(width_of(words, SIZE) + 34 for words, _ in boxes)])
        self.begin = 6 + LANE * (max(self.left.values(), default=-1) + 1)

    def draw(self, title: str) -> str:
        lanes = max(self.right.values(), default=-1) + 1
        width = self.begin + self.room + LANE * lanes + 6
        drawing = Drawing(width, STRIDE * len(self.boxes) - (STRIDE - HEIGHT) + 8)
        for at, (words, final) in enumerate(self.boxes):
            self._box(drawing, at, words, final)
        for start, end in self.arrows:
            if end == start + 1:
                middle = self.begin + self.room / 2
                drawing.path(f"M{middle:.1f} {self._top(start) + HEIGHT}V{self._top(end) - 6}", 1.5)
                drawing.arrow_head(middle, self._top(end) - 1, "down")
            else:
                self._around(drawing, start, end)
        return drawing.done(self._said(title), "rw-steps")

    def _top(self, at: int) -> int:
        return 4 + STRIDE * at

    def _box(self, drawing: Drawing, at: int, words: str, final: bool) -> None:
        round, top = (16 if final else 6), self._top(at)
        drawing.boxes([(self.begin, top)], self.room, HEIGHT, "currentColor", 0.06, round)
        if final:
            drawing.boxes([(self.begin + 3, top + 3)], self.room - 6, HEIGHT - 6, round=13)
        middle = self.begin + self.room / 2
        drawing.text(middle, top + HEIGHT / 2 + 4.5, words, SIZE, bold=True)

    def _around(self, drawing: Drawing, start: int, end: int) -> None:
        """An arrow along one of the sides."""
        if end > start:
            edge = self.begin + self.room
            lane, way = edge + LANE * (self.right[end] + 1), "left"
        else:
            edge = self.begin
            lane, way = edge - LANE * (self.left[end] + 1), "right"
        leave, enter = self._top(start) + HEIGHT * 0.68, self._top(end) + HEIGHT * 0.32
        drawing.path(f"M{edge:.1f} {leave:.1f}H{lane:.1f}V{enter:.1f}H{edge:.1f}", 1.5)
        drawing.arrow_head(edge, enter, way)

    def _lanes(self, arrows: Sequence[tuple[int, int]]) -> dict[int, int]:
        """A lane for each step that arrows lead to, the shortest innermost; lanes that do not meet
        share one."""
        spans: dict[int, tuple[int, int]] = {}
        for start, end in arrows:
            low, high = spans.get(end, (end, end))
            spans[end] = (min(low, start), max(high, start))
        lanes: dict[int, int] = {}
        for end, (low, high) in sorted(spans.items(), key=lambda each: each[1][1] - each[1][0]):
            taken = {
                lanes[other]
                for other in lanes
                if spans[other][0] <= high and low <= spans[other][1]
            }
            lanes[end] = next(lane for lane in range(len(spans)) if lane not in taken)
        return lanes

    def _said(self, title: str) -> str:
        parts = []
        for at, (words, _) in enumerate(self.boxes):
            leads = [self.boxes[end][0] for start, end in self.arrows if start == at]
            next = f" {self.wording('or')} ".join(leads)
            parts.append(self.wording("then", step=words, next=next) if leads else words)
        return f"{title}: {'; '.join(parts)}"
