"""Where the boxes of a diagram stand and how its arrows run: Graphviz lays them out in layers, so
that few lines cross. It comes as a wheel with the extras `docs` and `print`; without it there is no
layout, and whoever draws has to do with less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.syntax.node import Node

INCH = 72.0
MARGIN = 8.0
TIP = 9.0
SIDE = 4.5
Point = tuple[float, float]


class Arrow(Node):
    """A curve from one box to another: where it begins, three points for each piece of it."""

    points: tuple[Point, ...]

    def line(self) -> str:
        """The curve, in the words of SVG."""
        (x, y), *rest = self.points
        turns = " ".join(f"{a:.1f} {b:.1f}" for a, b in rest)
        return f"M{x:.1f} {y:.1f}C{turns}"

    def head(self) -> str:
        """The tip at its end."""
        (x, y), (before_x, before_y) = self.points[-1], self._before()
        dx, dy = x - before_x, y - before_y
        length = (dx * dx + dy * dy) ** 0.5 or 1.0
        dx, dy = dx / length, dy / length
        back_x, back_y = x - TIP * dx, y - TIP * dy
        left = f"{back_x - SIDE * dy:.1f} {back_y + SIDE * dx:.1f}"
        right = f"{back_x + SIDE * dy:.1f} {back_y - SIDE * dx:.1f}"
        return f"M{x:.1f} {y:.1f}L{left}L{right}z"

    def _before(self) -> Point:
        """The last point that is not where the curve ends."""
        return next((each for each in self.points[-2::-1] if each != self.points[-1]), (0.0, 0.0))


class GraphLayout(Node):
    """The top left corner of each box, each arrow, and how large it all is."""

    corners: tuple[Point, ...]
    arrows: tuple[Arrow, ...]
    width: float
    height: float


def graph_layout(
    sizes: Sequence[Point], arrows: Sequence[tuple[int, int]]
) -> GraphLayout | None:  # fmt: skip
    """Boxes of these sizes, from top to bottom as the arrows lead; None without Graphviz."""
    try:
        from pygraphviz import AGraph
    except ImportError:
        return None
    graph = AGraph(
        directed=True, strict=False, rankdir="TB", nodesep=0.3, ranksep=0.4, splines="true"
    )
    graph.node_attr.update(shape="box", fixedsize="true", label="")
    graph.edge_attr.update(dir="none")
    for at, (width, height) in enumerate(sizes):
        graph.add_node(str(at), width=width / INCH, height=height / INCH)
    for number, (start, end) in enumerate(arrows):
        # An arrow back is laid out as one forward, so that what it leads to stays above.
        first, last = sorted((start, end))
        weight = 8 if end == start + 1 else 1
        graph.add_edge(str(first), str(last), key=str(number), weight=weight)
    return _read(graph.draw(format="plain", prog="dot").decode("utf-8"), sizes, arrows)


def _read(plain: str, sizes: Sequence[Point], arrows: Sequence[tuple[int, int]]) -> GraphLayout:
    """What Graphviz says in its plain format: lines of words, in inches from the bottom left."""
    words = [line.split() for line in plain.splitlines()]
    high = float(next(each for each in words if each[0] == "graph")[3]) * INCH
    corners: dict[int, Point] = {}
    found: dict[tuple[int, ...], list[tuple[Point, ...]]] = {}
    for kind, *rest in words:
        if kind == "node":
            at = int(rest[0])
            x, y = float(rest[1]) * INCH, high - float(rest[2]) * INCH
            corners[at] = (x - sizes[at][0] / 2, y - sizes[at][1] / 2)
        elif kind == "edge":
            numbers = [float(each) * INCH for each in rest[3 : 3 + 2 * int(rest[2])]]
            points = tuple((x, high - y) for x, y in zip(numbers[::2], numbers[1::2]))
            found.setdefault((int(rest[0]), int(rest[1])), []).append(points)
    drawn = []
    for start, end in arrows:
        points = found[tuple(sorted((start, end)))].pop()
        drawn.append(Arrow(points if start < end else points[::-1]))
    return _fitted([corners[at] for at in range(len(sizes))], drawn, sizes)


def _fitted(
    corners: Sequence[Point], arrows: Sequence[Arrow], sizes: Sequence[Point]
) -> GraphLayout:
    """All of it moved to the top left, with a margin around."""
    spots = list(_spots(corners, arrows, sizes))
    left, top = min(x for x, _ in spots) - MARGIN, min(y for _, y in spots) - MARGIN
    right, bottom = max(x for x, _ in spots) + MARGIN, max(y for _, y in spots) + MARGIN
    return GraphLayout(
        tuple((x - left, y - top) for x, y in corners),
        tuple(Arrow(tuple((x - left, y - top) for x, y in each.points)) for each in arrows),
        right - left, bottom - top,
    )  # fmt: skip


def _spots(
    corners: Sequence[Point], arrows: Sequence[Arrow], sizes: Sequence[Point]
) -> Iterator[Point]:
    """Points within which everything lies; a curve lies within those that bend it."""
    for (x, y), (width, height) in zip(corners, sizes):
        yield from ((x, y), (x + width, y + height))
    for each in arrows:
        yield from each.points
