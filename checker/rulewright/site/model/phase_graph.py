"""How a game goes from phase to phase, told from what its events assign to `phase`, and the
diagram of it: a box for each phase with what can happen in it, an arrow to where that leads.

Conditions are left aside: an arrow says that an event can lead there, not when.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.meaning import core as c
from rulewright.meaning.traversal import walk
from rulewright.site.draw.graph_layout import Point, graph_layout
from rulewright.site.draw.step_boxes import draw_arrows, draw_box
from rulewright.site.draw.svg import Drawing, width_of
from rulewright.site.words.markdown import spoken
from rulewright.syntax.node import Node

ROW = 20.0
HEAD = 38.0
GAP = 14.0
NARROWEST = 130.0
SIGNS = {"move": "▸", "chance": "⚄", "step": "⟳"}
KINDS = {"move": "a move", "chance": "chance", "step": "by itself"}


class PhaseTransition(Node):
    """An event that can happen in a phase, and the phases it can lead to (none: it stays)."""

    transition: c.Transition
    targets: tuple[str, ...]


def phase_transitions(spec: c.Spec) -> dict[str, list[PhaseTransition]]:
    """What can happen in each phase and where it leads."""
    effects = {each.name: each for each in spec.effects}
    found: dict[str, list[PhaseTransition]] = {each.name: [] for each in spec.phases}
    for transition in spec.transitions:
        targets = tuple(dict.fromkeys(_targets(transition.body, effects)))
        for phase in transition.phases or tuple(found):
            found[phase].append(
                PhaseTransition(transition, tuple(t for t in targets if t != phase))
            )
    return found


def phase_diagram(spec: c.Spec) -> str:
    """The phases as an SVG."""
    return _Diagram(spec).draw()


def _targets(
    body: tuple[c.Statement, ...], effects: dict[str, c.Effect], seen: frozenset[str] = frozenset()
) -> Iterator[str]:
    for statement in body:
        for node in walk(statement):
            match node:
                case c.Assign(variable="phase"):
                    for part in walk(node.value):
                        if isinstance(part, c.Literal) and isinstance(part.value, str):
                            yield part.value
                case c.Perform(effect=name) if name not in seen:
                    yield from _targets(effects[name].body, effects, seen | {name})
                case _:
                    pass


class _Diagram:
    """A box for each phase with a line for each thing that can happen in it, and an arrow to each
    phase that this can lead to. Without a layout the lines say where they lead."""

    def __init__(self, spec: c.Spec) -> None:
        self.spec = spec
        self.ways = phase_transitions(spec)
        order = {each.name: at for at, each in enumerate(spec.phases)}
        pairs = [
            (order[name], order[target])
            for name, ways in self.ways.items()
            for way in ways
            for target in way.targets
        ]
        self.arrows = list(dict.fromkeys(pairs))

    def draw(self) -> str:
        sizes = [self._size(each) for each in self.spec.phases]
        layout = graph_layout(sizes, self.arrows)
        corners, width, height = self._stacked() if layout is None else (
            layout.corners, layout.width, layout.height
        )  # fmt: skip
        drawing = Drawing(width, height)
        for phase, corner, size in zip(self.spec.phases, corners, sizes):
            draw_box(drawing, corner, size, phase.final)
            self._rows(drawing, phase, corner, led=layout is None)
        if layout is not None:
            draw_arrows(drawing, layout)
        return drawing.done(self._said(), "rw-flow")

    def _rows(self, drawing: Drawing, phase: c.Phase, corner: Point, led: bool) -> None:
        x, top = corner
        drawing.text(x + 12, top + 22, _heading(phase), 14, "start", bold=True)
        for at, way in enumerate(self.ways[phase.name]):
            line = top + HEAD + ROW * at + ROW / 2
            drawing.text(x + 20, line, SIGNS[way.transition.kind], 13)
            drawing.text(x + 34, line, _row(way, led), 12, "start")

    def _size(self, phase: c.Phase) -> Point:
        """As wide as the widest line, also where lines say where they lead."""
        ways = self.ways[phase.name]
        rows = [width_of(_row(each, led=False), 12) + 46 for each in ways]
        across = max([NARROWEST, width_of(_heading(phase), 14) + 24, *rows])
        return across, HEAD + ROW * len(ways) + (4 if ways else -4)

    def _stacked(self) -> tuple[list[Point], float, float]:
        """The boxes one below the other, and how much room they and their lines take."""
        top, corners = 6.0, []
        for each in self.spec.phases:
            corners.append((6.0, top))
            top += self._size(each)[1] + GAP
        rows = [_row(way, led=True) for ways in self.ways.values() for way in ways]
        across = [width_of(each, 12) + 58 for each in rows]
        boxes = [self._size(each)[0] + 12 for each in self.spec.phases]
        return corners, max([*across, *boxes]), top - GAP + 6

    def _said(self) -> str:
        parts = []
        for name, ways in self.ways.items():
            events = []
            for way in ways:
                leads = " or ".join(spoken(each) for each in way.targets)
                events.append(spoken(way.transition.name) + (f" leads to {leads}" if leads else ""))
            parts.append(f"{spoken(name)}: {', '.join(events) or 'the end'}")
        return f"the phases of {self.spec.title}. " + ". ".join(parts)


def _row(way: PhaseTransition, led: bool) -> str:
    leads = " or ".join(spoken(each) for each in way.targets) if led else ""
    return spoken(way.transition.name) + (f" → {leads}" if leads else "")


def _heading(phase: c.Phase) -> str:
    more = " (all at once)" if phase.simultaneous else " (the end)" if phase.final else ""
    return spoken(phase.name) + more
